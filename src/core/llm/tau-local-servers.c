/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-local-servers.h"

#include "core/base/tau-json.h"
#include "core/llm/tau-http-stream.h"

/* Looks for model servers on this machine: GET /v1/models on the usual ports, all at once. What is
 * not there in time is no error. Each server is also asked how much of a conversation it really reads, which is often far less than
 * its model could and is written somewhere else by each; a longer prompt is cut by some of them without a word.
 *
 * Models found this way get a dialect that these servers understand: the defaults of the protocol (role "developer",
 * "store", "max_completion_tokens") are OpenAI's own and break them. */

/* For what a server says of itself once it is known to be there. */
#define LONG_PATIENCE_MS  3000

#define MAX_LIST_BYTES    (4 * 1024 * 1024)
#define DEFAULT_WINDOW    32768

/* What Ollama reads of a conversation if neither the model nor its user says otherwise (docs.ollama.com, "Context length",
 * 2026: 4k on a machine with little graphics memory), whatever the model could read. */
#define OLLAMA_WINDOW     4096

/* Each model of Ollama is a question of its own. */
#define MAX_OLLAMA_MODELS 64

static const TauLocalServer usual[] = {
  { "ollama", "Ollama", "http://127.0.0.1:11434" },
  { "llama.cpp", "llama.cpp", "http://127.0.0.1:8080" },
  { "lm-studio", "LM Studio", "http://127.0.0.1:1234" },
  { "vllm", "vLLM", "http://127.0.0.1:8000" },
};

/* Where the entries of a list say how much is read: vLLM, others, LM Studio (loaded now, else at most), llama.cpp. */
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

/* 0 if the entry does not say. */
static gint64
read_window (JsonNode *entry)
{
  for (guint i = 0; i < G_N_ELEMENTS (window_paths); i++)
    {
      gint64 window = tau_json_get_int (entry, window_paths[i], 0);

      if (window > 0)
        return window;
    }

  return 0;
}

