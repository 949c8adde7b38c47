/* SPDX-License-Identifier: MIT */
#include "core/message/tau-custom-message.h"

static void
test_all_fields (void)
{
  g_autoptr(JsonNode) details = json_from_string ("{\"a\":1}", NULL);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(TauCustomMessage) message = NULL;

  g_ptr_array_add (blocks, tau_block_new_text ("Injected", NULL));
  message = tau_custom_message_new ("ext", blocks, TRUE, TRUE, details, 11);

  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "custom");
  g_assert_cmpint (tau_message_get_kind (TAU_MESSAGE (message)), ==, TAU_MESSAGE_KIND_CUSTOM);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 11);
  g_assert_cmpstr (tau_custom_message_get_custom_type (message), ==, "ext");
  g_assert_true (tau_custom_message_is_string (message));
  g_assert_true (tau_custom_message_get_display (message));
  g_assert_true (tau_custom_message_get_details (message) == details);
}

static void
test_hidden_without_details (void)
{
  g_autoptr(TauCustomMessage) message = tau_custom_message_new ("ext", NULL, FALSE, FALSE, NULL, 0);

  g_assert_false (tau_custom_message_is_string (message));
  g_assert_false (tau_custom_message_get_display (message));
  g_assert_null (tau_custom_message_get_details (message));
}

/* A record owns what it was made of. */
static void
test_outlives_its_maker (void)
{
  JsonNode *details = json_from_string ("{\"a\":1}", NULL);
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autofree char *type = g_strdup ("ext");
  g_autoptr(TauCustomMessage) message = NULL;
  g_autofree char *text = NULL;

  g_ptr_array_add (blocks, tau_block_new_text ("Injected", NULL));
  message = tau_custom_message_new (type, blocks, FALSE, TRUE, details, 1);
  type[0] = 'X';
  g_ptr_array_set_size (blocks, 0);
  g_ptr_array_unref (blocks);
  json_node_unref (details);

  text = tau_message_dup_text (TAU_MESSAGE (message), "");
  g_assert_cmpstr (text, ==, "Injected");
  g_assert_cmpstr (tau_custom_message_get_custom_type (message), ==, "ext");
  g_assert_true (JSON_NODE_HOLDS_OBJECT (tau_custom_message_get_details (message)));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/custom-message/all-fields", test_all_fields);
  g_test_add_func ("/custom-message/hidden-without-details", test_hidden_without_details);
  g_test_add_func ("/custom-message/outlives-its-maker", test_outlives_its_maker);

  return g_test_run ();
}
