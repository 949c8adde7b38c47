/* SPDX-License-Identifier: MIT */
#include "core/session/tau-project-identity.h"

#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <glib/gstdio.h>
#include <string.h>

static void
run_git (const char *folder,
         const char *command)
{
  g_autofree char *line = g_strdup_printf ("git -C '%s' -c user.name=n -c user.email=e@x %s", folder, command);
  g_autofree char *output = NULL;
  g_autofree char *errors = NULL;
  g_autoptr(GError) error = NULL;
  int status;

  g_spawn_command_line_sync (line, &output, &errors, &status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s: %s", line, errors);
}

/* P61: a repository is known again after it was moved, by its first commit or by where it comes from. */
static void
test_known_after_a_move (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *here = tau_test_dir_mkdir (dir, "here");
  g_autofree char *there = tau_test_dir_build (dir, "there");
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *without_log = NULL;
  g_autofree char *remote = NULL;
  g_autofree char *below = NULL;
  g_autofree char *log = g_build_filename (there, ".git", "logs", "HEAD", NULL);
  g_autofree char *inside = g_build_filename (there, "sub", NULL);
  g_autoptr(GAsyncResult) result = NULL;

  g_assert_null (tau_project_identity_read (here));
  run_git (here, "init -q");
  g_assert_null (tau_project_identity_read (here));
  run_git (here, "commit -q --allow-empty -m one");
  run_git (here, "commit -q --allow-empty -m two");
  before = tau_project_identity_read (here);
  g_assert_true (g_str_has_prefix (before, "commit "));
  g_assert_cmpint (g_rename (here, there), ==, 0);
  tau_project_identity_read_async (there, tau_test_loop_result_cb, &result);
  after = tau_project_identity_read_finish (tau_test_loop_wait_result (&result));
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpint (g_unlink (log), ==, 0);
  without_log = tau_project_identity_read (there);
  g_assert_cmpstr (before, ==, without_log);

  run_git (there, "remote add origin https://me:secret@example.org/a/b.git");
  remote = tau_project_identity_read (there);
  g_assert_cmpstr (remote, ==, "remote example.org/a/b");
  g_assert_cmpint (g_mkdir (inside, 0700), ==, 0);
  below = tau_project_identity_read (inside);
  g_assert_cmpstr (below, ==, "remote example.org/a/b/sub");
}

static void
test_worktrees_and_nonsense (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *main_folder = tau_test_dir_mkdir (dir, "main");
  g_autofree char *tree = tau_test_dir_build (dir, "tree");
  g_autofree char *odd = tau_test_dir_mkdir (dir, "odd");
  g_autofree char *file = tau_test_dir_write (dir, "odd/.git", "nonsense \xff");
  g_autofree char *add = g_strdup_printf ("worktree add -q '%s'", tree);
  g_autofree char *identity = NULL;
  g_autofree char *same = NULL;

  run_git (main_folder, "init -q");
  run_git (main_folder, "commit -q --allow-empty -m one");
  run_git (main_folder, add);
  identity = tau_project_identity_read (main_folder);
  same = tau_project_identity_read (tree);
  g_assert_nonnull (identity);
  g_assert_cmpstr (identity, ==, same);
  g_assert_null (tau_project_identity_read (odd));
  g_assert_null (tau_project_identity_read ("/nonexistent/folder"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/project-identity/p61-known-after-a-move", test_known_after_a_move);
  g_test_add_func ("/project-identity/worktrees", test_worktrees_and_nonsense);
  return g_test_run ();
}
