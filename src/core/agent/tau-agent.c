/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent-private.h"

#include "core/base/tau-error.h"
#include "core/message/tau-user-message.h"

/* TauAgent: live object, main thread only: the public face of the core. It holds the transcript, the queues and what
 * the next run is to be made of; a TauAgentRun does the work. Every event changes the state first and reaches the
 * listeners then. It lives at least until its run is over. It knows nothing of disk, settings and windows, and it never
 * retries: who wants that removes the failed answer and continues. */

G_DEFINE_FINAL_TYPE (TauAgent, tau_agent, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_RUNNING,
  PROP_DRAFT,
  PROP_ERROR_MESSAGE,
  N_PROPS
};

enum
{
  SIGNAL_EVENT,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint       signals[N_SIGNALS];

typedef struct
{
  TauAgent *agent; /* borrowed: the task holds it */
  GTask    *task;
  GSource  *cancel_source;
} Waiter;

static void
waiter_free (gpointer data)
{
  Waiter *waiter = data;

  if (waiter->cancel_source != NULL)
    g_source_destroy (waiter->cancel_source);
  g_clear_pointer (&waiter->cancel_source, g_source_unref);
  g_clear_object (&waiter->task);
  g_free (waiter);
}

static void
set_draft (TauAgent *self,
           TauDraft *draft)
{
  if (g_set_object (&self->draft, draft))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DRAFT]);
}

static void
set_error_message (TauAgent   *self,
                   const char *text)
{
  g_autofree char *old = self->error_message;

  self->error_message = g_strdup (text);
  if (g_strcmp0 (old, text) != 0)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ERROR_MESSAGE]);
}

/* The transcript, which may have to be got first. */
static GPtrArray *
history (TauAgent *self)
{
  if (self->history_func != NULL)
    {
      TauAgentHistoryFunc func = self->history_func;

      self->history_func = NULL;
      g_ptr_array_unref (self->messages);
      self->messages = func (self, self->history_data);
    }
  return self->messages;
}

static void
take_turn_error (TauAgent   *self,
                 TauMessage *answer)
{
  const char *text = tau_assistant_message_get_error_message (TAU_ASSISTANT_MESSAGE (answer));

  if (text != NULL)
    set_error_message (self, text);
}

/* What an event changes. */
static void
reduce (TauAgent            *self,
        const TauAgentEvent *event)
{
  switch (event->kind)
    {
    case TAU_AGENT_EVENT_MESSAGE_START:
      set_draft (self, event->draft);
      break;

    case TAU_AGENT_EVENT_MESSAGE_END:
      g_ptr_array_add (history (self), g_object_ref (event->message));
      set_draft (self, NULL);
      break;

    case TAU_AGENT_EVENT_TOOL_START:
      g_ptr_array_add (self->tool_runs, g_object_ref (event->run));
      break;

    case TAU_AGENT_EVENT_TOOL_END:
      g_ptr_array_remove (self->tool_runs, event->run);
      break;

    case TAU_AGENT_EVENT_TURN_END:
      take_turn_error (self, event->message);
      break;

    case TAU_AGENT_EVENT_AGENT_END:
      set_draft (self, NULL);
      break;

    case TAU_AGENT_EVENT_AGENT_START:
    case TAU_AGENT_EVENT_TURN_START:
    case TAU_AGENT_EVENT_MESSAGE_UPDATE:
    case TAU_AGENT_EVENT_TOOL_UPDATE:
      break;

    default:
      g_assert_not_reached ();
    }
}

static void
event_cb (const TauAgentEvent *event,
          gpointer             user_data)
{
  TauAgent *self = user_data;

  reduce (self, event);
  g_signal_emit (self, signals[SIGNAL_EVENT], 0, event);
}

static TauAssistantMessage *
make_failure (TauAgent   *self,
              const char *text)
{
  TauModel *model = self->settings.model;
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  TauAssistantFields fields = {
    .api = model != NULL ? tau_model_get_api (model) : "unknown",
    .provider = model != NULL ? tau_model_get_provider (model) : "unknown",
    .model = model != NULL ? tau_model_get_id (model) : "unknown",
    .stop_reason = TAU_STOP_REASON_ERROR,
    .error_message = text,
    .timestamp = g_get_real_time () / 1000,
  };

  if (g_cancellable_is_cancelled (self->cancellable))
    fields.stop_reason = TAU_STOP_REASON_ABORTED;
  g_ptr_array_add (blocks, tau_block_new_text ("", NULL));

  return tau_assistant_message_new (blocks, &fields);
}

