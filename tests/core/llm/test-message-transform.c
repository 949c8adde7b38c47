/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-message-transform.h"

#include "core/base/tau-json.h"
#include "core/llm/mistral/tau-mistral-encoder.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

#include <string.h>

/* A conversation as one string, before and after: a line a message.
 *
 *   user: TEXT            a string             results: ID TOOL TEXT, with "!" for an error
 *   parts: TEXT | TEXT    blocks; IMAGE is a picture
 *   own: / other:         answers of the model that is to read it, and of another; [error] behind the colon: a failed one
 *     text T   thinking T   signed T   redacted T   call ID TOOL */

static GPtrArray *
new_blocks (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
}

static TauBlock *
read_answer_block (const char *text)
{
  g_auto(GStrv) words = g_strsplit (text, " ", 3);
  g_autoptr(JsonNode) arguments = tau_json_parse ("{}", -1, NULL);

  if (g_str_equal (words[0], "text"))
    return tau_block_new_text (text + strlen ("text "), "text-signature");
  if (g_str_equal (words[0], "thinking"))
    return tau_block_new_thinking (text + strlen ("thinking "), NULL, FALSE);
  if (g_str_equal (words[0], "signed"))
    return tau_block_new_thinking (text + strlen ("signed "), "signature", FALSE);
  if (g_str_equal (words[0], "redacted"))
    return tau_block_new_thinking (text + strlen ("redacted "), "data", TRUE);

  g_assert_cmpstr (words[0], ==, "call");
  return tau_block_new_tool_call (words[1], words[2], arguments, "thought");
}

static TauMessage *
read_answer (const char *text,
             gboolean    own)
{
  g_autoptr(GPtrArray) blocks = new_blocks ();
  gboolean failed = g_str_has_prefix (text, "[error] ");
  g_auto(GStrv) parts = g_strsplit (failed ? text + strlen ("[error] ") : text, " | ", -1);
  TauAssistantFields fields = {
    .api = "mistral-conversations", .provider = "p", .model = own ? "m" : "other",
    .stop_reason = failed ? TAU_STOP_REASON_ERROR : TAU_STOP_REASON_STOP, .error_message = failed ? "no" : NULL, .timestamp = 7,
  };

  for (char **part = parts; *part != NULL; part++)
    if (**part != '\0')
      g_ptr_array_add (blocks, read_answer_block (*part));

  return TAU_MESSAGE (tau_assistant_message_new (blocks, &fields));
}

static GPtrArray *
read_parts (const char *text)
{
  GPtrArray *blocks = new_blocks ();
  g_auto(GStrv) parts = g_strsplit (text, " | ", -1);

  for (char **part = parts; *part != NULL; part++)
    g_ptr_array_add (blocks, g_str_equal (*part, "IMAGE") ? tau_block_new_image ("aGk=", "image/png") : tau_block_new_text (*part, NULL));

  return blocks;
}

static TauMessage *
read_message (const char *line)
{
  const char *colon = strstr (line, ": ");
  const char *text = colon + 2;
  g_autofree char *kind = g_strndup (line, (gsize) (colon - line));
  g_autoptr(GPtrArray) blocks = NULL;
  g_auto(GStrv) words = NULL;

  if (g_str_equal (kind, "user"))
    return TAU_MESSAGE (tau_user_message_new_string (text, 1));
  if (g_str_equal (kind, "own") || g_str_equal (kind, "other"))
    return read_answer (text, g_str_equal (kind, "own"));
  if (g_str_equal (kind, "parts"))
    {
      blocks = read_parts (text);
      return TAU_MESSAGE (tau_user_message_new_blocks (blocks, 1));
    }

  g_assert_true (g_str_equal (kind, "result") || g_str_equal (kind, "result!"));
  words = g_strsplit (text, " ", 3);
  blocks = read_parts (words[2]);
  return TAU_MESSAGE (tau_tool_result_message_new (words[0], words[1], blocks, NULL, g_str_has_suffix (kind, "!"), 1));
}

