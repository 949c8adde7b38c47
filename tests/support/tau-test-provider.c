/* SPDX-License-Identifier: MIT */
#include "support/tau-test-provider.h"

#include "core/base/tau-json.h"

/* TauTestProvider: a provider that answers from a script, one answer a request, one delta an iteration of the main loop,
 * so that a test can step in between any two. It keeps the requests for the test to look at. A cancelled request ends as
 * real ones do: aborted, with what came so far. */

struct _TauTestProvider
{
  GObject    parent_instance;

  GQueue     answers;  /* of Answer */
  GPtrArray *requests; /* of TauRequest */
};

typedef struct
{
  GPtrArray    *blocks;
  TauStopReason stop_reason;
  char         *error;
  gboolean      no_start;
  gboolean      hangs;
} Answer;

typedef struct
{
  Answer   *answer;
  TauDraft *draft;
  guint     block; /* next delta: which block, */
  guint     part;  /* and start, middle or end of it */
  gboolean  started;
} Stream;

static void provider_iface_init (TauProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauTestProvider, tau_test_provider, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_PROVIDER, provider_iface_init))

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_clear_pointer (&answer->blocks, g_ptr_array_unref);
  g_free (answer->error);
  g_free (answer);
}

static void
stream_free (gpointer data)
{
  Stream *stream = data;

  answer_free (stream->answer);
  g_object_unref (stream->draft);
  g_free (stream);
}

static TauDeltaKind
first_kind (TauBlock *block)
{
  switch (tau_block_get_kind (block))
    {
    case TAU_BLOCK_THINKING:
      return TAU_DELTA_THINKING_START;
    case TAU_BLOCK_TOOL_CALL:
      return TAU_DELTA_TOOL_CALL_START;
    case TAU_BLOCK_TEXT:
    case TAU_BLOCK_IMAGE:
    default:
      return TAU_DELTA_TEXT_START;
    }
}

/* The kinds of a block follow each other: start, delta, end. */
static void
send_part (Stream *stream)
{
  TauBlock *block = g_ptr_array_index (stream->answer->blocks, stream->block);
  gboolean is_call = tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL;
  g_autofree char *text = NULL;
  TauDelta delta = { .kind = first_kind (block) + stream->part, .index = stream->block, .length = -1 };

  if (stream->part == 0 && is_call)
    {
      delta.id = tau_block_get_call_id (block);
      delta.name = tau_block_get_call_name (block);
    }
  if (stream->part == 1)
    text = is_call ? tau_json_to_string (tau_block_get_arguments (block)) : g_strdup (tau_block_get_text (block));
  delta.text = text;

  tau_draft_apply (stream->draft, &delta);
  if (++stream->part == 3)
    {
      stream->part = 0;
      stream->block++;
    }
}

static void
return_message (GTask        *task,
                TauStopReason reason,
                const char   *error)
{
  Stream *stream = g_task_get_task_data (task);

  g_task_return_pointer (task, tau_draft_finish (stream->draft, reason, error), g_object_unref);
}

static gboolean
cancelled_cb (GCancellable *cancellable,
              gpointer      user_data)
{
  return_message (user_data, TAU_STOP_REASON_ABORTED, "Request was aborted");

  return G_SOURCE_REMOVE;
}

/* Returns: whether the stream ended or waits for its cancellable */
static gboolean
is_over (GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  Stream *stream = g_task_get_task_data (task);
  Answer *answer = stream->answer;

  if (g_cancellable_is_cancelled (cancellable))
    return_message (task, TAU_STOP_REASON_ABORTED, "Request was aborted");
  else if (answer->no_start)
    return_message (task, answer->stop_reason, answer->error);
  else if (stream->started && stream->block == answer->blocks->len && !answer->hangs)
    return_message (task, answer->stop_reason, answer->error);
  else if (stream->started && stream->block == answer->blocks->len)
    {
      g_autoptr(GSource) source = g_cancellable_source_new (cancellable);

      g_source_set_callback (source, G_SOURCE_FUNC (cancelled_cb), g_object_ref (task), g_object_unref);
      g_source_attach (source, NULL);
    }
  else
    return FALSE;

  return TRUE;
}

static gboolean
wait_cb (gpointer user_data)
{
  GTask *task = user_data;
  Stream *stream = g_task_get_task_data (task);

  if (is_over (task))
    return G_SOURCE_REMOVE;

  if (stream->started)
    send_part (stream);
  else
    tau_draft_apply (stream->draft, &(TauDelta) { .kind = TAU_DELTA_START });
  stream->started = TRUE;

  return G_SOURCE_CONTINUE;
}

static Answer *
answer_new (const TauTestAnswer *answer)
{
  Answer *copy = g_new0 (Answer, 1);

  copy->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  for (guint i = 0; answer->blocks != NULL && i < answer->blocks->len; i++)
    g_ptr_array_add (copy->blocks, tau_block_ref (g_ptr_array_index (answer->blocks, i)));
  copy->stop_reason = answer->stop_reason;
  copy->error = g_strdup (answer->error);
  copy->no_start = answer->no_start;
  copy->hangs = answer->hangs;

  return copy;
}

