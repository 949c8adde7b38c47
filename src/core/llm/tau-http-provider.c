/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-http-provider.h"

#include <string.h>

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/llm/tau-http-stream.h"
#include "core/llm/tau-retry.h"
#include "core/llm/tau-sse-parser.h"
#include "core/llm/tau-stream-hooks.h"

/* The way of one answer over HTTP, the same for every protocol: encode, let the payload be looked at, open the stream, let the
 * response be looked at, decode what comes into the draft. Stateless: all of an answer lives in its Exchange, which belongs to
 * the task. It never fails: whatever happens becomes a message with what had come and a stop reason. */
struct _TauHttpProvider
{
  GObject parent_instance;

  const TauProtocol *protocol;
};

#define DEFAULT_HEADERS_TIMEOUT_MS 600000
#define DEFAULT_MAX_RETRIES        2
#define DEFAULT_MAX_RETRY_DELAY_MS 60000

/* How much of a response that is not a stream is kept to say what it is. */
#define MAX_PLAIN_BYTES (64 * 1024)

typedef struct
{
  TauRequest    *request;
  TauDraft      *draft;
  TauHttpCall   *call;       /* until it is handed to the stream */
  TauHttpStream *stream;
  TauDecoder    *decoder;
  TauSseParser   parser;
  gboolean       has_parser;
  guint          n_events;
  GString       *plain;      /* the body's beginning, until the first event; all of an error's body */
  GError        *broken;     /* the parser gave up */
} Exchange;

static void provider_init (TauProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauHttpProvider, tau_http_provider, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_PROVIDER, provider_init))

static void
exchange_free (gpointer data)
{
  Exchange *exchange = data;

  g_object_unref (exchange->request);
  g_object_unref (exchange->draft);
  g_clear_pointer (&exchange->call, tau_http_call_free);
  g_clear_object (&exchange->stream);
  g_clear_pointer (&exchange->decoder, tau_decoder_free);
  if (exchange->has_parser)
    tau_sse_parser_clear (&exchange->parser);
  g_string_free (exchange->plain, TRUE);
  g_clear_error (&exchange->broken);
  g_free (exchange);
}

static const TauProtocol *
get_protocol (GTask *task)
{
  return TAU_HTTP_PROVIDER (g_task_get_source_object (task))->protocol;
}

static void
start_draft (Exchange *exchange)
{
  if (!tau_draft_is_started (exchange->draft))
    tau_draft_apply (exchange->draft, &(TauDelta) { .kind = TAU_DELTA_START, .length = -1 });
}

/* Ends the answer. A cancelled one is "aborted", whatever else went wrong on the way. */
static void
end (GTask        *task,
     TauStopReason reason,
     const char   *error_text)
{
  Exchange *exchange = g_task_get_task_data (task);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      reason = TAU_STOP_REASON_ABORTED;
      error_text = TAU_API_ABORTED_TEXT;
    }
  if (exchange->decoder != NULL)
    start_draft (exchange);
  g_task_return_pointer (task, tau_draft_finish (exchange->draft, reason, error_text), g_object_unref);
}

static void
fail (GTask      *task,
      const char *error_text)
{
  end (task, TAU_STOP_REASON_ERROR, error_text);
}

/* A usage that comes before all else belongs to the start: pi's clients see the tokens of the prompt there. */
static void
apply_cb (const TauDelta *delta,
          gpointer        user_data)
{
  Exchange *exchange = user_data;

  if (delta->kind != TAU_DELTA_USAGE)
    start_draft (exchange);
  tau_draft_apply (exchange->draft, delta);
}

static void
event_cb (const char *name,
          const char *data,
          gsize       length,
          gpointer    user_data)
{
  Exchange *exchange = user_data;

  exchange->n_events++;
  tau_decoder_take (exchange->decoder, name, data, length);
}

static gboolean
keep_plain (Exchange   *exchange,
            const char *bytes,
            gsize       size)
{
  gsize room = MAX_PLAIN_BYTES - exchange->plain->len;

  g_string_append_len (exchange->plain, bytes, (gssize) MIN (size, room));

  return exchange->plain->len < MAX_PLAIN_BYTES;
}

static gboolean
chunk_cb (const char *bytes,
          gsize       size,
          gpointer    user_data)
{
  Exchange *exchange = user_data;
  gboolean ok;

  if (exchange->n_events == 0)
    keep_plain (exchange, bytes, size);

  tau_draft_freeze (exchange->draft);
  ok = tau_sse_parser_push (&exchange->parser, bytes, size, &exchange->broken);
  tau_draft_thaw (exchange->draft);

  return ok && tau_decoder_wants_more (exchange->decoder);
}

