/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-run-settings.h"

#include "core/base/tau-json.h"
#include "support/tau-test-hooks.h"
#include "support/tau-test-provider.h"
#include "support/tau-test-tool.h"

/* A copy is a snapshot: it owns all it has, and no later change reaches it. */

static void
test_copy (void)
{
  TauTestProvider *provider = tau_test_provider_new ();
  TauTestHooks *hooks = tau_test_hooks_new ();
  TauModel *model = tau_test_model_new ();
  TauRunSettings settings = {
    .provider = g_object_ref (TAU_PROVIDER (provider)),
    .model = g_object_ref (model),
    .system_prompt = g_strdup ("be brief"),
    .thinking = TAU_THINKING_HIGH,
    .thinking_budgets = tau_json_parse ("{\"high\":1}", -1, NULL),
    .hooks = g_object_ref (TAU_AGENT_HOOKS (hooks)),
    .api_key = g_strdup ("key"),
    .session_id = g_strdup ("id"),
    .sequential = TRUE,
    .idle_timeout_ms = 1,
    .timeout_ms = 2,
    .max_retries = 3,
    .max_retry_delay_ms = 4,
  };
  TauRunSettings copy;

  tau_run_settings_copy (&settings, &copy);
  tau_run_settings_clear (&settings);

  g_assert_true (copy.provider == TAU_PROVIDER (provider));
  g_assert_true (copy.model == model);
  g_assert_cmpstr (copy.system_prompt, ==, "be brief");
  g_assert_cmpint (copy.thinking, ==, TAU_THINKING_HIGH);
  g_assert_cmpint (tau_json_get_int (copy.thinking_budgets, "high", 0), ==, 1);
  g_assert_true (copy.hooks == TAU_AGENT_HOOKS (hooks));
  g_assert_cmpstr (copy.api_key, ==, "key");
  g_assert_cmpstr (copy.session_id, ==, "id");
  g_assert_true (copy.sequential);
  g_assert_cmpint (copy.idle_timeout_ms, ==, 1);
  g_assert_cmpint (copy.timeout_ms, ==, 2);
  g_assert_cmpint (copy.max_retries, ==, 3);
  g_assert_cmpint (copy.max_retry_delay_ms, ==, 4);

  tau_run_settings_clear (&copy);
  g_assert_finalize_object (provider);
  g_assert_finalize_object (hooks);
  g_assert_finalize_object (model);
}

static void
test_toolbox_is_frozen (void)
{
  g_autoptr(TauTestTool) first = tau_test_tool_new ("first");
  g_autoptr(TauTestTool) other = tau_test_tool_new ("first");
  g_autoptr(TauTestTool) second = tau_test_tool_new ("second");
  TauRunSettings settings = TAU_RUN_SETTINGS_INIT;
  TauRunSettings copy;

  settings.toolbox = tau_toolbox_new ();
  tau_toolbox_add (settings.toolbox, TAU_TOOL (first));
  tau_run_settings_copy (&settings, &copy);
  tau_toolbox_add (settings.toolbox, TAU_TOOL (other));
  tau_toolbox_add (settings.toolbox, TAU_TOOL (second));

  g_assert_cmpuint (tau_toolbox_get_n_tools (copy.toolbox), ==, 1);
  g_assert_true (tau_toolbox_lookup (copy.toolbox, "first") == TAU_TOOL (first));

  tau_run_settings_clear (&copy);
  tau_run_settings_clear (&settings);
}

static void
test_empty (void)
{
  TauRunSettings settings = TAU_RUN_SETTINGS_INIT;
  TauRunSettings copy;

  tau_run_settings_copy (&settings, &copy);
  g_assert_cmpint (copy.max_retries, ==, -1);
  g_assert_null (copy.toolbox);
  g_assert_null (copy.model);
  tau_run_settings_clear (&copy);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run-settings/copy", test_copy);
  g_test_add_func ("/run-settings/toolbox-is-frozen", test_toolbox_is_frozen);
  g_test_add_func ("/run-settings/empty", test_empty);

  return g_test_run ();
}
