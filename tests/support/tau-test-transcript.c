/* SPDX-License-Identifier: MIT */
#include "support/tau-test-transcript.h"

#include "core/base/tau-json.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

/* Conversations that no careful program would have, but which files do hold. */

static gboolean
chance (guint one_in)
{
  return g_test_rand_int_range (0, (gint32) one_in) == 0;
}

static gint64
random_time (void)
{
  return G_GINT64_CONSTANT (1796073736000) + g_test_rand_int_range (0, 1000);
}

/**
 * tau_test_random_text:
 *
 * Returns: (transfer none): a text that has hurt some program before
 */
const char *
tau_test_random_text (void)
{
  static const char * const texts[] = {
    "plain", "", " ", "\n\n", "a\xC0\x80z", "half \xED\xA0\xBD", "\xED\xB8\x80 half", "\xF0\x9F\x8C\xB2",
    "\"\\\n\t\b</tool>", "<summary>", "\xE2\x80\xA8 line", "e\xCC\x81",
  };

  return texts[g_test_rand_int_range (0, G_N_ELEMENTS (texts))];
}

static JsonNode *
random_scalar (void)
{
  switch (g_test_rand_int_range (0, 5))
    {
    case 0:
      return tau_json_node_new_string (tau_test_random_text ());
    case 1:
      return tau_json_node_new_int (g_test_rand_int ());
    case 2:
      return tau_json_node_new_double (g_test_rand_double ());
    case 3:
      return tau_json_node_new_bool (chance (2));
    default:
      return tau_json_node_new_null ();
    }
}

static JsonNode *
random_object (guint depth)
{
  static const char * const keys[] = { "path", "content", "", "role", "a b", "\xC3\xA4" };
  JsonObject *object = json_object_new ();

  for (gint32 i = g_test_rand_int_range (0, 4); i > 0; i--)
    tau_json_object_set (object, keys[g_test_rand_int_range (0, G_N_ELEMENTS (keys))], tau_test_random_json (depth - 1));

  return tau_json_node_new_object (object);
}

/**
 * tau_test_random_json:
 * @depth: 0 gives a scalar
 *
 * Returns: (transfer full): any JSON value
 */
JsonNode *
tau_test_random_json (guint depth)
{
  JsonArray *array;

  if (depth == 0 || chance (3))
    return random_scalar ();
  if (chance (2))
    return random_object (depth);

  array = json_array_new ();
  for (gint32 i = g_test_rand_int_range (0, 4); i > 0; i--)
    json_array_add_element (array, tau_test_random_json (depth - 1));

  return tau_json_node_new_array (array);
}

/* Few enough that results meet their calls by chance, and some ids come twice. */
static const char *
random_call_id (void)
{
  static const char * const ids[] = { "t1", "t2", "call_a|fc_b", "toolu_/+=", "", "x-\xC3\xA4" };

  return ids[g_test_rand_int_range (0, G_N_ELEMENTS (ids))];
}

static const char *
random_signature (void)
{
  return chance (2) ? "{\"v\":1,\"id\":\"msg_1\"}" : NULL;
}

static TauBlock *
random_assistant_block (void)
{
  g_autoptr(JsonNode) arguments = NULL;

  if (chance (3))
    return tau_block_new_thinking (tau_test_random_text (), random_signature (), chance (4));
  if (chance (2))
    return tau_block_new_text (tau_test_random_text (), random_signature ());

  arguments = random_object (2);
  return tau_block_new_tool_call (random_call_id (), chance (2) ? "read" : "bash", arguments, random_signature ());
}

static TauBlock *
random_input_block (void)
{
  if (chance (3))
    return tau_block_new_image ("aGk=", "image/png");

  return tau_block_new_text (tau_test_random_text (), NULL);
}

static GPtrArray *
random_blocks (TauBlock *(*make) (void))
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  for (gint32 i = g_test_rand_int_range (0, 4); i > 0; i--)
    g_ptr_array_add (blocks, make ());

  return blocks;
}

