/* SPDX-License-Identifier: MIT */
#include "core/message/tau-assistant-message.h"

static TauAssistantMessage *
ended_by (TauStopReason reason)
{
  TauAssistantFields fields = { .stop_reason = reason };

  return tau_assistant_message_new (NULL, &fields);
}

static void
test_fields_are_copied (void)
{
  g_autoptr(JsonNode) diagnostics = json_from_string ("[{\"type\":\"t\"}]", NULL);
  char error[] = "no";
  TauAssistantFields fields = {
    .api = "anthropic-messages",
    .provider = "anthropic",
    .model = "m1",
    .response_model = "m1-0101",
    .response_id = "r1",
    .diagnostics = diagnostics,
    .usage = { .input = 70, .cost_total = 0.5 },
    .stop_reason = TAU_STOP_REASON_ERROR,
    .error_message = error,
    .timestamp = 9,
  };
  g_autoptr(TauAssistantMessage) message = tau_assistant_message_new (NULL, &fields);

  error[0] = 'g';
  fields.usage.input = 0;

  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "assistant");
  g_assert_cmpint (tau_message_get_kind (TAU_MESSAGE (message)), ==, TAU_MESSAGE_KIND_ASSISTANT);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 9);
  g_assert_cmpstr (tau_assistant_message_get_api (message), ==, "anthropic-messages");
  g_assert_cmpstr (tau_assistant_message_get_provider (message), ==, "anthropic");
  g_assert_cmpstr (tau_assistant_message_get_model (message), ==, "m1");
  g_assert_cmpstr (tau_assistant_message_get_response_model (message), ==, "m1-0101");
  g_assert_cmpstr (tau_assistant_message_get_response_id (message), ==, "r1");
  g_assert_true (tau_assistant_message_get_diagnostics (message) == diagnostics);
  g_assert_cmpint (tau_assistant_message_get_usage (message)->input, ==, 70);
  g_assert_true (tau_assistant_message_get_usage (message)->cost_total == 0.5);
  g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, TAU_STOP_REASON_ERROR);
  g_assert_cmpstr (tau_assistant_message_get_error_message (message), ==, "no");
}

static void
test_unknown_fields (void)
{
  g_autoptr(TauAssistantMessage) message = ended_by (TAU_STOP_REASON_STOP);

  g_assert_cmpstr (tau_assistant_message_get_api (message), ==, "");
  g_assert_cmpstr (tau_assistant_message_get_provider (message), ==, "");
  g_assert_cmpstr (tau_assistant_message_get_model (message), ==, "");
  g_assert_null (tau_assistant_message_get_response_model (message));
  g_assert_null (tau_assistant_message_get_response_id (message));
  g_assert_null (tau_assistant_message_get_diagnostics (message));
  g_assert_null (tau_assistant_message_get_error_message (message));
}

static void
test_failed (void)
{
  const struct
  {
    TauStopReason reason;
    gboolean      failed;
  } cases[] = {
    { TAU_STOP_REASON_STOP, FALSE }, { TAU_STOP_REASON_LENGTH, FALSE }, { TAU_STOP_REASON_TOOL_USE, FALSE },
    { TAU_STOP_REASON_ERROR, TRUE }, { TAU_STOP_REASON_ABORTED, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(TauAssistantMessage) message = ended_by (cases[i].reason);

      g_assert_cmpint (tau_assistant_message_failed (message), ==, cases[i].failed);
    }
}

/* What counts is the call, whatever the stop reason says. */
static void
test_tool_calls (void)
{
  TauAssistantFields fields = { .stop_reason = TAU_STOP_REASON_STOP };
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(TauAssistantMessage) without = NULL;
  g_autoptr(TauAssistantMessage) with = NULL;

  g_ptr_array_add (blocks, tau_block_new_text ("I look.", NULL));
  without = tau_assistant_message_new (blocks, &fields);
  g_ptr_array_add (blocks, tau_block_new_tool_call ("c", "ls", NULL, NULL));
  with = tau_assistant_message_new (blocks, &fields);

  g_assert_false (tau_assistant_message_has_tool_calls (without));
  g_assert_true (tau_assistant_message_has_tool_calls (with));
}

static void
test_stop_reasons (void)
{
  const char * const texts[] = { "stop", "length", "toolUse", "error", "aborted" };
  TauStopReason reason = TAU_STOP_REASON_LENGTH;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_true (tau_stop_reason_from_string (texts[i], &reason));
      g_assert_cmpstr (tau_stop_reason_to_string (reason), ==, texts[i]);
    }

  g_assert_false (tau_stop_reason_from_string ("tool_use", &reason));
  g_assert_false (tau_stop_reason_from_string (NULL, &reason));
  g_assert_cmpint (reason, ==, TAU_STOP_REASON_ABORTED);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/assistant-message/fields-are-copied", test_fields_are_copied);
  g_test_add_func ("/assistant-message/unknown-fields", test_unknown_fields);
  g_test_add_func ("/assistant-message/failed", test_failed);
  g_test_add_func ("/assistant-message/tool-calls", test_tool_calls);
  g_test_add_func ("/assistant-message/stop-reasons", test_stop_reasons);

  return g_test_run ();
}
