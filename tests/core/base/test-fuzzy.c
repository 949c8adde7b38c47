/* SPDX-License-Identifier: MIT */
#include "core/base/tau-fuzzy.h"

static int
score (const char *query,
       const char *text)
{
  g_autoptr(TauFuzzy) fuzzy = tau_fuzzy_new (query);

  return tau_fuzzy_score (fuzzy, text);
}

static void
test_matches (void)
{
  g_assert_cmpint (score ("", "anything"), ==, 0);
  g_assert_cmpint (score ("  ", "anything"), ==, 0);
  g_assert_cmpint (score ("twc", "tau-window.c"), >, 0);
  g_assert_cmpint (score ("SON anth", "Anthropic Claude Sonnet"), >, 0);
  g_assert_cmpint (score ("élan", "Élan"), >, 0);
  g_assert_cmpint (score ("ba", "ab"), ==, TAU_FUZZY_NO_MATCH);
  g_assert_cmpint (score ("a", ""), ==, TAU_FUZZY_NO_MATCH);
  g_assert_cmpint (score ("gpt son", "Claude Sonnet"), ==, TAU_FUZZY_NO_MATCH);
}

static void
test_order (void)
{
  g_assert_cmpint (score ("son", "claude-sonnet"), >, score ("son", "mason"));
  g_assert_cmpint (score ("son", "mason"), >, score ("son", "s-o-m-n"));
  g_assert_cmpint (score ("tw", "tau-window"), >, score ("tw", "stew"));
  g_assert_cmpint (score ("window", "a/w/i/tau-window"), ==, score ("window", "tau-window"));
  g_assert_cmpint (score ("mb", "ModelButton"), >, score ("mb", "number"));
}

/* Names on a disk are bytes. */
static void
test_bytes (void)
{
  g_assert_cmpint (score ("ab", "a\xff" "b\xc3"), >, 0);
  g_assert_cmpint (score ("ab\xff", "ab"), ==, TAU_FUZZY_NO_MATCH);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fuzzy/matches", test_matches);
  g_test_add_func ("/fuzzy/order", test_order);
  g_test_add_func ("/fuzzy/bytes", test_bytes);
  return g_test_run ();
}
