/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-bash-runner.h"

#include "core/base/tau-error.h"
#include "core/base/tau-paths.h"

/* Runs a shell command for the bash tool and for the user's own commands: finds the shell, sets up surroundings in
 * which everything that would wait for a person fails at once, collects the output, and tells of progress. */
#define PROGRESS_INTERVAL_MS 100

typedef struct
{
  TauBashResult       *result;
  TauProcess          *process;
  TauBashProgressFunc  progress;
  gpointer             progress_data;
  GSource             *timer;   /* runs for one interval after each report */
  gboolean             dirty;   /* output came during that interval */
} BashJob;

static void
bash_job_free (BashJob *job)
{
  if (job->timer != NULL)
    g_source_destroy (job->timer);
  g_clear_pointer (&job->timer, g_source_unref);
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

/* The shell of the settings, else the usual place, else what is found. %NULL with @error only for a wrong setting. */
static char *
dup_shell (TauToolContext  *context,
           GError         **error)
{
  const char *chosen = tau_tool_context_get_shell_path (context);
  char *found;

  if (chosen != NULL && *chosen != '\0')
    {
      g_autofree char *path = tau_paths_expand_home (chosen);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Custom shell path not found: %s", chosen);
      return NULL;
    }
  if (g_file_test ("/bin/bash", G_FILE_TEST_IS_EXECUTABLE))
    return g_strdup ("/bin/bash");
  found = g_find_program_in_path ("bash");
  return found != NULL ? found : g_strdup ("sh");
}

static char **
prepend_bin (char **env)
{
  g_autofree char *agent_dir = tau_paths_agent_dir ();
  g_autofree char *bin = g_build_filename (agent_dir, "bin", NULL);
  const char *path = g_environ_getenv (env, "PATH");
  g_auto(GStrv) places = g_strsplit (path != NULL ? path : "/usr/local/bin:/usr/bin:/bin", ":", -1);
  g_autofree char *joined = g_strjoinv (":", places);
  g_autofree char *extended = g_strconcat (bin, ":", joined, NULL);

  return g_strv_contains ((const char * const *) places, bin) ? env : g_environ_setenv (env, "PATH", extended, TRUE);
}

/* Nobody sits at this terminal: editors and prompts fail with a message, pagers print. */
static char **
dup_environment (void)
{
  static const char editor[] = "sh -c 'echo \"There is no editor here: give the text on the command line.\" >&2; exit 1'";
  static const struct { const char *name; const char *value; } variables[] = {
    { "EDITOR", editor },
    { "VISUAL", editor },
    { "GIT_EDITOR", editor },
    { "GIT_SEQUENCE_EDITOR", editor },
    { "GIT_TERMINAL_PROMPT", "0" },
    { "GIT_PAGER", "cat" },
    { "MANPAGER", "cat" },
    { "PAGER", "cat" },
    { "SYSTEMD_PAGER", "cat" },
    { "SSH_ASKPASS_REQUIRE", "never" },
  };
  char **env = prepend_bin (g_get_environ ());

  for (gsize i = 0; i < G_N_ELEMENTS (variables); i++)
    env = g_environ_setenv (env, variables[i].name, variables[i].value, TRUE);
  return env;
}

static void
report (BashJob *job)
{
  job->dirty = FALSE;
  if (job->progress != NULL)
    job->progress (job->process, job->result->log, job->progress_data);
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
  g_clear_pointer (&job->timer, g_source_unref);
  return G_SOURCE_REMOVE;
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
  job->dirty = TRUE;
  if (job->timer != NULL)
    return;
  report (job);
  job->timer = g_timeout_source_new (PROGRESS_INTERVAL_MS);
  g_source_set_callback (job->timer, interval_over_cb, job, NULL);
  g_source_attach (job->timer, g_main_context_get_thread_default ());
}

static void
ended_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  BashJob *job = g_task_get_task_data (task);
  GError *error = NULL;

  if (!tau_process_run_finish (TAU_PROCESS (object), result, &job->result->ended, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  tau_output_log_finish (job->result->log);
  if (job->dirty)
    report (job);
  g_task_return_pointer (task, g_steal_pointer (&job->result), (GDestroyNotify) tau_bash_result_free);
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
              gint64           timeout_ms,
              gboolean         clean,
              GError         **error)
{
  const char *cwd = tau_tool_context_get_cwd (context);
  const char *prefix = tau_tool_context_get_command_prefix (context);
  g_autofree char *shell = check_folder (cwd, error) ? dup_shell (context, error) : NULL;
  g_autofree char *script = prefix != NULL && *prefix != '\0' ? g_strconcat (prefix, "\n", command, NULL) : g_strdup (command);
  g_auto(GStrv) env = NULL;
  BashJob *job;

  if (shell == NULL)
    return NULL;
  env = dup_environment ();
  job = g_new0 (BashJob, 1);
  job->result = g_new0 (TauBashResult, 1);
  job->result->log = tau_output_log_new (clean);
  job->process = tau_process_new ((const char *[]) { shell, "-c", script, NULL }, cwd, (const char * const *) env);
  tau_process_set_output_func (job->process, output_cb, job);
  if (timeout_ms > 0)
    tau_process_set_timeout (job->process, timeout_ms);
  return job;
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
  BashJob *job = bash_job_new (context, command, timeout_ms, clean, &error);

  g_task_set_source_tag (task, tau_bash_run_async);
  g_task_set_check_cancellable (task, FALSE);
  if (job == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  job->progress = progress;
  job->progress_data = progress_data;
  g_task_set_task_data (task, job, (GDestroyNotify) bash_job_free);
  tau_process_run_async (job->process, cancellable, ended_cb, g_object_ref (task));
  report (job);
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
