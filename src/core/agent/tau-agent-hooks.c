/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent-hooks.h"

/* TauAgentHooks: the places where an application steps into the loop. All are optional, so the interface has no
 * defaults: the run and the batch look for a method and go their own way where there is none. */

G_DEFINE_INTERFACE (TauAgentHooks, tau_agent_hooks, G_TYPE_OBJECT)

static void
tau_agent_hooks_default_init (TauAgentHooksInterface *iface)
{
}

/**
 * tau_tool_verdict_clear:
 * @verdict: a verdict
 *
 * Frees what @verdict holds and makes it say "go on".
 */
void
tau_tool_verdict_clear (TauToolVerdict *verdict)
{
  g_return_if_fail (verdict != NULL);

  g_clear_pointer (&verdict->reason, g_free);
  g_clear_pointer (&verdict->arguments, json_node_unref);
  verdict->block = FALSE;
}

/**
 * tau_agent_hooks_get_methods:
 * @self: (nullable): hooks
 *
 * For those who ask: a method that is %NULL, or all of them where there are no hooks, means that nobody steps in.
 *
 * Returns: the methods of @self
 */
const TauAgentHooksInterface *
tau_agent_hooks_get_methods (TauAgentHooks *self)
{
  static const TauAgentHooksInterface none = { 0 };

  g_return_val_if_fail (self == NULL || TAU_IS_AGENT_HOOKS (self), &none);

  return self != NULL ? TAU_AGENT_HOOKS_GET_IFACE (self) : &none;
}
