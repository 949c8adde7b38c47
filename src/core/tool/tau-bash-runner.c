/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-bash-runner.h"

#include "core/base/tau-error.h"
#include "core/tool/tau-bash-shell.h"
#include "core/tool/tau-command-id.h"
#include "core/tool/tau-login-environment.h"
#include "core/tool/tau-survivors.h"

/* Runs a shell command for the bash tool and for the user's own commands: collects the output, tells of progress. A
 * command that is stopped, by time or by the user, is given a moment to end and is then left to TauProcess, which
 * kills it: nobody waits for a program that does not want to go. Where systemd's user manager is there, the command
 * begins in a scope of its own, which is measured once a second. */
#define PROGRESS_INTERVAL_MS 100
/* Enough for those that obey, not to be felt by those who wait. */
#define LEAVE_AFTER_MS 100
/* What may wait for the disk before the command has to. */
#define MAX_BACKLOG ((gsize) 4 * 1024 * 1024)
#define LOOK_AT_DISK_MS 5

typedef struct
{
  char                *id;        /* the command's mark */
  TauBashResult       *result;    /* NULL once it is given away */
  TauProcess          *process;
  GTask               *task;      /* borrowed: the process holds it until its end */
  GTask               *held;      /* the same, owned while its file is written to the end */
  GCancellable        *stopper;   /* of the process; both causes of a stop lead here */
  GSource             *timeout_source;
  GSource             *cancel_source;
  GSource             *leave_source;
  TauCommandScope     *scope;     /* nullable */
  GSource             *measure_source;   /* while the command runs in a scope */
  GSource             *disk_source;      /* while the command, or its result, waits for the log's file */
  TauBashProgressFunc  progress;
  gpointer             progress_data;
  GSource             *timer;   /* runs for one interval after each report */
  gboolean             dirty;   /* output came during that interval */
} BashJob;

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
clear_sources (BashJob *job)
{
  clear_source (&job->timer);
  clear_source (&job->timeout_source);
  clear_source (&job->cancel_source);
  clear_source (&job->leave_source);
  clear_source (&job->disk_source);
  clear_source (&job->measure_source);
}

