/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-http-provider.h"

#include "core/base/tau-json.h"
#include "core/llm/tau-stream-hooks.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-server.h"

#include <libsoup/soup.h>
#include <string.h>

/* The whole way of an answer over real HTTP on loopback: what comes out when the server is good, bad, slow or gone. */

#define HELLO                                                                                                        \
  "data: {\"id\":\"r1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Hel\"}}]}\n\n"      \
  "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"}}]}\n\n"
#define HELLO_END                                                                                                    \
  "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"                                   \
  "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\n"                                \
  "data: [DONE]\n\n"

typedef struct
{
  TauTestServer    *server;
  TauModel         *model;
  TauRequestFields  fields;
  GPtrArray        *messages;
  TauDraft         *draft;
  GCancellable     *cancellable;
  GAsyncResult     *result;
} Fixture;

static TauModel *
make_model (const char *api,
            const char *url)
{
  g_autofree char *text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"%s\",\"baseUrl\":\"%s/v1\",\"cost\":{\"input\":3,\"output\":15}}",
                                           api, url);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
  TauModel *model = tau_model_new_from_json ("test", json, NULL);

  g_assert_nonnull (model);
  return model;
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  const char *api = data != NULL ? data : "openai-completions";

  fixture->server = tau_test_server_new ();
  fixture->model = make_model (api, tau_test_server_get_url (fixture->server));
  fixture->messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (fixture->messages, tau_user_message_new ("Hi", NULL, 1));
  fixture->fields = (TauRequestFields) TAU_REQUEST_FIELDS_INIT;
  fixture->fields.model = fixture->model;
  fixture->fields.messages = fixture->messages;
  fixture->fields.api_key = "secret";
  fixture->fields.max_retries = 0;
  fixture->cancellable = g_cancellable_new ();
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  /* Whatever happened, no connection is left behind. */
  tau_test_wait_until (tau_test_server_get_n_open (fixture->server) == 0);
  g_assert_finalize_object (fixture->server);
  g_clear_object (&fixture->draft);
  g_assert_finalize_object (fixture->model);
  g_ptr_array_unref (fixture->messages);
  g_assert_finalize_object (fixture->cancellable);
}

static TauProvider *
get_provider (Fixture *fixture)
{
  return tau_provider_lookup (tau_model_get_api (fixture->model));
}

static void
start (Fixture *fixture)
{
  g_autoptr(TauRequest) request = tau_request_new (&fixture->fields);

  fixture->result = NULL;
  fixture->draft = tau_draft_new (tau_model_get_api (fixture->model), "test", "m", 1);
  tau_provider_stream_async (get_provider (fixture), request, fixture->draft, fixture->cancellable,
                             tau_test_loop_result_cb, &fixture->result);
}

static TauAssistantMessage *
finish (Fixture *fixture)
{
  g_autoptr(GAsyncResult) result = tau_test_loop_wait_result (&fixture->result);
  TauAssistantMessage *message = tau_provider_stream_finish (get_provider (fixture), result);

  g_assert_true (TAU_IS_ASSISTANT_MESSAGE (message));
  return message;
}

static void
assert_answer (TauAssistantMessage *message,
               TauStopReason        reason,
               const char          *text,
               const char          *error_prefix)
{
  g_autofree char *got = tau_message_dup_text (TAU_MESSAGE (message), "");
  const char *error = tau_assistant_message_get_error_message (message);

  g_test_message ("error text: %.100s", error != NULL ? error : "none");
  g_assert_cmpstr (tau_stop_reason_to_string (tau_assistant_message_get_stop_reason (message)), ==,
                   tau_stop_reason_to_string (reason));
  g_assert_cmpstr (got, ==, text);
  if (error_prefix == NULL)
    g_assert_null (error);
  else
    g_assert_true (error != NULL && g_str_has_prefix (error, error_prefix));
}

/* Runs one request against one scripted response. */
static void
check (Fixture               *fixture,
       const TauTestResponse *response,
       TauStopReason          reason,
       const char            *text,
       const char            *error_prefix)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_test_server_push (fixture->server, response);
  start (fixture);
  message = finish (fixture);
  assert_answer (message, reason, text, error_prefix);
}

