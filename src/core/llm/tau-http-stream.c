/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-http-stream.h"

#include "core/base/tau-json.h"
#include "core/base/tau-priority.h"
#include "core/llm/tau-extra-trust.h"
#include "core/llm/tau-retry.h"

#include <libsoup/soup.h>
#include <string.h>

/* One HTTP exchange whose response is read as it comes. LIVE, main thread. The only file that knows libsoup.
 *
 * Opening repeats failed attempts by the rules of tau-retry; once a response is there nothing is repeated. Every wait (connection,
 * headers, pause between attempts, each read) ends at once when the caller's cancellable fires. The body is closed on every
 * path: libsoup would otherwise keep its connection from the next request. Addresses and headers are never logged. */

#define READ_SIZE (16 * 1024)

/* After the last event that counts, how long to wait for a proper end that lets the connection be used again. */
#define DRAIN_MS   200
#define DRAIN_SIZE (64 * 1024)

/* A read that ends no line and brings less than this since the last sign of life is none: a server that sends a byte a
 * minute is as dead as one that sends nothing. */
#define LIFE_SIZE 1024

/* Parallel sessions share one pool; libsoup's own limit of 2 per host would let the third one wait for ever. */
#define MAX_CONNECTIONS_PER_HOST 32
#define MAX_CONNECTIONS          128

struct _TauHttpStream
{
  GObject parent_instance;

  TauHttpCall     *call;
  TauHttpLimits    limits;
  guint            n_attempts;

  SoupMessage     *message;       /* of the attempt that counts */
  char            *proxy;         /* nullable: HOST:PORT through which it goes */
  GInputStream    *body;          /* nullable; open until close */
  char            *buffer;        /* READ_SIZE, while reading */

  TauHttpChunkFunc func;          /* while reading; NULL once nothing more is wanted */
  gpointer         func_data;
  gsize            n_quiet;       /* bytes since the last sign of life, or since nothing more is wanted */

  GTask           *task;          /* owned while an operation runs */
  GCancellable    *stop;          /* ours: fires on the caller's cancel and on our timeouts */
  gulong           cancel_id;     /* on the task's cancellable */
  guint            timer;
  gboolean         timed_out;
  GSource         *pause_watch;   /* owned between two attempts: sees the cancel */
};

G_DEFINE_FINAL_TYPE (TauHttpStream, tau_http_stream, G_TYPE_OBJECT)

static void start_attempt (TauHttpStream *self);
static void read_more     (TauHttpStream *self);

static SoupSession *
get_session (void)
{
  static SoupSession *session;

  if (session == NULL)
    {
      session = soup_session_new_with_options ("max-conns", MAX_CONNECTIONS,
                                               "max-conns-per-host", MAX_CONNECTIONS_PER_HOST,
                                               NULL);
      /* A compressed stream may hold events back in the compressor. */
      soup_session_remove_feature_by_type (session, SOUP_TYPE_CONTENT_DECODER);
    }

  return session;
}

/* The system does not trust a certificate; the user may. */
static gboolean
accept_certificate_cb (SoupMessage         *message,
                       GTlsCertificate     *certificate,
                       GTlsCertificateFlags flags,
                       gpointer             user_data)
{
  return tau_extra_trust_accepts (certificate, user_data);
}

/* Remembers the proxy of the attempt. */
static void
network_event_cb (TauHttpStream     *self,
                  GSocketClientEvent event,
                  GIOStream         *connection)
{
  g_autoptr(GSocketAddress) address = NULL;

  if (event != G_SOCKET_CLIENT_CONNECTING || !G_IS_SOCKET_CONNECTION (connection))
    return;

  address = g_socket_connection_get_remote_address (G_SOCKET_CONNECTION (connection), NULL);
  if (G_IS_PROXY_ADDRESS (address))
    {
      g_autofree char *host = g_inet_address_to_string (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)));

      g_free (self->proxy);
      self->proxy = g_strdup_printf ("%s:%u", host, g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)));
    }
}

/* Says what the network's error leaves out: who is to blame, and for what. */
static void
clarify (TauHttpStream *self,
         GError       **error)
{
  if (*error == NULL || self->message == NULL || g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  if (g_error_matches (*error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE))
    {
      g_clear_error (error);
      g_set_error_literal (error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE,
                           tau_extra_trust_describe (soup_message_get_tls_peer_certificate_errors (self->message)));
    }
  else if (self->proxy != NULL && (*error)->domain == G_IO_ERROR)
    {
      g_autoptr(GError) cause = g_steal_pointer (error);

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PROXY_FAILED, "%s: %s", self->proxy, cause->message);
    }
}

static void
stop_cb (GCancellable *cancellable,
         gpointer      user_data)
{
  g_cancellable_cancel (user_data);
}