static TauModel *
make_model (const TauLocalServer *server,
            JsonNode             *entry,
            gint64                served_window)
{
  const char *id = tau_json_get_string (entry, "id", NULL);
  g_autofree char *base = g_strconcat (server->url, "/v1", NULL);
  gint64 window = served_window > 0 ? served_window : read_window (entry);
  JsonObject *object;
  g_autoptr(JsonNode) json = NULL;

  if (id == NULL)
    return NULL;
  if (window == 0)
    window = DEFAULT_WINDOW;

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

/* One server being asked, one question after the other. */
typedef struct
{
  GTask                *task;      /* of the whole search; owned */
  guint                 position;
  const TauLocalServer *server;
  GQueue                steps;     /* of Step: what is still to be asked */
  JsonNode             *list;      /* nullable: what it answered to GET /v1/models */
  GHashTable           *windows;   /* model id → GINT_TO_POINTER of tokens; id "" for all */
  GString              *body;      /* of the answer that is coming in */
} Question;

/* Takes the answer to a step; NULL if there was none. */
typedef void (*TakeFunc) (Question *question, const char *id, JsonNode *answer);

typedef struct
{
  char    *path;
  char    *id;      /* nullable: the model it is about */
  TakeFunc take;
} Step;

static void
step_free (gpointer data)
{
  Step *step = data;

  g_free (step->path);
  g_free (step->id);
  g_free (step);
}

typedef struct
{
  gint64     patience_ms;
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

static void
add_step (Question   *question,
          const char *path,
          const char *id,
          TakeFunc    take)
{
  Step *step = g_new (Step, 1);

  *step = (Step) { g_strdup (path), g_strdup (id), take };
  g_queue_push_tail (&question->steps, step);
}

static void
note_window (Question   *question,
             const char *id,
             gint64      window)
{
  if (id != NULL && window > 0)
    g_hash_table_replace (question->windows, g_strdup (id), GSIZE_TO_POINTER ((gsize) window));
}

static gint64
get_window (Question   *question,
            const char *id)
{
  gpointer window = id != NULL ? g_hash_table_lookup (question->windows, id) : NULL;

  return (gint64) GPOINTER_TO_SIZE (window != NULL ? window : g_hash_table_lookup (question->windows, ""));
}

static guint
get_n_models (Question *question)
{
  JsonArray *data = tau_json_get_array (question->list, "data");

  return data != NULL ? json_array_get_length (data) : 0;
}

static JsonNode *
get_entry (Question *question,
           guint     position)
{
  return json_array_get_element (tau_json_get_array (question->list, "data"), position);
}

/* llama.cpp, GET /props: the room of one conversation. */
static void
take_props (Question   *question,
            const char *id,
            JsonNode   *answer)
{
  note_window (question, "", tau_json_get_int (answer, "default_generation_settings.n_ctx", 0));
}

/* LM Studio, GET /api/v0/models: the same models again, with more about each. */
static void
take_details (Question   *question,
              const char *id,
              JsonNode   *answer)
{
  JsonArray *data = tau_json_get_array (answer, "data");

  for (guint i = 0; data != NULL && i < json_array_get_length (data); i++)
    {
      JsonNode *entry = json_array_get_element (data, i);

      note_window (question, tau_json_get_string (entry, "id", NULL), read_window (entry));
    }
}

/* Ollama, POST /api/show: settings of the model, as lines "num_ctx 8192"; and what it could read, as "ARCHITECTURE.context_length". */
static void
take_show (Question   *question,
           const char *id,
           JsonNode   *answer)
{
  const char *parameters = tau_json_get_string (answer, "parameters", "");
  g_autofree char *set = NULL;
  g_autoptr(GRegex) regex = g_regex_new ("^num_ctx\\s+(\\d+)", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  JsonObject *info = tau_json_get_object (answer, "model_info");
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;
  gint64 window = OLLAMA_WINDOW;

  if (g_regex_match (regex, parameters, 0, &match))
    {
      set = g_match_info_fetch (match, 1);
      window = g_ascii_strtoll (set, NULL, 10);
    }
  else if (info != NULL)
    {
      json_object_iter_init (&iter, info);
      while (json_object_iter_next (&iter, &key, &value))
        if (g_str_has_suffix (key, ".context_length") && tau_json_get_int (value, NULL, 0) > 0)
          window = MIN (window, tau_json_get_int (value, NULL, 0));
    }
  note_window (question, id, window);
}

/* Ollama, GET /api/ps: what is loaded, and how much it reads now. The others are asked about one by one. */
static void
take_loaded (Question   *question,
             const char *id,
             JsonNode   *answer)
{
  JsonArray *models = tau_json_get_array (answer, "models");

  for (guint i = 0; models != NULL && i < json_array_get_length (models); i++)
    {
      JsonNode *entry = json_array_get_element (models, i);

      note_window (question, tau_json_get_string (entry, "model", NULL), tau_json_get_int (entry, "context_length", 0));
    }
  for (guint i = 0; i < MIN (get_n_models (question), MAX_OLLAMA_MODELS); i++)
    {
      const char *model = tau_json_get_string (get_entry (question, i), "id", NULL);

      if (model != NULL && get_window (question, model) == 0)
        add_step (question, "/api/show", model, take_show);
    }
}

/* GET /v1/models, the one that all have. */
static void
take_list (Question   *question,
           const char *id,
           JsonNode   *answer)
{
  const char *provider = question->server->provider;

  question->list = answer != NULL ? json_node_ref (answer) : NULL;
  if (get_n_models (question) == 0)
    return;
  if (g_str_equal (provider, "llama.cpp"))
    add_step (question, "/props", NULL, take_props);
  else if (g_str_equal (provider, "lm-studio"))
    add_step (question, "/api/v0/models", NULL, take_details);
  else if (g_str_equal (provider, "ollama"))
    add_step (question, "/api/ps", NULL, take_loaded);
}

static GPtrArray *
make_models (Question *question)
{
  GPtrArray *models = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < get_n_models (question); i++)
    {
      JsonNode *entry = get_entry (question, i);
      TauModel *model = make_model (question->server, entry, get_window (question, tau_json_get_string (entry, "id", NULL)));

      if (model != NULL)
        g_ptr_array_add (models, model);
    }

  return models;
}

/* Everything is known; frees the question. */
static void
end_question (Question *question)
{
  Search *search = g_task_get_task_data (question->task);

  search->lists->pdata[question->position] = make_models (question);
  if (--search->n_left == 0)
    end_search (question->task);

  g_object_unref (question->task);
  g_queue_clear_full (&question->steps, step_free);
  g_clear_pointer (&question->list, json_node_unref);
  g_hash_table_unref (question->windows);
  g_string_free (question->body, TRUE);
  g_free (question);
}

static void ask_next (Question *question);

static void
take_answer (Question *question,
             gboolean  answered)
{
  Step *step = g_queue_pop_head (&question->steps);
  g_autoptr(JsonNode) answer = answered ? tau_json_parse (question->body->str, (gssize) question->body->len, NULL) : NULL;

  step->take (question, step->id, answer);
  step_free (step);
  ask_next (question);
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

/* A question about one model is a POST that names it. */
static TauHttpCall *
make_call (Question *question,
           Step     *step)
{
  g_autofree char *url = g_strconcat (question->server->url, step->path, NULL);
  TauHttpCall *call = tau_http_call_new (url);

  if (step->id != NULL)
    {
      JsonObject *body = json_object_new ();

      json_object_set_string_member (body, "model", step->id);
      tau_http_call_take_body (call, tau_json_node_new_object (body));
    }

  return call;
}

static void
ask_next (Question *question)
{
  Search *search = g_task_get_task_data (question->task);
  gint64 patience = question->list == NULL ? search->patience_ms : MAX (search->patience_ms, LONG_PATIENCE_MS);
  const TauHttpLimits limits = { .headers_timeout_ms = patience, .idle_timeout_ms = patience };
  Step *step = g_queue_peek_head (&question->steps);
  g_autoptr(TauHttpStream) stream = NULL;

  if (step == NULL)
    {
      end_question (question);
      return;
    }

  g_string_truncate (question->body, 0);
  stream = tau_http_stream_new (make_call (question, step), &limits);
  tau_http_stream_open_async (stream, g_task_get_cancellable (question->task), open_cb, question);
}

static void
ask (GTask                *task,
     const TauLocalServer *server,
     guint                 position)
{
  Question *question = g_new0 (Question, 1);

  question->task = g_object_ref (task);
  question->position = position;
  question->server = server;
  question->windows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  question->body = g_string_new (NULL);
  g_queue_init (&question->steps);
  add_step (question, "/v1/models", NULL, take_list);
  ask_next (question);
}

/**
 * tau_local_servers_discover_async:
 * @servers: (array length=n_servers): whom to ask; must live until @callback
 * @n_servers: how many
 * @patience_ms: how long each may take for its first answer
 * @cancellable: (nullable): to stop it
 * @callback: called when all have answered or are late
 * @user_data: for @callback
 *
 * Asks servers which models they have.
 */
void
tau_local_servers_discover_async (const TauLocalServer *servers,
                                  guint                 n_servers,
                                  gint64                patience_ms,
                                  GCancellable         *cancellable,
                                  GAsyncReadyCallback   callback,
                                  gpointer              user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Search *search = g_new0 (Search, 1);

  g_task_set_source_tag (task, tau_local_servers_discover_async);
  g_task_set_check_cancellable (task, FALSE);
  search->patience_ms = patience_ms;
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
