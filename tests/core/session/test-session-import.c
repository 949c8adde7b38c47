/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-import.h"

#include "core/base/tau-error.h"
#include "core/session/tau-session-info.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <string.h>

#define REST "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"2026-01-01T10:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\nnot json \xff\nlast"

static char *
header (const char *id)
{
  return g_strdup_printf ("{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"2026-01-01T10:00:00.000Z\",\"cwd\":\"/home/u/one\",\"extra\":1}\n", id);
}

static void
test_copies_with_a_free_id (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *root = tau_test_dir_mkdir (dir, "sessions");
  g_autofree char *first_line = header ("s1");
  g_autofree char *text = g_strconcat (first_line, REST, NULL);
  g_autofree char *source = tau_test_dir_write (dir, "in.jsonl", text);
  g_autofree char *expected = g_build_filename (root, "--home-u-one--", "2026-01-01T10-00-00-000Z_s1.jsonl", NULL);
  g_autofree char *whole = g_strconcat (text, "\n", NULL);
  g_autofree char *copied = NULL;
  g_autofree char *second = NULL;
  g_autofree char *second_text = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;
  g_autoptr(TauSessionInfo) info = NULL;

  tau_session_import_async (source, root, tau_test_loop_result_cb, &result);
  path = tau_session_import_finish (tau_test_loop_wait_result (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (path, ==, expected);
  g_assert_true (g_file_get_contents (path, &copied, NULL, NULL));
  g_assert_cmpstr (copied, ==, whole);   /* broken lines too */

  second = tau_session_import (source, root, &error);
  g_assert_no_error (error);
  info = tau_session_info_read (second);
  g_assert_cmpstr (tau_session_info_get_id (info), !=, "s1");
  g_assert_true (g_file_get_contents (second, &second_text, NULL, NULL));
  g_assert_nonnull (strstr (second_text, "\"extra\":1"));
  g_assert_true (g_str_has_suffix (second_text, strchr (whole, '\n')));
}

static void
test_takes_no_path_from_an_id (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *root = tau_test_dir_mkdir (dir, "sessions");
  static const char * const ids[] = { "../../evil", "a/b", "", "\\u0000x", "%s" };

  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *text = header (ids[i]);
      g_autofree char *source = tau_test_dir_write (dir, "in.jsonl", text);
      g_autoptr(GError) error = NULL;
      g_autofree char *path = tau_session_import (source, root, &error);
      g_autofree char *folder = g_path_get_dirname (path);
      g_autofree char *expected = g_build_filename (root, "--home-u-one--", NULL);

      g_assert_no_error (error);
      g_assert_cmpstr (folder, ==, expected);
    }
}

static void
test_refuses_what_is_no_session (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *root = tau_test_dir_mkdir (dir, "sessions");
  g_autofree char *source = tau_test_dir_write (dir, "in.jsonl", REST "\n");
  g_autoptr(GError) error = NULL;

  g_assert_null (tau_session_import (source, root, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (tau_session_import ("/dev/zero", root, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_clear_error (&error);
  g_assert_null (tau_session_import (root, root, &error));
  g_assert_nonnull (error);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/session-import/copies", test_copies_with_a_free_id);
  g_test_add_func ("/session-import/hostile-id", test_takes_no_path_from_an_id);
  g_test_add_func ("/session-import/no-session", test_refuses_what_is_no_session);
  return g_test_run ();
}
