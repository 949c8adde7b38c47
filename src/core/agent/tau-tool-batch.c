/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-tool-batch.h"

/* TauToolBatch: the tool calls of one answer at work; live, owned by the run that waits for it.
 *
 * Preflight (lookup, validation, before_tool_call) goes one call at a time in source order. In parallel mode no tool
 * starts before the last preflight is over; then all start in source order, end events come as the tools end, and the
 * results follow in source order. One sequential tool, or the setting, makes the whole batch go call by call.
 * A call that fails preflight ends right there and is never executed. The batch never fails and does not look at the
 * cancellable: an abort reaches the tools and hooks, each of which ends in its own way, so no call stays without a
 * result. */

typedef enum
{
  BATCH_START_CALL,
  BATCH_CALL_CHECKED,
  BATCH_EXECUTE,
  BATCH_REPORT,
  BATCH_FINISH,
  BATCH_WAITING,
} BatchState;

typedef struct
{
  TauToolBatch *batch;     /* borrowed */
  TauTool      *tool;      /* NULL if there is none of that name */
  TauToolRun   *run;
  gulong        update_id; /* while the tool works */
} Call;

struct _TauToolBatch
{
  GObject                parent_instance;

  TauAssistantMessage   *reply;
  TauToolbox            *toolbox;
  TauAgentHooks         *hooks;
  const TauAgentContext *context; /* borrowed */
  gboolean               sequential;
  TauAgentEventFunc      sink;
  gpointer               sink_data;

  GTask                 *task; /* owned while running */
  BatchState             state;
  GPtrArray             *calls;      /* of Call, source order */
  guint                  n_started;  /* calls whose start event is out */
  guint                  n_reported; /* calls whose result message is out */
  guint                  n_pending;  /* tools at work */
  GPtrArray             *results;    /* of TauMessage */
};

G_DEFINE_FINAL_TYPE (TauToolBatch, tau_tool_batch, G_TYPE_OBJECT)

static void advance (TauToolBatch *self);

static void
call_free (gpointer data)
{
  Call *call = data;

  g_clear_signal_handler (&call->update_id, call->run);
  g_clear_object (&call->run);
  g_clear_object (&call->tool);
  g_free (call);
}

static void
resume (TauToolBatch *self,
        BatchState    state)
{
  g_assert (self->state == BATCH_WAITING);

  self->state = state;
  advance (self);
}

static GCancellable *
get_cancellable (TauToolBatch *self)
{
  return g_task_get_cancellable (self->task);
}

static Call *
current_call (TauToolBatch *self)
{
  return g_ptr_array_index (self->calls, self->n_started - 1);
}

static gboolean
is_over (Call *call)
{
  return tau_tool_run_get_outcome (call->run) != NULL;
}

static void
emit_call (Call             *call,
           TauAgentEventKind kind,
           TauToolOutcome   *outcome)
{
  TauAgentEvent event = { .kind = kind, .run = call->run, .outcome = outcome };

  call->batch->sink (&event, call->batch->sink_data);
}

static void
emit_result (TauToolBatch *self,
             TauMessage   *message)
{
  TauAgentEvent event = { .kind = TAU_AGENT_EVENT_MESSAGE_START, .message = message };

  self->sink (&event, self->sink_data);
  event.kind = TAU_AGENT_EVENT_MESSAGE_END;
  self->sink (&event, self->sink_data);
}

static void
end_call (Call           *call,
          TauToolOutcome *outcome)
{
  tau_tool_run_end (call->run, outcome);
  emit_call (call, TAU_AGENT_EVENT_TOOL_END, outcome);
}

static void
end_call_with_text (Call       *call,
                    const char *text)
{
  g_autoptr(TauToolOutcome) outcome = tau_tool_outcome_new_error (text);

  end_call (call, outcome);
}

