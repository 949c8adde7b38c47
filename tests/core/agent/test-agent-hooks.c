/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent-hooks.h"

#include "core/base/tau-json.h"
#include "support/tau-test-hooks.h"

/* The interface by itself; what each hook does to a run is tested where it is called. */

static void
test_verdict_clear (void)
{
  TauToolVerdict verdict = { 0 };

  tau_tool_verdict_clear (&verdict);
  verdict.block = TRUE;
  verdict.reason = g_strdup ("no");
  verdict.arguments = tau_json_parse ("{}", -1, NULL);
  tau_tool_verdict_clear (&verdict);

  g_assert_false (verdict.block);
  g_assert_null (verdict.reason);
  g_assert_null (verdict.arguments);
}

static void
test_no_hooks_have_no_methods (void)
{
  const TauAgentHooksInterface *methods = tau_agent_hooks_get_methods (NULL);

  g_assert_null (methods->transform_context_async);
  g_assert_null (methods->convert_to_llm_async);
  g_assert_null (methods->get_api_key_async);
  g_assert_null (methods->before_tool_call_async);
  g_assert_null (methods->after_tool_call_async);
  g_assert_null (methods->should_stop_async);
  g_assert_null (methods->get_steering_async);
  g_assert_null (methods->get_follow_up_async);
}

static void
test_methods_of_hooks (void)
{
  g_autoptr(TauTestHooks) hooks = tau_test_hooks_new ();

  g_assert_true (tau_agent_hooks_get_methods (TAU_AGENT_HOOKS (hooks)) == TAU_AGENT_HOOKS_GET_IFACE (hooks));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent-hooks/verdict-clear", test_verdict_clear);
  g_test_add_func ("/agent-hooks/no-hooks-have-no-methods", test_no_hooks_have_no_methods);
  g_test_add_func ("/agent-hooks/methods-of-hooks", test_methods_of_hooks);

  return g_test_run ();
}
