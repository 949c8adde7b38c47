/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/base/tau-json.h"
#include "core/llm/anthropic/tau-anthropic-decoder.h"
#include "core/llm/google/tau-google-decoder.h"
#include "core/llm/mistral/tau-mistral-encoder.h"
#include "core/llm/openai/tau-completions-decoder.h"
#include "core/llm/openai/tau-responses-decoder.h"
#include "core/llm/tau-sse-parser.h"
#include "core/message/tau-draft.h"

/* Every recorded stream through parser, decoder and draft, without HTTP: whole, in pieces of 1 and of 17 bytes, and cut halfway.
 *
 * Expected is what pi made of the bytes. Where the recording says that pi and the wire differ ("disagreements"), the
 * result need not be the same, but it must not depend on the pieces. */

static const TauProtocol *(* const protocols[]) (void) = {
  tau_anthropic_protocol,
  tau_completions_protocol,
  tau_responses_protocol,
  tau_google_protocol,
  tau_mistral_protocol,
};

typedef struct
{
  char     *path;        /* of the stream */
  JsonNode *expectation;
} Recording;

typedef struct
{
  TauDecoder *decoder;
} Sink;

static const TauProtocol *
find_protocol (const char *api)
{
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    if (g_str_equal (protocols[i] ()->api, api))
      return protocols[i] ();

  return NULL;
}

static void
event_cb (const char *name,
          const char *data,
          gsize       length,
          gpointer    user_data)
{
  tau_decoder_take (user_data, name, data, length);
}

static void
delta_cb (const TauDelta *delta,
          gpointer        user_data)
{
  tau_draft_apply (user_data, delta);
}

static TauRequest *
make_request (JsonNode *expectation)
{
  g_autoptr(JsonNode) json = tau_json_parse ("{\"id\":\"fixture-model\",\"api\":\"x\",\"reasoning\":true}", -1, NULL);
  g_autoptr(TauModel) model = NULL;
  JsonNode *prices = tau_json_get (expectation, "model.costPerMillion");
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;

  tau_json_object_set (json_node_get_object (json), "id",
                       tau_json_node_new_string (tau_json_get_string (expectation, "model.id", "fixture-model")));
  if (prices != NULL)
    tau_json_object_set (json_node_get_object (json), "cost", tau_json_copy (prices));
  model = tau_model_new_from_json ("fixture", json, NULL);
  fields.model = model;

  return tau_request_new (&fields);
}

static TauAssistantMessage *
decode (Recording  *recording,
        const char *bytes,
        gsize       size,
        gsize       piece)
{
  const TauProtocol *protocol = find_protocol (tau_json_get_string (recording->expectation, "api", ""));
  g_autoptr(TauRequest) request = make_request (recording->expectation);
  g_autoptr(TauDraft) draft = tau_draft_new ("x", "fixture", "fixture-model", 0);
  g_autoptr(TauDecoder) decoder = protocol->new_decoder (request, delta_cb, draft);
  TauSseParser parser;
  TauStopReason reason;
  const char *error_text;

  tau_draft_apply (draft, &(TauDelta) { .kind = TAU_DELTA_START, .length = -1 });
  tau_sse_parser_init (&parser, TAU_SSE_DEFAULT_LIMIT, event_cb, decoder);
  for (gsize at = 0; at < size; at += piece)
    tau_sse_parser_push (&parser, bytes + at, MIN (piece, size - at), NULL);
  tau_decoder_set_at_end (decoder);
  tau_sse_parser_finish (&parser);
  tau_sse_parser_clear (&parser);
  reason = tau_decoder_finish (decoder, &error_text);

  return tau_draft_finish (draft, reason, error_text);
}

static char *
join_kind (TauAssistantMessage *message,
           TauBlockKind         kind)
{
  g_autoptr(GString) out = g_string_new (NULL);

  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (message)); i++)
    {
      TauBlock *block = tau_message_get_block (TAU_MESSAGE (message), i);

      if (tau_block_get_kind (block) == kind)
        g_string_append (out, tau_block_get_text (block));
    }

  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