static void
test_answer (Fixture      *fixture,
             gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;
  const TauUsage *usage;

  tau_test_server_push (fixture->server, &(TauTestResponse) { .body = HELLO HELLO_END, .chunk_size = 7 });
  start (fixture);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_STOP, "Hello", NULL);

  usage = tau_assistant_message_get_usage (message);
  g_assert_cmpint (usage->input, ==, 7);
  g_assert_cmpint (usage->output, ==, 2);
  g_assert_cmpfloat_with_epsilon (usage->cost_total, 51e-6, 1e-12);
  g_assert_cmpstr (tau_assistant_message_get_response_id (message), ==, "r1");
  g_assert_cmpstr (tau_test_server_get_method (fixture->server, 0), ==, "POST");
  g_assert_cmpstr (tau_test_server_get_path (fixture->server, 0), ==, "/v1/chat/completions");
  g_assert_cmpstr (tau_test_server_get_header (fixture->server, 0, "authorization"), ==, "Bearer secret");
  g_assert_cmpstr (tau_test_server_get_header (fixture->server, 0, "accept"), ==, "application/json");
}

/* A server that keeps the line open after its last event does not hold the answer back. */
static void
test_open_end (Fixture      *fixture,
               gconstpointer data)
{
  check (fixture, &(TauTestResponse) { .body = HELLO HELLO_END, .ending = TAU_TEST_ENDING_HANG }, TAU_STOP_REASON_STOP, "Hello", NULL);
}

static void
test_401 (Fixture      *fixture,
          gconstpointer data)
{
  check (fixture,
         &(TauTestResponse) { .status = 401, .content_type = "application/json", .body = "{\"error\":{\"message\":\"bad key\"}}" },
         TAU_STOP_REASON_ERROR, "", "401 bad key");
  g_assert_false (tau_draft_is_started (fixture->draft));
}

static void
test_429_tells_wait (Fixture      *fixture,
                     gconstpointer data)
{
  static const char * const headers[] = { "retry-after", "300", NULL };

  fixture->fields.max_retries = 2;
  check (fixture, &(TauTestResponse) { .status = 429, .headers = headers, .body = "{\"error\":{\"message\":\"slow down\"}}" },
         TAU_STOP_REASON_ERROR, "", "429 slow down (the server asks to wait 300 s)");
  g_assert_cmpuint (tau_test_server_get_n_requests (fixture->server), ==, 1);
}

static void
test_html (Fixture      *fixture,
           gconstpointer data)
{
  check (fixture, &(TauTestResponse) { .content_type = "text/html", .body = "<html>\n\n<body>Log in</body>\n</html>\n" },
         TAU_STOP_REASON_ERROR, "", "Stream ended without an answer (the server sent text/html");
}

static void
test_empty (Fixture      *fixture,
            gconstpointer data)
{
  check (fixture, &(TauTestResponse) { .body = "" }, TAU_STOP_REASON_ERROR, "", "Stream ended without an answer");
}

static void
test_json_error_with_200 (Fixture      *fixture,
                          gconstpointer data)
{
  check (fixture, &(TauTestResponse) { .content_type = "application/json", .body = "{\"error\":{\"message\":\"no such model\"}}" },
         TAU_STOP_REASON_ERROR, "", "200 no such model");
}

/* The line breaks where its length was announced: the transfer itself is broken. */
static void
test_drop (Fixture      *fixture,
           gconstpointer data)
{
  check (fixture, &(TauTestResponse) { .body = HELLO HELLO_END, .ending = TAU_TEST_ENDING_DROP, .cut_after = strlen (HELLO) },
         TAU_STOP_REASON_ERROR, "Hello", "terminated (");
}

/* The last chunk is missing. An older libsoup takes that for a proper end, and only the protocol knows better. */
static void
check_cut (Fixture    *fixture,
           const char *body,
           gsize       cut_after,
           const char *text)
{
  check (fixture, &(TauTestResponse) { .body = body, .ending = TAU_TEST_ENDING_DROP_CHUNKED, .cut_after = cut_after },
         TAU_STOP_REASON_ERROR, text, soup_check_version (3, 6, 0) ? "terminated (" : "Stream ended without a finish reason");
}

static void
test_drop_chunked (Fixture      *fixture,
                   gconstpointer data)
{
  check_cut (fixture, HELLO HELLO_END, strlen (HELLO), "Hello");
}

static void
test_idle_timeout (Fixture      *fixture,
                   gconstpointer data)
{
  fixture->fields.idle_timeout_ms = 100;
  check (fixture, &(TauTestResponse) { .body = HELLO HELLO_END, .ending = TAU_TEST_ENDING_HANG, .cut_after = strlen (HELLO) },
         TAU_STOP_REASON_ERROR, "Hello", "terminated (timeout:");
}

