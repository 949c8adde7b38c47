/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-extra-trust.h"
#include "core/llm/tau-http-provider.h"

#include "core/base/tau-json.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-socket.h"

#include <string.h>

/* P74: proxies come from the system, trust from the system and one file more, and what goes wrong with either is named. The
 * proxy, the server behind TLS and the certificates are real; the certificates are made anew for each run. */

/* The leak checker stumbles over the thread-local storage of the TLS module, which is loaded late and used by threads of
 * GIO's; without this it looks past it. Of no use without the address sanitizer. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "intercept_tls_get_addr=0";
}

#define ANSWER(text)                                                                        \
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"         \
  "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"},\"finish_reason\":\"stop\"}]}\n\n"  \
  "data: [DONE]\n\n"

/* The system's proxy settings, as a desktop would give them: switched on and off while the program runs. */
#define TEST_TYPE_RESOLVER (test_resolver_get_type ())
G_DECLARE_FINAL_TYPE (TestResolver, test_resolver, TEST, RESOLVER, GObject)

struct _TestResolver
{
  GObject parent_instance;
};

static char *system_proxy;   /* NULL: off */

static gboolean
resolver_is_supported (GProxyResolver *resolver)
{
  return TRUE;
}

static char **
resolver_lookup (GProxyResolver *resolver,
                 const char     *uri,
                 GCancellable   *cancellable,
                 GError        **error)
{
  const char * const answer[] = { system_proxy != NULL ? system_proxy : "direct://", NULL };

  return g_strdupv ((char **) answer);
}

static void
resolver_lookup_async (GProxyResolver     *resolver,
                       const char         *uri,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (resolver, cancellable, callback, user_data);

  g_task_return_pointer (task, resolver_lookup (resolver, uri, NULL, NULL), (GDestroyNotify) g_strfreev);
}

static char **
resolver_lookup_finish (GProxyResolver *resolver,
                        GAsyncResult   *result,
                        GError        **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
resolver_iface_init (GProxyResolverInterface *iface)
{
  iface->is_supported = resolver_is_supported;
  iface->lookup = resolver_lookup;
  iface->lookup_async = resolver_lookup_async;
  iface->lookup_finish = resolver_lookup_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestResolver, test_resolver, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_PROXY_RESOLVER, resolver_iface_init))

static void
test_resolver_class_init (TestResolverClass *klass)
{
}

static void
test_resolver_init (TestResolver *self)
{
}

static void
use_proxy (TauTestSocket *proxy)
{
  g_free (system_proxy);
  system_proxy = proxy != NULL ? g_strdup (tau_test_socket_get_url (proxy)) : NULL;
}

/* Asks a model at @url; returns the text of the answer or, if it failed, of the error. */
static char *
dup_answer (const char *url)
{
  g_autofree char *text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"openai-completions\",\"baseUrl\":\"%s/v1\"}", url);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
  g_autoptr(TauModel) model = tau_model_new_from_json ("test", json, NULL);
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr(TauDraft) draft = tau_draft_new ("openai-completions", "test", "m", 1);
  TauProvider *provider = tau_provider_lookup ("openai-completions");
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauRequest) request = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(TauAssistantMessage) message = NULL;

  g_ptr_array_add (messages, tau_user_message_new ("Hi", NULL, 1));
  fields.model = model;
  fields.messages = messages;
  fields.api_key = "secret";
  fields.max_retries = 0;
  request = tau_request_new (&fields);
  tau_provider_stream_async (provider, request, draft, NULL, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  message = tau_provider_stream_finish (provider, result);
  if (tau_assistant_message_failed (message))
    return g_strdup (tau_assistant_message_get_error_message (message));

  return tau_message_dup_text (TAU_MESSAGE (message), "");
}

static void
assert_answer (const char *url,
               const char *part)
{
  g_autofree char *answer = dup_answer (url);

  g_test_message ("%s", answer);
  g_assert_nonnull (strstr (answer, part));
}

static void
serve_directly (TauTestSocket *socket,
                GIOStream     *stream,
                gpointer       data)
{
  g_autofree char *request = tau_test_socket_read_request (socket, stream);

  if (request != NULL)
    tau_test_socket_write (socket, stream, ANSWER ("direct"), -1);
}

