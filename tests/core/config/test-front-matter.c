/* SPDX-License-Identifier: MIT */
#include "core/config/tau-front-matter.h"

#include "core/base/tau-error.h"

static void
check (const char *text,
       const char *value,
       const char *body)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauFrontMatter) matter = tau_front_matter_parse (text, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (tau_front_matter_get (matter, "key"), ==, value);
  g_assert_cmpstr (matter->body, ==, body);
}

static void
test_scalars (void)
{
  check ("---\nkey: plain value # comment\n---\nbody\n", "plain value", "body");
  check ("---\r\nkey: crlf\r\n---\r\n\r\nbody\r\nmore\r\n", "crlf", "body\nmore");
  check ("---\nkey: 'it''s' \n---\n", "it's", "");
  check ("---\nkey: \"a\\n\\\"b\\\"\"\n---\n", "a\n\"b\"", "");
  check ("---\nkey: goes on\n  in the next line\nother: x\n---\n", "goes on in the next line", "");
  check ("---\nkey: >\n  folded\n  text\nother: x\n---\n", "folded text", "");
  check ("---\nkey: |\n  kept\n    text\n---\n", "kept\n  text", "");
  check ("---\nkey:\n---\n", "", "");
  check ("---\nother:\n  - list\n  - list\nkey: v\n---\n", "v", "");
}

static void
test_without_head (void)
{
  check ("body only\n", NULL, "body only");
  check ("---\nkey: no end\n", NULL, "---\nkey: no end");
  check ("", NULL, "");
  check ("---\n---\nbody", NULL, "body");
}

static void
test_broken (void)
{
  static const char * const texts[] = { "---\nno colon\n---\n", "---\nkey: \"open\n---\n", "---\nkey:value\n---\n" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (tau_front_matter_parse (texts[i], &error));
      g_assert_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_SYNTAX);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/front-matter/scalars", test_scalars);
  g_test_add_func ("/front-matter/without-head", test_without_head);
  g_test_add_func ("/front-matter/broken", test_broken);
  return g_test_run ();
}
