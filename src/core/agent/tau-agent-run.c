/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent-run.h"

#include "core/agent/tau-model-call.h"
#include "core/agent/tau-tool-batch.h"

/* TauAgentRun: the loop, from a prompt until nothing is left to answer; live, owned by the agent while it runs.
 *
 * The events, where s and e are message_start and message_end, U a prompt, A an answer, R a tool result:
 *   plain:              agent_start turn_start sU eU sA update… eA turn_end[] agent_end[U A]
 *   continued:          agent_start turn_start sA … eA turn_end[] agent_end[A]
 *   tools, parallel:    … eA tool_start 1 2, update…, tool_end as they end, sR1 eR1 sR2 eR2 turn_end[R1 R2] turn_start sA …
 *   tools, sequential:  … eA tool_start 1, update…, tool_end 1, sR1 eR1, tool_start 2, … turn_end[R1 R2] turn_start sA …
 *   failed preflight:   … tool_start 1, tool_end 1 (error), tool_start 2, …
 *   error or abort:     … [sA] eA turn_end[] agent_end; queues are not looked at
 *   abort in a tool:    … tool_end, sR eR of all calls, turn_end, turn_start, [steering] sA eA (aborted, empty) turn_end[] agent_end
 *   steering:           … turn_end turn_start sU eU sA … ; what waits at the start comes after the prompts, in the first turn
 *   follow-up:          the same, when no tool call and no steering is left
 *   all tools terminate, or should_stop: … turn_end agent_end
 *   run failure:        so far, then nothing more: the agent ends it
 *
 * The abort signal is not looked at here: it reaches the leaf that waits, and the next answer comes back aborted. It
 * never fails but by a hook's error or a missing provider, and it keeps no transcript beyond what the model is to see. */

typedef enum
{
  RUN_BEGIN,
  RUN_POLL_STEERING,
  RUN_BEGIN_TURN,
  RUN_ASK_MODEL,
  RUN_READ_REPLY,
  RUN_CALL_TOOLS,
  RUN_END_TURN,
  RUN_ASK_STOP,
  RUN_POLL_FOLLOW_UPS,
  RUN_FINISH,
  RUN_WAITING,
} RunState;

struct _TauAgentRun
{
  GObject              parent_instance;

  TauRunSettings       settings;
  TauPromptQueue      *steering;
  TauPromptQueue      *follow_ups;
  TauAgentEventFunc    sink;
  gpointer             sink_data;

  GTask               *task; /* owned while running */
  GError              *error;
  RunState             state;
  TauAgentContext      context;      /* messages: what the model is to see; owned */
  GPtrArray           *new_messages; /* what this run made */
  GPtrArray           *pending;      /* goes in with the next turn */
  gboolean             skip_poll;    /* the first poll of the steering queue is left out */
  gboolean             in_first_turn;
  gboolean             more_tools;   /* the model is to be called whatever the queues say */

  TauAssistantMessage *reply;
  GPtrArray           *results; /* of this turn's tools, source order */
};

G_DEFINE_FINAL_TYPE (TauAgentRun, tau_agent_run, G_TYPE_OBJECT)

static void advance (TauAgentRun *self);

static void
resume (TauAgentRun *self,
        RunState     state)
{
  g_assert (self->state == RUN_WAITING);

  self->state = state;
  advance (self);
}

static RunState
fail (TauAgentRun *self,
      GError      *error)
{
  g_assert (self->error == NULL);

  self->error = error;

  return RUN_FINISH;
}

static GCancellable *
get_cancellable (TauAgentRun *self)
{
  return g_task_get_cancellable (self->task);
}

static const TauAgentHooksInterface *
get_hooks (TauAgentRun *self)
{
  return tau_agent_hooks_get_methods (self->settings.hooks);
}

static void
replace_messages (GPtrArray **place,
                  GPtrArray  *messages)
{
  g_clear_pointer (place, g_ptr_array_unref);
  *place = messages;
}

static void
emit (TauAgentRun         *self,
      const TauAgentEvent *event)
{
  self->sink (event, self->sink_data);
}

