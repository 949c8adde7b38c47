/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-http-provider.h"

#include "core/base/tau-json.h"
#include "core/llm/tau-api-error.h"
#include "core/llm/tau-sse-parser.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-socket.h"

#include <string.h>

/* Servers that mean no good, as bare sockets on loopback: each must end in a clear error and within its bounds, and a
 * cancel must be heard wherever the exchange stands. */

#define HEAD   "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"
#define HELLO  "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"}}]}\n\n"
#define FINISH "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

typedef struct
{
  TauRequestFields fields;
  TauModel        *model;
  GPtrArray       *messages;
  TauDraft        *draft;
  GCancellable    *cancellable;
  GAsyncResult    *result;
} Exchange;

static void
begin (Exchange   *exchange,
       const char *url)
{
  g_autofree char *text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"openai-completions\",\"baseUrl\":\"%s/v1\"}", url);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);

  *exchange = (Exchange) { .fields = TAU_REQUEST_FIELDS_INIT };
  exchange->model = tau_model_new_from_json ("test", json, NULL);
  exchange->messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (exchange->messages, tau_user_message_new ("Hi", NULL, 1));
  exchange->cancellable = g_cancellable_new ();
  exchange->fields.model = exchange->model;
  exchange->fields.messages = exchange->messages;
  exchange->fields.api_key = "secret";
  exchange->fields.max_retries = 0;
}

static void
start (Exchange *exchange)
{
  g_autoptr(TauRequest) request = tau_request_new (&exchange->fields);

  exchange->draft = tau_draft_new ("openai-completions", "test", "m", 1);
  tau_provider_stream_async (tau_provider_lookup ("openai-completions"), request, exchange->draft, exchange->cancellable,
                             tau_test_loop_result_cb, &exchange->result);
}

/* Waits for the answer and frees what the exchange holds. */
static TauAssistantMessage *
finish (Exchange *exchange)
{
  g_autoptr(GAsyncResult) result = tau_test_loop_wait_result (&exchange->result);
  TauAssistantMessage *message = tau_provider_stream_finish (tau_provider_lookup ("openai-completions"), result);

  g_clear_object (&exchange->draft);
  g_clear_object (&exchange->model);
  g_clear_object (&exchange->cancellable);
  g_clear_pointer (&exchange->messages, g_ptr_array_unref);

  return message;
}

static void
assert_failed (TauAssistantMessage *message,
               TauApiError          kind,
               const char          *text,
               const char          *error)
{
  g_autofree char *got = tau_message_dup_text (TAU_MESSAGE (message), "");
  const char *got_error = tau_assistant_message_get_error_message (message);

  g_test_message ("error text: %.300s", got_error);
  g_assert_cmpstr (tau_stop_reason_to_string (tau_assistant_message_get_stop_reason (message)), ==, "error");
  g_assert_cmpstr (got, ==, text);
  g_assert_nonnull (got_error);
  g_assert_nonnull (strstr (got_error, error));
  g_assert_cmpint (tau_api_error_classify (got_error), ==, kind);
}

/* A way to misbehave, and what must come of it. */
typedef struct
{
  const char       *name;
  TauTestSocketFunc serve;
  const char       *script;    /* for @serve */
  const char       *text;      /* what of the answer is kept */
  const char       *error;     /* part of the error text */
  TauApiError       kind;
  gsize             max_size;  /* bytes that may be taken from the server; 0: not looked at */
} Case;

static void
serve_silence (TauTestSocket *socket,
               GIOStream     *stream,
               gpointer       data)
{
  tau_test_socket_wait_gone (socket, stream);
}

/* The script, then nothing. */
static void
serve_then_silence (TauTestSocket *socket,
                    GIOStream     *stream,
                    gpointer       data)
{
  const Case *test = data;
  g_autofree char *request = tau_test_socket_read_request (socket, stream);

  if (request != NULL && tau_test_socket_write (socket, stream, test->script, -1))
    tau_test_socket_wait_gone (socket, stream);
}

/* The script, then the end of the connection. */
static void
serve_then_close (TauTestSocket *socket,
                  GIOStream     *stream,
                  gpointer       data)
{
  const Case *test = data;
  g_autofree char *request = tau_test_socket_read_request (socket, stream);

  if (request != NULL)
    tau_test_socket_write (socket, stream, test->script, -1);
}

static void
serve_then_reset (TauTestSocket *socket,
                  GIOStream     *stream,
                  gpointer       data)
{
  serve_then_close (socket, stream, data);
  tau_test_socket_reset (socket, stream);
}

