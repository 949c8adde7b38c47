/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/message/tau-application-messages.h"

#include "agent-fixture.h"

/* The agent's face: state before listeners, misuse, the three ways to continue, abort, reset, waiting; and listeners
 * that do what they please. */

static void
test_prompt_makes_a_user_message (Fixture      *fixture,
                                  gconstpointer data)
{
  g_autoptr(GPtrArray) images = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  TauMessage *message;

  g_ptr_array_add (images, tau_block_new_image ("aGk=", "image/png"));
  tau_test_provider_add_text (fixture->provider, "hello");
  g_assert_true (tau_agent_prompt (fixture->agent, "", images, NULL));
  wait_idle (fixture);

  message = g_ptr_array_index (tau_agent_get_messages (fixture->agent), 0);
  g_assert_true (TAU_IS_USER_MESSAGE (message));
  g_assert_cmpuint (tau_message_get_n_blocks (message), ==, 2);
  g_assert_cmpint (tau_block_get_kind (tau_message_get_block (message, 0)), ==, TAU_BLOCK_TEXT);
  g_assert_cmpint (tau_block_get_kind (tau_message_get_block (message, 1)), ==, TAU_BLOCK_IMAGE);
  g_assert_false (tau_user_message_is_string (TAU_USER_MESSAGE (message)));
}

/* Any role may be a prompt; the model sees what conversion makes of it. */
static void
test_prompt_of_other_role (Fixture      *fixture,
                           gconstpointer data)
{
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (messages, tau_branch_summary_message_new ("what was", "x", 1));
  tau_test_provider_add_text (fixture->provider, "hello");
  g_assert_true (tau_agent_prompt_messages (fixture->agent, messages, NULL));
  wait_idle (fixture);

  g_assert_cmpstr (tau_message_get_role (g_ptr_array_index (tau_agent_get_messages (fixture->agent), 0)),
                   ==, "branchSummary");
  g_assert_cmpstr (tau_message_get_role (g_ptr_array_index (request (fixture, 0)->messages, 0)), ==, "user");
}

static void
assert_busy (Fixture *fixture)
{
  g_autoptr(GError) prompting = NULL;
  g_autoptr(GError) continuing = NULL;

  g_assert_false (tau_agent_prompt (fixture->agent, "again", NULL, &prompting));
  g_assert_error (prompting, TAU_AGENT_ERROR, TAU_AGENT_ERROR_BUSY);
  g_assert_cmpstr (prompting->message, ==,
                   "Agent is already processing a prompt. Use steer() or followUp() to queue messages, "
                   "or wait for completion.");
  g_assert_false (tau_agent_continue (fixture->agent, &continuing));
  g_assert_error (continuing, TAU_AGENT_ERROR, TAU_AGENT_ERROR_BUSY);
  g_assert_cmpstr (continuing->message, ==, "Agent is already processing. Wait for completion before continuing.");
}

static void
test_misuse_while_running (Fixture      *fixture,
                           gconstpointer data)
{
  tau_test_provider_add_text (fixture->provider, "hello");
  start (fixture, "hi");
  assert_busy (fixture);
  wait_idle (fixture);
}

static void
busy_at_end_cb (TauAgent            *agent,
                const TauAgentEvent *event,
                gpointer             user_data)
{
  if (event->kind != TAU_AGENT_EVENT_AGENT_END)
    return;

  assert_busy (user_data);
  follow_up (user_data, "stays");
}

/* The agent is busy until every listener has seen agent_end; what one of them queues then waits. */
static void
test_misuse_in_last_event (Fixture      *fixture,
                           gconstpointer data)
{
  g_signal_connect (fixture->agent, "event", G_CALLBACK (busy_at_end_cb), fixture);
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");

  g_assert_cmpuint (tau_agent_get_follow_ups (fixture->agent)->len, ==, 1);
}

static void
assert_cannot_continue (Fixture    *fixture,
                        const char *text)
{
  g_autoptr(GError) error = NULL;

  g_assert_false (tau_agent_continue (fixture->agent, &error));
  g_assert_error (error, TAU_AGENT_ERROR, TAU_AGENT_ERROR_NOTHING_TO_CONTINUE);
  g_assert_cmpstr (error->message, ==, text);
  g_assert_false (tau_agent_is_running (fixture->agent));
}

static void
test_nothing_to_continue (Fixture      *fixture,
                          gconstpointer data)
{
  assert_cannot_continue (fixture, "No messages to continue from");
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");
  assert_cannot_continue (fixture, "Cannot continue from message role: assistant");
}

