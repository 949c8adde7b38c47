/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-parser.h"

#include "md-dump.h"

#include <string.h>

typedef struct
{
  const char *source;
  const char *expected;
} Case;

static const Case cases[] = {
  { "", "" },
  { "one\ntwo  \nthree", "p \"one two\\nthree\"\n" },
  { "# Big\n\n### Small ###", "h1 \"Big\"\nh3 \"Small\"\n" },
  { "Under\n=====\n\nlined\n-", "h1 \"Under\"\nh2 \"lined\"\n" },
  { "a **b *c* d** ~~e~~ `f<g>`",
    "p \"a b c d e f<g>\" em(4,5) strong(2,7) strike(8,9) code(10,14)\n" },
  { "[text](http://x.y/?a=1&amp;b \"t\") ![alt *x*](p.png)",
    "p \"text alt x\" link(0,4,http://x.y/?a=1&b) em(9,10) image(5,10,p.png)\n" },
  { "see https://a.b/c. or www.d.e", "p \"see https://a.b/c. or www.d.e\" link(4,17,https://a.b/c) link(22,29,http://www.d.e)\n" },
  { "```c++ extra\nint x;\n\n  y\n```", "code c++ \"int x;\\n\\n  y\"\n" },
  { "~~~\ncode", "code  open \"code\"\n" },
  { "```", "code  open \"\"\n" },
  { "```\n```\n", "code  \"\"\n" },
  { "````\n```\n", "code  open \"```\"\n" },
  { "````\n```\n````\n\n", "code  \"```\"\n" },
  { "> ```sh\n> ls\n> ```", "q code sh \"ls\"\n" },
  { "    indented\n    code", "code  \"indented\\ncode\"\n" },
  { "- a\n- b\n  1. c\n  2. d\n\n     more\n- e",
    "i * p \"a\"\ni * p \"b\"\nii 1. p \"c\"\nii 2. p \"d\"\nii p \"more\"\ni * p \"e\"\n" },
  { "7. a\n8. b", "i 7. p \"a\"\ni 8. p \"b\"\n" },
  { "- [ ] todo\n- [x] done\n- [X] too", "i [ ] p \"todo\"\ni [x] p \"done\"\ni [x] p \"too\"\n" },
  { "- - x\n-\n- y", "i * p \"\"\nii * p \"x\"\ni * p \"\"\ni * p \"y\"\n" },
  { "- a\n  ```\n  x\n  ```\n- > q", "i * p \"a\"\ni code  \"x\"\niq * p \"q\"\n" },
  { "> a\n> > b\n\n> c", "q p \"a\"\nqq p \"b\"\nq p \"c\"\n" },
  { "a | b\n:-|-:\n1 | *2*\n3", "table <\"a\" >\"b\" / <\"1\" >\"2\" em(0,1) / <\"3\" >\"\"\n" },
  { "|-|-|\n|-|-|\n", "table <\"-\" <\"-\"\n" },
  { "| a |\n|:-:|\n", "table ^\"a\"\n" },
  { "```\n|a|b|\n|-|-|\n```", "code  \"|a|b|\\n|-|-|\"\n" },
  { "a\n\n***\n\nb", "p \"a\"\nrule\np \"b\"\n" },
  { "<div>\n *x*\n</div>\n\na <b>c</b>", "html \"<div>\\n *x*\\n</div>\"\np \"a <b>c</b>\"\n" },
  { "&amp; &#65; &#x1F600; &hellip; &unknownname; &#0;", "p \"& A \360\237\230\200 \342\200\246 &unknownname; \357\277\275\"\n" },
  { "[a]\n\n[a]: http://x", "p \"a\" link(0,1,http://x)\n" },
  { "a\r\nb\r\n\r\n- c\r\n", "p \"a b\"\ni * p \"c\"\n" },
};

static void
test_constructs (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GPtrArray) blocks = tau_md_parse (cases[i].source, -1, TAU_MD_FLAGS_NONE);
      g_autofree char *dump = dump_blocks (blocks);

      g_test_message ("%s", cases[i].source);
      g_assert_cmpstr (dump, ==, cases[i].expected);
    }
}

static void
test_keep_breaks (void)
{
  g_autoptr(GPtrArray) blocks = tau_md_parse ("one\ntwo", -1, TAU_MD_KEEP_BREAKS);
  g_autofree char *dump = dump_blocks (blocks);

  g_assert_cmpstr (dump, ==, "p \"one\\ntwo\"\n");
}

static void
test_formula (void)
{
  g_autoptr(GPtrArray) blocks = tau_md_parse ("Two\\, $$\\int_0^1 x\\,dx \\{y\\}$$ and\\, \\$\\$5", -1, TAU_MD_FLAGS_NONE);
  g_autofree char *text = tau_md_block_dup_text (g_ptr_array_index (blocks, 0));

  g_assert_cmpstr (text, ==, "Two, $$\\int_0^1 x\\,dx \\{y\\}$$ and, $$5");
}

