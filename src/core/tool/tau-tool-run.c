/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-tool-run.h"

/* One tool call at work, on the main thread only. The agent starts and ends it, the tool reports to it, a window
 * watches it. It runs nothing itself. It ends by becoming a TauToolResultMessage; reports that come after the end
 * are dropped, since the record is already made. */
struct _TauToolRun
{
  GObject parent_instance;

  char *call_id;
  char *tool_name;
  JsonNode *raw_arguments;
  JsonNode *arguments; /* NULL until they are checked */
  TauToolRunState state;
  gint64 started;
  gint64 ended;
  gint64 updated;
  int pid;
  gint64 memory;      /* of the command at work, bytes; -1 if nobody measures */
  gint64 cpu_time;    /* likewise, µs */
  TauToolOutcome *partial;
  TauToolOutcome *outcome; /* NULL until the end */
};

G_DEFINE_FINAL_TYPE (TauToolRun, tau_tool_run, G_TYPE_OBJECT)

G_DEFINE_ENUM_TYPE (TauToolRunState, tau_tool_run_state,
                    G_DEFINE_ENUM_VALUE (TAU_TOOL_RUN_PENDING, "pending"),
                    G_DEFINE_ENUM_VALUE (TAU_TOOL_RUN_RUNNING, "running"),
                    G_DEFINE_ENUM_VALUE (TAU_TOOL_RUN_DONE, "done"),
                    G_DEFINE_ENUM_VALUE (TAU_TOOL_RUN_FAILED, "failed"))

enum
{
  PROP_0,
  PROP_STATE,
  PROP_PARTIAL,
  N_PROPS
};

enum
{
  UPDATE,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void
set_state (TauToolRun     *self,
           TauToolRunState state)
{
  if (self->state == state)
    return;

  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

static void
tau_tool_run_get_property (GObject    *object,
                           guint       prop_id,
                           GValue     *value,
                           GParamSpec *pspec)
{
  TauToolRun *self = TAU_TOOL_RUN (object);

  switch (prop_id)
    {
    case PROP_STATE:
      g_value_set_enum (value, self->state);
      break;
    case PROP_PARTIAL:
      g_value_set_boxed (value, self->partial);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
tau_tool_run_finalize (GObject *object)
{
  TauToolRun *self = TAU_TOOL_RUN (object);

  g_free (self->call_id);
  g_free (self->tool_name);
  g_clear_pointer (&self->raw_arguments, json_node_unref);
  g_clear_pointer (&self->arguments, json_node_unref);
  g_clear_pointer (&self->partial, tau_tool_outcome_unref);
  g_clear_pointer (&self->outcome, tau_tool_outcome_unref);

  G_OBJECT_CLASS (tau_tool_run_parent_class)->finalize (object);
}

static void
tau_tool_run_class_init (TauToolRunClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tau_tool_run_get_property;
  object_class->finalize = tau_tool_run_finalize;

  /**
   * TauToolRun:state:
   *
   * Where the run stands.
   */
  properties[PROP_STATE] =
    g_param_spec_enum ("state", NULL, NULL, TAU_TYPE_TOOL_RUN_STATE, TAU_TOOL_RUN_PENDING,
                       G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  /**
   * TauToolRun:partial:
   *
   * The newest partial result.
   */
  properties[PROP_PARTIAL] =
    g_param_spec_boxed ("partial", NULL, NULL, TAU_TYPE_TOOL_OUTCOME,
                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * TauToolRun::update:
   * @self: the run
   * @partial: a #TauToolOutcome, the whole result so far
   *
   * The tool reported a partial result.
   */
  signals[UPDATE] = g_signal_new ("update", TAU_TYPE_TOOL_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, TAU_TYPE_TOOL_OUTCOME);
}

static void
tau_tool_run_init (TauToolRun *self)
{
  self->memory = self->cpu_time = -1;
}

/**
 * tau_tool_run_new:
 * @call_id: the model's id of the call
 * @tool_name: name that the model used
 * @raw_arguments: arguments as the model sent them
 *
 * Makes a pending run.
 *
 * Returns: (transfer full): the run
 */
TauToolRun *
tau_tool_run_new (const char *call_id,
                  const char *tool_name,
                  JsonNode   *raw_arguments)
{
  TauToolRun *self = g_object_new (TAU_TYPE_TOOL_RUN, NULL);

  self->call_id = g_strdup (call_id);
  self->tool_name = g_strdup (tool_name);
  self->raw_arguments = json_node_ref (raw_arguments);
  return self;
}

/**
 * tau_tool_run_get_call_id:
 * @self: a run
 *
 * Returns: (transfer none): the model's id of the call
 */
const char *
tau_tool_run_get_call_id (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), NULL);

  return self->call_id;
}

/**
 * tau_tool_run_get_tool_name:
 * @self: a run
 *
 * Returns: (transfer none): the name that the model used
 */
const char *
tau_tool_run_get_tool_name (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), NULL);

  return self->tool_name;
}

/**
 * tau_tool_run_get_raw_arguments:
 * @self: a run
 *
 * Returns: (transfer none): the arguments as the model sent them
 */
JsonNode *
tau_tool_run_get_raw_arguments (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), NULL);