static void
continue_now (Fixture *fixture)
{
  g_string_truncate (fixture->trace, 0);
  g_assert_true (tau_agent_continue (fixture->agent, NULL));
  wait_idle (fixture);
}

/* Trap 15, first: from a user message or a tool result the model is asked again. */
static void
test_continue_from_user (Fixture      *fixture,
                         gconstpointer data)
{
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (messages, user ("hi"));
  tau_agent_set_messages (fixture->agent, messages);
  tau_test_provider_add_text (fixture->provider, "hello");
  continue_now (fixture);

  g_assert_cmpstr (fixture->trace->str, ==, "agent_start turn_start sA upd eA(stop) turn_end[] agent_end[A]");
  g_assert_cmpuint (tau_agent_get_messages (fixture->agent)->len, ==, 2);
  g_assert_cmpuint (messages->len, ==, 1);
}

/* Second: after an answer, steering messages are prompts, and one at a time stays one a turn. */
static void
test_continue_with_steering (Fixture      *fixture,
                             gconstpointer data)
{
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");
  steer (fixture, "s1");
  steer (fixture, "s2");
  follow_up (fixture, "f1");
  tau_test_provider_add_text (fixture->provider, "one");
  tau_test_provider_add_text (fixture->provider, "two");
  tau_test_provider_add_text (fixture->provider, "three");
  continue_now (fixture);

  g_assert_cmpstr (fixture->trace->str, ==,
                   "agent_start turn_start sU(s1) eU(s1) sA upd eA(stop) turn_end[] "
                   "turn_start sU(s2) eU(s2) sA upd eA(stop) turn_end[] "
                   "turn_start sU(f1) eU(f1) sA upd eA(stop) turn_end[] agent_end[U A U A U A]");
}

/* Third: follow-ups, if nothing else waits. */
static void
test_continue_with_follow_up (Fixture      *fixture,
                              gconstpointer data)
{
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");
  follow_up (fixture, "f1");
  tau_test_provider_add_text (fixture->provider, "one");
  continue_now (fixture);

  g_assert_cmpstr (fixture->trace->str, ==,
                   "agent_start turn_start sU(f1) eU(f1) sA upd eA(stop) turn_end[] agent_end[U A]");
}

/* After a failed run the failed answer stands in the way until it is removed. */
static void
test_continue_after_failure (Fixture      *fixture,
                             gconstpointer data)
{
  g_autoptr(GPtrArray) messages = NULL;

  tau_test_provider_add (fixture->provider, &(TauTestAnswer) {
      .stop_reason = TAU_STOP_REASON_ERROR, .error = "overloaded", .no_start = TRUE });
  prompt (fixture, "hi");
  assert_cannot_continue (fixture, "Cannot continue from message role: assistant");

  messages = tau_messages_copy (tau_agent_get_messages (fixture->agent));
  g_ptr_array_remove_index (messages, messages->len - 1);
  tau_agent_set_messages (fixture->agent, messages);
  tau_test_provider_add_text (fixture->provider, "hello");
  continue_now (fixture);

  g_assert_null (tau_agent_get_error_message (fixture->agent));
  g_assert_cmpuint (request (fixture, 1)->messages->len, ==, 1);
}

/* A run failure is one agent_end with one message, which says why. */
static void
test_run_failure (Fixture      *fixture,
                  gconstpointer data)
{
  TauAssistantMessage *last;

  tau_agent_set_provider (fixture->agent, NULL);
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, "agent_start turn_start sU(hi) eU(hi) agent_end[A]");
  last = TAU_ASSISTANT_MESSAGE (last_message (fixture));
  g_assert_cmpint (tau_assistant_message_get_stop_reason (last), ==, TAU_STOP_REASON_ERROR);
  g_assert_cmpstr (tau_assistant_message_get_error_message (last), ==, "No API provider registered for api: test-api");
  g_assert_cmpstr (tau_agent_get_error_message (fixture->agent), ==, "No API provider registered for api: test-api");
  g_assert_cmpstr (tau_assistant_message_get_model (last), ==, "test-model");
  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (last)), ==, 1);
  g_assert_cmpuint (tau_agent_get_messages (fixture->agent)->len, ==, 2);
}

static void
test_registered_provider (Fixture      *fixture,
                          gconstpointer data)
{
  tau_agent_set_provider (fixture->agent, NULL);
  tau_provider_register ("test-api", TAU_PROVIDER (fixture->provider));
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");
  tau_provider_unregister ("test-api");

  g_assert_true (g_str_has_suffix (fixture->trace->str, "agent_end[U A]"));
}