static gboolean
timeout_cb (gpointer user_data)
{
  TauHttpStream *self = user_data;

  self->timer = 0;
  self->timed_out = TRUE;
  g_cancellable_cancel (self->stop);

  return G_SOURCE_REMOVE;
}

static void
set_timer (TauHttpStream *self,
           gint64         ms)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  if (ms > 0)
    self->timer = g_timeout_add_full (TAU_PRIORITY_STREAM, (guint) MIN (ms, G_MAXUINT), timeout_cb, self, NULL);
}

/* Each operation has one task and one cancellable of its own. */
static void
begin (TauHttpStream      *self,
       gpointer            source_tag,
       GCancellable       *cancellable,
       GAsyncReadyCallback callback,
       gpointer            user_data)
{
  g_assert (self->task == NULL);

  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, source_tag);
  self->stop = g_cancellable_new ();
  self->timed_out = FALSE;
  if (cancellable != NULL)
    self->cancel_id = g_cancellable_connect (cancellable, G_CALLBACK (stop_cb), g_object_ref (self->stop), g_object_unref);
}

/* Ends the operation: with @error (taken), or well. */
static void
end (TauHttpStream *self,
     GError        *error)
{
  g_autoptr(GTask) task = g_steal_pointer (&self->task);
  GCancellable *cancellable = g_task_get_cancellable (task);

  set_timer (self, 0);
  if (self->cancel_id != 0)
    g_cancellable_disconnect (cancellable, self->cancel_id);
  self->cancel_id = 0;
  g_clear_object (&self->stop);

  if (error == NULL)
    g_task_return_boolean (task, TRUE);
  else if (self->timed_out)
    {
      g_error_free (error);
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "no answer in time");
    }
  else
    g_task_return_error (task, error);
}

static void
add_header_cb (const char *name,
               const char *value,
               gpointer    user_data)
{
  soup_message_headers_replace (user_data, name, value);
}

static SoupMessage *
make_message (TauHttpStream *self,
              GError       **error)
{
  JsonNode *body = tau_http_call_get_body (self->call);
  SoupMessage *message = soup_message_new (body != NULL ? "POST" : "GET", tau_http_call_get_url (self->call));

  if (message == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "not an HTTP address: %s",
                   tau_http_call_get_url (self->call));
      return NULL;
    }

  /* A redirect would carry the key to another host. */
  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  g_signal_connect_data (message, "accept-certificate", G_CALLBACK (accept_certificate_cb),
                         g_strdup (tau_http_call_get_url (self->call)), (GClosureNotify) (GCallback) g_free, 0);
  g_signal_connect_object (message, "network-event", G_CALLBACK (network_event_cb), self, G_CONNECT_SWAPPED);
  if (body != NULL)
    {
      g_autofree char *json = tau_json_to_string (body);
      g_autoptr(GBytes) bytes = g_bytes_new (json, strlen (json));

      soup_message_set_request_body_from_bytes (message, "application/json", bytes);
    }
  tau_http_call_foreach_header (self->call, add_header_cb, soup_message_get_request_headers (message));

  return message;
}

/* Ends the pause between two attempts, whichever of its two sources came first. */
static void
pause_over (TauHttpStream *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_source_destroy (self->pause_watch);
  g_clear_pointer (&self->pause_watch, g_source_unref);
  start_attempt (self);
}

static gboolean
pause_timer_cb (gpointer user_data)
{
  TauHttpStream *self = user_data;

  self->timer = 0;
  pause_over (self);

  return G_SOURCE_REMOVE;
}

static gboolean
pause_cancelled_cb (GCancellable *cancellable,
                    gpointer      user_data)
{
  pause_over (user_data);

  return G_SOURCE_REMOVE;
}

static void
pause_attempts (TauHttpStream *self,
                gint64         delay_ms)
{
  self->timer = g_timeout_add_full (TAU_PRIORITY_STREAM, (guint) MIN (delay_ms, G_MAXUINT), pause_timer_cb, self, NULL);
  self->pause_watch = g_cancellable_source_new (self->stop);
  g_source_set_callback (self->pause_watch, G_SOURCE_FUNC (pause_cancelled_cb), self, NULL);
  g_source_attach (self->pause_watch, NULL);
}

/* An attempt that ran out of time has used up its cancellable. */
static void
prepare_repeat (TauHttpStream *self,
                gint64         delay_ms)
{
  if (self->timed_out)
    {
      self->timed_out = FALSE;
      g_cancellable_reset (self->stop);
    }
  pause_attempts (self, delay_ms);
}