  return self->raw_arguments;
}

/**
 * tau_tool_run_get_arguments:
 * @self: a run
 *
 * Returns: (transfer none): the checked arguments; the raw ones until they are set
 */
JsonNode *
tau_tool_run_get_arguments (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), NULL);

  return self->arguments != NULL ? self->arguments : self->raw_arguments;
}

/**
 * tau_tool_run_set_arguments:
 * @self: a run
 * @arguments: prepared, coerced and validated arguments
 *
 * Says what the tool is to work with.
 */
void
tau_tool_run_set_arguments (TauToolRun *self,
                            JsonNode   *arguments)
{
  g_return_if_fail (TAU_IS_TOOL_RUN (self));
  g_return_if_fail (arguments != NULL);

  json_node_ref (arguments);
  g_clear_pointer (&self->arguments, json_node_unref);
  self->arguments = arguments;
}

/**
 * tau_tool_run_get_state:
 * @self: a run
 *
 * Returns: where it stands
 */
TauToolRunState
tau_tool_run_get_state (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), TAU_TOOL_RUN_PENDING);

  return self->state;
}

/**
 * tau_tool_run_get_started:
 * @self: a run
 *
 * Returns: monotonic time of the start in µs, 0 before
 */
gint64
tau_tool_run_get_started (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), 0);

  return self->started;
}

/**
 * tau_tool_run_get_ended:
 * @self: a run
 *
 * Returns: monotonic time of the end in µs, 0 before
 */
gint64
tau_tool_run_get_ended (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), 0);

  return self->ended;
}

/**
 * tau_tool_run_get_pid:
 * @self: a run
 *
 * Returns: process id of the command at work, 0 if there is none
 */
int
tau_tool_run_get_pid (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), 0);

  return self->pid;
}

/**
 * tau_tool_run_set_pid:
 * @self: a run
 * @pid: process id, or 0
 *
 * Tools that run a command say here which.
 */
void
tau_tool_run_set_pid (TauToolRun *self,
                      int         pid)
{
  g_return_if_fail (TAU_IS_TOOL_RUN (self));

  self->pid = pid;
}

/**
 * tau_tool_run_get_quiet_ms:
 * @self: a run
 *
 * How long a run that is on has not been heard of: a command that waits for something says nothing.
 *
 * Returns: milliseconds since the last report, or since the start; 0 if it does not run
 */
gint64
tau_tool_run_get_quiet_ms (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), 0);

  if (self->state != TAU_TOOL_RUN_RUNNING)
    return 0;
  return (g_get_monotonic_time () - MAX (self->started, self->updated)) / 1000;
}

/**
 * tau_tool_run_set_usage:
 * @self: a run
 * @memory: bytes that the command has in memory
 * @cpu_time: µs of processor time that it has had
 *
 * Tools that run a command and can measure it say here what it takes.
 */
