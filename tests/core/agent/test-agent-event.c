/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent-event.h"

#include "core/base/tau-json.h"
#include "core/message/tau-user-message.h"

/* The lines of `--mode json` and RPC, as pi 0.73.1 prints them. */

static void
assert_json (const TauAgentEvent *event,
             const char          *expected)
{
  g_autoptr(JsonNode) json = tau_agent_event_to_json (event);
  g_autofree char *text = tau_json_to_string (json);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_kinds (void)
{
  static const char * const names[] = { "agent_start", "agent_end", "turn_start", "turn_end", "message_start",
                                        "message_update", "message_end", "tool_execution_start",
                                        "tool_execution_update", "tool_execution_end" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (tau_agent_event_kind_to_string (i), ==, names[i]);
}

static void
test_bare (void)
{
  assert_json (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_AGENT_START }, "{\"type\":\"agent_start\"}");
  assert_json (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_TURN_START }, "{\"type\":\"turn_start\"}");
}

#define USER_JSON "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],\"timestamp\":7}"

static void
test_messages (void)
{
  g_autoptr(TauUserMessage) message = tau_user_message_new ("hi", NULL, 7);
  g_autoptr(GPtrArray) messages = g_ptr_array_new ();
  g_autoptr(GPtrArray) nothing = g_ptr_array_new ();

  g_ptr_array_add (messages, message);
  assert_json (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_MESSAGE_START, .message = TAU_MESSAGE (message) },
               "{\"type\":\"message_start\",\"message\":" USER_JSON "}");
  assert_json (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_MESSAGE_END, .message = TAU_MESSAGE (message) },
               "{\"type\":\"message_end\",\"message\":" USER_JSON "}");
  assert_json (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_AGENT_END, .messages = messages },
               "{\"type\":\"agent_end\",\"messages\":[" USER_JSON "]}");
  assert_json (&(TauAgentEvent) {
                   .kind = TAU_AGENT_EVENT_TURN_END, .message = TAU_MESSAGE (message), .tool_results = nothing },
               "{\"type\":\"turn_end\",\"message\":" USER_JSON ",\"toolResults\":[]}");
}

static void
test_turn_end_with_results (void)
{
  g_autoptr(TauUserMessage) message = tau_user_message_new ("hi", NULL, 7);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new ();
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (results, tau_tool_result_message_new ("t1", "read", blocks, NULL, FALSE, 8));
  assert_json (&(TauAgentEvent) {
                   .kind = TAU_AGENT_EVENT_TURN_END, .message = TAU_MESSAGE (message), .tool_results = results },
               "{\"type\":\"turn_end\",\"message\":" USER_JSON ",\"toolResults\":[{\"role\":\"toolResult\","
               "\"toolCallId\":\"t1\",\"toolName\":\"read\",\"content\":[],\"isError\":false,\"timestamp\":8}]}");
}

static void
test_tools (void)
{
  g_autoptr(JsonNode) raw = tau_json_parse ("{\"path\":\"a\",\"limit\":\"5\"}", -1, NULL);
  g_autoptr(JsonNode) checked = tau_json_parse ("{\"path\":\"a\",\"limit\":5}", -1, NULL);
  g_autoptr(JsonNode) details = tau_json_parse ("{\"n\":1}", -1, NULL);
  g_autoptr(TauToolRun) run = tau_tool_run_new ("t1", "read", raw);
  g_autoptr(TauToolOutcome) partial = tau_tool_outcome_new_text ("x", NULL);
  g_autoptr(TauToolOutcome) outcome = tau_tool_outcome_new_text ("xy", details);
  g_autoptr(TauToolOutcome) failure = tau_tool_outcome_new_error ("no");

  /* Arguments are the raw ones whatever the tool got. */
  tau_tool_run_set_arguments (run, checked);
  assert_json (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_TOOL_START, .run = run },
               "{\"type\":\"tool_execution_start\",\"toolCallId\":\"t1\",\"toolName\":\"read\","
               "\"args\":{\"path\":\"a\",\"limit\":\"5\"}}");
  assert_json (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_TOOL_UPDATE, .run = run, .outcome = partial },
               "{\"type\":\"tool_execution_update\",\"toolCallId\":\"t1\",\"toolName\":\"read\","
               "\"args\":{\"path\":\"a\",\"limit\":\"5\"},\"partialResult\":{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}}");
  assert_json (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_TOOL_END, .run = run, .outcome = outcome },
               "{\"type\":\"tool_execution_end\",\"toolCallId\":\"t1\",\"toolName\":\"read\","
               "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"xy\"}],\"details\":{\"n\":1}},\"isError\":false}");
  assert_json (&(TauAgentEvent) { .kind = TAU_AGENT_EVENT_TOOL_END, .run = run, .outcome = failure },
               "{\"type\":\"tool_execution_end\",\"toolCallId\":\"t1\",\"toolName\":\"read\","
               "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"details\":{}},\"isError\":true}");
}

typedef struct
{
  GString *lines;
} Recorder;

