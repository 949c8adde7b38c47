/* SPDX-License-Identifier: MIT */
#include "session-fixture.h"

#include "core/base/tau-error.h"

static TauBashExecutionMessage *
run (Fixture    *self,
     const char *command,
     gboolean    exclude)
{
  GAsyncResult *result = NULL;
  g_autoptr(GError) error = NULL;
  TauBashExecutionMessage *message;

  tau_agent_session_run_bash_async (self->session, command, exclude, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  message = tau_agent_session_run_bash_finish (self->session, result, &error);
  g_object_unref (result);
  g_assert_no_error (error);
  return message;
}

static void
test_run (Fixture       *self,
          gconstpointer  data)
{
  g_autoptr(TauBashExecutionMessage) message = NULL;
  g_autoptr(TauBashExecutionMessage) secret = NULL;
  const TauBashExecutionFields *fields;
  g_autofree char *entries = NULL;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  message = run (self, "pwd; exit 2", FALSE);
  secret = run (self, "echo secret", TRUE);
  fields = tau_bash_execution_message_get_fields (message);
  g_assert_true (fields->has_exit_code);
  g_assert_cmpint (fields->exit_code, ==, 2);
  g_assert_nonnull (strstr (fields->output, "project"));
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 2);

  fixture_answer (self, ANSWER ("Yes."));
  fixture_prompt (self, "What?");
  fixture_wait (self);
  g_assert_nonnull (strstr (tau_test_server_get_body (self->server, 0), "Ran `pwd; exit 2`"));
  g_assert_null (strstr (tau_test_server_get_body (self->server, 0), "secret"));
  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change bashExecution bashExecution user assistant");
}

/* During a run the command runs at once and is recorded with the next prompt. */
static void
test_while_streaming (Fixture       *self,
                      gconstpointer  data)
{
  g_autoptr(TauBashExecutionMessage) message = NULL;
  g_autofree char *entries = NULL;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  tau_test_server_push (self->server, &(TauTestResponse) { .body = ANSWER ("Never"), .ending = TAU_TEST_ENDING_HANG, .cut_after = 140 });
  fixture_prompt (self, "1");
  tau_test_wait_until (tau_agent_session_get_draft (self->session) != NULL
                       && tau_draft_get_n_blocks (tau_agent_session_get_draft (self->session)) > 0);
  message = run (self, "echo now", FALSE);
  g_assert_cmpint (tau_agent_session_get_state (self->session), ==, TAU_SESSION_RUNNING);
  tau_agent_session_abort (self->session);
  fixture_wait (self);
  fixture_answer (self, ANSWER ("Two."));
  fixture_prompt (self, "2");
  fixture_wait (self);
  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change user assistant bashExecution user assistant");
}

static void
test_abort (Fixture       *self,
            gconstpointer  data)
{
  GAsyncResult *result = NULL;
  GAsyncResult *second = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBashExecutionMessage) message = NULL;
  const TauBashExecutionFields *fields;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  tau_agent_session_run_bash_async (self->session, "sleep 600", FALSE, tau_test_loop_result_cb, &result);
  tau_agent_session_run_bash_async (self->session, "true", FALSE, tau_test_loop_result_cb, &second);
  tau_test_loop_wait_result (&second);
  g_assert_null (tau_agent_session_run_bash_finish (self->session, second, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_BUSY);
  g_object_unref (second);
  g_clear_error (&error);

  tau_agent_session_abort_bash (self->session);
  tau_test_loop_wait_result (&result);
  message = tau_agent_session_run_bash_finish (self->session, result, &error);
  g_object_unref (result);
  g_assert_no_error (error);
  fields = tau_bash_execution_message_get_fields (message);
  g_assert_true (fields->cancelled);
  g_assert_false (fields->has_exit_code);
}

#define ADD(path, func) g_test_add ("/agent-session-bash/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("run", test_run);
  ADD ("while-streaming", test_while_streaming);
  ADD ("abort", test_abort);
  return g_test_run ();
}
