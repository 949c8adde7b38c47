/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-protocol.h"

#include "core/base/tau-json.h"
#include "core/llm/anthropic/tau-anthropic-decoder.h"
#include "core/llm/google/tau-google-decoder.h"
#include "core/llm/mistral/tau-mistral-encoder.h"
#include "core/llm/openai/tau-completions-decoder.h"
#include "core/message/tau-message-convert.h"
#include "support/tau-test-transcript.h"

/* Any transcript can be sent to any provider: whatever roles, orders, ids, signatures and texts it has, the body is JSON
 * in UTF-8, no message in it is empty, and no call stays without a result. */

#define N_TRANSCRIPTS 300

static TauModel *
make_model (const TauProtocol *protocol)
{
  gboolean reasoning = g_test_rand_int_range (0, 2) == 0;
  gboolean images = g_test_rand_int_range (0, 2) == 0;
  g_autofree char *text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"%s\",\"baseUrl\":\"http://127.0.0.1\",\"input\":[%s],"
                                           "\"reasoning\":%s,\"contextWindow\":1000,\"maxTokens\":100}",
                                           protocol->api,
                                           images ? "\"text\",\"image\"" : "\"text\"",
                                           reasoning ? "true" : "false");
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);

  return tau_model_new_from_json ("here", json, NULL);
}

static void check_texts (JsonNode *node);

static void
check_member_cb (JsonObject *object,
                 const char *name,
                 JsonNode   *node,
                 gpointer    user_data)
{
  /* Arguments are the model's own and go back as they came, escapes and all. */
  if (!g_str_equal (name, "input") && !g_str_equal (name, "arguments") && !g_str_equal (name, "args"))
    check_texts (node);
}

static void
check_element_cb (JsonArray *array,
                  guint      position,
                  JsonNode  *node,
                  gpointer   user_data)
{
  check_texts (node);
}

/* A NUL or half a surrogate pair would come back from our parser as bytes that are not UTF-8. */
static void
check_texts (JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    json_object_foreach_member (json_node_get_object (node), check_member_cb, NULL);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    json_array_foreach_element (json_node_get_array (node), check_element_cb, NULL);
  else if (tau_json_get_string (node, NULL, NULL) != NULL)
    g_assert_true (g_utf8_validate (tau_json_get_string (node, NULL, NULL), -1, NULL));
}

static JsonNode *
encode (const TauProtocol *protocol,
        GPtrArray         *transcript)
{
  g_autoptr(GPtrArray) messages = tau_messages_convert_to_llm (transcript);
  g_autoptr(TauModel) model = make_model (protocol);
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauRequest) request = NULL;
  g_autoptr(TauHttpCall) call = NULL;
  g_autofree char *body = NULL;
  g_autoptr(GError) error = NULL;
  JsonNode *parsed;

  fields.model = model;
  fields.system_prompt = tau_test_random_text ();
  fields.messages = messages;
  fields.api_key = "key";
  fields.thinking = (TauThinkingLevel) g_test_rand_int_range (TAU_THINKING_OFF, TAU_THINKING_N_LEVELS);
  request = tau_request_new (&fields);
  call = protocol->encode (request, &error);
  g_assert_no_error (error);

  body = tau_json_to_string (tau_http_call_get_body (call));
  g_assert_true (g_utf8_validate (body, -1, NULL));
  parsed = tau_json_parse (body, -1, &error);
  g_assert_no_error (error);
  check_texts (parsed);

  return parsed;
}

static gboolean
has_result (JsonNode   *message,
            const char *id)
{
  JsonArray *content = tau_json_get_array (message, "content");

  for (guint i = 0; content != NULL && i < json_array_get_length (content); i++)
    {
      JsonNode *block = json_array_get_element (content, i);

      if (g_strcmp0 (tau_json_get_string (block, "type", NULL), "tool_result") == 0
          && g_strcmp0 (tau_json_get_string (block, "tool_use_id", NULL), id) == 0)
        return TRUE;
    }

  return FALSE;
}

static void
check_anthropic_message (JsonNode *message,
                         JsonNode *next)
{
  JsonArray *content = tau_json_get_array (message, "content");

  if (content == NULL)
    {
      g_assert_cmpstr (tau_json_get_string (message, "content", ""), !=, "");
      return;
    }

  g_assert_cmpuint (json_array_get_length (content), >, 0);
  for (guint i = 0; i < json_array_get_length (content); i++)
    {
      JsonNode *block = json_array_get_element (content, i);

      if (g_strcmp0 (tau_json_get_string (block, "type", NULL), "tool_use") == 0)
        g_assert_true (next != NULL && has_result (next, tau_json_get_string (block, "id", NULL)));
      if (g_strcmp0 (tau_json_get_string (block, "type", NULL), "text") == 0)
        g_assert_cmpstr (tau_json_get_string (block, "text", ""), !=, "");
    }
}