/* Without the two copies of the message so far, which must be the same. */
static void
record_delta_cb (TauDraft       *draft,
                 const TauDelta *delta,
                 gpointer        user_data)
{
  TauAgentEvent event = { .kind = TAU_AGENT_EVENT_MESSAGE_UPDATE, .draft = draft, .delta = delta };
  Recorder *recorder = user_data;
  g_autoptr(JsonNode) json = NULL;
  g_autofree char *text = NULL;

  if (delta->kind == TAU_DELTA_START)
    return;

  json = tau_agent_event_to_json (&event);
  g_assert_cmpstr (tau_json_get_string (json, "type", NULL), ==, "message_update");
  g_assert_cmpstr (tau_json_get_string (json, "message.role", NULL), ==, "assistant");
  g_assert_true (tau_json_equal (tau_json_get (json, "message"), tau_json_get (json, "assistantMessageEvent.partial")));

  json_object_remove_member (tau_json_get_object (json, "assistantMessageEvent"), "partial");
  text = tau_json_to_string (tau_json_get (json, "assistantMessageEvent"));
  g_string_append_printf (recorder->lines, "%s\n", text);
}

static void
send (TauDraft    *draft,
      TauDeltaKind kind,
      guint        index,
      const char  *text)
{
  tau_draft_apply (draft, &(TauDelta) { .kind = kind, .index = index, .text = text, .length = -1, .id = "t1", .name = "read" });
}

/* All nine, with blocks that interleave: a consumer goes by contentIndex. */
static void
test_updates (void)
{
  g_autoptr(TauDraft) draft = tau_draft_new ("api", "provider", "model", 1);
  g_autoptr(GString) lines = g_string_new (NULL);
  Recorder recorder = { lines };

  g_signal_connect (draft, "delta", G_CALLBACK (record_delta_cb), &recorder);
  send (draft, TAU_DELTA_START, 0, NULL);
  send (draft, TAU_DELTA_THINKING_START, 0, NULL);
  send (draft, TAU_DELTA_TEXT_START, 1, NULL);
  send (draft, TAU_DELTA_THINKING, 0, "hm");
  send (draft, TAU_DELTA_TEXT, 1, "he");
  send (draft, TAU_DELTA_TEXT, 1, "llo");
  send (draft, TAU_DELTA_THINKING_END, 0, NULL);
  send (draft, TAU_DELTA_TEXT_END, 1, NULL);
  send (draft, TAU_DELTA_TOOL_CALL_START, 2, NULL);
  send (draft, TAU_DELTA_TOOL_CALL, 2, "");
  send (draft, TAU_DELTA_TOOL_CALL, 2, "{\"a\":1}");
  send (draft, TAU_DELTA_TOOL_CALL_END, 2, NULL);

  g_assert_cmpstr (lines->str, ==,
                   "{\"type\":\"thinking_start\",\"contentIndex\":0}\n"
                   "{\"type\":\"text_start\",\"contentIndex\":1}\n"
                   "{\"type\":\"thinking_delta\",\"contentIndex\":0,\"delta\":\"hm\"}\n"
                   "{\"type\":\"text_delta\",\"contentIndex\":1,\"delta\":\"he\"}\n"
                   "{\"type\":\"text_delta\",\"contentIndex\":1,\"delta\":\"llo\"}\n"
                   "{\"type\":\"thinking_end\",\"contentIndex\":0,\"content\":\"hm\"}\n"
                   "{\"type\":\"text_end\",\"contentIndex\":1,\"content\":\"hello\"}\n"
                   "{\"type\":\"toolcall_start\",\"contentIndex\":2}\n"
                   "{\"type\":\"toolcall_delta\",\"contentIndex\":2,\"delta\":\"\"}\n"
                   "{\"type\":\"toolcall_delta\",\"contentIndex\":2,\"delta\":\"{\\\"a\\\":1}\"}\n"
                   "{\"type\":\"toolcall_end\",\"contentIndex\":2,\"toolCall\":{\"type\":\"toolCall\",\"id\":\"t1\","
                   "\"name\":\"read\",\"arguments\":{\"a\":1}}}\n");
}

/* A delta may be a piece of a longer buffer. */
static void
test_delta_with_length (void)
{
  g_autoptr(TauDraft) draft = tau_draft_new ("api", "provider", "model", 1);
  g_autoptr(GString) lines = g_string_new (NULL);
  Recorder recorder = { lines };

  send (draft, TAU_DELTA_START, 0, NULL);
  send (draft, TAU_DELTA_TEXT_START, 0, NULL);
  g_signal_connect (draft, "delta", G_CALLBACK (record_delta_cb), &recorder);
  tau_draft_apply (draft, &(TauDelta) { .kind = TAU_DELTA_TEXT, .text = "hello world", .length = 5 });

  g_assert_cmpstr (lines->str, ==, "{\"type\":\"text_delta\",\"contentIndex\":0,\"delta\":\"hello\"}\n");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent-event/kinds", test_kinds);
  g_test_add_func ("/agent-event/bare", test_bare);
  g_test_add_func ("/agent-event/messages", test_messages);
  g_test_add_func ("/agent-event/turn-end-with-results", test_turn_end_with_results);
  g_test_add_func ("/agent-event/tools", test_tools);
  g_test_add_func ("/agent-event/updates", test_updates);
  g_test_add_func ("/agent-event/delta-with-length", test_delta_with_length);

  return g_test_run ();
}