static void
check_state_cb (TauAgent            *agent,
                const TauAgentEvent *event,
                gpointer             user_data)
{
  GPtrArray *messages = tau_agent_get_messages (agent);
  GPtrArray *runs = tau_agent_get_tool_runs (agent);
  guint *n_checked = user_data;

  g_assert_true (tau_agent_is_running (agent));
  if (event->kind == TAU_AGENT_EVENT_MESSAGE_END)
    {
      g_assert_true (g_ptr_array_index (messages, messages->len - 1) == event->message);
      g_assert_null (tau_agent_get_draft (agent));
    }
  if (event->kind == TAU_AGENT_EVENT_MESSAGE_UPDATE)
    g_assert_true (tau_agent_get_draft (agent) == event->draft);
  if (event->kind == TAU_AGENT_EVENT_TOOL_START)
    g_assert_true (g_ptr_array_find (runs, event->run, NULL));
  if (event->kind == TAU_AGENT_EVENT_TOOL_END)
    g_assert_false (g_ptr_array_find (runs, event->run, NULL));
  (*n_checked)++;
}

static void
test_state_before_listeners (Fixture      *fixture,
                             gconstpointer data)
{
  guint n_checked = 0;

  g_signal_connect (fixture->agent, "event", G_CALLBACK (check_state_cb), &n_checked);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", "t2:do:{}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  prompt (fixture, "hi");

  g_assert_cmpuint (n_checked, >, 20);
}

static void
log_runs_cb (TauAgent            *agent,
             const TauAgentEvent *event,
             gpointer             user_data)
{
  if (event->kind == TAU_AGENT_EVENT_TOOL_START || event->kind == TAU_AGENT_EVENT_TOOL_END)
    g_string_append_printf (user_data, "%u", tau_agent_get_tool_runs (agent)->len);
}

static void
test_tool_runs_in_progress (Fixture      *fixture,
                            gconstpointer data)
{
  g_autoptr(GString) counts = g_string_new (NULL);

  g_signal_connect (fixture->agent, "event", G_CALLBACK (log_runs_cb), counts);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", "t2:do:{}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  prompt (fixture, "hi");

  g_assert_cmpstr (counts->str, ==, "1210");
}

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          gpointer    user_data)
{
  guint *n_times = user_data;

  (*n_times)++;
}

static void
test_notifications (Fixture      *fixture,
                    gconstpointer data)
{
  guint n_running = 0;
  guint n_draft = 0;
  guint n_error = 0;

  g_signal_connect (fixture->agent, "notify::running", G_CALLBACK (count_cb), &n_running);
  g_signal_connect (fixture->agent, "notify::draft", G_CALLBACK (count_cb), &n_draft);
  g_signal_connect (fixture->agent, "notify::error-message", G_CALLBACK (count_cb), &n_error);
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");

  g_assert_cmpuint (n_running, ==, 2);
  g_assert_cmpuint (n_draft, ==, 2);
  g_assert_cmpuint (n_error, ==, 0);

  prompt (fixture, "the script is empty now");
  g_assert_cmpuint (n_error, ==, 1);
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");
  g_assert_cmpuint (n_error, ==, 2);
}

/* Trap 7: listeners cannot break a run. This one does all that it may at each event. */
static void
meddle_cb (TauAgent            *agent,
           const TauAgentEvent *event,
           gpointer             user_data)
{
  g_autoptr(GError) error = NULL;
  guint *n_steered = user_data;

  g_assert_false (tau_agent_prompt (agent, "now", NULL, &error));
  tau_agent_set_steering_mode (agent, TAU_QUEUE_ALL);
  if (event->kind == TAU_AGENT_EVENT_TURN_END && (*n_steered)++ < 2)
    {
      g_autoptr(TauMessage) message = user ("more");

      tau_agent_steer (agent, message);
    }
}

static void
test_meddling_listener (Fixture      *fixture,
                        gconstpointer data)
{
  guint n_steered = 0;

  g_signal_connect (fixture->agent, "event", G_CALLBACK (meddle_cb), &n_steered);
  for (guint i = 0; i < 3; i++)
    tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");

  g_assert_true (g_str_has_suffix (fixture->trace->str, "agent_end[U A U A U A]"));
}

typedef struct
{
  TauAgentEventKind kind;
  guint             n_events;
} AbortAt;

static void
abort_at_cb (TauAgent            *agent,
             const TauAgentEvent *event,
             gpointer             user_data)
{
  AbortAt *at = user_data;

  at->n_events++;
  if (event->kind == at->kind)
    tau_agent_abort (agent);
}

