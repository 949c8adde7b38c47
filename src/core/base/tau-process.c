/* SPDX-License-Identifier: MIT */
#include "core/base/tau-process.h"

#include "core/base/tau-guard.h"
#include "core/base/tau-output-sink.h"
#include "core/base/tau-priority.h"
#include "core/base/tau-proc.h"

#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* One run of a program that knows nothing of a terminal: a session and a process group of its own, nothing to read, standard
 * output and error on one pipe, so that they come in the order of writing. LIVE, main thread; owned by whoever runs it, and
 * by its task while it runs. It ends when the program itself has exited: children that it left behind and that still hold
 * the pipe are read for a moment longer and then left alone; what they write is dropped. It does not interpret the output.
 * This is not a GSubprocess because that tells the process number only until it has noticed the exit, in a thread of its
 * own, and we need the number for the group. */

/* Of the pipe and of one read: 64 KiB, the usual, cost a third of the speed. */
#define READ_SIZE (256 * 1024)
#define DRAIN_MS 100          /* how long left-over children are listened to */
#define KILL_AFTER_MS 2000    /* how long a group may take to obey SIGTERM */
#define MORE_TASKS 8192       /* how many processes and threads a program may add to those of the machine */

struct _TauProcess
{
  GObject parent_instance;

  char **argv;
  char  *cwd;
  char **env;
  gint64 timeout_ms;

  TauProcessOutputFunc output_func;
  gpointer             output_data;

  gboolean gated;

  int           gate;     /* our end of the pipe that the program waits at; -1 if it does not */
  GTask        *task;     /* owned while running, as are the sources */
  int           guard;    /* socket of the guard, not ours; -1 if there is none */
  rlim_t        max_tasks;   /* of our user on this machine, for the program */
  pid_t         pid;
  GInputStream *output;   /* our end of the pipe */
  guint8       *buffer;

  GSource *exit_source;
  GSource *read_source;
  GSource *drain_source;
  GSource *timeout_source;
  GSource *kill_source;
  GSource *cancel_source;

  gboolean         paused;
  gboolean         exited;
  gboolean         output_ended;
  gboolean         output_left;    /* others still hold the pipe */
  TauProcessResult ended;
};

G_DEFINE_FINAL_TYPE (TauProcess, tau_process, G_TYPE_OBJECT)

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static GSource *
attach_source (GSource    *source,
               int         priority,
               GSourceFunc func,
               gpointer    self)
{
  g_source_set_priority (source, priority);
  g_source_set_callback (source, func, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

static void
clear_sources (TauProcess *self)
{
  clear_source (&self->exit_source);
  clear_source (&self->read_source);
  clear_source (&self->drain_source);
  clear_source (&self->timeout_source);
  clear_source (&self->kill_source);
  clear_source (&self->cancel_source);
}

static void
signal_group (TauProcess *self,
              int         signal_number)
{
  /* The group may be gone already; then there is nothing to do. */
  kill (-self->pid, signal_number);
}

/* Ends the run as soon as the program has exited and its output is read. */
static void
finish_if_done (TauProcess *self)
{
  g_autoptr(GTask) task = NULL;

  if (self->task == NULL || !self->exited || !self->output_ended)
    return;

  /* Whoever was told to stop and does not listen loses the time that is left. */
  if (self->ended.cancelled || self->ended.timed_out)
    signal_group (self, SIGKILL);

  clear_sources (self);
  if (self->output_left)
    tau_output_sink_adopt (self->output);
  g_clear_object (&self->output);
  task = g_steal_pointer (&self->task);
  g_task_return_boolean (task, TRUE);
}

/* Reads once. FALSE if there is nothing now, or nothing more: @output_ended tells. */
static gboolean
read_once (TauProcess *self)
{
  g_autoptr(GError) error = NULL;
  gssize length = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (self->output), self->buffer,
                                                            READ_SIZE, NULL, &error);

  if (length > 0)
    {
      if (self->output_func != NULL)
        self->output_func (self, self->buffer, (gsize) length, self->output_data);
      return TRUE;
    }

  self->output_ended = !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
  return FALSE;
}

static gboolean
output_cb (GObject *stream,
           gpointer user_data)
{
  g_autoptr(TauProcess) self = g_object_ref (user_data);

  read_once (self);
  if (!self->output_ended)
    return G_SOURCE_CONTINUE;

  clear_source (&self->read_source);
  finish_if_done (self);
  return G_SOURCE_REMOVE;
}

/* The program has exited a moment ago. What it wrote itself is in the pipe, however busy the main loop was; a pipe that is
 * filled faster than we empty it belongs to a child, and ends here too. */
static gboolean
drained_cb (gpointer user_data)
{
  g_autoptr(TauProcess) self = g_object_ref (user_data);

  for (guint i = 0; i < 4 && !self->paused && read_once (self); i++)
    ;

  clear_source (&self->drain_source);
  if (!self->paused)
    {
      self->output_left = !self->output_ended;
      self->output_ended = TRUE;
      finish_if_done (self);
    }
  return G_SOURCE_REMOVE;
}

static void
start_reading (TauProcess *self)
{
  if (self->task == NULL || self->paused || self->output_ended)
    return;

  if (self->read_source == NULL)
    self->read_source = attach_source (g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (self->output), NULL),
                                       TAU_PRIORITY_STREAM, G_SOURCE_FUNC (output_cb), self);
  if (self->exited && self->drain_source == NULL)
    self->drain_source = attach_source (g_timeout_source_new (DRAIN_MS), G_PRIORITY_DEFAULT, drained_cb, self);
}

