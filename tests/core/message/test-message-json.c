/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message-json.h"

#include "core/base/tau-json.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

#include <gio/gio.h>

#define ZERO_USAGE                                                                                                     \
  "\"usage\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"totalTokens\":0,"                            \
  "\"cost\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0}}"

/* Messages as pi writes them. Each comes out byte for byte as it went in. */
static const struct
{
  const char    *name;
  TauMessageKind kind;
  const char    *text;
} messages[] = {
  { "user", TAU_MESSAGE_KIND_USER,
    "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hello there\"}],\"timestamp\":1796073736101}" },
  { "user-string", TAU_MESSAGE_KIND_USER,
    "{\"role\":\"user\",\"content\":\"bare\",\"timestamp\":1}" },
  { "user-empty", TAU_MESSAGE_KIND_USER,
    "{\"role\":\"user\",\"content\":[],\"timestamp\":1}" },
  { "assistant", TAU_MESSAGE_KIND_ASSISTANT,
    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"echo: hello there\"}],"
    "\"api\":\"openai-completions\",\"provider\":\"mock\",\"model\":\"m1\",\"usage\":{\"input\":70,\"output\":20,"
    "\"cacheRead\":30,\"cacheWrite\":0,\"totalTokens\":120,\"cost\":{\"input\":0.00007,"
    "\"output\":0.000039999999999999996,\"cacheRead\":0.000014999999999999999,\"cacheWrite\":0,\"total\":0.000125}},"
    "\"stopReason\":\"stop\",\"timestamp\":1796073736206,\"responseId\":\"r1\"}" },
  { "assistant-failed", TAU_MESSAGE_KIND_ASSISTANT,
    "{\"role\":\"assistant\",\"content\":[],\"api\":\"a\",\"provider\":\"p\",\"model\":\"m\"," ZERO_USAGE
    ",\"stopReason\":\"aborted\",\"timestamp\":5,\"responseId\":\"r\",\"responseModel\":\"m-2\","
    "\"diagnostics\":[{\"type\":\"provider_transport_failure\",\"timestamp\":4,\"details\":{\"x\":[1,{}]}}],"
    "\"errorMessage\":\"Request was aborted\"}" },
  { "tool-result", TAU_MESSAGE_KIND_TOOL_RESULT,
    "{\"role\":\"toolResult\",\"toolCallId\":\"call_1\",\"toolName\":\"read\",\"content\":[{\"type\":\"text\","
    "\"text\":\"data\"}],\"isError\":false,\"timestamp\":1796073660461}" },
  { "tool-result-details", TAU_MESSAGE_KIND_TOOL_RESULT,
    "{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"bash\",\"content\":[],\"details\":{\"truncation\":"
    "{\"truncatedBy\":null,\"n\":1.25}},\"isError\":true,\"timestamp\":2}" },
  { "bash-execution", TAU_MESSAGE_KIND_BASH_EXECUTION,
    "{\"role\":\"bashExecution\",\"command\":\"echo hi\",\"output\":\"hi\\n\",\"exitCode\":0,\"cancelled\":false,"
    "\"truncated\":false,\"timestamp\":1796074264472,\"excludeFromContext\":false}" },
  { "bash-execution-cancelled", TAU_MESSAGE_KIND_BASH_EXECUTION,
    "{\"role\":\"bashExecution\",\"command\":\"x\",\"output\":\"p\",\"cancelled\":true,\"truncated\":true,"
    "\"fullOutputPath\":\"/tmp/f\",\"timestamp\":3}" },
  { "custom", TAU_MESSAGE_KIND_CUSTOM,
    "{\"role\":\"custom\",\"customType\":\"ext\",\"content\":\"Injected\",\"display\":true,\"details\":{\"a\":1},"
    "\"timestamp\":4}" },
  { "custom-blocks", TAU_MESSAGE_KIND_CUSTOM,
    "{\"role\":\"custom\",\"customType\":\"ext\",\"content\":[{\"type\":\"text\",\"text\":\"b\"}],\"display\":false,"
    "\"timestamp\":4}" },
  { "branch-summary", TAU_MESSAGE_KIND_BRANCH_SUMMARY,
    "{\"role\":\"branchSummary\",\"summary\":\"BS\",\"fromId\":\"root\",\"timestamp\":5}" },
  { "compaction-summary", TAU_MESSAGE_KIND_COMPACTION_SUMMARY,
    "{\"role\":\"compactionSummary\",\"summary\":\"CS\",\"tokensBefore\":12345,\"timestamp\":6}" },
  { "user-with-attachments", TAU_MESSAGE_KIND_USER_ATTACHMENTS,
    "{\"role\":\"user-with-attachments\",\"content\":\"look\",\"attachments\":[{\"id\":\"1\",\"type\":\"image\","
    "\"fileName\":\"a.png\",\"mimeType\":\"image/png\",\"size\":3,\"content\":\"eHh4\",\"preview\":\"eHh4\"}],"
    "\"timestamp\":7}" },
  { "artifact", TAU_MESSAGE_KIND_ARTIFACT,
    "{\"role\":\"artifact\",\"action\":\"create\",\"filename\":\"a.html\",\"content\":\"<p>\",\"title\":\"A\","
    "\"timestamp\":\"2026-11-30T21:21:00.462Z\"}" },
  { "unknown", TAU_MESSAGE_KIND_OTHER,
    "{\"role\":\"weather\",\"sky\":{\"z\":[1,2.5,null]},\"content\":\"grey\",\"timestamp\":8,\"\":false}" },
};

static JsonNode *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  JsonNode *node = tau_json_parse (text, -1, &error);

  g_assert_no_error (error);

  return node;
}

