/* SPDX-License-Identifier: MIT */
#include "session-fixture.h"

#include "core/base/tau-error.h"

#define SETTINGS(fields) \
  "{\"defaultProvider\":\"mock\",\"defaultModel\":\"m1\",\"compaction\":{\"reserveTokens\":1000,\"keepRecentTokens\":10" fields "}," \
  "\"retry\":{\"baseDelayMs\":1,\"provider\":{\"maxRetries\":0}}}"
#define OVERFLOWS { .status = 400, .content_type = "application/json", .body = "{\"error\":{\"message\":\"maximum context length is 20000 tokens\"}}" }

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  fixture_set_up (self, data);
  fixture_write_models (self, ",\"contextWindow\":20000");
  fixture_write_settings (self, SETTINGS (""));
  fixture_open (self, (TauAgentSessionOptions) { 0 });
}

static void
say (Fixture    *self,
     const char *text,
     const char *answer)
{
  fixture_answer (self, answer);
  fixture_prompt (self, text);
  fixture_wait (self);
}

static void
test_threshold (Fixture       *self,
                gconstpointer  data)
{
  g_autofree char *entries = NULL;
  g_autofree char *types = NULL;
  g_autoptr(JsonNode) end = NULL;
  g_autoptr(TauMessage) first = NULL;
  TauSessionUsage usage;
  const char *request;

  say (self, "First question that has some length to it, so that it is worth a summary", ANSWER ("First answer."));
  fixture_answer (self, ANSWER_USING ("Second answer.", "19500"));
  fixture_answer (self, ANSWER ("## Goal\\nSummary."));
  fixture_prompt (self, "Second question that is long enough to be kept whole, as it is recent");
  fixture_wait (self);

  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change user assistant user assistant compaction");
  types = fixture_dup_event_types (self);
  g_assert_true (g_str_has_suffix (types, "agent_end compaction_start compaction_end"));
  end = fixture_find_event (self, "compaction_end");
  g_assert_cmpstr (tau_json_get_string (end, "reason", NULL), ==, "threshold");
  g_assert_cmpstr (tau_json_get_string (end, "result.summary", NULL), ==, "## Goal\nSummary.");
  g_assert_cmpint (tau_json_get_int (end, "result.tokensBefore", 0), ==, 19520);
  first = g_list_model_get_item (tau_agent_session_get_messages (self->session), 0);
  g_assert_cmpstr (tau_message_get_role (first), ==, "compactionSummary");
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 3);

  request = tau_test_server_get_body (self->server, 2);
  g_assert_nonnull (strstr (request, "<conversation>\\n[User]: First question"));
  g_assert_null (strstr (request, "Second question"));
  tau_agent_session_get_usage (self->session, &usage);
  g_assert_cmpint (usage.tokens, ==, -1);
  say (self, "Third", ANSWER ("Third answer."));
  tau_agent_session_get_usage (self->session, &usage);
  g_assert_cmpint (usage.tokens, ==, 120);
}

static void
test_overflow (Fixture       *self,
               gconstpointer  data)
{
  g_autofree char *entries = NULL;
  g_autofree char *types = NULL;
  g_autoptr(JsonNode) end = NULL;

  say (self, "First question that has some length to it, so that it is worth a summary", ANSWER ("First answer."));
  g_ptr_array_set_size (self->events, 0);
  tau_test_server_push (self->server, &(TauTestResponse) OVERFLOWS);
  fixture_answer (self, ANSWER ("Summary."));
  fixture_answer (self, ANSWER ("Second answer."));
  fixture_prompt (self, "Second question that is long enough to be kept whole, as it is recent");
  fixture_wait (self);

  types = fixture_dup_event_types (self);
  g_assert_cmpstr (types, ==,
                   "agent_start turn_start message_start message_end message_start message_end turn_end agent_end "
                   "compaction_start compaction_end agent_start turn_start message_start message_end turn_end agent_end");
  end = fixture_find_event (self, "compaction_end");
  g_assert_true (tau_json_get_bool (end, "willRetry", FALSE));
  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change user assistant user assistant compaction assistant");
}

/* One compaction for one overflow; then it is said and the session rests. */
static void
test_overflow_again (Fixture       *self,
                     gconstpointer  data)
{
  JsonNode *last;
  g_autoptr(JsonNode) json = NULL;

  say (self, "First question that has some length to it, so that it is worth a summary", ANSWER ("First answer."));
  tau_test_server_push (self->server, &(TauTestResponse) OVERFLOWS);
  fixture_answer (self, ANSWER ("Summary."));
  tau_test_server_push (self->server, &(TauTestResponse) OVERFLOWS);
  fixture_prompt (self, "Second question that is long enough to be kept whole, as it is recent");
  fixture_wait (self);
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 4);
  json = tau_json_parse (g_ptr_array_index (self->events, self->events->len - 1), -1, NULL);
  last = json;
  g_assert_cmpstr (tau_json_get_string (last, "type", NULL), ==, "compaction_end");
  g_assert_true (g_str_has_prefix (tau_json_get_string (last, "errorMessage", ""), "Context overflow recovery failed after one"));
}

static void
test_failed_summary (Fixture       *self,
                     gconstpointer  data)
{
  g_autofree char *entries = NULL;
  g_autoptr(JsonNode) end = NULL;

  say (self, "First question that has some length to it, so that it is worth a summary", ANSWER ("First answer."));
  fixture_answer (self, ANSWER_USING ("Second answer.", "19500"));
  tau_test_server_push (self->server, &(TauTestResponse) { .status = 400, .content_type = "application/json", .body = "{\"error\":{\"message\":\"no\"}}" });
  fixture_prompt (self, "Second");
  fixture_wait (self);
  end = fixture_find_event (self, "compaction_end");
  g_assert_true (g_str_has_prefix (tau_json_get_string (end, "errorMessage", ""), "Auto-compaction failed: Summarization failed: "));
  g_assert_null (tau_json_get (end, "result"));
  entries = fixture_dup_entries (self);
  g_assert_true (g_str_has_suffix (entries, "user assistant user assistant"));
}

