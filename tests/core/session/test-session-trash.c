/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-trash.h"

#include "core/base/tau-error.h"
#include "core/session/tau-session-lease.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>

static void
test_comes_back (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *folder = tau_test_dir_mkdir (dir, "--p--");
  g_autofree char *path = tau_test_dir_write (dir, "--p--/a.jsonl", "the session\n");
  g_autofree char *other = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GAsyncResult) restored = NULL;
  g_autoptr(TauSessionTrash) trash = NULL;
  g_autoptr(TauSessionTrash) second = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;

  tau_session_trash_put_async (path, tau_test_loop_result_cb, &result);
  trash = tau_session_trash_put_finish (tau_test_loop_wait_result (&result), &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpstr (tau_session_trash_get_path (trash), ==, path);

  /* Another one of the same name goes the same way; each comes back as itself, even if the folder is gone. */
  other = tau_test_dir_write (dir, "--p--/a.jsonl", "another\n");
  second = tau_session_trash_put (other, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  tau_session_trash_restore_async (trash, tau_test_loop_result_cb, &restored);
  g_assert_true (tau_session_trash_restore_finish (trash, tau_test_loop_wait_result (&restored), &error));
  text = tau_test_dir_read (dir, "--p--/a.jsonl");
  g_assert_cmpstr (text, ==, "the session\n");

  /* What is there now is not overwritten. */
  g_assert_false (tau_session_trash_restore (second, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_false (tau_session_trash_restore (trash, &error));
  g_assert_nonnull (error);
}

static void
test_refuses_what_is_in_use (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_write (dir, "a.jsonl", "x\n");
  g_autoptr(GError) error = NULL;
  int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);

  g_assert_true (tau_session_lease_take (fd, path, NULL));
  g_assert_null (tau_session_trash_put (path, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_LOCKED);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (g_close (fd, NULL));
}

static void
test_says_what_is_missing (void)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (tau_session_trash_put ("/nonexistent/a.jsonl", &error));
  g_assert_nonnull (error);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr(TauTestDir) home = tau_test_dir_new ();

  g_setenv ("XDG_DATA_HOME", tau_test_dir_get_path (home), TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/session-trash/comes-back", test_comes_back);
  g_test_add_func ("/session-trash/in-use", test_refuses_what_is_in_use);
  g_test_add_func ("/session-trash/missing", test_says_what_is_missing);
  return g_test_run ();
}
