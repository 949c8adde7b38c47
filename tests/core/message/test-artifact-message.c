/* SPDX-License-Identifier: MIT */
#include "core/message/tau-artifact-message.h"

static void
test_fields (void)
{
  g_autoptr(JsonNode) json = json_from_string ("{\"role\":\"artifact\",\"action\":\"create\",\"filename\":\"a.html\","
                                               "\"content\":\"<p>\",\"timestamp\":\"2026-11-30T21:21:00.462Z\"}", NULL);
  g_autoptr(TauArtifactMessage) message = tau_artifact_message_new (json);

  g_assert_cmpint (tau_message_get_kind (TAU_MESSAGE (message)), ==, TAU_MESSAGE_KIND_ARTIFACT);
  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "artifact");
  g_assert_true (tau_artifact_message_get_json (message) == json);
  g_assert_cmpstr (tau_artifact_message_get_action (message), ==, "create");
  g_assert_cmpstr (tau_artifact_message_get_file_name (message), ==, "a.html");
  g_assert_cmpstr (tau_artifact_message_get_content (message), ==, "<p>");
}

static void
test_deleted_has_no_content (void)
{
  g_autoptr(JsonNode) json = json_from_string ("{\"role\":\"artifact\",\"action\":\"delete\",\"filename\":\"a\"}", NULL);
  g_autoptr(TauArtifactMessage) message = tau_artifact_message_new (json);

  g_assert_cmpstr (tau_artifact_message_get_action (message), ==, "delete");
  g_assert_null (tau_artifact_message_get_content (message));
}

static void
test_strange_fields (void)
{
  g_autoptr(JsonNode) json = json_from_string ("{\"role\":\"artifact\",\"action\":7,\"filename\":[],\"content\":{}}", NULL);
  g_autoptr(TauArtifactMessage) message = tau_artifact_message_new (json);

  g_assert_cmpstr (tau_artifact_message_get_action (message), ==, "");
  g_assert_cmpstr (tau_artifact_message_get_file_name (message), ==, "");
  g_assert_null (tau_artifact_message_get_content (message));
  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/artifact-message/fields", test_fields);
  g_test_add_func ("/artifact-message/deleted-has-no-content", test_deleted_has_no_content);
  g_test_add_func ("/artifact-message/strange-fields", test_strange_fields);

  return g_test_run ();
}