/* A run that failed has said nothing of its end: one agent_end with a message that tells why is all there is. */
static void
end_failed_run (TauAgent   *self,
                const char *text)
{
  g_autoptr(TauAssistantMessage) failure = make_failure (self, text);
  g_autoptr(GPtrArray) made = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (made, g_object_ref (failure));
  g_ptr_array_add (history (self), g_object_ref (failure));
  set_error_message (self, text);
  event_cb (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_AGENT_END, .messages = made }, self);
}

static void
wake_waiters (TauAgent *self)
{
  g_autoptr(GPtrArray) waiters = g_steal_pointer (&self->waiters);

  self->waiters = g_ptr_array_new_with_free_func (waiter_free);
  for (guint i = 0; i < waiters->len; i++)
    {
      Waiter *waiter = g_ptr_array_index (waiters, i);

      g_task_return_boolean (waiter->task, TRUE);
    }
}

static void
run_cb (GObject      *object,
        GAsyncResult *result,
        gpointer      user_data)
{
  g_autoptr(TauAgent) self = user_data;
  g_autoptr(GError) error = NULL;

  if (!tau_agent_run_finish (TAU_AGENT_RUN (object), result, &error))
    end_failed_run (self, error->message);

  g_ptr_array_set_size (self->tool_runs, 0);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->run);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNING]);
  wake_waiters (self);
}

static void
start_run (TauAgent  *self,
           GPtrArray *prompts,
           gboolean   skip_first_poll)
{
  TauAgentRunFields fields = {
    .settings = &self->settings,
    .history = history (self),
    .steering = self->steering,
    .follow_ups = self->follow_ups,
    .sink = event_cb,
    .sink_data = self,
  };

  self->cancellable = g_cancellable_new ();
  self->run = tau_agent_run_new (&fields);
  set_draft (self, NULL);
  set_error_message (self, NULL);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNING]);
  tau_agent_run_async (self->run, prompts, skip_first_poll, self->cancellable, run_cb, g_object_ref (self));
}

static void
tau_agent_get_property (GObject    *object,
                        guint       property_id,
                        GValue     *value,
                        GParamSpec *pspec)
{
  TauAgent *self = TAU_AGENT (object);

  switch (property_id)
    {
    case PROP_RUNNING:
      g_value_set_boolean (value, tau_agent_is_running (self));
      break;

    case PROP_DRAFT:
      g_value_set_object (value, self->draft);
      break;

    case PROP_ERROR_MESSAGE:
      g_value_set_string (value, self->error_message);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tau_agent_finalize (GObject *object)
{
  TauAgent *self = TAU_AGENT (object);

  g_assert (self->run == NULL);
  g_assert (self->waiters->len == 0);

  tau_run_settings_clear (&self->settings);
  g_clear_object (&self->steering);
  g_clear_object (&self->follow_ups);
  g_clear_object (&self->draft);
  g_clear_pointer (&self->messages, g_ptr_array_unref);
  g_clear_pointer (&self->tool_runs, g_ptr_array_unref);
  g_clear_pointer (&self->waiters, g_ptr_array_unref);
  g_clear_pointer (&self->error_message, g_free);

  G_OBJECT_CLASS (tau_agent_parent_class)->finalize (object);
}

static void
tau_agent_class_init (TauAgentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tau_agent_get_property;
  object_class->finalize = tau_agent_finalize;

  /**
   * TauAgent:running:
   *
   * Whether a run is on. Stays true until every listener has seen agent_end.
   */
  properties[PROP_RUNNING] =
      g_param_spec_boolean ("running", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  /**
   * TauAgent:draft:
   *
   * The answer that is being streamed, between its message_start and its message_end.
   */
  properties[PROP_DRAFT] =
      g_param_spec_object ("draft", NULL, NULL, TAU_TYPE_DRAFT,
                           G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  /**
   * TauAgent:error-message:
   *
   * Why the last run failed or was aborted; %NULL from the next run's start on.
   */
  properties[PROP_ERROR_MESSAGE] =
      g_param_spec_string ("error-message", NULL, NULL, NULL,
                           G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * TauAgent::event:
   * @self: the agent
   * @event: (type gpointer): the `TauAgentEvent`, borrowed
   *
   * Something happened in a run. A listener may call every function of the agent.
   */
  signals[SIGNAL_EVENT] =
      g_signal_new ("event", TAU_TYPE_AGENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
tau_agent_init (TauAgent *self)
{
  self->settings = (TauRunSettings) TAU_RUN_SETTINGS_INIT;
  self->steering = tau_prompt_queue_new ();
  self->follow_ups = tau_prompt_queue_new ();
  self->messages = g_ptr_array_new_with_free_func (g_object_unref);
  self->tool_runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->waiters = g_ptr_array_new_with_free_func (waiter_free);
}

/**
 * tau_agent_new:
 *
 * Returns: (transfer full): an idle agent without model, tools and messages
 */
TauAgent *
tau_agent_new (void)
{
  return g_object_new (TAU_TYPE_AGENT, NULL);
}

/**
 * tau_agent_get_messages:
 * @self: an agent
 *
 * Returns: (transfer none) (element-type TauMessage): the transcript. A run that is on has its own copy
 */
GPtrArray *
tau_agent_get_messages (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), NULL);

  return history (self);
}

/**
 * tau_agent_set_messages:
 * @self: an agent
 * @messages: (element-type TauMessage): the new transcript; the array is copied
 */
void
tau_agent_set_messages (TauAgent  *self,
                        GPtrArray *messages)
{
  GPtrArray *copy;

  g_return_if_fail (TAU_IS_AGENT (self));
  g_return_if_fail (messages != NULL);

  copy = tau_messages_copy (messages);
  g_ptr_array_unref (self->messages);
  self->messages = copy;
  self->history_func = NULL;
}

/**
 * tau_agent_is_running:
 * @self: an agent
 *
 * Returns: whether a run is on
 */
gboolean
tau_agent_is_running (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), FALSE);

  return self->run != NULL;
}

/**
 * tau_agent_get_draft:
 * @self: an agent
 *
 * Returns: (transfer none) (nullable): the answer that is being streamed
 */
TauDraft *
tau_agent_get_draft (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), NULL);

  return self->draft;
}

/**
 * tau_agent_get_error_message:
 * @self: an agent
 *
 * Returns: (nullable): why the last run failed
 */
const char *
tau_agent_get_error_message (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), NULL);

  return self->error_message;
}