static GAsyncResult *
compact (Fixture    *self,
         const char *focus)
{
  GAsyncResult *result = NULL;

  tau_agent_session_compact_async (self->session, focus, tau_test_loop_result_cb, &result);
  return tau_test_loop_wait_result (&result);
}

static void
test_manual (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) json = NULL;
  g_autofree char *entries = NULL;

  say (self, "First question that has some length to it, so that it is worth a summary", ANSWER ("First answer."));
  say (self, "Second question that is long enough to be kept whole, as it is recent", ANSWER ("Second answer."));
  fixture_answer (self, ANSWER ("Summary."));
  result = compact (self, "file names");
  json = tau_agent_session_compact_finish (self->session, result, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (tau_json_get_string (json, "summary", NULL), ==, "Summary.");
  g_assert_nonnull (strstr (tau_test_server_get_body (self->server, 2), "Additional focus: file names"));
  fixture_wait (self);
  entries = fixture_dup_entries (self);
  g_assert_true (g_str_has_suffix (entries, "assistant compaction"));

  g_clear_object (&result);
  g_clear_pointer (&json, json_node_unref);
  result = compact (self, NULL);
  json = tau_agent_session_compact_finish (self->session, result, &error);
  g_assert_null (json);
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND);
}

static void
test_manual_aborted (Fixture       *self,
                     gconstpointer  data)
{
  GAsyncResult *result = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) end = NULL;
  g_autofree char *entries = NULL;

  say (self, "First question that has some length to it, so that it is worth a summary", ANSWER ("First answer."));
  tau_test_server_push (self->server, &(TauTestResponse) { .ending = TAU_TEST_ENDING_SILENT });
  tau_agent_session_compact_async (self->session, NULL, tau_test_loop_result_cb, &result);
  tau_test_wait_until (tau_test_server_get_n_requests (self->server) == 2);
  g_assert_cmpint (tau_agent_session_get_state (self->session), ==, TAU_SESSION_COMPACTING);
  tau_agent_session_abort (self->session);
  tau_test_loop_wait_result (&result);
  g_assert_null (tau_agent_session_compact_finish (self->session, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_object_unref (result);
  fixture_wait (self);
  end = fixture_find_event (self, "compaction_end");
  g_assert_true (tau_json_get_bool (end, "aborted", FALSE));
  entries = fixture_dup_entries (self);
  g_assert_true (g_str_has_suffix (entries, "user assistant"));
}

/* A compaction after which the first answer is as large as before is not tried again, and it is said what is too large. */
static void
test_p71_no_gain (Fixture       *self,
                  gconstpointer  data)
{
  g_autoptr(JsonNode) end = NULL;
  guint n_events;

  say (self, "First question that has some length to it, so that it is worth a summary", ANSWER ("First answer."));
  fixture_answer (self, ANSWER_USING ("Second answer.", "19500"));
  fixture_answer (self, ANSWER ("Summary."));
  fixture_prompt (self, "Second question that is long enough to be kept whole, as it is recent");
  fixture_wait (self);
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 3);

  g_ptr_array_set_size (self->events, 0);
  say (self, "Third", ANSWER_USING ("Third answer.", "19600"));
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 4);
  end = fixture_find_event (self, "compaction_end");
  g_assert_nonnull (end);
  g_assert_nonnull (strstr (tau_json_get_string (end, "errorMessage", ""), "19620"));
  g_assert_nonnull (strstr (tau_json_get_string (end, "errorMessage", ""), "largest part"));

  /* Said once. */
  n_events = self->events->len;
  fixture_answer (self, ANSWER_USING ("Fourth answer.", "300"));
  fixture_prompt (self, "Fourth");
  fixture_wait (self);
  for (guint i = n_events; i < self->events->len; i++)
    g_assert_null (strstr (g_ptr_array_index (self->events, i), "compaction_end"));
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 5);
}

/* The number that is shown is the number that decides. */
static void
test_p72_one_number (Fixture       *self,
                     gconstpointer  data)
{
  g_autoptr(JsonNode) end = NULL;
  TauSessionUsage usage;

  say (self, "First question that has some length to it, so that it is worth a summary", ANSWER_USING ("First answer.", "18980"));
  tau_agent_session_get_usage (self->session, &usage);
  g_assert_cmpint (usage.tokens, ==, 19000);
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 1);

  fixture_answer (self, ANSWER_USING ("Second answer.", "18981"));
  fixture_answer (self, ANSWER ("Summary."));
  fixture_prompt (self, "Second question that is long enough to be kept whole, as it is recent");
  fixture_wait (self);
  end = fixture_find_event (self, "compaction_end");
  g_assert_cmpint (tau_json_get_int (end, "result.tokensBefore", 0), ==, 19001);
  tau_agent_session_get_usage (self->session, &usage);
  g_assert_cmpint (usage.tokens, ==, -1);
}

#define ADD(path, func) g_test_add ("/agent-session-compaction/" path, Fixture, NULL, set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("threshold", test_threshold);
  ADD ("overflow", test_overflow);
  ADD ("overflow-again", test_overflow_again);
  ADD ("failed-summary", test_failed_summary);
  ADD ("manual", test_manual);
  ADD ("manual-aborted", test_manual_aborted);
  ADD ("p71-no-gain", test_p71_no_gain);
  ADD ("p72-one-number", test_p72_one_number);
  return g_test_run ();
}