/* One direction of a tunnel. */
static gpointer
pump_thread (gpointer data)
{
  GIOStream **ends = data;

  g_output_stream_splice (g_io_stream_get_output_stream (ends[1]), g_io_stream_get_input_stream (ends[0]),
                          G_OUTPUT_STREAM_SPLICE_NONE, NULL, NULL);
  g_socket_shutdown (g_socket_connection_get_socket (G_SOCKET_CONNECTION (ends[1])), FALSE, TRUE, NULL);

  return NULL;
}

/* A proxy for both ways: answers plain requests itself, and connects encrypted ones through. */
static void
serve_proxy (TauTestSocket *socket,
             GIOStream     *stream,
             gpointer       data)
{
  const char *refusal = data;
  g_autofree char *request = tau_test_socket_read_request (socket, stream);
  g_autoptr(GSocketClient) client = g_socket_client_new ();
  g_autoptr(GSocketConnection) server = NULL;
  char *space;
  GThread *back;

  if (request == NULL)
    return;
  if (refusal != NULL || !g_str_has_prefix (request, "CONNECT "))
    {
      tau_test_socket_write (socket, stream, refusal != NULL ? refusal : ANSWER ("by proxy"), -1);
      return;
    }

  space = strchr (request + strlen ("CONNECT "), ' ');
  *space = '\0';
  g_socket_client_set_enable_proxy (client, FALSE);
  server = g_socket_client_connect_to_host (client, request + strlen ("CONNECT "), 443, NULL, NULL);
  if (server == NULL || !tau_test_socket_write (socket, stream, "HTTP/1.1 200 Connected\r\n\r\n", -1))
    return;
  back = g_thread_new ("tunnel", pump_thread, (GIOStream *[]) { G_IO_STREAM (server), stream });
  pump_thread ((GIOStream *[]) { stream, G_IO_STREAM (server) });
  g_thread_join (back);
}

static void
test_proxy_on_and_off (void)
{
  g_autoptr(TauTestSocket) server = tau_test_socket_new (serve_directly, NULL);
  g_autoptr(TauTestSocket) proxy = tau_test_socket_new (serve_proxy, NULL);
  const char *url = tau_test_socket_get_url (server);

  assert_answer (url, "direct");
  use_proxy (proxy);
  assert_answer (url, "by proxy");
  g_assert_cmpuint (tau_test_socket_get_n_accepted (server), ==, 1);
  use_proxy (NULL);
  assert_answer (url, "direct");
  g_assert_cmpuint (tau_test_socket_get_n_accepted (proxy), ==, 1);
}

static void
test_proxy_gone (void)
{
  g_autoptr(TauTestSocket) server = tau_test_socket_new (serve_directly, NULL);

  system_proxy = g_strdup ("http://127.0.0.1:1");
  assert_answer (tau_test_socket_get_url (server), "Connection error. (proxy: 127.0.0.1:1: ");
  use_proxy (NULL);
}

static void
test_proxy_wants_password (void)
{
  static const char refusal[] = "HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
  g_autoptr(TauTestSocket) proxy = tau_test_socket_new (serve_proxy, (gpointer) refusal);

  use_proxy (proxy);
  assert_answer ("http://api.invalid", "407 status code (no body) (the proxy 127.0.0.1:");
  assert_answer ("https://api.invalid", "407 status code (no body) (the proxy 127.0.0.1:");
  use_proxy (NULL);
}

/* Certificates. */
static TauTestDir *dir;

static void
run_openssl (const char * const *arguments)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *errors = NULL;
  int status;

  g_spawn_sync (tau_test_dir_get_path (dir), (char **) arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &errors, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_error ("openssl: %s", errors);
}

#define NEW_KEY "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"

/* An authority, NAME.pem with NAME.key. */
static void
make_authority (const char *name)
{
  g_autofree char *certificate = g_strconcat (name, ".pem", NULL);
  g_autofree char *key = g_strconcat (name, ".key", NULL);

  run_openssl ((const char * const []) { "openssl", "req", "-x509", NEW_KEY, "-days", "3650", "-subj", "/CN=Authority of a test",
                                         "-keyout", key, "-out", certificate, NULL });
}