static void
serve_reset_at_once (TauTestSocket *socket,
                     GIOStream     *stream,
                     gpointer       data)
{
  tau_test_socket_reset (socket, stream);
}

/* A byte in a while, each in good time before the limit. */
static void
serve_drip (TauTestSocket *socket,
            GIOStream     *stream,
            gpointer       data)
{
  const Case *test = data;
  g_autofree char *request = tau_test_socket_read_request (socket, stream);

  if (request == NULL || !tau_test_socket_write (socket, stream, test->script, -1))
    return;
  while (tau_test_socket_write (socket, stream, "x", 1))
    g_usleep (20 * 1000);
}

/* The script, then the same again and again, up to far more than anyone should take. */
static void
serve_flood (TauTestSocket *socket,
             GIOStream     *stream,
             gpointer       data,
             const char    *piece)
{
  const Case *test = data;
  g_autofree char *request = tau_test_socket_read_request (socket, stream);
  g_autoptr(GString) block = g_string_new (NULL);
  gsize n_left = 300 * 1024 * 1024;

  while (block->len < 64 * 1024)
    g_string_append (block, piece);
  if (request == NULL || !tau_test_socket_write (socket, stream, test->script, -1))
    return;
  while (n_left > block->len && tau_test_socket_write (socket, stream, block->str, (gssize) block->len))
    n_left -= block->len;
}

static void
serve_endless_line (TauTestSocket *socket,
                    GIOStream     *stream,
                    gpointer       data)
{
  serve_flood (socket, stream, data, "xxxxxxxxxxxxxxxx");
}

static void
serve_endless_event (TauTestSocket *socket,
                     GIOStream     *stream,
                     gpointer       data)
{
  serve_flood (socket, stream, data, "data: more and more of the same event, which never gets its blank line\n");
}

static void
serve_endless_headers (TauTestSocket *socket,
                       GIOStream     *stream,
                       gpointer       data)
{
  serve_flood (socket, stream, data, "x-more: and more headers that never come to their end\r\n");
}

/* What the kernel's buffers and one read may hold beyond what was asked for. */
#define SLACK ((gsize) 16 * 1024 * 1024)

