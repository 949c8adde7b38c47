/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-completions-decoder.h"

#include "decoder-fixture.h"

/* Answers of chat completions and of their dialects: what comes out, wherever the network cuts the bytes. */

#define DATA(json)          "data: " json "\n\n"
#define DELTA(delta)        DATA ("{\"id\":\"c1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{" delta "},\"finish_reason\":null}]}")
#define END(how)            DATA ("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" how "\"}]}")
#define DONE                "data: [DONE]\n\n"
#define TEXT(text)          "\"content\":\"" text "\""
#define FIELD(name, text)   "\"" name "\":\"" text "\""
#define CALLS(calls)        "\"tool_calls\":[" calls "]"
#define CALL(n, id, name, arguments) \
  "{\"index\":" #n ",\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}"
#define MORE(n, arguments)  "{\"index\":" #n ",\"function\":{\"arguments\":\"" arguments "\"}}"
#define END_AT              "\"finish_reason\":\""
#define BROKEN(text)        text "0 0 0 0\nerror: Stream ended without a finish reason"

static const DecoderCase cases[] = {
  { "text", DELTA ("\"role\":\"assistant\",\"content\":\"\"") DELTA (TEXT ("Gr\303\274\303\237 ")) DELTA (TEXT ("dich \360\237\214\262")) END ("stop") DONE,
    "text 'Gr\303\274\303\237 dich \360\237\214\262'\n0 0 0 0\nstop", END_AT },
  { "crlf", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\r\n\r\ndata: [DONE]\r\n\r\n",
    "text 'a'\n0 0 0 0\nstop", END_AT },
  { "comments", ": OPENROUTER PROCESSING\n\n" DELTA (TEXT ("a")) ": OPENROUTER PROCESSING\n\n" END ("stop") DONE, "text 'a'\n0 0 0 0\nstop", END_AT },

  /* An answer is complete when it has a reason; many servers send no [DONE], some send nothing else. */
  { "no-done", DELTA (TEXT ("a")) END ("stop"), "text 'a'\n0 0 0 0\nstop", END_AT },
  { "done-only", DELTA (TEXT ("a")) DONE, "text 'a'\n0 0 0 0\nstop", "data: [DONE]" },
  { "no-last-blank-line", DELTA (TEXT ("a")) "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}", "text 'a'\n0 0 0 0\nstop", NULL },
  { "reason-with-the-last-text", DELTA (TEXT ("a")) DATA ("{\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}"),
    "text 'ab'\n0 0 0 0\nstop", END_AT },
  { "empty-reason", DATA ("{\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"\"}]}") END ("stop"), "text 'a'\n0 0 0 0\nstop", "\"finish_reason\":\"stop" },
  { "after-done", DELTA (TEXT ("a")) END ("stop") DONE DELTA (TEXT ("b")) DATA ("{\"error\":\"x\"}"), "text 'a'\n0 0 0 0\nstop", END_AT },

  { "surrogates-in-two-deltas", DELTA (TEXT ("a\\ud83c")) DELTA (TEXT ("\\udf32b")) END ("stop") DONE, "text 'a\360\237\214\262b'\n0 0 0 0\nstop", END_AT },
  { "surrogates-parted-by-thinking", DELTA (TEXT ("a\\ud83c")) DELTA (FIELD ("reasoning", "x")) DELTA (TEXT ("b")) END ("stop") DONE,
    "text 'a\355\240\274b'\nthinking 'x' [reasoning]\n0 0 0 0\nstop", END_AT },
  { "content-parts", DELTA ("\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"other\"}]") END ("stop"), "text 'a'\n0 0 0 0\nstop", END_AT },
  { "other-choices", DATA ("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}") DATA ("{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"x\"},\"finish_reason\":\"length\"}]}")
    DATA ("{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"y\"}},{\"index\":0,\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}"),
    "text 'ab'\n0 0 0 0\nstop", "\"finish_reason\":\"stop" },
  { "strange-chunks", DATA ("7") DATA ("null") DATA ("{}") DATA ("{\"choices\":[]}") DATA ("{\"choices\":[null,3]}") DELTA (TEXT ("a")) DATA ("{\"choices\":[{\"index\":0,\"delta\":null}]}") END ("stop"),
    "text 'a'\n0 0 0 0\nstop", END_AT },

  /* Reasoning has three names; the signature remembers which, and the first of them in a chunk counts. */
  { "reasoning-content", DELTA (FIELD ("reasoning_content", "Hm")) DELTA ("\"content\":null," FIELD ("reasoning_content", " well")) DELTA (TEXT ("A")) END ("stop") DONE,
    "thinking 'Hm well' [reasoning_content]\ntext 'A'\n0 0 0 0\nstop", END_AT },
  { "reasoning", DELTA (FIELD ("reasoning", "Hm")) DELTA (TEXT ("A")) END ("stop") DONE, "thinking 'Hm' [reasoning]\ntext 'A'\n0 0 0 0\nstop", END_AT },
  { "reasoning-text", DELTA (FIELD ("reasoning_text", "Hm")) DELTA (TEXT ("A")) END ("stop") DONE, "thinking 'Hm' [reasoning_text]\ntext 'A'\n0 0 0 0\nstop", END_AT },
  { "reasoning-twice", DELTA (FIELD ("reasoning_content", "Hm") "," FIELD ("reasoning", "Hm")) DELTA (FIELD ("reasoning_content", "") "," FIELD ("reasoning", "!")) END ("stop") DONE,
    "thinking 'Hm!' [reasoning_content]\n0 0 0 0\nstop", END_AT },
  { "reasoning-after-text", DELTA (TEXT ("A")) DELTA (FIELD ("reasoning", "Hm")) DELTA (TEXT ("B")) END ("stop") DONE,
    "text 'AB'\nthinking 'Hm' [reasoning]\n0 0 0 0\nstop", END_AT },

  { "call", DELTA (CALLS (CALL (0, "call_1", "read", ""))) DELTA (CALLS (MORE (0, "{\\\"path\\\":"))) DELTA (CALLS (MORE (0, "\\\"a\\\"}"))) END ("tool_calls") DONE,
    "call call_1 read {\"path\":\"a\"}\n0 0 0 0\ntoolUse", END_AT },
  { "call-old-reason", DELTA (CALLS (CALL (0, "call_1", "ls", "{}"))) END ("function_call") DONE, "call call_1 ls {}\n0 0 0 0\ntoolUse", END_AT },
  { "call-but-stop", DELTA (CALLS (CALL (0, "call_1", "ls", "{}"))) END ("stop") DONE, "call call_1 ls {}\n0 0 0 0\nstop", END_AT },
  { "call-without-arguments", DELTA (CALLS ("{\"index\":0,\"id\":\"call_1\",\"function\":{\"name\":\"ls\"}}")) END ("tool_calls") DONE, "call call_1 ls {}\n0 0 0 0\ntoolUse", END_AT },
  { "call-arguments-object", DELTA (CALLS ("{\"index\":0,\"id\":\"call_1\",\"function\":{\"name\":\"read\",\"arguments\":{\"path\":\"a\"}}}")) END ("tool_calls") DONE,
    "call call_1 read {\"path\":\"a\"}\n0 0 0 0\ntoolUse", END_AT },
  { "call-cut-by-length", DELTA (CALLS (CALL (0, "call_1", "read", "{\\\"path\\\":\\\"a"))) END ("length") DONE, "call call_1 read {\"path\":\"a\"}\n0 0 0 0\nlength", END_AT },
  { "calls-interleaved", DELTA (CALLS (CALL (0, "c1", "read", "") "," CALL (1, "c2", "ls", ""))) DELTA (CALLS (MORE (1, "{\\\"b\\\":"))) DELTA (CALLS (MORE (0, "{\\\"a\\\":1}") "," MORE (1, "2}"))) END ("tool_calls") DONE,
    "call c1 read {\"a\":1}\ncall c2 ls {\"b\":2}\n0 0 0 0\ntoolUse", END_AT },

  /* Servers that say less than they should. */
  { "calls-without-index",
    DELTA (CALLS ("{\"id\":\"c1\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"a\\\":\"}}")) DELTA (CALLS ("{\"function\":{\"arguments\":\"1}\"}}"))
    DELTA (CALLS ("{\"id\":\"c2\",\"function\":{\"name\":\"ls\",\"arguments\":\"{}\"}}")) END ("tool_calls") DONE,
    "call c1 read {\"a\":1}\ncall c2 ls {}\n0 0 0 0\ntoolUse", END_AT },
  { "calls-share-an-index", DELTA (CALLS (CALL (0, "c1", "read", "{\\\"a\\\":1}"))) DELTA (CALLS (CALL (0, "c2", "ls", "{}"))) END ("tool_calls") DONE,
    "call c1 read {\"a\":1}\ncall c2 ls {}\n0 0 0 0\ntoolUse", END_AT },
  { "call-repeats-its-id", DELTA (CALLS (CALL (0, "c1", "read", "{\\\"a\\\":"))) DELTA (CALLS (CALL (0, "c1", "read", "1}"))) END ("tool_calls") DONE,
    "call c1 read {\"a\":1}\n0 0 0 0\ntoolUse", END_AT },
  { "call-late-id-and-name", DELTA (CALLS (MORE (0, ""))) DELTA (CALLS (CALL (0, "c1", "read", "{\\\"a\\\":1}"))) END ("tool_calls") DONE,
    "call c1 read {\"a\":1}\n0 0 0 0\ntoolUse", END_AT },
  { "calls-without-ids", DELTA (CALLS ("{\"index\":0,\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"a\\\":\"}}")) DELTA (CALLS (MORE (0, "1}"))) DELTA (CALLS (CALL (1, "", "ls", "{}"))) END ("tool_calls") DONE,
    "call call_* read {\"a\":1}\ncall call_* ls {}\n0 0 0 0\ntoolUse", END_AT },
  { "calls-without-ids-or-indexes", DELTA (CALLS ("{\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"a\\\":\"}}")) DELTA (CALLS ("{\"function\":{\"arguments\":\"1}\"}}")) END ("tool_calls") DONE,
    "call call_* read {\"a\":1}\n0 0 0 0\ntoolUse", END_AT },
  { "calls-with-one-id", DELTA (CALLS (CALL (0, "c", "read", ""))) DELTA (CALLS (CALL (1, "c", "ls", ""))) DELTA (CALLS (MORE (0, "{\\\"a\\\":1}"))) DELTA (CALLS (MORE (1, "{}"))) END ("tool_calls") DONE,
    "call c read {\"a\":1}\ncall call_* ls {}\n0 0 0 0\ntoolUse", END_AT },
  { "calls-are-no-objects", DELTA (CALLS ("null,4,\"x\"")) DELTA (TEXT ("a")) END ("stop") DONE, "text 'a'\n0 0 0 0\nstop", END_AT },

  /* OpenRouter's encrypted reasoning belongs to a call. */
  { "reasoning-details",
    DELTA (CALLS (CALL (0, "c1", "ls", "{}")))
    DELTA ("\"reasoning_details\":[{\"type\":\"reasoning.encrypted\",\"id\":\"c1\",\"data\":\"QUJD\"},{\"type\":\"reasoning.encrypted\",\"id\":\"cx\",\"data\":\"x\"},"
           "{\"type\":\"reasoning.text\",\"id\":\"c1\",\"data\":\"x\"},{\"type\":\"reasoning.encrypted\",\"id\":\"c1\"}]")
    END ("tool_calls") DONE,
    "call c1 ls {} [{\"type\":\"reasoning.encrypted\",\"id\":\"c1\",\"data\":\"QUJD\"}]\n0 0 0 0\ntoolUse", END_AT },

  { "length", DELTA (TEXT ("a")) END ("length") DONE, "text 'a'\n0 0 0 0\nlength", END_AT },
  { "end", DELTA (TEXT ("a")) END ("end") DONE, "text 'a'\n0 0 0 0\nstop", END_AT },
  { "content-filter", DELTA (TEXT ("a")) END ("content_filter") DONE, "text 'a'\n0 0 0 0\nerror: Provider finish_reason: content_filter", END_AT },
  { "network-error", DELTA (TEXT ("a")) END ("network_error"), "text 'a'\n0 0 0 0\nerror: Provider finish_reason: network_error", END_AT },

  /* Usage comes in a chunk of its own behind the reason, in the last chunk, in the choice, or in each chunk. */
  { "usage", DELTA (TEXT ("a")) END ("stop") DATA ("{\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":7,\"total_tokens\":107,\"prompt_tokens_details\":{\"cached_tokens\":60}}}") DONE,
    "text 'a'\n40 7 60 107\nstop", NULL },
  { "usage-in-each-chunk", DATA ("{\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":1}}")
    DATA ("{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":2}}") DONE, "text 'a'\n10 2 0 12\nstop", END_AT },
  { "usage-in-choice", DELTA (TEXT ("a")) DATA ("{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\",\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":7}}],\"usage\":null}") DONE,
    "text 'a'\n10 7 0 17\nstop", END_AT },
  { "usage-deepseek", END ("stop") DATA ("{\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"prompt_cache_hit_tokens\":64,\"completion_tokens\":7}}") DONE, "36 7 64 107\nstop", NULL },
  { "usage-cache-writes", END ("stop") DATA ("{\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":7,\"prompt_tokens_details\":{\"cached_tokens\":80,\"cache_write_tokens\":30}}}") DONE,
    "20 7 50 107\nstop", NULL },
  { "usage-more-cached-than-asked", END ("stop") DATA ("{\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":7,\"prompt_tokens_details\":{\"cached_tokens\":64}}}") DONE,
    "0 7 64 71\nstop", NULL },

  /* Errors in the middle of the stream keep what came. */
  { "error-object", DELTA (TEXT ("a")) DATA ("{\"error\":{\"message\":\"busy\",\"code\":503}}"), "text 'a'\n0 0 0 0\nerror: busy", "{\"error\"" },
  { "error-text", DELTA (TEXT ("a")) DATA ("{\"error\":\"busy\"}"), "text 'a'\n0 0 0 0\nerror: \"busy\"", "{\"error\"" },
  { "error-without-message", DATA ("{\"error\":{\"code\":503}}"), "0 0 0 0\nerror: {\"code\":503}", "{\"error\"" },
  { "error-raw", DATA ("{\"error\":{\"message\":\"Provider returned error\",\"metadata\":{\"raw\":\"upstream said no\"}}}"),
    "0 0 0 0\nerror: Provider returned error\nupstream said no", "{\"error\"" },
  { "error-in-a-chunk", DELTA (TEXT ("a")) DATA ("{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}],\"error\":{\"code\":502,\"message\":\"gone\"}}"),
    "text 'a'\n0 0 0 0\nerror: gone", END_AT },
  { "error-frame", DELTA (TEXT ("a")) DATA ("{\"object\":\"error\",\"message\":\"too long\",\"code\":400}"), "text 'a'\n0 0 0 0\nerror: too long", "{\"object\"" },
  { "error-event", DELTA (TEXT ("a")) "event: error\ndata: {\"error\":{\"message\":\"busy\"}}\n\n", "text 'a'\n0 0 0 0\nerror: busy", "event: error" },
  { "error-null", DATA ("{\"error\":null,\"choices\":[{\"delta\":{\"content\":\"a\"}}]}") DATA ("{\"error\":false,\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}"),
    "text 'a'\n0 0 0 0\nstop", END_AT },

  { "empty", "", BROKEN (""), NULL },
  { "html", "<html><body>\n\n<h1>Sign in</h1></body></html>\n", BROKEN (""), NULL },
  { "json-instead", "{\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}", BROKEN (""), NULL },
  { "done-behind-nothing", DONE, "0 0 0 0\nerror: Stream ended without an answer", NULL },
  { "no-end", DELTA (TEXT ("a")) DELTA (CALLS (CALL (0, "c1", "rm", "{\\\"path\\\":\\\"/"))), BROKEN ("text 'a'\ncall c1 rm {\"path\":\"/\"}\n"), NULL },
};