/* A server's certificate for @names by the authority "ca", which ends after so many days. */
static GTlsCertificate *
make_certificate (const char *names,
                  const char *days)
{
  g_autofree char *extensions = g_strdup_printf ("subjectAltName=%s\n", names);
  g_autofree char *pem = g_build_filename (tau_test_dir_get_path (dir), "server.pem", NULL);
  g_autofree char *key = g_build_filename (tau_test_dir_get_path (dir), "server.key", NULL);
  g_autoptr(GError) error = NULL;
  GTlsCertificate *certificate;

  g_free (tau_test_dir_write (dir, "server.ext", extensions));
  run_openssl ((const char * const []) { "openssl", "req", NEW_KEY, "-subj", "/CN=Server of a test", "-keyout", "server.key",
                                         "-out", "server.csr", NULL });
  run_openssl ((const char * const []) { "openssl", "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                                         "-CAcreateserial", "-days", days, "-extfile", "server.ext", "-out", "server.pem", NULL });
  certificate = g_tls_certificate_new_from_files (pem, key, &error);
  g_assert_no_error (error);

  return certificate;
}

static void
trust (const char *name)
{
  g_autofree char *path = name != NULL ? g_build_filename (tau_test_dir_get_path (dir), name, NULL) : NULL;
  g_autoptr(GError) error = NULL;

  tau_extra_trust_set (path, &error);
  g_assert_no_error (error);
}

static void
test_extra_authority (void)
{
  g_autoptr(GTlsCertificate) certificate = make_certificate ("IP:127.0.0.1", "3650");
  g_autoptr(TauTestSocket) server = tau_test_socket_new_tls (serve_directly, NULL, certificate);
  const char *url = tau_test_socket_get_url (server);

  assert_answer (url, "Connection error. (TLS with 127.0.0.1:");
  assert_answer (url, "its certificate is signed by an unknown authority; \"extraCaFile\" in settings.json can name it)");
  trust ("ca.pem");
  assert_answer (url, "direct");
  trust ("other.pem");
  assert_answer (url, "signed by an unknown authority");
  trust (NULL);
  assert_answer (url, "signed by an unknown authority");
}

static gboolean
has_ended (GTlsCertificate *certificate)
{
  g_autoptr(GDateTime) last = g_tls_certificate_get_not_valid_after (certificate);
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();

  return g_date_time_to_unix (now) > g_date_time_to_unix (last);
}

static gboolean
look_again_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* No openssl of today makes one that has ended already, so it is made for this second. */
static GTlsCertificate *
make_ended_certificate (const char *names)
{
  GTlsCertificate *certificate = make_certificate (names, "0");
  guint clock = g_timeout_add (50, look_again_cb, NULL);

  tau_test_wait_until (has_ended (certificate));
  g_source_remove (clock);

  return certificate;
}

/* An authority that is trusted is not believed everything. */
static void
test_bad_certificates (void)
{
  g_autoptr(GTlsCertificate) elsewhere = make_certificate ("DNS:elsewhere.example", "3650");
  g_autoptr(GTlsCertificate) expired = make_ended_certificate ("IP:127.0.0.1");
  g_autoptr(TauTestSocket) wrong = tau_test_socket_new_tls (serve_directly, NULL, elsewhere);
  g_autoptr(TauTestSocket) old = tau_test_socket_new_tls (serve_directly, NULL, expired);

  trust ("ca.pem");
  assert_answer (tau_test_socket_get_url (wrong), "its certificate is for another name");
  assert_answer (tau_test_socket_get_url (old), "its certificate has expired");
  trust (NULL);
}

/* What a company does: a proxy, and its own authority behind it. */
static void
test_through_tunnel (void)
{
  g_autoptr(GTlsCertificate) certificate = make_certificate ("IP:127.0.0.1", "3650");
  g_autoptr(TauTestSocket) server = tau_test_socket_new_tls (serve_directly, NULL, certificate);
  g_autoptr(TauTestSocket) proxy = tau_test_socket_new (serve_proxy, NULL);

  use_proxy (proxy);
  trust ("ca.pem");
  assert_answer (tau_test_socket_get_url (server), "direct");
  g_assert_cmpuint (tau_test_socket_get_n_accepted (proxy), ==, 1);
  trust (NULL);
  assert_answer (tau_test_socket_get_url (server), "signed by an unknown authority");
  use_proxy (NULL);
}

static void
serve_in_the_clear (TauTestSocket *socket,
                    GIOStream     *stream,
                    gpointer       data)
{
  tau_test_socket_write (socket, stream, "HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n", -1);
  tau_test_socket_wait_gone (socket, stream);
}

static void
test_not_tls (void)
{
  g_autoptr(TauTestSocket) server = tau_test_socket_new (serve_in_the_clear, NULL);
  g_autofree char *url = g_strdup_printf ("https://127.0.0.1:%u", tau_test_socket_get_port (server));

  assert_answer (url, "Connection error. (TLS with 127.0.0.1:");
}

/* The key in settings.json, the variable, and a project that has no say. */
static void
test_settings (void)
{
  g_autoptr(GTlsCertificate) certificate = make_certificate ("IP:127.0.0.1", "3650");
  g_autoptr(TauTestSocket) server = tau_test_socket_new_tls (serve_directly, NULL, certificate);
  g_autofree char *ca = g_build_filename (tau_test_dir_get_path (dir), "ca.pem", NULL);
  g_autofree char *problem = NULL;

  g_free (tau_test_dir_write (dir, "settings.json", "{\"extraCaFile\":\"ca.pem\"}"));
  g_assert_null (tau_extra_trust_load (tau_test_dir_get_path (dir)));
  assert_answer (tau_test_socket_get_url (server), "direct");

  g_free (tau_test_dir_write (dir, "settings.json", "{\"extraCaFile\":\"gone.pem\"}"));
  problem = tau_extra_trust_load (tau_test_dir_get_path (dir));
  g_assert_nonnull (strstr (problem, "gone.pem"));
  assert_answer (tau_test_socket_get_url (server), "signed by an unknown authority");

  g_free (tau_test_dir_write (dir, "settings.json", "{}"));
  g_setenv ("NODE_EXTRA_CA_CERTS", ca, TRUE);
  g_assert_null (tau_extra_trust_load (tau_test_dir_get_path (dir)));
  assert_answer (tau_test_socket_get_url (server), "direct");
  g_unsetenv ("NODE_EXTRA_CA_CERTS");
  g_assert_null (tau_extra_trust_load (tau_test_dir_get_path (dir)));
  assert_answer (tau_test_socket_get_url (server), "signed by an unknown authority");
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_setenv ("GIO_USE_PROXY_RESOLVER", "of-the-test", TRUE);
  g_unsetenv ("NODE_EXTRA_CA_CERTS");
  g_io_extension_point_register (G_PROXY_RESOLVER_EXTENSION_POINT_NAME);
  g_io_extension_point_implement (G_PROXY_RESOLVER_EXTENSION_POINT_NAME, TEST_TYPE_RESOLVER, "of-the-test", 1000);
  dir = tau_test_dir_new ();
  make_authority ("ca");
  make_authority ("other");

  g_test_add_func ("/http-trust/p74-proxy-on-and-off", test_proxy_on_and_off);
  g_test_add_func ("/http-trust/p74-proxy-gone", test_proxy_gone);
  g_test_add_func ("/http-trust/p74-proxy-wants-password", test_proxy_wants_password);
  g_test_add_func ("/http-trust/p74-extra-authority", test_extra_authority);
  g_test_add_func ("/http-trust/p74-bad-certificates", test_bad_certificates);
  g_test_add_func ("/http-trust/p74-through-tunnel", test_through_tunnel);
  g_test_add_func ("/http-trust/p74-not-tls", test_not_tls);
  g_test_add_func ("/http-trust/p74-settings", test_settings);
  status = g_test_run ();
  tau_extra_trust_set (NULL, NULL);
  g_clear_pointer (&dir, tau_test_dir_free);

  return status;
}
