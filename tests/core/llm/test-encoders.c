/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"
#include "core/llm/anthropic/tau-anthropic-decoder.h"
#include "core/llm/google/tau-google-decoder.h"
#include "core/llm/mistral/tau-mistral-encoder.h"
#include "core/llm/openai/tau-completions-decoder.h"
#include "core/llm/openai/tau-responses-decoder.h"
#include "core/llm/tau-encoder.h"
#include "core/message/tau-message-json.h"

#include <string.h>

/* Golden requests: tests/fixtures/requests/NAME.json holds a model, a conversation and options, and the address, the headers and
 * the body that must come of them, to the byte. */

static const TauProtocol *(* const protocols[]) (void) = {
  tau_anthropic_protocol, tau_completions_protocol, tau_responses_protocol, tau_azure_responses_protocol, tau_google_protocol,
  tau_mistral_protocol,
};

static const TauProtocol *
find_protocol (const char *api)
{
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    if (g_str_equal (protocols[i] ()->api, api))
      return protocols[i] ();

  g_error ("no protocol %s", api);
}

static JsonNode *
load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "requests", name, NULL);
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;
  JsonNode *node;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  node = tau_json_parse (text, -1, &error);
  g_assert_no_error (error);

  return node;
}

static GPtrArray *
read_messages (JsonNode *json)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);
  JsonArray *array = tau_json_get_array (json, NULL);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autoptr(GError) error = NULL;

      g_ptr_array_add (messages, tau_message_from_json (json_array_get_element (array, i), &error));
      g_assert_no_error (error);
    }

  return messages;
}

static GPtrArray *
read_tools (JsonNode *json)
{
  GPtrArray *tools = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_tool_spec_unref);
  JsonArray *array = tau_json_get_array (json, NULL);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *tool = json_array_get_element (array, i);

      g_ptr_array_add (tools, tau_tool_spec_new (tau_json_get_string (tool, "name", ""), "", tau_json_get_string (tool, "description", ""),
                                                 tau_json_get (tool, "parameters"), NULL, NULL));
    }

  return tools;
}

static void
add_header_cb (const char *name,
               const char *value,
               gpointer    user_data)
{
  json_object_set_string_member (user_data, name, value);
}

static JsonNode *
describe_call (TauHttpCall *call)
{
  JsonObject *object = json_object_new ();
  JsonObject *headers = json_object_new ();

  tau_http_call_foreach_header (call, add_header_cb, headers);
  json_object_set_string_member (object, "url", tau_http_call_get_url (call));
  json_object_set_object_member (object, "headers", headers);
  tau_json_object_set (object, "body", tau_json_copy (tau_http_call_get_body (call)));

  return tau_json_node_new_object (object);
}

static void
check_case (gconstpointer data)
{
  const char *name = data;
  g_autoptr(JsonNode) json = load (name);
  g_autoptr(JsonNode) tools_json = load ("tools.json");
  g_autofree char *conversation = g_strconcat (tau_json_get_string (json, "conversation", ""), ".json", NULL);
  g_autoptr(JsonNode) messages_json = load (conversation);
  g_autoptr(GPtrArray) messages = read_messages (messages_json);
  g_autoptr(GPtrArray) tools = read_tools (tau_json_get_bool (json, "tools", TRUE) ? tools_json : NULL);
  g_autoptr(TauModel) model = tau_model_new_from_json (tau_json_get_string (json, "model.provider", ""), tau_json_get (json, "model"), NULL);
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauRequest) request = NULL;
  g_autoptr(TauHttpCall) call = NULL;
  g_autoptr(JsonNode) got = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *got_text = NULL, *expected_text = NULL;

  fields.model = model;
  fields.messages = messages;
  fields.tools = tools;
  fields.system_prompt = tau_json_get_string (json, "systemPrompt", NULL);
  fields.api_key = tau_json_get_string (json, "apiKey", "KEY");
  fields.session_id = tau_json_get_string (json, "sessionId", NULL);
  fields.cache_retention = tau_json_get_string (json, "cacheRetention", "short");
  fields.max_tokens = tau_json_get_int (json, "maxTokens", 0);
  fields.temperature = tau_json_get_double (json, "temperature", -1);
  fields.headers = tau_json_get (json, "headers");
  fields.tool_choice = tau_json_get (json, "toolChoice");
  fields.metadata = tau_json_get (json, "metadata");
  fields.thinking_budgets = tau_json_get (json, "thinkingBudgets");
  tau_thinking_level_from_string (tau_json_get_string (json, "thinking", "off"), &fields.thinking);
  request = tau_request_new (&fields);

  call = find_protocol (tau_model_get_api (model))->encode (request, &error);
  g_assert_no_error (error);
  got = describe_call (call);
  got_text = tau_json_to_string (got);
  expected_text = tau_json_get (json, "expected") != NULL ? tau_json_to_string (tau_json_get (json, "expected")) : g_strdup ("");
  if (!g_str_equal (got_text, expected_text))
    g_test_message ("%s: %s", name, got_text);
  g_assert_cmpstr (got_text, ==, expected_text);
}

static void
test_no_key (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"%s\",\"baseUrl\":\"http://x\"}", protocols[i] ()->api);
      g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
      g_autoptr(TauModel) model = tau_model_new_from_json ("acme", json, NULL);
      TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
      g_autoptr(TauRequest) request = NULL;
      g_autoptr(GError) error = NULL;

      fields.model = model;
      request = tau_request_new (&fields);
      g_assert_null (protocols[i] ()->encode (request, &error));
      g_assert_error (error, TAU_API_ERROR, TAU_API_ERROR_AUTH);
      g_assert_cmpstr (error->message, ==, "No API key for provider: acme");
    }
}

/* Known values of pi's hash. */
static void
test_short_hash (void)
{
  static const char * const pairs[][2] = {
    { "", "k4n83c7h0j2b" }, { "a", "m8735310ae7sx" }, { "fc_1", "lxmq3j1alksqn" }, { "hello world", "n7rb4n1m39uz8" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *hash = tau_encoder_short_hash (pairs[i][0]);

      g_assert_cmpstr (hash, ==, pairs[i][1]);
    }
}

static void
test_sanitize_id (void)
{
  g_autofree char *plain = tau_encoder_sanitize_id ("call_1-A", 64);
  g_autofree char *odd = tau_encoder_sanitize_id ("a|b\303\244\360\237\230\200.", 64);
  g_autofree char *cut = tau_encoder_sanitize_id ("abcdef", 3);

  g_assert_cmpstr (plain, ==, "call_1-A");
  g_assert_cmpstr (odd, ==, "a_b____");
  g_assert_cmpstr (cut, ==, "abc");
}

static void
add_cases (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "requests", NULL);
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *test = g_strconcat ("/encoders/golden/", name, NULL);

      if (g_str_has_suffix (name, ".json") && strchr (name, '-') != NULL)
        g_test_add_data_func_full (test, g_strdup (name), check_case, g_free);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_cases ();
  g_test_add_func ("/encoders/no-key", test_no_key);
  g_test_add_func ("/encoders/short-hash", test_short_hash);
  g_test_add_func ("/encoders/sanitize-id", test_sanitize_id);

  return g_test_run ();
}