static void
test_case (gconstpointer data)
{
  check_decoder_case (tau_completions_protocol (), data);
}

static void
test_broken_json (void)
{
  const char *stream = DELTA (TEXT ("a")) DATA ("{\"choices\":[") DELTA (TEXT ("b"));
  g_autoptr(TauAssistantMessage) message = decode_answer (tau_completions_protocol (), stream, strlen (stream), 0);
  g_autofree char *got = describe_answer (message);

  g_assert_true (g_str_has_prefix (got, "text 'a'\n0 0 0 0\nerror: Could not parse an event of the stream"));
}

/* The first id and the first other model's name count. */
static void
test_head (void)
{
  const char *stream = DATA ("{\"id\":\"\",\"model\":\"m\"}") DATA ("{\"id\":\"c1\",\"model\":\"vendor/m-2\"}") DATA ("{\"id\":\"c2\",\"model\":\"m-3\"}") END ("stop");
  g_autoptr(TauAssistantMessage) message = decode_answer (tau_completions_protocol (), stream, strlen (stream), 0);

  g_assert_cmpstr (tau_assistant_message_get_response_id (message), ==, "c1");
  g_assert_cmpstr (tau_assistant_message_get_response_model (message), ==, "vendor/m-2");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/completions-decoder/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/completions-decoder/broken-json", test_broken_json);
  g_test_add_func ("/completions-decoder/head", test_head);

  return g_test_run ();
}