static void
test_invalid_bytes (void)
{
  g_autoptr(GPtrArray) blocks = tau_md_parse ("a\xff" "b\0c \xc0\x80 \xed\xa0\x80 \xe2\x82", 15, TAU_MD_FLAGS_NONE);
  g_autofree char *text = NULL;

  g_assert_cmpuint (blocks->len, ==, 1);
  text = tau_md_block_dup_text (g_ptr_array_index (blocks, 0));
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_true (g_str_has_prefix (text, "a\357\277\275b\357\277\275c "));
}

static void
test_long_paragraph (void)
{
  g_autoptr(GString) source = g_string_new (NULL);
  g_autoptr(GString) joined = g_string_new (NULL);
  g_autoptr(GPtrArray) blocks = NULL;

  for (guint i = 0; source->len < 100 * 1000; i++)
    g_string_append_printf (source, "w%u ", i);
  g_string_append (source, "end");
  blocks = tau_md_parse (source->str, source->len, TAU_MD_FLAGS_NONE);
  g_assert_cmpuint (blocks->len, >, 10);
  for (guint i = 0; i < blocks->len; i++)
    {
      TauMdInline *piece = tau_md_block_get_inline (g_ptr_array_index (blocks, i));

      g_assert_cmpuint (tau_md_inline_get_length (piece), <=, 8 * 1024);
      g_string_append (joined, tau_md_inline_get_text (piece));
    }
  g_assert_cmpstr (joined->str, ==, source->str);
}

/* Inputs that made other parsers hang, take gigabytes, or overflow the stack. */
static void
test_hostile (void)
{
  static const struct { const char *prefix, *unit; guint count; } inputs[] = {
    { "", "[", 100000 },
    { "", "![[]()", 100000 },
    { "", "a <!A ", 100000 },
    { "", "a <?", 100000 },
    { "", "a <![CDATA[", 100000 },
    { "", "|", 100000 },
    { "http://a.b/", ")", 100000 },
    { "", ">", 100000 },
    { "", "- ", 100000 },
    { "", "*a **a ", 100000 },
    { "", "1. ", 50000 },
    { "", "`", 100000 },
    { "", "&#1;", 100000 },
    { "", "> - ", 50000 },
    { "", "a\n\n", 100000 },
    { "", "| a |\n|---|\n\n", 20000 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      g_autoptr(GString) source = g_string_new (inputs[i].prefix);
      g_autoptr(GPtrArray) blocks = NULL;
      gint64 start = g_get_monotonic_time ();

      for (guint n = 0; n < inputs[i].count; n++)
        g_string_append (source, inputs[i].unit);
      blocks = tau_md_parse (source->str, source->len, TAU_MD_FLAGS_NONE);
      g_assert_cmpint (g_get_monotonic_time () - start, <, 3 * G_USEC_PER_SEC);
      for (guint b = 0; b < blocks->len; b++)
        g_assert_cmpuint (strlen (tau_md_block_get_containers (g_ptr_array_index (blocks, b))), <=, 100);
    }
}

/* A reference of 100 kB used 100,000 times would be 10 GB: the source is shown instead. */
static void
test_output_bomb (void)
{
  g_autoptr(GString) source = g_string_new (NULL);
  g_autoptr(GPtrArray) blocks = NULL;
  g_autofree char *text = NULL;
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < 100000; i++)
    g_string_append (source, "[a] ");
  g_string_append (source, "\n\n[a]: ");
  for (guint i = 0; i < 100000; i++)
    g_string_append_c (source, 'u');

  blocks = tau_md_parse (source->str, source->len, TAU_MD_FLAGS_NONE);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 3 * G_USEC_PER_SEC);
  text = tau_md_block_dup_text (blocks->pdata[0]);
  text[7] = '\0';
  g_assert_cmpstr (text, ==, "[a] [a]");
}

/* Many columns and many short rows: the cells are counted too. */
static void
test_table_bomb (void)
{
  g_autoptr(GString) source = g_string_new ("|");
  g_autoptr(GPtrArray) blocks = NULL;
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < 2000; i++)
    g_string_append (source, "a|");
  g_string_append (source, "\n|");
  for (guint i = 0; i < 2000; i++)
    g_string_append (source, "---|");
  for (guint i = 0; i < 2000; i++)
    g_string_append (source, "\n|x|");
  blocks = tau_md_parse (source->str, source->len, TAU_MD_FLAGS_NONE);
  g_assert_cmpuint (blocks->len, >, 0);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 3 * G_USEC_PER_SEC);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/md-parser/constructs", test_constructs);
  g_test_add_func ("/md-parser/keep-breaks", test_keep_breaks);
  g_test_add_func ("/md-parser/formula", test_formula);
  g_test_add_func ("/md-parser/invalid-bytes", test_invalid_bytes);
  g_test_add_func ("/md-parser/long-paragraph", test_long_paragraph);
  g_test_add_func ("/md-parser/hostile", test_hostile);
  g_test_add_func ("/md-parser/output-bomb", test_output_bomb);
  g_test_add_func ("/md-parser/table-bomb", test_table_bomb);
  return g_test_run ();
}
