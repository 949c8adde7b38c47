/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/tool/tau-bash-runner.h"

#include <glib/gi18n-lib.h>

/* The user's own commands ("!ls"). They run at once, also during a run of the agent, but what they gave must not come
 * between a call and its result: then it is recorded with the next prompt. */

/* Puts what commands gave during a run behind it. */
void
tau_agent_session_record_held_bash (TauAgentSession *self)
{
  g_autoptr(GPtrArray) held = g_steal_pointer (&self->held_bash);

  self->held_bash = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < held->len; i++)
    tau_agent_session_append_message (self, g_ptr_array_index (held, i));
}

typedef struct
{
  char       *command;
  gboolean    exclude;
  TauToolRun *run;
} Command;

static void
command_free (gpointer data)
{
  Command *self = data;

  g_clear_object (&self->run);
  g_free (self->command);
  g_free (self);
}

static TauBashExecutionMessage *
make_message (const Command *command,
              TauBashResult *result)
{
  g_autoptr(TauTruncation) output = tau_output_log_truncate (result->log);
  const TauProcessResult *ended = &result->ended;
  const TauBashExecutionFields fields = {
    .command = command->command,
    .output = output->content,
    .has_exit_code = !ended->cancelled && ended->exit_status >= 0,
    .exit_code = ended->exit_status,
    .cancelled = ended->cancelled,
    .truncated = output->truncated,
    .full_output_path = tau_output_log_get_path (result->log),
    .has_exclude = command->exclude,
    .exclude_from_context = command->exclude,
    .timestamp = tau_clock_now_ms (),
  };

  return tau_bash_execution_message_new (&fields);
}

/* A run like those of the model's calls, so that a window shows it in the same way. */
static TauToolRun *
make_run (const char *command)
{
  static guint count;
  g_autofree char *id = g_strdup_printf ("user-%u", ++count);
  JsonObject *arguments = json_object_new ();
  g_autoptr(JsonNode) node = NULL;
  TauToolRun *run;

  tau_json_object_set (arguments, "command", tau_json_node_new_string (command));
  node = tau_json_node_new_object (arguments);
  run = tau_tool_run_new (id, "bash", node);
  tau_tool_run_start (run);
  return run;
}

static void
set_run (TauAgentSession *self,
         TauToolRun      *run)
{
  if (g_set_object (&self->bash_run, run))
    tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_BASH_RUN);
}

static TauToolOutcome *
make_outcome (TauOutputLog           *log,
              const TauProcessResult *ended)
{
  g_autoptr(TauTruncation) output = tau_output_log_truncate (log);
  g_autoptr(TauToolOutcome) outcome = tau_tool_outcome_new_text (output->content, NULL);
  gboolean failed = ended != NULL && (ended->cancelled || ended->exit_status != 0);

  return tau_tool_outcome_merge (outcome, NULL, NULL, NULL, &failed);
}

static void
progress_cb (TauProcess          *process,
             TauOutputLog        *log,
             const TauScopeUsage *usage,
             gpointer             user_data)
{
  TauToolRun *run = user_data;
  g_autoptr(TauToolOutcome) partial = make_outcome (log, NULL);

  tau_tool_run_set_pid (run, tau_process_get_pid (process));
  if (usage != NULL)
    {
      tau_tool_run_set_usage (run, usage->memory, usage->cpu_time);
      return;
    }
  tau_tool_run_update (run, partial);
}

/* The run ends before the session says that it is none: who watches sees the end. */
static void
end_run (TauAgentSession *self,
         TauToolRun      *run,
         TauBashResult   *ran,
         const GError    *error)
{
  g_autoptr(TauToolOutcome) outcome = ran != NULL ? make_outcome (ran->log, &ran->ended) : tau_tool_outcome_new_error (error->message);

  tau_tool_run_end (run, outcome);
  set_run (self, NULL);
}

static void
ran_cb (GObject      *object,
        GAsyncResult *result,
        gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  TauAgentSession *self = g_task_get_source_object (task);
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBashResult) ran = tau_bash_run_finish (result, &error);
  Command *command = g_task_get_task_data (task);
  TauBashExecutionMessage *message;

  g_clear_object (&self->bash_cancellable);
  end_run (self, command->run, ran, error);
  if (ran == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  message = make_message (command, ran);
  if (self->state == TAU_SESSION_IDLE || self->closed)
    tau_agent_session_append_message (self, TAU_MESSAGE (message));
  else
    g_ptr_array_add (self->held_bash, g_object_ref (message));
  g_task_return_pointer (task, message, g_object_unref);
}

/**
 * tau_agent_session_run_bash_async:
 * @self: a session
 * @command: shell text
 * @exclude_from_context: whether the model must not see it
 * @callback: called when it ended
 * @user_data: for @callback
 *
 * Runs a command of the user in the session's folder and records it. One at a time.
 */
void
tau_agent_session_run_bash_async (TauAgentSession     *self,
                                  const char          *command,
                                  gboolean             exclude_from_context,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_autoptr(GTask) task = NULL;
  g_autoptr(GError) error = NULL;
  Command *data;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));
  g_return_if_fail (command != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, tau_agent_session_run_bash_async);
  if (self->bash_cancellable != NULL)
    {
      g_task_return_new_error (task, TAU_SESSION_ERROR, TAU_SESSION_ERROR_BUSY, "%s",
                               _("A bash command is already running. Stop it first."));
      return;
    }
  if (!tau_agent_session_check_writable (self, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  data = g_new0 (Command, 1);
  data->command = g_strdup (command);
  data->exclude = exclude_from_context;
  data->run = make_run (command);
  g_task_set_task_data (task, data, command_free);
  self->bash_cancellable = g_cancellable_new ();
  set_run (self, data->run);
  tau_bash_run_async (self->tool_context, command, 0, TRUE, progress_cb, data->run, self->bash_cancellable, ran_cb, g_steal_pointer (&task));
}

/**
 * tau_agent_session_run_bash_finish:
 * @self: a session
 * @result: what the callback got
 * @error: return location: %TAU_SESSION_ERROR, or why the shell could not be started
 *
 * A command that failed or was stopped is a result too.
 *
 * Returns: (transfer full) (nullable): what was recorded
 */
TauBashExecutionMessage *
tau_agent_session_run_bash_finish (TauAgentSession *self,
                                   GAsyncResult    *result,
                                   GError         **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * tau_agent_session_get_bash_run:
 * @self: a session
 *
 * The user's command that runs. It is recorded at its end, or with the next prompt if the agent runs then.
 *
 * Returns: (transfer none) (nullable): a run named "bash", with the output so far
 */
TauToolRun *
tau_agent_session_get_bash_run (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->bash_run;
}

/**
 * tau_agent_session_abort_bash:
 * @self: a session
 *
 * Stops the user's command, if one runs.
 */
void
tau_agent_session_abort_bash (TauAgentSession *self)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  g_cancellable_cancel (self->bash_cancellable);
}