static void
test_anthropic (void)
{
  for (guint i = 0; i < N_TRANSCRIPTS; i++)
    {
      g_autoptr(GPtrArray) transcript = tau_test_random_transcript ((guint) g_test_rand_int_range (1, 16));
      g_autoptr(JsonNode) body = encode (tau_anthropic_protocol (), transcript);
      JsonArray *messages = tau_json_get_array (body, "messages");
      guint n_messages = json_array_get_length (messages);

      for (guint n = 0; n < n_messages; n++)
        check_anthropic_message (json_array_get_element (messages, n),
                                 n + 1 < n_messages ? json_array_get_element (messages, n + 1) : NULL);
    }
}

/* Whether one of the tool messages that follow @position answers @id. */
static gboolean
is_answered (JsonArray  *messages,
             guint       position,
             const char *id)
{
  for (guint i = position + 1; i < json_array_get_length (messages); i++)
    {
      JsonNode *message = json_array_get_element (messages, i);
      const char *role = tau_json_get_string (message, "role", "");

      if (g_str_equal (role, "assistant"))
        return FALSE;
      if (g_str_equal (role, "tool") && g_strcmp0 (tau_json_get_string (message, "tool_call_id", NULL), id) == 0)
        return TRUE;
    }

  return FALSE;
}

/* Chat completions and their dialects: all calls are answered. */
static void
test_completions (gconstpointer data)
{
  const TauProtocol *protocol = data;

  for (guint i = 0; i < N_TRANSCRIPTS; i++)
    {
      g_autoptr(GPtrArray) transcript = tau_test_random_transcript ((guint) g_test_rand_int_range (1, 16));
      g_autoptr(JsonNode) body = encode (protocol, transcript);
      JsonArray *messages = tau_json_get_array (body, "messages");

      for (guint n = 0; n < json_array_get_length (messages); n++)
        {
          JsonNode *message = json_array_get_element (messages, n);
          JsonArray *calls = tau_json_get_array (message, "tool_calls");

          for (guint c = 0; calls != NULL && c < json_array_get_length (calls); c++)
            g_assert_true (is_answered (messages, n, tau_json_get_string (json_array_get_element (calls, c), "id", NULL)));
        }
    }
}

static gboolean
has_part (JsonNode   *turn,
          const char *kind)
{
  JsonArray *parts = tau_json_get_array (turn, "parts");

  for (guint i = 0; i < json_array_get_length (parts); i++)
    if (tau_json_get (json_array_get_element (parts, i), kind) != NULL)
      return TRUE;

  return FALSE;
}

/* No turn and no part is empty, and the turn behind a call has results. */
static void
check_google_turn (JsonNode *turn,
                   JsonNode *next)
{
  JsonArray *parts = tau_json_get_array (turn, "parts");

  g_assert_cmpuint (json_array_get_length (parts), >, 0);
  for (guint i = 0; i < json_array_get_length (parts); i++)
    {
      JsonNode *part = json_array_get_element (parts, i);

      g_assert_cmpstr (tau_json_get_string (part, "text", "none"), !=, "");
      g_assert_true (tau_json_get (part, "text") != NULL || tau_json_get (part, "inlineData") != NULL
                     || tau_json_get (part, "functionCall") != NULL || tau_json_get (part, "functionResponse") != NULL);
    }

  if (has_part (turn, "functionCall"))
    {
      g_assert_cmpstr (tau_json_get_string (turn, "role", NULL), ==, "model");
      g_assert_nonnull (next);
      g_assert_cmpstr (tau_json_get_string (next, "role", NULL), ==, "user");
      g_assert_true (has_part (next, "functionResponse"));
    }
}

static void
test_google (void)
{
  for (guint i = 0; i < N_TRANSCRIPTS; i++)
    {
      g_autoptr(GPtrArray) transcript = tau_test_random_transcript ((guint) g_test_rand_int_range (1, 16));
      g_autoptr(JsonNode) body = encode (tau_google_protocol (), transcript);
      JsonArray *contents = tau_json_get_array (body, "contents");
      guint n_turns = json_array_get_length (contents);

      for (guint n = 0; n < n_turns; n++)
        check_google_turn (json_array_get_element (contents, n),
                           n + 1 < n_turns ? json_array_get_element (contents, n + 1) : NULL);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/encode-property/anthropic", test_anthropic);
  g_test_add_data_func ("/encode-property/completions", tau_completions_protocol (), test_completions);
  g_test_add_func ("/encode-property/google", test_google);
  g_test_add_data_func ("/encode-property/mistral", tau_mistral_protocol (), test_completions);

  return g_test_run ();
}