static void
describe_block (TauBlock *block,
                GString  *out)
{
  switch (tau_block_get_kind (block))
    {
    case TAU_BLOCK_TEXT:
      g_string_append_printf (out, "text %s", tau_block_get_text (block));
      break;
    case TAU_BLOCK_IMAGE:
      g_string_append (out, "IMAGE");
      break;
    case TAU_BLOCK_THINKING:
      g_string_append_printf (out, "%s %s", tau_block_is_redacted (block) ? "redacted" : "thinking", tau_block_get_text (block));
      break;
    case TAU_BLOCK_TOOL_CALL:
    default:
      g_string_append_printf (out, "call %s %s", tau_block_get_call_id (block), tau_block_get_call_name (block));
    }
  if (tau_block_get_signature (block) != NULL)
    g_string_append_printf (out, " [%s]", tau_block_get_signature (block));
}

static char *
describe (GPtrArray *messages)
{
  g_autoptr(GString) out = g_string_new (NULL);

  for (guint i = 0; i < messages->len; i++)
    {
      TauMessage *message = messages->pdata[i];

      g_string_append (out, tau_message_get_role (message));
      if (TAU_IS_TOOL_RESULT_MESSAGE (message))
        g_string_append_printf (out, "%s %s %s", tau_tool_result_message_get_is_error (TAU_TOOL_RESULT_MESSAGE (message)) ? "!" : "",
                                tau_tool_result_message_get_call_id (TAU_TOOL_RESULT_MESSAGE (message)),
                                tau_tool_result_message_get_tool_name (TAU_TOOL_RESULT_MESSAGE (message)));
      g_string_append (out, ":");
      for (guint j = 0; j < tau_message_get_n_blocks (message); j++)
        {
          g_string_append (out, j > 0 ? " | " : " ");
          describe_block (tau_message_get_block (message, j), out);
        }
      g_string_append_c (out, '\n');
    }

  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
bracket_id (const char          *id,
            TauModel            *model,
            TauAssistantMessage *source)
{
  g_assert_cmpstr (tau_model_get_id (model), ==, "m");
  g_assert_cmpstr (tau_assistant_message_get_model (source), ==, "other");

  return g_strdup_printf ("<%s>", id);
}

static GPtrArray *
transform (const char   *text,
           gboolean      blind,
           TauCallIdFunc call_id)
{
  g_autofree char *model_text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"mistral-conversations\",\"baseUrl\":\"http://x\",\"input\":[\"text\"%s]}", blind ? "" : ",\"image\"");
  g_autoptr(JsonNode) json = tau_json_parse (model_text, -1, NULL);
  g_autoptr(TauModel) model = tau_model_new_from_json ("p", json, NULL);
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    g_ptr_array_add (messages, read_message (*line));

  return tau_messages_transform (messages, model, call_id);
}

static void
check_with (const char   *text,
            gboolean      blind,
            TauCallIdFunc call_id,
            const char   *expected)
{
  g_autoptr(GPtrArray) messages = transform (text, blind, call_id);
  g_autofree char *got = describe (messages);

  g_assert_cmpstr (got, ==, expected);
}

#define CHECK(text, expected)       check_with (text, FALSE, bracket_id, expected)
#define CHECK_BLIND(text, expected) check_with (text, TRUE, bracket_id, expected)

static void
test_own (void)
{
  CHECK ("user: a\nown: signed t | thinking u | redacted v | text b | call c read\nresult: c read r",
         "user: text a\nassistant: thinking t [signature] | thinking u | redacted v [data] | text b [text-signature] | call c read [thought]\n"
         "toolResult c read: text r\n");
  /* Reasoning that says nothing goes, unless it is signed. */
  CHECK ("own: thinking   | signed   | text b", "assistant: thinking   [signature] | text b [text-signature]\n");
}

static void
test_foreign (void)
{
  CHECK ("user: a\nother: signed t | thinking u | redacted v | signed   | text b | call c read\nresult: c read r",
         "user: text a\nassistant: text t | text u | text b | call <c> read\ntoolResult <c> read: text r\n");
}

/* Records that need no change are taken as they are. */
static void
test_shared (void)
{
  g_autoptr(GPtrArray) messages = transform ("user: a", FALSE, bracket_id);

  g_assert_cmpuint (G_OBJECT (messages->pdata[0])->ref_count, ==, 1);
}

