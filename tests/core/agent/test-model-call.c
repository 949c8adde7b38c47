/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-model-call.h"

#include "core/base/tau-json.h"
#include "core/message/tau-tool-result-message.h"

#include "agent-fixture.h"

#include "support/tau-test-server.h"

/* One call of the model: what is sent, where the key comes from, what is heard of the stream; and two things that only a
 * real provider shows: no key, and a server that falls silent. */

typedef struct
{
  TauRunSettings  settings;
  TauAgentContext context;
  TauTestProvider *provider;
  TauTestHooks    *hooks;
  GString         *trace;
  GAsyncResult    *result;
} CallFixture;

static void
call_set_up (CallFixture  *fixture,
             gconstpointer data)
{
  fixture->settings = (TauRunSettings) TAU_RUN_SETTINGS_INIT;
  fixture->settings.model = tau_test_model_new ();
  fixture->provider = tau_test_provider_new ();
  fixture->settings.provider = g_object_ref (TAU_PROVIDER (fixture->provider));
  fixture->hooks = tau_test_hooks_new ();
  fixture->context.messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (fixture->context.messages, user ("first"));
  g_ptr_array_add (fixture->context.messages, user ("second"));
  fixture->trace = g_string_new (NULL);
}

static void
call_tear_down (CallFixture  *fixture,
                gconstpointer data)
{
  g_clear_object (&fixture->result);
  tau_run_settings_clear (&fixture->settings);
  tau_test_loop_settle ();
  g_assert_finalize_object (fixture->provider);
  g_assert_finalize_object (fixture->hooks);
  g_ptr_array_unref (fixture->context.messages);
  g_string_free (fixture->trace, TRUE);
}

static void
call_use_hooks (CallFixture *fixture)
{
  fixture->settings.hooks = g_object_ref (TAU_AGENT_HOOKS (fixture->hooks));
}

static TauAssistantMessage *
call_model (CallFixture  *fixture,
            GCancellable *cancellable,
            GError      **error)
{
  tau_model_call_async (&fixture->settings, &fixture->context, tau_test_trace_event_cb, fixture->trace,
                        cancellable, tau_test_loop_result_cb, &fixture->result);
  tau_test_loop_wait_result (&fixture->result);

  return tau_model_call_finish (fixture->result, error);
}

static const TauRequestFields *
sent (CallFixture *fixture)
{
  return tau_request_get_fields (g_ptr_array_index (tau_test_provider_get_requests (fixture->provider), 0));
}

static void
test_answer (CallFixture  *fixture,
             gconstpointer data)
{
  g_autoptr(TauAssistantMessage) reply = NULL;
  g_autofree char *text = NULL;

  tau_test_provider_add_text (fixture->provider, "hello");
  reply = call_model (fixture, NULL, NULL);

  text = tau_message_dup_text (TAU_MESSAGE (reply), "");
  g_assert_cmpstr (text, ==, "hello");
  g_assert_cmpstr (tau_assistant_message_get_api (reply), ==, "test-api");
  g_assert_cmpstr (tau_assistant_message_get_provider (reply), ==, "test");
  g_assert_cmpstr (tau_assistant_message_get_model (reply), ==, "test-model");
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (reply)), >, 0);
  g_assert_cmpstr (fixture->trace->str, ==, "sA upd eA(stop)");
}

/* What transform_context leaves out is not sent, and not forgotten either. */
static void
test_transformed_context (CallFixture  *fixture,
                          gconstpointer data)
{
  g_autoptr(TauAssistantMessage) reply = NULL;

  call_use_hooks (fixture);
  fixture->hooks->only_last = TRUE;
  tau_test_provider_add_text (fixture->provider, "hello");
  reply = call_model (fixture, NULL, NULL);

  g_assert_cmpstr (fixture->hooks->log->str, ==, "transform_context convert_to_llm get_api_key");
  g_assert_cmpuint (sent (fixture)->messages->len, ==, 1);
  g_assert_cmpuint (fixture->context.messages->len, ==, 2);
}

static void
test_key_of_hook (CallFixture  *fixture,
                  gconstpointer data)
{
  g_autoptr(TauAssistantMessage) reply = NULL;

  call_use_hooks (fixture);
  fixture->settings.api_key = g_strdup ("of the agent");
  fixture->hooks->api_key = "of the hook";
  tau_test_provider_add_text (fixture->provider, "hello");
  reply = call_model (fixture, NULL, NULL);

  g_assert_cmpstr (sent (fixture)->api_key, ==, "of the hook");
}

static void
test_empty_key_of_hook (CallFixture  *fixture,
                        gconstpointer data)
{
  g_autoptr(TauAssistantMessage) reply = NULL;

  call_use_hooks (fixture);
  fixture->settings.api_key = g_strdup ("of the agent");
  fixture->hooks->api_key = "";
  tau_test_provider_add_text (fixture->provider, "hello");
  reply = call_model (fixture, NULL, NULL);

  g_assert_cmpstr (sent (fixture)->api_key, ==, "of the agent");
}

