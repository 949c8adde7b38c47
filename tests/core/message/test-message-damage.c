/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message-json.h"

#include "core/base/tau-json.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-draft.h"
#include "core/message/tau-message-convert.h"

/* Messages whose fields were lost, swapped or cut off, as other programs and broken disks leave them: each is read as far
 * as it goes, can be shown and sent, and what is written of it can be read again. */

static const char * const messages[] = {
  "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"},{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"}],"
  "\"timestamp\":1}",
  "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"thinkingSignature\":\"s\"},"
  "{\"type\":\"text\",\"text\":\"yes\",\"textSignature\":\"t\"},"
  "{\"type\":\"toolCall\",\"id\":\"c1\",\"name\":\"read\",\"arguments\":{\"path\":\"a\"}}],"
  "\"api\":\"anthropic-messages\",\"provider\":\"anthropic\",\"model\":\"m\",\"usage\":{\"input\":1,\"output\":2,\"cacheRead\":0,"
  "\"cacheWrite\":0,\"totalTokens\":3,\"cost\":{\"input\":0.1,\"output\":0.2,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0.3}},"
  "\"stopReason\":\"toolUse\",\"timestamp\":2,\"responseId\":\"r\",\"responseModel\":\"m-2\",\"errorMessage\":\"e\","
  "\"diagnostics\":[{\"type\":\"x\",\"timestamp\":4}]}",
  "{\"role\":\"toolResult\",\"toolCallId\":\"c1\",\"toolName\":\"read\",\"content\":[{\"type\":\"text\",\"text\":\"data\"}],"
  "\"details\":{\"n\":1},\"isError\":false,\"timestamp\":3}",
  "{\"role\":\"bashExecution\",\"command\":\"ls\",\"output\":\"a\\n\",\"exitCode\":0,\"cancelled\":false,\"truncated\":false,"
  "\"fullOutputPath\":\"/tmp/f\",\"timestamp\":4,\"excludeFromContext\":false}",
  "{\"role\":\"custom\",\"customType\":\"x\",\"content\":\"note\",\"display\":true,\"details\":{\"a\":1},\"timestamp\":5}",
  "{\"role\":\"branchSummary\",\"summary\":\"BS\",\"fromId\":\"root\",\"timestamp\":6}",
  "{\"role\":\"compactionSummary\",\"summary\":\"CS\",\"tokensBefore\":12,\"timestamp\":7}",
  "{\"role\":\"user-with-attachments\",\"content\":\"look\",\"attachments\":[{\"type\":\"document\",\"fileName\":\"a.pdf\","
  "\"extractedText\":\"text\"},{\"type\":\"image\",\"mimeType\":\"image/png\",\"content\":\"aGk=\"}],\"timestamp\":8}",
  "{\"role\":\"artifact\",\"action\":\"create\",\"filename\":\"a\",\"content\":\"b\",\"timestamp\":\"2026-11-30T21:21:00.462Z\"}",
};

static const char * const strange[] = {
  "null", "true", "-1", "1e300", "9223372036854775807", "\"\"", "\"x\"", "\"\\ud800\"", "\"\\u0000\"", "[]", "[[]]", "[null]", "{}",
  "{\"a\":{}}", "[{\"type\":\"text\"}]", "[{\"type\":\"toolCall\"}]", "[{\"type\":7,\"text\":[]}]",
};

static JsonNode *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  JsonNode *node = tau_json_parse (text, -1, &error);

  g_assert_no_error (error);

  return node;
}

/* What everyone does with a message: show it, send it, write it, read it again. */
static void
check (JsonNode *json)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauMessage) message = tau_message_from_json (json, &error);
  g_autoptr(TauMessage) again = NULL;
  g_autoptr(GPtrArray) all = NULL;
  g_autoptr(GPtrArray) sent = NULL;
  g_autoptr(JsonNode) written = NULL;
  g_autoptr(JsonNode) rewritten = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (message == NULL)
    {
      g_assert_nonnull (error);
      g_assert_cmpstr (error->message, !=, "");
      return;
    }

  shown = tau_message_dup_text (message, "\n");
  g_assert_nonnull (shown);
  all = g_ptr_array_new ();
  g_ptr_array_add (all, message);
  sent = tau_messages_convert_to_llm (all);
  for (guint i = 0; i < sent->len; i++)
    g_assert_cmpint (tau_message_get_kind (g_ptr_array_index (sent, i)), <=, TAU_MESSAGE_KIND_TOOL_RESULT);

  written = tau_message_to_json (message);
  again = tau_message_from_json (written, &error);
  g_assert_no_error (error);
  rewritten = tau_message_to_json (again);
  first = tau_json_to_string (written);
  second = tau_json_to_string (rewritten);
  g_assert_cmpstr (first, ==, second);
}