/* Steps 1 to 3 of the preflight; a call that fails is over. */
static gboolean
check_call (Call *call)
{
  g_autoptr(JsonNode) arguments = NULL;
  g_autoptr(GError) error = NULL;

  if (call->tool == NULL)
    {
      g_autofree char *text = g_strdup_printf ("Tool %s not found", tau_tool_run_get_tool_name (call->run));

      end_call_with_text (call, text);
      return FALSE;
    }

  arguments = tau_tool_check_arguments (call->tool, tau_tool_run_get_raw_arguments (call->run), &error);
  if (arguments == NULL)
    {
      end_call_with_text (call, error->message);
      return FALSE;
    }

  tau_tool_run_set_arguments (call->run, arguments);
  return TRUE;
}

static void
apply_verdict (Call                 *call,
               const TauToolVerdict *verdict)
{
  if (verdict->block && verdict->reason != NULL && *verdict->reason != '\0')
    end_call_with_text (call, verdict->reason);
  else if (verdict->block)
    end_call_with_text (call, "Tool execution was blocked");
  else if (verdict->arguments != NULL)
    tau_tool_run_set_arguments (call->run, verdict->arguments);
}

static void
verdict_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(TauToolBatch) self = user_data;
  TauAgentHooks *hooks = TAU_AGENT_HOOKS (object);
  TauToolVerdict verdict = { 0 };
  g_autoptr(GError) error = NULL;

  if (TAU_AGENT_HOOKS_GET_IFACE (hooks)->before_tool_call_finish (hooks, result, &verdict, &error))
    apply_verdict (current_call (self), &verdict);
  else
    end_call_with_text (current_call (self), error->message);

  tau_tool_verdict_clear (&verdict);
  resume (self, BATCH_CALL_CHECKED);
}

static BatchState
start_call (TauToolBatch *self)
{
  const TauAgentHooksInterface *hooks = tau_agent_hooks_get_methods (self->hooks);
  Call *call;

  if (self->n_started == self->calls->len)
    return self->sequential ? BATCH_FINISH : BATCH_EXECUTE;

  self->n_started++;
  call = current_call (self);
  emit_call (call, TAU_AGENT_EVENT_TOOL_START, NULL);
  if (!check_call (call) || hooks->before_tool_call_async == NULL)
    return BATCH_CALL_CHECKED;

  hooks->before_tool_call_async (self->hooks, call->run, self->reply, self->context, get_cancellable (self),
                                 verdict_cb, g_object_ref (self));
  return BATCH_WAITING;
}

static BatchState
call_checked (TauToolBatch *self)
{
  return self->sequential ? BATCH_EXECUTE : BATCH_START_CALL;
}

/* Returns: (transfer full): the hook's outcome, or the one that was there */
static TauToolOutcome *
finish_after (TauAgentHooks  *hooks,
              GAsyncResult   *result,
              TauToolOutcome *outcome)
{
  g_autoptr(GError) error = NULL;
  TauToolOutcome *other = TAU_AGENT_HOOKS_GET_IFACE (hooks)->after_tool_call_finish (hooks, result, &error);

  if (error != NULL)
    return tau_tool_outcome_new_error (error->message);

  return other != NULL ? other : tau_tool_outcome_ref (outcome);
}

/* The last act of an executed call. */
static void
call_executed (Call           *call,
               TauToolOutcome *outcome)
{
  TauToolBatch *self = call->batch;

  end_call (call, outcome);
  if (--self->n_pending == 0)
    resume (self, BATCH_REPORT);
}

typedef struct
{
  TauToolBatch   *batch; /* owned, keeps the call */
  Call           *call;
  TauToolOutcome *outcome;
} AfterCall;

static void
after_call_free (AfterCall *after)
{
  tau_tool_outcome_unref (after->outcome);
  g_object_unref (after->batch);
  g_free (after);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AfterCall, after_call_free)

static void
after_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(AfterCall) after = user_data;
  g_autoptr(TauToolOutcome) outcome = finish_after (TAU_AGENT_HOOKS (object), result, after->outcome);

  call_executed (after->call, outcome);
}