static gboolean
wants_repeat (TauHttpStream *self,
              gboolean       responded,
              gint64        *delay_ms)
{
  TauRetryFailure failure = { 0 };

  if (responded)
    {
      failure.status = soup_message_get_status (self->message);
      failure.should_retry = tau_http_stream_get_header (self, "x-should-retry");
      failure.retry_after_ms = tau_http_stream_get_header (self, "retry-after-ms");
      failure.retry_after = tau_http_stream_get_header (self, "retry-after");
    }
  if (responded && failure.status < 400)
    return FALSE;

  return tau_retry_decide (&failure, self->n_attempts - 1, self->limits.max_retries, self->limits.max_retry_delay_ms,
                           g_get_real_time () / 1000, g_random_double (), delay_ms);
}

static void
response_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(TauHttpStream) self = user_data;
  g_autoptr(GError) error = NULL;
  gint64 delay_ms;

  self->body = soup_session_send_finish (SOUP_SESSION (object), result, &error);
  set_timer (self, 0);
  clarify (self, &error);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (self->task)))
    {
      tau_http_stream_close (self);
      if (error == NULL)
        g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled when the response came");
    }
  else if (wants_repeat (self, self->body != NULL, &delay_ms))
    {
      tau_http_stream_close (self);
      prepare_repeat (self, delay_ms);
      return;
    }
  end (self, g_steal_pointer (&error));
}

static void
start_attempt (TauHttpStream *self)
{
  GError *error = NULL;

  g_clear_object (&self->message);
  if (g_cancellable_set_error_if_cancelled (self->stop, &error) || (self->message = make_message (self, &error)) == NULL)
    {
      end (self, error);
      return;
    }

  self->n_attempts++;
  set_timer (self, self->limits.headers_timeout_ms);
  soup_session_send_async (get_session (), self->message, TAU_PRIORITY_STREAM, self->stop,
                           response_cb, g_object_ref (self));
}

/* Nothing more is wanted: reads on for a moment, for the sake of the connection. */
static void
stop_wanting (TauHttpStream *self)
{
  self->func = NULL;
  self->n_quiet = 0;
  set_timer (self, DRAIN_MS);
}

/* Begins the wait for the next sign of life. */
static void
expect_life (TauHttpStream *self)
{
  self->n_quiet = 0;
  set_timer (self, self->limits.idle_timeout_ms);
}

static void
notice_bytes (TauHttpStream *self,
              gsize          size)
{
  if (self->n_quiet >= LIFE_SIZE || memchr (self->buffer, '\n', size) != NULL || memchr (self->buffer, '\r', size) != NULL)
    expect_life (self);
}

static void
read_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(TauHttpStream) self = user_data;
  g_autoptr(GError) error = NULL;
  gssize size = g_input_stream_read_finish (G_INPUT_STREAM (object), result, &error);
  gboolean wanted = self->func != NULL;

  self->n_quiet += (gsize) MAX (size, 0);
  if (size > 0 && (wanted || self->n_quiet < DRAIN_SIZE))
    {
      if (wanted)
        notice_bytes (self, (gsize) size);
      if (wanted && !self->func (self->buffer, (gsize) size, self->func_data))
        stop_wanting (self);
      read_more (self);
      return;
    }

  tau_http_stream_close (self);
  /* What happens after the last event that counts is of no interest. */
  if (!wanted)
    g_clear_error (&error);
  end (self, g_steal_pointer (&error));
}

static void
read_more (TauHttpStream *self)
{
  g_input_stream_read_async (self->body, self->buffer, READ_SIZE, TAU_PRIORITY_STREAM, self->stop,
                             read_cb, g_object_ref (self));
}

static void
tau_http_stream_dispose (GObject *object)
{
  TauHttpStream *self = TAU_HTTP_STREAM (object);

  tau_http_stream_close (self);
  g_clear_object (&self->message);

  G_OBJECT_CLASS (tau_http_stream_parent_class)->dispose (object);
}

static void
tau_http_stream_finalize (GObject *object)
{
  TauHttpStream *self = TAU_HTTP_STREAM (object);

  g_assert (self->task == NULL);
  tau_http_call_free (self->call);
  g_free (self->buffer);
  g_free (self->proxy);

  G_OBJECT_CLASS (tau_http_stream_parent_class)->finalize (object);
}

static void
tau_http_stream_class_init (TauHttpStreamClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = tau_http_stream_dispose;
  object_class->finalize = tau_http_stream_finalize;
}

static void
tau_http_stream_init (TauHttpStream *self)
{
}

/**
 * tau_http_stream_new:
 * @call: (transfer full): what to send
 * @limits: what it may take
 *
 * Returns: (transfer full): an exchange that has not begun
 */
TauHttpStream *
tau_http_stream_new (TauHttpCall         *call,
                     const TauHttpLimits *limits)
{
  TauHttpStream *self = g_object_new (TAU_TYPE_HTTP_STREAM, NULL);

  self->call = call;
  self->limits = *limits;

  return self;
}

