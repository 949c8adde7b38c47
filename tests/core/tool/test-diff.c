/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-diff.h"

#include <string.h>

static void
check (const char *before,
       const char *after,
       const char *wanted,
       gint64      wanted_line)
{
  gint64 line;
  g_autoptr(GString) diff = tau_diff_text (before, strlen (before), after, strlen (after), &line);

  g_assert_cmpstr (diff->str, ==, wanted);
  g_assert_cmpint (line, ==, wanted_line);
}

static char *
numbered (int         n,
          int         changed,
          const char *text)
{
  GString *out = g_string_new (NULL);

  for (int i = 1; i <= n; i++)
    if (i == changed)
      g_string_append_printf (out, "%s\n", text);
    else
      g_string_append_printf (out, "L%d\n", i);
  return g_string_free (out, FALSE);
}

static void
test_rows (void)
{
  g_autofree char *before = numbered (30, 0, NULL);
  g_autofree char *after = numbered (30, 5, "five");
  g_autofree char *twice = numbered (30, 26, "26 new");

  check ("one\ntwo\nthree", "one\n2\nthree", " 1 one\n-2 two\n+2 2\n 3 three", 2);
  check ("", "a\n", "+1 a", 1);
  check ("a\n", "", "-1 a", 1);
  check ("a\nb\n", "a\nnew\nb\n", " 1 a\n+2 new\n 2 b", 2);
  check ("a\n", "a", "-1 a\n+1 a", 1);
  check (before, after,
         "  1 L1\n  2 L2\n  3 L3\n  4 L4\n- 5 L5\n+ 5 five\n  6 L6\n  7 L7\n  8 L8\n  9 L9\n    ...", 5);
  check (before, twice,
         "    ...\n 22 L22\n 23 L23\n 24 L24\n 25 L25\n-26 L26\n+26 26 new\n 27 L27\n 28 L28\n 29 L29\n 30 L30", 26);
}

/* A gap between two changes is one row; lines near both are shown once. */
static void
test_gap (void)
{
  g_autofree char *before = numbered (30, 0, NULL);
  g_autofree char *middle = numbered (30, 2, "two");
  g_autoptr(GString) after = g_string_new (middle);
  g_autoptr(GString) near = g_string_new (middle);

  g_string_replace (after, "L14\n", "", 0);
  check (before, after->str,
         "  1 L1\n- 2 L2\n+ 2 two\n  3 L3\n  4 L4\n  5 L5\n  6 L6\n    ...\n 10 L10\n 11 L11\n 12 L12\n 13 L13\n-14 L14\n"
         " 15 L15\n 16 L16\n 17 L17\n 18 L18\n    ...", 2);
  g_string_replace (near, "L11\n", "", 0);
  check (before, near->str,
         "  1 L1\n- 2 L2\n+ 2 two\n  3 L3\n  4 L4\n  5 L5\n  6 L6\n  7 L7\n  8 L8\n  9 L9\n 10 L10\n-11 L11\n"
         " 12 L12\n 13 L13\n 14 L14\n 15 L15\n    ...", 2);
}

/* Applies the rows of a diff without gaps to @before. */
static char *
patch (const char *diff)
{
  g_auto(GStrv) rows = g_strsplit (diff, "\n", -1);
  GString *out = g_string_new (NULL);

  for (char **row = rows; *row != NULL; row++)
    if (**row == '+' || **row == ' ')
      g_string_append_printf (out, "%s\n", strpbrk (*row + 1, "abc"));
  return g_string_free (out, FALSE);
}

/* The length of the longest common subsequence, by the plain table. */
static guint
common_lines (const char *a,
              const char *b)
{
  guint table[64][64] = { 0 };
  gsize n = strlen (a) / 2, m = strlen (b) / 2;

  for (gsize i = 1; i <= n; i++)
    for (gsize j = 1; j <= m; j++)
      table[i][j] = a[2 * i - 2] == b[2 * j - 2] ? table[i - 1][j - 1] + 1 : MAX (table[i - 1][j], table[i][j - 1]);
  return table[n][m];
}

static char *
random_lines (void)
{
  GString *out = g_string_new (NULL);
  int n = g_test_rand_int_range (0, 12);

  for (int i = 0; i < n; i++)
    g_string_append_printf (out, "%c\n", g_test_rand_int_range ('a', 'd'));
  return g_string_free (out, FALSE);
}

/* Random texts: the rows make the new text of the old one, and there is no shorter way. */
static void
test_random (void)
{
  for (int i = 0; i < 5000; i++)
    {
      g_autofree char *before = random_lines ();
      g_autofree char *after = random_lines ();
      g_autoptr(GString) diff = NULL;
      g_autofree char *patched = NULL;
      guint n_changes = 0;
      gint64 line;

      diff = tau_diff_text (before, strlen (before), after, strlen (after), &line);
      if (strstr (diff->str, "...") != NULL)
        continue;
      if (g_str_equal (before, after))
        {
          g_assert_cmpstr (diff->str, ==, "");
          g_assert_cmpint (line, ==, 0);
          continue;
        }
      patched = patch (diff->str);
      for (const char *c = diff->str; *c != '\0'; c++)
        n_changes += (c == diff->str || c[-1] == '\n') && *c != ' ';
      g_assert_cmpstr (patched, ==, after);
      g_assert_cmpuint (n_changes, ==, (strlen (before) + strlen (after)) / 2 - 2 * common_lines (before, after));
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/diff/rows", test_rows);
  g_test_add_func ("/diff/gap", test_gap);
  g_test_add_func ("/diff/random", test_random);

  return g_test_run ();
}
