/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-stream.h"

#include "md-dump.h"

#include <string.h>

static const char corpus[] =
  "# Title\n\nSome *text* with `code` and a [link](http://x.y).\nSecond line - with 1. things | in it\n\n"
  "1. one\n2. two\n   - nested *a*\n   - [ ] task\n   - [x] done\n\n   loose\n3. three\n\n"
  "```python\n# not a heading\nprint (\"|\")\n\n- no list\n| no | table |\n```\n"
  "After the fence\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n| 3 | `x` |\n\nText\n\n---\n\n"
  "> quote\n> more\n>\n> - item in it\n> ```\n> code\n> ```\n\n"
  "<div>\n<b>html</b>\n</div>\n\n[ref] and [other][ref]\n\n[ref]: http://r.e/f\n\n"
  "- item\n\n  ```js\n  let a = 1;\n\n  ```\n- [link](x)\n* other list\n+ third\n\n"
  "    indented code\n\n    more of it\n\nGr\303\274\303\237e \360\237\230\200 \342\202\254\n\n"
  "**bold start** line\n\n__also__\n\n~~gone~~\n\n12 apples\n\n#5 is no heading\n\n`code` first\n\n"
  "2. starts at two\n\n~~~\ntilde\n~~~\n\nwww.example.org\n\n***\n\nThe end";

static GPtrArray *
stream_blocks (TauMdStream *stream)
{
  GPtrArray *blocks = g_ptr_array_new ();

  for (guint i = 0; i < tau_md_stream_get_n_blocks (stream); i++)
    g_ptr_array_add (blocks, tau_md_stream_get_block (stream, i));
  return blocks;
}

static char *
dump_stream (TauMdStream *stream)
{
  g_autoptr(GPtrArray) blocks = stream_blocks (stream);

  return dump_blocks (blocks);
}

static char *
dump_whole (const char *text,
            gsize       length)
{
  g_autoptr(GPtrArray) blocks = tau_md_parse (text, length, TAU_MD_FLAGS_NONE);

  return dump_blocks (blocks);
}

/* P11: feeding every prefix, no block disappears or becomes another kind of block, and settled ones stay. */
static void
test_monotone (void)
{
  g_autoptr(TauMdStream) stream = tau_md_stream_new ();
  g_autoptr(GArray) kinds = g_array_new (FALSE, FALSE, sizeof (TauMdBlockKind));
  g_autoptr(GPtrArray) settled = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_md_block_unref);

  for (gsize i = 0; i < strlen (corpus); i++)
    {
      tau_md_stream_append (stream, corpus + i, 1);
      tau_md_stream_update (stream);
      g_assert_cmpuint (tau_md_stream_get_n_blocks (stream), >=, kinds->len);
      for (guint b = 0; b < tau_md_stream_get_n_blocks (stream); b++)
        {
          TauMdBlockKind kind = tau_md_block_get_kind (tau_md_stream_get_block (stream, b));

          if (b == kinds->len)
            g_array_append_val (kinds, kind);
          g_assert_cmpint (g_array_index (kinds, TauMdBlockKind, b), ==, kind);
          if (b < settled->len)
            g_assert_true (tau_md_stream_get_block (stream, b) == settled->pdata[b]);
        }
      for (guint b = settled->len; b < tau_md_stream_get_n_settled (stream); b++)
        g_ptr_array_add (settled, tau_md_block_ref (tau_md_stream_get_block (stream, b)));
    }
  g_assert_cmpuint (settled->len, >, 20);
}

static void
test_upgrades (void)
{
  static const char * const texts[] = { "a | b\n--|--\n1 | 2", "Title\n=====\n", "Title\n---\n" };

  for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_autoptr(TauMdStream) stream = tau_md_stream_new ();
      TauMdBlockKind last = TAU_MD_BLOCK_PARAGRAPH;
      guint n_changes = 0;

      for (gsize i = 0; texts[t][i]; i++)
        {
          tau_md_stream_append (stream, texts[t] + i, 1);
          tau_md_stream_update (stream);
          g_assert_cmpuint (tau_md_stream_get_n_blocks (stream), ==, 1);
          n_changes += tau_md_block_get_kind (tau_md_stream_get_block (stream, 0)) != last;
          last = tau_md_block_get_kind (tau_md_stream_get_block (stream, 0));
        }
      g_assert_cmpuint (n_changes, ==, 1);
    }
}

