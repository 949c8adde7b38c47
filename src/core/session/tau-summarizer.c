/* SPDX-License-Identifier: MIT */
#include "core/session/tau-summarizer.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/llm/tau-provider.h"
#include "core/message/tau-user-message.h"
#include "core/session/tau-compaction.h"

/* Asks a model for a summary: key, one request, text. */

typedef struct
{
  TauModel         *model;
  TauThinkingLevel  level;
  char             *prompt;
  gint64            max_tokens;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  g_object_unref (self->model);
  g_free (self->prompt);
  g_free (self);
}

static void
answered_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  g_autoptr(TauAssistantMessage) answer = tau_provider_stream_finish (TAU_PROVIDER (object), result);
  const char *text = tau_assistant_message_get_error_message (answer);

  if (tau_assistant_message_get_stop_reason (answer) == TAU_STOP_REASON_ABORTED)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Compaction cancelled");
  else if (tau_assistant_message_failed (answer))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "Summarization failed: %s", text != NULL ? text : "Unknown error");
  else
    g_task_return_pointer (task, tau_message_dup_text (TAU_MESSAGE (answer), "\n"), g_free);
}

static TauRequest *
make_request (const Question *question,
              const char     *api_key,
              JsonNode       *headers)
{
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;

  g_ptr_array_add (messages, tau_user_message_new (question->prompt, NULL, tau_clock_now_ms ()));
  fields.model = question->model;
  fields.system_prompt = tau_summary_system_prompt ();
  fields.messages = messages;
  fields.thinking = question->level;
  fields.api_key = api_key;
  fields.headers = headers;
  fields.max_tokens = question->max_tokens;
  return tau_request_new (&fields);
}

static void
resolved_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(TauRequest) request = NULL;
  g_autoptr(TauDraft) draft = NULL;
  g_autoptr(JsonNode) headers = NULL;
  g_autofree char *api_key = NULL;
  GCancellable *cancellable = g_task_get_cancellable (task);
  Question *question = g_task_get_task_data (task);
  TauModel *model = question->model;
  TauProvider *provider = tau_provider_lookup (tau_model_get_api (model));

  if (!tau_model_catalog_resolve_finish (TAU_MODEL_CATALOG (object), result, &api_key, &headers, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (provider == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "No API provider registered for api: %s", tau_model_get_api (model));
      return;
    }
  request = make_request (question, api_key, headers);
  draft = tau_draft_new (tau_model_get_api (model), tau_model_get_provider (model), tau_model_get_id (model), tau_clock_now_ms ());
  tau_provider_stream_async (provider, request, draft, cancellable, answered_cb, g_steal_pointer (&task));
}

/**
 * tau_summarizer_ask_async:
 * @catalog: for the key
 * @model: who is asked
 * @level: %TAU_THINKING_OFF unless the model is to reason about it
 * @prompt: the question
 * @max_tokens: of the answer
 * @cancellable: (nullable): ends it
 * @callback: called with the answer
 * @user_data: for @callback
 *
 * Asks a model something outside of the conversation.
 */
void
tau_summarizer_ask_async (TauModelCatalog     *catalog,
                          TauModel            *model,
                          TauThinkingLevel     level,
                          const char          *prompt,
                          gint64               max_tokens,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Question *question = g_new0 (Question, 1);

  g_task_set_source_tag (task, tau_summarizer_ask_async);
  question->model = g_object_ref (model);
  question->level = tau_model_get_reasoning (model) ? level : TAU_THINKING_OFF;
  question->prompt = g_strdup (prompt);
  question->max_tokens = max_tokens;
  g_task_set_task_data (task, question, question_free);
  tau_model_catalog_resolve_async (catalog, model, cancellable, resolved_cb, g_steal_pointer (&task));
}

/**
 * tau_summarizer_ask_finish:
 * @result: what the callback got
 * @error: return location: %G_IO_ERROR_CANCELLED, or why the request failed
 *
 * Returns: (transfer full) (nullable): the answer's text
 */
char *
tau_summarizer_ask_finish (GAsyncResult *result,
                           GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
