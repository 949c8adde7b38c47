/* SPDX-License-Identifier: MIT */
#include "core/base/tau-process.h"

#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* One run and what came of it. */
typedef struct
{
  TauProcess      *process;
  GString         *output;
  GCancellable    *cancellable;
  GAsyncResult    *result;
  GError          *error;
  TauProcessResult ended;
  gint64           started;
  double           seconds;
} Run;

static void
output_cb (TauProcess   *process,
           const guint8 *bytes,
           gsize         length,
           gpointer      user_data)
{
  Run *run = user_data;

  g_assert_true (process == run->process);
  g_assert_cmpuint (length, >, 0);
  g_string_append_len (run->output, (const char *) bytes, (gssize) length);
}

static Run *
run_new (const char *cwd,
         const char *program,
         const char *command)
{
  const char *argv[] = { program, "-c", command, NULL };
  Run *run = g_new0 (Run, 1);

  run->output = g_string_new (NULL);
  run->cancellable = g_cancellable_new ();
  run->process = tau_process_new (argv, cwd, NULL);
  tau_process_set_output_func (run->process, output_cb, run);
  return run;
}

static void
run_start (Run *run)
{
  run->started = g_get_monotonic_time ();
  tau_process_run_async (run->process, run->cancellable, tau_test_loop_result_cb, &run->result);
  g_assert_null (run->result);
}

static void
run_end (Run *run)
{
  tau_test_wait_until (run->result != NULL);
  run->seconds = (double) (g_get_monotonic_time () - run->started) / G_USEC_PER_SEC;
  tau_process_run_finish (run->process, run->result, &run->ended, &run->error);
}

static void
run_free (Run *run)
{
  g_clear_object (&run->result);
  g_clear_object (&run->cancellable);
  g_assert_finalize_object (run->process);
  g_string_free (run->output, TRUE);
  g_clear_error (&run->error);
  g_free (run);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)

static Run *
run_shell (const char *command)
{
  Run *run = run_new (NULL, "sh", command);

  run_start (run);
  run_end (run);
  g_assert_no_error (run->error);
  return run;
}

static gboolean
is_alive (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;

  /* A zombie has been killed; who collects it is not our matter if it is not our child. */
  if (!g_file_get_contents (path, &stat, NULL, NULL))
    return FALSE;
  return strstr (stat, ") Z ") == NULL;
}

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* A process that is not our child dies without an event in our loop. */
static void
wait_until_dead (int pid)
{
  guint tick = g_timeout_add (10, tick_cb, NULL);

  tau_test_wait_until (!is_alive (pid));
  g_source_remove (tick);
}

static void
test_order (void)
{
  g_autoptr(Run) run = run_shell ("echo 1; echo 2 >&2; echo 3; echo 4 >&2; printf 5");

  g_assert_cmpstr (run->output->str, ==, "1\n2\n3\n4\n5");
  g_assert_cmpint (run->ended.exit_status, ==, 0);
  g_assert_cmpint (run->ended.term_signal, ==, 0);
  g_assert_false (run->ended.timed_out);
  g_assert_false (run->ended.cancelled);
}

static void
test_exit_status (void)
{
  g_autoptr(Run) run = run_shell ("exit 7");

  g_assert_cmpint (run->ended.exit_status, ==, 7);
  g_assert_cmpuint (run->output->len, ==, 0);
}

/* Gone before anybody can look. */
static void
test_short_lives (void)
{
  for (guint i = 0; i < 30; i++)
    {
      const char *argv[] = { "true", NULL };
      g_autoptr(Run) run = g_new0 (Run, 1);

      run->output = g_string_new (NULL);
      run->process = tau_process_new (argv, NULL, NULL);
      run_start (run);
      g_assert_cmpint (tau_process_get_pid (run->process), >, 0);
      run_end (run);
      g_assert_no_error (run->error);
      g_assert_cmpint (run->ended.exit_status, ==, 0);
    }
}

static void
test_signal (void)
{
  g_autoptr(Run) run = run_shell ("kill -9 $$");

  g_assert_cmpint (run->ended.exit_status, ==, -1);
  g_assert_cmpint (run->ended.term_signal, ==, SIGKILL);
}

