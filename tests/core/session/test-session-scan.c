/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-scan.h"

#include "core/base/tau-json.h"

#include <string.h>

static void
collect_cb (const TauSessionEnvelope *envelope,
            gpointer                  user_data)
{
  GString *out = user_data;

  g_string_append_printf (out, "%s%.*s/%.*s/%.*s", out->len > 0 ? " " : "",
                          (int) envelope->type.length, envelope->type.text != NULL ? envelope->type.text : "",
                          (int) envelope->id.length, envelope->id.text != NULL ? envelope->id.text : "",
                          (int) envelope->parent_id.length, envelope->parent_id.text != NULL ? envelope->parent_id.text : "");
}

static void
check (const char *line,
       gboolean    intact,
       const char *expected)
{
  g_autoptr(GString) found = g_string_new (NULL);
  /* Exactly as large as the line, so that a read behind it is found by the sanitizer. */
  gsize length = strlen (line);
  g_autofree char *copy = g_memdup2 (line, length);

  g_assert_cmpint (tau_session_scan_line (copy, length, collect_cb, found), ==, intact);
  g_assert_cmpstr (found->str, ==, expected);
}

#define ENTRY(id, parent) "{\"type\":\"t\",\"id\":\"" id "\",\"parentId\":\"" parent "\",\"timestamp\":\"x\",\"more\":[{\"id\":\"inner\"},1.5e3,true,null,\"\\u00e9\\\"\"]}"

static void
test_objects (void)
{
  check (ENTRY ("a", "b"), TRUE, "t/a/b");
  check ("  " ENTRY ("a", "b") " \r", TRUE, "t/a/b");
  check ("{}", TRUE, "//");
  check ("{\"id\":null,\"type\":5}", TRUE, "//");
  check ("{\"id\":\"a\",\"id\":\"b\"}", TRUE, "/b/");
  check ("{\"message\":{\"id\":\"x\",\"type\":\"y\"}}", TRUE, "//");
  check ("", TRUE, "");
}

static void
test_not_objects (void)
{
  check ("null", FALSE, "");
  check ("[1]", FALSE, "");
  check ("{\"a\":01}", FALSE, "");
  check ("{\"a\":1,}", FALSE, "");
  check ("{\"a\":\"\\x\"}", FALSE, "");
  check ("{\"a\":\"tab\there\"}", FALSE, "");
  check ("{\"a\":[}", FALSE, "");
  check ("{a:1}", FALSE, "");
}

static void
test_two_on_a_line (void)
{
  check (ENTRY ("a", "b") ENTRY ("c", "d"), TRUE, "t/a/b t/c/d");
  check ("{\"type\":\"message\",\"id\":\"to" ENTRY ("c", "d"), FALSE, "t/c/d");
  /* A block inside of the broken one is no entry. */
  check ("{\"type\":\"message\",\"content\":[{\"type\":\"toolCall\",\"id\":\"c1\"}]", FALSE, "");
}

static void
test_escapes (void)
{
  const char *line = "{\"type\":\"mess\\u0061ge\",\"id\":\"a\"}";
  g_autoptr(GString) found = g_string_new (NULL);

  g_assert_true (tau_session_scan_line (line, strlen (line), collect_cb, found));
  g_assert_cmpstr (found->str, ==, "/a/");
}

/* Every beginning of an entry is broken, and none is taken for an entry. */
static void
test_every_cut (void)
{
  const char *line = ENTRY ("a", "b");

  for (gsize i = 1; i < strlen (line); i++)
    {
      g_autofree char *cut = g_strndup (line, i);

      check (cut, FALSE, "");
    }
}

static void
test_deep (void)
{
  g_autoptr(GString) deep = g_string_new ("{\"a\":");

  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, '[');
  check (deep->str, FALSE, "");
}

static void
count_cb (const TauSessionEnvelope *envelope,
          gpointer                  user_data)
{
  (*(guint *) user_data)++;
}

/* What the scan takes for whole the parser can read, and the other way round. */
static void
test_agrees_with_parser (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (1);
  const char *line = ENTRY ("a", "b");
  const char alphabet[] = "{}[]\",:\\ut10-.e naifls";
  gsize length = strlen (line);

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *mutant = g_strdup (line);
      g_autoptr(JsonNode) node = NULL;
      gboolean intact;
      guint n = 0;

      mutant[g_rand_int_range (rand, 0, (gint32) length)] = alphabet[g_rand_int_range (rand, 0, (gint32) strlen (alphabet))];
      intact = tau_session_scan_line (mutant, length, count_cb, &n);
      node = tau_json_parse (mutant, (gssize) length, NULL);
      g_assert_cmpint (intact && n == 1, ==, node != NULL && JSON_NODE_HOLDS_OBJECT (node));
    }
}

/* Long strings are looked at by blocks: everything that is not text, at every place of a block and behind every number of
 * backslashes. */
static void
test_long_strings (void)
{
  static const char * const pieces[] = { "", "n", "u00e9", "u00g9", "x", "\"", "\t", "\x1f", "\x7f", "\xC3\xA9", "/", "\",\"b\":\"" };
  g_autofree char *rest = g_strnfill (200, 'r');

  for (guint place = 0; place < 140; place++)
    for (guint n_backslashes = 0; n_backslashes < 7; n_backslashes++)
      for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
        {
          g_autofree char *before = g_strnfill (place, 'b');
          g_autofree char *backslashes = g_strnfill (n_backslashes, '\\');
          g_autofree char *text = g_strconcat ("{\"a\":\"", before, backslashes, pieces[i], rest, "\"}", NULL);
          gsize length = strlen (text);
          g_autofree char *line = g_memdup2 (text, length);
          g_autoptr(JsonNode) node = tau_json_parse (text, (gssize) length, NULL);
          guint n = 0;

          g_assert_cmpint (tau_session_scan_line (line, length, count_cb, &n), ==, node != NULL);
          g_assert_cmpuint (n, ==, node != NULL ? 1 : 0);
        }
}

/* Whether a string holds escapes is known, wherever they are: such an id is not taken as it stands. */
static void
test_long_escapes (void)
{
  for (guint place = 0; place < 200; place++)
    {
      g_autofree char *before = g_strnfill (place, 'b');
      g_autofree char *after = g_strnfill (200, 'r');
      g_autofree char *line = g_strconcat ("{\"type\":\"t\",\"id\":\"", before, "\\n", after, "\"}", NULL);

      check (line, TRUE, "t//");
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-scan/objects", test_objects);
  g_test_add_func ("/session-scan/long-strings", test_long_strings);
  g_test_add_func ("/session-scan/long-escapes", test_long_escapes);
  g_test_add_func ("/session-scan/not-objects", test_not_objects);
  g_test_add_func ("/session-scan/two-on-a-line", test_two_on_a_line);
  g_test_add_func ("/session-scan/escapes", test_escapes);
  g_test_add_func ("/session-scan/every-cut", test_every_cut);
  g_test_add_func ("/session-scan/deep", test_deep);
  g_test_add_func ("/session-scan/agrees-with-parser", test_agrees_with_parser);
  return g_test_run ();
}
