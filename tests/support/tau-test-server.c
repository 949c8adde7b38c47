/* SPDX-License-Identifier: MIT */
#include "support/tau-test-server.h"

#include <libsoup/soup.h>
#include <string.h>

/*
 * An HTTP server on loopback that plays a script: each request takes the first response that fits
 * its path, and is itself remembered. It runs in the default main context, beside the client under
 * test. A request that finds the script empty is answered with 500.
 */
struct _TauTestServer
{
  GObject parent_instance;

  SoupServer *soup;
  char *url;
  GPtrArray *script;    /* Line, those not yet used */
  GPtrArray *requests;  /* Request, in order of arrival */
  GPtrArray *exchanges; /* Exchange, those being answered */
};

G_DEFINE_FINAL_TYPE (TauTestServer, tau_test_server, G_TYPE_OBJECT)

typedef struct
{
  TauTestResponse response; /* strings point into the fields below */
  char *path;
  char *content_type;
  char **headers;
  GBytes *body;
} Line;

typedef struct
{
  char *method;
  char *path;
  char *query;     /* nullable */
  SoupMessageHeaders *headers;
  char *body;
} Request;

typedef struct
{
  SoupServerMessage *message;
  Line *line;
  gsize sent;
  guint pause;    /* source, while pausing between two writes */
  GSource *watch; /* owned: tells when the client has gone */
} Exchange;

static void
line_free (Line *line)
{
  g_free (line->path);
  g_free (line->content_type);
  g_strfreev (line->headers);
  g_bytes_unref (line->body);
  g_free (line);
}

static Line *
line_new (const TauTestResponse *response)
{
  Line *line = g_new0 (Line, 1);
  const char *body = response->body != NULL ? response->body : "";
  gsize length = response->length != 0 ? response->length : strlen (body);
  const char *type = response->content_type;

  line->response = *response;
  line->path = g_strdup (response->path);
  line->content_type = g_strdup (type != NULL ? type : "text/event-stream");
  line->headers = g_strdupv ((char **) response->headers);
  line->body = g_bytes_new (body, length);

  return line;
}

static void
request_free (Request *request)
{
  g_free (request->method);
  g_free (request->path);
  g_free (request->query);
  soup_message_headers_unref (request->headers);
  g_free (request->body);
  g_free (request);
}

static void
exchange_free (Exchange *exchange)
{
  g_clear_handle_id (&exchange->pause, g_source_remove);
  g_source_destroy (exchange->watch);
  g_source_unref (exchange->watch);
  g_signal_handlers_disconnect_by_data (exchange->message, exchange);
  g_object_unref (exchange->message);
  line_free (exchange->line);
  g_free (exchange);
}

/* Cuts the connection. libsoup finds out, and ends the message, only when it next writes. */
static void
cut_connection (Exchange *exchange)
{
  SoupMessageBody *body = soup_server_message_get_response_body (exchange->message);

  g_socket_shutdown (soup_server_message_get_socket (exchange->message), TRUE, TRUE, NULL);
  soup_message_body_append (body, SOUP_MEMORY_STATIC, "\n", 1);
}

/* A client sends nothing while it waits for the answer: readable means that it closed its end. */
static gboolean
client_gone_cb (GSocket      *socket,
                GIOCondition  condition,
                gpointer      user_data)
{
  Exchange *exchange = user_data;

  g_clear_handle_id (&exchange->pause, g_source_remove);
  cut_connection (exchange);
  soup_server_message_unpause (exchange->message);

  return G_SOURCE_REMOVE;
}

/* The script is over for @exchange: end the body, cut the line, or just say nothing more. */
static void
end_response (Exchange *exchange)
{
  switch (exchange->line->response.ending)
    {
    case TAU_TEST_ENDING_CLOSE:
      soup_message_body_complete (soup_server_message_get_response_body (exchange->message));
      break;

    case TAU_TEST_ENDING_DROP:
    case TAU_TEST_ENDING_DROP_CHUNKED:
      cut_connection (exchange);
      break;

    case TAU_TEST_ENDING_HANG:
    case TAU_TEST_ENDING_SILENT:
      break;

    default:
      g_assert_not_reached ();
    }
}

/* How many bytes of the body are to be sent before the end. */
static gsize
get_limit (const Line *line)
{
  const TauTestResponse *response = &line->response;
  gsize length = g_bytes_get_size (line->body);

  if (response->ending == TAU_TEST_ENDING_CLOSE ||
      (response->ending == TAU_TEST_ENDING_HANG && response->cut_after == 0))
    return length;

  return MIN (response->cut_after, length);
}

/* Hands the next piece of the body to libsoup, or the end. */
static void
send_piece (Exchange *exchange)
{
  gsize left = get_limit (exchange->line) - exchange->sent;
  gsize size = exchange->line->response.chunk_size;
  g_autoptr(GBytes) piece = NULL;

  if (left == 0)
    {
      end_response (exchange);
      return;
    }

  size = size == 0 ? left : MIN (size, left);
  piece = g_bytes_new_from_bytes (exchange->line->body, exchange->sent, size);
  exchange->sent += size;
  soup_message_body_append_bytes (soup_server_message_get_response_body (exchange->message), piece);
}