/* The cancel matrix, from within: an abort in any event ends the run and leaves the agent ready. */
static void
test_abort_in_each_event (Fixture      *fixture,
                          gconstpointer data)
{
  AbortAt at = { 0 };

  g_signal_connect (fixture->agent, "event", G_CALLBACK (abort_at_cb), &at);
  for (at.kind = TAU_AGENT_EVENT_AGENT_START; at.kind <= TAU_AGENT_EVENT_TOOL_END; at.kind++)
    {
      g_autoptr(TauTestProvider) provider = tau_test_provider_new ();

      tau_test_provider_add_calls (provider, "t1:do:{\"update\":\"…\"}", NULL);
      tau_test_provider_add_text (provider, "done");
      tau_agent_set_provider (fixture->agent, TAU_PROVIDER (provider));
      prompt (fixture, "hi");

      g_assert_true (g_str_has_prefix (fixture->trace->str, "agent_start turn_start "));
      g_assert_nonnull (strstr (fixture->trace->str, " agent_end["));
      if (at.kind != TAU_AGENT_EVENT_AGENT_END)
        g_assert_cmpstr (tau_agent_get_error_message (fixture->agent), ==, "Request was aborted");
    }
  g_assert_cmpuint (at.n_events, >, 50);
}

static void
test_abort_at_once (Fixture      *fixture,
                    gconstpointer data)
{
  tau_test_provider_add_text (fixture->provider, "hello");
  start (fixture, "hi");
  tau_agent_abort (fixture->agent);
  tau_agent_abort (fixture->agent);
  wait_idle (fixture);

  g_assert_cmpstr (fixture->trace->str, ==,
                   "agent_start turn_start sU(hi) eU(hi) sA eA(aborted) turn_end[] agent_end[U A]");
}

/* Before the start there is nothing to abort, and after the end neither: the next run does not notice. */
static void
test_abort_when_idle (Fixture      *fixture,
                      gconstpointer data)
{
  tau_agent_abort (fixture->agent);
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");
  tau_agent_abort (fixture->agent);
  tau_test_provider_add_text (fixture->provider, "hello again");
  prompt (fixture, "hi");

  g_assert_null (tau_agent_get_error_message (fixture->agent));
  g_assert_cmpuint (tau_agent_get_messages (fixture->agent)->len, ==, 4);
}

/* No timer stands between the end of a leaf and the end of the run: a few turns of the main loop are enough. */
static void
test_abort_is_quick (Fixture      *fixture,
                     gconstpointer data)
{
  guint n_iterations = 0;

  tau_test_provider_add_hang (fixture->provider, "so far");
  start (fixture, "hi");
  wait_for_trace (fixture, "upd");
  tau_test_loop_settle ();
  tau_agent_abort (fixture->agent);
  while (tau_agent_is_running (fixture->agent) && g_main_context_iteration (NULL, FALSE))
    n_iterations++;

  g_assert_false (tau_agent_is_running (fixture->agent));
  g_assert_cmpuint (n_iterations, <, 10);
}

static void
test_reset (Fixture      *fixture,
            gconstpointer data)
{
  prompt (fixture, "the script is empty");
  g_assert_nonnull (tau_agent_get_error_message (fixture->agent));
  steer (fixture, "s1");
  follow_up (fixture, "f1");
  g_assert_true (tau_agent_has_queued_messages (fixture->agent));
  tau_agent_reset (fixture->agent);

  g_assert_cmpuint (tau_agent_get_messages (fixture->agent)->len, ==, 0);
  g_assert_null (tau_agent_get_error_message (fixture->agent));
  g_assert_false (tau_agent_has_queued_messages (fixture->agent));
  g_assert_nonnull (tau_agent_get_model (fixture->agent));
  g_assert_nonnull (tau_agent_get_toolbox (fixture->agent));
}

/* Trap 10: a reset does not abort; what the run still makes goes into the empty transcript. */
static void
test_reset_while_running (Fixture      *fixture,
                          gconstpointer data)
{
  tau_test_tool_set_manual (fixture->tool, TRUE);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  start (fixture, "hi");
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t1"));
  tau_agent_reset (fixture->agent);
  g_assert_true (tau_agent_is_running (fixture->agent));
  tau_test_tool_release (fixture->tool, "t1");
  wait_idle (fixture);

  g_assert_cmpuint (tau_agent_get_messages (fixture->agent)->len, ==, 2);
  g_assert_cmpuint (request (fixture, 1)->messages->len, ==, 3);
}

