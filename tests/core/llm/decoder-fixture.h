/* SPDX-License-Identifier: MIT */
#pragma once

/* Streams through parser, decoder and draft, without HTTP: whole, cut in two at every byte, and broken off at every byte. */

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/llm/tau-api-error.h"
#include "core/llm/tau-protocol.h"
#include "core/llm/tau-sse-parser.h"
#include "core/message/tau-draft.h"

#include <string.h>

/**
 * DecoderCase:
 * @name: of the test
 * @stream: the bytes of the answer
 * @expected: what describe_answer() makes of it
 * @complete_at: (nullable): where this stands in @stream, the answer is complete; before it, a break is an error
 */
typedef struct
{
  const char *name;
  const char *stream;
  const char *expected;
  const char *complete_at;
} DecoderCase;

typedef struct
{
  TauDraft *draft;
  int       n_open;   /* blocks that began and did not end */
} DecoderSink;

static inline void
decoder_event_cb (const char *name,
                  const char *data,
                  gsize       length,
                  gpointer    user_data)
{
  tau_decoder_take (user_data, name, data, length);
}

static inline void
decoder_delta_cb (const TauDelta *delta,
                  gpointer        user_data)
{
  DecoderSink *sink = user_data;

  if (delta->kind == TAU_DELTA_TEXT_START || delta->kind == TAU_DELTA_THINKING_START || delta->kind == TAU_DELTA_TOOL_CALL_START)
    sink->n_open++;
  if (delta->kind == TAU_DELTA_TEXT_END || delta->kind == TAU_DELTA_THINKING_END || delta->kind == TAU_DELTA_TOOL_CALL_END)
    sink->n_open--;
  tau_draft_apply (sink->draft, delta);
}

/* The request's tools: one, "read". */
static inline GPtrArray *
make_decoder_tools (void)
{
  GPtrArray *tools = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_tool_spec_unref);
  g_autoptr(JsonNode) parameters = tau_json_parse ("{\"type\":\"object\"}", -1, NULL);

  g_ptr_array_add (tools, tau_tool_spec_new ("read", "", "Reads.", parameters, NULL, NULL));

  return tools;
}

/* What comes of the first @size bytes when they arrive as a piece of @first bytes and then in pieces of @rest; @key is the
 * request's. */
static inline TauAssistantMessage *
decode_for_model (const TauProtocol *protocol,
                  TauModel          *model,
                  const char        *key,
                  const char        *bytes,
                  gsize              size,
                  gsize              first,
                  gsize              rest)
{
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauDraft) draft = tau_draft_new (protocol->api, "here", "m", 0);
  DecoderSink sink = { .draft = draft };
  g_autoptr(GPtrArray) tools = make_decoder_tools ();
  g_autoptr(TauRequest) request = NULL;
  g_autoptr(TauDecoder) decoder = NULL;
  TauSseParser parser;
  TauStopReason reason;
  const char *error_text;

  fields.model = model;
  fields.api_key = key;
  fields.tools = tools;
  request = tau_request_new (&fields);
  decoder = protocol->new_decoder (request, decoder_delta_cb, &sink);
  tau_draft_apply (draft, &(TauDelta) { .kind = TAU_DELTA_START, .length = -1 });
  tau_sse_parser_init (&parser, TAU_SSE_DEFAULT_LIMIT, decoder_event_cb, decoder);
  g_assert_true (tau_sse_parser_push (&parser, bytes, first, NULL));
  for (gsize at = first; at < size; at += rest)
    g_assert_true (tau_sse_parser_push (&parser, bytes + at, MIN (rest, size - at), NULL));
  tau_decoder_set_at_end (decoder);
  tau_sse_parser_finish (&parser);
  tau_sse_parser_clear (&parser);
  reason = tau_decoder_finish (decoder, &error_text);

  /* Every block of a good answer has ended. */
  if (reason != TAU_STOP_REASON_ERROR)
    g_assert_cmpint (sink.n_open, ==, 0);

  return tau_draft_finish (draft, reason, error_text);
}

static inline TauAssistantMessage *
decode_in_pieces (const TauProtocol *protocol,
                  const char        *key,
                  const char        *bytes,
                  gsize              size,
                  gsize              first,
                  gsize              rest)
{
  g_autofree char *text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"%s\",\"baseUrl\":\"http://127.0.0.1\"}", protocol->api);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
  g_autoptr(TauModel) model = tau_model_new_from_json ("here", json, NULL);

  return decode_for_model (protocol, model, key, bytes, size, first, rest);
}