static void
ask_after (Call           *call,
           TauToolOutcome *outcome)
{
  TauToolBatch *self = call->batch;
  const TauAgentHooksInterface *hooks = tau_agent_hooks_get_methods (self->hooks);
  AfterCall *after;

  if (hooks->after_tool_call_async == NULL)
    {
      call_executed (call, outcome);
      return;
    }

  after = g_new0 (AfterCall, 1);
  after->batch = g_object_ref (self);
  after->call = call;
  after->outcome = tau_tool_outcome_ref (outcome);
  hooks->after_tool_call_async (self->hooks, call->run, outcome, self->reply, self->context, get_cancellable (self),
                                after_cb, after);
}

static void
update_cb (TauToolRun     *run,
           TauToolOutcome *partial,
           gpointer        user_data)
{
  emit_call (user_data, TAU_AGENT_EVENT_TOOL_UPDATE, partial);
}

static void
executed_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  Call *call = user_data;
  g_autoptr(TauToolBatch) self = call->batch;   /* the reference of execute_call() */
  g_autoptr(GError) error = NULL;
  g_autoptr(TauToolOutcome) outcome = tau_tool_execute_finish (TAU_TOOL (object), result, &error);

  /* What a tool says after its end is not heard. */
  g_clear_signal_handler (&call->update_id, call->run);

  /* A tool's GError stops here: to the model it is an error result like any other. */
  if (outcome == NULL)
    outcome = tau_tool_outcome_new_error (error->message);

  ask_after (call, outcome);
}

static void
execute_call (Call *call)
{
  TauToolBatch *self = g_object_ref (call->batch);

  call->update_id = g_signal_connect (call->run, "update", G_CALLBACK (update_cb), call);
  tau_tool_run_start (call->run);
  tau_tool_execute_async (call->tool, call->run, get_cancellable (self), executed_cb, call);
}

/* All runnable calls, or the current one. They are counted before the first starts. */
static BatchState
execute (TauToolBatch *self)
{
  g_autoptr(GPtrArray) runnable = g_ptr_array_new ();

  for (guint i = self->n_reported; i < self->n_started; i++)
    {
      Call *call = g_ptr_array_index (self->calls, i);

      if (!is_over (call))
        g_ptr_array_add (runnable, call);
    }

  if (runnable->len == 0)
    return BATCH_REPORT;

  self->n_pending = runnable->len;
  for (guint i = 0; i < runnable->len; i++)
    execute_call (g_ptr_array_index (runnable, i));

  return BATCH_WAITING;
}

static BatchState
report (TauToolBatch *self)
{
  while (self->n_reported < self->n_started)
    {
      Call *call = g_ptr_array_index (self->calls, self->n_reported++);
      gint64 now = g_get_real_time () / 1000;
      TauMessage *message = TAU_MESSAGE (tau_tool_run_make_message (call->run, now));

      g_ptr_array_add (self->results, message);
      emit_result (self, message);
    }

  return self->sequential ? BATCH_START_CALL : BATCH_FINISH;
}

static BatchState
finish (TauToolBatch *self)
{
  g_autoptr(GTask) task = g_steal_pointer (&self->task);

  g_task_return_pointer (task, g_ptr_array_ref (self->results), (GDestroyNotify) g_ptr_array_unref);

  return BATCH_WAITING;
}

/* Runs steps until one of them has to wait. The state moves here and in resume(), nowhere else. */
static void
advance (TauToolBatch *self)
{
  static BatchState (* const steps[]) (TauToolBatch *) = {
    [BATCH_START_CALL] = start_call,
    [BATCH_CALL_CHECKED] = call_checked,
    [BATCH_EXECUTE] = execute,
    [BATCH_REPORT] = report,
    [BATCH_FINISH] = finish,
  };

  while (self->state != BATCH_WAITING)
    {
      BatchState (*step) (TauToolBatch *) = steps[self->state];
      BatchState next;

      self->state = BATCH_WAITING; /* first: a callback that comes too early must not be overwritten */
      next = step (self);
      if (next != BATCH_WAITING)
        self->state = next;
    }
}

