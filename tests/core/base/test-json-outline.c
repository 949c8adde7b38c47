/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json-outline.h"

#include "core/base/tau-json.h"

#include <string.h>

static void
check (const char *json,
       const char *expected)
{
  g_autoptr(JsonNode) node = tau_json_parse (json, -1, NULL);
  g_autofree char *outline = tau_json_dup_outline (node);

  g_assert_cmpstr (outline, ==, expected);
}

static void
test_values (void)
{
  check ("{}", "");
  check ("{\"path\":\"a b\"}", "path: a b");
  check ("{\"n\":1,\"ok\":true,\"none\":null,\"empty\":\"\"}", "n: 1\nok: true\nnone: null\nempty: \"\"");
  check ("{\"text\":\"one\\ntwo\"}", "text:\n  one\n  two");
  check ("{\"a\":{\"b\":[1,\"x\"]},\"c\":[]}", "a:\n  b:\n    - 1\n    - x\nc: []");
  check ("[{\"old\":\"a\"},{\"old\":\"b\"}]", "-\n  old: a\n-\n  old: b");
}

/* However deep a value is, each level is a line at most, and the walk ends. */
static void
test_depth (void)
{
  g_autoptr(GString) json = g_string_new (NULL);
  g_autoptr(JsonNode) node = NULL;
  g_autofree char *outline = NULL;

  for (int i = 0; i < 100; i++)
    g_string_append (json, "{\"a\":");
  g_string_append (json, "1");
  for (int i = 0; i < 100; i++)
    g_string_append_c (json, '}');
  node = tau_json_parse (json->str, -1, NULL);
  g_assert_nonnull (node);
  outline = tau_json_dup_outline (node);
  g_assert_nonnull (strstr (outline, "{\"a\":"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-outline/values", test_values);
  g_test_add_func ("/json-outline/depth", test_depth);
  return g_test_run ();
}
