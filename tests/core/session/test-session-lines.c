/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-lines.h"

#include "support/tau-test-dir.h"

#include <string.h>

/* Lines as "start:text|", with "~" behind one that has no end. */
static char *
dup_lines (const char *contents,
           gsize       length,
           gint64      offset,
           gsize       max_line,
           guint      *n_passed_over,
           gint64     *end)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_build (dir, "s.jsonl");
  g_autoptr(TauSessionLines) lines = NULL;
  g_autoptr(GString) out = g_string_new (NULL);
  const char *line;
  gsize line_length;

  g_assert_true (g_file_set_contents (path, contents, (gssize) length, NULL));
  lines = tau_session_lines_open (path, offset, max_line, NULL);
  while (tau_session_lines_next (lines, &line, &line_length))
    g_string_append_printf (out, "%" G_GINT64_FORMAT ":%.*s%s|", tau_session_lines_get_start (lines), (int) line_length, line,
                            tau_session_lines_has_newline (lines) ? "" : "~");
  *n_passed_over = tau_session_lines_get_n_passed_over (lines);
  *end = tau_session_lines_get_offset (lines);
  g_assert_cmpint (tau_session_lines_get_error (lines), ==, 0);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
check (const char *contents,
       gint64      offset,
       const char *expected,
       guint       passed_over)
{
  guint n_passed_over;
  gint64 end;
  g_autofree char *found = dup_lines (contents, strlen (contents), offset, 8, &n_passed_over, &end);

  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpuint (n_passed_over, ==, passed_over);
  g_assert_cmpint (end, ==, (gint64) strlen (contents));
}

static void
test_lines (void)
{
  check ("", 0, "", 0);
  check ("\n", 0, "0:|", 0);
  check ("a\nbb\n", 0, "0:a|2:bb|", 0);
  check ("a\nbb", 0, "0:a|2:bb~|", 0);
  check ("a\r\n\n", 0, "0:a\r|3:|", 0);
  check ("a\nbb\n", 2, "2:bb|", 0);
  check ("\xEF\xBB\xBF" "a\nb\n", 0, "3:a|5:b|", 0);
  check ("\xEF\xBB" "a\n", 0, "0:\xEF\xBB" "a|", 0);
}

static void
test_too_long (void)
{
  check ("1234567\n1\n", 0, "0:1234567|8:1|", 0);
  check ("12345678\n1\n", 0, "9:1|", 1);
  check ("a\n123456789\n123456789\nb\n", 0, "0:a|22:b|", 2);
  check ("a\n123456789", 0, "0:a|", 1);
}

/* Lines around the size of what is read at once, and some that need many reads. */
static void
test_blocks (void)
{
  static const gsize lengths[] = { 131070, 131071, 131072, 262143, 262144, 262145, 1000000, 3 };
  g_autoptr(GString) text = g_string_new (NULL);
  guint n_passed_over;
  gint64 end;

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *line = g_strnfill (lengths[i], (char) ('a' + i));

      g_string_append_printf (text, "%s\n", line);
    }
  for (gsize max = 100000; max < 1200000; max += 500000)
    {
      g_autofree char *found = dup_lines (text->str, text->len, 0, max, &n_passed_over, &end);
      gint64 start = 0;

      for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
        {
          g_autofree char *line = g_strnfill (lengths[i], (char) ('a' + i));
          g_autofree char *expected = g_strdup_printf ("%" G_GINT64_FORMAT ":%s|", start, line);

          g_assert_cmpint (strstr (found, expected) != NULL, ==, lengths[i] < max);
          n_passed_over -= lengths[i] >= max;
          start += (gint64) lengths[i] + 1;
        }
      g_assert_cmpuint (n_passed_over, ==, 0);
      g_assert_cmpint (end, ==, (gint64) text->len);
    }
}

static void
test_no_file (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *folder = tau_test_dir_mkdir (dir, "folder");
  g_autofree char *missing = tau_test_dir_build (dir, "missing");
  g_autoptr(GError) error = NULL;

  g_assert_null (tau_session_lines_open (folder, 0, 8, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_clear_error (&error);
  g_assert_null (tau_session_lines_open (missing, 0, 8, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-lines/lines", test_lines);
  g_test_add_func ("/session-lines/too-long", test_too_long);
  g_test_add_func ("/session-lines/blocks", test_blocks);
  g_test_add_func ("/session-lines/no-file", test_no_file);
  return g_test_run ();
}