static void
test_headers_timeout (Fixture      *fixture,
                      gconstpointer data)
{
  fixture->fields.timeout_ms = 100;
  check (fixture, &(TauTestResponse) { .ending = TAU_TEST_ENDING_SILENT }, TAU_STOP_REASON_ERROR, "", "Request timed out.");
}

static void
test_retry (Fixture      *fixture,
            gconstpointer data)
{
  static const char * const soon[] = { "retry-after-ms", "10", NULL };

  fixture->fields.max_retries = 2;
  tau_test_server_push (fixture->server, &(TauTestResponse) { .status = 503, .headers = soon, .body = "busy" });
  tau_test_server_push (fixture->server, &(TauTestResponse) { .status = 429, .headers = soon, .body = "busy" });
  check (fixture, &(TauTestResponse) { .body = HELLO HELLO_END }, TAU_STOP_REASON_STOP, "Hello", NULL);
  g_assert_cmpuint (tau_test_server_get_n_requests (fixture->server), ==, 3);
}

static void
test_retry_gives_up (Fixture      *fixture,
                     gconstpointer data)
{
  static const char * const soon[] = { "retry-after-ms", "10", NULL };

  fixture->fields.max_retries = 1;
  tau_test_server_push (fixture->server, &(TauTestResponse) { .status = 503, .headers = soon, .body = "busy" });
  check (fixture, &(TauTestResponse) { .status = 500, .headers = soon, .body = "broken" }, TAU_STOP_REASON_ERROR, "", "500 broken");
}

static void
test_cancel_between_attempts (Fixture      *fixture,
                              gconstpointer data)
{
  static const char * const later[] = { "retry-after", "30", NULL };
  g_autoptr(TauAssistantMessage) message = NULL;
  gint64 begun = g_get_monotonic_time ();

  fixture->fields.max_retries = 1;
  tau_test_server_push (fixture->server, &(TauTestResponse) { .status = 503, .headers = later, .body = "busy" });
  start (fixture);
  tau_test_wait_until (tau_test_server_get_n_requests (fixture->server) == 1 &&
                       tau_test_server_get_n_open (fixture->server) == 0);
  g_cancellable_cancel (fixture->cancellable);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ABORTED, "", "Request was aborted");
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 20 * G_USEC_PER_SEC);
}

static void
test_refused (Fixture      *fixture,
              gconstpointer data)
{
  g_autoptr(TauModel) nobody = make_model ("openai-completions", "http://127.0.0.1:1");
  g_autoptr(TauAssistantMessage) message = NULL;

  fixture->fields.model = nobody;
  start (fixture);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ERROR, "", "Connection error. (127.0.0.1:1 refused the connection)");
}

static void
test_bad_address (Fixture      *fixture,
                  gconstpointer data)
{
  g_autoptr(TauModel) nowhere = make_model ("openai-completions", "not an address");
  g_autoptr(TauAssistantMessage) message = NULL;

  fixture->fields.model = nowhere;
  start (fixture);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ERROR, "", "Connection error. (not an HTTP address");
}

static void
test_no_key (Fixture      *fixture,
             gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  fixture->fields.api_key = NULL;
  start (fixture);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ERROR, "", "No API key for provider: test");
  g_assert_cmpuint (tau_test_server_get_n_requests (fixture->server), ==, 0);
}

/* An event that never ends costs bounded memory; here the error's body is what never ends. */
static void
test_endless_error_body (Fixture      *fixture,
                         gconstpointer data)
{
  g_autofree char *body = g_malloc (1024 * 1024);
  g_autoptr(TauAssistantMessage) message = NULL;

  memset (body, 'x', 1024 * 1024);
  tau_test_server_push (fixture->server, &(TauTestResponse) { .status = 400, .content_type = "text/plain", .body = body,
                                                              .length = 1024 * 1024, .ending = TAU_TEST_ENDING_HANG });
  start (fixture);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ERROR, "", "400 xxx");
  g_assert_cmpuint (strlen (tau_assistant_message_get_error_message (message)), <, 5000);
}

static void
test_cancel_before (Fixture      *fixture,
                    gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  g_cancellable_cancel (fixture->cancellable);
  start (fixture);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ABORTED, "", "Request was aborted");
  g_assert_cmpuint (tau_test_server_get_n_requests (fixture->server), ==, 0);
}

static void
test_cancel_at_once (Fixture      *fixture,
                     gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_test_server_push (fixture->server, &(TauTestResponse) { .body = HELLO HELLO_END });
  start (fixture);
  g_cancellable_cancel (fixture->cancellable);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ABORTED, "", "Request was aborted");
}