static void
exited_cb (GPid     pid,
           int      wait_status,
           gpointer user_data)
{
  g_autoptr(TauProcess) self = g_object_ref (user_data);

  self->exited = TRUE;
  if (WIFEXITED (wait_status))
    self->ended.exit_status = WEXITSTATUS (wait_status);
  else
    self->ended.term_signal = WTERMSIG (wait_status);

  /* Too late to be stopped now. */
  clear_source (&self->timeout_source);
  clear_source (&self->cancel_source);
  clear_source (&self->exit_source);
  start_reading (self);
  finish_if_done (self);
}

static gboolean
kill_cb (gpointer user_data)
{
  TauProcess *self = user_data;

  signal_group (self, SIGKILL);
  clear_source (&self->kill_source);
  return G_SOURCE_REMOVE;
}

static void
stop (TauProcess *self)
{
  clear_source (&self->timeout_source);
  clear_source (&self->cancel_source);
  signal_group (self, SIGTERM);
  self->kill_source = attach_source (g_timeout_source_new (KILL_AFTER_MS), G_PRIORITY_DEFAULT, kill_cb, self);
}

static gboolean
timeout_cb (gpointer user_data)
{
  TauProcess *self = user_data;

  self->ended.timed_out = TRUE;
  stop (self);
  return G_SOURCE_REMOVE;
}

static gboolean
cancelled_cb (GCancellable *cancellable,
              gpointer      user_data)
{
  TauProcess *self = user_data;

  self->ended.cancelled = TRUE;
  stop (self);
  return G_SOURCE_REMOVE;
}

/* A fork bomb must end before the machine does. The limit counts all that the user runs, so it begins at that. */
static void
limit_tasks (rlim_t max_tasks)
{
  struct rlimit limit;

  if (max_tasks == 0 || getrlimit (RLIMIT_NPROC, &limit) != 0)
    return;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= max_tasks)
    return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? max_tasks : MIN (max_tasks, limit.rlim_max);
  setrlimit (RLIMIT_NPROC, &limit);
}

/* Between fork and exec: only calls that are safe there. */
static void
child_setup (gpointer user_data)
{
  TauProcess *self = user_data;

  setsid ();
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  tau_guard_register (self->guard);
  limit_tasks (self->max_tasks);
}

/* The shell that waits becomes the program: the same process with the same number. */
static char **
dup_gated_argv (TauProcess *self)
{
  static const char wait[] = "read -r go <&3 && exec 3<&- && exec \"$@\"";
  GPtrArray *argv = g_ptr_array_new ();

  if (!self->gated)
    return g_strdupv (self->argv);
  g_ptr_array_add (argv, g_strdup ("/bin/sh"));
  g_ptr_array_add (argv, g_strdup ("-c"));
  g_ptr_array_add (argv, g_strdup (wait));
  g_ptr_array_add (argv, g_strdup ("sh"));
  for (gsize i = 0; self->argv[i] != NULL; i++)
    g_ptr_array_add (argv, g_strdup (self->argv[i]));
  g_ptr_array_add (argv, NULL);
  return (char **) g_ptr_array_free (argv, FALSE);
}