static void
emit_kind (TauAgentRun      *self,
           TauAgentEventKind kind)
{
  emit (self, &(TauAgentEvent) { .kind = kind });
}

static void
emit_message (TauAgentRun      *self,
              TauAgentEventKind kind,
              TauMessage       *message)
{
  emit (self, &(TauAgentEvent) { .kind = kind, .message = message });
}

static void
keep_message (TauAgentRun *self,
              TauMessage  *message)
{
  g_ptr_array_add (self->context.messages, g_object_ref (message));
  g_ptr_array_add (self->new_messages, g_object_ref (message));
}

static void
inject_pending (TauAgentRun *self)
{
  g_autoptr(GPtrArray) pending = g_steal_pointer (&self->pending);

  for (guint i = 0; pending != NULL && i < pending->len; i++)
    {
      TauMessage *message = g_ptr_array_index (pending, i);

      keep_message (self, message);
      emit_message (self, TAU_AGENT_EVENT_MESSAGE_START, message);
      emit_message (self, TAU_AGENT_EVENT_MESSAGE_END, message);
    }
}

static RunState
begin (TauAgentRun *self)
{
  emit_kind (self, TAU_AGENT_EVENT_AGENT_START);
  emit_kind (self, TAU_AGENT_EVENT_TURN_START);
  inject_pending (self);
  self->in_first_turn = TRUE;
  self->more_tools = TRUE;

  return self->skip_poll ? RUN_BEGIN_TURN : RUN_POLL_STEERING;
}

static void
steering_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(TauAgentRun) self = user_data;
  g_autoptr(GError) error = NULL;

  replace_messages (&self->pending, get_hooks (self)->get_steering_finish (TAU_AGENT_HOOKS (object), result, &error));
  resume (self, error != NULL ? fail (self, g_steal_pointer (&error)) : RUN_BEGIN_TURN);
}

static RunState
poll_steering (TauAgentRun *self)
{
  if (get_hooks (self)->get_steering_async == NULL)
    {
      replace_messages (&self->pending, tau_prompt_queue_drain (self->steering));
      return RUN_BEGIN_TURN;
    }

  get_hooks (self)->get_steering_async (self->settings.hooks, get_cancellable (self),
                                        steering_cb, g_object_ref (self));
  return RUN_WAITING;
}

static RunState
begin_turn (TauAgentRun *self)
{
  if (!self->more_tools && (self->pending == NULL || self->pending->len == 0))
    return RUN_POLL_FOLLOW_UPS;

  if (!self->in_first_turn)
    emit_kind (self, TAU_AGENT_EVENT_TURN_START);
  self->in_first_turn = FALSE;
  inject_pending (self);

  return RUN_ASK_MODEL;
}

static void
reply_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(TauAgentRun) self = user_data;
  g_autoptr(GError) error = NULL;

  g_clear_object (&self->reply);
  self->reply = tau_model_call_finish (result, &error);
  resume (self, self->reply == NULL ? fail (self, g_steal_pointer (&error)) : RUN_READ_REPLY);
}

static RunState
ask_model (TauAgentRun *self)
{
  tau_model_call_async (&self->settings, &self->context, self->sink, self->sink_data, get_cancellable (self),
                        reply_cb, g_object_ref (self));

  return RUN_WAITING;
}

static RunState
read_reply (TauAgentRun *self)
{
  keep_message (self, TAU_MESSAGE (self->reply));
  replace_messages (&self->results, g_ptr_array_new_with_free_func (g_object_unref));
  self->more_tools = FALSE;
  if (!tau_assistant_message_failed (self->reply) && tau_assistant_message_has_tool_calls (self->reply))
    return RUN_CALL_TOOLS;

  return RUN_END_TURN;
}

static void
batch_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(TauAgentRun) self = user_data;
  gboolean terminate;

  replace_messages (&self->results, tau_tool_batch_run_finish (TAU_TOOL_BATCH (object), result, &terminate));
  self->more_tools = !terminate;
  for (guint i = 0; i < self->results->len; i++)
    keep_message (self, g_ptr_array_index (self->results, i));

  resume (self, RUN_END_TURN);
}

