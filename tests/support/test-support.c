/* SPDX-License-Identifier: MIT */
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-server.h"

#include <glib/gstdio.h>
#include <libsoup/soup.h>
#include <unistd.h>

/* The tools of the other tests: the server must send, pause, cut and hang as its script says. */

typedef struct
{
  TauTestServer *server;
  SoupSession *session;
  GInputStream *stream;
  guint status;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->server = tau_test_server_new ();
  fixture->session = soup_session_new ();
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_clear_object (&fixture->stream);
  soup_session_abort (fixture->session);
  g_object_unref (fixture->session);
  g_assert_finalize_object (fixture->server);
}

static void
send_request (Fixture    *fixture,
              const char *path,
              const char *body)
{
  g_autofree char *url = g_strconcat (tau_test_server_get_url (fixture->server), path, NULL);
  g_autoptr(SoupMessage) message = soup_message_new ("POST", url);
  g_autoptr(GBytes) bytes = g_bytes_new (body, strlen (body));
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  soup_message_set_request_body_from_bytes (message, "application/json", bytes);
  soup_session_send_async (fixture->session, message, 0, NULL, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  fixture->stream = soup_session_send_finish (fixture->session, result, &error);
  g_assert_no_error (error);
  fixture->status = soup_message_get_status (message);
}

/* Reads until the end or an error; what came before the error stays in @text. */
static void
read_body (Fixture  *fixture,
           GString  *text,
           guint    *n_reads,
           GError  **error)
{
  gsize size;

  do
    {
      g_autoptr(GAsyncResult) result = NULL;
      g_autoptr(GBytes) bytes = NULL;

      g_input_stream_read_bytes_async (fixture->stream, 4096, 0, NULL,
                                       tau_test_loop_result_cb, &result);
      tau_test_loop_wait_result (&result);
      bytes = g_input_stream_read_bytes_finish (fixture->stream, result, error);
      if (bytes == NULL)
        return;

      size = g_bytes_get_size (bytes);
      g_string_append_len (text, g_bytes_get_data (bytes, NULL), size);
      *n_reads += 1;
    }
  while (size != 0);
}

static void
test_chunks (Fixture      *fixture,
             gconstpointer data)
{
  static const char *const headers[] = { "retry-after", "7", NULL };
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GError) error = NULL;
  guint n_reads = 0;

  tau_test_server_push (fixture->server, &(TauTestResponse) {
    .status = 429, .headers = headers, .body = "one two three", .chunk_size = 3, .pause_ms = 5,
  });
  send_request (fixture, "/v1/messages", "{\"a\":1}");
  read_body (fixture, text, &n_reads, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (fixture->status, ==, 429);
  g_assert_cmpstr (text->str, ==, "one two three");
  g_assert_cmpuint (n_reads, ==, 5 + 1);

  g_assert_cmpuint (tau_test_server_get_n_requests (fixture->server), ==, 1);
  g_assert_cmpstr (tau_test_server_get_method (fixture->server, 0), ==, "POST");
  g_assert_cmpstr (tau_test_server_get_path (fixture->server, 0), ==, "/v1/messages");
  g_assert_cmpstr (tau_test_server_get_body (fixture->server, 0), ==, "{\"a\":1}");
  g_assert_cmpstr (tau_test_server_get_header (fixture->server, 0, "content-type"), ==,
                   "application/json");
  tau_test_wait_until (tau_test_server_get_n_open (fixture->server) == 0);
}

static void
test_drop (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GError) error = NULL;
  guint n_reads = 0;

  tau_test_server_push (fixture->server, &(TauTestResponse) {
    .body = "one two three", .ending = TAU_TEST_ENDING_DROP, .cut_after = 5,
  });
  send_request (fixture, "/", "");
  read_body (fixture, text, &n_reads, &error);

  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  g_assert_cmpstr (text->str, ==, "one t");
  tau_test_wait_until (tau_test_server_get_n_open (fixture->server) == 0);
}

static void
test_drop_chunked (Fixture      *fixture,
                   gconstpointer data)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GError) error = NULL;
  guint n_reads = 0;

  tau_test_server_push (fixture->server, &(TauTestResponse) {
    .body = "one two three", .ending = TAU_TEST_ENDING_DROP_CHUNKED, .cut_after = 5,
  });
  send_request (fixture, "/", "");
  read_body (fixture, text, &n_reads, &error);

  /* Before libsoup 3.6 the missing last chunk went unnoticed. */
  if (soup_check_version (3, 6, 0))
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  else
    g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, "one t");
}

