/* SPDX-License-Identifier: MIT */
#include "session-fixture.h"

#define FAILS { .status = 503, .content_type = "application/json", .body = "{\"error\":{\"message\":\"Service unavailable\"}}" }

static void
push_failure (Fixture *self)
{
  tau_test_server_push (self->server, &(TauTestResponse) FAILS);
}

static void
test_succeeds (Fixture       *self,
               gconstpointer  data)
{
  g_autofree char *types = NULL;
  g_autofree char *entries = NULL;
  g_autoptr(JsonNode) start = NULL;
  g_autoptr(JsonNode) end = NULL;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  push_failure (self);
  push_failure (self);
  fixture_answer (self, ANSWER ("At last."));
  fixture_prompt (self, "1");
  fixture_wait (self);

  types = fixture_dup_event_types (self);
  g_assert_cmpstr (types, ==,
                   "agent_start turn_start message_start message_end message_start message_end turn_end agent_end auto_retry_start "
                   "agent_start turn_start message_start message_end turn_end agent_end auto_retry_start "
                   "agent_start turn_start message_start message_end auto_retry_end turn_end agent_end");
  start = fixture_find_event (self, "auto_retry_start");
  g_assert_cmpint (tau_json_get_int (start, "attempt", 0), ==, 1);
  g_assert_cmpint (tau_json_get_int (start, "maxAttempts", 0), ==, 3);
  g_assert_cmpint (tau_json_get_int (start, "delayMs", 0), ==, 10);
  end = fixture_find_event (self, "auto_retry_end");
  g_assert_true (tau_json_get_bool (end, "success", FALSE));
  g_assert_cmpint (tau_json_get_int (end, "attempt", 0), ==, 2);
  /* Failed answers stay in the file and leave the memory. */
  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change user assistant assistant assistant");
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 2);
}

static void
test_exhausted (Fixture       *self,
                gconstpointer  data)
{
  g_autoptr(JsonNode) end = NULL;

  fixture_write_settings (self, "{\"defaultProvider\":\"mock\",\"defaultModel\":\"m1\",\"retry\":{\"maxRetries\":2,\"baseDelayMs\":1,\"provider\":{\"maxRetries\":0}}}");
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  for (guint i = 0; i < 3; i++)
    push_failure (self);
  fixture_prompt (self, "1");
  fixture_wait (self);
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 3);
  end = fixture_find_event (self, "auto_retry_end");
  g_assert_false (tau_json_get_bool (end, "success", TRUE));
  g_assert_cmpint (tau_json_get_int (end, "attempt", 0), ==, 2);
  g_assert_nonnull (strstr (tau_json_get_string (end, "finalError", ""), "Service unavailable"));
  /* The last failure is shown. */
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 2);
}

static void
test_not_retried (Fixture       *self,
                  gconstpointer  data)
{
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  tau_test_server_push (self->server, &(TauTestResponse) { .status = 401, .content_type = "application/json",
                                                           .body = "{\"error\":{\"message\":\"Incorrect key\"}}" });
  fixture_prompt (self, "1");
  fixture_wait (self);
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 1);
  g_assert_null (fixture_find_event (self, "auto_retry_start"));
}

static void
test_cancelled (Fixture       *self,
                gconstpointer  data)
{
  g_autoptr(JsonNode) end = NULL;
  gint64 retry_at = 0;

  fixture_write_settings (self, "{\"defaultProvider\":\"mock\",\"defaultModel\":\"m1\",\"retry\":{\"baseDelayMs\":600000,\"provider\":{\"maxRetries\":0}}}");
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  push_failure (self);
  fixture_prompt (self, "1");
  tau_test_wait_until (tau_agent_session_get_state (self->session) == TAU_SESSION_RETRYING);
  g_object_get (self->session, "retry-at", &retry_at, NULL);
  g_assert_cmpint (retry_at, >, g_get_monotonic_time ());
  tau_agent_session_abort (self->session);
  g_assert_cmpint (tau_agent_session_get_state (self->session), ==, TAU_SESSION_IDLE);
  g_object_get (self->session, "retry-at", &retry_at, NULL);
  g_assert_cmpint (retry_at, ==, 0);
  end = fixture_find_event (self, "auto_retry_end");
  g_assert_cmpstr (tau_json_get_string (end, "finalError", NULL), ==, "Retry cancelled");
  /* The failure is shown again. */
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 2);

  fixture_answer (self, ANSWER ("Now."));
  fixture_prompt (self, "2");
  fixture_wait (self);
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 2);
}

/* P70: what the server asks for is waited for where it is seen, and a person may end the wait by going on. */
static void
test_server_asks (Fixture       *self,
                  gconstpointer  data)
{
  static const char * const headers[] = { "retry-after", "50", NULL };
  g_autoptr(JsonNode) start = NULL;
  gint64 retry_at = 0;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  tau_test_server_push (self->server, &(TauTestResponse) { .status = 429, .headers = headers, .body = "{\"error\":{\"message\":\"slow down\"}}" });
  fixture_prompt (self, "1");
  tau_test_wait_until (tau_agent_session_get_state (self->session) == TAU_SESSION_RETRYING);
  start = fixture_find_event (self, "auto_retry_start");
  g_assert_cmpint (tau_json_get_int (start, "delayMs", 0), ==, 50000);
  g_object_get (self->session, "retry-at", &retry_at, NULL);
  g_assert_cmpint (retry_at, >, g_get_monotonic_time () + 10 * G_USEC_PER_SEC);
  g_assert_cmpstr (tau_assistant_message_get_error_message (tau_agent_session_get_retry_answer (self->session)), ==,
                   "429 slow down (the server asks to wait 50 s)");
  g_assert_cmpint (tau_agent_session_get_retry_attempt (self->session), ==, 1);

  fixture_answer (self, ANSWER ("Here."));
  g_assert_true (tau_agent_session_retry (self->session, NULL));
  g_object_get (self->session, "retry-at", &retry_at, NULL);
  g_assert_cmpint (retry_at, ==, 0);
  fixture_wait (self);
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 2);
  g_assert_null (tau_agent_session_get_retry_answer (self->session));
}

/* P70: days are not waited for. */
static void
test_server_asks_too_much (Fixture       *self,
                           gconstpointer  data)
{
  static const char * const headers[] = { "retry-after", "200000", NULL };

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  tau_test_server_push (self->server, &(TauTestResponse) { .status = 429, .headers = headers, .body = "{\"error\":{\"message\":\"slow down\"}}" });
  fixture_prompt (self, "1");
  fixture_wait (self);
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 1);
  g_assert_null (fixture_find_event (self, "auto_retry_start"));
}

#define ADD(path, func) g_test_add ("/agent-session-retry/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("succeeds", test_succeeds);
  ADD ("exhausted", test_exhausted);
  ADD ("not-retried", test_not_retried);
  ADD ("cancelled", test_cancelled);
  ADD ("p70-server-asks", test_server_asks);
  ADD ("p70-server-asks-too-much", test_server_asks_too_much);
  return g_test_run ();
}