static RunState
call_tools (TauAgentRun *self)
{
  g_autoptr(TauToolBatch) batch = tau_tool_batch_new (&(TauToolBatchFields) {
      .reply = self->reply,
      .toolbox = self->settings.toolbox,
      .hooks = self->settings.hooks,
      .context = &self->context,
      .sequential = self->settings.sequential,
      .sink = self->sink,
      .sink_data = self->sink_data,
  });

  tau_tool_batch_run_async (batch, get_cancellable (self), batch_cb, g_object_ref (self));

  return RUN_WAITING;
}

static RunState
end_turn (TauAgentRun *self)
{
  emit (self, &(TauAgentEvent) {
      .kind = TAU_AGENT_EVENT_TURN_END,
      .message = TAU_MESSAGE (self->reply),
      .tool_results = self->results,
  });

  return tau_assistant_message_failed (self->reply) ? RUN_FINISH : RUN_ASK_STOP;
}

static void
stop_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(TauAgentRun) self = user_data;
  g_autoptr(GError) error = NULL;
  gboolean stop = FALSE;

  get_hooks (self)->should_stop_finish (TAU_AGENT_HOOKS (object), result, &stop, &error);
  if (error != NULL)
    resume (self, fail (self, g_steal_pointer (&error)));
  else
    resume (self, stop ? RUN_FINISH : RUN_POLL_STEERING);
}

static RunState
ask_stop (TauAgentRun *self)
{
  if (get_hooks (self)->should_stop_async == NULL)
    return RUN_POLL_STEERING;

  get_hooks (self)->should_stop_async (self->settings.hooks, self->reply, self->results, &self->context,
                                       self->new_messages, get_cancellable (self), stop_cb, g_object_ref (self));
  return RUN_WAITING;
}

/* An empty answer ends the run; anything else starts over with at least one call of the model. */
static RunState
take_follow_ups (TauAgentRun *self)
{
  self->more_tools = self->pending != NULL && self->pending->len > 0;

  return self->more_tools ? RUN_BEGIN_TURN : RUN_FINISH;
}

static void
follow_ups_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(TauAgentRun) self = user_data;
  g_autoptr(GError) error = NULL;

  replace_messages (&self->pending, get_hooks (self)->get_follow_up_finish (TAU_AGENT_HOOKS (object), result, &error));
  resume (self, error != NULL ? fail (self, g_steal_pointer (&error)) : take_follow_ups (self));
}

static RunState
poll_follow_ups (TauAgentRun *self)
{
  if (get_hooks (self)->get_follow_up_async == NULL)
    {
      replace_messages (&self->pending, tau_prompt_queue_drain (self->follow_ups));
      return take_follow_ups (self);
    }

  get_hooks (self)->get_follow_up_async (self->settings.hooks, get_cancellable (self),
                                         follow_ups_cb, g_object_ref (self));
  return RUN_WAITING;
}

static RunState
finish (TauAgentRun *self)
{
  g_autoptr(GTask) task = NULL;

  if (self->error == NULL)
    emit (self, &(TauAgentEvent) { .kind = TAU_AGENT_EVENT_AGENT_END, .messages = self->new_messages });

  task = g_steal_pointer (&self->task);
  if (self->error != NULL)
    g_task_return_error (task, g_steal_pointer (&self->error));
  else
    g_task_return_boolean (task, TRUE);

  return RUN_WAITING;
}

/* Runs steps until one of them has to wait. The state moves here and in resume(), nowhere else. */
static void
advance (TauAgentRun *self)
{
  static RunState (* const steps[]) (TauAgentRun *) = {
    [RUN_BEGIN] = begin,
    [RUN_POLL_STEERING] = poll_steering,
    [RUN_BEGIN_TURN] = begin_turn,
    [RUN_ASK_MODEL] = ask_model,
    [RUN_READ_REPLY] = read_reply,
    [RUN_CALL_TOOLS] = call_tools,
    [RUN_END_TURN] = end_turn,
    [RUN_ASK_STOP] = ask_stop,
    [RUN_POLL_FOLLOW_UPS] = poll_follow_ups,
    [RUN_FINISH] = finish,
  };

  while (self->state != RUN_WAITING)
    {
      RunState (*step) (TauAgentRun *) = steps[self->state];
      RunState next;

      self->state = RUN_WAITING; /* first: a callback that comes too early must not be overwritten */
      next = step (self);
      if (next != RUN_WAITING)
        self->state = next;
    }
}