static void
test_hook_fails (CallFixture  *fixture,
                 gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  call_use_hooks (fixture);
  fixture->hooks->fail = "convert_to_llm";
  g_assert_null (call_model (fixture, NULL, &error));
  g_assert_cmpstr (error->message, ==, "convert_to_llm failed");
  g_assert_cmpuint (tau_test_provider_get_requests (fixture->provider)->len, ==, 0);
  g_assert_cmpstr (fixture->trace->str, ==, "");
}

static void
test_cancelled_before (CallFixture  *fixture,
                       gconstpointer data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(TauAssistantMessage) reply = NULL;
  g_autoptr(GError) error = NULL;

  g_cancellable_cancel (cancellable);
  tau_test_provider_add_text (fixture->provider, "hello");
  reply = call_model (fixture, cancellable, &error);

  g_assert_no_error (error);
  g_assert_cmpint (tau_assistant_message_get_stop_reason (reply), ==, TAU_STOP_REASON_ABORTED);
  g_assert_cmpstr (fixture->trace->str, ==, "sA eA(aborted)");
}

/* An abort while a hook works is no failure of the run: the answer is there, and says that it was aborted. */
static void
test_cancelled_in_hooks (CallFixture  *fixture,
                         gconstpointer data)
{
  static const char * const methods[] = { "transform_context", "convert_to_llm", "get_api_key" };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();

  call_use_hooks (fixture);
  g_cancellable_cancel (cancellable);
  for (gsize i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autoptr(TauAssistantMessage) reply = NULL;
      g_autoptr(GError) error = NULL;

      fixture->hooks->fail = methods[i];
      g_string_truncate (fixture->trace, 0);
      tau_test_provider_add_text (fixture->provider, "hello");
      reply = call_model (fixture, cancellable, &error);
      g_clear_object (&fixture->result);

      g_assert_no_error (error);
      g_assert_cmpint (tau_assistant_message_get_stop_reason (reply), ==, TAU_STOP_REASON_ABORTED);
      g_assert_cmpstr (fixture->trace->str, ==, "sA eA(aborted)");
    }
}

/* A provider that says things in a wrong order, and goes on after its end. */
#define UNRULY_TYPE_PROVIDER (unruly_provider_get_type ())
G_DECLARE_FINAL_TYPE (UnrulyProvider, unruly_provider, UNRULY, PROVIDER, GObject)

struct _UnrulyProvider
{
  GObject   parent_instance;

  TauDraft *draft;
};

static void unruly_iface_init (TauProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (UnrulyProvider, unruly_provider, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_PROVIDER, unruly_iface_init))

static void
say (TauDraft    *draft,
     TauDeltaKind kind)
{
  tau_draft_apply (draft, &(TauDelta) { .kind = kind, .text = kind == TAU_DELTA_TEXT ? "x" : NULL, .length = -1 });
}

static void
unruly_stream_async (TauProvider        *provider,
                     TauRequest         *request,
                     TauDraft           *draft,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (provider, cancellable, callback, user_data);

  g_set_object (&UNRULY_PROVIDER (provider)->draft, draft);
  say (draft, TAU_DELTA_TEXT_START);
  say (draft, TAU_DELTA_TEXT);
  say (draft, TAU_DELTA_START);
  say (draft, TAU_DELTA_START);
  say (draft, TAU_DELTA_TEXT);
  g_task_return_pointer (task, tau_draft_finish (draft, TAU_STOP_REASON_STOP, NULL), g_object_unref);
  say (draft, TAU_DELTA_TEXT);
}

static TauAssistantMessage *
unruly_stream_finish (TauProvider  *provider,
                      GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

static void
unruly_iface_init (TauProviderInterface *iface)
{
  iface->stream_async = unruly_stream_async;
  iface->stream_finish = unruly_stream_finish;
}

static void
unruly_provider_finalize (GObject *object)
{
  g_clear_object (&UNRULY_PROVIDER (object)->draft);

  G_OBJECT_CLASS (unruly_provider_parent_class)->finalize (object);
}

static void
unruly_provider_class_init (UnrulyProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = unruly_provider_finalize;
}

static void
unruly_provider_init (UnrulyProvider *self)
{
}

/* Blocks before the start are not heard, a second start is not heard, and nothing is heard after the end. */
static void
test_unruly_provider (CallFixture  *fixture,
                      gconstpointer data)
{
  UnrulyProvider *provider = g_object_new (UNRULY_TYPE_PROVIDER, NULL);
  g_autoptr(TauAssistantMessage) reply = NULL;
  g_autofree char *text = NULL;

  g_set_object (&fixture->settings.provider, TAU_PROVIDER (provider));
  reply = call_model (fixture, NULL, NULL);
  say (provider->draft, TAU_DELTA_TEXT);

  g_assert_cmpstr (fixture->trace->str, ==, "sA upd eA(stop)");
  text = tau_message_dup_text (TAU_MESSAGE (reply), "");
  g_assert_cmpstr (text, ==, "xx");

  g_clear_object (&fixture->settings.provider);
  g_clear_object (&fixture->result);
  g_assert_finalize_object (provider);
}

static TauModel *
real_model (const char *base_url)
{
  g_autofree char *text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"anthropic-messages\",\"baseUrl\":\"%s\","
                                           "\"input\":[\"text\"],\"maxTokens\":100}",
                                           base_url);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);

  return tau_model_new_from_json ("nobody", json, NULL);
}

