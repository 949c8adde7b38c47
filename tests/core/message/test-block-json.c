/* SPDX-License-Identifier: MIT */
#include "core/message/tau-block-json.h"

#include "core/base/tau-json.h"

#include <gio/gio.h>

static JsonNode *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  JsonNode *node = tau_json_parse (text, -1, &error);

  g_assert_no_error (error);

  return node;
}

/* Each of these comes out byte for byte as it went in: same keys, same order, nothing added. */
static const char * const blocks[] = {
  "{\"type\":\"text\",\"text\":\"hi\"}",
  "{\"type\":\"text\",\"text\":\"\",\"textSignature\":\"{\\\"v\\\":1,\\\"id\\\":\\\"m\\\"}\"}",
  "{\"type\":\"text\",\"text\":\"half \\ud83d, NUL \\u0000, é\"}",
  "{\"type\":\"thinking\",\"thinking\":\"hm\"}",
  "{\"type\":\"thinking\",\"thinking\":\"\",\"thinkingSignature\":\"\"}",
  "{\"type\":\"thinking\",\"thinking\":\"[Reasoning redacted]\",\"thinkingSignature\":\"xyz\",\"redacted\":true}",
  "{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"}",
  "{\"type\":\"toolCall\",\"id\":\"call_1\",\"name\":\"read\",\"arguments\":{\"z\":1,\"a\":[true,null,1.5e-7]}}",
  "{\"type\":\"toolCall\",\"id\":\"\",\"name\":\"\",\"arguments\":[],\"thoughtSignature\":\"c2ln\"}",
};

static void
test_round_trip (gconstpointer data)
{
  g_autoptr(JsonNode) json = parse (data);
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBlock) block = tau_block_from_json (json, &error);
  g_autoptr(JsonNode) again = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  again = tau_block_to_json (block);
  text = tau_json_to_string (again);

  g_assert_cmpstr (text, ==, data);
}

static void
test_missing_fields_are_empty (void)
{
  g_autoptr(JsonNode) json = parse ("[{\"type\":\"text\"},{\"type\":\"thinking\",\"redacted\":1},{\"type\":\"image\"},{\"type\":\"toolCall\",\"id\":7}]");
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) read = tau_blocks_from_json (json, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (read->len, ==, 4);
  g_assert_cmpstr (tau_block_get_text (g_ptr_array_index (read, 0)), ==, "");
  g_assert_cmpstr (tau_block_get_data (g_ptr_array_index (read, 2)), ==, "");
  g_assert_cmpstr (tau_block_get_call_id (g_ptr_array_index (read, 3)), ==, "");
  g_assert_true (JSON_NODE_HOLDS_OBJECT (tau_block_get_arguments (g_ptr_array_index (read, 3))));
}

static void
test_not_a_block (void)
{
  const char * const texts[] = { "\"text\"", "null", "[]", "{}", "{\"type\":\"video\"}", "{\"type\":1}" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(JsonNode) json = parse (texts[i]);
      g_autoptr(GError) error = NULL;

      g_assert_null (tau_block_from_json (json, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    }
}

static void
test_arrays (void)
{
  const char *text = "[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\",\"data\":\"d\",\"mimeType\":\"m\"}]";
  g_autoptr(JsonNode) json = parse (text);
  g_autoptr(GPtrArray) read = tau_blocks_from_json (json, NULL);
  g_autoptr(JsonNode) again = tau_blocks_to_json (read);
  g_autoptr(JsonNode) nothing = tau_blocks_to_json (NULL);
  g_autofree char *written = tau_json_to_string (again);
  g_autofree char *empty = tau_json_to_string (nothing);

  g_assert_cmpstr (written, ==, text);
  g_assert_cmpstr (empty, ==, "[]");
}

static void
test_bad_arrays (void)
{
  g_autoptr(JsonNode) object = parse ("{}");
  g_autoptr(JsonNode) odd = parse ("[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"video\"}]");
  g_autoptr(GError) error = NULL;

  g_assert_null (tau_blocks_from_json (odd, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_clear_error (&error);
  g_assert_null (tau_blocks_from_json (object, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_clear_error (&error);
  g_assert_null (tau_blocks_from_json (NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
}

/* From a session file of pi, with its doubles. */
static void
test_usage (void)
{
  const char *text = "{\"input\":70,\"output\":20,\"cacheRead\":30,\"cacheWrite\":0,\"totalTokens\":120,"
                     "\"cost\":{\"input\":0.00007,\"output\":0.000039999999999999996,"
                     "\"cacheRead\":0.000014999999999999999,\"cacheWrite\":0,\"total\":0.000125}}";
  g_autoptr(JsonNode) json = parse (text);
  g_autoptr(JsonNode) again = NULL;
  g_autofree char *written = NULL;
  TauUsage usage;

  tau_usage_from_json (&usage, json);
  again = tau_usage_to_json (&usage);
  written = tau_json_to_string (again);

  g_assert_cmpint (usage.input, ==, 70);
  g_assert_cmpint (usage.total_tokens, ==, 120);
  g_assert_true (usage.cost_total == 0.000125);
  g_assert_cmpstr (written, ==, text);
}

static void
test_no_usage (void)
{
  g_autoptr(JsonNode) odd = parse ("[1]");
  g_autoptr(JsonNode) partial = parse ("{\"input\":3,\"cost\":null}");
  TauUsage usage = { .input = 9 };

  tau_usage_from_json (&usage, NULL);
  g_assert_cmpint (usage.input, ==, 0);
  tau_usage_from_json (&usage, odd);
  g_assert_cmpint (usage.input, ==, 0);
  tau_usage_from_json (&usage, partial);
  g_assert_cmpint (usage.input, ==, 3);
  g_assert_true (usage.cost_total == 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/block-json/round-trip/%u", i);

      g_test_add_data_func (path, blocks[i], test_round_trip);
    }
  g_test_add_func ("/block-json/missing-fields-are-empty", test_missing_fields_are_empty);
  g_test_add_func ("/block-json/not-a-block", test_not_a_block);
  g_test_add_func ("/block-json/arrays", test_arrays);
  g_test_add_func ("/block-json/bad-arrays", test_bad_arrays);
  g_test_add_func ("/block-json/usage", test_usage);
  g_test_add_func ("/block-json/no-usage", test_no_usage);

  return g_test_run ();
}