static GSource *
add_source (GSource    *source,
            GSourceFunc func,
            BashJob    *job)
{
  g_source_set_callback (source, func, job, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

static void
bash_job_free (BashJob *job)
{
  clear_sources (job);
  tau_command_id_end (job->id);
  tau_survivors_look ();
  g_clear_object (&job->scope);
  g_free (job->id);
  g_clear_object (&job->stopper);
  g_clear_pointer (&job->result, tau_bash_result_free);
  g_clear_object (&job->process);
  g_free (job);
}

/**
 * tau_bash_result_free:
 * @self: (transfer full): a result
 *
 * Frees a result. A log file stays.
 */
void
tau_bash_result_free (TauBashResult *self)
{
  tau_output_log_free (self->log);
  g_free (self);
}

static void
report (BashJob *job)
{
  job->dirty = FALSE;
  if (job->progress != NULL)
    job->progress (job->process, job->result->log, NULL, job->progress_data);
}

static gboolean
interval_over_cb (gpointer user_data)
{
  BashJob *job = user_data;

  if (job->dirty)
    {
      report (job);
      return G_SOURCE_CONTINUE;
    }
  clear_source (&job->timer);
  return G_SOURCE_REMOVE;
}

/* The disk has caught up, or not yet. */
static gboolean
disk_cb (gpointer user_data)
{
  BashJob *job = user_data;

  if (tau_output_log_get_backlog (job->result->log) > MAX_BACKLOG / 2)
    return G_SOURCE_CONTINUE;
  clear_source (&job->disk_source);
  tau_process_set_paused (job->process, FALSE);
  return G_SOURCE_REMOVE;
}

static void
hold_if_disk_is_slow (BashJob *job)
{
  if (job->disk_source != NULL || tau_output_log_get_backlog (job->result->log) <= MAX_BACKLOG)
    return;
  tau_process_set_paused (job->process, TRUE);
  job->disk_source = add_source (g_timeout_source_new (LOOK_AT_DISK_MS), disk_cb, job);
}

/* The first output is told at once, what follows at most once an interval. */
static void
output_cb (TauProcess   *process,
           const guint8 *bytes,
           gsize         length,
           gpointer      user_data)
{
  BashJob *job = user_data;

  tau_output_log_push (job->result->log, bytes, length);
  hold_if_disk_is_slow (job);
  job->dirty = TRUE;
  if (job->timer != NULL)
    return;
  report (job);
  job->timer = add_source (g_timeout_source_new (PROGRESS_INTERVAL_MS), interval_over_cb, job);
}

/* The end, whoever brought it. */
static void
give_result (BashJob *job)
{
  g_autoptr(GTask) held = g_steal_pointer (&job->held);

  tau_process_set_output_func (job->process, NULL, NULL);
  tau_process_set_paused (job->process, FALSE);
  tau_output_log_finish (job->result->log);
  if (job->dirty)
    report (job);
  clear_sources (job);
  g_task_return_pointer (job->task, g_steal_pointer (&job->result), (GDestroyNotify) tau_bash_result_free);
}

/* The end of a command that was not stopped: its file is to be whole when it is named. */
static gboolean
file_written_cb (gpointer user_data)
{
  BashJob *job = user_data;

  if (tau_output_log_get_backlog (job->result->log) > 0)
    return G_SOURCE_CONTINUE;
  give_result (job);
  return G_SOURCE_REMOVE;
}

static gboolean
leave_cb (gpointer user_data)
{
  give_result (user_data);
  return G_SOURCE_REMOVE;
}

static void
stop (BashJob *job)
{
  clear_source (&job->timeout_source);
  clear_source (&job->cancel_source);
  job->leave_source = add_source (g_timeout_source_new (LEAVE_AFTER_MS), leave_cb, job);
  g_cancellable_cancel (job->stopper);
  if (job->scope != NULL)
    tau_command_scope_stop (job->scope);
}

static void
measured_cb (GObject      *scope,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  BashJob *job = g_task_get_task_data (task);
  TauScopeUsage usage;

  if (tau_command_scope_measure_finish (TAU_COMMAND_SCOPE (scope), result, &usage) && job->result != NULL && job->progress != NULL)
    job->progress (job->process, job->result->log, &usage, job->progress_data);
}

static gboolean
measure_cb (gpointer user_data)
{
  BashJob *job = user_data;

  tau_command_scope_measure_async (job->scope, measured_cb, g_object_ref (job->task));
  return G_SOURCE_CONTINUE;
}

/* The command is in its scope, or will be in none, and may begin. */
static void
scope_started_cb (GObject      *object,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  BashJob *job = g_task_get_task_data (task);

  job->scope = tau_command_scope_start_finish (result);
  tau_process_open_gate (job->process);
  if (job->scope == NULL)
    return;
  if (job->result == NULL || g_cancellable_is_cancelled (job->stopper))
    tau_command_scope_stop (job->scope);
  else
    job->measure_source = add_source (g_timeout_source_new_seconds (1), measure_cb, job);
}

static gboolean
timeout_cb (gpointer user_data)
{
  BashJob *job = user_data;

  job->result->ended.timed_out = TRUE;
  stop (job);
  return G_SOURCE_REMOVE;
}

static gboolean
cancelled_cb (GCancellable *cancellable,
              gpointer      user_data)
{
  BashJob *job = user_data;

  job->result->ended.cancelled = TRUE;
  stop (job);
  return G_SOURCE_REMOVE;
}

static void
ended_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  BashJob *job = g_task_get_task_data (task);
  GError *error = NULL;
  TauProcessResult ended;
  gboolean started = tau_process_run_finish (TAU_PROCESS (object), result, &ended, &error);

  /* It was stopped and left; now it is really gone. */
  if (job->result == NULL)
    {
      g_clear_error (&error);
      return;
    }
  if (!started)
    {
      clear_sources (job);
      g_task_return_error (task, error);
      return;
    }
  job->result->ended.exit_status = ended.exit_status;
  job->result->ended.term_signal = ended.term_signal;
  job->result->ended.cancelled |= ended.cancelled && !job->result->ended.timed_out;
  if (tau_output_log_get_backlog (job->result->log) == 0 || job->leave_source != NULL)
    {
      give_result (job);
      return;
    }
  job->held = g_steal_pointer (&task);
  clear_source (&job->disk_source);
  job->disk_source = add_source (g_timeout_source_new (LOOK_AT_DISK_MS), file_written_cb, job);
}

static gboolean
check_folder (const char  *cwd,
              GError     **error)
{
  if (g_file_test (cwd, G_FILE_TEST_IS_DIR))
    return TRUE;
  g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED,
               "Working directory does not exist: %s\nCannot execute bash commands.", cwd);
  return FALSE;
}