static void
use_real_model (CallFixture *fixture,
                const char  *base_url)
{
  g_clear_object (&fixture->settings.provider);
  g_clear_object (&fixture->settings.model);
  fixture->settings.model = real_model (base_url);
}

/* No key is a failed answer, not a run failure. */
static void
test_no_key (CallFixture  *fixture,
             gconstpointer data)
{
  g_autoptr(TauAssistantMessage) reply = NULL;

  use_real_model (fixture, "http://127.0.0.1:9");
  reply = call_model (fixture, NULL, NULL);

  g_assert_cmpint (tau_assistant_message_get_stop_reason (reply), ==, TAU_STOP_REASON_ERROR);
  g_assert_cmpstr (tau_assistant_message_get_error_message (reply), ==, "No API key for provider: nobody");
  g_assert_cmpstr (fixture->trace->str, ==, "sA eA(error)");
}

/* Half an answer from a real server, which then goes on as @ending says. */
static void
assert_half_an_answer (CallFixture  *fixture,
                       TauTestEnding ending)
{
  g_autoptr(TauTestServer) server = tau_test_server_new ();
  g_autoptr(TauAssistantMessage) reply = NULL;
  g_autofree char *text = NULL;

  tau_test_server_push (server, &(TauTestResponse) {
      .body = "event: message_start\n"
              "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n"
              "event: content_block_start\n"
              "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
              "event: content_block_delta\n"
              "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"half\"}}\n\n",
      .ending = ending,
  });
  use_real_model (fixture, tau_test_server_get_url (server));
  fixture->settings.api_key = g_strdup ("key");
  fixture->settings.idle_timeout_ms = 50;
  reply = call_model (fixture, NULL, NULL);

  g_assert_cmpint (tau_assistant_message_get_stop_reason (reply), ==, TAU_STOP_REASON_ERROR);
  g_assert_cmpstr (fixture->trace->str, ==, "sA upd eA(error)");
  text = tau_message_dup_text (TAU_MESSAGE (reply), "");
  g_assert_cmpstr (text, ==, "half");
}

/* A server that falls silent in the middle of an answer: the watchdog ends the turn as an error. */
static void
test_silent_server (CallFixture  *fixture,
                    gconstpointer data)
{
  assert_half_an_answer (fixture, TAU_TEST_ENDING_HANG);
}

/* A server nearby may think as long as it likes, one far away may not; what was set counts for both. */
static void
test_idle_timeout (CallFixture  *fixture,
                   gconstpointer data)
{
  static const struct { const char *url; gint64 set; gint64 used; } cases[] = {
    { "http://127.0.0.1:8080", -1, 0 },
    { "https://api.example.com/v1", -1, 300000 },
    { "https://api.example.com/v1", 0, 0 },
    { "http://127.0.0.1:8080", 700, 700 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(JsonNode) json = tau_json_parse ("{\"id\":\"m\",\"api\":\"test-api\"}", -1, NULL);
      g_autoptr(TauAssistantMessage) reply = NULL;
      GPtrArray *requests = tau_test_provider_get_requests (fixture->provider);

      json_object_set_string_member (json_node_get_object (json), "baseUrl", cases[i].url);
      g_clear_object (&fixture->settings.model);
      fixture->settings.model = tau_model_new_from_json ("test", json, NULL);
      fixture->settings.idle_timeout_ms = cases[i].set;
      tau_test_provider_add_text (fixture->provider, "hello");
      g_clear_object (&fixture->result);
      reply = call_model (fixture, NULL, NULL);
      g_assert_cmpint (tau_request_get_fields (g_ptr_array_index (requests, i))->idle_timeout_ms, ==, cases[i].used);
    }
}

/* Trap 8: a stream that ends without saying so is an error, not a wait for ever. */
static void
test_stream_without_end (CallFixture  *fixture,
                         gconstpointer data)
{
  assert_half_an_answer (fixture, TAU_TEST_ENDING_CLOSE);
}

#define call_test(path, function) \
  g_test_add ("/model-call/" path, CallFixture, NULL, call_set_up, function, call_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  call_test ("answer", test_answer);
  call_test ("transformed-context", test_transformed_context);
  call_test ("key-of-hook", test_key_of_hook);
  call_test ("empty-key-of-hook", test_empty_key_of_hook);
  call_test ("hook-fails", test_hook_fails);
  call_test ("cancelled-before", test_cancelled_before);
  call_test ("cancelled-in-hooks", test_cancelled_in_hooks);
  call_test ("unruly-provider", test_unruly_provider);
  call_test ("no-key", test_no_key);
  call_test ("silent-server", test_silent_server);
  call_test ("idle-timeout", test_idle_timeout);
  call_test ("stream-without-end", test_stream_without_end);

  return g_test_run ();
}