static const Case cases[] = {
  { "p68-black-hole", serve_silence, NULL, "", "Request timed out.", TAU_API_ERROR_NETWORK, 0 },
  { "p68-silent-after-head", serve_then_silence, HEAD "\r\n", "", "terminated (timeout: 127.0.0.1", TAU_API_ERROR_NETWORK, 0 },
  { "p68-silent-in-event", serve_then_silence, HEAD "\r\n" HELLO "data: {\"cho", "Hello", "terminated (timeout: 127.0.0.1",
    TAU_API_ERROR_NETWORK, 0 },
  { "p68-silent-in-head", serve_then_silence, "HTTP/1.1 200 OK\r\ncontent-ty", "", "Request timed out.", TAU_API_ERROR_NETWORK, 0 },
  { "p68-silent-in-error-body", serve_then_silence, "HTTP/1.1 500 Oops\r\ncontent-length: 1000\r\n\r\nbroken", "", "500 broken",
    TAU_API_ERROR_OVERLOADED, 0 },
  { "p68-drip-body", serve_drip, HEAD "\r\n" HELLO "data: {\"cho", "Hello", "terminated (timeout: 127.0.0.1", TAU_API_ERROR_NETWORK, 0 },
  { "p68-drip-head", serve_drip, "HTTP/1.1 200 OK\r\nx-y: ", "", "Request timed out.", TAU_API_ERROR_NETWORK, 0 },
  { "reset-at-once", serve_reset_at_once, NULL, "", "Connection error. (127.0.0.1:", TAU_API_ERROR_NETWORK, 0 },
  { "reset-before-head", serve_then_reset, "", "", "Connection error. (127.0.0.1:", TAU_API_ERROR_NETWORK, 0 },
  { "reset-in-head", serve_then_reset, "HTTP/1.1 200 OK\r\nconte", "", "Connection error. (127.0.0.1:", TAU_API_ERROR_NETWORK, 0 },
  { "closed-before-head", serve_then_close, "", "", "Connection error. (127.0.0.1:", TAU_API_ERROR_NETWORK, 0 },
  { "reset-in-error-body", serve_then_reset, "HTTP/1.1 529 Busy\r\ncontent-length: 1000\r\n\r\n{", "", "529 ", TAU_API_ERROR_OVERLOADED, 0 },
  { "closed-in-body", serve_then_close, HEAD "\r\n" HELLO, "Hello", "Stream ended without a finish reason", TAU_API_ERROR_PROTOCOL, 0 },
  { "length-too-short", serve_then_close, HEAD "content-length: 80\r\n\r\n" HELLO FINISH, "Hello",
    "Stream ended without a finish reason", TAU_API_ERROR_PROTOCOL, 0 },
  { "length-too-long", serve_then_close, "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n" HELLO, "Hello",
    "in the middle of the answer", TAU_API_ERROR_NETWORK, 0 },
  { "length-too-long-as-told", serve_then_close, HEAD "content-length: 100000\r\n\r\n" HELLO, "Hello",
    "Stream ended without a finish reason", TAU_API_ERROR_PROTOCOL, 0 },
  { "length-too-long-and-open", serve_then_silence, HEAD "content-length: 100000\r\n\r\n" HELLO, "Hello",
    "terminated (timeout: 127.0.0.1", TAU_API_ERROR_NETWORK, 0 },
  { "chunk-size-nonsense", serve_then_close, HEAD "transfer-encoding: chunked\r\n\r\nzzz\r\n" HELLO, "", "Stream ended without an answer",
    TAU_API_ERROR_PROTOCOL, 0 },
  { "100-mb-without-newline", serve_endless_line, HEAD "\r\n" HELLO, "Hello", "Broken stream: an event of the stream is larger than 64 MiB",
    TAU_API_ERROR_PROTOCOL, TAU_SSE_DEFAULT_LIMIT + SLACK },
  { "endless-event", serve_endless_event, HEAD "\r\n" HELLO, "Hello", "Broken stream: an event of the stream is larger than 64 MiB",
    TAU_API_ERROR_PROTOCOL, 2 * TAU_SSE_DEFAULT_LIMIT + SLACK },
  { "endless-headers", serve_endless_headers, "HTTP/1.1 200 OK\r\n", "", "gave no HTTP answer: Header too big", TAU_API_ERROR_NETWORK, SLACK },
  { "endless-error-body", serve_endless_line, "HTTP/1.1 400 Bad Request\r\n\r\n", "", "400 xxx", TAU_API_ERROR_INVALID, SLACK },
  { "html-with-200", serve_then_close, "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<html><body>Log in</body></html>", "",
    "the server sent text/html instead of an event stream", TAU_API_ERROR_PROTOCOL, 0 },
  { "redirect", serve_then_close, "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", "",
    "302 status code (no body) (redirected to http://127.0.0.1:1/, which is not followed)", TAU_API_ERROR_PROTOCOL, 0 },
  { "not-http", serve_then_close, "220 mail.example.com ESMTP\r\n", "", "Connection error. (", TAU_API_ERROR_NETWORK, 0 },
};

/* The limits are short for those that say nothing, and long for those whose flood must be stopped by its size. */
static void
set_limits (Exchange   *exchange,
            const Case *test)
{
  gboolean quiet = test->serve == serve_silence || test->serve == serve_then_silence || test->serve == serve_drip;

  exchange->fields.timeout_ms = quiet ? 500 : 60000;
  exchange->fields.idle_timeout_ms = quiet ? 500 : 60000;
}

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autoptr(TauTestSocket) socket = tau_test_socket_new (test->serve, (gpointer) test);
  g_autoptr(TauAssistantMessage) message = NULL;
  Exchange exchange;

  begin (&exchange, tau_test_socket_get_url (socket));
  set_limits (&exchange, test);
  start (&exchange);
  message = finish (&exchange);
  assert_failed (message, test->kind, test->text, test->error);
  /* The line is let go of, and the flood with it. */
  tau_test_wait_until (tau_test_socket_get_n_open (socket) == 0);
  g_test_message ("taken: %" G_GSIZE_FORMAT " bytes", tau_test_socket_get_n_written (socket));
  if (test->max_size > 0)
    g_assert_cmpuint (tau_test_socket_get_n_written (socket), <, test->max_size);
}

/* A slow server that shows signs of life is waited for: the pauses stay below the limit, the whole takes several times as long. */
static void
serve_slowly (TauTestSocket *socket,
              GIOStream     *stream,
              gpointer       data)
{
  g_autofree char *request = tau_test_socket_read_request (socket, stream);

  if (request == NULL || !tau_test_socket_write (socket, stream, HEAD "\r\n", -1))
    return;
  for (guint i = 0; i < 40; i++)
    {
      g_usleep (75 * 1000);
      if (!tau_test_socket_write (socket, stream, i % 2 == 0 ? ": still thinking\n\n" : HELLO, -1))
        return;
    }
  tau_test_socket_write (socket, stream, FINISH, -1);
}

