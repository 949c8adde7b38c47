/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-edit-preview.h"

#include "core/base/tau-json.h"

static char *
preview (const char *json)
{
  g_autoptr(JsonNode) node = tau_json_parse (json, -1, NULL);

  return tau_edit_preview_new (node);
}

static void
test_passages (void)
{
  g_autofree char *one = preview ("{\"path\":\"f\",\"edits\":[{\"oldText\":\"a\\nb\",\"newText\":\"a\\nc\"}]}");
  g_autofree char *two = preview ("{\"edits\":[{\"oldText\":\"a\",\"newText\":\"b\"},{\"oldText\":\"c\",\"newText\":\"d\"}]}");

  g_assert_cmpstr (one, ==, " 1 a\n-2 b\n+2 c");
  g_assert_cmpstr (two, ==, "-1 a\n+1 b\n ...\n-1 c\n+1 d");
}

/* Arguments that are still coming show nothing, or what is whole already. */
static void
test_unfinished (void)
{
  g_autofree char *half = preview ("{\"edits\":[{\"oldText\":\"a\",\"newText\":\"b\"},{\"oldText\":\"c\"}]}");

  g_assert_null (tau_edit_preview_new (NULL));
  g_assert_null (preview ("{}"));
  g_assert_null (preview ("{\"edits\":[]}"));
  g_assert_null (preview ("{\"edits\":\"x\"}"));
  g_assert_cmpstr (half, ==, "-1 a\n+1 b");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit-preview/passages", test_passages);
  g_test_add_func ("/edit-preview/unfinished", test_unfinished);
  return g_test_run ();
}
