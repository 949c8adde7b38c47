/* SPDX-License-Identifier: MIT */
#include "core/base/tau-guard.h"

#include "core/base/tau-process.h"
#include "support/tau-test-loop.h"

#include <gio/gio.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each test begins this program once more as a Tau that runs commands, and then takes it away. */

static const char *program;

/* Four kinds of commands: one that obeys, one that does not, one that has ended and left something, one that left its group. */
static const char *const commands[] = {
  "echo $$; sleep 600",
  "trap '' TERM HUP; echo $$; while :; do sleep 1; done",
  "(trap '' TERM; while :; do sleep 1; done) & echo $$",
  "setsid sleep 600 & echo $!",
};

static void
write_cb (TauProcess   *process,
          const guint8 *bytes,
          gsize         length,
          gpointer      user_data)
{
  g_assert_cmpint (write (STDOUT_FILENO, bytes, length), ==, (gssize) length);
}

static gboolean
input_ended_cb (int          fd,
                GIOCondition condition,
                gpointer     loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

/* What the other process does: runs the commands and tells their numbers, until its input ends. */
static int
be_tau (void)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      TauProcess *process = tau_process_new ((const char *[]) { "sh", "-c", commands[i], NULL }, NULL, NULL);

      tau_process_set_output_func (process, write_cb, NULL);
      tau_process_run_async (process, NULL, NULL, NULL);
    }
  g_unix_fd_add (STDIN_FILENO, G_IO_HUP, input_ended_cb, loop);
  g_main_loop_run (loop);
  return 0;
}

typedef struct
{
  GSubprocess *tau;
  int pids[G_N_ELEMENTS (commands)];
} Tau;

/* The number in the session field of /proc/PID/stat; 0 if it is gone or waits to be collected. */
static int
session_of (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;
  const char *rest;
  char state;
  int session;

  if (!g_file_get_contents (path, &stat, NULL, NULL))
    return 0;
  rest = strrchr (stat, ')') + 2;
  g_assert_cmpint (sscanf (rest, "%c %*d %*d %d", &state, &session), ==, 2);
  return state == 'Z' ? 0 : session;
}

static guint
count_in_group (int group)
{
  g_autoptr(GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;
  guint count = 0;

  while ((name = g_dir_read_name (proc)) != NULL)
    if (g_ascii_isdigit (*name) && getpgid (atoi (name)) == group && session_of (atoi (name)) != 0)
      count++;
  return count;
}

static guint
count_alive (Tau *tau)
{
  guint count = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    count += count_in_group (tau->pids[i]);
  return count;
}

static gboolean
look_again_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
tau_set_up (Tau           *tau,
            gconstpointer  data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GDataInputStream) lines = NULL;
  guint look_again = g_timeout_add (20, look_again_cb, NULL);

  tau->tau = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "tau", NULL);
  g_assert_no_error (error);
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (tau->tau));
  /* In the order of their coming, which is no order. */
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &error);

      g_assert_no_error (error);
      g_assert_nonnull (line);
      tau->pids[i] = atoi (line);
      g_assert_cmpint (tau->pids[i], >, 1);
    }
  /* setsid takes a moment. */
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    tau_test_wait_until (count_in_group (tau->pids[i]) > 0);
  g_source_remove (look_again);
}

/* Ends the test: only what left its group lives, and lives on until we end it. */
static void
check_end (Tau *tau)
{
  gint64 start = g_get_monotonic_time ();
  guint look_again = g_timeout_add (20, look_again_cb, NULL);
  int left = 0;

  tau_test_wait_until (count_alive (tau) <= 1);
  g_test_message ("gone after %.2f s", (g_get_monotonic_time () - start) / 1e6);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 3 * G_USEC_PER_SEC);
  g_source_remove (look_again);

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (session_of (tau->pids[i]) != 0)
      left = tau->pids[i];
  g_assert_cmpint (left, >, 1);
  kill (left, SIGKILL);
}

static void
tau_tear_down (Tau           *tau,
               gconstpointer  data)
{
  g_object_unref (tau->tau);
}

/* P33: Tau is killed in the middle of its work; three seconds later nothing of its commands' groups is there. */
static void
test_p33_killed (Tau           *tau,
                 gconstpointer  data)
{
  g_subprocess_send_signal (tau->tau, SIGKILL);
  g_subprocess_wait (tau->tau, NULL, NULL);
  check_end (tau);
}

/* P33: the same when Tau just leaves. */
static void
test_p33_left (Tau           *tau,
               gconstpointer  data)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (tau->tau), NULL, NULL);
  g_subprocess_wait (tau->tau, NULL, NULL);
  g_assert_true (g_subprocess_get_successful (tau->tau));
  check_end (tau);
}

/* The guard of this test: the one that was begun with our mark. */
static int
find_guard (const char *mark)
{
  g_autoptr(GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (proc)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc", name, "environ", NULL);
      g_autofree char *environment = NULL;
      gsize length;

      if (g_ascii_isdigit (*name) && atoi (name) != getpid () && g_file_get_contents (path, &environment, &length, NULL)
          && memmem (environment, length, mark, strlen (mark)) != NULL)
        return atoi (name);
    }
  return 0;
}

/* A guard that somebody has ended is replaced. */
static void
test_restart (void)
{
  g_autofree char *mark = g_strdup_printf ("mark-of-%d", getpid ());
  guint look_again = g_timeout_add (20, look_again_cb, NULL);
  int first;

  g_setenv ("TAU_TEST_GUARD", mark, TRUE);
  g_assert_cmpint (tau_guard_get_socket (), >=, 0);
  tau_test_wait_until ((first = find_guard (mark)) != 0);
  g_assert_cmpint (tau_guard_get_socket (), >=, 0);
  g_assert_cmpint (find_guard (mark), ==, first);

  kill (first, SIGKILL);
  tau_test_wait_until (find_guard (mark) == 0);
  g_assert_cmpint (tau_guard_get_socket (), >=, 0);
  tau_test_wait_until (find_guard (mark) != 0);
  g_source_remove (look_again);
}

int
main (int    argc,
      char **argv)
{
  if (argc == 2 && argv[1][0] != '-')
    return be_tau ();

  program = argv[0];
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/guard/p33-killed", Tau, NULL, tau_set_up, test_p33_killed, tau_tear_down);
  g_test_add ("/guard/p33-left", Tau, NULL, tau_set_up, test_p33_left, tau_tear_down);
  g_test_add_func ("/guard/restart", test_restart);

  return g_test_run ();
}