/* A response of status 200 without a single event: an error object, a page, or nothing. */
static char *
text_for_plain (GTask *task)
{
  Exchange *exchange = g_task_get_task_data (task);
  const char *type = tau_http_stream_get_header (exchange->stream, "content-type");
  g_autoptr(JsonNode) json = tau_json_parse (exchange->plain->str, (gssize) exchange->plain->len, NULL);
  g_autofree char *blank = tau_text_trim (exchange->plain->str);

  if (tau_json_get (json, "error") != NULL || tau_json_get (json, "0.error") != NULL)
    return tau_api_error_text_for_response (get_protocol (task)->style, tau_http_stream_get_status (exchange->stream), "",
                                            exchange->plain->str, (gssize) exchange->plain->len);
  if (blank[0] == '\0')
    return g_strdup ("Stream ended without an answer (the server sent nothing)");

  return g_strdup_printf ("Stream ended without an answer (the server sent %s instead of an event stream)",
                          type != NULL ? type : "something else");
}

static void
finish_stream (GTask *task)
{
  Exchange *exchange = g_task_get_task_data (task);
  const char *text = NULL;
  g_autofree char *plain = NULL;
  TauStopReason reason;

  tau_draft_freeze (exchange->draft);
  tau_decoder_set_at_end (exchange->decoder);
  tau_sse_parser_finish (&exchange->parser);
  reason = tau_decoder_finish (exchange->decoder, &text);
  tau_draft_thaw (exchange->draft);

  if (exchange->n_events == 0)
    text = plain = text_for_plain (task);
  end (task, exchange->n_events == 0 ? TAU_STOP_REASON_ERROR : reason, text);
}

static void
read_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  Exchange *exchange = g_task_get_task_data (task);
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;

  if (!tau_http_stream_read_finish (TAU_HTTP_STREAM (object), result, &error))
    text = tau_api_error_text_for_read (error, tau_model_get_base_url (tau_request_get_fields (exchange->request)->model));
  else if (exchange->broken != NULL)
    text = g_strdup_printf ("Broken stream: %s", exchange->broken->message);

  if (text != NULL)
    fail (task, text);
  else
    finish_stream (task);
}

static void
start_reading (GTask *task)
{
  Exchange *exchange = g_task_get_task_data (task);

  exchange->decoder = get_protocol (task)->new_decoder (exchange->request, apply_cb, exchange);
  tau_sse_parser_init (&exchange->parser, TAU_SSE_DEFAULT_LIMIT, event_cb, exchange);
  exchange->has_parser = TRUE;
  tau_http_stream_read_async (exchange->stream, chunk_cb, exchange, g_task_get_cancellable (task), read_cb, task);
}

static void
response_seen_cb (GObject      *object,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  TauStreamHooks *hooks = TAU_STREAM_HOOKS (object);
  g_autoptr(GError) error = NULL;

  if (!TAU_STREAM_HOOKS_GET_IFACE (hooks)->response_finish (hooks, result, &error))
    fail (task, error->message);
  else
    start_reading (g_steal_pointer (&task));
}

/* Takes over the task. */
static void
show_response (GTask *task)
{
  Exchange *exchange = g_task_get_task_data (task);
  const TauRequestFields *fields = tau_request_get_fields (exchange->request);
  TauStreamHooksInterface *iface = fields->hooks != NULL ? TAU_STREAM_HOOKS_GET_IFACE (fields->hooks) : NULL;
  g_autoptr(JsonNode) headers = NULL;

  if (iface == NULL || iface->response_async == NULL)
    {
      start_reading (task);
      return;
    }

  headers = tau_http_stream_dup_headers (exchange->stream);
  iface->response_async (fields->hooks, tau_http_stream_get_status (exchange->stream), headers, fields->model,
                         g_task_get_cancellable (task), response_seen_cb, task);
}

static gboolean
error_chunk_cb (const char *bytes,
                gsize       size,
                gpointer    user_data)
{
  return keep_plain (user_data, bytes, size);
}

/* What the headers of a refusal add to its body, for the brackets behind the text. */
static char *
dup_hint (TauHttpStream *stream)
{
  guint status = tau_http_stream_get_status (stream);
  const char *wait = tau_http_stream_get_header (stream, "retry-after");
  const char *location = tau_http_stream_get_header (stream, "location");

  if (status >= 300 && status < 400 && location != NULL)
    {
      g_autofree char *place = tau_text_make_valid (location, -1);

      return g_strdup_printf ("redirected to %s, which is not followed", place);
    }
  if (status == 407)
    return g_strdup_printf ("the proxy %s wants a password", tau_http_stream_get_proxy (stream));
  if (wait != NULL)
    return tau_retry_dup_wait_text (wait, g_get_real_time () / 1000);

  return NULL;
}

static void
error_body_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  Exchange *exchange = g_task_get_task_data (task);
  TauHttpStream *stream = TAU_HTTP_STREAM (object);
  g_autofree char *hint = dup_hint (stream);
  g_autofree char *text = NULL;

  /* A body that breaks off still says something, and the status says the rest. */
  tau_http_stream_read_finish (stream, result, NULL);
  text = tau_api_error_text_for_response (get_protocol (task)->style, tau_http_stream_get_status (stream),
                                          tau_http_stream_get_reason (stream), exchange->plain->str,
                                          (gssize) exchange->plain->len);
  if (hint != NULL)
    {
      g_autofree char *with_hint = g_strdup_printf ("%s (%s)", text, hint);

      fail (task, with_hint);
    }
  else
    fail (task, text);
}

