/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-hooks.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-provider.h"
#include "support/tau-test-tool.h"
#include "support/tau-test-trace.h"

/* An agent with a scripted provider, a tool "do" and the trace of its events. Tearing it down asserts that nothing of it
 * is leaked. */
typedef struct
{
  TauAgent        *agent;
  TauTestProvider *provider;
  TauTestTool     *tool;
  TauTestHooks    *hooks; /* not in the agent until the test puts them there */
  GString         *trace;
} Fixture;

static inline void
trace_cb (TauAgent            *agent,
          const TauAgentEvent *event,
          gpointer             user_data)
{
  tau_test_trace_event_cb (event, user_data);
}

static inline void
fixture_set_up (Fixture      *fixture,
                gconstpointer data)
{
  g_autoptr(TauModel) model = tau_test_model_new ();
  g_autoptr(TauToolbox) toolbox = tau_toolbox_new ();

  fixture->agent = tau_agent_new ();
  fixture->provider = tau_test_provider_new ();
  fixture->tool = tau_test_tool_new ("do");
  fixture->hooks = tau_test_hooks_new ();
  fixture->trace = g_string_new (NULL);

  tau_toolbox_add (toolbox, TAU_TOOL (fixture->tool));
  tau_agent_set_toolbox (fixture->agent, toolbox);
  tau_agent_set_model (fixture->agent, model);
  tau_agent_set_provider (fixture->agent, TAU_PROVIDER (fixture->provider));
  g_signal_connect (fixture->agent, "event", G_CALLBACK (trace_cb), fixture->trace);
}

static inline void
fixture_tear_down (Fixture      *fixture,
                   gconstpointer data)
{
  g_assert_false (tau_agent_is_running (fixture->agent));
  g_assert_finalize_object (fixture->agent);
  tau_test_loop_settle ();
  g_assert_finalize_object (fixture->provider);
  g_assert_finalize_object (fixture->tool);
  g_assert_finalize_object (fixture->hooks);
  g_string_free (fixture->trace, TRUE);
}

static inline void
use_hooks (Fixture *fixture)
{
  tau_agent_set_hooks (fixture->agent, TAU_AGENT_HOOKS (fixture->hooks));
}

static inline TauMessage *
user (const char *text)
{
  return TAU_MESSAGE (tau_user_message_new (text, NULL, 1));
}

static inline void
steer (Fixture    *fixture,
       const char *text)
{
  g_autoptr(TauMessage) message = user (text);

  tau_agent_steer (fixture->agent, message);
}

static inline void
follow_up (Fixture    *fixture,
           const char *text)
{
  g_autoptr(TauMessage) message = user (text);

  tau_agent_follow_up (fixture->agent, message);
}

static inline void
start (Fixture    *fixture,
       const char *text)
{
  g_autoptr(GError) error = NULL;

  g_string_truncate (fixture->trace, 0);
  tau_agent_prompt (fixture->agent, text, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (tau_agent_is_running (fixture->agent));
}

static inline void
wait_idle (Fixture *fixture)
{
  tau_test_wait_until (!tau_agent_is_running (fixture->agent));
}

static inline void
prompt (Fixture    *fixture,
        const char *text)
{
  start (fixture, text);
  wait_idle (fixture);
}

static inline void
wait_for_trace (Fixture    *fixture,
                const char *part)
{
  tau_test_wait_until (strstr (fixture->trace->str, part) != NULL);
}

static inline TauMessage *
last_message (Fixture *fixture)
{
  GPtrArray *messages = tau_agent_get_messages (fixture->agent);

  return g_ptr_array_index (messages, messages->len - 1);
}

static inline const TauRequestFields *
request (Fixture *fixture,
         guint    position)
{
  return tau_request_get_fields (g_ptr_array_index (tau_test_provider_get_requests (fixture->provider), position));
}

#define fixture_test(path, function) \
  g_test_add (path, Fixture, NULL, fixture_set_up, function, fixture_tear_down)