static void
test_cancel_waiting (Fixture      *fixture,
                     gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_test_server_push (fixture->server, &(TauTestResponse) { .ending = TAU_TEST_ENDING_SILENT });
  start (fixture);
  tau_test_wait_until (tau_test_server_get_n_requests (fixture->server) == 1);
  g_cancellable_cancel (fixture->cancellable);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ABORTED, "", "Request was aborted");
}

static void
test_cancel_middle (Fixture      *fixture,
                    gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_test_server_push (fixture->server, &(TauTestResponse) { .body = HELLO HELLO_END, .ending = TAU_TEST_ENDING_HANG,
                                                              .cut_after = strlen (HELLO) });
  start (fixture);
  tau_test_wait_until (tau_draft_get_n_blocks (fixture->draft) == 1 &&
                       g_str_equal (tau_draft_get_block_text (fixture->draft, 0, NULL), "Hello"));
  g_cancellable_cancel (fixture->cancellable);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ABORTED, "Hello", "Request was aborted");
}

static void
test_cancel_after (Fixture      *fixture,
                   gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_test_server_push (fixture->server, &(TauTestResponse) { .body = HELLO HELLO_END });
  start (fixture);
  message = finish (fixture);
  g_cancellable_cancel (fixture->cancellable);
  assert_answer (message, TAU_STOP_REASON_STOP, "Hello", NULL);
}

/* Bodies that nobody closes would use libsoup's connections up. */
static void
test_many_at_once (Fixture      *fixture,
                   gconstpointer data)
{
  enum { N = 20 };
  GAsyncResult *results[N] = { NULL };
  TauDraft *drafts[N];
  g_autoptr(TauRequest) request = tau_request_new (&fixture->fields);

  for (guint i = 0; i < N; i++)
    {
      tau_test_server_push (fixture->server, &(TauTestResponse) { .body = HELLO, .ending = TAU_TEST_ENDING_HANG });
      drafts[i] = tau_draft_new ("openai-completions", "test", "m", 1);
      tau_provider_stream_async (get_provider (fixture), request, drafts[i], fixture->cancellable,
                                 tau_test_loop_result_cb, &results[i]);
    }
  tau_test_wait_until (tau_test_server_get_n_open (fixture->server) == N);
  g_cancellable_cancel (fixture->cancellable);
  for (guint i = 0; i < N; i++)
    {
      g_autoptr(GAsyncResult) result = tau_test_loop_wait_result (&results[i]);
      g_autoptr(TauAssistantMessage) message = tau_provider_stream_finish (get_provider (fixture), result);

      g_assert_true (tau_assistant_message_failed (message));
      g_object_unref (drafts[i]);
    }
}

/* Hooks: replace the payload, see the response. */
#define TEST_TYPE_HOOKS (test_hooks_get_type ())
G_DECLARE_FINAL_TYPE (TestHooks, test_hooks, TEST, HOOKS, GObject)

struct _TestHooks
{
  GObject  parent_instance;

  char    *replacement;   /* nullable: JSON */
  gboolean refuses;       /* the response hook fails */
  guint    status;
};

static void test_hooks_iface_init (TauStreamHooksInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestHooks, test_hooks, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_STREAM_HOOKS, test_hooks_iface_init))

static void
payload_async (TauStreamHooks     *hooks,
               JsonNode           *body,
               TauModel           *model,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (hooks, cancellable, callback, user_data);
  TestHooks *self = TEST_HOOKS (hooks);

  g_assert_cmpstr (tau_json_get_string (body, "model", NULL), ==, "m");
  g_task_return_pointer (task, self->replacement != NULL ? tau_json_parse (self->replacement, -1, NULL) : NULL,
                         (GDestroyNotify) json_node_unref);
}

