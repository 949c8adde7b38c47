/* SPDX-License-Identifier: MIT */
#include "support/tau-test-socket.h"

#include <gio/gnetworking.h>
#include <string.h>

/*
 * A bare server on loopback, for what a well-made one cannot do: be silent, lie about lengths, reset,
 * never stop. The test gives a function that serves one connection with blocking calls; each
 * connection has a thread. Freeing the server wakes all of them and waits until they have ended.
 */
struct _TauTestSocket
{
  GSocketListener  *listener;
  GThread          *acceptor;
  GCancellable     *stop;
  char             *url;
  guint16           port;
  TauTestSocketFunc serve;
  gpointer          user_data;
  GTlsCertificate  *certificate; /* nullable */
  GPtrArray        *threads;     /* of the acceptor, until it has ended */
  guint             n_accepted;  /* atomic, as are those below */
  guint             n_open;
  gsize             n_written;
};

typedef struct
{
  TauTestSocket     *socket;
  GSocketConnection *connection;
} Client;

/* The test waits in the default context for a number to change. */
static void
tell_test (void)
{
  g_main_context_wakeup (NULL);
}

/* An encrypted connection speaks in the clear to the serving function. */
static GIOStream *
wrap (TauTestSocket     *self,
      GSocketConnection *connection)
{
  g_autoptr(GIOStream) stream = NULL;

  if (self->certificate == NULL)
    return g_object_ref (G_IO_STREAM (connection));

  stream = g_tls_server_connection_new (G_IO_STREAM (connection), self->certificate, NULL);
  g_assert_nonnull (stream);
  if (!g_tls_connection_handshake (G_TLS_CONNECTION (stream), self->stop, NULL))
    return NULL;

  return g_steal_pointer (&stream);
}

static gpointer
serve_thread (gpointer data)
{
  Client *client = data;
  TauTestSocket *self = client->socket;
  g_autoptr(GIOStream) stream = wrap (self, client->connection);

  if (stream != NULL)
    {
      self->serve (self, stream, self->user_data);
      g_io_stream_close (stream, NULL, NULL);
    }
  g_io_stream_close (G_IO_STREAM (client->connection), NULL, NULL);
  g_object_unref (client->connection);
  g_free (client);
  g_atomic_int_add (&self->n_open, -1);
  tell_test ();

  return NULL;
}

static gpointer
accept_thread (gpointer data)
{
  TauTestSocket *self = data;
  GSocketConnection *connection;

  while ((connection = g_socket_listener_accept (self->listener, NULL, self->stop, NULL)) != NULL)
    {
      Client *client = g_new (Client, 1);

      *client = (Client) { self, connection };
      g_atomic_int_inc (&self->n_accepted);
      g_atomic_int_inc (&self->n_open);
      tell_test ();
      g_ptr_array_add (self->threads, g_thread_new ("test-socket", serve_thread, client));
    }

  return NULL;
}

/**
 * tau_test_socket_new_tls:
 * @serve: (scope forever): serves one connection
 * @user_data: for @serve
 * @certificate: (nullable): certificate with key; %NULL for a server without encryption
 *
 * Starts a server on a free port of 127.0.0.1.
 *
 * Returns: (transfer full): the server
 */