/**
 * tau_agent_get_tool_runs:
 * @self: an agent
 *
 * Returns: (transfer none) (element-type TauToolRun): the calls between their start and end events
 */
GPtrArray *
tau_agent_get_tool_runs (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), NULL);

  return self->tool_runs;
}

static gboolean
check_idle (TauAgent   *self,
            const char *text,
            GError    **error)
{
  if (self->run == NULL)
    return TRUE;

  g_set_error_literal (error, TAU_AGENT_ERROR, TAU_AGENT_ERROR_BUSY, text);
  return FALSE;
}

/**
 * tau_agent_prompt_messages:
 * @self: an agent
 * @messages: (element-type TauMessage): of any role, may be empty
 * @error: return location for an error
 *
 * Starts a run with @messages. Its first events come before this returns.
 *
 * Returns: whether it started; %TAU_AGENT_ERROR_BUSY if a run is on
 */
gboolean
tau_agent_prompt_messages (TauAgent  *self,
                           GPtrArray *messages,
                           GError   **error)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), FALSE);
  g_return_val_if_fail (messages != NULL, FALSE);

  if (!check_idle (self,
                   "Agent is already processing a prompt. "
                   "Use steer() or followUp() to queue messages, or wait for completion.",
                   error))
    return FALSE;

  start_run (self, messages, FALSE);
  return TRUE;
}

/**
 * tau_agent_prompt:
 * @self: an agent
 * @text: what the user says, may be ""
 * @images: (nullable) (element-type TauBlock): pictures that go with it
 * @error: return location for an error
 *
 * As tau_agent_prompt_messages() with one user message of now.
 *
 * Returns: whether it started; %TAU_AGENT_ERROR_BUSY if a run is on
 */