/**
 * tau_http_stream_open_async:
 * @self: a stream
 * @cancellable: (nullable): to stop it
 * @callback: called when there is a response, or none to be had
 * @user_data: for @callback
 *
 * Sends the request and waits for the headers of a response, repeating failed attempts.
 */
void
tau_http_stream_open_async (TauHttpStream      *self,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  g_return_if_fail (TAU_IS_HTTP_STREAM (self));

  begin (self, tau_http_stream_open_async, cancellable, callback, user_data);
  start_attempt (self);
}

/**
 * tau_http_stream_open_finish:
 * @self: a stream
 * @result: the result
 * @error: return location: %G_IO_ERROR_CANCELLED, %G_IO_ERROR_TIMED_OUT, or why the network failed
 *
 * Returns: %TRUE if there is a response, of whatever status
 */
gboolean
tau_http_stream_open_finish (TauHttpStream *self,
                             GAsyncResult  *result,
                             GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * tau_http_stream_get_status:
 * @self: a stream
 *
 * Returns: the HTTP status of the response, 0 if there is none
 */
guint
tau_http_stream_get_status (TauHttpStream *self)
{
  return self->body != NULL || self->message != NULL ? soup_message_get_status (self->message) : 0;
}

/**
 * tau_http_stream_get_reason:
 * @self: a stream
 *
 * Returns: (transfer none): the words beside the status
 */
const char *
tau_http_stream_get_reason (TauHttpStream *self)
{
  const char *reason = self->message != NULL ? soup_message_get_reason_phrase (self->message) : NULL;

  return reason != NULL ? reason : "";
}

/**
 * tau_http_stream_get_proxy:
 * @self: a stream
 *
 * Returns: (transfer none) (nullable): address and port of the proxy that the request went to
 */
const char *
tau_http_stream_get_proxy (TauHttpStream *self)
{
  return self->proxy;
}

/**
 * tau_http_stream_get_header:
 * @self: a stream
 * @name: name of a response header; case does not matter
 *
 * Returns: (transfer none) (nullable): its value
 */
const char *
tau_http_stream_get_header (TauHttpStream *self,
                            const char    *name)
{
  if (self->message == NULL)
    return NULL;

  return soup_message_headers_get_one (soup_message_get_response_headers (self->message), name);
}

/**
 * tau_http_stream_dup_headers:
 * @self: a stream
 *
 * Returns: (transfer full): the response's headers as a JSON object, names in lower case
 */
JsonNode *
tau_http_stream_dup_headers (TauHttpStream *self)
{
  JsonObject *object = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  SoupMessageHeadersIter iter;
  const char *name, *value;

  json_node_take_object (node, object);
  if (self->message == NULL)
    return node;

  soup_message_headers_iter_init (&iter, soup_message_get_response_headers (self->message));
  while (soup_message_headers_iter_next (&iter, &name, &value))
    {
      g_autofree char *lower = g_ascii_strdown (name, -1);

      json_object_set_string_member (object, lower, value);
    }

  return node;
}

/**
 * tau_http_stream_get_attempts:
 * @self: a stream
 *
 * Returns: how often the request was sent
 */
guint
tau_http_stream_get_attempts (TauHttpStream *self)
{
  return self->n_attempts;
}

/**
 * tau_http_stream_read_async:
 * @self: a stream that is open
 * @func: takes what is read
 * @func_data: for @func; must live until @callback
 * @cancellable: (nullable): to stop it
 * @callback: called at the end of the body
 * @user_data: for @callback
 *
 * Reads the body to its end, or until @func wants no more, and closes it.
 */
void
tau_http_stream_read_async (TauHttpStream      *self,
                            TauHttpChunkFunc    func,
                            gpointer            func_data,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  g_return_if_fail (TAU_IS_HTTP_STREAM (self));
  g_return_if_fail (self->body != NULL);

  begin (self, tau_http_stream_read_async, cancellable, callback, user_data);
  self->func = func;
  self->func_data = func_data;
  if (self->buffer == NULL)
    self->buffer = g_malloc (READ_SIZE);
  expect_life (self);
  read_more (self);
}

/**
 * tau_http_stream_read_finish:
 * @self: a stream
 * @result: the result
 * @error: return location: %G_IO_ERROR_CANCELLED, %G_IO_ERROR_TIMED_OUT, or how the connection broke
 *
 * Returns: %TRUE if the body ended in the way of its transfer, or enough was read
 */
gboolean
tau_http_stream_read_finish (TauHttpStream *self,
                             GAsyncResult  *result,
                             GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * tau_http_stream_close:
 * @self: a stream
 *
 * Lets go of a response that nobody will read. Reading to the end does this by itself.
 */
void
tau_http_stream_close (TauHttpStream *self)
{
  if (self->body != NULL)
    g_input_stream_close_async (self->body, TAU_PRIORITY_STREAM, NULL, NULL, NULL);
  g_clear_object (&self->body);
}