TauTestSocket *
tau_test_socket_new_tls (TauTestSocketFunc serve,
                         gpointer          user_data,
                         GTlsCertificate  *certificate)
{
  TauTestSocket *self = g_new0 (TauTestSocket, 1);
  g_autoptr(GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr(GSocketAddress) any_port = g_inet_socket_address_new (loopback, 0);
  g_autoptr(GSocketAddress) address = NULL;
  g_autoptr(GError) error = NULL;

  self->listener = g_socket_listener_new ();
  g_socket_listener_add_address (self->listener, any_port, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &address, &error);
  g_assert_no_error (error);
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  self->url = g_strdup_printf ("%s://127.0.0.1:%u", certificate != NULL ? "https" : "http", self->port);
  self->serve = serve;
  self->user_data = user_data;
  g_set_object (&self->certificate, certificate);
  self->stop = g_cancellable_new ();
  self->threads = g_ptr_array_new ();
  self->acceptor = g_thread_new ("test-acceptor", accept_thread, self);

  return self;
}

/**
 * tau_test_socket_new:
 * @serve: (scope forever): serves one connection
 * @user_data: for @serve
 *
 * Starts a server without encryption on a free port of 127.0.0.1.
 *
 * Returns: (transfer full): the server
 */
TauTestSocket *
tau_test_socket_new (TauTestSocketFunc serve,
                     gpointer          user_data)
{
  return tau_test_socket_new_tls (serve, user_data, NULL);
}

/**
 * tau_test_socket_free:
 * @self: (transfer full): a server
 *
 * Stops the server and waits for its threads.
 */
void
tau_test_socket_free (TauTestSocket *self)
{
  g_cancellable_cancel (self->stop);
  g_thread_join (self->acceptor);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (self->threads->pdata[i]);
  g_ptr_array_unref (self->threads);
  g_socket_listener_close (self->listener);
  g_object_unref (self->listener);
  g_object_unref (self->stop);
  g_clear_object (&self->certificate);
  g_free (self->url);
  g_free (self);
}

/**
 * tau_test_socket_get_url:
 * @self: a server
 *
 * Returns: (transfer none): its address, without a slash at the end
 */
const char *
tau_test_socket_get_url (TauTestSocket *self)
{
  return self->url;
}

/**
 * tau_test_socket_get_port:
 * @self: a server
 *
 * Returns: its port
 */
guint16
tau_test_socket_get_port (TauTestSocket *self)
{
  return self->port;
}

/**
 * tau_test_socket_get_n_accepted:
 * @self: a server
 *
 * Returns: how many connections there were
 */
guint
tau_test_socket_get_n_accepted (TauTestSocket *self)
{
  return (guint) g_atomic_int_get (&self->n_accepted);
}

/**
 * tau_test_socket_get_n_open:
 * @self: a server
 *
 * Returns: how many connections are still being served
 */
guint
tau_test_socket_get_n_open (TauTestSocket *self)
{
  return (guint) g_atomic_int_get (&self->n_open);
}

/**
 * tau_test_socket_get_n_written:
 * @self: a server
 *
 * Returns: how many bytes its clients and the buffers between have taken
 */
gsize
tau_test_socket_get_n_written (TauTestSocket *self)
{
  return (gsize) g_atomic_pointer_get (&self->n_written);
}

/* How many bytes of body a head announces. */
static gsize
announced_length (const char *head)
{
  g_autofree char *lower = g_ascii_strdown (head, -1);
  const char *field = strstr (lower, "\r\ncontent-length:");

  return field != NULL ? g_ascii_strtoull (field + strlen ("\r\ncontent-length:"), NULL, 10) : 0;
}

/**
 * tau_test_socket_read_request:
 * @self: a server
 * @stream: a connection
 *
 * Reads a request to its end.
 *
 * Returns: (transfer full) (nullable): head and body
 */
char *
tau_test_socket_read_request (TauTestSocket *self,
                              GIOStream     *stream)
{
  GInputStream *input = g_io_stream_get_input_stream (stream);
  g_autoptr(GString) request = g_string_new (NULL);
  char byte;
  gsize length;
  gsize head;

  while (strstr (request->str, "\r\n\r\n") == NULL)
    {
      if (g_input_stream_read (input, &byte, 1, self->stop, NULL) != 1)
        return NULL;
      g_string_append_c (request, byte);
    }

  head = request->len;
  length = announced_length (request->str);
  g_string_set_size (request, head + length);
  if (!g_input_stream_read_all (input, request->str + head, length, NULL, self->stop, NULL))
    return NULL;

  return g_string_free (g_steal_pointer (&request), FALSE);
}

/**
 * tau_test_socket_write:
 * @self: a server
 * @stream: a connection
 * @bytes: what to send
 * @size: bytes of @bytes, or -1
 *
 * Returns: %FALSE if the client has gone
 */
gboolean
tau_test_socket_write (TauTestSocket *self,
                       GIOStream     *stream,
                       const char    *bytes,
                       gssize         size)
{
  gsize length = size < 0 ? strlen (bytes) : (gsize) size;
  gsize n_written = 0;
  gboolean ok = g_output_stream_write_all (g_io_stream_get_output_stream (stream), bytes, length, &n_written, self->stop, NULL);

  g_atomic_pointer_add (&self->n_written, n_written);
  tell_test ();

  return ok;
}

/**
 * tau_test_socket_wait_gone:
 * @self: a server
 * @stream: a connection
 *
 * Says nothing until the client closes the connection.
 */
void
tau_test_socket_wait_gone (TauTestSocket *self,
                           GIOStream     *stream)
{
  char byte;

  while (g_input_stream_read (g_io_stream_get_input_stream (stream), &byte, 1, self->stop, NULL) == 1)
    ;
}

/**
 * tau_test_socket_reset:
 * @self: a server
 * @stream: a connection without encryption
 *
 * Makes the coming close of the connection a reset.
 */
void
tau_test_socket_reset (TauTestSocket *self,
                       GIOStream     *stream)
{
  const struct linger linger = { .l_onoff = 1, .l_linger = 0 };
  int fd = g_socket_get_fd (g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream)));

  g_assert_cmpint (setsockopt (fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger), ==, 0);
}
