/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-rename.h"

#include "core/base/tau-error.h"
#include "core/session/tau-session-copy.h"
#include "core/session/tau-session-info.h"
#include "core/session/tau-session-lease.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>

static const char session[] =
  "{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\"timestamp\":\"2026-01-01T10:00:00.000Z\",\"cwd\":\"/home/u/one\"}\n"
  "{\"type\":\"message\",\"id\":\"aaaaaaaa\",\"parentId\":null,\"timestamp\":\"2026-01-01T10:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":\"hi\",\"timestamp\":1767261601000}}\n"
  "{\"type\":\"message\",\"id\":\"bbbbbbbb\",\"parentId\":\"aaaaaaaa\",\"timestamp\":\"2026-01-01T10:00:02.000Z\",\"message\":{\"role\":\"user\",\"content\":\"again\",\"timestamp\":1767261602000}}\n";

static void
test_appends_a_name (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_write (dir, "a.jsonl", session);
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(TauSessionInfo) info = NULL;
  g_autofree char *text = NULL;

  tau_session_rename_async (path, "  A name\t", tau_test_loop_result_cb, &result);
  g_assert_true (tau_session_rename_finish (tau_test_loop_wait_result (&result), &error));
  g_assert_no_error (error);

  text = tau_test_dir_read (dir, "a.jsonl");
  g_assert_true (g_str_has_prefix (text, session));
  g_assert_nonnull (strstr (text + strlen (session), "\"type\":\"session_info\""));
  g_assert_nonnull (strstr (text + strlen (session), "\"parentId\":\"bbbbbbbb\""));
  g_assert_nonnull (strstr (text + strlen (session), "\"name\":\"A name\"}\n"));
  info = tau_session_info_read (path);
  g_assert_cmpstr (tau_session_info_get_name (info), ==, "A name");

  g_assert_true (tau_session_rename (path, "", &error));
  g_clear_object (&info);
  info = tau_session_info_read (path);
  g_assert_null (tau_session_info_get_name (info));
}

static void
test_leaves_alone_what_is_in_use (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_write (dir, "a.jsonl", session);
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;
  int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);

  g_assert_true (tau_session_lease_take (fd, path, NULL));
  g_assert_false (tau_session_rename (path, "Name", &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_LOCKED);
  text = tau_test_dir_read (dir, "a.jsonl");
  g_assert_cmpstr (text, ==, session);
  g_assert_true (g_close (fd, NULL));
}

static void
test_never_writes_what_is_no_session (void)
{
  static const char * const texts[] = { "", "garbage\n", "{\"type\":\"message\",\"id\":\"x\",\"parentId\":null}\n" };
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = tau_test_dir_write (dir, "x.jsonl", texts[i]);
      g_autofree char *text = NULL;
      g_autoptr(GError) error = NULL;

      g_assert_false (tau_session_rename (path, "Name", &error));
      g_assert_nonnull (error);
      text = tau_test_dir_read (dir, "x.jsonl");
      g_assert_cmpstr (text, ==, texts[i]);
    }
}

static void
test_copies_a_whole_session (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_write (dir, "a.jsonl", session);
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *copy = NULL;
  g_autofree char *text = NULL;
  g_autoptr(TauSessionInfo) info = NULL;

  tau_session_copy_file_async (path, tau_test_dir_get_path (dir), "/home/u/two", tau_test_loop_result_cb, &result);
  copy = tau_session_copy_file_finish (tau_test_loop_wait_result (&result), &error);
  g_assert_no_error (error);
  info = tau_session_info_read (copy);
  g_assert_cmpstr (tau_session_info_get_parent_path (info), ==, path);
  g_assert_cmpstr (tau_session_info_get_cwd (info), ==, "/home/u/two");
  g_assert_cmpstr (tau_session_info_get_id (info), !=, "s1");
  g_assert_true (g_file_get_contents (copy, &text, NULL, NULL));
  g_assert_true (g_str_has_suffix (text, strchr (session, '\n')));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/session-rename/appends", test_appends_a_name);
  g_test_add_func ("/session-rename/in-use", test_leaves_alone_what_is_in_use);
  g_test_add_func ("/session-rename/no-session", test_never_writes_what_is_no_session);
  g_test_add_func ("/session-rename/copy", test_copies_a_whole_session);
  return g_test_run ();
}
