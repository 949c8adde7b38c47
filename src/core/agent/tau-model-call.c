/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-model-call.h"

#include "core/message/tau-message-convert.h"

/* One call of the model, as a chain of steps each of which a hook may take over: transform_context, convert_to_llm,
 * get_api_key, then the provider's stream. Only what the model is sent passes through the first two; nothing of it is
 * kept. The events are message_start, message_update for each of the nine block events, message_end: an answer that
 * failed before it started gets its message_start at the end, and blocks before a start are not heard. */

typedef struct
{
  const TauRunSettings  *settings; /* borrowed: the caller waits */
  const TauAgentContext *context;  /* borrowed likewise */
  TauAgentEventFunc      sink;
  gpointer               sink_data;
  GPtrArray             *input; /* messages for this call: transformed, then converted */
  char                  *api_key;
  JsonNode              *headers;
  TauDraft              *draft;
  gboolean               started; /* message_start is out */
} ModelCall;

static void
model_call_free (gpointer data)
{
  ModelCall *call = data;

  g_clear_pointer (&call->input, g_ptr_array_unref);
  g_clear_pointer (&call->api_key, g_free);
  g_clear_pointer (&call->headers, json_node_unref);
  g_clear_object (&call->draft);
  g_free (call);
}

static const TauAgentHooksInterface *
get_hooks (ModelCall *call)
{
  return tau_agent_hooks_get_methods (call->settings->hooks);
}

static void
set_input (ModelCall *call,
           GPtrArray *messages)
{
  g_clear_pointer (&call->input, g_ptr_array_unref);
  call->input = messages;
}

static void
emit_message (ModelCall        *call,
              TauAgentEventKind kind,
              TauMessage       *message,
              TauDraft         *draft)
{
  call->sink (&(TauAgentEvent) { .kind = kind, .message = message, .draft = draft }, call->sink_data);
}

static void
emit_start (ModelCall           *call,
            TauAssistantMessage *message)
{
  call->started = TRUE;
  emit_message (call, TAU_AGENT_EVENT_MESSAGE_START, TAU_MESSAGE (message), call->draft);
}

static void
delta_cb (TauDraft       *draft,
          const TauDelta *delta,
          gpointer        user_data)
{
  ModelCall *call = user_data;

  if (delta->kind == TAU_DELTA_START && !call->started)
    {
      g_autoptr(TauAssistantMessage) first = tau_draft_snapshot (draft);

      emit_start (call, first);
    }
  else if (delta->kind != TAU_DELTA_START && call->started)
    {
      TauAgentEvent event = { .kind = TAU_AGENT_EVENT_MESSAGE_UPDATE, .draft = draft, .delta = delta };

      call->sink (&event, call->sink_data);
    }
}

static void
reply_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  ModelCall *call = g_task_get_task_data (task);
  g_autoptr(TauAssistantMessage) reply = tau_provider_stream_finish (TAU_PROVIDER (object), result);

  g_signal_handlers_disconnect_by_data (call->draft, call);
  if (!call->started)
    emit_start (call, reply);
  emit_message (call, TAU_AGENT_EVENT_MESSAGE_END, TAU_MESSAGE (reply), NULL);

  g_task_return_pointer (task, g_steal_pointer (&reply), g_object_unref);
}

/* Five minutes: longer than any model of a vendor was seen to think without a sign of life. A server nearby may need
 * longer for its first word than anyone can foresee. */
#define IDLE_TIMEOUT_MS (5 * 60 * 1000)

static gint64
get_idle_timeout (const TauRunSettings *settings)
{
  if (settings->idle_timeout_ms >= 0)
    return settings->idle_timeout_ms;

  return settings->model == NULL || tau_model_is_near (settings->model) ? 0 : IDLE_TIMEOUT_MS;
}

static TauRequest *
make_request (ModelCall *call)
{
  const TauRunSettings *settings = call->settings;
  gboolean has_key = call->api_key != NULL && *call->api_key != '\0';
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;

  fields.model = settings->model;
  fields.system_prompt = settings->system_prompt;
  fields.messages = call->input;
  fields.tools = call->context->tools;
  fields.thinking = settings->thinking;
  fields.thinking_budgets = settings->thinking_budgets;
  fields.api_key = has_key ? call->api_key : settings->api_key;
  fields.headers = call->headers;
  fields.session_id = settings->session_id;
  fields.timeout_ms = settings->timeout_ms;
  fields.idle_timeout_ms = get_idle_timeout (settings);
  fields.max_retries = settings->max_retries;
  fields.max_retry_delay_ms = settings->max_retry_delay_ms;
  if (TAU_IS_STREAM_HOOKS (settings->hooks))
    fields.hooks = TAU_STREAM_HOOKS (settings->hooks);

  return tau_request_new (&fields);
}