static gboolean
pause_over_cb (gpointer user_data)
{
  Exchange *exchange = user_data;

  exchange->pause = 0;
  send_piece (exchange);
  soup_server_message_unpause (exchange->message);

  return G_SOURCE_REMOVE;
}

/* Emitted after the headers and after every piece; libsoup then waits for the next. */
static void
wrote_cb (SoupServerMessage *message,
          Exchange          *exchange)
{
  guint pause_ms = exchange->line->response.pause_ms;

  if (exchange->pause != 0)
    return;

  if (pause_ms != 0 && exchange->sent != 0)
    exchange->pause = g_timeout_add (pause_ms, pause_over_cb, exchange);
  else
    send_piece (exchange);
}

static Exchange *
exchange_new (SoupServerMessage *message,
              Line              *line)
{
  Exchange *exchange = g_new0 (Exchange, 1);
  GSocket *socket = soup_server_message_get_socket (message);

  exchange->message = g_object_ref (message);
  exchange->line = line;
  exchange->watch = g_socket_create_source (socket, G_IO_IN, NULL);
  g_source_set_callback (exchange->watch, G_SOURCE_FUNC (client_gone_cb), exchange, NULL);
  g_source_attach (exchange->watch, NULL);

  return exchange;
}

static void
start_response (TauTestServer     *self,
                SoupServerMessage *message,
                Line              *line)
{
  Exchange *exchange = exchange_new (message, line);
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  guint status = line->response.status;

  g_ptr_array_add (self->exchanges, exchange);

  if (line->response.ending == TAU_TEST_ENDING_SILENT)
    {
      soup_server_message_pause (message);
      return;
    }

  soup_server_message_set_status (message, status != 0 ? status : SOUP_STATUS_OK, NULL);
  if (line->response.ending == TAU_TEST_ENDING_DROP)
    soup_message_headers_set_content_length (headers, g_bytes_get_size (line->body));
  else
    soup_message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  soup_message_headers_set_content_type (headers, line->content_type, NULL);
  for (char **pair = line->headers; pair != NULL && *pair != NULL; pair += 2)
    soup_message_headers_append (headers, pair[0], pair[1]);

  soup_message_body_set_accumulate (soup_server_message_get_response_body (message), FALSE);
  g_signal_connect (message, "wrote-headers", G_CALLBACK (wrote_cb), exchange);
  g_signal_connect (message, "wrote-chunk", G_CALLBACK (wrote_cb), exchange);
}

/* The first line of the script that is for @path; it leaves the script. */
static Line *
take_line (TauTestServer *self,
           const char    *path)
{
  for (guint i = 0; i < self->script->len; i++)
    {
      Line *line = g_ptr_array_index (self->script, i);

      if (line->path == NULL || g_str_equal (line->path, path))
        return g_ptr_array_steal_index (self->script, i);
    }

  return NULL;
}

static void
remember_request (TauTestServer     *self,
                  SoupServerMessage *message,
                  const char        *path)
{
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  g_autoptr(GBytes) bytes = soup_message_body_flatten (body);
  Request *request = g_new0 (Request, 1);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  request->method = g_strdup (soup_server_message_get_method (message));
  request->path = g_strdup (path);
  request->query = g_strdup (g_uri_get_query (soup_server_message_get_uri (message)));
  request->headers = soup_message_headers_ref (soup_server_message_get_request_headers (message));
  request->body = g_strndup (data, size);
  g_ptr_array_add (self->requests, request);
}

static void
request_cb (SoupServer        *soup,
            SoupServerMessage *message,
            const char        *path,
            GHashTable        *query,
            gpointer           user_data)
{
  static const TauTestResponse nothing_left = {
    .status = SOUP_STATUS_INTERNAL_SERVER_ERROR,
    .content_type = "text/plain",
    .body = "the test's script has no response for this request",
  };
  TauTestServer *self = user_data;
  Line *line = take_line (self, path);

  remember_request (self, message, path);
  start_response (self, message, line != NULL ? line : line_new (&nothing_left));
}

/* Answered completely, or the client went away: either way this exchange is over. */
static void
request_over_cb (TauTestServer     *self,
                 SoupServerMessage *message)
{
  for (guint i = 0; i < self->exchanges->len; i++)
    {
      Exchange *exchange = g_ptr_array_index (self->exchanges, i);

      if (exchange->message == message)
        {
          g_ptr_array_remove_index (self->exchanges, i);
          return;
        }
    }
}

static void
tau_test_server_finalize (GObject *object)
{
  TauTestServer *self = TAU_TEST_SERVER (object);

  g_signal_handlers_disconnect_by_data (self->soup, self);
  g_ptr_array_unref (self->exchanges);
  soup_server_disconnect (self->soup);
  g_object_unref (self->soup);
  g_ptr_array_unref (self->script);
  g_ptr_array_unref (self->requests);
  g_free (self->url);

  G_OBJECT_CLASS (tau_test_server_parent_class)->finalize (object);
}

