/* SPDX-License-Identifier: MIT */
#include "core/llm/mistral/tau-mistral-encoder.h"

#include "decoder-fixture.h"

/* Answers of Mistral's chat completions: what comes out, wherever the network cuts the bytes. */

#define DATA(json)       "data: " json "\n\n"
#define DELTA(delta)     DATA ("{\"choices\":[{\"index\":0,\"delta\":{" delta "},\"finish_reason\":null}]}")
#define END(how)         DATA ("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"" how "\"}]}")
#define DONE             "data: [DONE]\n\n"
#define TEXT(text)       "\"content\":\"" text "\""
#define THOUGHT(text)    "\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"" text "\"}]}]"
#define CALL(members)    "\"tool_calls\":[{" members "}]"
#define STOP             "\"finish_reason\":\"stop\""
#define TOOLS            "\"finish_reason\":\"tool_calls\""

static const DecoderCase cases[] = {
  { "text", DELTA (TEXT ("Gr\303\274\303\237 ")) DELTA (TEXT ("dich \360\237\214\262")) END ("stop") DONE,
    "text 'Gr\303\274\303\237 dich \360\237\214\262'\n0 0 0 0\nstop", STOP },
  { "no-done", DELTA (TEXT ("a")) END ("stop"), "text 'a'\n0 0 0 0\nstop", STOP },
  { "text-parts", DELTA ("\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"reference\",\"reference_ids\":[1]},{\"type\":\"text\",\"text\":\"b\"}]")
    END ("stop") DONE, "text 'ab'\n0 0 0 0\nstop", STOP },

  /* Thinking and text end each other; empty fragments begin nothing. */
  { "thinking", DELTA (TEXT ("")) DELTA (THOUGHT ("Hm")) DELTA (THOUGHT (" well")) DELTA (TEXT ("A")) DELTA (THOUGHT ("So")) DELTA (TEXT ("B"))
    END ("stop") DONE, "thinking 'Hm well'\ntext 'A'\nthinking 'So'\ntext 'B'\n0 0 0 0\nstop", STOP },

  { "call", DELTA (CALL ("\"index\":0,\"id\":\"abcdefghi\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"a\\\"}\"}"))
    END ("tool_calls") DONE, "call abcdefghi read {\"path\":\"a\"}\n0 0 0 0\ntoolUse", TOOLS },
  { "call-in-fragments",
    DELTA (CALL ("\"index\":0,\"id\":\"abcdefghi\",\"function\":{\"name\":\"read\",\"arguments\":\"\"}"))
    DELTA (CALL ("\"index\":0,\"function\":{\"name\":\"\",\"arguments\":\"{\\\"path\\\":\"}"))
    DELTA (CALL ("\"index\":0,\"function\":{\"arguments\":\"\\\"a\\\"}\"}"))
    END ("tool_calls") DONE, "call abcdefghi read {\"path\":\"a\"}\n0 0 0 0\ntoolUse", TOOLS },
  { "call-arguments-object", DELTA (CALL ("\"index\":0,\"id\":\"abcdefghi\",\"function\":{\"name\":\"read\",\"arguments\":{\"path\":\"a\"}}"))
    END ("tool_calls") DONE, "call abcdefghi read {\"path\":\"a\"}\n0 0 0 0\ntoolUse", TOOLS },
  { "calls-parallel",
    DELTA ("\"tool_calls\":[{\"index\":0,\"id\":\"aaaaaaaaa\",\"function\":{\"name\":\"ls\",\"arguments\":\"{}\"}},"
           "{\"index\":1,\"id\":\"bbbbbbbbb\",\"function\":{\"name\":\"pwd\",\"arguments\":\"{}\"}}]")
    END ("tool_calls") DONE, "call aaaaaaaaa ls {}\ncall bbbbbbbbb pwd {}\n0 0 0 0\ntoolUse", TOOLS },

  { "calls-without-ids",
    DELTA ("\"tool_calls\":[{\"index\":0,\"id\":\"null\",\"function\":{\"name\":\"ls\",\"arguments\":\"{}\"}},"
           "{\"index\":1,\"function\":{\"name\":\"pwd\",\"arguments\":\"{}\"}}]")
    END ("tool_calls") DONE, "call toolcall0 ls {}\ncall toolcall1 pwd {}\n0 0 0 0\ntoolUse", TOOLS },
  { "call-then-null-id",
    DELTA (CALL ("\"index\":0,\"id\":\"abcdefghi\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\"}"))
    DELTA (CALL ("\"index\":0,\"id\":\"null\",\"function\":{\"arguments\":\"\\\"a\\\"}\"}"))
    END ("tool_calls") DONE, "call abcdefghi read {\"path\":\"a\"}\n0 0 0 0\ntoolUse", TOOLS },

  { "length", DELTA (TEXT ("a")) END ("length") DONE, "text 'a'\n0 0 0 0\nlength", "\"finish_reason\":\"length\"" },
  { "model-length", DELTA (TEXT ("a")) END ("model_length") DONE, "text 'a'\n0 0 0 0\nlength", "\"finish_reason\":\"model_length\"" },
  { "error-reason", DELTA (TEXT ("a")) END ("error") DONE, "text 'a'\n0 0 0 0\nerror: Provider finish_reason: error", "\"finish_reason\":\"error\"" },

  { "usage", DELTA (TEXT ("a"))
    DATA ("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],"
          "\"usage\":{\"prompt_tokens\":50,\"completion_tokens\":7,\"total_tokens\":57,\"prompt_tokens_details\":{\"cached_tokens\":30}}}")
    DONE, "text 'a'\n20 7 30 57\nstop", STOP },

  { "error-object", DELTA (TEXT ("a")) DATA ("{\"error\":{\"message\":\"busy\"}}"), "text 'a'\n0 0 0 0\nerror: busy", "\"error\"" },
  { "error-frame", DELTA (TEXT ("a")) DATA ("{\"object\":\"error\",\"message\":\"busy\",\"code\":3505}"), "text 'a'\n0 0 0 0\nerror: busy", "\"error\"" },
  { "error-text", DELTA (TEXT ("a")) DATA ("{\"error\":\"busy\"}"), "text 'a'\n0 0 0 0\nerror: \"busy\"", "\"error\"" },
};

static void
test_case (gconstpointer data)
{
  check_decoder_case (tau_mistral_protocol (), data);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/mistral-decoder/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }

  return g_test_run ();
}
