/* SPDX-License-Identifier: MIT */
#include "core/llm/scripted/tau-scripted-provider.h"

#include "core/base/tau-json.h"
#include "core/base/tau-priority.h"
#include "core/llm/tau-api-error.h"

#include <string.h>

/* A provider without a server: says what a script tells it, at the pace of a model that is typing. Ships as the engine of the
 * offline demo, and stands in for a server in tests. Cancelled, it stops between two pieces and keeps what it said. */
struct _TauScriptedProvider
{
  GObject parent_instance;

  TauScriptFunc script;        /* nullable */
  GQueue        answers;       /* of TauScriptedAnswer: pushed ones */
  GPtrArray    *requests;      /* of TauRequest */
  guint         chunk_chars;   /* 0: a block in one piece */
  guint         interval_ms;   /* 0: as fast as the main loop goes */
};

typedef struct
{
  TauDraft          *draft;
  TauScriptedAnswer *answer;
  TauPrices          prices;
  guint              chunk_chars;
  guint              block;        /* position of the block being said */
  char              *text;         /* all of it; NULL between two blocks */
  const char        *rest;         /* of text */
  guint64            n_chars;      /* said so far */
  TauUsage           usage;
} Talk;

static void provider_init (TauProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauScriptedProvider, tau_scripted_provider, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_PROVIDER, provider_init))

/* An old estimate that is good enough where nothing is paid: four letters make a token. */
#define CHARS_PER_TOKEN 4

static void
talk_free (gpointer data)
{
  Talk *talk = data;

  g_object_unref (talk->draft);
  tau_scripted_answer_free (talk->answer);
  g_free (talk->text);
  g_free (talk);
}

static void
emit (Talk        *talk,
      TauDeltaKind kind,
      const char  *text,
      gssize       length)
{
  tau_draft_apply (talk->draft, &(TauDelta) { .kind = kind, .index = talk->block, .text = text, .length = length });
}

static TauBlock *
current_block (Talk *talk)
{
  return g_ptr_array_index (talk->answer->blocks, talk->block);
}

static void
open_block (Talk *talk)
{
  TauBlock *block = current_block (talk);

  if (tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL)
    {
      TauDelta delta = {
        .kind = TAU_DELTA_TOOL_CALL_START, .index = talk->block, .length = -1,
        .id = tau_block_get_call_id (block), .name = tau_block_get_call_name (block),
      };

      talk->text = tau_json_to_string (tau_block_get_arguments (block));
      tau_draft_apply (talk->draft, &delta);
    }
  else
    {
      talk->text = g_strdup (tau_block_get_text (block));
      emit (talk, tau_block_get_kind (block) == TAU_BLOCK_THINKING ? TAU_DELTA_THINKING_START : TAU_DELTA_TEXT_START, NULL, -1);
    }
  talk->rest = talk->text;
}

static const TauDeltaKind fragment_kinds[] = {
  [TAU_BLOCK_TEXT] = TAU_DELTA_TEXT,
  [TAU_BLOCK_THINKING] = TAU_DELTA_THINKING,
  [TAU_BLOCK_TOOL_CALL] = TAU_DELTA_TOOL_CALL,
};

static const TauDeltaKind end_kinds[] = {
  [TAU_BLOCK_TEXT] = TAU_DELTA_TEXT_END,
  [TAU_BLOCK_THINKING] = TAU_DELTA_THINKING_END,
  [TAU_BLOCK_TOOL_CALL] = TAU_DELTA_TOOL_CALL_END,
};

static void
close_block (Talk *talk)
{
  emit (talk, end_kinds[tau_block_get_kind (current_block (talk))], NULL, -1);
  g_clear_pointer (&talk->text, g_free);
  talk->block++;
}

static void
say_piece (Talk *talk)
{
  const char *end = talk->rest;
  guint n = 0;

  while (*end != '\0' && (talk->chunk_chars == 0 || n < talk->chunk_chars))
    {
      end = g_utf8_next_char (end);
      n++;
    }
  emit (talk, fragment_kinds[tau_block_get_kind (current_block (talk))], talk->rest, end - talk->rest);
  talk->rest = end;
  talk->n_chars += n;
}