static void
test_field_is_lost (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_autoptr(JsonNode) whole = parse (messages[i]);
      g_autoptr(GList) names = json_object_get_members (json_node_get_object (whole));

      for (GList *l = names; l != NULL; l = l->next)
        {
          g_autoptr(JsonNode) json = parse (messages[i]);

          json_object_remove_member (json_node_get_object (json), l->data);
          check (json);
        }
    }
}

static void
test_field_holds_something_else (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_autoptr(JsonNode) whole = parse (messages[i]);
      g_autoptr(GList) names = json_object_get_members (json_node_get_object (whole));

      for (GList *l = names; l != NULL; l = l->next)
        for (guint j = 0; j < G_N_ELEMENTS (strange); j++)
          {
            g_autoptr(JsonNode) json = parse (messages[i]);

            json_object_set_member (json_node_get_object (json), l->data, parse (strange[j]));
            check (json);
          }
    }
}

/* The fields of one role under the name of another. */
static void
test_role_is_another (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    for (int kind = TAU_MESSAGE_KIND_USER; kind <= TAU_MESSAGE_KIND_ARTIFACT; kind++)
      {
        g_autoptr(JsonNode) json = parse (messages[i]);

        json_object_set_string_member (json_node_get_object (json), "role", tau_message_kind_to_role (kind));
        check (json);
      }
}

static void
test_unknown_fields_are_no_harm (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_autoptr(JsonNode) json = parse (messages[i]);

      json_object_set_member (json_node_get_object (json), "futureField", parse ("{\"deep\":[1,2,{\"x\":null}]}"));
      json_object_set_member (json_node_get_object (json), "", parse ("7"));
      check (json);
    }
}

/* A record made of a stream that stopped after @n_deltas can be written and read like any other. */
static void
check_draft (guint n_deltas)
{
  static const TauDelta deltas[] = {
    { .kind = TAU_DELTA_START, .length = -1 },
    { .kind = TAU_DELTA_THINKING_START, .index = 0, .length = -1 },
    { .kind = TAU_DELTA_THINKING, .index = 0, .text = "hm", .length = -1 },
    { .kind = TAU_DELTA_APPEND_SIGNATURE, .index = 0, .text = "si", .length = -1 },
    { .kind = TAU_DELTA_TEXT_START, .index = 1, .length = -1 },
    { .kind = TAU_DELTA_TEXT, .index = 1, .text = "half \xED\xA0\xBD", .length = -1 },
    { .kind = TAU_DELTA_THINKING_END, .index = 0, .length = -1 },
    { .kind = TAU_DELTA_TOOL_CALL_START, .index = 2, .id = "c1", .name = "read", .length = -1 },
    { .kind = TAU_DELTA_TOOL_CALL, .index = 2, .text = "{\"path\":\"a\\u", .length = -1 },
    { .kind = TAU_DELTA_TEXT_END, .index = 1, .length = -1 },
    { .kind = TAU_DELTA_TOOL_CALL, .index = 2, .text = "00e9\",\"x\":[1,", .length = -1 },
    { .kind = TAU_DELTA_TOOL_CALL_END, .index = 2, .length = -1 },
  };
  static const TauStopReason reasons[] = { TAU_STOP_REASON_STOP, TAU_STOP_REASON_ERROR, TAU_STOP_REASON_ABORTED };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autoptr(TauDraft) draft = tau_draft_new ("openai-completions", "p", "m", 1);
      g_autoptr(TauAssistantMessage) message = NULL;
      g_autoptr(JsonNode) json = NULL;

      for (guint j = 0; j < MIN (n_deltas, G_N_ELEMENTS (deltas)); j++)
        tau_draft_apply (draft, &deltas[j]);
      message = tau_draft_finish (draft, reasons[i], reasons[i] == TAU_STOP_REASON_ERROR ? "cut" : NULL);
      json = tau_message_to_json (TAU_MESSAGE (message));
      g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, reasons[i]);
      check (json);
    }
}

static void
test_stream_is_cut (void)
{
  for (guint n = 0; n <= 12; n++)
    check_draft (n);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/message-damage/field-is-lost", test_field_is_lost);
  g_test_add_func ("/message-damage/field-holds-something-else", test_field_holds_something_else);
  g_test_add_func ("/message-damage/role-is-another", test_role_is_another);
  g_test_add_func ("/message-damage/unknown-fields-are-no-harm", test_unknown_fields_are_no_harm);
  g_test_add_func ("/message-damage/stream-is-cut", test_stream_is_cut);

  return g_test_run ();
}
