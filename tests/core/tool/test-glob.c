/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-glob.h"

static void
test_matches (void)
{
  static const struct { const char *glob; const char *path; gboolean wanted; } cases[] = {
    { "*.c", "a.c", TRUE },          { "*.c", "d/a.c", FALSE },        { "*.c", "a.cc", FALSE },
    { "*.c", ".c", TRUE },           { "a?c", "abc", TRUE },           { "a?c", "a/c", FALSE },
    { "a?c", "aéc", TRUE },          { "**/*.c", "a.c", TRUE },        { "**/*.c", "x/y/a.c", TRUE },
    { "src/**", "src/a/b", TRUE },   { "src/**", "src", FALSE },       { "a/**/b", "a/b", TRUE },
    { "a/**/b", "a/x/y/b", TRUE },   { "a/**/b", "ab", FALSE },        { "**", "a/b", TRUE },
    { "a**b", "axb", TRUE },         { "a**b", "a/b", FALSE },         { "[a-c]x", "bx", TRUE },
    { "[!a-c]x", "bx", FALSE },      { "[!a]x", "/x", FALSE },         { "[]]", "]", TRUE },
    { "{one,two}.c", "two.c", TRUE }, { "{one,two}.c", "three.c", FALSE }, { "\\*", "*", TRUE },
    { "\\*", "a", FALSE },           { "a,b", "a,b", TRUE },           { "a.c", "abc", FALSE },
    { "readme*", "README.md", TRUE }, { "README*", "readme.md", FALSE }, { "(a+)", "(a+)", TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GRegex) regex = tau_glob_compile (cases[i].glob, &error);

      g_assert_no_error (error);
      if (g_regex_match (regex, cases[i].path, 0, NULL) != cases[i].wanted)
        g_error ("%s and %s", cases[i].glob, cases[i].path);
    }
}

static void
test_unclosed (void)
{
  static const char *const globs[] = { "[a", "{a", "[", "[!" };

  for (gsize i = 0; i < G_N_ELEMENTS (globs); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (tau_glob_compile (globs[i], &error));
      g_assert_error (error, G_REGEX_ERROR, G_REGEX_ERROR_COMPILE);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/glob/matches", test_matches);
  g_test_add_func ("/glob/unclosed", test_unclosed);

  return g_test_run ();
}
