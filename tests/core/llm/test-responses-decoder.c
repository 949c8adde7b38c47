/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-responses-decoder.h"

#include "decoder-fixture.h"

/* Answers of the Responses API: what comes out, wherever the network cuts the bytes. */

#define EVENT(type, members)  "event: " type "\ndata: {\"type\":\"" type "\"" members "}\n\n"
#define CREATED               EVENT ("response.created", ",\"response\":{\"id\":\"resp_1\",\"status\":\"in_progress\"}")
#define ADDED(n, item)        EVENT ("response.output_item.added", ",\"output_index\":" #n ",\"item\":{" item "}")
#define ITEM_DONE(n, item)    EVENT ("response.output_item.done", ",\"output_index\":" #n ",\"item\":{" item "}")
#define MESSAGE(content)      "\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"assistant\",\"content\":[" content "]"
#define OUTPUT(text)          "{\"type\":\"output_text\",\"text\":\"" text "\",\"annotations\":[]}"
#define PART(n, type)         EVENT ("response.content_part.added", ",\"output_index\":" #n ",\"content_index\":0,\"part\":{\"type\":\"" type "\"}")
#define SAY(n, text)          EVENT ("response.output_text.delta", ",\"output_index\":" #n ",\"delta\":\"" text "\"")
#define TEXT(n, text)         ADDED (n, MESSAGE ("")) PART (n, "output_text") SAY (n, text) ITEM_DONE (n, MESSAGE (OUTPUT (text)))
#define SIGNED                " [{\"v\":1,\"id\":\"msg_1\"}]\n"
#define CALL(id, name, arguments) \
  "\"type\":\"function_call\",\"id\":\"fc_" id "\",\"call_id\":\"call_" id "\",\"name\":\"" name "\",\"arguments\":\"" arguments "\""
#define ARGUMENTS(n, text)    EVENT ("response.function_call_arguments.delta", ",\"output_index\":" #n ",\"delta\":\"" text "\"")
#define ARGUMENTS_DONE(n, text) EVENT ("response.function_call_arguments.done", ",\"output_index\":" #n ",\"arguments\":\"" text "\"")
#define REASONING(summary, more) "\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[" summary "]" more
#define SUMMARY(text)         "{\"type\":\"summary_text\",\"text\":\"" text "\"}"
#define SUMMARY_ADDED(n)      EVENT ("response.reasoning_summary_part.added", ",\"output_index\":" #n ",\"part\":{\"type\":\"summary_text\",\"text\":\"\"}")
#define SUMMARY_SAY(n, text)  EVENT ("response.reasoning_summary_text.delta", ",\"output_index\":" #n ",\"delta\":\"" text "\"")
#define SUMMARY_DONE(n)       EVENT ("response.reasoning_summary_part.done", ",\"output_index\":" #n ",\"part\":{}")
#define USAGE                 "\"usage\":{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":60},\"output_tokens\":7,\"total_tokens\":107}"
#define COMPLETED             EVENT ("response.completed", ",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\"," USAGE "}")
#define STATUS(status)        EVENT ("response.completed", ",\"response\":{\"status\":\"" status "\"}")
#define INCOMPLETE(why)       EVENT ("response.incomplete", ",\"response\":{\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"" why "\"}," USAGE "}")
#define END_AT                "event: response.completed"
#define BROKEN                "error: Stream ended without a finish reason"