static void
test_changed_position (void)
{
  g_autoptr(TauMdStream) stream = tau_md_stream_new ();
  g_autoptr(TauMdBlock) first = NULL;

  tau_md_stream_append (stream, "one\n\ntwo", 8);
  g_assert_cmpuint (tau_md_stream_update (stream), ==, 0);
  first = tau_md_block_ref (tau_md_stream_get_block (stream, 0));
  tau_md_stream_append (stream, " more\n", 6);
  g_assert_cmpuint (tau_md_stream_update (stream), ==, 1);
  g_assert_cmpuint (tau_md_stream_update (stream), ==, 2);
  tau_md_stream_append (stream, "\nthree", 6);
  g_assert_cmpuint (tau_md_stream_update (stream), ==, 2);
  tau_md_stream_finish (stream);
  g_assert_cmpuint (tau_md_stream_update (stream), ==, 3);
  g_assert_true (tau_md_stream_get_block (stream, 0) == first);
}

static char *
random_document (GRand *rand)
{
  static const char * const pieces[] = {
    "word ", "word", "\n", "\n\n", "\n\n", "- ", "* ", "1. ", "2. ", "```\n", "```c\n", "~~~\n", "# ", "> ", "  ", "    ",
    "   ", "| a | b |\n", "|---|---|\n", "---\n", "===\n", "*", "**", "`", "[a]", "(b)", "<div>\n", "<!-- ", "-->", "\t",
    "</pre>", "<pre>\n", "+ ", "10) ", "\xc3\xa9", "&amp;", "\\", "http://a.b/c ", "- [ ] ", "-\n",
  };
  GString *text = g_string_new (NULL);
  guint n = (guint) g_rand_int_range (rand, 1, 40);

  for (guint i = 0; i < n; i++)
    g_string_append (text, pieces[g_rand_int_range (rand, 0, G_N_ELEMENTS (pieces))]);
  g_string_append (text, "\nthe end");
  return g_string_free (text, FALSE);
}

/* However a text is cut, the finished stream says what a parse of the whole does. */
static void
test_random_split (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (7);
  guint n_healed = 0;

  for (guint round = 0; round < 20000; round++)
    {
      g_autofree char *text = round == 0 ? g_strdup (corpus) : random_document (rand);
      gsize length = strlen (text);
      g_autoptr(TauMdStream) stream = tau_md_stream_new ();
      g_autofree char *expected = dump_whole (text, length);
      g_autofree char *unfinished = NULL;
      g_autofree char *actual = NULL;

      for (gsize at = 0; at < length;)
        {
          gsize piece = (gsize) g_rand_int_range (rand, 1, 12);

          piece = MIN (piece, length - at);
          tau_md_stream_append (stream, text + at, piece);
          if (g_rand_boolean (rand))
            tau_md_stream_update (stream);
          at += piece;
        }
      tau_md_stream_update (stream);
      unfinished = dump_stream (stream);
      tau_md_stream_finish (stream);
      tau_md_stream_update (stream);
      actual = dump_stream (stream);
      g_assert_cmpstr (actual, ==, expected);

      /* Nothing is held back at the end: the pieces must nearly always agree with the whole. */
      if (strcmp (unfinished, expected) != 0)
        {
          n_healed++;
          g_test_message ("healed: %s\npieces: %s\nwhole: %s", text, unfinished, expected);
        }
    }
  g_test_message ("%u texts read differently in pieces", n_healed);
  g_assert_cmpuint (n_healed, <, 150);
}

/* 50 kB in pieces of a few bytes with an update each: the work must not grow with what came before. */
static void
test_long_stream (void)
{
  g_autoptr(TauMdStream) stream = tau_md_stream_new ();
  gint64 start = g_get_monotonic_time ();
  gsize length = strlen (corpus);

  for (guint round = 0; round < 80; round++)
    {
      for (gsize at = 0; at < length; at += 8)
        {
          tau_md_stream_append (stream, corpus + at, MIN (8, length - at));
          tau_md_stream_update (stream);
        }
      tau_md_stream_append (stream, "\n\n", 2);
    }
  g_assert_cmpint (g_get_monotonic_time () - start, <, 3 * G_USEC_PER_SEC);
  g_assert_cmpuint (tau_md_stream_get_length (stream), >, 50000);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/md-stream/P11-monotone", test_monotone);
  g_test_add_func ("/md-stream/upgrades", test_upgrades);
  g_test_add_func ("/md-stream/changed-position", test_changed_position);
  g_test_add_func ("/md-stream/random-split", test_random_split);
  g_test_add_func ("/md-stream/long-stream", test_long_stream);
  return g_test_run ();
}