void
tau_tool_run_set_usage (TauToolRun *self,
                        gint64      memory,
                        gint64      cpu_time)
{
  g_return_if_fail (TAU_IS_TOOL_RUN (self));

  self->memory = memory;
  self->cpu_time = cpu_time;
}

/**
 * tau_tool_run_get_usage:
 * @self: a run
 * @memory: (out): bytes in memory
 * @cpu_time: (out): µs of processor time
 *
 * Returns: whether it is measured
 */
gboolean
tau_tool_run_get_usage (TauToolRun *self,
                        gint64     *memory,
                        gint64     *cpu_time)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), FALSE);

  *memory = self->memory;
  *cpu_time = self->cpu_time;
  return self->memory >= 0;
}

/**
 * tau_tool_run_get_partial:
 * @self: a run
 *
 * Returns: (transfer none) (nullable): the newest partial result
 */
TauToolOutcome *
tau_tool_run_get_partial (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), NULL);

  return self->partial;
}

/**
 * tau_tool_run_start:
 * @self: a pending run
 *
 * Says that the tool is at work now.
 */
void
tau_tool_run_start (TauToolRun *self)
{
  g_return_if_fail (TAU_IS_TOOL_RUN (self));
  g_return_if_fail (self->state == TAU_TOOL_RUN_PENDING);

  self->started = g_get_monotonic_time ();
  set_state (self, TAU_TOOL_RUN_RUNNING);
}

/**
 * tau_tool_run_update:
 * @self: a run
 * @partial: the whole result so far
 *
 * Reports a partial result. Dropped when the run has ended.
 */
void
tau_tool_run_update (TauToolRun     *self,
                     TauToolOutcome *partial)
{
  g_return_if_fail (TAU_IS_TOOL_RUN (self));
  g_return_if_fail (partial != NULL);

  if (self->outcome != NULL)
    return;

  tau_tool_outcome_ref (partial);
  g_clear_pointer (&self->partial, tau_tool_outcome_unref);
  self->partial = partial;
  self->updated = g_get_monotonic_time ();
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PARTIAL]);
  g_signal_emit (self, signals[UPDATE], 0, partial);
}

/**
 * tau_tool_run_end:
 * @self: a run that has not ended; it need not have started (blocked and invalid calls)
 * @outcome: the result
 *
 * Ends the run.
 */
void
tau_tool_run_end (TauToolRun     *self,
                  TauToolOutcome *outcome)
{
  g_return_if_fail (TAU_IS_TOOL_RUN (self));
  g_return_if_fail (outcome != NULL);
  g_return_if_fail (self->outcome == NULL);

  self->outcome = tau_tool_outcome_ref (outcome);
  self->ended = g_get_monotonic_time ();
  self->pid = 0;
  set_state (self, tau_tool_outcome_get_is_error (outcome) ? TAU_TOOL_RUN_FAILED : TAU_TOOL_RUN_DONE);
}

/**
 * tau_tool_run_get_outcome:
 * @self: a run
 *
 * Returns: (transfer none) (nullable): the result, %NULL until the end
 */
TauToolOutcome *
tau_tool_run_get_outcome (TauToolRun *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), NULL);

  return self->outcome;
}

/**
 * tau_tool_run_make_message:
 * @self: a run that has ended
 * @timestamp: ms since 1970
 *
 * Makes the record of the run.
 *
 * Returns: (transfer full): the message
 */
TauToolResultMessage *
tau_tool_run_make_message (TauToolRun *self,
                           gint64      timestamp)
{
  g_return_val_if_fail (TAU_IS_TOOL_RUN (self), NULL);
  g_return_val_if_fail (self->outcome != NULL, NULL);

  return tau_tool_result_message_new (self->call_id, self->tool_name,
                                      tau_tool_outcome_get_blocks (self->outcome),
                                      tau_tool_outcome_get_details (self->outcome),
                                      tau_tool_outcome_get_is_error (self->outcome), timestamp);
}
