/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-survivors.h"

#include "core/base/tau-proc.h"
#include "core/tool/tau-bash-runner.h"
#include "core/tool/tau-command-id.h"
#include "support/tau-test-loop.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Real processes that commands leave behind. Other tests may leave some at the same time: each test looks for its own. */

static const char *program;

static int
run (const char *command)
{
  g_autoptr(TauToolContext) context = tau_tool_context_new ("/");
  g_autoptr(GAsyncResult) answer = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBashResult) result = NULL;
  g_autoptr(TauTruncation) output = NULL;

  tau_bash_run_async (context, command, 0, FALSE, NULL, NULL, NULL, tau_test_loop_result_cb, &answer);
  tau_test_loop_wait_result (&answer);
  result = tau_bash_run_finish (answer, &error);
  g_assert_no_error (error);
  output = tau_output_log_truncate (result->log);
  return atoi (output->content);
}

static TauSurvivor *
find (int pid)
{
  GListModel *list = tau_survivors_get ();

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr(TauSurvivor) survivor = g_list_model_get_item (list, i);

      if (tau_survivor_get_pid (survivor) == pid)
        return survivor;   /* the list keeps it */
    }
  return NULL;
}

static gboolean
is_alive (int pid)
{
  TauProc proc;

  return tau_proc_read (pid, &proc) && proc.state != 'Z';
}

static void
notified_cb (GObject    *object,
             GParamSpec *pspec,
             guint      *count)
{
  (*count)++;
}

static void
check_stop (int pid)
{
  TauSurvivor *survivor = find (pid);
  guint notified = 0;

  g_signal_connect (survivor, "notify::stopping", G_CALLBACK (notified_cb), &notified);
  tau_survivors_stop (survivor);
  g_assert_true (tau_survivor_get_stopping (survivor));
  g_assert_cmpuint (notified, ==, 1);
  tau_test_wait_until (find (pid) == NULL);
  g_assert_false (is_alive (pid));
}

/* P27: what a command leaves in its group, and what leaves its group, is listed and can be ended. */
static void
test_p27_left (void)
{
  static const char *const commands[] = {
    "sleep 600 & echo $!",
    "setsid sleep 600 & echo $!",
    "sh -c 'trap \"\" TERM; while :; do sleep 1; done' & echo $!",
  };

  tau_survivors_get ();
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      int pid = run (commands[i]);
      TauSurvivor *survivor;

      tau_test_wait_until ((survivor = find (pid)) != NULL);
      g_assert_nonnull (strstr (tau_survivor_get_command (survivor), "sleep "));
      g_assert_false (tau_survivor_get_is_orphan (survivor));
      g_assert_cmpint (tau_survivor_get_memory (survivor), >, 0);
      g_assert_cmpint (tau_survivor_get_age_ms (survivor), <, 60 * 1000);
      g_assert_cmpuint (tau_survivor_get_n_processes (survivor), >=, 1);
      g_assert_cmpint (tau_survivor_get_group (survivor), ==, getpgid (pid));
      check_stop (pid);
    }
}

/* P27: what was left may go on writing: nobody closes the pipe on it. */
static void
test_p27_left_writes (void)
{
  int pid = run ("(sleep 0.3; while echo line; do sleep 0.02; done) & echo $!");
  TauSurvivor *survivor;
  gint64 age;

  tau_test_wait_until ((survivor = find (pid)) != NULL);
  age = tau_survivor_get_age_ms (survivor);
  tau_test_wait_until (tau_survivor_get_age_ms (survivor) > age + 500);
  g_assert_true (is_alive (pid));
  check_stop (pid);
}

static void
test_running_is_none (void)
{
  g_autoptr(TauToolContext) context = tau_tool_context_new ("/");
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) answer = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBashResult) result = NULL;

  tau_bash_run_async (context, "sleep 600", 0, FALSE, NULL, NULL, cancellable, tau_test_loop_result_cb, &answer);
  for (int i = 0; i < 3; i++)
    {
      g_autoptr(GPtrArray) found = tau_survivor_find_all ();

      for (guint j = 0; j < found->len; j++)
        {
          TauSurvivor *survivor = g_ptr_array_index (found, j);
          g_autofree char *id = tau_proc_dup_variable (tau_survivor_get_pid (survivor), TAU_COMMAND_ID_VARIABLE);

          g_assert_true (id == NULL || atoi (id) != getpid ());
        }
    }
  g_cancellable_cancel (cancellable);
  tau_test_loop_wait_result (&answer);
  result = tau_bash_run_finish (answer, &error);
  g_assert_no_error (error);
}

/* P33: what a Tau that crashed has left is listed by the next one, and can be ended. */
static void
test_p33_after_crash (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GSubprocess) tau = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "tau", NULL);
  g_autoptr(GDataInputStream) lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (tau));
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &error);
  TauSurvivor *survivor;
  int pid;

  g_assert_no_error (error);
  g_assert_nonnull (line);
  pid = atoi (line);
  g_assert_null (find (pid));
  g_subprocess_send_signal (tau, SIGKILL);
  g_subprocess_wait (tau, NULL, NULL);

  tau_survivors_look ();
  tau_test_wait_until ((survivor = find (pid)) != NULL);
  g_assert_true (tau_survivor_get_is_orphan (survivor));
  g_assert_cmpstr (tau_survivor_get_command (survivor), ==, "sleep 600");
  check_stop (pid);
}

/* The Tau that crashes: its command leaves something of its own session, and is over. */
static int
be_tau (void)
{
  printf ("%d\n", run ("setsid sleep 600 & echo $!"));
  fflush (stdout);
  pause ();
  return 0;
}

static void
test_judge (void)
{
  g_autofree char *id = tau_command_id_begin ();
  g_autofree char *other = tau_command_id_begin ();

  g_assert_cmpstr (id, !=, other);
  g_assert_cmpint (tau_command_id_judge (id), ==, TAU_COMMAND_RUNNING);
  tau_command_id_end (id);
  g_assert_cmpint (tau_command_id_judge (id), ==, TAU_COMMAND_LEFT);
  g_assert_cmpint (tau_command_id_judge (other), ==, TAU_COMMAND_RUNNING);
  tau_command_id_end (other);
  g_assert_cmpint (tau_command_id_judge (NULL), ==, TAU_COMMAND_UNKNOWN);
  g_assert_cmpint (tau_command_id_judge ("rubbish"), ==, TAU_COMMAND_UNKNOWN);
  g_assert_cmpint (tau_command_id_judge ("999999999-5-1"), ==, TAU_COMMAND_ORPHANED);
  /* A number that was used again is somebody else. */
  g_assert_cmpint (tau_command_id_judge ("1-12345678901-1"), ==, TAU_COMMAND_ORPHANED);
}

int
main (int    argc,
      char **argv)
{
  if (argc == 2 && argv[1][0] != '-')
    return be_tau ();

  program = argv[0];
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/survivors/judge", test_judge);
  g_test_add_func ("/survivors/running-is-none", test_running_is_none);
  g_test_add_func ("/survivors/p27-left", test_p27_left);
  g_test_add_func ("/survivors/p27-left-writes", test_p27_left_writes);
  g_test_add_func ("/survivors/p33-after-crash", test_p33_after_crash);

  return g_test_run ();
}