static BashJob *
bash_job_new (TauToolContext  *context,
              const char      *command,
              gboolean         clean,
              GError         **error)
{
  const char *cwd = tau_tool_context_get_cwd (context);
  const char *prefix = tau_tool_context_get_command_prefix (context);
  g_autofree char *shell = check_folder (cwd, error) ? tau_bash_shell_find (tau_tool_context_get_shell_path (context), error) : NULL;
  g_autofree char *script = prefix != NULL && *prefix != '\0' ? g_strconcat (prefix, "\n", command, NULL) : g_strdup (command);
  BashJob *job;

  if (shell == NULL)
    return NULL;
  job = g_new0 (BashJob, 1);
  job->id = tau_command_id_begin ();
  job->result = g_new0 (TauBashResult, 1);
  job->result->log = tau_output_log_new (clean);
  job->process = tau_process_new ((const char *[]) { shell, "-c", script, NULL }, cwd, NULL);
  tau_process_set_output_func (job->process, output_cb, job);
  job->stopper = g_cancellable_new ();
  job->result->ended.exit_status = -1;
  return job;
}

static void
start_job (gpointer user_data)
{
  g_autoptr(GTask) task = user_data;
  TauToolContext *context = g_task_get_source_object (task);
  BashJob *job = g_task_get_task_data (task);
  g_auto(GStrv) env = g_environ_setenv (tau_bash_shell_new_environment (), TAU_COMMAND_ID_VARIABLE, job->id, TRUE);

  tau_process_set_environment (job->process, (const char * const *) env);
  tau_process_set_gated (job->process, tau_command_scope_may_start ());
  tau_process_run_async (job->process, job->stopper, ended_cb, g_object_ref (task));
  if (tau_command_scope_may_start () && tau_process_get_pid (job->process) > 0)
    tau_command_scope_start_async (job->id, tau_process_get_pid (job->process), tau_tool_context_get_memory_limit (context),
                                   scope_started_cb, g_object_ref (task));
  if (job->result != NULL)
    report (job);
}

/**
 * tau_bash_run_async:
 * @context: folder, shell and prefix
 * @command: shell text
 * @timeout_ms: 0 or less for none
 * @clean: whether the output is for people; see tau_output_log_new()
 * @progress: (nullable): told of progress
 * @progress_data: for @progress; must live until the end
 * @cancellable: (nullable): ends the command and all that it started
 * @callback: called at the end
 * @user_data: for @callback
 *
 * Runs a command. How it ended, also by a signal, the timeout or @cancellable, is a result and no error.
 */
void
tau_bash_run_async (TauToolContext      *context,
                    const char          *command,
                    gint64               timeout_ms,
                    gboolean             clean,
                    TauBashProgressFunc  progress,
                    gpointer             progress_data,
                    GCancellable        *cancellable,
                    GAsyncReadyCallback  callback,
                    gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (context, cancellable, callback, user_data);
  GError *error = NULL;
  BashJob *job = bash_job_new (context, command, clean, &error);

  g_task_set_source_tag (task, tau_bash_run_async);
  g_task_set_check_cancellable (task, FALSE);
  if (job == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  job->progress = progress;
  job->progress_data = progress_data;
  job->task = task;
  g_task_set_task_data (task, job, (GDestroyNotify) bash_job_free);
  if (timeout_ms > 0)
    job->timeout_source = add_source (g_timeout_source_new ((guint) MIN (timeout_ms, G_MAXINT)), timeout_cb, job);
  if (g_cancellable_is_cancelled (cancellable))
    g_cancellable_cancel (job->stopper);
  else if (cancellable != NULL)
    job->cancel_source = add_source (g_cancellable_source_new (cancellable), G_SOURCE_FUNC (cancelled_cb), job);
  if (tau_login_environment_is_settled ())
    start_job (g_object_ref (task));
  else
    tau_login_environment_wait (start_job, g_object_ref (task));
}

/**
 * tau_bash_run_finish:
 * @result: as given to the callback
 * @error: %TAU_TOOL_ERROR_FAILED for a missing shell or folder, a %G_SPAWN_ERROR if the shell did not start
 *
 * Takes the result.
 *
 * Returns: (transfer full): the output and how the command ended
 */
TauBashResult *
tau_bash_run_finish (GAsyncResult  *result,
                     GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
