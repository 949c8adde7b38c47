/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent-run.h"

#include "agent-fixture.h"

#include <string.h>

/* The orders of events, one test each, and what the loop does with queues, hooks and aborts. */

#define HEAD "agent_start turn_start sU(hi) eU(hi) "

static void
test_simple (Fixture      *fixture,
             gconstpointer data)
{
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(stop) turn_end[] agent_end[U A]");
  g_assert_cmpuint (tau_agent_get_messages (fixture->agent)->len, ==, 2);
}

static void
test_empty_prompt_list (Fixture      *fixture,
                        gconstpointer data)
{
  g_autoptr(GPtrArray) nothing = g_ptr_array_new ();

  tau_test_provider_add_text (fixture->provider, "hello");
  g_assert_true (tau_agent_prompt_messages (fixture->agent, nothing, NULL));
  wait_idle (fixture);

  g_assert_cmpstr (fixture->trace->str, ==, "agent_start turn_start sA upd eA(stop) turn_end[] agent_end[A]");
}

static void
test_two_tools_sequential (Fixture      *fixture,
                           gconstpointer data)
{
  tau_agent_set_sequential (fixture->agent, TRUE);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{\"update\":\"…\"}", "t2:do:{\"update\":\"…\"}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(toolUse) "
                   "start:t1 update:t1 end:t1 sR:t1 eR:t1 start:t2 update:t2 end:t2 sR:t2 eR:t2 turn_end[t1 t2] "
                   "turn_start sA upd eA(stop) turn_end[] agent_end[U A R:t1 R:t2 A]");
}

/* Three orders in one batch: starts as in the answer, ends as they come, results as in the answer. */
static void
test_two_tools_parallel (Fixture      *fixture,
                         gconstpointer data)
{
  tau_test_tool_set_manual (fixture->tool, TRUE);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", "t2:do:{}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  start (fixture, "hi");
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t2"));
  tau_test_tool_release (fixture->tool, "t2");
  wait_for_trace (fixture, "end:t2");
  tau_test_tool_release (fixture->tool, "t1");
  wait_idle (fixture);

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(toolUse) "
                   "start:t1 start:t2 end:t2 end:t1 sR:t1 eR:t1 sR:t2 eR:t2 turn_end[t1 t2] "
                   "turn_start sA upd eA(stop) turn_end[] agent_end[U A R:t1 R:t2 A]");
}

static void
test_parallel_with_failures (Fixture      *fixture,
                             gconstpointer data)
{
  tau_test_provider_add_calls (fixture->provider, "t1:do:{\"terminate\":\"never\"}", "t2:missing:{}",
                               "t3:do:{\"update\":\"…\"}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(toolUse) "
                   "start:t1 end:t1! start:t2 end:t2! start:t3 update:t3 end:t3 "
                   "sR:t1 eR:t1 sR:t2 eR:t2 sR:t3 eR:t3 turn_end[t1 t2 t3] "
                   "turn_start sA upd eA(stop) turn_end[] agent_end[U A R:t1 R:t2 R:t3 A]");
}

static void
test_abort_while_streaming (Fixture      *fixture,
                            gconstpointer data)
{
  g_autofree char *text = NULL;

  tau_test_provider_add_hang (fixture->provider, "so far");
  steer (fixture, "stays");
  start (fixture, "hi");
  wait_for_trace (fixture, "upd");
  tau_test_loop_settle ();
  steer (fixture, "waits");
  tau_agent_abort (fixture->agent);
  wait_idle (fixture);

  g_assert_cmpstr (fixture->trace->str, ==,
                   HEAD "sU(stays) eU(stays) sA upd eA(aborted) turn_end[] agent_end[U U A]");
  text = tau_message_dup_text (last_message (fixture), "");
  g_assert_cmpstr (text, ==, "so far");
  g_assert_cmpstr (tau_agent_get_error_message (fixture->agent), ==, "Request was aborted");
  g_assert_cmpuint (tau_agent_get_steering (fixture->agent)->len, ==, 1);
}