static JsonNode *
payload_finish (TauStreamHooks *hooks,
                GAsyncResult   *result,
                GError        **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
response_async (TauStreamHooks     *hooks,
                guint               status,
                JsonNode           *headers,
                TauModel           *model,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (hooks, cancellable, callback, user_data);
  TestHooks *self = TEST_HOOKS (hooks);

  self->status = status;
  g_assert_cmpstr (tau_json_get_string (headers, "content-type", NULL), ==, "text/event-stream");
  if (self->refuses)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "I do not like it");
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
response_finish (TauStreamHooks *hooks,
                 GAsyncResult   *result,
                 GError        **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
test_hooks_iface_init (TauStreamHooksInterface *iface)
{
  iface->payload_async = payload_async;
  iface->payload_finish = payload_finish;
  iface->response_async = response_async;
  iface->response_finish = response_finish;
}

static void
test_hooks_class_init (TestHooksClass *klass)
{
}

static void
test_hooks_init (TestHooks *self)
{
}

static void
test_hooks (Fixture      *fixture,
            gconstpointer data)
{
  g_autoptr(TestHooks) hooks = g_object_new (TEST_TYPE_HOOKS, NULL);

  hooks->replacement = (char *) "{\"model\":\"other\"}";
  fixture->fields.hooks = TAU_STREAM_HOOKS (hooks);
  check (fixture, &(TauTestResponse) { .body = HELLO HELLO_END }, TAU_STOP_REASON_STOP, "Hello", NULL);
  g_assert_cmpuint (hooks->status, ==, 200);
  g_assert_cmpstr (tau_test_server_get_body (fixture->server, 0), ==, "{\"model\":\"other\"}");

  g_clear_object (&fixture->draft);
  hooks->refuses = TRUE;
  check (fixture, &(TauTestResponse) { .body = HELLO HELLO_END }, TAU_STOP_REASON_ERROR, "", "I do not like it");
  g_assert_false (tau_draft_is_started (fixture->draft));
}

static void
test_anthropic (Fixture      *fixture,
                gconstpointer data)
{
  check (fixture,
         &(TauTestResponse) {
           .body = "event: message_start\r\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"a\",\"usage\":{\"input_tokens\":1}}}\r\n\r\n"
                   "event: content_block_start\r\ndata: {\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\r\n\r\n"
                   "event: content_block_delta\r\ndata: {\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Ja\"}}\r\n\r\n"
                   "event: content_block_stop\r\ndata: {\"index\":0}\r\n\r\n"
                   "event: message_delta\r\ndata: {\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}\r\n\r\n"
                   "event: message_stop\r\ndata: {}\r\n\r\n",
           .chunk_size = 1,
         },
         TAU_STOP_REASON_STOP, "Ja", NULL);
  g_assert_cmpstr (tau_test_server_get_path (fixture->server, 0), ==, "/v1/v1/messages");
  g_assert_cmpstr (tau_test_server_get_header (fixture->server, 0, "x-api-key"), ==, "secret");
  g_assert_cmpstr (tau_test_server_get_header (fixture->server, 0, "anthropic-version"), ==, "2023-06-01");
}

#define GOOGLE_HELLO     "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Ja\"}]}}]}\r\n\r\n"
#define GOOGLE_HELLO_END "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\r\n\r\n"

static void
test_google (Fixture      *fixture,
             gconstpointer data)
{
  check (fixture, &(TauTestResponse) { .body = GOOGLE_HELLO GOOGLE_HELLO_END, .chunk_size = 1 }, TAU_STOP_REASON_STOP, "Ja", NULL);
  g_assert_cmpstr (tau_test_server_get_path (fixture->server, 0), ==, "/v1/models/m:streamGenerateContent");
  g_assert_cmpstr (tau_test_server_get_header (fixture->server, 0, "x-goog-api-key"), ==, "secret");
  g_assert_null (tau_test_server_get_header (fixture->server, 0, "authorization"));
}

static void
test_google_cut (Fixture      *fixture,
                 gconstpointer data)
{
  check_cut (fixture, GOOGLE_HELLO GOOGLE_HELLO_END, strlen (GOOGLE_HELLO), "Ja");
}

static void
test_mistral (Fixture      *fixture,
              gconstpointer data)
{
  fixture->fields.session_id = "s1";
  check (fixture, &(TauTestResponse) { .body = HELLO HELLO_END, .chunk_size = 1 }, TAU_STOP_REASON_STOP, "Hello", NULL);
  g_assert_cmpstr (tau_test_server_get_path (fixture->server, 0), ==, "/v1/v1/chat/completions");
  g_assert_cmpstr (tau_test_server_get_header (fixture->server, 0, "authorization"), ==, "Bearer secret");
  g_assert_cmpstr (tau_test_server_get_header (fixture->server, 0, "accept"), ==, "text/event-stream");
  g_assert_cmpstr (tau_test_server_get_header (fixture->server, 0, "x-affinity"), ==, "s1");
}

/* The words of these two, and that they ask only once. */
static void
check_refusal (Fixture    *fixture,
               const char *body,
               const char *text)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  fixture->fields.max_retries = 2;
  tau_test_server_push (fixture->server, &(TauTestResponse) { .status = 503, .content_type = "text/plain", .body = body });
  start (fixture);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ERROR, "", text);
  g_assert_cmpstr (tau_assistant_message_get_error_message (message), ==, text);
  g_assert_cmpuint (tau_test_server_get_n_requests (fixture->server), ==, 1);
}

