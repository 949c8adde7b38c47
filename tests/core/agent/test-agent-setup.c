/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent.h"

#include "core/base/tau-json.h"

#include "agent-fixture.h"

/* What the setters are for: the next run, and only that. */

/* What the setters set is what the request says. */
static void
test_settings_reach_request (Fixture      *fixture,
                             gconstpointer data)
{
  g_autoptr(JsonNode) budgets = tau_json_parse ("{\"low\":5}", -1, NULL);
  const TauRequestFields *fields;

  tau_agent_set_system_prompt (fixture->agent, "be brief");
  tau_agent_set_thinking_level (fixture->agent, TAU_THINKING_LOW);
  tau_agent_set_thinking_budgets (fixture->agent, budgets);
  tau_agent_set_api_key (fixture->agent, "key");
  tau_agent_set_session_id (fixture->agent, "session");
  tau_agent_set_idle_timeout (fixture->agent, 11);
  tau_agent_set_request_limits (fixture->agent, 22, 33, 44);
  tau_test_provider_add_text (fixture->provider, "hello");
  prompt (fixture, "hi");

  fields = request (fixture, 0);
  g_assert_cmpstr (fields->system_prompt, ==, "be brief");
  g_assert_cmpint (fields->thinking, ==, tau_agent_get_thinking_level (fixture->agent));
  g_assert_cmpint (tau_json_get_int (fields->thinking_budgets, "low", 0), ==, 5);
  g_assert_cmpstr (fields->api_key, ==, "key");
  g_assert_cmpstr (fields->session_id, ==, "session");
  g_assert_cmpint (fields->idle_timeout_ms, ==, 11);
  g_assert_cmpint (fields->timeout_ms, ==, 22);
  g_assert_cmpint (fields->max_retries, ==, 33);
  g_assert_cmpint (fields->max_retry_delay_ms, ==, 44);
  g_assert_true (fields->model == tau_agent_get_model (fixture->agent));
}

static void
change_model_cb (TauAgent            *agent,
                 const TauAgentEvent *event,
                 gpointer             user_data)
{
  if (event->kind == TAU_AGENT_EVENT_AGENT_START)
    {
      tau_agent_set_system_prompt (agent, "later");
      tau_agent_set_thinking_level (agent, TAU_THINKING_HIGH);
      tau_agent_set_toolbox (agent, NULL);
    }
}

/* A run keeps what it began with; the next one has what was set meanwhile. */
static void
test_run_keeps_its_settings (Fixture      *fixture,
                             gconstpointer data)
{
  tau_agent_set_system_prompt (fixture->agent, "now");
  g_signal_connect (fixture->agent, "event", G_CALLBACK (change_model_cb), NULL);
  tau_test_provider_add_text (fixture->provider, "one");
  tau_test_provider_add_text (fixture->provider, "two");
  prompt (fixture, "1");
  prompt (fixture, "2");

  g_assert_cmpstr (request (fixture, 0)->system_prompt, ==, "now");
  g_assert_cmpstr (request (fixture, 1)->system_prompt, ==, "later");
  g_assert_cmpint (request (fixture, 1)->thinking, ==, TAU_THINKING_HIGH);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  fixture_test ("/agent-setup/settings-reach-request", test_settings_reach_request);
  fixture_test ("/agent-setup/run-keeps-its-settings", test_run_keeps_its_settings);

  return g_test_run ();
}
