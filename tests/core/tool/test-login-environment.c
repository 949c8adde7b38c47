/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-login-environment.h"

#include "tool-fixture.h"

#include <string.h>
#include <sys/stat.h>

/* Login shells of several kinds, each a script of the test's own. */

static void
set_shell (ToolFixture *fixture,
           const char  *script)
{
  g_autofree char *path = tau_test_dir_write (fixture->dir, "login-shell", script);

  g_assert_cmpint (chmod (path, 0700), ==, 0);
  g_setenv ("SHELL", path, TRUE);
  g_unsetenv ("TERM");
}

static void
check_command (ToolFixture *fixture,
               const char  *command,
               const char  *wanted)
{
  g_auto(ToolResult) result = tool_fixture_call (fixture, "bash", "{'command':'%s'}", command);

  g_assert_cmpstr (result.text, ==, wanted);
}

static void
read_whole (void)
{
  tau_login_environment_read ();
  tau_test_wait_until (tau_login_environment_is_settled ());
}

/* P39: a command has the PATH that only the login shell knows, even if it is the first thing that is asked for. */
static void
test_p39_path (ToolFixture  *fixture,
               gconstpointer data)
{
  g_autofree char *report = NULL;

  set_shell (fixture,
             "#!/bin/sh\n"
             "test \"$1 $2 $3\" = '-l -i -c' || exit 1\n"
             "echo 'Welcome back'; echo noise >&2\n"
             "export PATH=\"/from/login/bin:$PATH\" TAU_TEST_LINES='two\nlines' PWD=/elsewhere SHLVL=7\n"
             "sh -c \"$4\"\n"
             "echo Bye\n");
  tau_login_environment_read ();
  g_assert_false (tau_login_environment_is_settled ());
  check_command (fixture, "echo $PATH | grep -c /from/login/bin:", "1\n");
  check_command (fixture, "echo $TAU_TEST_LINES; echo $EDITOR | head -c 2", "two lines\nsh");
  check_command (fixture, "test $PWD = /elsewhere || echo no", "no\n");
  report = tau_login_environment_dup_report ();
  g_assert_nonnull (strstr (report, "login-shell"));
  g_assert_nonnull (strstr (report, "PATH=/from/login/bin:"));
}

/* P39: the shell that most have, which wants a terminal as an interactive one and gets none. */
static void
test_p39_bash (ToolFixture  *fixture,
               gconstpointer data)
{
  g_autofree char *home = g_strdup (g_getenv ("HOME"));
  g_autofree char *profile = tau_test_dir_write (fixture->dir, ".bash_profile", "export PATH=/from/profile/bin:$PATH\n. ~/.bashrc\n");
  g_autofree char *rc = tau_test_dir_write (fixture->dir, ".bashrc", "case $- in *i*) ;; *) return ;; esac\nexport NVM_TEST=/nvm\n");

  g_unsetenv ("TERM");
  g_setenv ("SHELL", "/bin/bash", TRUE);
  g_setenv ("HOME", tau_test_dir_get_path (fixture->dir), TRUE);
  read_whole ();
  check_command (fixture, "echo $PATH | grep -c /from/profile/bin:; echo $NVM_TEST", "1\n/nvm\n");
  if (home != NULL)
    g_setenv ("HOME", home, TRUE);
}

static void
test_p39_fails (ToolFixture  *fixture,
                gconstpointer data)
{
  g_autofree char *report = NULL;

  set_shell (fixture, "#!/bin/sh\necho 'no such option' >&2\nexit 2\n");
  read_whole ();
  check_command (fixture, "echo $PATH | grep -c from/login", "0\n\n\nCommand exited with code 1");
  report = tau_login_environment_dup_report ();
  g_assert_nonnull (strstr (report, "did not tell its environment"));

  g_setenv ("SHELL", "/nowhere/shell", TRUE);
  read_whole ();
  check_command (fixture, "echo x", "x\n");
}

/* P39: start files that wait for somebody cost a command five seconds and the loop nothing. */
static void
test_p39_hangs (ToolFixture  *fixture,
                gconstpointer data)
{
  gint64 start = g_get_monotonic_time ();
  guint look_again = g_timeout_add (20, look_again_cb, NULL);

  set_shell (fixture, "#!/bin/sh\nread answer < /dev/tty\nsleep 600\n");
  tau_login_environment_read ();
  g_assert_cmpint (g_get_monotonic_time () - start, <, G_USEC_PER_SEC);
  /* A command that is stopped while it waits is over at once, and never begins. */
  g_cancellable_cancel (fixture->cancellable);
  check_command (fixture, "touch begun", "Command aborted");
  g_cancellable_reset (fixture->cancellable);
  check_command (fixture, "echo x", "x\n");
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
  g_assert_false (tau_test_dir_has (fixture->dir, "begun"));
  g_source_remove (look_again);
}

/* Floods, also between the marks, end in nothing worse than no answer. */
static void
test_floods (ToolFixture  *fixture,
             gconstpointer data)
{
  set_shell (fixture, "#!/bin/sh\nhead -c 5000000 /dev/zero\nsh -c \"$4\"\n");
  read_whole ();
  check_command (fixture, "echo x", "x\n");
}

static void
test_terminal (ToolFixture  *fixture,
               gconstpointer data)
{
  set_shell (fixture, "#!/bin/sh\nsleep 600\n");
  g_setenv ("TERM", "xterm", TRUE);
  tau_login_environment_read ();
  g_assert_true (tau_login_environment_is_settled ());
  g_unsetenv ("TERM");
}

#define add(path, func) g_test_add (path, ToolFixture, NULL, tool_fixture_set_up, func, tool_fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/login-environment/terminal", test_terminal);
  add ("/login-environment/p39-path", test_p39_path);
  add ("/login-environment/p39-bash", test_p39_bash);
  add ("/login-environment/p39-fails", test_p39_fails);
  add ("/login-environment/p39-hangs", test_p39_hangs);
  add ("/login-environment/floods", test_floods);

  return g_test_run ();
}