/* Trap 1: an abort stops neither the batch nor the loop; the next answer comes back empty. */
static void
test_abort_during_tool (Fixture      *fixture,
                        gconstpointer data)
{
  tau_agent_set_sequential (fixture->agent, TRUE);
  tau_test_tool_set_manual (fixture->tool, TRUE);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", "t2:do:{}", NULL);
  start (fixture, "hi");
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t1"));
  steer (fixture, "s1");
  tau_agent_abort (fixture->agent);
  wait_idle (fixture);

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(toolUse) start:t1 end:t1! sR:t1 eR:t1 "
                   "start:t2 end:t2! sR:t2 eR:t2 turn_end[t1 t2] turn_start sU(s1) eU(s1) sA eA(aborted) "
                   "turn_end[] agent_end[U A R:t1 R:t2 U A]");
  g_assert_cmpuint (tau_message_get_n_blocks (last_message (fixture)), ==, 0);
  g_assert_cmpstr (tau_test_tool_get_started (fixture->tool), ==, "t1 t2");
}

static void
test_error_after_start (Fixture      *fixture,
                        gconstpointer data)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_ptr_array_add (blocks, tau_block_new_text ("half", NULL));
  tau_test_provider_add (fixture->provider, &(TauTestAnswer) {
      .blocks = blocks,
      .stop_reason = TAU_STOP_REASON_ERROR,
      .error = "server fell over",
  });
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(error) turn_end[] agent_end[U A]");
  g_assert_cmpstr (tau_agent_get_error_message (fixture->agent), ==, "server fell over");
}

static void
test_error_before_start (Fixture      *fixture,
                         gconstpointer data)
{
  tau_test_provider_add (fixture->provider, &(TauTestAnswer) {
      .stop_reason = TAU_STOP_REASON_ERROR,
      .error = "No API key for provider: test",
      .no_start = TRUE,
  });
  steer (fixture, "s1");
  follow_up (fixture, "f1");
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sU(s1) eU(s1) sA eA(error) turn_end[] agent_end[U U A]");
  g_assert_cmpstr (tau_agent_get_error_message (fixture->agent), ==, "No API key for provider: test");
  g_assert_cmpuint (tau_agent_get_follow_ups (fixture->agent)->len, ==, 1);
}

static void
steer_twice_during_tools (Fixture *fixture)
{
  tau_test_tool_set_manual (fixture->tool, TRUE);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", NULL);
  tau_test_provider_add_text (fixture->provider, "one");
  tau_test_provider_add_text (fixture->provider, "two");
  start (fixture, "hi");
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t1"));
  steer (fixture, "s1");
  steer (fixture, "s2");
  tau_test_tool_release (fixture->tool, "t1");
  wait_idle (fixture);
}

static void
test_steering_one_at_a_time (Fixture      *fixture,
                             gconstpointer data)
{
  steer_twice_during_tools (fixture);

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(toolUse) start:t1 end:t1 sR:t1 eR:t1 turn_end[t1] "
                   "turn_start sU(s1) eU(s1) sA upd eA(stop) turn_end[] "
                   "turn_start sU(s2) eU(s2) sA upd eA(stop) turn_end[] agent_end[U A R:t1 U A U A]");
}

static void
test_steering_all (Fixture      *fixture,
                   gconstpointer data)
{
  tau_agent_set_steering_mode (fixture->agent, TAU_QUEUE_ALL);
  steer_twice_during_tools (fixture);

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(toolUse) start:t1 end:t1 sR:t1 eR:t1 turn_end[t1] "
                   "turn_start sU(s1) eU(s1) sU(s2) eU(s2) sA upd eA(stop) turn_end[] agent_end[U A R:t1 U U A]");
  g_assert_cmpuint (tau_test_provider_get_n_unused (fixture->provider), ==, 1);
}

static void
test_steering_before_prompt (Fixture      *fixture,
                             gconstpointer data)
{
  tau_test_provider_add_text (fixture->provider, "one");
  tau_test_provider_add_text (fixture->provider, "two");
  steer (fixture, "s1");
  steer (fixture, "s2");
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sU(s1) eU(s1) sA upd eA(stop) turn_end[] "
                   "turn_start sU(s2) eU(s2) sA upd eA(stop) turn_end[] agent_end[U U A U A]");
}