static void
test_images (void)
{
  CHECK ("parts: a | IMAGE", "user: text a | IMAGE\n");
  CHECK_BLIND ("parts: a | IMAGE | IMAGE | b | IMAGE",
               "user: text a | text (image omitted: model does not support images) | text b | text (image omitted: model does not support images)\n");
  CHECK_BLIND ("parts: (image omitted: model does not support images) | IMAGE", "user: text (image omitted: model does not support images)\n");
  CHECK_BLIND ("own: call c read\nresult!: c read r | IMAGE",
               "assistant: call c read [thought]\ntoolResult! c read: text r | text (tool image omitted: model does not support images)\n");
}

static void
test_missing_results (void)
{
  CHECK ("own: call c read", "assistant: call c read [thought]\ntoolResult! c read: text No result provided\n");
  CHECK ("own: call c read | call d bash\nresult: d bash r\nuser: a",
         "assistant: call c read [thought] | call d bash [thought]\ntoolResult! c read: text No result provided\ntoolResult d bash: text r\nuser: text a\n");
  CHECK ("other: call c read\nown: text b", "assistant: call <c> read\ntoolResult! <c> read: text No result provided\nassistant: text b [text-signature]\n");
}

static void
test_order_of_results (void)
{
  CHECK ("own: call c read | call d bash\nresult: d bash r\nresult: c read s",
         "assistant: call c read [thought] | call d bash [thought]\ntoolResult c read: text s\ntoolResult d bash: text r\n");
}

static void
test_stray_results (void)
{
  CHECK ("user: a\nresult: c read r", "user: text a\n");
  CHECK ("own: call c read\nresult: c read r\nresult: c read s\nresult: d read t", "assistant: call c read [thought]\ntoolResult c read: text r\n");
  CHECK ("own: call c read\nuser: a\nresult: c read r",
         "assistant: call c read [thought]\ntoolResult! c read: text No result provided\nuser: text a\n");
}

/* A failed answer goes with its calls and their results; what was before it is complete. */
static void
test_failed (void)
{
  CHECK ("user: a\nown: [error] text b | call c read\nresult: c read r\nuser: d", "user: text a\nuser: text d\n");
  CHECK ("own: call c read\nother: [error] text b\nuser: d",
         "assistant: call c read [thought]\ntoolResult! c read: text No result provided\nuser: text d\n");
}

/* What belongs to an id is told by its place, if the id came before, and by the tool's name, if it came in the same answer. */
static void
test_repeated_ids (void)
{
  g_autoptr(GPtrArray) messages = transform ("own: call c read | call c bash\nresult: c bash r\nresult: c read s\nown: call c read\nresult: c read t", FALSE, NULL);
  TauMessage *first = messages->pdata[0], *second = messages->pdata[3];
  const char *ids[] = {
    tau_block_get_call_id (tau_message_get_block (first, 0)), tau_block_get_call_id (tau_message_get_block (first, 1)),
    tau_block_get_call_id (tau_message_get_block (second, 0)),
  };
  static const char * const texts[] = { "s", "r", "t" };
  static const guint positions[] = { 1, 2, 4 };

  g_assert_cmpuint (messages->len, ==, 5);
  g_assert_cmpstr (ids[0], ==, "c");
  for (guint i = 0; i < 3; i++)
    {
      TauMessage *result = messages->pdata[positions[i]];

      g_assert_cmpstr (ids[i], !=, ids[(i + 1) % 3]);
      g_assert_cmpstr (tau_tool_result_message_get_call_id (TAU_TOOL_RESULT_MESSAGE (result)), ==, ids[i]);
      g_assert_cmpstr (tau_block_get_text (tau_message_get_block (result, 0)), ==, texts[i]);
    }
}

static guint n_fitted;

static char *
count_fitting (const char          *id,
               TauModel            *model,
               TauAssistantMessage *source)
{
  n_fitted++;
  return g_strdup (id);
}