static void
tau_tool_batch_finalize (GObject *object)
{
  TauToolBatch *self = TAU_TOOL_BATCH (object);

  g_assert (self->task == NULL);

  g_clear_pointer (&self->calls, g_ptr_array_unref);
  g_clear_pointer (&self->results, g_ptr_array_unref);
  g_clear_object (&self->reply);
  g_clear_object (&self->toolbox);
  g_clear_object (&self->hooks);

  G_OBJECT_CLASS (tau_tool_batch_parent_class)->finalize (object);
}

static void
tau_tool_batch_class_init (TauToolBatchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_tool_batch_finalize;
}

static void
tau_tool_batch_init (TauToolBatch *self)
{
  self->state = BATCH_WAITING;
  self->calls = g_ptr_array_new_with_free_func (call_free);
  self->results = g_ptr_array_new_with_free_func (g_object_unref);
}

static void
add_call (TauToolBatch *self,
          TauBlock     *block)
{
  Call *call = g_new0 (Call, 1);
  const char *name = tau_block_get_call_name (block);

  call->batch = self;
  if (self->toolbox != NULL)
    g_set_object (&call->tool, tau_toolbox_lookup (self->toolbox, name));
  call->run = tau_tool_run_new (tau_block_get_call_id (block), name, tau_block_get_arguments (block));
  if (call->tool != NULL && tau_tool_is_sequential (call->tool))
    self->sequential = TRUE;

  g_ptr_array_add (self->calls, call);
}

/**
 * tau_tool_batch_new:
 * @fields: what it is made of
 *
 * Returns: (transfer full): a batch that runs once
 */
TauToolBatch *
tau_tool_batch_new (const TauToolBatchFields *fields)
{
  TauToolBatch *self;

  g_return_val_if_fail (fields != NULL && fields->reply != NULL && fields->sink != NULL, NULL);

  self = g_object_new (TAU_TYPE_TOOL_BATCH, NULL);
  self->reply = g_object_ref (fields->reply);
  g_set_object (&self->toolbox, fields->toolbox);
  g_set_object (&self->hooks, fields->hooks);
  self->context = fields->context;
  self->sequential = fields->sequential;
  self->sink = fields->sink;
  self->sink_data = fields->sink_data;

  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (self->reply)); i++)
    {
      TauBlock *block = tau_message_get_block (TAU_MESSAGE (self->reply), i);

      if (tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL)
        add_call (self, block);
    }

  return self;
}

/**
 * tau_tool_batch_run_async:
 * @self: a batch that has not run yet
 * @cancellable: (nullable): handed to tools and hooks
 * @callback: called when every call has its result
 * @user_data: for @callback
 *
 * Runs all calls. Start events of the first calls come before this returns.
 */
void
tau_tool_batch_run_async (TauToolBatch       *self,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  g_return_if_fail (TAU_IS_TOOL_BATCH (self));
  g_return_if_fail (self->task == NULL && self->n_started == 0);

  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, tau_tool_batch_run_async);
  g_task_set_check_cancellable (self->task, FALSE);

  self->state = BATCH_START_CALL;
  advance (self);
}

static gboolean
all_terminate (TauToolBatch *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      Call *call = g_ptr_array_index (self->calls, i);

      if (!tau_tool_outcome_get_terminate (tau_tool_run_get_outcome (call->run)))
        return FALSE;
    }

  return self->calls->len > 0;
}

/**
 * tau_tool_batch_run_finish:
 * @self: a batch
 * @result: what the callback got
 * @terminate: (out) (optional): whether every call asked that the model is not called again
 *
 * Returns: (transfer full) (element-type TauMessage): one result a call, in source order
 */
GPtrArray *
tau_tool_batch_run_finish (TauToolBatch *self,
                           GAsyncResult *result,
                           gboolean     *terminate)
{
  g_return_val_if_fail (TAU_IS_TOOL_BATCH (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  if (terminate != NULL)
    *terminate = all_terminate (self);

  return g_task_propagate_pointer (G_TASK (result), NULL);
}