static void
tau_test_server_class_init (TauTestServerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_test_server_finalize;
}

static void
tau_test_server_init (TauTestServer *self)
{
  g_autoptr(GError) error = NULL;
  GSList *uris;

  self->script = g_ptr_array_new_with_free_func ((GDestroyNotify) line_free);
  self->requests = g_ptr_array_new_with_free_func ((GDestroyNotify) request_free);
  self->exchanges = g_ptr_array_new_with_free_func ((GDestroyNotify) exchange_free);

  self->soup = soup_server_new (NULL, NULL);
  soup_server_add_handler (self->soup, NULL, request_cb, self, NULL);
  g_signal_connect_swapped (self->soup, "request-finished", G_CALLBACK (request_over_cb), self);
  g_signal_connect_swapped (self->soup, "request-aborted", G_CALLBACK (request_over_cb), self);
  soup_server_listen_local (self->soup, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);

  uris = soup_server_get_uris (self->soup);
  self->url = g_strdup_printf ("http://127.0.0.1:%d", g_uri_get_port (uris->data));
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
}

static const Request *
get_request (TauTestServer *self,
             guint          index)
{
  g_assert_cmpuint (index, <, self->requests->len);

  return g_ptr_array_index (self->requests, index);
}

/**
 * tau_test_server_new:
 *
 * Starts a server on a free port of 127.0.0.1, with an empty script.
 *
 * Returns: (transfer full): the server
 */
TauTestServer *
tau_test_server_new (void)
{
  return g_object_new (TAU_TYPE_TEST_SERVER, NULL);
}

/**
 * tau_test_server_get_url:
 * @self: a server
 *
 * Returns: (transfer none): `http://127.0.0.1:PORT`, without a slash at the end
 */
const char *
tau_test_server_get_url (TauTestServer *self)
{
  g_return_val_if_fail (TAU_IS_TEST_SERVER (self), NULL);

  return self->url;
}

/**
 * tau_test_server_push:
 * @self: a server
 * @response: what to answer; copied
 *
 * Adds a response to the end of the script.
 */
void
tau_test_server_push (TauTestServer         *self,
                      const TauTestResponse *response)
{
  g_return_if_fail (TAU_IS_TEST_SERVER (self));

  g_ptr_array_add (self->script, line_new (response));
}

/**
 * tau_test_server_get_n_requests:
 * @self: a server
 *
 * Returns: how many requests have come in, whole
 */
guint
tau_test_server_get_n_requests (TauTestServer *self)
{
  g_return_val_if_fail (TAU_IS_TEST_SERVER (self), 0);

  return self->requests->len;
}

/**
 * tau_test_server_get_n_open:
 * @self: a server
 *
 * Returns: how many requests are still being answered; one whose client went away is not
 */
guint
tau_test_server_get_n_open (TauTestServer *self)
{
  g_return_val_if_fail (TAU_IS_TEST_SERVER (self), 0);

  return self->exchanges->len;
}

/**
 * tau_test_server_get_method:
 * @self: a server
 * @index: which request, from 0
 *
 * Returns: (transfer none): its method, such as `POST`
 */
const char *
tau_test_server_get_method (TauTestServer *self,
                            guint          index)
{
  g_return_val_if_fail (TAU_IS_TEST_SERVER (self), NULL);

  return get_request (self, index)->method;
}

/**
 * tau_test_server_get_path:
 * @self: a server
 * @index: which request, from 0
 *
 * Returns: (transfer none): its path, without the query
 */
const char *
tau_test_server_get_path (TauTestServer *self,
                          guint          index)
{
  g_return_val_if_fail (TAU_IS_TEST_SERVER (self), NULL);

  return get_request (self, index)->path;
}

/**
 * tau_test_server_get_query:
 * @self: a server
 * @index: the number of a request
 *
 * Returns: (transfer none) (nullable): what stands behind the "?" of its address
 */
const char *
tau_test_server_get_query (TauTestServer *self,
                           guint          index)
{
  g_return_val_if_fail (TAU_IS_TEST_SERVER (self), NULL);

  return get_request (self, index)->query;
}

/**
 * tau_test_server_get_header:
 * @self: a server
 * @index: which request, from 0
 * @name: a header's name, in any case
 *
 * Returns: (transfer none) (nullable): its value; several are joined by commas
 */
const char *
tau_test_server_get_header (TauTestServer *self,
                            guint          index,
                            const char    *name)
{
  g_return_val_if_fail (TAU_IS_TEST_SERVER (self), NULL);

  return soup_message_headers_get_list (get_request (self, index)->headers, name);
}

/**
 * tau_test_server_get_body:
 * @self: a server
 * @index: which request, from 0
 *
 * Returns: (transfer none): its body as a string
 */
const char *
tau_test_server_get_body (TauTestServer *self,
                          guint          index)
{
  g_return_val_if_fail (TAU_IS_TEST_SERVER (self), NULL);

  return get_request (self, index)->body;
}