/* What comes of the first @size bytes when they arrive as two pieces. */
static inline TauAssistantMessage *
decode_answer (const TauProtocol *protocol,
               const char        *bytes,
               gsize              size,
               gsize              first)
{
  return decode_in_pieces (protocol, "key", bytes, size, first, MAX (size, 1));
}

static inline void
describe_block (TauBlock *block,
                GString  *out)
{
  const char *signature = tau_block_get_signature (block);

  switch (tau_block_get_kind (block))
    {
    case TAU_BLOCK_TOOL_CALL:
      g_string_append_printf (out, "call %s %s ", tau_block_get_call_id (block), tau_block_get_call_name (block));
      tau_json_append (out, tau_block_get_arguments (block));
      break;

    case TAU_BLOCK_TEXT:
    case TAU_BLOCK_THINKING:
    case TAU_BLOCK_IMAGE:
    default:
      g_string_append_printf (out, "%s '%s'", tau_block_get_kind (block) == TAU_BLOCK_TEXT ? "text" : "thinking",
                              tau_block_get_text (block));
    }
  if (signature != NULL)
    g_string_append_printf (out, " [%s]", signature);
  g_string_append_c (out, '\n');
}

/* A line a block, then tokens (input, output, read from the cache, total), then how it ended. Ids of our own making,
 * NAME_TIME_COUNTER, are shown as NAME_*. */
static inline char *
describe_answer (TauAssistantMessage *message)
{
  g_autoptr(GString) out = g_string_new (NULL);
  g_autoptr(GRegex) generated = g_regex_new ("_\\d{13}_\\d+ ", G_REGEX_RAW, 0, NULL);
  const TauUsage *usage = tau_assistant_message_get_usage (message);
  const char *error = tau_assistant_message_get_error_message (message);

  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (message)); i++)
    describe_block (tau_message_get_block (TAU_MESSAGE (message), i), out);
  g_string_append_printf (out, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                          usage->input, usage->output, usage->cache_read, usage->total_tokens);
  g_string_append (out, tau_stop_reason_to_string (tau_assistant_message_get_stop_reason (message)));
  if (error != NULL)
    g_string_append_printf (out, ": %s", error);

  return g_regex_replace_literal (generated, out->str, -1, 0, "_* ", 0, NULL);
}

static inline void
assert_described (TauAssistantMessage *message,
                  const char          *expected)
{
  g_autofree char *got = describe_answer (message);

  g_assert_cmpstr (got, ==, expected);
}

static inline void
check_splits (const TauProtocol *protocol,
              const DecoderCase *test)
{
  gsize size = strlen (test->stream);
  g_autoptr(TauAssistantMessage) crumbs = decode_in_pieces (protocol, "key", test->stream, size, 0, 1);

  assert_described (crumbs, test->expected);

  for (gsize first = 0; first <= size; first++)
    {
      g_autoptr(TauAssistantMessage) message = decode_answer (protocol, test->stream, size, first);

      assert_described (message, test->expected);
    }
}

static inline gboolean
is_break_text (const char *text)
{
  return g_str_equal (text, "Stream ended without a finish reason") ||
         g_str_equal (text, "terminated (Anthropic stream ended before message_stop)") ||
         g_str_equal (text, "Anthropic stream ended before message_start");
}

/* An answer that broke off before it was complete is an error that is worth another try, and what it holds is the beginning
 * of the whole one. */
static inline void
check_breaks (const TauProtocol *protocol,
              const DecoderCase *test)
{
  const char *complete = strstr (test->stream, test->complete_at);
  g_autoptr(TauAssistantMessage) whole = decode_answer (protocol, test->stream, strlen (test->stream), 0);
  g_autofree char *whole_text = tau_message_dup_text (TAU_MESSAGE (whole), "");
  g_autofree char *all = tau_text_scrub (whole_text, -1);

  g_assert_nonnull (complete);
  for (gsize size = 0; size <= (gsize) (complete - test->stream); size++)
    {
      g_autoptr(TauAssistantMessage) message = decode_answer (protocol, test->stream, size, 0);
      g_autofree char *text = tau_message_dup_text (TAU_MESSAGE (message), "");
      g_autofree char *scrubbed = NULL;

      g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, TAU_STOP_REASON_ERROR);
      g_assert_true (is_break_text (tau_assistant_message_get_error_message (message)));
      g_assert_true (tau_api_error_is_retryable (message, 0));
      /* The last that came may be the first half of a character's two escapes. */
      scrubbed = tau_text_scrub (text, -1);
      g_assert_true (g_str_has_prefix (all, scrubbed));
    }
}

static inline void
check_decoder_case (const TauProtocol *protocol,
                    const DecoderCase *test)
{
  check_splits (protocol, test);
  if (test->complete_at != NULL)
    check_breaks (protocol, test);
}
