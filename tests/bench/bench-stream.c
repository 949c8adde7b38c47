/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"
#include "core/llm/anthropic/tau-anthropic-decoder.h"
#include "core/llm/tau-sse-parser.h"
#include "core/message/tau-draft.h"

#include <stdio.h>
#include <string.h>

/* 3,000 events of an answer through parser, decoder and draft, in chunks of several sizes: events per second and
 * allocations per event, beside the same through the parser alone. Allocations are counted by standing before the C
 * library's functions; run with G_SLICE=always-malloc so that GLib's own allocator does not hide any. */
#define N_EVENTS 3000
#define ROUNDS 20

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t number, size_t size);
extern void *__libc_realloc (void *block, size_t size);
void *malloc (size_t size);
void *calloc (size_t number, size_t size);
void *realloc (void *block, size_t size);

static gsize n_allocations;

void *
malloc (size_t size)
{
  n_allocations++;
  return __libc_malloc (size);
}

void *
calloc (size_t number,
        size_t size)
{
  n_allocations++;
  return __libc_calloc (number, size);
}

void *
realloc (void   *block,
         size_t  size)
{
  n_allocations++;
  return __libc_realloc (block, size);
}

static GString *
make_stream (void)
{
  GString *text = g_string_new ("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n"
                                "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n");

  for (int i = 0; i < N_EVENTS - 5; i++)
    g_string_append_printf (text, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"word %d and more \"}}\n\n", i);
  g_string_append (text, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
                         "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":9}}\n\n"
                         "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
  return text;
}

static TauModel *
make_model (void)
{
  g_autoptr(JsonNode) json = tau_json_parse ("{\"id\":\"m\",\"api\":\"anthropic-messages\",\"baseUrl\":\"http://localhost\"}", -1, NULL);
  TauModel *model = tau_model_new_from_json ("p", json, NULL);

  g_assert_nonnull (model);
  return model;
}

static void
count_cb (const char *name,
          const char *data,
          gsize       length,
          gpointer    user_data)
{
  (*(guint *) user_data)++;
}

static void
decode_cb (const char *name,
           const char *data,
           gsize       length,
           gpointer    user_data)
{
  tau_decoder_take (user_data, name, data, length);
}

static void
apply_cb (const TauDelta *delta,
          gpointer        user_data)
{
  tau_draft_apply (user_data, delta);
}

static void
push_all (TauSseParser *parser,
          GString      *text,
          gsize         chunk)
{
  for (gsize at = 0; at < text->len; at += chunk)
    tau_sse_parser_push (parser, text->str + at, MIN (chunk, text->len - at), NULL);
  tau_sse_parser_finish (parser);
}

static void
parse_once (GString *text,
            gsize    chunk)
{
  TauSseParser parser;
  guint n = 0;

  tau_sse_parser_init (&parser, TAU_SSE_DEFAULT_LIMIT, count_cb, &n);
  push_all (&parser, text, chunk);
  tau_sse_parser_clear (&parser);
  g_assert_cmpuint (n, ==, N_EVENTS);
}

static void
decode_once (GString    *text,
             gsize       chunk,
             TauRequest *request)
{
  g_autoptr(TauDraft) draft = tau_draft_new ("anthropic-messages", "p", "m", 0);
  g_autoptr(TauDecoder) decoder = tau_anthropic_decoder_new (request, apply_cb, draft);
  const char *error_text = NULL;
  TauSseParser parser;

  tau_sse_parser_init (&parser, TAU_SSE_DEFAULT_LIMIT, decode_cb, decoder);
  push_all (&parser, text, chunk);
  tau_sse_parser_clear (&parser);
  g_assert_cmpint (tau_decoder_finish (decoder, &error_text), ==, TAU_STOP_REASON_STOP);
  g_assert_null (error_text);
}

static void
measure (GString    *text,
         gsize       chunk,
         TauRequest *request)
{
  gint64 start = g_get_monotonic_time ();
  gsize before = n_allocations;
  gint64 parsed;
  gsize parser_allocations;

  for (int i = 0; i < ROUNDS; i++)
    parse_once (text, chunk);
  parsed = g_get_monotonic_time ();
  parser_allocations = n_allocations - before;
  before = n_allocations;
  for (int i = 0; i < ROUNDS; i++)
    decode_once (text, chunk, request);
  printf ("%6" G_GSIZE_FORMAT " bytes a chunk: parser %9.0f events/s, %.3f allocations an event; all %8.0f events/s, %.1f allocations an event\n",
          chunk, 1e6 * N_EVENTS * ROUNDS / (parsed - start), (double) parser_allocations / (N_EVENTS * ROUNDS),
          1e6 * N_EVENTS * ROUNDS / (g_get_monotonic_time () - parsed), (double) (n_allocations - before) / (N_EVENTS * ROUNDS));
}

int
main (void)
{
  static const gsize chunks[] = { 16, 256, 1024, 4096, 16384 };
  g_autoptr(GString) text = make_stream ();
  g_autoptr(TauModel) model = make_model ();
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauRequest) request = NULL;

  fields.model = model;
  request = tau_request_new (&fields);
  for (gsize i = 0; i < G_N_ELEMENTS (chunks); i++)
    measure (text, chunks[i], request);
  return 0;
}