static void
test_own_session (void)
{
  /* Field 4 of what follows the name is the session, 5 the terminal. */
  g_autoptr(Run) run = run_shell ("cat /proc/$$/stat; cat");
  const char *rest = strrchr (run->output->str, ')') + 2;
  int group;
  int session;
  int terminal;

  g_assert_cmpint (sscanf (rest, "%*c %*d %d %d %d", &group, &session, &terminal), ==, 3);
  g_assert_cmpint (group, ==, tau_process_get_pid (run->process));
  g_assert_cmpint (session, ==, group);
  g_assert_cmpint (terminal, ==, 0);
}

static void
test_environment (void)
{
  const char *argv[] = { "/bin/sh", "-c", "pwd; echo $TAU_X", NULL };
  const char *env[] = { "TAU_X=yes", NULL };
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *expected = g_strdup_printf ("%s\nyes\n", tau_test_dir_get_path (dir));
  g_autoptr(Run) run = g_new0 (Run, 1);

  run->output = g_string_new (NULL);
  run->process = tau_process_new (argv, tau_test_dir_get_path (dir), env);
  tau_process_set_output_func (run->process, output_cb, run);
  run_start (run);
  run_end (run);

  g_assert_no_error (run->error);
  g_assert_cmpstr (run->output->str, ==, expected);
}

static void
test_cannot_start (void)
{
  g_autoptr(Run) no_program = run_new (NULL, "/does/not/exist", "");
  g_autoptr(Run) no_directory = run_new ("/does/not/exist", "sh", "true");

  run_start (no_program);
  run_end (no_program);
  g_assert_error (no_program->error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);

  run_start (no_directory);
  run_end (no_directory);
  g_assert_error (no_directory->error, G_SPAWN_ERROR, G_SPAWN_ERROR_CHDIR);
}

static void
test_raw_bytes (void)
{
  g_autoptr(Run) run = run_shell ("printf 'a\\377\\000b\\303'");

  g_assert_cmpmem (run->output->str, run->output->len, "a\xff\0b\xc3", 5);
}

static void
test_big_output (void)
{
  g_autoptr(Run) run = run_shell ("head -c 5000000 /dev/zero; exit 3");

  g_assert_cmpuint (run->output->len, ==, 5000000);
  g_assert_cmpint (run->ended.exit_status, ==, 3);
}

static void
test_timeout (void)
{
  g_autoptr(Run) run = run_new (NULL, "sh", "echo before; sleep 60");

  tau_process_set_timeout (run->process, 200);
  run_start (run);
  run_end (run);

  g_assert_no_error (run->error);
  g_assert_true (run->ended.timed_out);
  g_assert_false (run->ended.cancelled);
  g_assert_cmpint (run->ended.term_signal, ==, SIGTERM);
  g_assert_cmpstr (run->output->str, ==, "before\n");
}

static void
test_deaf_shell (void)
{
  g_autoptr(Run) run = run_new (NULL, "sh", "trap '' TERM; echo deaf; while :; do sleep 1; done");

  run_start (run);
  tau_test_wait_until (run->output->len > 0);
  g_cancellable_cancel (run->cancellable);
  run_end (run);

  g_assert_no_error (run->error);
  g_assert_true (run->ended.cancelled);
  g_assert_cmpint (run->ended.term_signal, ==, SIGKILL);
  g_assert_cmpfloat (run->seconds, >=, 1.9);
}

static void
test_stop_takes_the_group (void)
{
  g_autoptr(Run) run = run_new (NULL, "sh", "(trap '' TERM; while :; do sleep 1; done) & echo $!; wait");
  int child;

  run_start (run);
  tau_test_wait_until (strchr (run->output->str, '\n') != NULL);
  child = atoi (run->output->str);
  g_assert_true (is_alive (child));

  g_cancellable_cancel (run->cancellable);
  run_end (run);

  g_assert_true (run->ended.cancelled);
  wait_until_dead (child);
}

static void
test_cancelled_before (void)
{
  g_autoptr(Run) run = run_new (NULL, "sh", "echo never");

  g_cancellable_cancel (run->cancellable);
  run_start (run);
  run_end (run);

  g_assert_no_error (run->error);
  g_assert_true (run->ended.cancelled);
  g_assert_cmpuint (run->output->len, ==, 0);
  g_assert_cmpint (tau_process_get_pid (run->process), ==, 0);
}

static void
test_cancelled_after (void)
{
  g_autoptr(Run) run = run_shell ("exit 4");

  g_cancellable_cancel (run->cancellable);
  tau_test_loop_settle ();
  g_assert_cmpint (run->ended.exit_status, ==, 4);
}

