/* SPDX-License-Identifier: MIT */
#include "core/llm/anthropic/tau-anthropic-decoder.h"

#include "decoder-fixture.h"

/* Answers of Anthropic's Messages API: what comes out, wherever the network cuts the bytes. */

#define EVENT(name, members)  "event: " name "\ndata: {\"type\":\"" name "\"" members "}\n\n"
#define CRLF_EVENT(name, members)  "event: " name "\r\ndata: {\"type\":\"" name "\"" members "}\r\n\r\n"
#define UNNAMED(name, members)  "data: {\"type\":\"" name "\"" members "}\n\n"

#define USAGE           "\"usage\":{\"input_tokens\":10,\"output_tokens\":1}"
#define START           EVENT ("message_start", ",\"message\":{\"id\":\"msg_1\"," USAGE "}")
#define OPEN(n, block)  EVENT ("content_block_start", ",\"index\":" #n ",\"content_block\":{" block "}")
#define DELTA(n, delta) EVENT ("content_block_delta", ",\"index\":" #n ",\"delta\":{" delta "}")
#define CLOSE(n)        EVENT ("content_block_stop", ",\"index\":" #n)
#define REASON(how)     EVENT ("message_delta", ",\"delta\":{\"stop_reason\":\"" how "\"},\"usage\":{\"output_tokens\":7}")
#define STOP            EVENT ("message_stop", "")
#define END(how)        REASON (how) STOP
#define END_AT          "event: message_stop"

#define TEXT            "\"type\":\"text\",\"text\":\"\""
#define THINKING        "\"type\":\"thinking\",\"thinking\":\"\""
#define TOOL(id, name)  "\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"" name "\",\"input\":{}"
#define SAY(text)       "\"type\":\"text_delta\",\"text\":\"" text "\""
#define THINK(text)     "\"type\":\"thinking_delta\",\"thinking\":\"" text "\""
#define SIGN(text)      "\"type\":\"signature_delta\",\"signature\":\"" text "\""
#define INPUT(text)     "\"type\":\"input_json_delta\",\"partial_json\":\"" text "\""

#define SIMPLE(text)    OPEN (0, TEXT) DELTA (0, SAY (text)) CLOSE (0)