gboolean
tau_agent_prompt (TauAgent   *self,
                  const char *text,
                  GPtrArray  *images,
                  GError    **error)
{
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (TAU_IS_AGENT (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  g_ptr_array_add (messages, tau_user_message_new (text, images, g_get_real_time () / 1000));

  return tau_agent_prompt_messages (self, messages, error);
}

/* After an answer there is only what waits in the queues: steering first, as prompts. */
static gboolean
continue_from_queues (TauAgent *self,
                      GError  **error)
{
  g_autoptr(GPtrArray) steering = tau_prompt_queue_drain (self->steering);
  g_autoptr(GPtrArray) follow_ups = NULL;

  if (steering->len > 0)
    {
      /* One batch was just taken; one at a time stays one a turn. */
      start_run (self, steering, TRUE);
      return TRUE;
    }

  follow_ups = tau_prompt_queue_drain (self->follow_ups);
  if (follow_ups->len > 0)
    {
      start_run (self, follow_ups, FALSE);
      return TRUE;
    }

  g_set_error_literal (error, TAU_AGENT_ERROR, TAU_AGENT_ERROR_NOTHING_TO_CONTINUE,
                       "Cannot continue from message role: assistant");
  return FALSE;
}

/**
 * tau_agent_continue:
 * @self: an agent
 * @error: return location for an error
 *
 * Three things: after a user message or a tool result, asks the model again; after an answer, prompts with what waits in
 * the steering queue; or, if that is empty, with what waits as follow-up. After a failed run the failed answer is the
 * last message, and must be removed before the same prompt can be tried again.
 *
 * Returns: whether a run started; %TAU_AGENT_ERROR_BUSY or %TAU_AGENT_ERROR_NOTHING_TO_CONTINUE if not
 */
gboolean
tau_agent_continue (TauAgent *self,
                    GError  **error)
{
  g_autoptr(GPtrArray) nothing = NULL;
  TauMessage *last;

  g_return_val_if_fail (TAU_IS_AGENT (self), FALSE);

  if (!check_idle (self, "Agent is already processing. Wait for completion before continuing.", error))
    return FALSE;

  if (history (self)->len == 0)
    {
      g_set_error_literal (error, TAU_AGENT_ERROR, TAU_AGENT_ERROR_NOTHING_TO_CONTINUE, "No messages to continue from");
      return FALSE;
    }

  last = g_ptr_array_index (self->messages, self->messages->len - 1);
  if (tau_message_get_kind (last) == TAU_MESSAGE_KIND_ASSISTANT)
    return continue_from_queues (self, error);

  nothing = g_ptr_array_new ();
  start_run (self, nothing, FALSE);
  return TRUE;
}

/**
 * tau_agent_abort:
 * @self: an agent
 *
 * Asks the run that is on to end; nothing when idle. What waits stays in the queues.
 */
void
tau_agent_abort (TauAgent *self)
{
  g_autoptr(GCancellable) cancellable = NULL;

  g_return_if_fail (TAU_IS_AGENT (self));

  if (g_set_object (&cancellable, self->cancellable))
    g_cancellable_cancel (cancellable);
}

/**
 * tau_agent_reset:
 * @self: an agent
 *
 * Forgets transcript, queues and error; model, prompt, tools and level stay. It does not abort: a run that is on goes on,
 * "running" stays true until it is over, and its later messages come into the now empty transcript.
 */
void
tau_agent_reset (TauAgent *self)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  self->history_func = NULL;
  g_ptr_array_set_size (self->messages, 0);
  g_ptr_array_set_size (self->tool_runs, 0);
  tau_agent_clear_queues (self);
  set_draft (self, NULL);
  set_error_message (self, NULL);
}

static gboolean
wait_cancelled_cb (GCancellable *cancellable,
                   gpointer      user_data)
{
  Waiter *waiter = user_data;
  g_autoptr(GTask) task = g_object_ref (waiter->task);

  g_ptr_array_remove (waiter->agent->waiters, waiter);
  g_task_return_error_if_cancelled (task);

  return G_SOURCE_REMOVE;
}

static void
add_waiter (TauAgent *self,
            GTask    *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  Waiter *waiter = g_new0 (Waiter, 1);

  waiter->agent = self;
  waiter->task = g_object_ref (task);
  if (cancellable != NULL)
    {
      waiter->cancel_source = g_cancellable_source_new (cancellable);
      g_source_set_callback (waiter->cancel_source, G_SOURCE_FUNC (wait_cancelled_cb), waiter, NULL);
      g_source_attach (waiter->cancel_source, g_task_get_context (task));
    }

  g_ptr_array_add (self->waiters, waiter);
}

/**
 * tau_agent_wait_for_idle_async:
 * @self: an agent
 * @cancellable: (nullable): ends the wait, not the run
 * @callback: called when no run is on
 * @user_data: for @callback
 */
void
tau_agent_wait_for_idle_async (TauAgent           *self,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  g_autoptr(GTask) task = NULL;

  g_return_if_fail (TAU_IS_AGENT (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, tau_agent_wait_for_idle_async);

  if (self->run == NULL)
    g_task_return_boolean (task, TRUE);
  else
    add_waiter (self, task);
}

/**
 * tau_agent_wait_for_idle_finish:
 * @self: an agent
 * @result: what the callback got
 * @error: return location for an error
 *
 * Returns: whether the agent became idle; %FALSE only if the wait was cancelled
 */
gboolean
tau_agent_wait_for_idle_finish (TauAgent     *self,
                                GAsyncResult *result,
                                GError      **error)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