static const DecoderCase cases[] = {
  { "text", CREATED EVENT ("response.in_progress", "") ADDED (0, MESSAGE ("")) PART (0, "output_text") SAY (0, "Gr\303\274\303\237 ") SAY (0, "dich \360\237\214\262")
    EVENT ("response.output_text.done", ",\"output_index\":0,\"text\":\"x\"") EVENT ("response.content_part.done", ",\"output_index\":0")
    ITEM_DONE (0, MESSAGE (OUTPUT ("Gr\303\274\303\237 dich \360\237\214\262"))) COMPLETED,
    "text 'Gr\303\274\303\237 dich \360\237\214\262'" SIGNED "40 7 60 107\nstop", END_AT },
  { "crlf", "event: response.output_item.added\r\ndata: {\"type\":\"response.output_item.added\",\"item\":{" MESSAGE ("") "}}\r\n\r\n"
    "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\r\n\r\n"
    "data: {\"type\":\"response.output_item.done\",\"item\":{" MESSAGE (OUTPUT ("a")) "}}\r\n\r\n"
    "event: response.completed\r\ndata: {\"type\":\"response.completed\",\"response\":{}}\r\n\r\n",
    "text 'a'" SIGNED "0 0 0 0\nstop", END_AT },

  /* Names alone or types alone will do, and [DONE] says nothing. */
  { "names-without-types", "event: response.output_item.added\ndata: {\"item\":{" MESSAGE ("") "}}\n\nevent: response.output_text.delta\ndata: {\"delta\":\"a\"}\n\n"
    "event: response.output_item.done\ndata: {\"item\":{" MESSAGE (OUTPUT ("a")) "}}\n\nevent: response.completed\ndata: {\"response\":{}}\n\ndata: [DONE]\n\n",
    "text 'a'" SIGNED "0 0 0 0\nstop", END_AT },
  { "phase", ADDED (0, MESSAGE ("")) ITEM_DONE (0, MESSAGE (OUTPUT ("a")) ",\"phase\":\"commentary\"") COMPLETED,
    "text 'a' [{\"v\":1,\"id\":\"msg_1\",\"phase\":\"commentary\"}]\n40 7 60 107\nstop", END_AT },

  /* What stands in the finished item counts. */
  { "item-corrects-the-deltas", ADDED (0, MESSAGE ("")) PART (0, "output_text") SAY (0, "Helo") ITEM_DONE (0, MESSAGE (OUTPUT ("Hello") "," OUTPUT (" there"))) COMPLETED,
    "text 'Hello there'" SIGNED "40 7 60 107\nstop", NULL },
  { "items-without-a-beginning", ITEM_DONE (0, MESSAGE (OUTPUT ("a"))) ITEM_DONE (1, CALL ("1", "ls", "{}")) COMPLETED,
    "text 'a'" SIGNED "call call_1|fc_1 ls {}\n40 7 60 107\ntoolUse", END_AT },
  { "surrogates-in-two-deltas", ADDED (0, MESSAGE ("")) PART (0, "output_text") SAY (0, "a\\ud83c") SAY (0, "\\udf32") ITEM_DONE (0, MESSAGE (OUTPUT ("a\360\237\214\262"))) COMPLETED,
    "text 'a\360\237\214\262'" SIGNED "40 7 60 107\nstop", END_AT },
  { "refusal", ADDED (0, MESSAGE ("")) PART (0, "refusal") EVENT ("response.refusal.delta", ",\"output_index\":0,\"delta\":\"I can't.\"") SAY (0, "x")
    ITEM_DONE (0, MESSAGE ("{\"type\":\"refusal\",\"refusal\":\"I can't.\"}")) COMPLETED, "text 'I can't.'" SIGNED "40 7 60 107\nstop", END_AT },

  { "call", CREATED ADDED (0, CALL ("1", "read", "")) ARGUMENTS (0, "{\\\"path\\\":") ARGUMENTS (0, "\\\"a\\\"}") ARGUMENTS_DONE (0, "{\\\"path\\\":\\\"a\\\"}")
    ITEM_DONE (0, CALL ("1", "read", "{\\\"path\\\":\\\"a\\\"}")) COMPLETED, "call call_1|fc_1 read {\"path\":\"a\"}\n40 7 60 107\ntoolUse", END_AT },
  { "call-rest-comes-at-its-end", ADDED (0, CALL ("1", "read", "")) ARGUMENTS (0, "{\\\"path\\\":") ARGUMENTS_DONE (0, "{\\\"path\\\":\\\"a\\\"}") ITEM_DONE (0, CALL ("1", "read", "")) COMPLETED,
    "call call_1|fc_1 read {\"path\":\"a\"}\n40 7 60 107\ntoolUse", END_AT },
  { "call-other-arguments-at-its-end", ADDED (0, CALL ("1", "read", "")) ARGUMENTS (0, "{\\\"pa") ARGUMENTS_DONE (0, "{\\\"n\\\":1}") ITEM_DONE (0, CALL ("1", "read", "{}")) COMPLETED,
    "call call_1|fc_1 read {\"n\":1}\n40 7 60 107\ntoolUse", END_AT },
  { "call-in-its-item-only", ADDED (0, CALL ("1", "read", "")) ITEM_DONE (0, CALL ("1", "read", "{\\\"n\\\":1}")) COMPLETED, "call call_1|fc_1 read {\"n\":1}\n40 7 60 107\ntoolUse", END_AT },
  { "call-begun-in-its-item", ADDED (0, CALL ("1", "read", "{\\\"n\\\":")) ARGUMENTS (0, "1}") ITEM_DONE (0, CALL ("1", "read", "{\\\"n\\\":1}")) COMPLETED,
    "call call_1|fc_1 read {\"n\":1}\n40 7 60 107\ntoolUse", END_AT },
  { "calls-interleaved",
    ADDED (0, CALL ("1", "read", "")) ADDED (1, CALL ("2", "ls", "")) ARGUMENTS (1, "{\\\"b\\\":") ARGUMENTS (0, "{\\\"a\\\":1}") ARGUMENTS (1, "2}")
    ITEM_DONE (1, CALL ("2", "ls", "{\\\"b\\\":2}")) ITEM_DONE (0, CALL ("1", "read", "{\\\"a\\\":1}")) COMPLETED,
    "call call_1|fc_1 read {\"a\":1}\ncall call_2|fc_2 ls {\"b\":2}\n40 7 60 107\ntoolUse", END_AT },

  { "reasoning-summary",
    ADDED (0, REASONING ("", "")) SUMMARY_ADDED (0) SUMMARY_SAY (0, "Look") SUMMARY_SAY (0, " first") SUMMARY_DONE (0) SUMMARY_ADDED (0) SUMMARY_SAY (0, "Then go") SUMMARY_DONE (0)
    ITEM_DONE (0, REASONING (SUMMARY ("Look first") "," SUMMARY ("Then go"), "")) TEXT (1, "a") COMPLETED,
    "thinking 'Look first\n\nThen go' [{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"Look first\"},"
    "{\"type\":\"summary_text\",\"text\":\"Then go\"}]}]\ntext 'a'" SIGNED "40 7 60 107\nstop", END_AT },
  { "reasoning-encrypted", ADDED (0, REASONING ("", "")) ITEM_DONE (0, REASONING ("", ",\"encrypted_content\":\"QUJD\"")) TEXT (1, "a") COMPLETED,
    "thinking '' [{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"QUJD\"}]\ntext 'a'" SIGNED "40 7 60 107\nstop", END_AT },
  { "reasoning-text", ADDED (0, REASONING ("", "")) EVENT ("response.reasoning_text.delta", ",\"output_index\":0,\"delta\":\"Hm\"")
    ITEM_DONE (0, REASONING ("", ",\"content\":[{\"type\":\"reasoning_text\",\"text\":\"Hm!\"}]")) COMPLETED,
    "thinking 'Hm!' [{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"content\":[{\"type\":\"reasoning_text\",\"text\":\"Hm!\"}]}]\n40 7 60 107\nstop", END_AT },

  { "other-items", ADDED (0, "\"type\":\"web_search_call\",\"id\":\"ws_1\"") ITEM_DONE (0, "\"type\":\"web_search_call\",\"id\":\"ws_1\"") SAY (0, "x") ARGUMENTS (7, "x")
    EVENT ("response.new_thing", ",\"output_index\":0") TEXT (1, "a") COMPLETED, "text 'a'" SIGNED "40 7 60 107\nstop", END_AT },

  /* An answer that had no more room is one, with its usage. */
  { "incomplete", CREATED TEXT (0, "a") INCOMPLETE ("max_output_tokens"), "text 'a'" SIGNED "40 7 60 107\nlength", "event: response.incomplete" },
  { "incomplete-in-the-middle", ADDED (0, MESSAGE ("")) PART (0, "output_text") SAY (0, "a") ITEM_DONE (0, MESSAGE (OUTPUT ("a"))) ADDED (1, CALL ("1", "read", ""))
    ARGUMENTS (1, "{\\\"path\\\":\\\"a") ITEM_DONE (1, CALL ("1", "read", "")) INCOMPLETE ("max_output_tokens"),
    "text 'a'" SIGNED "call call_1|fc_1 read {\"path\":\"a\"}\n40 7 60 107\nlength", "event: response.incomplete" },
  { "incomplete-filtered", TEXT (0, "a") INCOMPLETE ("content_filter"), "text 'a'" SIGNED "40 7 60 107\nerror: incomplete: content_filter", "event: response.incomplete" },
  { "status-incomplete", TEXT (0, "a") STATUS ("incomplete"), "text 'a'" SIGNED "0 0 0 0\nlength", END_AT },
  { "status-failed", STATUS ("failed"), "0 0 0 0\nerror: An unknown error occurred", END_AT },
  { "status-cancelled", STATUS ("cancelled"), "0 0 0 0\nerror: An unknown error occurred", END_AT },
  { "status-queued", TEXT (0, "a") STATUS ("queued"), "text 'a'" SIGNED "0 0 0 0\nstop", END_AT },
  { "status-unknown", STATUS ("weary"), "0 0 0 0\nerror: Unhandled stop reason: weary", END_AT },
  { "after-the-end", TEXT (0, "a") COMPLETED EVENT ("error", ",\"message\":\"x\"") TEXT (1, "b"), "text 'a'" SIGNED "40 7 60 107\nstop", END_AT },

  { "failed", TEXT (0, "a") EVENT ("response.failed", ",\"response\":{\"error\":{\"code\":\"server_error\",\"message\":\"busy\"}}"),
    "text 'a'" SIGNED "0 0 0 0\nerror: server_error: busy", "event: response.failed" },
  { "failed-says-little", EVENT ("response.failed", ",\"response\":{\"error\":{}}"), "0 0 0 0\nerror: unknown: no message", "event: response.failed" },
  { "failed-incomplete", EVENT ("response.failed", ",\"response\":{\"incomplete_details\":{\"reason\":\"content_filter\"}}"), "0 0 0 0\nerror: incomplete: content_filter", "event: response.failed" },
  { "failed-says-nothing", EVENT ("response.failed", ",\"response\":{}"), "0 0 0 0\nerror: Unknown error (no error details in response)", "event: response.failed" },
  { "error", ADDED (0, MESSAGE ("")) PART (0, "output_text") SAY (0, "a") EVENT ("error", ",\"code\":\"rate_limit_exceeded\",\"message\":\"slow down\""),
    "text 'a'\n0 0 0 0\nerror: Error Code rate_limit_exceeded: slow down", "event: error" },
  { "error-null-code", EVENT ("error", ",\"code\":null,\"message\":\"no\""), "0 0 0 0\nerror: Error Code null: no", "event: error" },
  { "error-nested", "data: {\"error\":{\"message\":\"busy\"}}\n\n", "0 0 0 0\nerror: busy", "data" },

  { "empty", "", "0 0 0 0\n" BROKEN, NULL },
  { "html", "<html><body>\n\n<h1>Sign in</h1></body></html>\n", "0 0 0 0\n" BROKEN, NULL },
  { "done-behind-nothing", "data: [DONE]\n\n", "0 0 0 0\n" BROKEN, NULL },
  { "no-end", ADDED (0, MESSAGE ("")) PART (0, "output_text") SAY (0, "a"), "text 'a'\n0 0 0 0\n" BROKEN, NULL },
};