static gboolean
spawn (TauProcess *self,
       GError    **error)
{
  const int gate_target = 3;
  g_auto(GStrv) argv = dup_gated_argv (self);
  int gate[2] = { -1, -1 };
  int fds[2];
  guint n_tasks;
  gboolean started;

  if (self->gated && !g_unix_open_pipe (gate, FD_CLOEXEC, error))
    return FALSE;
  self->gate = gate[1];

  if (!g_unix_open_pipe (fds, FD_CLOEXEC, error))
    {
      if (gate[0] >= 0)
        close (gate[0]);
      return FALSE;
    }

  /* Refused when the user has many large pipes; then it stays as it is. */
  fcntl (fds[0], F_SETPIPE_SZ, READ_SIZE);
  self->guard = tau_guard_get_socket ();
  n_tasks = tau_proc_count_tasks ();
  self->max_tasks = n_tasks > 0 ? n_tasks + MORE_TASKS : 0;
  started = g_spawn_async_with_pipes_and_fds (self->cwd, (const char * const *) argv, (const char * const *) self->env,
                                              G_SPAWN_SEARCH_PATH_FROM_ENVP | G_SPAWN_DO_NOT_REAP_CHILD,
                                              child_setup, self, -1, fds[1], fds[1], gate, &gate_target, self->gated ? 1 : 0,
                                              &self->pid, NULL, NULL, NULL, error);
  close (fds[1]);
  if (gate[0] >= 0)
    close (gate[0]);
  if (started)
    self->output = g_unix_input_stream_new (fds[0], TRUE);
  else
    close (fds[0]);

  return started;
}

/* Everything that can happen to a program that runs. */
static void
watch (TauProcess   *self,
       GCancellable *cancellable)
{
  self->buffer = g_malloc (READ_SIZE);
  start_reading (self);
  self->exit_source = attach_source (g_child_watch_source_new (self->pid), G_PRIORITY_DEFAULT,
                                     G_SOURCE_FUNC (exited_cb), self);
  if (self->timeout_ms > 0)
    self->timeout_source = attach_source (g_timeout_source_new ((guint) MIN (self->timeout_ms, G_MAXINT)),
                                          G_PRIORITY_DEFAULT, timeout_cb, self);
  if (cancellable != NULL)
    self->cancel_source = attach_source (g_cancellable_source_new (cancellable), G_PRIORITY_DEFAULT,
                                         G_SOURCE_FUNC (cancelled_cb), self);
}

static void
tau_process_finalize (GObject *object)
{
  TauProcess *self = TAU_PROCESS (object);

  /* The task holds us while the program runs. */
  g_assert (self->task == NULL);
  if (self->gate >= 0)
    close (self->gate);
  clear_sources (self);
  g_clear_object (&self->output);
  g_clear_pointer (&self->buffer, g_free);
  g_clear_pointer (&self->argv, g_strfreev);
  g_clear_pointer (&self->env, g_strfreev);
  g_clear_pointer (&self->cwd, g_free);

  G_OBJECT_CLASS (tau_process_parent_class)->finalize (object);
}

static void
tau_process_class_init (TauProcessClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_process_finalize;
}

static void
tau_process_init (TauProcess *self)
{
  self->ended.exit_status = -1;
  self->gate = -1;
}

/**
 * tau_process_new:
 * @argv: the program, looked up in PATH, and its arguments
 * @cwd: (nullable): where it runs; %NULL for our own directory
 * @env: (nullable): its whole environment; %NULL for our own
 *
 * Prepares one run of a program.
 *
 * Returns: (transfer full): the process, not yet running
 */
TauProcess *
tau_process_new (const char * const *argv,
                 const char         *cwd,
                 const char * const *env)
{
  TauProcess *self;

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, NULL);

  self = g_object_new (TAU_TYPE_PROCESS, NULL);
  self->argv = g_strdupv ((char **) argv);
  self->env = g_strdupv ((char **) env);
  self->cwd = g_strdup (cwd);
  return self;
}

/**
 * tau_process_set_output_func:
 * @self: a process that does not run yet
 * @func: (nullable) (scope notified): takes the output; %NULL to drop it
 * @user_data: for @func
 *
 * Sets who gets what the program writes.
 */
