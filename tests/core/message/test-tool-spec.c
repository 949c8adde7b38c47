/* SPDX-License-Identifier: MIT */
#include "core/message/tau-tool-spec.h"

static JsonNode *
schema (void)
{
  return json_from_string ("{\"type\":\"object\"}", NULL);
}

static void
test_all_fields (void)
{
  const char * const guidelines[] = { "Do this.", "Do not do that.", NULL };
  g_autoptr(JsonNode) parameters = schema ();
  g_autoptr(TauToolSpec) spec = tau_tool_spec_new ("read", "Read", "Reads a file.", parameters, "read: files", guidelines);

  g_assert_cmpstr (tau_tool_spec_get_name (spec), ==, "read");
  g_assert_cmpstr (tau_tool_spec_get_label (spec), ==, "Read");
  g_assert_cmpstr (tau_tool_spec_get_description (spec), ==, "Reads a file.");
  g_assert_true (tau_tool_spec_get_parameters (spec) == parameters);
  g_assert_cmpstr (tau_tool_spec_get_snippet (spec), ==, "read: files");
  g_assert_cmpstrv (tau_tool_spec_get_guidelines (spec), guidelines);
}

static void
test_defaults (void)
{
  g_autoptr(JsonNode) parameters = schema ();
  g_autoptr(TauToolSpec) spec = tau_tool_spec_new ("x", NULL, "", parameters, NULL, NULL);

  g_assert_cmpstr (tau_tool_spec_get_label (spec), ==, "x");
  g_assert_null (tau_tool_spec_get_snippet (spec));
  g_assert_nonnull (tau_tool_spec_get_guidelines (spec));
  g_assert_null (tau_tool_spec_get_guidelines (spec)[0]);
}

static void
test_outlives_its_maker (void)
{
  JsonNode *parameters = schema ();
  TauToolSpec *spec = tau_tool_spec_new ("x", "X", "d", parameters, NULL, NULL);
  g_autoptr(TauToolSpec) kept = tau_tool_spec_ref (spec);

  json_node_unref (parameters);
  tau_tool_spec_unref (spec);

  g_assert_true (JSON_NODE_HOLDS_OBJECT (tau_tool_spec_get_parameters (kept)));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tool-spec/all-fields", test_all_fields);
  g_test_add_func ("/tool-spec/defaults", test_defaults);
  g_test_add_func ("/tool-spec/outlives-its-maker", test_outlives_its_maker);

  return g_test_run ();
}
