/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-local-servers.h"

#include "core/base/tau-json.h"
#include "core/llm/tau-http-stream.h"

/* Looks for model servers on this machine: GET /v1/models on the usual ports, all at once, each for 300 ms. What is not there is
 * no error. Models found this way get a dialect that these servers understand: the defaults of the protocol (role
 * "developer", "store", "max_completion_tokens") are OpenAI's own and break them. */

#define PATIENCE_MS       300
#define MAX_LIST_BYTES    (4 * 1024 * 1024)
#define DEFAULT_WINDOW    32768

static const TauLocalServer usual[] = {
  { "ollama", "Ollama", "http://127.0.0.1:11434" },
  { "llama.cpp", "llama.cpp", "http://127.0.0.1:8080" },
  { "lm-studio", "LM Studio", "http://127.0.0.1:1234" },
  { "vllm", "vLLM", "http://127.0.0.1:8000" },
};

/* Where the servers write how much their model can read. */
static const char * const window_paths[] = {
  "max_model_len", "context_length", "loaded_context_length", "max_context_length", "meta.n_ctx", "meta.n_ctx_train",
};

/**
 * tau_local_servers_get_usual:
 * @n_servers: (out): how many
 *
 * Returns: (transfer none) (array length=n_servers): the servers that are looked for
 */
const TauLocalServer *
tau_local_servers_get_usual (guint *n_servers)
{
  *n_servers = G_N_ELEMENTS (usual);

  return usual;
}

/**
 * tau_local_servers_is_local:
 * @provider: vendor id
 *
 * Returns: whether it is one of the servers that are looked for, which need no key
 */
gboolean
tau_local_servers_is_local (const char *provider)
{
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    if (g_str_equal (usual[i].provider, provider))
      return TRUE;

  return FALSE;
}

static JsonNode *
make_compat (void)
{
  JsonObject *compat = json_object_new ();

  json_object_set_boolean_member (compat, "supportsStore", FALSE);
  json_object_set_boolean_member (compat, "supportsDeveloperRole", FALSE);
  json_object_set_boolean_member (compat, "supportsReasoningEffort", FALSE);
  json_object_set_boolean_member (compat, "supportsStrictMode", FALSE);
  json_object_set_string_member (compat, "maxTokensField", "max_tokens");

  return tau_json_node_new_object (compat);
}

static gint64
read_window (JsonNode *entry)
{
  for (guint i = 0; i < G_N_ELEMENTS (window_paths); i++)
    {
      gint64 window = tau_json_get_int (entry, window_paths[i], 0);

      if (window > 0)
        return window;
    }

  return DEFAULT_WINDOW;
}

static TauModel *
make_model (const TauLocalServer *server,
            JsonNode             *entry)
{
  const char *id = tau_json_get_string (entry, "id", NULL);
  g_autofree char *base = g_strconcat (server->url, "/v1", NULL);
  gint64 window = read_window (entry);
  JsonObject *object;
  g_autoptr(JsonNode) json = NULL;

  if (id == NULL)
    return NULL;

  object = json_object_new ();
  json = tau_json_node_new_object (object);
  json_object_set_string_member (object, "id", id);
  json_object_set_string_member (object, "api", "openai-completions");
  json_object_set_string_member (object, "baseUrl", base);
  json_object_set_int_member (object, "contextWindow", window);
  json_object_set_int_member (object, "maxTokens", MIN (window / 2, 16384));
  tau_json_object_set (object, "compat", make_compat ());

  return tau_model_new_from_json (server->provider, json, NULL);
}

/**
 * tau_local_servers_read_list:
 * @server: who sent it
 * @text: body of its answer to GET /v1/models
 * @length: bytes of @text, or -1
 *
 * Returns: (transfer full) (element-type TauModel): the models it names; none if the answer is something else
 */
GPtrArray *
tau_local_servers_read_list (const TauLocalServer *server,
                             const char           *text,
                             gssize                length)
{
  GPtrArray *models = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr(JsonNode) root = tau_json_parse (text, length, NULL);
  JsonArray *data = tau_json_get_array (root, "data");

  for (guint i = 0; data != NULL && i < json_array_get_length (data); i++)
    {
      TauModel *model = make_model (server, json_array_get_element (data, i));

      if (model != NULL)
        g_ptr_array_add (models, model);
    }

  return models;
}