/* Says the next piece; FALSE once everything is said. */
static gboolean
advance (Talk *talk)
{
  if (!tau_draft_is_started (talk->draft))
    emit (talk, TAU_DELTA_START, NULL, -1);
  if (talk->block >= talk->answer->blocks->len)
    return FALSE;

  tau_draft_freeze (talk->draft);
  if (talk->text == NULL)
    open_block (talk);
  say_piece (talk);
  if (*talk->rest == '\0')
    close_block (talk);
  tau_draft_thaw (talk->draft);

  return talk->block < talk->answer->blocks->len;
}

static void
finish (GTask        *task,
        TauStopReason reason,
        const char   *error_text)
{
  Talk *talk = g_task_get_task_data (task);

  talk->usage.output = (gint64) (talk->n_chars + CHARS_PER_TOKEN - 1) / CHARS_PER_TOKEN;
  talk->usage.total_tokens = talk->usage.input + talk->usage.output;
  tau_usage_set_cost (&talk->usage, &talk->prices);
  tau_draft_apply (talk->draft, &(TauDelta) { .kind = TAU_DELTA_USAGE, .length = -1, .usage = &talk->usage });
  g_task_return_pointer (task, tau_draft_finish (talk->draft, reason, error_text), g_object_unref);
}

static gboolean
tick_cb (gpointer user_data)
{
  GTask *task = user_data;
  Talk *talk = g_task_get_task_data (task);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      finish (task, TAU_STOP_REASON_ABORTED, TAU_API_ABORTED_TEXT);
      return G_SOURCE_REMOVE;
    }
  if (advance (talk))
    return G_SOURCE_CONTINUE;

  finish (task, talk->answer->reason, talk->answer->error_text);
  return G_SOURCE_REMOVE;
}

static gint64
estimate_input (const TauRequestFields *fields)
{
  gsize n = fields->system_prompt != NULL ? strlen (fields->system_prompt) : 0;

  for (guint i = 0; i < fields->messages->len; i++)
    {
      g_autofree char *text = tau_message_dup_text (g_ptr_array_index (fields->messages, i), "");

      n += strlen (text);
    }

  return (gint64) n / CHARS_PER_TOKEN;
}

static TauScriptedAnswer *
next_answer (TauScriptedProvider *self,
             TauRequest          *request)
{
  TauScriptedAnswer *answer = self->script != NULL ? self->script (request) : g_queue_pop_head (&self->answers);

  return answer != NULL ? answer : tau_scripted_answer_new (TAU_STOP_REASON_ERROR, "No more scripted answers");
}

/* A source that says pieces at the provider's pace, and wakes at once for a cancel. */
static void
start_ticking (TauScriptedProvider *self,
               GTask               *task)
{
  g_autoptr(GSource) source = self->interval_ms > 0 ? g_timeout_source_new (self->interval_ms) : g_idle_source_new ();
  GCancellable *cancellable = g_task_get_cancellable (task);

  g_source_set_priority (source, TAU_PRIORITY_STREAM);
  if (cancellable != NULL)
    {
      g_autoptr(GSource) cancelled = g_cancellable_source_new (cancellable);

      g_source_set_dummy_callback (cancelled);
      g_source_add_child_source (source, cancelled);
    }
  g_source_set_callback (source, tick_cb, g_object_ref (task), g_object_unref);
  g_source_attach (source, g_task_get_context (task));
}

static void
tau_scripted_provider_stream_async (TauProvider        *provider,
                                    TauRequest         *request,
                                    TauDraft           *draft,
                                    GCancellable       *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer            user_data)
{
  TauScriptedProvider *self = TAU_SCRIPTED_PROVIDER (provider);
  const TauRequestFields *fields = tau_request_get_fields (request);
  g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);
  Talk *talk = g_new0 (Talk, 1);

  g_task_set_source_tag (task, tau_scripted_provider_stream_async);
  g_task_set_check_cancellable (task, FALSE);
  g_ptr_array_add (self->requests, g_object_ref (request));
  talk->draft = g_object_ref (draft);
  talk->answer = next_answer (self, request);
  talk->prices = *tau_model_get_prices (fields->model);
  talk->chunk_chars = self->chunk_chars;
  talk->usage.input = estimate_input (fields);
  g_task_set_task_data (task, talk, talk_free);
  start_ticking (self, task);
}

