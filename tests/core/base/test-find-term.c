/* SPDX-License-Identifier: MIT */
#include "core/base/tau-find-term.h"

#include <string.h>

static void
check (const char *words,
       const char *text,
       guint       n,
       gsize       first,
       gsize       first_end)
{
  g_autoptr(TauFindTerm) term = tau_find_term_new (words);
  gsize start = 0, end = 0;

  g_assert_cmpuint (tau_find_term_count (term, text, -1), ==, n);
  if (n == 0)
    return;
  g_assert_true (tau_find_term_next (term, text, strlen (text), 0, &start, &end));
  g_assert_cmpuint (start, ==, first);
  g_assert_cmpuint (end, ==, first_end);
}

static void
test_places (void)
{
  check ("b", "abcb", 2, 1, 2);
  check ("", "abc", 0, 0, 0);
  check ("x", "", 0, 0, 0);
  check ("aa", "aaaa", 2, 0, 2);
  check ("PARSE", "the parser Parses", 2, 4, 9);
  check ("straße", "STRAßE", 1, 0, 7);
  check ("É", "caf\xC3\xA9", 1, 3, 5);
  check ("ж", "Жук", 1, 0, 2);
  check ("abc", "ab", 0, 0, 0);
}

/* Nothing behind the length is looked at, and a match does not reach over it. */
static void
test_bounds (void)
{
  g_autoptr(TauFindTerm) term = tau_find_term_new ("end");
  g_autofree char *text = g_memdup2 ("the en", 6);

  g_assert_cmpuint (tau_find_term_count (term, text, 6), ==, 0);
  g_assert_cmpuint (tau_find_term_count (term, "the end", 6), ==, 0);
  g_assert_cmpuint (tau_find_term_count (term, "the end", 7), ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/find-term/places", test_places);
  g_test_add_func ("/find-term/bounds", test_bounds);
  return g_test_run ();
}