/* One server being asked. */
typedef struct
{
  GTask                *task;     /* of the whole search; owned */
  guint                 position;
  const TauLocalServer *server;
  GString              *body;
} Question;

typedef struct
{
  guint      n_left;
  GPtrArray *lists;   /* of GPtrArray or NULL, by position of the server */
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  g_ptr_array_unref (search->lists);
  g_free (search);
}

static void
list_free (gpointer data)
{
  if (data != NULL)
    g_ptr_array_unref (data);
}

static void
end_search (GTask *task)
{
  Search *search = g_task_get_task_data (task);
  GPtrArray *models = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < search->lists->len; i++)
    {
      GPtrArray *list = g_ptr_array_index (search->lists, i);

      for (guint j = 0; list != NULL && j < list->len; j++)
        g_ptr_array_add (models, g_object_ref (list->pdata[j]));
    }
  g_task_return_pointer (task, models, (GDestroyNotify) g_ptr_array_unref);
}

/* Frees the question. */
static void
take_answer (Question *question,
             gboolean  answered)
{
  Search *search = g_task_get_task_data (question->task);

  if (answered)
    search->lists->pdata[question->position] = tau_local_servers_read_list (question->server, question->body->str,
                                                                            (gssize) question->body->len);
  if (--search->n_left == 0)
    end_search (question->task);

  g_object_unref (question->task);
  g_string_free (question->body, TRUE);
  g_free (question);
}

static gboolean
chunk_cb (const char *bytes,
          gsize       size,
          gpointer    user_data)
{
  Question *question = user_data;

  g_string_append_len (question->body, bytes, (gssize) size);

  return question->body->len < MAX_LIST_BYTES;
}

static void
read_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  take_answer (user_data, tau_http_stream_read_finish (TAU_HTTP_STREAM (object), result, NULL));
}

static void
open_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  TauHttpStream *stream = TAU_HTTP_STREAM (object);
  Question *question = user_data;

  if (tau_http_stream_open_finish (stream, result, NULL) && tau_http_stream_get_status (stream) == 200)
    tau_http_stream_read_async (stream, chunk_cb, question, g_task_get_cancellable (question->task), read_cb, question);
  else
    {
      tau_http_stream_close (stream);
      take_answer (question, FALSE);
    }
}

static void
ask (GTask                *task,
     const TauLocalServer *server,
     guint                 position)
{
  static const TauHttpLimits limits = { .headers_timeout_ms = PATIENCE_MS, .idle_timeout_ms = PATIENCE_MS };
  g_autofree char *url = g_strconcat (server->url, "/v1/models", NULL);
  g_autoptr(TauHttpStream) stream = tau_http_stream_new (tau_http_call_new (url), &limits);
  Question *question = g_new0 (Question, 1);

  question->task = g_object_ref (task);
  question->position = position;
  question->server = server;
  question->body = g_string_new (NULL);
  tau_http_stream_open_async (stream, g_task_get_cancellable (task), open_cb, question);
}

/**
 * tau_local_servers_discover_async:
 * @servers: (array length=n_servers): whom to ask; must live until @callback
 * @n_servers: how many
 * @cancellable: (nullable): to stop it
 * @callback: called when all have answered or are late
 * @user_data: for @callback
 *
 * Asks servers which models they have.
 */
void
tau_local_servers_discover_async (const TauLocalServer *servers,
                                  guint                 n_servers,
                                  GCancellable         *cancellable,
                                  GAsyncReadyCallback   callback,
                                  gpointer              user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Search *search = g_new0 (Search, 1);

  g_task_set_source_tag (task, tau_local_servers_discover_async);
  g_task_set_check_cancellable (task, FALSE);
  search->n_left = n_servers;
  search->lists = g_ptr_array_new_with_free_func (list_free);
  g_ptr_array_set_size (search->lists, (int) n_servers);
  g_task_set_task_data (task, search, search_free);

  for (guint i = 0; i < n_servers; i++)
    ask (task, &servers[i], i);
  if (n_servers == 0)
    end_search (task);
}

/**
 * tau_local_servers_discover_finish:
 * @result: the result
 *
 * Returns: (transfer full) (element-type TauModel): what was found, in the order of the servers
 */
GPtrArray *
tau_local_servers_discover_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
