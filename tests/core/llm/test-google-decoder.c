/* SPDX-License-Identifier: MIT */
#include "core/llm/google/tau-google-decoder.h"

#include "decoder-fixture.h"

/* Answers of Google's streamGenerateContent: what comes out, wherever the network cuts the bytes. */

#define DATA(json)        "data: " json "\r\n\r\n"
#define PARTS(parts)      DATA ("{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[" parts "]}}]}")
#define END(parts, how)   DATA ("{\"candidates\":[{\"content\":{\"parts\":[" parts "]},\"finishReason\":\"" how "\"}]}")
#define TEXT(text)        "{\"text\":\"" text "\"}"
#define THOUGHT(text)     "{\"thought\":true,\"text\":\"" text "\"}"
#define CALL(name, more)  "{\"functionCall\":{\"name\":\"" name "\"" more "}}"

static const DecoderCase cases[] = {
  { "text", PARTS (TEXT ("Gr\303\274\303\237 ")) PARTS (TEXT ("dich \360\237\214\262")) END (TEXT ("!"), "STOP"),
    "text 'Gr\303\274\303\237 dich \360\237\214\262!'\n0 0 0 0\nstop", "finishReason" },
  { "lf", "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]},\"finishReason\":\"STOP\"}]}\n\n",
    "text 'a'\n0 0 0 0\nstop", "finishReason" },
  { "no-last-blank-line", "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]},\"finishReason\":\"STOP\"}]}",
    "text 'a'\n0 0 0 0\nstop", NULL },
  { "no-content", END ("", "STOP"), "0 0 0 0\nstop", "finishReason" },
  { "end-in-own-chunk", PARTS (TEXT ("a")) DATA ("{\"candidates\":[{\"finishReason\":\"STOP\"}]}"),
    "text 'a'\n0 0 0 0\nstop", "finishReason" },

  /* Thoughts and text take turns as often as the model likes. */
  { "thinking", PARTS (THOUGHT ("Hm") "," THOUGHT (" well")) PARTS (TEXT ("A")) PARTS (THOUGHT ("So")) END (TEXT ("B"), "STOP"),
    "thinking 'Hm well'\ntext 'A'\nthinking 'So'\ntext 'B'\n0 0 0 0\nstop", "finishReason" },
  { "signature-last-counts",
    PARTS ("{\"text\":\"a\",\"thoughtSignature\":\"QQ==\"}") PARTS ("{\"text\":\"b\",\"thoughtSignature\":\"\"}")
    END ("{\"text\":\"\",\"thoughtSignature\":\"Qg==\"}", "STOP"),
    "text 'ab' [Qg==]\n0 0 0 0\nstop", "finishReason" },

  { "call", PARTS (TEXT ("See")) END (CALL ("read", ",\"id\":\"c1\",\"args\":{\"path\":\"a \\\"b\\\"\",\"n\":[1,0.5,null]}"), "STOP"),
    "text 'See'\ncall c1 read {\"path\":\"a \\\"b\\\"\",\"n\":[1,0.5,null]}\n0 0 0 0\ntoolUse", "finishReason" },
  { "call-without-arguments", END (CALL ("ls", ",\"id\":\"c1\""), "STOP"), "call c1 ls {}\n0 0 0 0\ntoolUse", "finishReason" },
  { "call-signature", END ("{\"functionCall\":{\"name\":\"ls\",\"id\":\"c1\"},\"thoughtSignature\":\"QQ==\"}", "STOP"),
    "call c1 ls {} [QQ==]\n0 0 0 0\ntoolUse", "finishReason" },
  { "call-then-text", PARTS (CALL ("ls", ",\"id\":\"c1\"") "," TEXT ("and")) END (TEXT (" so"), "STOP"),
    "call c1 ls {}\ntext 'and so'\n0 0 0 0\ntoolUse", "finishReason" },
  { "ids-made-here", PARTS (CALL ("ls", "") "," CALL ("ls", ",\"id\":\"\"")) END (CALL ("ls", ",\"id\":\"c1\"") "," CALL ("ls", ",\"id\":\"c1\""), "STOP"),
    "call ls_* ls {}\ncall ls_* ls {}\ncall c1 ls {}\ncall ls_* ls {}\n0 0 0 0\ntoolUse", "finishReason" },

  /* A call is complete once it is there: it counts whatever the reason. */
  { "call-max-tokens", END (CALL ("ls", ",\"id\":\"c1\""), "MAX_TOKENS"), "call c1 ls {}\n0 0 0 0\ntoolUse", "finishReason" },
  { "call-safety", END (CALL ("ls", ",\"id\":\"c1\""), "SAFETY"), "call c1 ls {}\n0 0 0 0\ntoolUse", "finishReason" },

  { "call-unknown-reason", END (CALL ("ls", ",\"id\":\"c1\""), "WEARY"), "call c1 ls {}\n0 0 0 0\ntoolUse", "finishReason" },

  { "unknown-parts", PARTS ("{\"executableCode\":{\"code\":\"1\"}},{\"codeExecutionResult\":{\"output\":\"1\"}},null,7") END (TEXT ("1"), "STOP"),
    "text '1'\n0 0 0 0\nstop", "finishReason" },

  { "max-tokens", END (TEXT ("a"), "MAX_TOKENS"), "text 'a'\n0 0 0 0\nlength", "finishReason" },
  { "safety", PARTS (TEXT ("a")) END ("", "SAFETY"),
    "text 'a'\n0 0 0 0\nerror: An unknown error occurred (finish reason: SAFETY)", "finishReason" },
  { "unknown-reason", END (TEXT ("a"), "WEARY"), "text 'a'\n0 0 0 0\nerror: Unhandled stop reason: WEARY", "finishReason" },
  { "prompt-blocked", DATA ("{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}"),
    "0 0 0 0\nerror: An unknown error occurred (the prompt was blocked: SAFETY)", "promptFeedback" },

  /* The last count is the count; thoughts are output, and what the cache gave is not input. */
  { "usage",
    DATA ("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}],\"usageMetadata\":{\"promptTokenCount\":9,\"totalTokenCount\":9}}")
    DATA ("{\"candidates\":[{\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":100,\"cachedContentTokenCount\":60,"
          "\"candidatesTokenCount\":7,\"thoughtsTokenCount\":5,\"totalTokenCount\":112}}"),
    "text 'a'\n40 12 60 112\nstop", "finishReason" },

  { "error-object", PARTS (TEXT ("a")) DATA ("{\"error\":{\"code\":503,\"message\":\"busy\",\"status\":\"UNAVAILABLE\"}}"),
    "text 'a'\n0 0 0 0\nerror: got status: UNAVAILABLE. {\"error\":{\"code\":503,\"message\":\"busy\",\"status\":\"UNAVAILABLE\"}}", "\"error\"" },
  { "error-text", DATA ("{\"error\":\"busy\"}"), "0 0 0 0\nerror: got status: unknown. {\"error\":\"busy\"}", "\"error\"" },
  { "error-in-array", DATA ("[{\"error\":{\"status\":\"INTERNAL\"}}]"),
    "0 0 0 0\nerror: got status: INTERNAL. [{\"error\":{\"status\":\"INTERNAL\"}}]", "\"error\"" },
  { "error-null", DATA ("{\"error\":null,\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]},\"finishReason\":\"STOP\"}]}"),
    "text 'a'\n0 0 0 0\nstop", "finishReason" },
};