static void
test_wait_for_idle (Fixture      *fixture,
                    gconstpointer data)
{
  g_autoptr(GAsyncResult) idle = NULL;
  g_autoptr(GAsyncResult) first = NULL;
  g_autoptr(GAsyncResult) second = NULL;

  tau_agent_wait_for_idle_async (fixture->agent, NULL, tau_test_loop_result_cb, &idle);
  tau_test_loop_wait_result (&idle);
  g_assert_true (tau_agent_wait_for_idle_finish (fixture->agent, idle, NULL));

  tau_test_provider_add_text (fixture->provider, "hello");
  start (fixture, "hi");
  tau_agent_wait_for_idle_async (fixture->agent, NULL, tau_test_loop_result_cb, &first);
  tau_agent_wait_for_idle_async (fixture->agent, NULL, tau_test_loop_result_cb, &second);
  g_assert_null (first);
  tau_test_loop_wait_result (&first);
  tau_test_loop_wait_result (&second);
  g_assert_false (tau_agent_is_running (fixture->agent));
  g_assert_true (g_str_has_suffix (fixture->trace->str, "agent_end[U A]"));
  g_assert_true (tau_agent_wait_for_idle_finish (fixture->agent, first, NULL));
  g_assert_true (tau_agent_wait_for_idle_finish (fixture->agent, second, NULL));
}

/* Giving up the wait does not abort the run. */
static void
test_wait_cancelled (Fixture      *fixture,
                     gconstpointer data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GAsyncResult) other = NULL;
  g_autoptr(GError) error = NULL;

  tau_test_tool_set_manual (fixture->tool, TRUE);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  start (fixture, "hi");
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t1"));
  tau_agent_wait_for_idle_async (fixture->agent, cancellable, tau_test_loop_result_cb, &result);
  tau_agent_wait_for_idle_async (fixture->agent, NULL, tau_test_loop_result_cb, &other);
  g_cancellable_cancel (cancellable);
  tau_test_loop_wait_result (&result);
  g_assert_false (tau_agent_wait_for_idle_finish (fixture->agent, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (other);
  g_assert_true (tau_agent_is_running (fixture->agent));

  tau_test_tool_release (fixture->tool, "t1");
  tau_test_loop_wait_result (&other);
}

/* Whoever drops the agent during a run gets a run that ends, and no agent. */
static void
test_dropped_while_running (void)
{
  Fixture fixture;
  TauAgent *agent;

  fixture_set_up (&fixture, NULL);
  agent = fixture.agent;
  tau_test_provider_add_text (fixture.provider, "hello");
  start (&fixture, "hi");
  g_object_add_weak_pointer (G_OBJECT (agent), (gpointer *) &agent);
  g_object_unref (fixture.agent);
  tau_test_wait_until (agent == NULL);

  g_assert_true (g_str_has_suffix (fixture.trace->str, "agent_end[U A]"));
  fixture.agent = tau_agent_new ();
  fixture_tear_down (&fixture, NULL);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  fixture_test ("/agent/prompt-makes-a-user-message", test_prompt_makes_a_user_message);
  fixture_test ("/agent/prompt-of-other-role", test_prompt_of_other_role);
  fixture_test ("/agent/misuse-while-running", test_misuse_while_running);
  fixture_test ("/agent/misuse-in-last-event", test_misuse_in_last_event);
  fixture_test ("/agent/nothing-to-continue", test_nothing_to_continue);
  fixture_test ("/agent/continue-from-user", test_continue_from_user);
  fixture_test ("/agent/continue-with-steering", test_continue_with_steering);
  fixture_test ("/agent/continue-with-follow-up", test_continue_with_follow_up);
  fixture_test ("/agent/continue-after-failure", test_continue_after_failure);
  fixture_test ("/agent/run-failure", test_run_failure);
  fixture_test ("/agent/registered-provider", test_registered_provider);
  fixture_test ("/agent/state-before-listeners", test_state_before_listeners);
  fixture_test ("/agent/tool-runs-in-progress", test_tool_runs_in_progress);
  fixture_test ("/agent/notifications", test_notifications);
  fixture_test ("/agent/meddling-listener", test_meddling_listener);
  fixture_test ("/agent/abort-in-each-event", test_abort_in_each_event);
  fixture_test ("/agent/abort-at-once", test_abort_at_once);
  fixture_test ("/agent/abort-when-idle", test_abort_when_idle);
  fixture_test ("/agent/abort-is-quick", test_abort_is_quick);
  fixture_test ("/agent/reset", test_reset);
  fixture_test ("/agent/reset-while-running", test_reset_while_running);
  fixture_test ("/agent/wait-for-idle", test_wait_for_idle);
  fixture_test ("/agent/wait-cancelled", test_wait_cancelled);
  g_test_add_func ("/agent/dropped-while-running", test_dropped_while_running);

  return g_test_run ();
}