static const DecoderCase cases[] = {
  { "text", START OPEN (0, TEXT) DELTA (0, SAY ("Gr\303\274\303\237 ")) DELTA (0, SAY ("")) DELTA (0, SAY ("dich \360\237\214\262")) CLOSE (0) END ("end_turn"),
    "text 'Gr\303\274\303\237 dich \360\237\214\262'\n10 7 0 17\nstop", END_AT },

  /* CR and LF may come in two reads. */
  { "crlf",
    CRLF_EVENT ("message_start", ",\"message\":{\"id\":\"m\"," USAGE "}")
    CRLF_EVENT ("content_block_start", ",\"index\":0,\"content_block\":{" TEXT "}")
    CRLF_EVENT ("content_block_delta", ",\"index\":0,\"delta\":{" SAY ("a\\r\\nb") "}")
    CRLF_EVENT ("content_block_stop", ",\"index\":0")
    CRLF_EVENT ("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":7}")
    CRLF_EVENT ("message_stop", ""),
    "text 'a\r\nb'\n10 7 0 17\nstop", END_AT },
  { "pings-and-comments", ": hello\n\n" START EVENT ("ping", "") OPEN (0, TEXT) ": wait\n\n" DELTA (0, SAY ("a")) "event: ping\ndata: {\n\n" CLOSE (0) END ("end_turn"),
    "text 'a'\n10 7 0 17\nstop", END_AT },
  { "no-last-blank-line", START SIMPLE ("a") REASON ("end_turn") "event: message_stop\ndata: {\"type\":\"message_stop\"}",
    "text 'a'\n10 7 0 17\nstop", NULL },

  /* Some proxies leave out the lines with the names. */
  { "unnamed-events",
    UNNAMED ("message_start", ",\"message\":{\"id\":\"m\"," USAGE "}") UNNAMED ("content_block_start", ",\"index\":0,\"content_block\":{" TEXT "}")
    UNNAMED ("content_block_delta", ",\"index\":0,\"delta\":{" SAY ("a") "}") UNNAMED ("content_block_stop", ",\"index\":0")
    UNNAMED ("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":7}") UNNAMED ("message_stop", ""),
    "text 'a'\n10 7 0 17\nstop", "data: {\"type\":\"message_stop\"" },

  { "text-of-the-start-does-not-count", START OPEN (0, "\"type\":\"text\",\"text\":\"x\"") DELTA (0, SAY ("a")) CLOSE (0) END ("end_turn"),
    "text 'a'\n10 7 0 17\nstop", END_AT },
  { "no-content", START END ("end_turn"), "10 7 0 17\nstop", END_AT },

  /* A character beyond the first plane may be cut in two escapes. */
  { "surrogates-in-two-deltas", START OPEN (0, TEXT) DELTA (0, SAY ("a\\ud83c")) DELTA (0, SAY ("\\udf32b")) CLOSE (0) END ("end_turn"),
    "text 'a\360\237\214\262b'\n10 7 0 17\nstop", END_AT },

  { "thinking", START OPEN (0, THINKING) DELTA (0, THINK ("Hm")) DELTA (0, THINK (" well")) DELTA (0, SIGN ("c2ln")) DELTA (0, SIGN ("bmVk")) CLOSE (0)
    OPEN (1, TEXT) DELTA (1, SAY ("A")) CLOSE (1) END ("end_turn"),
    "thinking 'Hm well' [c2lnbmVk]\ntext 'A'\n10 7 0 17\nstop", END_AT },
  { "thinking-redacted", START OPEN (0, "\"type\":\"redacted_thinking\",\"data\":\"b3BhcXVl\"") CLOSE (0) SIMPLE ("A") END ("end_turn"),
    "thinking '[Reasoning redacted]' [b3BhcXVl]\ntext 'A'\n10 7 0 17\nstop", END_AT },

  { "call", START OPEN (0, TOOL ("toolu_1", "read")) DELTA (0, INPUT ("")) DELTA (0, INPUT ("{\\\"path\\\":\\\"a")) DELTA (0, INPUT ("\\\"}")) CLOSE (0) END ("tool_use"),
    "call toolu_1 read {\"path\":\"a\"}\n10 7 0 17\ntoolUse", END_AT },
  { "call-without-fragments", START OPEN (0, TOOL ("toolu_1", "ls")) CLOSE (0) END ("tool_use"), "call toolu_1 ls {}\n10 7 0 17\ntoolUse", END_AT },
  { "call-whole-at-the-start", START OPEN (0, "\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"read\",\"input\":{\"path\":\"a\"}") CLOSE (0) END ("tool_use"),
    "call toolu_1 read {\"path\":\"a\"}\n10 7 0 17\ntoolUse", END_AT },
  { "call-fragments-beat-the-start",
    START OPEN (0, "\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"read\",\"input\":{\"path\":\"b\"}") DELTA (0, INPUT ("{\\\"path\\\":\\\"a\\\"}")) CLOSE (0) END ("tool_use"),
    "call toolu_1 read {\"path\":\"a\"}\n10 7 0 17\ntoolUse", END_AT },
  { "call-cut-by-length", START OPEN (0, TOOL ("toolu_1", "read")) DELTA (0, INPUT ("{\\\"path\\\":\\\"a")) CLOSE (0) END ("max_tokens"),
    "call toolu_1 read {\"path\":\"a\"}\n10 7 0 17\nlength", END_AT },
  { "calls-interleaved",
    START OPEN (0, TOOL ("t1", "read")) OPEN (1, TOOL ("t2", "ls")) DELTA (1, INPUT ("{\\\"b\\\":")) DELTA (0, INPUT ("{\\\"a\\\":")) DELTA (1, INPUT ("2}"))
    DELTA (0, INPUT ("1}")) CLOSE (1) CLOSE (0) END ("tool_use"),
    "call t1 read {\"a\":1}\ncall t2 ls {\"b\":2}\n10 7 0 17\ntoolUse", END_AT },

  /* What the server's own tools do is not for us, nor is what belongs to no block. */
  { "server-tools", START OPEN (0, "\"type\":\"server_tool_use\",\"id\":\"s1\",\"name\":\"web_search\",\"input\":{}") DELTA (0, INPUT ("{\\\"q\\\":1}")) CLOSE (0)
    OPEN (1, "\"type\":\"web_search_tool_result\",\"tool_use_id\":\"s1\",\"content\":[]") CLOSE (1)
    OPEN (2, TEXT) DELTA (2, SAY ("a")) DELTA (2, "\"type\":\"citations_delta\",\"citation\":{}") CLOSE (2) END ("end_turn"),
    "text 'a'\n10 7 0 17\nstop", END_AT },
  { "strangers", START DELTA (4, SAY ("x")) CLOSE (4) OPEN (0, TEXT) DELTA (0, THINK ("x")) DELTA (0, SAY ("a")) CLOSE (0) EVENT ("new_event", ",\"index\":0") END ("end_turn"),
    "text 'a'\n10 7 0 17\nstop", END_AT },

  /* A server that begins anew does not write into what stands there, and half a call does not run. */
  { "second-start", START OPEN (0, TEXT) DELTA (0, SAY ("Hal")) START SIMPLE ("Hallo") END ("end_turn"), "text 'Hal'\ntext 'Hallo'\n10 7 0 17\nstop", END_AT },
  { "second-start-in-a-call", START OPEN (0, TOOL ("t1", "rm")) DELTA (0, INPUT ("{\\\"path\\\":\\\"/")) START OPEN (0, TOOL ("t2", "rm")) DELTA (0, INPUT ("{\\\"path\\\":\\\"/tmp/a\\\"}")) CLOSE (0) END ("tool_use"),
    "call t1 rm {}\ncall t2 rm {\"path\":\"/tmp/a\"}\n10 7 0 17\ntoolUse", END_AT },

  { "stop-sequence", START SIMPLE ("a") END ("stop_sequence"), "text 'a'\n10 7 0 17\nstop", END_AT },
  { "pause", START SIMPLE ("a") END ("pause_turn"), "text 'a'\n10 7 0 17\nstop", END_AT },
  { "max-tokens", START SIMPLE ("a") END ("max_tokens"), "text 'a'\n10 7 0 17\nlength", END_AT },
  { "refusal", START SIMPLE ("a") END ("refusal"), "text 'a'\n10 7 0 17\nerror: An unknown error occurred (stop reason: refusal)", END_AT },
  { "sensitive", START SIMPLE ("a") END ("sensitive"), "text 'a'\n10 7 0 17\nerror: An unknown error occurred (stop reason: sensitive)", END_AT },
  { "unknown-reason", START SIMPLE ("a") END ("weary"), "text 'a'\n10 7 0 17\nerror: Unhandled stop reason: weary", NULL },
  { "no-reason", START SIMPLE ("a") STOP, "text 'a'\n10 1 0 11\nstop", END_AT },
  { "null-reason", START SIMPLE ("a") EVENT ("message_delta", ",\"delta\":{\"stop_reason\":null}") STOP, "text 'a'\n10 1 0 11\nstop", END_AT },

  /* What is null or missing later does not undo what was said at the start. */
  { "usage",
    EVENT ("message_start", ",\"message\":{\"usage\":{\"input_tokens\":10,\"output_tokens\":1,\"cache_read_input_tokens\":500,\"cache_creation_input_tokens\":30}}")
    EVENT ("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"input_tokens\":12,\"cache_read_input_tokens\":null,\"output_tokens\":7}") STOP,
    "12 7 500 549\nstop", END_AT },
  { "no-usage-at-the-end", START SIMPLE ("a") EVENT ("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"}") STOP, "text 'a'\n10 1 0 11\nstop", END_AT },

  /* The text of an error is the event's, whole: overflow and retry look into it. */
  { "error", START OPEN (0, TEXT) DELTA (0, SAY ("a")) EVENT ("error", ",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}"),
    "text 'a'\n10 1 0 11\nerror: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}", "event: error" },
  { "error-unnamed", START UNNAMED ("error", ",\"error\":{\"message\":\"no\"}"), "10 1 0 11\nerror: {\"type\":\"error\",\"error\":{\"message\":\"no\"}}", NULL },
  { "error-first", EVENT ("error", ",\"error\":{\"message\":\"no\"}"), "0 0 0 0\nerror: {\"type\":\"error\",\"error\":{\"message\":\"no\"}}", "event: error" },
  { "after-the-end", START SIMPLE ("a") END ("end_turn") EVENT ("error", "") START OPEN (0, TEXT), "text 'a'\n10 7 0 17\nstop", END_AT },

  /* Raw control characters and wrong escapes are repaired. */
  { "careless-json", START OPEN (0, TEXT) DELTA (0, SAY ("a\tb\\d")) CLOSE (0) END ("end_turn"), "text 'a\tb\\d'\n10 7 0 17\nstop", END_AT },

  { "empty", "", "0 0 0 0\nerror: Anthropic stream ended before message_start", NULL },
  { "html", "<!DOCTYPE html>\n<html><body>\n\n<h1>Sign in</h1>\n\ndata: x</body></html>\n", "0 0 0 0\nerror: Anthropic stream ended before message_start", NULL },
  { "json-instead", "{\"type\":\"message\",\"content\":[]}", "0 0 0 0\nerror: Anthropic stream ended before message_start", NULL },
  { "stop-without-start", STOP, "0 0 0 0\nerror: Anthropic stream ended before message_start", NULL },
  { "no-end", START SIMPLE ("a"), "text 'a'\n10 1 0 11\nerror: terminated (Anthropic stream ended before message_stop)", NULL },
};

static void
test_case (gconstpointer data)
{
  check_decoder_case (tau_anthropic_protocol (), data);
}

static void
test_broken_json (void)
{
  const char *stream = START OPEN (0, TEXT) DELTA (0, SAY ("a")) "event: content_block_delta\ndata: {\"index\":0,\n\n" DELTA (0, SAY ("b"));
  g_autoptr(TauAssistantMessage) message = decode_answer (tau_anthropic_protocol (), stream, strlen (stream), 0);
  g_autofree char *got = describe_answer (message);

  g_assert_true (g_str_has_prefix (got, "text 'a'\n10 1 0 11\nerror: Could not parse Anthropic SSE event content_block_delta: "));
  g_assert_nonnull (strstr (got, "data={\"index\":0,"));
}

static void
test_response_id (void)
{
  const char *stream = START END ("end_turn");
  g_autoptr(TauAssistantMessage) message = decode_answer (tau_anthropic_protocol (), stream, strlen (stream), 0);

  g_assert_cmpstr (tau_assistant_message_get_response_id (message), ==, "msg_1");
}

static void
test_redacted (void)
{
  const char *stream = START OPEN (0, "\"type\":\"redacted_thinking\",\"data\":\"b3BhcXVl\"") CLOSE (0) END ("end_turn");
  g_autoptr(TauAssistantMessage) message = decode_answer (tau_anthropic_protocol (), stream, strlen (stream), 0);

  g_assert_true (tau_block_is_redacted (tau_message_get_block (TAU_MESSAGE (message), 0)));
}

/* With a subscription's key the model calls tools by the spelling of their names that it was given. */
static void
test_subscription_names (void)
{
  const char *stream = START OPEN (0, TOOL ("t1", "Read")) CLOSE (0) OPEN (1, TOOL ("t2", "Other")) CLOSE (1) END ("tool_use");
  g_autoptr(TauAssistantMessage) plain = decode_in_pieces (tau_anthropic_protocol (), "key", stream, strlen (stream), 0, 64);
  g_autoptr(TauAssistantMessage) mapped = decode_in_pieces (tau_anthropic_protocol (), "sk-ant-oat-1", stream, strlen (stream), 0, 64);

  assert_described (plain, "call t1 Read {}\ncall t2 Other {}\n10 7 0 17\ntoolUse");
  assert_described (mapped, "call t1 read {}\ncall t2 Other {}\n10 7 0 17\ntoolUse");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/anthropic-decoder/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/anthropic-decoder/broken-json", test_broken_json);
  g_test_add_func ("/anthropic-decoder/response-id", test_response_id);
  g_test_add_func ("/anthropic-decoder/redacted", test_redacted);
  g_test_add_func ("/anthropic-decoder/subscription-names", test_subscription_names);

  return g_test_run ();
}