static void
test_follow_ups (Fixture      *fixture,
                 gconstpointer data)
{
  tau_test_provider_add_text (fixture->provider, "one");
  tau_test_provider_add_text (fixture->provider, "two");
  tau_test_provider_add_text (fixture->provider, "three");
  follow_up (fixture, "f1");
  follow_up (fixture, "f2");
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(stop) turn_end[] "
                   "turn_start sU(f1) eU(f1) sA upd eA(stop) turn_end[] "
                   "turn_start sU(f2) eU(f2) sA upd eA(stop) turn_end[] agent_end[U A U A U A]");
}

static void
test_all_tools_terminate (Fixture      *fixture,
                          gconstpointer data)
{
  tau_test_provider_add_calls (fixture->provider, "t1:do:{\"terminate\":true}", "t2:do:{\"terminate\":true}", NULL);
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(toolUse) start:t1 start:t2 end:t1 end:t2 "
                   "sR:t1 eR:t1 sR:t2 eR:t2 turn_end[t1 t2] agent_end[U A R:t1 R:t2]");
}

/* Terminate only keeps the model from being called again for the results; what waits is still answered. */
static void
test_terminate_with_steering (Fixture      *fixture,
                              gconstpointer data)
{
  tau_test_tool_set_manual (fixture->tool, TRUE);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{\"terminate\":true}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  start (fixture, "hi");
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t1"));
  steer (fixture, "s1");
  tau_test_tool_release (fixture->tool, "t1");
  wait_idle (fixture);

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(toolUse) start:t1 end:t1 sR:t1 eR:t1 turn_end[t1] "
                   "turn_start sU(s1) eU(s1) sA upd eA(stop) turn_end[] agent_end[U A R:t1 U A]");
}

static void
test_should_stop (Fixture      *fixture,
                  gconstpointer data)
{
  use_hooks (fixture);
  fixture->hooks->stop = TRUE;
  g_queue_push_tail (&fixture->hooks->follow_ups, user ("f1"));
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", NULL);
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==,
                   HEAD "sA upd eA(toolUse) start:t1 end:t1 sR:t1 eR:t1 turn_end[t1] agent_end[U A R:t1]");
  g_assert_cmpstr (fixture->hooks->log->str, ==,
                   "get_steering transform_context convert_to_llm get_api_key before:t1 after:t1 should_stop");
}

static void
test_hooks_polls (Fixture      *fixture,
                  gconstpointer data)
{
  use_hooks (fixture);
  steer (fixture, "not asked for");
  g_queue_push_tail (&fixture->hooks->steering, user ("s1"));
  g_queue_push_tail (&fixture->hooks->follow_ups, user ("f1"));
  tau_test_provider_add_text (fixture->provider, "one");
  tau_test_provider_add_text (fixture->provider, "two");
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sU(s1) eU(s1) sA upd eA(stop) turn_end[] "
                   "turn_start sU(f1) eU(f1) sA upd eA(stop) turn_end[] agent_end[U U A U A]");
  g_assert_cmpuint (tau_agent_get_steering (fixture->agent)->len, ==, 1);
  g_assert_cmpstr (fixture->hooks->log->str, ==,
                   "get_steering transform_context convert_to_llm get_api_key should_stop get_steering get_follow_up "
                   "transform_context convert_to_llm get_api_key should_stop get_steering get_follow_up");
}

/* Trap 5: calls are executed because they are there, whatever the stop reason says. */
static void
test_truncated_answer_with_call (Fixture      *fixture,
                                 gconstpointer data)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(JsonNode) arguments = json_node_init_object (json_node_alloc (), json_object_new ());

  g_ptr_array_add (blocks, tau_block_new_tool_call ("t1", "do", arguments, NULL));
  tau_test_provider_add (fixture->provider, &(TauTestAnswer) { .blocks = blocks, .stop_reason = TAU_STOP_REASON_LENGTH });
  tau_test_provider_add_text (fixture->provider, "done");
  prompt (fixture, "hi");

  g_assert_cmpstr (tau_test_tool_get_started (fixture->tool), ==, "t1");
}

