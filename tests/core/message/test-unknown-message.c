/* SPDX-License-Identifier: MIT */
#include "core/message/tau-unknown-message.h"

static void
test_keeps_everything (void)
{
  g_autoptr(JsonNode) json = json_from_string ("{\"role\":\"weather\",\"timestamp\":8,\"sky\":\"grey\"}", NULL);
  g_autoptr(TauUnknownMessage) message = tau_unknown_message_new (json);

  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "weather");
  g_assert_cmpint (tau_message_get_kind (TAU_MESSAGE (message)), ==, TAU_MESSAGE_KIND_OTHER);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 8);
  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, 0);
  g_assert_true (tau_unknown_message_get_json (message) == json);
}

static void
test_odd_fields (void)
{
  g_autoptr(JsonNode) json = json_from_string ("{\"role\":7,\"timestamp\":\"now\"}", NULL);
  g_autoptr(TauUnknownMessage) message = tau_unknown_message_new (json);

  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "");
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/unknown-message/keeps-everything", test_keeps_everything);
  g_test_add_func ("/unknown-message/odd-fields", test_odd_fields);

  return g_test_run ();
}