static void
test_provider_stream_async (TauProvider        *provider,
                            TauRequest         *request,
                            TauDraft           *draft,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  TauTestProvider *self = TAU_TEST_PROVIDER (provider);
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Stream *stream = g_new0 (Stream, 1);

  g_task_set_check_cancellable (task, FALSE);
  g_ptr_array_add (self->requests, g_object_ref (request));
  stream->draft = g_object_ref (draft);
  stream->answer = g_queue_pop_head (&self->answers);
  if (stream->answer == NULL)
    stream->answer = answer_new (&(TauTestAnswer) {
        .stop_reason = TAU_STOP_REASON_ERROR,
        .error = "The script has no answer left",
        .no_start = TRUE,
    });

  g_task_set_task_data (task, stream, stream_free);
  g_idle_add_full (G_PRIORITY_DEFAULT, wait_cb, task, g_object_unref);
}

static TauAssistantMessage *
test_provider_stream_finish (TauProvider  *provider,
                             GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

static void
provider_iface_init (TauProviderInterface *iface)
{
  iface->stream_async = test_provider_stream_async;
  iface->stream_finish = test_provider_stream_finish;
}

static void
tau_test_provider_finalize (GObject *object)
{
  TauTestProvider *self = TAU_TEST_PROVIDER (object);

  g_queue_clear_full (&self->answers, answer_free);
  g_clear_pointer (&self->requests, g_ptr_array_unref);

  G_OBJECT_CLASS (tau_test_provider_parent_class)->finalize (object);
}

static void
tau_test_provider_class_init (TauTestProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_test_provider_finalize;
}

static void
tau_test_provider_init (TauTestProvider *self)
{
  g_queue_init (&self->answers);
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * tau_test_provider_new:
 *
 * Returns: (transfer full): a provider with an empty script; a request beyond the script's end gets an error message
 */
TauTestProvider *
tau_test_provider_new (void)
{
  return g_object_new (TAU_TEST_TYPE_PROVIDER, NULL);
}

/**
 * tau_test_provider_add:
 * @self: a provider
 * @answer: goes to the script's end; copied
 */
void
tau_test_provider_add (TauTestProvider     *self,
                       const TauTestAnswer *answer)
{
  g_queue_push_tail (&self->answers, answer_new (answer));
}

static GPtrArray *
text_blocks (const char *text)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_ptr_array_add (blocks, tau_block_new_text (text, NULL));

  return blocks;
}

/**
 * tau_test_provider_add_text:
 * @self: a provider
 * @text: what it says, and stops
 */
void
tau_test_provider_add_text (TauTestProvider *self,
                            const char      *text)
{
  g_autoptr(GPtrArray) blocks = text_blocks (text);

  tau_test_provider_add (self, &(TauTestAnswer) { .blocks = blocks, .stop_reason = TAU_STOP_REASON_STOP });
}

/**
 * tau_test_provider_add_hang:
 * @self: a provider
 * @text: what it says before nothing more comes
 */
void
tau_test_provider_add_hang (TauTestProvider *self,
                            const char      *text)
{
  g_autoptr(GPtrArray) blocks = text_blocks (text);

  tau_test_provider_add (self, &(TauTestAnswer) { .blocks = blocks, .hangs = TRUE });
}

static TauBlock *
parse_call (const char *text)
{
  g_auto(GStrv) parts = g_strsplit (text, ":", 3);
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) arguments = tau_json_parse (parts[2], -1, &error);

  g_assert_no_error (error);

  return tau_block_new_tool_call (parts[0], parts[1], arguments, NULL);
}

/**
 * tau_test_provider_add_calls:
 * @self: a provider
 * @...: tool calls as "id:tool:{arguments}", then %NULL
 */
void
tau_test_provider_add_calls (TauTestProvider *self,
                             ...)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  const char *text;
  va_list arguments;

  va_start (arguments, self);
  while ((text = va_arg (arguments, const char *)) != NULL)
    g_ptr_array_add (blocks, parse_call (text));
  va_end (arguments);

  tau_test_provider_add (self, &(TauTestAnswer) { .blocks = blocks, .stop_reason = TAU_STOP_REASON_TOOL_USE });
}

/**
 * tau_test_provider_get_n_unused:
 * @self: a provider
 *
 * Returns: how many answers nobody asked for
 */
guint
tau_test_provider_get_n_unused (TauTestProvider *self)
{
  return g_queue_get_length (&self->answers);
}

/**
 * tau_test_provider_get_requests:
 * @self: a provider
 *
 * Returns: (transfer none) (element-type TauRequest): what was asked so far
 */
GPtrArray *
tau_test_provider_get_requests (TauTestProvider *self)
{
  return self->requests;
}

/**
 * tau_test_model_new:
 *
 * Returns: (transfer full): a model of provider "test" that speaks api "test-api"
 */
TauModel *
tau_test_model_new (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) json = tau_json_parse ("{\"id\":\"test-model\",\"name\":\"Test\",\"api\":\"test-api\","
                                             "\"baseUrl\":\"http://127.0.0.1\",\"reasoning\":true,"
                                             "\"input\":[\"text\",\"image\"],\"contextWindow\":1000,\"maxTokens\":100}",
                                             -1, &error);
  TauModel *model = tau_model_new_from_json ("test", json, &error);

  g_assert_no_error (error);

  return model;
}
