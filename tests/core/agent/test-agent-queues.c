/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent.h"

#include "agent-fixture.h"

/* What waits for the agent, as one sees it from outside. What the loop takes out of it is in test-agent-run.c. */

static void
test_queues (Fixture      *fixture,
             gconstpointer data)
{
  g_assert_false (tau_agent_has_queued_messages (fixture->agent));
  g_assert_cmpint (tau_agent_get_steering_mode (fixture->agent), ==, TAU_QUEUE_ONE_AT_A_TIME);
  tau_agent_set_steering_mode (fixture->agent, TAU_QUEUE_ALL);
  g_assert_cmpint (tau_agent_get_steering_mode (fixture->agent), ==, TAU_QUEUE_ALL);
  g_assert_cmpint (tau_agent_get_follow_up_mode (fixture->agent), ==, TAU_QUEUE_ONE_AT_A_TIME);
  tau_agent_set_follow_up_mode (fixture->agent, TAU_QUEUE_ALL);
  g_assert_cmpint (tau_agent_get_follow_up_mode (fixture->agent), ==, TAU_QUEUE_ALL);

  follow_up (fixture, "f1");
  g_assert_true (tau_agent_has_queued_messages (fixture->agent));
  tau_agent_clear_queues (fixture->agent);
  g_assert_false (tau_agent_has_queued_messages (fixture->agent));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  fixture_test ("/agent-queues/queues", test_queues);

  return g_test_run ();
}
