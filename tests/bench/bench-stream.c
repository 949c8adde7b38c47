/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"
#include "core/llm/anthropic/tau-anthropic-decoder.h"
#include "core/llm/google/tau-google-decoder.h"
#include "core/llm/mistral/tau-mistral-encoder.h"
#include "core/llm/openai/tau-completions-decoder.h"
#include "core/llm/openai/tau-responses-decoder.h"
#include "core/llm/tau-sse-parser.h"
#include "core/message/tau-draft.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* An answer of 3,000 fragments in each protocol through parser, decoder and draft: bytes and events per second beside a plain copy
 * of the same bytes, and allocations per event: of the parser, of the JSON reader, and of all. What the decoder and the draft
 * add is the last less the other two. Then, for one protocol, chunks of several sizes. Allocations are counted by standing
 * before the C library's functions; run with G_SLICE=always-malloc so that GLib's own allocator does not hide any. */
#define N_FRAGMENTS 3000
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

typedef struct
{
  const TauProtocol *(*protocol) (void);
  const char *begin;
  const char *fragment;   /* with one %u */
  const char *end;
} Api;

#define ANTHROPIC(name, members) "event: " name "\ndata: {\"type\":\"" name "\"" members "}\n\n"
#define RESPONSES(name, members) "event: " name "\ndata: {\"type\":\"" name "\",\"sequence_number\":7" members "}\n\n"
#define CHAT(delta, reason) \
  "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1796073736,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{" \
  delta "},\"finish_reason\":" reason "}]}\n\n"
#define GOOGLE(parts, more) \
  "data: {\"candidates\": [{\"content\": {\"parts\": [" parts "],\"role\": \"model\"}" more ",\"index\": 0}],\"modelVersion\": \"m\"," \
  "\"usageMetadata\": {\"promptTokenCount\": 9,\"totalTokenCount\": 9},\"responseId\": \"r\"}\r\n\r\n"