static TauMessage *
read_message (const char *text)
{
  g_autoptr(JsonNode) json = parse (text);
  g_autoptr(GError) error = NULL;
  TauMessage *message = tau_message_from_json (json, &error);

  g_assert_no_error (error);

  return message;
}

static void
test_round_trip (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr(TauMessage) message = read_message (messages[i].text);
  g_autoptr(JsonNode) json = tau_message_to_json (message);
  g_autofree char *text = tau_json_to_string (json);

  g_assert_cmpint (tau_message_get_kind (message), ==, messages[i].kind);
  g_assert_cmpstr (text, ==, messages[i].text);
}

static void
test_assistant_fields (void)
{
  g_autoptr(TauMessage) message = read_message (messages[4].text);
  TauAssistantMessage *assistant = TAU_ASSISTANT_MESSAGE (message);

  g_assert_cmpstr (tau_assistant_message_get_response_model (assistant), ==, "m-2");
  g_assert_cmpint (tau_assistant_message_get_stop_reason (assistant), ==, TAU_STOP_REASON_ABORTED);
  g_assert_cmpstr (tau_assistant_message_get_error_message (assistant), ==, "Request was aborted");
  g_assert_true (JSON_NODE_HOLDS_ARRAY (tau_assistant_message_get_diagnostics (assistant)));
  g_assert_cmpint (tau_message_get_timestamp (message), ==, 5);
}

/* A bare string is one text block to everyone but the file. */
static void
test_strings_are_blocks (void)
{
  g_autoptr(TauMessage) user = read_message ("{\"role\":\"user\",\"content\":\"bare\"}");
  g_autoptr(TauMessage) custom = read_message ("{\"role\":\"custom\",\"content\":\"bare\"}");

  g_assert_cmpuint (tau_message_get_n_blocks (user), ==, 1);
  g_assert_true (tau_user_message_is_string (TAU_USER_MESSAGE (user)));
  g_assert_cmpstr (tau_block_get_text (tau_message_get_block (custom, 0)), ==, "bare");
  g_assert_true (tau_custom_message_is_string (TAU_CUSTOM_MESSAGE (custom)));
}

static void
test_block_of_the_future_is_skipped (void)
{
  g_autoptr(TauMessage) message = read_message ("{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
                                                "{\"type\":\"video\"},null,{\"type\":\"text\",\"text\":\"b\"}]}");
  g_autofree char *text = tau_message_dup_text (message, "");

  g_assert_cmpuint (tau_message_get_n_blocks (message), ==, 2);
  g_assert_cmpstr (text, ==, "ab");
}

/* Whatever stands in the fields, each role can be read with nothing but its name. */
static void
test_odd_fields (void)
{
  for (int kind = TAU_MESSAGE_KIND_USER; kind <= TAU_MESSAGE_KIND_ARTIFACT; kind++)
    {
      const char *role = tau_message_kind_to_role (kind);
      g_autofree char *bare = g_strdup_printf ("{\"role\":\"%s\"}", role);
      g_autofree char *odd = g_strdup_printf ("{\"role\":\"%s\",\"content\":7,\"timestamp\":\"x\",\"usage\":[],"
                                              "\"stopReason\":null,\"details\":null,\"exitCode\":null,"
                                              "\"attachments\":{},\"summary\":[],\"toolCallId\":{}}", role);
      g_autoptr(TauMessage) first = read_message (bare);
      g_autoptr(TauMessage) second = read_message (odd);
      g_autoptr(JsonNode) json = tau_message_to_json (second);

      g_assert_cmpint (tau_message_get_kind (first), ==, kind);
      g_assert_cmpuint (tau_message_get_n_blocks (second), ==, 0);
      g_assert_cmpstr (tau_json_get_string (json, "role", NULL), ==, role);
    }
}

static void
test_exit_code_null_is_unknown (void)
{
  g_autoptr(TauMessage) message = read_message ("{\"role\":\"bashExecution\",\"exitCode\":null}");

  g_assert_false (tau_bash_execution_message_get_fields (TAU_BASH_EXECUTION_MESSAGE (message))->has_exit_code);
}

static void
test_details_null_is_kept (void)
{
  const char *text = "{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"t\",\"content\":[],\"details\":null,"
                     "\"isError\":false,\"timestamp\":2}";
  g_autoptr(TauMessage) message = read_message (text);
  g_autoptr(JsonNode) json = tau_message_to_json (message);
  g_autofree char *written = tau_json_to_string (json);

  g_assert_cmpstr (written, ==, text);
}

static void
test_not_a_message (void)
{
  const char * const texts[] = { "null", "[]", "\"user\"", "{}", "{\"role\":7}", "{\"content\":[]}" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(JsonNode) json = parse (texts[i]);
      g_autoptr(GError) error = NULL;

      g_assert_null (tau_message_from_json (json, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_autofree char *path = g_strconcat ("/message-json/round-trip/", messages[i].name, NULL);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_round_trip);
    }
  g_test_add_func ("/message-json/assistant-fields", test_assistant_fields);
  g_test_add_func ("/message-json/strings-are-blocks", test_strings_are_blocks);
  g_test_add_func ("/message-json/block-of-the-future-is-skipped", test_block_of_the_future_is_skipped);
  g_test_add_func ("/message-json/odd-fields", test_odd_fields);
  g_test_add_func ("/message-json/exit-code-null-is-unknown", test_exit_code_null_is_unknown);
  g_test_add_func ("/message-json/details-null-is-kept", test_details_null_is_kept);
  g_test_add_func ("/message-json/not-a-message", test_not_a_message);

  return g_test_run ();
}