/* A server that gives all calls one id costs no more with each of them. */
static void
test_many_repeated_ids (void)
{
  g_autoptr(GString) text = g_string_new ("user: a");
  g_autoptr(GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GPtrArray) messages = NULL;

  for (guint i = 0; i < 500; i++)
    g_string_append (text, "\nother: call c read\nresult: c read r");
  n_fitted = 0;
  messages = transform (text->str, FALSE, count_fitting);
  for (guint i = 1; i < messages->len; i += 2)
    g_assert_true (g_hash_table_add (ids, (gpointer) tau_block_get_call_id (tau_message_get_block (messages->pdata[i], 0))));
  g_assert_cmpuint (g_hash_table_size (ids), ==, 500);
  g_assert_cmpuint (n_fitted, <=, 2 * 500);
}

/* Some servers give no ids. */
static void
test_empty_ids (void)
{
  g_autoptr(GPtrArray) messages = transform ("own: call  read | call  bash\nresult:  read r\nresult:  bash s", FALSE, NULL);

  g_assert_cmpuint (messages->len, ==, 3);
  for (guint i = 0; i < 2; i++)
    {
      const char *id = tau_block_get_call_id (tau_message_get_block (messages->pdata[0], i));

      g_assert_cmpstr (id, !=, "");
      g_assert_cmpstr (tau_tool_result_message_get_call_id (TAU_TOOL_RESULT_MESSAGE (messages->pdata[i + 1])), ==, id);
    }
}

static JsonNode *
encode_for_mistral (const char *text)
{
  g_autoptr(JsonNode) json = tau_json_parse ("{\"id\":\"m\",\"api\":\"mistral-conversations\",\"baseUrl\":\"http://x\"}", -1, NULL);
  g_autoptr(TauModel) model = tau_model_new_from_json ("p", json, NULL);
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauRequest) request = NULL;
  g_autoptr(TauHttpCall) call = NULL;

  for (char **line = lines; *line != NULL; line++)
    g_ptr_array_add (messages, read_message (*line));
  fields.model = model;
  fields.messages = messages;
  fields.api_key = "key";
  request = tau_request_new (&fields);
  call = tau_mistral_protocol ()->encode (request, NULL);

  return tau_json_copy (tau_json_get (tau_http_call_get_body (call), "messages"));
}

/* Mistral's ids have nine characters, which are those of a hash. These two have the same. */
static void
test_mistral_collision (void)
{
  g_autoptr(JsonNode) one = encode_for_mistral ("other: call toolu3419076 read\nresult: toolu3419076 read r");
  g_autoptr(JsonNode) two = encode_for_mistral ("other: call toolu3629581 read\nresult: toolu3629581 read r");
  g_autoptr(JsonNode) both = encode_for_mistral ("other: call toolu3419076 read | call toolu3629581 read\nresult: toolu3419076 read r\nresult: toolu3629581 read s");
  const char *first = tau_json_get_string (both, "0.tool_calls.0.id", NULL);
  const char *second = tau_json_get_string (both, "0.tool_calls.1.id", NULL);

  g_assert_cmpstr (tau_json_get_string (one, "0.tool_calls.0.id", NULL), ==, tau_json_get_string (two, "0.tool_calls.0.id", NULL));
  g_assert_cmpstr (first, ==, tau_json_get_string (one, "0.tool_calls.0.id", NULL));
  g_assert_cmpstr (first, !=, second);
  g_assert_cmpuint (strlen (second), ==, 9);
  g_assert_cmpstr (tau_json_get_string (both, "1.tool_call_id", NULL), ==, first);
  g_assert_cmpstr (tau_json_get_string (both, "2.tool_call_id", NULL), ==, second);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/message-transform/own", test_own);
  g_test_add_func ("/message-transform/foreign", test_foreign);
  g_test_add_func ("/message-transform/shared", test_shared);
  g_test_add_func ("/message-transform/images", test_images);
  g_test_add_func ("/message-transform/p55-missing-results", test_missing_results);
  g_test_add_func ("/message-transform/order-of-results", test_order_of_results);
  g_test_add_func ("/message-transform/p56-stray-results", test_stray_results);
  g_test_add_func ("/message-transform/p56-failed", test_failed);
  g_test_add_func ("/message-transform/p76-repeated-ids", test_repeated_ids);
  g_test_add_func ("/message-transform/p76-many-repeated-ids", test_many_repeated_ids);
  g_test_add_func ("/message-transform/p76-empty-ids", test_empty_ids);
  g_test_add_func ("/message-transform/p76-mistral-collision", test_mistral_collision);

  return g_test_run ();
}