static void
test_case (gconstpointer data)
{
  check_decoder_case (tau_responses_protocol (), data);
}

static void
test_broken_json (void)
{
  const char *stream = TEXT (0, "a") "data: {\"type\":\n\n" COMPLETED;
  g_autoptr(TauAssistantMessage) message = decode_answer (tau_responses_protocol (), stream, strlen (stream), 0);
  g_autofree char *got = describe_answer (message);

  g_assert_true (g_str_has_prefix (got, "text 'a'" SIGNED "0 0 0 0\nerror: Could not parse an event of the stream"));
}

static void
test_response_id (void)
{
  const char *streams[] = { CREATED COMPLETED, COMPLETED };

  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      g_autoptr(TauAssistantMessage) message = decode_answer (tau_responses_protocol (), streams[i], strlen (streams[i]), 0);

      g_assert_cmpstr (tau_assistant_message_get_response_id (message), ==, "resp_1");
    }
}

/* Azure answers in the same way. */
static void
test_azure (void)
{
  const char *stream = TEXT (0, "a") COMPLETED;
  g_autoptr(TauAssistantMessage) message = decode_answer (tau_azure_responses_protocol (), stream, strlen (stream), 0);

  assert_described (message, "text 'a'" SIGNED "40 7 60 107\nstop");
}