static TauMessage *
random_assistant (void)
{
  static const char * const apis[] = { "anthropic-messages", "openai-completions", "openai-responses", "google-generative-ai" };
  g_autoptr(GPtrArray) blocks = random_blocks (random_assistant_block);
  TauAssistantFields fields = {
    .api = apis[g_test_rand_int_range (0, G_N_ELEMENTS (apis))],
    .provider = chance (2) ? "here" : "elsewhere",
    .model = chance (2) ? "m" : "other",
    .response_id = chance (2) ? "resp_1" : NULL,
    .stop_reason = (TauStopReason) g_test_rand_int_range (TAU_STOP_REASON_STOP, TAU_STOP_REASON_ABORTED + 1),
    .timestamp = random_time (),
  };

  fields.usage.input = g_test_rand_int_range (0, 1000);
  fields.usage.cost_total = g_test_rand_double ();
  if (fields.stop_reason >= TAU_STOP_REASON_ERROR)
    fields.error_message = tau_test_random_text ();

  return TAU_MESSAGE (tau_assistant_message_new (blocks, &fields));
}

static TauMessage *
random_bash_execution (void)
{
  return TAU_MESSAGE (tau_bash_execution_message_new (&(TauBashExecutionFields) {
      .command = tau_test_random_text (),
      .output = tau_test_random_text (),
      .has_exit_code = chance (2),
      .exit_code = g_test_rand_int_range (0, 3),
      .truncated = chance (2),
      .full_output_path = chance (2) ? "/tmp/log" : NULL,
      .timestamp = random_time (),
  }));
}

/**
 * tau_test_random_message:
 * @kind: its kind; %TAU_MESSAGE_KIND_OTHER gives one of an unknown role
 *
 * Returns: (transfer full): a message
 */
TauMessage *
tau_test_random_message (TauMessageKind kind)
{
  g_autoptr(GPtrArray) blocks = random_blocks (random_input_block);
  g_autoptr(JsonNode) json = tau_test_random_json (2);
  g_autoptr(JsonNode) other = random_object (3);
  JsonObject *object = json_node_get_object (other);

  switch (kind)
    {
    case TAU_MESSAGE_KIND_USER:
      if (chance (3))
        return TAU_MESSAGE (tau_user_message_new_string (tau_test_random_text (), random_time ()));
      return TAU_MESSAGE (tau_user_message_new_blocks (blocks, random_time ()));

    case TAU_MESSAGE_KIND_ASSISTANT:
      return random_assistant ();

    case TAU_MESSAGE_KIND_TOOL_RESULT:
      return TAU_MESSAGE (tau_tool_result_message_new (random_call_id (), "read", blocks, chance (2) ? json : NULL,
                                                       chance (3), random_time ()));

    case TAU_MESSAGE_KIND_BASH_EXECUTION:
      return random_bash_execution ();

    case TAU_MESSAGE_KIND_CUSTOM:
      return TAU_MESSAGE (tau_custom_message_new ("ext", blocks, FALSE, chance (2), json, random_time ()));

    case TAU_MESSAGE_KIND_BRANCH_SUMMARY:
      return TAU_MESSAGE (tau_branch_summary_message_new (tau_test_random_text (), "root", random_time ()));

    case TAU_MESSAGE_KIND_COMPACTION_SUMMARY:
      return TAU_MESSAGE (tau_compaction_summary_message_new (tau_test_random_text (), 7, random_time ()));

    case TAU_MESSAGE_KIND_USER_ATTACHMENTS:
      return TAU_MESSAGE (tau_user_attachments_message_new (blocks, FALSE, json, random_time ()));

    case TAU_MESSAGE_KIND_ARTIFACT:
      json_object_set_string_member (object, "role", "artifact");
      return TAU_MESSAGE (tau_artifact_message_new (other));

    case TAU_MESSAGE_KIND_OTHER:
      json_object_set_string_member (object, "role", "weather");
      return TAU_MESSAGE (tau_unknown_message_new (other));

    default:
      g_assert_not_reached ();
    }
}

/**
 * tau_test_random_transcript:
 * @n_messages: how many
 *
 * Returns: (transfer full) (element-type TauMessage): messages of all kinds; half of them are of the usual three
 */
GPtrArray *
tau_test_random_transcript (guint n_messages)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_messages; i++)
    {
      TauMessageKind last = chance (2) ? TAU_MESSAGE_KIND_TOOL_RESULT : TAU_MESSAGE_KIND_ARTIFACT;

      g_ptr_array_add (messages, tau_test_random_message ((TauMessageKind) g_test_rand_int_range (0, (gint32) last + 1)));
    }

  return messages;
}