static void
test_no_total_limit (void)
{
  g_autoptr(TauTestSocket) socket = tau_test_socket_new (serve_slowly, NULL);
  g_autoptr(TauAssistantMessage) message = NULL;
  Exchange exchange;

  begin (&exchange, tau_test_socket_get_url (socket));
  exchange.fields.timeout_ms = 1500;
  exchange.fields.idle_timeout_ms = 1500;
  start (&exchange);
  message = finish (&exchange);
  g_assert_null (tau_assistant_message_get_error_message (message));
  g_assert_cmpstr (tau_stop_reason_to_string (tau_assistant_message_get_stop_reason (message)), ==, "stop");
}

/* Cancel, wherever the exchange stands. No limit is set: nothing but the cancel can end it. */
typedef struct
{
  const char       *name;
  TauTestSocketFunc serve;
  const char       *script;
  gsize             n_written;   /* bytes of the server that must have gone out before the cancel */
  const char       *text;
  gboolean          tls;         /* the client expects encryption: the handshake never comes */
  gboolean          repeats;
} Moment;

static void
serve_moment (TauTestSocket *socket,
              GIOStream     *stream,
              gpointer       data)
{
  const Moment *moment = data;

  serve_then_silence (socket, stream, &(Case) { .script = moment->script });
}

static void
serve_moment_and_close (TauTestSocket *socket,
                        GIOStream     *stream,
                        gpointer       data)
{
  const Moment *moment = data;

  serve_then_close (socket, stream, &(Case) { .script = moment->script });
}

static const Moment moments[] = {
  { "connected", serve_silence, NULL, 0, "", FALSE, FALSE },
  { "tls-handshake", serve_silence, NULL, 0, "", TRUE, FALSE },
  { "in-head", serve_moment, "HTTP/1.1 200 OK\r\nconte", 1, "", FALSE, FALSE },
  { "after-head", serve_moment, HEAD "\r\n", 1, "", FALSE, FALSE },
  { "in-event", serve_moment, HEAD "\r\n" HELLO "data: {\"ch", 1, "Hello", FALSE, FALSE },
  { "in-error-body", serve_moment, "HTTP/1.1 500 Oops\r\ncontent-length: 1000\r\n\r\nbroken", 1, "", FALSE, FALSE },
  { "between-attempts", serve_moment_and_close, "HTTP/1.1 503 Busy\r\nretry-after: 3000\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", 1,
    "", FALSE, TRUE },
};

static void
test_cancel (gconstpointer data)
{
  const Moment *moment = data;
  g_autoptr(TauTestSocket) socket = tau_test_socket_new (moment->serve, (gpointer) moment);
  g_autofree char *secure = g_strdup_printf ("https://127.0.0.1:%u", tau_test_socket_get_port (socket));
  g_autoptr(TauAssistantMessage) message = NULL;
  g_autofree char *text = NULL;
  Exchange exchange;

  begin (&exchange, moment->tls ? secure : tau_test_socket_get_url (socket));
  if (moment->repeats)
    {
      exchange.fields.max_retries = 5;
      exchange.fields.max_retry_delay_ms = 10000 * 1000;
    }
  start (&exchange);
  tau_test_wait_until (tau_test_socket_get_n_accepted (socket) == 1 && tau_test_socket_get_n_written (socket) >= moment->n_written);
  if (moment->repeats)
    tau_test_wait_until (tau_test_socket_get_n_open (socket) == 0);
  if (moment->text[0] != '\0')
    tau_test_wait_until (tau_draft_get_n_blocks (exchange.draft) == 1);
  tau_test_loop_settle ();
  g_assert_null (exchange.result);

  g_cancellable_cancel (exchange.cancellable);
  message = finish (&exchange);
  text = tau_message_dup_text (TAU_MESSAGE (message), "");
  g_assert_cmpstr (tau_stop_reason_to_string (tau_assistant_message_get_stop_reason (message)), ==, "aborted");
  g_assert_cmpstr (text, ==, moment->text);
  tau_test_wait_until (tau_test_socket_get_n_open (socket) == 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/http-hostile/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/http-hostile/p75-no-total-limit", test_no_total_limit);
  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    {
      g_autofree char *path = g_strconcat ("/http-hostile/cancel/", moments[i].name, NULL);

      g_test_add_data_func (path, &moments[i], test_cancel);
    }

  return g_test_run ();
}