static void
tau_agent_run_finalize (GObject *object)
{
  TauAgentRun *self = TAU_AGENT_RUN (object);

  g_assert (self->task == NULL);

  tau_run_settings_clear (&self->settings);
  g_clear_object (&self->steering);
  g_clear_object (&self->follow_ups);
  g_clear_error (&self->error);
  g_clear_pointer (&self->context.messages, g_ptr_array_unref);
  g_clear_pointer (&self->context.tools, g_ptr_array_unref);
  g_clear_pointer (&self->new_messages, g_ptr_array_unref);
  g_clear_pointer (&self->pending, g_ptr_array_unref);
  g_clear_pointer (&self->results, g_ptr_array_unref);
  g_clear_object (&self->reply);

  G_OBJECT_CLASS (tau_agent_run_parent_class)->finalize (object);
}

static void
tau_agent_run_class_init (TauAgentRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_agent_run_finalize;
}

static void
tau_agent_run_init (TauAgentRun *self)
{
  self->state = RUN_WAITING;
  self->new_messages = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * tau_agent_run_new:
 * @fields: what it is made of
 *
 * Returns: (transfer full): a run that can start once
 */
TauAgentRun *
tau_agent_run_new (const TauAgentRunFields *fields)
{
  TauAgentRun *self;

  g_return_val_if_fail (fields != NULL && fields->settings != NULL && fields->history != NULL, NULL);
  g_return_val_if_fail (fields->steering != NULL && fields->follow_ups != NULL && fields->sink != NULL, NULL);

  self = g_object_new (TAU_TYPE_AGENT_RUN, NULL);
  tau_run_settings_copy (fields->settings, &self->settings);
  self->steering = g_object_ref (fields->steering);
  self->follow_ups = g_object_ref (fields->follow_ups);
  self->sink = fields->sink;
  self->sink_data = fields->sink_data;
  self->context.system_prompt = self->settings.system_prompt;
  self->context.messages = tau_messages_copy (fields->history);
  if (self->settings.toolbox != NULL)
    self->context.tools = tau_toolbox_dup_specs (self->settings.toolbox);

  return self;
}

/**
 * tau_agent_run_async:
 * @self: a run that has not started
 * @prompts: (element-type TauMessage): go in first; empty to continue from the history
 * @skip_first_poll: leave the steering queue alone until the first turn is over
 * @cancellable: (nullable): aborts the run: each wait ends, what came is kept
 * @callback: called when the run is over
 * @user_data: for @callback
 *
 * Starts the loop. The first events come before this returns.
 */
void
tau_agent_run_async (TauAgentRun        *self,
                     GPtrArray          *prompts,
                     gboolean            skip_first_poll,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  g_return_if_fail (TAU_IS_AGENT_RUN (self));
  g_return_if_fail (self->task == NULL && self->pending == NULL && prompts != NULL);

  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, tau_agent_run_async);
  g_task_set_check_cancellable (self->task, FALSE);

  self->pending = tau_messages_copy (prompts);
  self->skip_poll = skip_first_poll;
  self->state = RUN_BEGIN;
  advance (self);
}

/**
 * tau_agent_run_finish:
 * @self: a run
 * @result: what the callback got
 * @error: return location for an error
 *
 * A failed or aborted answer is no error here: it is a message, and agent_end is out. An error means that a hook failed
 * or that no provider was found; then agent_end is still to be said.
 *
 * Returns: whether the run came to its own end
 */
gboolean
tau_agent_run_finish (TauAgentRun  *self,
                      GAsyncResult *result,
                      GError      **error)
{
  g_return_val_if_fail (TAU_IS_AGENT_RUN (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
