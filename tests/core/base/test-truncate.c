/* SPDX-License-Identifier: MIT */
#include "core/base/tau-truncate.h"

#include "core/base/tau-json.h"

#include <string.h>

typedef TauTruncation *(*Truncate) (const char *text, gssize length, gint64 max_lines, gint64 max_bytes);

static void
check (Truncate       truncate,
       const char    *text,
       gint64         max_lines,
       gint64         max_bytes,
       const char    *content,
       gint64         lines,
       TauTruncatedBy by)
{
  g_autofree char *copy = g_memdup2 (text, strlen (text));   /* no NUL behind it */
  g_autoptr(TauTruncation) result = truncate (text[0] != '\0' ? copy : "", (gssize) strlen (text), max_lines, max_bytes);

  g_assert_cmpstr (result->content, ==, content);
  g_assert_cmpint (result->output_lines, ==, lines);
  g_assert_cmpint (result->output_bytes, ==, (gint64) strlen (content));
  g_assert_cmpint (result->total_bytes, ==, (gint64) strlen (text));
  g_assert_cmpint (result->by, ==, by);
  g_assert_cmpint (result->truncated, ==, by != TAU_TRUNCATED_BY_NONE);
  g_assert_cmpint (result->max_lines, ==, max_lines);
  g_assert_cmpint (result->max_bytes, ==, max_bytes);
}

static void
test_whole (void)
{
  static const Truncate both[] = { tau_truncate_head, tau_truncate_tail };

  for (guint i = 0; i < 2; i++)
    {
      check (both[i], "", 10, 10, "", 1, TAU_TRUNCATED_BY_NONE);
      check (both[i], "a\nb", 2, 3, "a\nb", 2, TAU_TRUNCATED_BY_NONE);
      check (both[i], "a\n", 2, 3, "a\n", 2, TAU_TRUNCATED_BY_NONE);
    }
}

static void
test_head (void)
{
  check (tau_truncate_head, "a\nb\nc", 2, 100, "a\nb", 2, TAU_TRUNCATED_BY_LINES);
  check (tau_truncate_head, "a\nb\n", 2, 100, "a\nb", 2, TAU_TRUNCATED_BY_LINES);
  check (tau_truncate_head, "a\nb\nc", 100, 4, "a\nb", 2, TAU_TRUNCATED_BY_BYTES);
  check (tau_truncate_head, "a\nb\nc", 100, 3, "a\nb", 2, TAU_TRUNCATED_BY_BYTES);
  check (tau_truncate_head, "a\nb\nc", 100, 2, "a", 1, TAU_TRUNCATED_BY_BYTES);
  check (tau_truncate_head, "a\nb\nc", 2, 3, "a\nb", 2, TAU_TRUNCATED_BY_LINES);
  check (tau_truncate_head, "\n\n\n", 2, 100, "\n", 2, TAU_TRUNCATED_BY_LINES);
  check (tau_truncate_head, "abcd\nx", 100, 3, "", 0, TAU_TRUNCATED_BY_BYTES);
}

static void
test_tail (void)
{
  check (tau_truncate_tail, "a\nb\nc", 2, 100, "b\nc", 2, TAU_TRUNCATED_BY_LINES);
  check (tau_truncate_tail, "a\nb\n", 2, 100, "b\n", 2, TAU_TRUNCATED_BY_LINES);
  check (tau_truncate_tail, "a\nb\nc", 100, 4, "b\nc", 2, TAU_TRUNCATED_BY_BYTES);
  check (tau_truncate_tail, "a\nb\nc", 100, 3, "b\nc", 2, TAU_TRUNCATED_BY_BYTES);
  check (tau_truncate_tail, "a\nb\nc", 100, 2, "c", 1, TAU_TRUNCATED_BY_BYTES);
  check (tau_truncate_tail, "abcd\n", 100, 3, "", 1, TAU_TRUNCATED_BY_BYTES);
  check (tau_truncate_tail, "x\nabcd", 100, 3, "bcd", 1, TAU_TRUNCATED_BY_BYTES);
  check (tau_truncate_tail, "x\na\xc3\xa9z", 100, 2, "z", 1, TAU_TRUNCATED_BY_BYTES);
  check (tau_truncate_tail, "\xf0\x9f\x98\x80", 100, 3, "", 1, TAU_TRUNCATED_BY_BYTES);
}

static void
test_flags (void)
{
  g_autoptr(TauTruncation) head = tau_truncate_head ("abcd\nx", -1, 10, 3);
  g_autoptr(TauTruncation) tail = tau_truncate_tail ("x\nabcd", -1, 10, 3);
  g_autoptr(TauTruncation) plain = tau_truncate_tail ("x\nabcd", -1, 1, 30);

  g_assert_true (head->first_line_exceeds_limit);
  g_assert_false (head->last_line_partial);
  g_assert_true (tail->last_line_partial);
  g_assert_false (tail->first_line_exceeds_limit);
  g_assert_false (plain->last_line_partial);
  g_assert_cmpint (plain->total_lines, ==, 2);
}

/* "seq 1 3000" as the bash tool sees it. */
static void
test_defaults (void)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(TauTruncation) tail = NULL;

  for (guint i = 1; i <= 3000; i++)
    g_string_append_printf (text, "%u\n", i);
  tail = tau_truncate_tail (text->str, (gssize) text->len, TAU_TRUNCATE_MAX_LINES, TAU_TRUNCATE_MAX_BYTES);

  g_assert_cmpint (tail->total_lines, ==, 3001);
  g_assert_cmpint (tail->output_lines, ==, 2000);
  g_assert_true (g_str_has_prefix (tail->content, "1002\n"));
  g_assert_true (g_str_has_suffix (tail->content, "\n3000\n"));
}

static void
test_to_json (void)
{
  g_autoptr(TauTruncation) cut = tau_truncate_head ("a\nb\nc", -1, 2, 100);
  g_autoptr(TauTruncation) whole = tau_truncate_head ("a", -1, 2, 100);
  g_autoptr(JsonNode) cut_node = tau_truncation_to_json (cut);
  g_autoptr(JsonNode) whole_node = tau_truncation_to_json (whole);
  g_autofree char *text = tau_json_to_string (cut_node);

  g_assert_cmpstr (text, ==,
                   "{\"content\":\"a\\nb\",\"truncated\":true,\"truncatedBy\":\"lines\",\"totalLines\":3,\"totalBytes\":5,"
                   "\"outputLines\":2,\"outputBytes\":3,\"lastLinePartial\":false,\"firstLineExceedsLimit\":false,"
                   "\"maxLines\":2,\"maxBytes\":100}");
  g_assert_true (tau_json_is_null (whole_node, "truncatedBy"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/truncate/whole", test_whole);
  g_test_add_func ("/truncate/head", test_head);
  g_test_add_func ("/truncate/tail", test_tail);
  g_test_add_func ("/truncate/flags", test_flags);
  g_test_add_func ("/truncate/defaults", test_defaults);
  g_test_add_func ("/truncate/to-json", test_to_json);

  return g_test_run ();
}