/* OpenAI's tiers have their own prices: half for "flex", double for "priority". */
static void
test_tiers (void)
{
  static const struct { const char *id, *tier; double cost; } tiers[] = {
    { "m", "default", 6 }, { "m", "flex", 3 }, { "m", "priority", 12 }, { "gpt-5.5", "priority", 15 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tiers); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"id\":\"%s\",\"api\":\"openai-responses\",\"baseUrl\":\"http://127.0.0.1\",\"cost\":{\"input\":2,\"output\":4}}", tiers[i].id);
      g_autofree char *stream = g_strdup_printf ("data: {\"type\":\"response.completed\",\"response\":{\"service_tier\":\"%s\",\"usage\":{\"input_tokens\":1000000,\"output_tokens\":1000000}}}\n\n", tiers[i].tier);
      g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
      g_autoptr(TauModel) model = tau_model_new_from_json ("openai", json, NULL);
      g_autoptr(TauAssistantMessage) message = decode_for_model (tau_responses_protocol (), model, NULL, stream, strlen (stream), 0, 4096);

      g_assert_cmpfloat_with_epsilon (tau_assistant_message_get_usage (message)->cost_total, tiers[i].cost, 1e-9);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/responses-decoder/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/responses-decoder/broken-json", test_broken_json);
  g_test_add_func ("/responses-decoder/response-id", test_response_id);
  g_test_add_func ("/responses-decoder/azure", test_azure);
  g_test_add_func ("/responses-decoder/tiers", test_tiers);

  return g_test_run ();
}