static void
open_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  Exchange *exchange = g_task_get_task_data (task);
  g_autoptr(GError) error = NULL;
  guint status;

  if (!tau_http_stream_open_finish (exchange->stream, result, &error))
    {
      const char *url = tau_model_get_base_url (tau_request_get_fields (exchange->request)->model);
      g_autofree char *text = tau_api_error_text_for_open (get_protocol (task)->style, error, url);

      fail (task, text);
      return;
    }

  status = tau_http_stream_get_status (exchange->stream);
  if (status >= 200 && status < 300)
    show_response (g_steal_pointer (&task));
  else
    {
      GCancellable *cancellable = g_task_get_cancellable (task);

      tau_http_stream_read_async (exchange->stream, error_chunk_cb, exchange, cancellable, error_body_cb,
                                  g_steal_pointer (&task));
    }
}

static gint64
value_or (gint64 value,
          gint64 fallback)
{
  return value > 0 ? value : fallback;
}

/* Takes over the task. A server nearby may read a long prompt for as long as it needs before it answers. */
static void
open_stream (GTask *task)
{
  Exchange *exchange = g_task_get_task_data (task);
  const TauRequestFields *fields = tau_request_get_fields (exchange->request);
  gboolean repeats = get_protocol (task)->repeats;
  TauHttpLimits limits = {
    .headers_timeout_ms = value_or (fields->timeout_ms, tau_model_is_near (fields->model) ? 0 : DEFAULT_HEADERS_TIMEOUT_MS),
    .idle_timeout_ms = fields->idle_timeout_ms,
    .max_retries = !repeats ? 0 : fields->max_retries >= 0 ? fields->max_retries : DEFAULT_MAX_RETRIES,
    .max_retry_delay_ms = value_or (fields->max_retry_delay_ms, DEFAULT_MAX_RETRY_DELAY_MS),
  };

  exchange->stream = tau_http_stream_new (g_steal_pointer (&exchange->call), &limits);
  tau_http_stream_open_async (exchange->stream, g_task_get_cancellable (task), open_cb, task);
}

static void
payload_seen_cb (GObject      *object,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  Exchange *exchange = g_task_get_task_data (task);
  TauStreamHooks *hooks = TAU_STREAM_HOOKS (object);
  g_autoptr(GError) error = NULL;
  JsonNode *body = TAU_STREAM_HOOKS_GET_IFACE (hooks)->payload_finish (hooks, result, &error);

  if (body != NULL)
    tau_http_call_take_body (exchange->call, body);

  if (error != NULL)
    fail (task, error->message);
  else if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    fail (task, TAU_API_ABORTED_TEXT);
  else
    open_stream (g_steal_pointer (&task));
}

/* Takes over the task. */
static void
show_payload (GTask *task)
{
  Exchange *exchange = g_task_get_task_data (task);
  const TauRequestFields *fields = tau_request_get_fields (exchange->request);
  TauStreamHooksInterface *iface = fields->hooks != NULL ? TAU_STREAM_HOOKS_GET_IFACE (fields->hooks) : NULL;

  if (iface == NULL || iface->payload_async == NULL)
    open_stream (task);
  else
    iface->payload_async (fields->hooks, tau_http_call_get_body (exchange->call), fields->model,
                          g_task_get_cancellable (task), payload_seen_cb, task);
}

static void
tau_http_provider_stream_async (TauProvider        *provider,
                                TauRequest         *request,
                                TauDraft           *draft,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (provider, cancellable, callback, user_data);
  Exchange *exchange = g_new0 (Exchange, 1);
  g_autoptr(GError) error = NULL;

  g_task_set_source_tag (task, tau_http_provider_stream_async);
  g_task_set_check_cancellable (task, FALSE);   /* what came before the cancel is kept */
  exchange->request = g_object_ref (request);
  exchange->draft = g_object_ref (draft);
  exchange->plain = g_string_new (NULL);
  g_task_set_task_data (task, exchange, exchange_free);

  exchange->call = get_protocol (task)->encode (request, &error);
  if (exchange->call == NULL)
    fail (task, error->message);
  else
    show_payload (g_steal_pointer (&task));
}

static TauAssistantMessage *
tau_http_provider_stream_finish (TauProvider  *provider,
                                 GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

static void
provider_init (TauProviderInterface *iface)
{
  iface->stream_async = tau_http_provider_stream_async;
  iface->stream_finish = tau_http_provider_stream_finish;
}

static void
tau_http_provider_class_init (TauHttpProviderClass *klass)
{
}

static void
tau_http_provider_init (TauHttpProvider *self)
{
}

/**
 * tau_http_provider_new:
 * @protocol: a protocol that lives for ever
 *
 * Returns: (transfer full): a provider that speaks it over HTTP
 */
TauProvider *
tau_http_provider_new (const TauProtocol *protocol)
{
  TauHttpProvider *self = g_object_new (TAU_TYPE_HTTP_PROVIDER, NULL);

  self->protocol = protocol;

  return TAU_PROVIDER (self);
}