/* Trap 6: the calls of a failed answer are not. */
static void
test_failed_answer_with_call (Fixture      *fixture,
                              gconstpointer data)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(JsonNode) arguments = json_node_init_object (json_node_alloc (), json_object_new ());

  g_ptr_array_add (blocks, tau_block_new_tool_call ("t1", "do", arguments, NULL));
  tau_test_provider_add (fixture->provider, &(TauTestAnswer) {
      .blocks = blocks,
      .stop_reason = TAU_STOP_REASON_ERROR,
      .error = "cut off",
  });
  prompt (fixture, "hi");

  g_assert_cmpstr (fixture->trace->str, ==, HEAD "sA upd eA(error) turn_end[] agent_end[U A]");
  g_assert_cmpstr (tau_test_tool_get_started (fixture->tool), ==, "");
}

/* Where each hook fails, how far the run gets, and that it says so in one message. */
static void
test_hook_failures (Fixture      *fixture,
                    gconstpointer data)
{
  static const struct { const char *method; const char *trace; } cases[] = {
    { "get_steering", HEAD "agent_end[A]" },
    { "transform_context", HEAD "agent_end[A]" },
    { "convert_to_llm", HEAD "agent_end[A]" },
    { "get_api_key", HEAD "agent_end[A]" },
    { "should_stop", HEAD "sA upd eA(stop) turn_end[] agent_end[A]" },
    { "get_follow_up", HEAD "sA upd eA(stop) turn_end[] agent_end[A]" },
  };

  use_hooks (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("%s failed", cases[i].method);

      fixture->hooks->fail = cases[i].method;
      tau_test_provider_add_text (fixture->provider, "hello");
      prompt (fixture, "hi");

      g_assert_cmpstr (fixture->trace->str, ==, cases[i].trace);
      g_assert_cmpstr (tau_agent_get_error_message (fixture->agent), ==, text);
    }
}

/* A run ends wherever the abort meets it, also within a hook that would never answer. */
static void
test_abort_in_hooks (Fixture      *fixture,
                     gconstpointer data)
{
  static const char * const methods[] = { "get_steering", "transform_context", "convert_to_llm", "get_api_key",
                                          "before:t1", "after:t1", "should_stop", "get_follow_up" };

  use_hooks (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autoptr(TauTestProvider) provider = tau_test_provider_new ();
      TauAssistantMessage *last;

      fixture->hooks->hang = methods[i];
      g_string_truncate (fixture->hooks->log, 0);
      tau_test_provider_add_calls (provider, "t1:do:{}", NULL);
      tau_test_provider_add_text (provider, "done");
      tau_agent_set_provider (fixture->agent, TAU_PROVIDER (provider));
      start (fixture, "hi");
      tau_test_wait_until (g_str_has_suffix (fixture->hooks->log->str, methods[i]));
      tau_agent_abort (fixture->agent);
      wait_idle (fixture);

      last = TAU_ASSISTANT_MESSAGE (last_message (fixture));
      g_assert_cmpint (tau_assistant_message_get_stop_reason (last), ==, TAU_STOP_REASON_ABORTED);
      g_assert_true (strstr (fixture->trace->str, "agent_end") != NULL);
    }
}

/* Trap 9 and 10: what a run is made of is fixed at its start. */
static void
test_snapshot_at_start (Fixture      *fixture,
                        gconstpointer data)
{
  g_autoptr(GPtrArray) nothing = g_ptr_array_new ();
  g_autoptr(TauTestTool) other = tau_test_tool_new ("other");

  tau_agent_set_system_prompt (fixture->agent, "first");
  tau_agent_set_thinking_level (fixture->agent, TAU_THINKING_LOW);
  tau_test_tool_set_manual (fixture->tool, TRUE);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  start (fixture, "hi");
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t1"));

  tau_agent_set_system_prompt (fixture->agent, "second");
  tau_agent_set_thinking_level (fixture->agent, TAU_THINKING_HIGH);
  tau_toolbox_add (tau_agent_get_toolbox (fixture->agent), TAU_TOOL (other));
  tau_agent_set_model (fixture->agent, NULL);
  tau_agent_set_messages (fixture->agent, nothing);
  tau_test_tool_release (fixture->tool, "t1");
  wait_idle (fixture);

  g_assert_cmpstr (request (fixture, 1)->system_prompt, ==, "first");
  g_assert_cmpint (request (fixture, 1)->thinking, ==, TAU_THINKING_LOW);
  g_assert_cmpuint (request (fixture, 1)->tools->len, ==, 1);
  g_assert_cmpuint (request (fixture, 1)->messages->len, ==, 3);
  g_assert_cmpuint (tau_agent_get_messages (fixture->agent)->len, ==, 2);
}

