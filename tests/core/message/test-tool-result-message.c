/* SPDX-License-Identifier: MIT */
#include "core/message/tau-tool-result-message.h"

static void
test_all_fields (void)
{
  g_autoptr(JsonNode) details = json_from_string ("{\"diff\":\"+a\"}", NULL);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(TauToolResultMessage) message = NULL;

  g_ptr_array_add (blocks, tau_block_new_text ("done", NULL));
  message = tau_tool_result_message_new ("call_1", "edit", blocks, details, TRUE, 5);

  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "toolResult");
  g_assert_cmpint (tau_message_get_kind (TAU_MESSAGE (message)), ==, TAU_MESSAGE_KIND_TOOL_RESULT);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 5);
  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, 1);
  g_assert_cmpstr (tau_tool_result_message_get_call_id (message), ==, "call_1");
  g_assert_cmpstr (tau_tool_result_message_get_tool_name (message), ==, "edit");
  g_assert_true (tau_tool_result_message_get_details (message) == details);
  g_assert_true (tau_tool_result_message_get_is_error (message));
}

static void
test_without_details (void)
{
  g_autoptr(TauToolResultMessage) message = tau_tool_result_message_new ("", "", NULL, NULL, FALSE, 0);

  g_assert_null (tau_tool_result_message_get_details (message));
  g_assert_false (tau_tool_result_message_get_is_error (message));
  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tool-result-message/all-fields", test_all_fields);
  g_test_add_func ("/tool-result-message/without-details", test_without_details);

  return g_test_run ();
}