static void
test_case (gconstpointer data)
{
  check_decoder_case (tau_google_protocol (), data);
}

static void
test_broken_json (void)
{
  const char *stream = PARTS (TEXT ("a")) DATA ("{\"candidates\":[") END (TEXT ("b"), "STOP");
  g_autoptr(TauAssistantMessage) message = decode_answer (tau_google_protocol (), stream, strlen (stream), 0);
  g_autofree char *got = describe_answer (message);

  g_assert_true (g_str_has_prefix (got, "text 'a'\n0 0 0 0\nerror: Could not parse an event of the stream"));
}

/* Results are matched by the ids that were made here: no two are alike, in one answer or in two. */
static void
test_made_ids_differ (void)
{
  const char *stream = END (CALL ("ls", "") "," CALL ("ls", ""), "STOP");
  g_autoptr(GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(TauAssistantMessage) message = decode_answer (tau_google_protocol (), stream, strlen (stream), 0);

      for (guint j = 0; j < tau_message_get_n_blocks (TAU_MESSAGE (message)); j++)
        g_assert_true (g_hash_table_add (ids, g_strdup (tau_block_get_call_id (tau_message_get_block (TAU_MESSAGE (message), j)))));
    }
  g_assert_cmpuint (g_hash_table_size (ids), ==, 4);
}

static void
test_response_id (void)
{
  const char *stream = DATA ("{\"responseId\":\"\"}") DATA ("{\"responseId\":\"r1\"}") DATA ("{\"responseId\":\"r2\"}") END ("", "STOP");
  g_autoptr(TauAssistantMessage) message = decode_answer (tau_google_protocol (), stream, strlen (stream), 0);

  g_assert_cmpstr (tau_assistant_message_get_response_id (message), ==, "r1");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/google-decoder/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/google-decoder/broken-json", test_broken_json);
  g_test_add_func ("/google-decoder/made-ids-differ", test_made_ids_differ);
  g_test_add_func ("/google-decoder/response-id", test_response_id);

  return g_test_run ();
}