/* The queues' modes are live. */
static void
test_mode_changes_in_run (Fixture      *fixture,
                          gconstpointer data)
{
  tau_test_tool_set_manual (fixture->tool, TRUE);
  tau_test_provider_add_calls (fixture->provider, "t1:do:{}", NULL);
  tau_test_provider_add_text (fixture->provider, "done");
  start (fixture, "hi");
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t1"));
  steer (fixture, "s1");
  steer (fixture, "s2");
  tau_agent_set_steering_mode (fixture->agent, TAU_QUEUE_ALL);
  tau_test_tool_release (fixture->tool, "t1");
  wait_idle (fixture);

  g_assert_true (g_str_has_suffix (fixture->trace->str, "turn_start sU(s1) eU(s1) sU(s2) eU(s2) sA upd eA(stop) "
                                   "turn_end[] agent_end[U A R:t1 U U A]"));
}

static void
count_event_cb (const TauAgentEvent *event,
                gpointer             user_data)
{
  guint *n_events = user_data;

  (*n_events)++;
}

/* A run by itself: nobody but its task holds it, and an error leaves agent_end to the caller. */
static void
test_alone (void)
{
  TauRunSettings settings = TAU_RUN_SETTINGS_INIT;
  g_autoptr(GPtrArray) nothing = g_ptr_array_new ();
  g_autoptr(TauPromptQueue) queue = tau_prompt_queue_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  guint n_events = 0;
  TauAgentRun *run = tau_agent_run_new (&(TauAgentRunFields) {
      .settings = &settings,
      .history = nothing,
      .steering = queue,
      .follow_ups = queue,
      .sink = count_event_cb,
      .sink_data = &n_events,
  });

  tau_agent_run_async (run, nothing, FALSE, NULL, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  g_assert_false (tau_agent_run_finish (run, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "No API provider registered for api: unknown");
  g_assert_cmpuint (n_events, ==, 2);

  g_clear_object (&result);
  g_assert_finalize_object (run);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  fixture_test ("/agent-run/simple", test_simple);
  fixture_test ("/agent-run/empty-prompt-list", test_empty_prompt_list);
  fixture_test ("/agent-run/two-tools-sequential", test_two_tools_sequential);
  fixture_test ("/agent-run/two-tools-parallel", test_two_tools_parallel);
  fixture_test ("/agent-run/parallel-with-failures", test_parallel_with_failures);
  fixture_test ("/agent-run/abort-while-streaming", test_abort_while_streaming);
  fixture_test ("/agent-run/abort-during-tool", test_abort_during_tool);
  fixture_test ("/agent-run/error-after-start", test_error_after_start);
  fixture_test ("/agent-run/error-before-start", test_error_before_start);
  fixture_test ("/agent-run/steering-one-at-a-time", test_steering_one_at_a_time);
  fixture_test ("/agent-run/steering-all", test_steering_all);
  fixture_test ("/agent-run/steering-before-prompt", test_steering_before_prompt);
  fixture_test ("/agent-run/follow-ups", test_follow_ups);
  fixture_test ("/agent-run/all-tools-terminate", test_all_tools_terminate);
  fixture_test ("/agent-run/terminate-with-steering", test_terminate_with_steering);
  fixture_test ("/agent-run/should-stop", test_should_stop);
  fixture_test ("/agent-run/hooks-polls", test_hooks_polls);
  fixture_test ("/agent-run/truncated-answer-with-call", test_truncated_answer_with_call);
  fixture_test ("/agent-run/failed-answer-with-call", test_failed_answer_with_call);
  fixture_test ("/agent-run/hook-failures", test_hook_failures);
  fixture_test ("/agent-run/abort-in-hooks", test_abort_in_hooks);
  fixture_test ("/agent-run/snapshot-at-start", test_snapshot_at_start);
  fixture_test ("/agent-run/mode-changes-in-run", test_mode_changes_in_run);
  g_test_add_func ("/agent-run/alone", test_alone);

  return g_test_run ();
}