/* A child that holds the pipe must not hold the run, and goes on. */
static void
test_left_child (void)
{
  g_autoptr(Run) run = run_shell ("sleep 30 & echo $!");
  int child = atoi (run->output->str);

  g_assert_cmpfloat (run->seconds, <, 5);
  g_assert_cmpint (run->ended.exit_status, ==, 0);
  g_assert_true (is_alive (child));
  kill (child, SIGKILL);
}

static void
test_left_child_that_floods (void)
{
  g_autoptr(Run) run = run_shell ("echo $$; yes & echo first; exit 2");

  g_assert_cmpfloat (run->seconds, <, 10);
  g_assert_cmpint (run->ended.exit_status, ==, 2);
  g_assert_nonnull (strstr (run->output->str, "first\n"));
  kill (-atoi (run->output->str), SIGKILL);
}

static void
test_pause (void)
{
  g_autoptr(Run) run = run_new (NULL, "sh", "head -c 300000 /dev/zero; echo $? >&2");
  gsize before;

  tau_process_set_paused (run->process, TRUE);
  run_start (run);
  tau_test_loop_settle ();
  g_assert_cmpuint (run->output->len, ==, 0);

  tau_process_set_paused (run->process, FALSE);
  tau_test_wait_until (run->output->len > 0);
  tau_process_set_paused (run->process, TRUE);
  before = run->output->len;
  tau_test_loop_settle ();
  g_assert_cmpuint (run->output->len, ==, before);
  g_assert_null (run->result);

  tau_process_set_paused (run->process, FALSE);
  run_end (run);
  g_assert_cmpuint (run->output->len, ==, 300002);
}

static void
time_up_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

/* Paused until long after the exit: nothing of the output may be lost. */
static void
test_pause_beyond_exit (void)
{
  g_autoptr(Run) run = run_new (NULL, "sh", "sleep 30 & echo $!");
  gboolean time_up = FALSE;

  tau_process_set_paused (run->process, TRUE);
  run_start (run);
  g_timeout_add_once (300, time_up_cb, &time_up);
  tau_test_wait_until (time_up);
  g_assert_null (run->result);

  tau_process_set_paused (run->process, FALSE);
  run_end (run);
  g_assert_cmpint (atoi (run->output->str), >, 0);
  kill (atoi (run->output->str), SIGKILL);
}

static guint
count_files (void)
{
  DIR *dir = opendir ("/proc/self/fd");
  guint count = 0;

  while (readdir (dir) != NULL)
    count++;
  closedir (dir);

  return count;
}

static void
test_leaves_nothing (void)
{
  guint before;

  run_free (run_shell ("true"));
  before = count_files ();
  for (guint i = 0; i < 5; i++)
    run_free (run_shell ("echo x"));

  /* What earlier tests left may have ended meanwhile, with its pipe. */
  g_assert_cmpuint (count_files (), <=, before);
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  g_assert_cmpint (errno, ==, ECHILD);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/process/order", test_order);
  g_test_add_func ("/process/exit-status", test_exit_status);
  g_test_add_func ("/process/short-lives", test_short_lives);
  g_test_add_func ("/process/signal", test_signal);
  g_test_add_func ("/process/own-session", test_own_session);
  g_test_add_func ("/process/environment", test_environment);
  g_test_add_func ("/process/cannot-start", test_cannot_start);
  g_test_add_func ("/process/raw-bytes", test_raw_bytes);
  g_test_add_func ("/process/big-output", test_big_output);
  g_test_add_func ("/process/timeout", test_timeout);
  g_test_add_func ("/process/deaf-shell", test_deaf_shell);
  g_test_add_func ("/process/stop-takes-the-group", test_stop_takes_the_group);
  g_test_add_func ("/process/cancelled-before", test_cancelled_before);
  g_test_add_func ("/process/cancelled-after", test_cancelled_after);
  g_test_add_func ("/process/left-child", test_left_child);
  g_test_add_func ("/process/left-child-that-floods", test_left_child_that_floods);
  g_test_add_func ("/process/pause", test_pause);
  g_test_add_func ("/process/pause-beyond-exit", test_pause_beyond_exit);
  g_test_add_func ("/process/leaves-nothing", test_leaves_nothing);

  return g_test_run ();
}