static void
test_hang (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GAsyncResult) second = NULL;
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  gssize size;
  char buffer[64];

  tau_test_server_push (fixture->server, &(TauTestResponse) {
    .body = "one", .ending = TAU_TEST_ENDING_HANG,
  });
  send_request (fixture, "/", "");

  g_input_stream_read_async (fixture->stream, buffer, sizeof buffer, 0, NULL,
                             tau_test_loop_result_cb, &result);
  size = g_input_stream_read_finish (fixture->stream, tau_test_loop_wait_result (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpint (size, ==, 3);

  g_input_stream_read_async (fixture->stream, buffer, sizeof buffer, 0, cancellable,
                             tau_test_loop_result_cb, &second);
  tau_test_loop_settle ();
  g_assert_null (second);
  g_assert_cmpuint (tau_test_server_get_n_open (fixture->server), ==, 1);

  g_cancellable_cancel (cancellable);
  g_input_stream_read_finish (fixture->stream, tau_test_loop_wait_result (&second), &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  /* The server notices that nobody listens any more. */
  g_input_stream_close (fixture->stream, NULL, NULL);
  tau_test_wait_until (tau_test_server_get_n_open (fixture->server) == 0);
}

static void
test_silent (Fixture      *fixture,
             gconstpointer data)
{
  g_autoptr(SoupMessage) message = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();

  tau_test_server_push (fixture->server, &(TauTestResponse) { .ending = TAU_TEST_ENDING_SILENT });
  message = soup_message_new ("GET", tau_test_server_get_url (fixture->server));
  soup_session_send_async (fixture->session, message, 0, cancellable,
                           tau_test_loop_result_cb, &result);
  tau_test_wait_until (tau_test_server_get_n_open (fixture->server) == 1);
  tau_test_loop_settle ();
  g_assert_null (result);

  g_cancellable_cancel (cancellable);
  stream = soup_session_send_finish (fixture->session, tau_test_loop_wait_result (&result), &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  tau_test_wait_until (tau_test_server_get_n_open (fixture->server) == 0);
}

/* Each request gets the first response for its own path, whatever the order of arrival. */
static void
test_paths (Fixture      *fixture,
            gconstpointer data)
{
  static const char *const paths[] = { "/b", "/a", "/c" };
  static const char *const bodies[] = { "for b", "for a", "the test's script has no response" };

  tau_test_server_push (fixture->server, &(TauTestResponse) { .path = "/a", .body = "for a" });
  tau_test_server_push (fixture->server, &(TauTestResponse) { .path = "/b", .body = "for b" });

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr(GString) text = g_string_new (NULL);
      g_autoptr(GError) error = NULL;
      guint n_reads = 0;

      send_request (fixture, paths[i], "");
      read_body (fixture, text, &n_reads, &error);
      g_assert_no_error (error);
      g_assert_true (g_str_has_prefix (text->str, bodies[i]));
      g_clear_object (&fixture->stream);
    }
  g_assert_cmpuint (tau_test_server_get_n_requests (fixture->server), ==, 3);
}

static void
test_dir (void)
{
  TauTestDir *dir = tau_test_dir_new ();
  g_autofree char *outside = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *path = g_strdup (tau_test_dir_get_path (dir));
  g_autofree char *file = tau_test_dir_write (dir, "a/b/c.txt", "text");
  g_autofree char *locked = tau_test_dir_mkdir (dir, "a/locked");
  g_autofree char *link = tau_test_dir_build (dir, "link");
  g_autofree char *text = tau_test_dir_read (dir, "a/b/c.txt");

  g_assert_cmpstr (text, ==, "text");
  g_assert_true (tau_test_dir_has (dir, "a/b/c.txt"));
  g_assert_false (tau_test_dir_has (dir, "a/b/d.txt"));
  g_assert_cmpint (symlink (outside, link), ==, 0);
  g_assert_cmpint (g_chmod (locked, 0), ==, 0);

  tau_test_dir_free (dir);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (outside, G_FILE_TEST_EXISTS));
}

/* A wait that never ends must end the test, and say which. */
static void
test_patience (void)
{
  if (g_test_subprocess ())
    {
      tau_test_loop_step (g_get_monotonic_time (), "here.c:1", "pigs == flying");
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*here.c:1: waited * for (pigs == flying)*");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/server/chunks", Fixture, NULL, set_up, test_chunks, tear_down);
  g_test_add ("/server/drop", Fixture, NULL, set_up, test_drop, tear_down);
  g_test_add ("/server/drop-chunked", Fixture, NULL, set_up, test_drop_chunked, tear_down);
  g_test_add ("/server/hang", Fixture, NULL, set_up, test_hang, tear_down);
  g_test_add ("/server/silent", Fixture, NULL, set_up, test_silent, tear_down);
  g_test_add ("/server/paths", Fixture, NULL, set_up, test_paths, tear_down);
  g_test_add_func ("/dir/removed", test_dir);
  g_test_add_func ("/loop/patience", test_patience);

  return g_test_run ();
}