void
tau_process_set_output_func (TauProcess          *self,
                             TauProcessOutputFunc func,
                             gpointer             user_data)
{
  g_return_if_fail (TAU_IS_PROCESS (self));

  self->output_func = func;
  self->output_data = user_data;
}

/**
 * tau_process_set_timeout:
 * @self: a process that does not run yet
 * @milliseconds: how long it may run; 0 or less for ever
 *
 * Sets when the program is stopped: SIGTERM to its group, two seconds later SIGKILL.
 */
void
tau_process_set_timeout (TauProcess *self,
                         gint64      milliseconds)
{
  g_return_if_fail (TAU_IS_PROCESS (self));

  self->timeout_ms = milliseconds;
}

/**
 * tau_process_set_paused:
 * @self: a process
 * @paused: whether to leave the output where it is
 *
 * Stops and resumes reading. A program whose pipe is full waits; the run does not end while paused.
 */
void
tau_process_set_paused (TauProcess *self,
                        gboolean    paused)
{
  g_return_if_fail (TAU_IS_PROCESS (self));

  self->paused = paused;
  if (paused)
    clear_source (&self->read_source);
  else
    start_reading (self);
}

/**
 * tau_process_set_environment:
 * @self: a process that does not run yet
 * @env: (nullable): its whole environment; %NULL for our own
 *
 * Sets the environment after all.
 */
void
tau_process_set_environment (TauProcess         *self,
                             const char * const *env)
{
  g_return_if_fail (TAU_IS_PROCESS (self));

  g_strfreev (self->env);
  self->env = g_strdupv ((char **) env);
}

/**
 * tau_process_set_gated:
 * @self: a process that does not run yet
 * @gated: whether the program waits
 *
 * Makes the program begin only at tau_process_open_gate(), when its process number is known to all who have to know it. A
 * program that cannot be started is then told by the shell's status 126 or 127.
 */
void
tau_process_set_gated (TauProcess *self,
                       gboolean    gated)
{
  g_return_if_fail (TAU_IS_PROCESS (self));

  self->gated = gated;
}

/**
 * tau_process_open_gate:
 * @self: a process
 *
 * Lets a gated program begin.
 */
void
tau_process_open_gate (TauProcess *self)
{
  g_return_if_fail (TAU_IS_PROCESS (self));

  if (self->gate < 0)
    return;
  /* It may have been ended while it waited; its end of the pipe is then closed, which GIO has made no signal of. */
  if (write (self->gate, "\n", 1) < 0)
    g_debug ("a program was gone before it began");
  close (self->gate);
  self->gate = -1;
}

/**
 * tau_process_get_pid:
 * @self: a process
 *
 * Returns: the number of the program and of its process group; 0 before it runs
 */
int
tau_process_get_pid (TauProcess *self)
{
  g_return_val_if_fail (TAU_IS_PROCESS (self), 0);

  return self->pid;
}

/**
 * tau_process_run_async:
 * @self: a process that did not run yet
 * @cancellable: (nullable): stops it, as a timeout does
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Starts the program. The end has come when the program itself has exited and its output is read, at most 100 ms later,
 * even if its children go on. Stopping counts as an end, not as an error.
 */
void
tau_process_run_async (TauProcess         *self,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  g_autoptr(GTask) task = NULL;
  GError *error = NULL;

  g_return_if_fail (TAU_IS_PROCESS (self));
  g_return_if_fail (self->task == NULL && self->pid == 0);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, tau_process_run_async);
  g_task_set_check_cancellable (task, FALSE);

  if (g_cancellable_is_cancelled (cancellable))
    {
      self->ended.cancelled = TRUE;
      g_task_return_boolean (task, TRUE);
      return;
    }

  if (!spawn (self, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  self->task = g_steal_pointer (&task);
  watch (self, cancellable);
}

/**
 * tau_process_run_finish:
 * @self: a process
 * @result: what the callback got
 * @ended: (out) (nullable): how it ended
 * @error: return location
 *
 * Returns: %FALSE with a %G_SPAWN_ERROR if the program could not be started
 */
gboolean
tau_process_run_finish (TauProcess       *self,
                        GAsyncResult     *result,
                        TauProcessResult *ended,
                        GError          **error)
{
  g_return_val_if_fail (TAU_IS_PROCESS (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  if (ended != NULL)
    *ended = self->ended;
  return g_task_propagate_boolean (G_TASK (result), error);
}