describe_calls (TauAssistantMessage *message,
                JsonArray           *expected,
                GString             *out)
{
  guint n = 0;

  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (message)); i++)
    {
      TauBlock *block = tau_message_get_block (TAU_MESSAGE (message), i);
      JsonNode *wanted = expected != NULL && n < json_array_get_length (expected) ? json_array_get_element (expected, n) : NULL;
      gboolean generated = strstr (tau_json_get_string (wanted, "id", ""), "generated") != NULL;

      if (tau_block_get_kind (block) != TAU_BLOCK_TOOL_CALL)
        continue;
      n++;
      g_string_append_printf (out, "call %s %s ", generated ? "*" : tau_block_get_call_id (block), tau_block_get_call_name (block));
      tau_json_append (out, tau_block_get_arguments (block));
      g_string_append_c (out, '\n');
    }
}

/* What is compared, one thing a line. */
static char *
describe (TauAssistantMessage *message,
          JsonNode            *expected)
{
  g_autoptr(GString) out = g_string_new (NULL);
  g_autofree char *text = join_kind (message, TAU_BLOCK_TEXT);
  g_autofree char *thinking = join_kind (message, TAU_BLOCK_THINKING);
  const TauUsage *usage = tau_assistant_message_get_usage (message);

  g_string_append (out, "text ");
  tau_json_append_string (out, text);
  g_string_append (out, "\nthinking ");
  tau_json_append_string (out, thinking);
  g_string_append_c (out, '\n');
  describe_calls (message, tau_json_get_array (expected, "toolCalls"), out);
  g_string_append_printf (out, "%s\nusage %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                          tau_stop_reason_to_string (tau_assistant_message_get_stop_reason (message)),
                          usage->input, usage->output, usage->cache_read, usage->cache_write);

  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
describe_expected (JsonNode *expected)
{
  g_autoptr(GString) out = g_string_new (NULL);
  JsonArray *calls = tau_json_get_array (expected, "toolCalls");

  g_string_append (out, "text ");
  tau_json_append_string (out, tau_json_get_string (expected, "text", ""));
  g_string_append (out, "\nthinking ");
  tau_json_append_string (out, tau_json_get_string (expected, "thinking", ""));
  g_string_append_c (out, '\n');
  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    {
      JsonNode *call = json_array_get_element (calls, i);
      const char *id = tau_json_get_string (call, "id", "");

      g_string_append_printf (out, "call %s %s ", strstr (id, "generated") != NULL ? "*" : id,
                              tau_json_get_string (call, "name", ""));
      tau_json_append (out, tau_json_get (call, "arguments"));
      g_string_append_c (out, '\n');
    }
  g_string_append_printf (out, "%s\nusage %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                          tau_json_get_string (expected, "stopReason", ""),
                          tau_json_get_int (expected, "usage.input", 0), tau_json_get_int (expected, "usage.output", 0),
                          tau_json_get_int (expected, "usage.cacheRead", 0), tau_json_get_int (expected, "usage.cacheWrite", 0));

  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
check_cut (Recording           *recording,
           const char          *bytes,
           gsize                size,
           TauAssistantMessage *whole)
{
  g_autoptr(TauAssistantMessage) cut = decode (recording, bytes, size / 2, 4096);
  g_autofree char *all = join_kind (whole, TAU_BLOCK_TEXT);
  g_autofree char *part = join_kind (cut, TAU_BLOCK_TEXT);

  /* A short stream may have said all before its middle, and old Gemini models say "finished" in every chunk; else
   * half a stream is an error that keeps its half. */
  if (tau_assistant_message_get_stop_reason (cut) == tau_assistant_message_get_stop_reason (whole) ||
      g_strstr_len (bytes, (gssize) size / 2, "\"finishReason\"") != NULL)
    return;
  g_assert_cmpstr (tau_stop_reason_to_string (tau_assistant_message_get_stop_reason (cut)), ==, "error");
  g_assert_nonnull (tau_assistant_message_get_error_message (cut));
  g_assert_true (g_str_has_prefix (all, part));
}

/* An error response: its text. */
static void
check_response (Recording  *recording,
                const char *bytes,
                gsize       size)
{
  const TauProtocol *protocol = find_protocol (tau_json_get_string (recording->expectation, "api", ""));
  guint status = (guint) tau_json_get_int (recording->expectation, "http.status", 0);
  g_autofree char *text = tau_api_error_text_for_response (protocol->style, status, "", bytes, (gssize) size);

  g_assert_cmpstr (text, ==, tau_json_get_string (recording->expectation, "expected.errorMessage", ""));
  g_assert_cmpint (tau_api_error_is_overflow_text (text), ==,
                   tau_json_get_bool (recording->expectation, "expected.isContextOverflow", FALSE));
}

static void
check_recording (gconstpointer data)
{
  Recording *recording = (Recording *) data;
  JsonNode *expected = tau_json_get (recording->expectation, "expected");
  JsonArray *disagreements = tau_json_get_array (recording->expectation, "disagreements");
  g_autofree char *wanted = describe_expected (expected);
  g_autofree char *bytes = NULL;
  gsize size;
  static const gsize pieces[] = { G_MAXSIZE / 2, 17, 1 };
  g_autofree char *first = NULL;
  g_autoptr(TauAssistantMessage) whole = NULL;

  g_assert_true (g_file_get_contents (recording->path, &bytes, &size, NULL));
  if (tau_json_get_int (recording->expectation, "http.status", 200) != 200)
    {
      check_response (recording, bytes, size);
      return;
    }

  whole = decode (recording, bytes, size, G_MAXSIZE / 2);
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr(TauAssistantMessage) message = decode (recording, bytes, size, pieces[i]);
      g_autofree char *got = describe (message, expected);

      if (first == NULL)
        first = g_strdup (got);
      g_assert_cmpstr (got, ==, first);
    }
  if (disagreements == NULL || json_array_get_length (disagreements) == 0)
    g_assert_cmpstr (first, ==, wanted);
  else if (!g_str_equal (first, wanted))
    g_test_message ("differs from pi where the wire does: %s\ngot  %s(%s)\nwant %s", tau_json_get_string (recording->expectation, "why", ""),
                    first, tau_assistant_message_get_error_message (whole), wanted);
  check_cut (recording, bytes, size, whole);
}

static void
add_folder (const char *folder,
            const char *api)
{
  g_autofree char *path = g_build_filename (folder, api, NULL);
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      g_autofree char *base = NULL;
      g_autofree char *text = NULL;
      g_autofree char *test = NULL;
      Recording *recording;

      if (!g_str_has_suffix (name, ".expected.json") || !g_file_get_contents (file, &text, NULL, NULL))
        continue;
      base = g_strndup (name, strlen (name) - strlen (".expected.json"));
      test = g_strdup_printf ("/streams/%s/%s", api, base);
      recording = g_new0 (Recording, 1);
      recording->path = g_strdup_printf ("%s/%s.sse", path, base);
      recording->expectation = tau_json_parse (text, -1, NULL);
      g_assert_nonnull (recording->expectation);
      g_test_add_data_func (test, recording, check_recording);
    }
}

int
main (int   argc,
      char *argv[])
{
  const char *recorded = g_getenv ("TAU_RECORDED");
  g_autofree char *folder = NULL;

  if (recorded == NULL || recorded[0] == '\0')
    {
      g_print ("1..0 # SKIP not run: recorded\n");
      return 0;
    }

  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();   /* one bad stream is not to hide the others */
  folder = g_build_filename (recorded, "fixtures", "sse", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    add_folder (folder, protocols[i] ()->api);

  return g_test_run ();
}