static void
test_google_json_error (Fixture      *fixture,
                        gconstpointer data)
{
  check_refusal (fixture, "{\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\"}}", "{\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\"}}");
}

static void
test_google_text_error (Fixture      *fixture,
                        gconstpointer data)
{
  check_refusal (fixture, "busy", "{\"error\":{\"message\":\"busy\",\"code\":503,\"status\":\"Service Unavailable\"}}");
}

static void
test_mistral_error (Fixture      *fixture,
                    gconstpointer data)
{
  check_refusal (fixture, "{\"message\":\"busy\"}", "Mistral API error (503): {\"message\":\"busy\"}");
}

/* Nobody listens there. */
static void
check_unreachable (Fixture    *fixture,
                   const char *error_prefix)
{
  g_autoptr(TauModel) nobody = make_model (tau_model_get_api (fixture->model), "http://127.0.0.1:1");
  g_autoptr(TauAssistantMessage) message = NULL;

  fixture->fields.model = nobody;
  start (fixture);
  message = finish (fixture);
  assert_answer (message, TAU_STOP_REASON_ERROR, "", error_prefix);
}

static void
test_google_unreachable (Fixture      *fixture,
                         gconstpointer data)
{
  check_unreachable (fixture, "fetch failed (127.0.0.1:1 refused the connection)");
}

static void
test_mistral_unreachable (Fixture      *fixture,
                          gconstpointer data)
{
  check_unreachable (fixture, "Unable to make request: TypeError: fetch failed (127.0.0.1:1 refused the connection)");
}

#define ADD(name, function) g_test_add ("/http-provider/" name, Fixture, NULL, set_up, function, tear_down)
#define ADD_GOOGLE(name, function) \
  g_test_add ("/http-provider/google/" name, Fixture, "google-generative-ai", set_up, function, tear_down)
#define ADD_MISTRAL(name, function) \
  g_test_add ("/http-provider/mistral/" name, Fixture, "mistral-conversations", set_up, function, tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("answer", test_answer);
  ADD ("open-end", test_open_end);
  ADD ("401", test_401);
  ADD ("429-tells-wait", test_429_tells_wait);
  ADD ("html", test_html);
  ADD ("empty", test_empty);
  ADD ("json-error-with-200", test_json_error_with_200);
  ADD ("drop", test_drop);
  ADD ("drop-chunked", test_drop_chunked);
  ADD ("idle-timeout", test_idle_timeout);
  ADD ("headers-timeout", test_headers_timeout);
  ADD ("retry", test_retry);
  ADD ("retry-gives-up", test_retry_gives_up);
  ADD ("refused", test_refused);
  ADD ("bad-address", test_bad_address);
  ADD ("no-key", test_no_key);
  ADD ("endless-error-body", test_endless_error_body);
  ADD ("cancel/before", test_cancel_before);
  ADD ("cancel/at-once", test_cancel_at_once);
  ADD ("cancel/waiting", test_cancel_waiting);
  ADD ("cancel/between-attempts", test_cancel_between_attempts);
  ADD ("cancel/middle", test_cancel_middle);
  ADD ("cancel/after", test_cancel_after);
  ADD ("many-at-once", test_many_at_once);
  ADD ("hooks", test_hooks);
  g_test_add ("/http-provider/anthropic", Fixture, "anthropic-messages", set_up, test_anthropic, tear_down);
  ADD_GOOGLE ("answer", test_google);
  ADD_GOOGLE ("cut", test_google_cut);
  ADD_GOOGLE ("html", test_html);
  ADD_GOOGLE ("empty", test_empty);
  ADD_GOOGLE ("json-error", test_google_json_error);
  ADD_GOOGLE ("text-error", test_google_text_error);
  ADD_GOOGLE ("unreachable", test_google_unreachable);
  ADD_MISTRAL ("answer", test_mistral);
  ADD_MISTRAL ("cut", test_drop_chunked);
  ADD_MISTRAL ("html", test_html);
  ADD_MISTRAL ("empty", test_empty);
  ADD_MISTRAL ("error", test_mistral_error);
  ADD_MISTRAL ("unreachable", test_mistral_unreachable);

  return g_test_run ();
}