static TauAssistantMessage *
tau_scripted_provider_stream_finish (TauProvider  *provider,
                                     GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

static void
provider_init (TauProviderInterface *iface)
{
  iface->stream_async = tau_scripted_provider_stream_async;
  iface->stream_finish = tau_scripted_provider_stream_finish;
}

static void
tau_scripted_provider_finalize (GObject *object)
{
  TauScriptedProvider *self = TAU_SCRIPTED_PROVIDER (object);

  g_queue_clear_full (&self->answers, (GDestroyNotify) tau_scripted_answer_free);
  g_ptr_array_unref (self->requests);

  G_OBJECT_CLASS (tau_scripted_provider_parent_class)->finalize (object);
}

static void
tau_scripted_provider_class_init (TauScriptedProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_scripted_provider_finalize;
}

static void
tau_scripted_provider_init (TauScriptedProvider *self)
{
  g_queue_init (&self->answers);
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * tau_scripted_provider_new:
 * @script: (nullable): makes the answers; %NULL if they are pushed
 *
 * Returns: (transfer full): a provider that says each block in one piece, as fast as it can
 */
TauScriptedProvider *
tau_scripted_provider_new (TauScriptFunc script)
{
  TauScriptedProvider *self = g_object_new (TAU_TYPE_SCRIPTED_PROVIDER, NULL);

  self->script = script;

  return self;
}

/**
 * tau_scripted_provider_push:
 * @self: a provider without a script
 * @answer: (transfer full): the answer to a later request
 *
 * Adds an answer; they are given in the order in which they were pushed.
 */
void
tau_scripted_provider_push (TauScriptedProvider *self,
                            TauScriptedAnswer   *answer)
{
  g_return_if_fail (TAU_IS_SCRIPTED_PROVIDER (self));

  g_queue_push_tail (&self->answers, answer);
}

/**
 * tau_scripted_provider_push_text:
 * @self: a provider without a script
 * @text: text of an answer that ends well
 *
 * Adds a plain answer.
 */
void
tau_scripted_provider_push_text (TauScriptedProvider *self,
                                 const char          *text)
{
  TauScriptedAnswer *answer = tau_scripted_answer_new (TAU_STOP_REASON_STOP, NULL);

  tau_scripted_answer_text (answer, text);
  tau_scripted_provider_push (self, answer);
}

/**
 * tau_scripted_provider_set_pace:
 * @self: a provider
 * @chunk_chars: characters said at once, 0 for a whole block
 * @interval_ms: pause between two pieces
 *
 * Sets how fast it talks, for requests from now on.
 */
void
tau_scripted_provider_set_pace (TauScriptedProvider *self,
                                guint                chunk_chars,
                                guint                interval_ms)
{
  g_return_if_fail (TAU_IS_SCRIPTED_PROVIDER (self));

  self->chunk_chars = chunk_chars;
  self->interval_ms = interval_ms;
}

/**
 * tau_scripted_provider_get_n_requests:
 * @self: a provider
 *
 * Returns: how often it was asked
 */
guint
tau_scripted_provider_get_n_requests (TauScriptedProvider *self)
{
  g_return_val_if_fail (TAU_IS_SCRIPTED_PROVIDER (self), 0);

  return self->requests->len;
}

/**
 * tau_scripted_provider_get_request:
 * @self: a provider
 * @position: which request, from 0
 *
 * Returns: (transfer none): what was asked
 */
TauRequest *
tau_scripted_provider_get_request (TauScriptedProvider *self,
                                   guint                position)
{
  g_return_val_if_fail (TAU_IS_SCRIPTED_PROVIDER (self), NULL);
  g_return_val_if_fail (position < self->requests->len, NULL);

  return g_ptr_array_index (self->requests, position);
}
