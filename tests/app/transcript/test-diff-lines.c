/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-diff-lines.h"

#include "app/markdown/tau-code-view.h"

/* Marks changed words with brackets. */
static char *
show (const char *diff,
      gboolean    numbered)
{
  TauDiffLines lines;
  GString *out = g_string_new (NULL);
  gsize at = 0;

  tau_diff_lines_parse (&lines, diff, numbered);
  for (guint i = 0; i < lines.changes->len; i++)
    {
      TauCodeRange *range = &g_array_index (lines.changes, TauCodeRange, i);

      g_string_append_len (out, lines.text + at, (gssize) (range->start - at));
      g_string_append_c (out, '[');
      g_string_append_len (out, lines.text + range->start, (gssize) (range->end - range->start));
      g_string_append_c (out, ']');
      at = range->end;
    }
  g_string_append (out, lines.text + at);
  g_string_append_printf (out, "|%s", lines.tints);
  g_free (lines.text);
  g_free (lines.tints);
  g_array_unref (lines.changes);
  return g_string_free (out, FALSE);
}

static void
check (const char *diff,
       gboolean    numbered,
       const char *expected)
{
  g_autofree char *shown = show (diff, numbered);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_lines (void)
{
  check ("", TRUE, "|");
  check (" 9 same\n-10 old\n+10 new", TRUE, "9   same\n10 − old\n10 + new| -+");
  check ("     ...\n 117 {", TRUE, "…\n117   {|  ");
  check ("-1 a\n+1 b", FALSE, "− a\n+ b|-+");
  check ("+1\n+2 b", TRUE, "1 + \n2 + b|++");
}

/* Words that changed are marked in both lines; lines that have nothing in common are not. */
static void
test_words (void)
{
  check ("-1 int old = 5;\n+1 int fresh = 5;", FALSE, "− int [old] = 5;\n+ int [fresh] = 5;|-+");
  check ("-1 f (a)\n+1 f (a, b)", FALSE, "− f (a)\n+ f (a[, b])|-+");
  check ("-1 one two\n-2 three\n+1 one 2\n+2 threes", FALSE, "− one [two]\n− three\n+ one [2]\n+ threes|--++");
  check ("-1 one\n+1 one two\n+2 more", FALSE, "− one\n+ one two\n+ more|-++");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diff-lines/lines", test_lines);
  g_test_add_func ("/diff-lines/words", test_words);
  return g_test_run ();
}