static void
ask_model (GTask *task)
{
  ModelCall *call = g_task_get_task_data (task);
  TauModel *model = call->settings->model;
  const char *api = model != NULL ? tau_model_get_api (model) : "unknown";
  TauProvider *provider = call->settings->provider;
  g_autoptr(TauRequest) request = NULL;

  if (provider == NULL)
    provider = tau_provider_lookup (api);
  if (provider == NULL || model == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "No API provider registered for api: %s", api);
      return;
    }

  request = make_request (call);
  call->draft = tau_draft_new (api, tau_model_get_provider (model), tau_model_get_id (model),
                               g_get_real_time () / 1000);
  g_signal_connect (call->draft, "delta", G_CALLBACK (delta_cb), call);
  tau_provider_stream_async (provider, request, call->draft, g_task_get_cancellable (task),
                             reply_cb, g_object_ref (task));
}

/* A hook that the user's abort stopped has not failed: the provider then answers, without a request, that it was aborted. */
static void
hook_failed (GTask  *task,
             GError *error)
{
  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      g_error_free (error);
      ask_model (task);
      return;
    }

  g_task_return_error (task, error);
}

static void
api_key_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  ModelCall *call = g_task_get_task_data (task);
  GError *error = NULL;

  if (get_hooks (call)->get_api_key_finish (TAU_AGENT_HOOKS (object), result, &call->api_key, &call->headers, &error))
    ask_model (task);
  else
    hook_failed (task, error);
}

static void
get_api_key (GTask *task)
{
  ModelCall *call = g_task_get_task_data (task);

  if (get_hooks (call)->get_api_key_async == NULL || call->settings->model == NULL)
    ask_model (task);
  else
    get_hooks (call)->get_api_key_async (call->settings->hooks, call->settings->model, g_task_get_cancellable (task),
                                         api_key_cb, g_object_ref (task));
}

static void
converted_cb (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  ModelCall *call = g_task_get_task_data (task);
  GError *error = NULL;
  GPtrArray *converted = get_hooks (call)->convert_to_llm_finish (TAU_AGENT_HOOKS (object), result, &error);

  if (converted == NULL)
    {
      hook_failed (task, error);
      return;
    }

  set_input (call, converted);
  get_api_key (task);
}

static void
convert (GTask *task)
{
  ModelCall *call = g_task_get_task_data (task);

  if (get_hooks (call)->convert_to_llm_async != NULL)
    {
      get_hooks (call)->convert_to_llm_async (call->settings->hooks, call->input, g_task_get_cancellable (task),
                                              converted_cb, g_object_ref (task));
      return;
    }

  set_input (call, tau_messages_convert_to_llm (call->input));
  get_api_key (task);
}

static void
transformed_cb (GObject      *object,
                GAsyncResult *result,
                gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  ModelCall *call = g_task_get_task_data (task);
  GError *error = NULL;
  GPtrArray *transformed = get_hooks (call)->transform_context_finish (TAU_AGENT_HOOKS (object), result, &error);

  if (transformed == NULL)
    {
      hook_failed (task, error);
      return;
    }

  set_input (call, transformed);
  convert (task);
}

static void
transform (GTask *task)
{
  ModelCall *call = g_task_get_task_data (task);

  if (get_hooks (call)->transform_context_async == NULL)
    convert (task);
  else
    get_hooks (call)->transform_context_async (call->settings->hooks, call->input, g_task_get_cancellable (task),
                                               transformed_cb, g_object_ref (task));
}

/**
 * tau_model_call_async:
 * @settings: of the run; must stay as they are until the call is over
 * @context: what the model is to see; likewise
 * @sink: gets the events
 * @sink_data: for @sink
 * @cancellable: (nullable): aborts the call; the answer so far is kept
 * @callback: called when the answer is complete or failed
 * @user_data: for @callback
 *
 * Asks the model once.
 */
void
tau_model_call_async (const TauRunSettings  *settings,
                      const TauAgentContext *context,
                      TauAgentEventFunc      sink,
                      gpointer               sink_data,
                      GCancellable          *cancellable,
                      GAsyncReadyCallback    callback,
                      gpointer               user_data)
{
  g_autoptr(GTask) task = NULL;
  ModelCall *call;

  g_return_if_fail (settings != NULL && context != NULL && sink != NULL);

  call = g_new0 (ModelCall, 1);
  call->settings = settings;
  call->context = context;
  call->sink = sink;
  call->sink_data = sink_data;
  call->input = tau_messages_copy (context->messages);   /* what a hook does to it is not seen by the loop */

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, tau_model_call_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, call, model_call_free);

  transform (task);
}

/**
 * tau_model_call_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Returns: (transfer full): the answer, also a failed or aborted one, whose message_end is out; %NULL with an error if a
 *   hook failed or no provider speaks the model's api
 */
TauAssistantMessage *
tau_model_call_finish (GAsyncResult *result,
                       GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