static const Api apis[] = {
  { tau_anthropic_protocol,
    ANTHROPIC ("message_start", ",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}")
    ANTHROPIC ("content_block_start", ",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}"),
    ANTHROPIC ("content_block_delta", ",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"word %u and more \"}"),
    ANTHROPIC ("content_block_stop", ",\"index\":0")
    ANTHROPIC ("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":9}") ANTHROPIC ("message_stop", "") },
  { tau_completions_protocol, CHAT ("\"role\":\"assistant\"", "null"), CHAT ("\"content\":\"word %u and more \"", "null"), CHAT ("", "\"stop\"") "data: [DONE]\n\n" },
  { tau_responses_protocol,
    RESPONSES ("response.created", ",\"response\":{\"id\":\"r\"}")
    RESPONSES ("response.output_item.added", ",\"output_index\":0,\"item\":{\"id\":\"msg_1\",\"type\":\"message\",\"content\":[]}"),
    RESPONSES ("response.output_text.delta", ",\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"delta\":\"word %u and more \",\"logprobs\":[]"),
    RESPONSES ("response.completed", ",\"response\":{\"status\":\"completed\"}") },
  { tau_google_protocol, "", GOOGLE ("{\"text\": \"word %u and more \"}", ""), GOOGLE ("{\"text\": \"\"}", ",\"finishReason\": \"STOP\"") },
  { tau_mistral_protocol, CHAT ("\"role\":\"assistant\"", "null"), CHAT ("\"content\":\"word %u and more \"", "null"), CHAT ("", "\"stop\"") "data: [DONE]\n\n" },
};

static GString *
make_stream (const Api *api)
{
  GString *text = g_string_new (api->begin);
  g_auto(GStrv) parts = g_strsplit (api->fragment, "%u", 2);

  for (guint i = 0; i < N_FRAGMENTS; i++)
    g_string_append_printf (text, "%s%u%s", parts[0], i, parts[1]);
  g_string_append (text, api->end);

  return text;
}

static TauRequest *
make_request (const char *api)
{
  g_autofree char *text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"%s\",\"baseUrl\":\"http://localhost\"}", api);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
  g_autoptr(TauModel) model = tau_model_new_from_json ("p", json, NULL);
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;

  fields.model = model;

  return tau_request_new (&fields);
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
read_cb (const char *name,
         const char *data,
         gsize       length,
         gpointer    user_data)
{
  g_autoptr(JsonNode) node = tau_json_parse (data, (gssize) length, NULL);

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
push_all (GString        *text,
          gsize           chunk,
          TauSseEventFunc event,
          gpointer        data)
{
  TauSseParser parser;

  tau_sse_parser_init (&parser, TAU_SSE_DEFAULT_LIMIT, event, data);
  for (gsize at = 0; at < text->len; at += chunk)
    tau_sse_parser_push (&parser, text->str + at, MIN (chunk, text->len - at), NULL);
  tau_sse_parser_finish (&parser);
  tau_sse_parser_clear (&parser);
}

static void
decode_once (GString           *text,
             gsize              chunk,
             const TauProtocol *protocol,
             TauRequest        *request)
{
  g_autoptr(TauDraft) draft = tau_draft_new (protocol->api, "p", "m", 0);
  g_autoptr(TauDecoder) decoder = protocol->new_decoder (request, apply_cb, draft);
  const char *error_text = NULL;

  push_all (text, chunk, decode_cb, decoder);
  g_assert_cmpint (tau_decoder_finish (decoder, &error_text), ==, TAU_STOP_REASON_STOP);
  g_assert_null (error_text);
}

/* Seconds on one core: other programs do not count. */
static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);

  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

/* Seconds of as many plain copies of @text as there are rounds. */
static double
copy (GString *text)
{
  g_autofree char *target = g_malloc (text->len);
  double start = now ();
  volatile char last = 0;

  for (int i = 0; i < ROUNDS * 100; i++)
    {
      memcpy (target, text->str, text->len);
      last = target[text->len - 1];
    }
  g_assert_cmpint (last, ==, '\n');

  return (now () - start) / 100;
}

/* Allocations of one event when each of @text's events goes to @event. */
static double
count_allocations (GString        *text,
                   gsize           chunk,
                   TauSseEventFunc event)
{
  gsize before = n_allocations;
  guint n = 0;

  for (int i = 0; i < ROUNDS; i++)
    push_all (text, chunk, event, &n);

  return (double) (n_allocations - before) / n;
}

static void
measure (const Api *api,
         gsize      chunk)
{
  const TauProtocol *protocol = api->protocol ();
  g_autoptr(GString) text = make_stream (api);
  g_autoptr(TauRequest) request = make_request (protocol->api);
  double parser = count_allocations (text, chunk, count_cb);
  double reader = count_allocations (text, chunk, read_cb);
  double bytes = (double) text->len * ROUNDS;
  double start, seconds, all, copied;
  gsize before;
  guint n_events = 0;

  push_all (text, chunk, count_cb, &n_events);
  copied = copy (text);
  before = n_allocations;
  start = now ();
  for (int i = 0; i < ROUNDS; i++)
    decode_once (text, chunk, protocol, request);
  seconds = now () - start;
  all = (double) (n_allocations - before) / n_events / ROUNDS;

  printf ("%-22s %6" G_GSIZE_FORMAT " bytes a read: %6.1f MB/s (a copy: %6.0f), %8.0f events/s; allocations an event: parser %.2f, JSON %.1f, "
          "decoder and draft %.2f\n",
          protocol->api, chunk, bytes / seconds / 1e6, bytes / copied / 1e6, n_events * ROUNDS / seconds, parser, reader - parser, all - reader);

  /* What there is once in an answer hides in the second place behind the point. */
  g_assert_cmpfloat (parser, <, 0.05);
  g_assert_cmpfloat (all - reader, <, 0.05);
}

int
main (void)
{
  static const gsize chunks[] = { 16, 256, 1024, 16384 };

  for (gsize i = 0; i < G_N_ELEMENTS (apis); i++)
    measure (&apis[i], 4096);
  for (gsize i = 0; i < G_N_ELEMENTS (chunks); i++)
    measure (&apis[0], chunks[i]);

  return 0;
}
