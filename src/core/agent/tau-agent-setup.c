/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent-private.h"

/* What the next run of an agent is to be made of: model, tools, hooks, limits. A run that is on has its own copy. */

/**
 * tau_agent_set_model:
 * @self: an agent
 * @model: (nullable): whom the next run asks
 */
void
tau_agent_set_model (TauAgent *self,
                     TauModel *model)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  g_set_object (&self->settings.model, model);
}

/**
 * tau_agent_get_model:
 * @self: an agent
 *
 * Returns: (transfer none) (nullable): the model of the next run
 */
TauModel *
tau_agent_get_model (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), NULL);

  return self->settings.model;
}

/**
 * tau_agent_set_system_prompt:
 * @self: an agent
 * @prompt: (nullable): for the next run
 */
void
tau_agent_set_system_prompt (TauAgent   *self,
                             const char *prompt)
{
  g_autofree char *old = NULL;

  g_return_if_fail (TAU_IS_AGENT (self));

  old = self->settings.system_prompt;
  self->settings.system_prompt = g_strdup (prompt);
}

/**
 * tau_agent_set_thinking_level:
 * @self: an agent
 * @level: how much the model is to reason in the next run
 */
void
tau_agent_set_thinking_level (TauAgent        *self,
                              TauThinkingLevel level)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  self->settings.thinking = level;
}

/**
 * tau_agent_get_thinking_level:
 * @self: an agent
 *
 * Returns: the level of the next run
 */
TauThinkingLevel
tau_agent_get_thinking_level (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), TAU_THINKING_OFF);

  return self->settings.thinking;
}

/**
 * tau_agent_set_thinking_budgets:
 * @self: an agent
 * @budgets: (nullable): JSON object level → tokens, not changed afterwards
 */
void
tau_agent_set_thinking_budgets (TauAgent *self,
                                JsonNode *budgets)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  g_clear_pointer (&self->settings.thinking_budgets, json_node_unref);
  self->settings.thinking_budgets = budgets != NULL ? json_node_ref (budgets) : NULL;
}

/**
 * tau_agent_set_toolbox:
 * @self: an agent
 * @toolbox: (nullable): what the model may call in the next run
 */
void
tau_agent_set_toolbox (TauAgent   *self,
                       TauToolbox *toolbox)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  g_set_object (&self->settings.toolbox, toolbox);
}

/**
 * tau_agent_get_toolbox:
 * @self: an agent
 *
 * Returns: (transfer none) (nullable): the tools of the next run
 */
TauToolbox *
tau_agent_get_toolbox (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), NULL);

  return self->settings.toolbox;
}

/**
 * tau_agent_set_hooks:
 * @self: an agent
 * @hooks: (nullable): where the application steps into the next run; if it is a #TauStreamHooks too, it sees payloads
 *   and responses
 */
void
tau_agent_set_hooks (TauAgent      *self,
                     TauAgentHooks *hooks)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  g_set_object (&self->settings.hooks, hooks);
}

/**
 * tau_agent_set_provider:
 * @self: an agent
 * @provider: (nullable): whom to stream from; %NULL is the one registered for the model's api
 */
void
tau_agent_set_provider (TauAgent    *self,
                        TauProvider *provider)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  g_set_object (&self->settings.provider, provider);
}

/**
 * tau_agent_set_api_key:
 * @self: an agent
 * @key: (nullable): used where no hook gives one
 */
void
tau_agent_set_api_key (TauAgent   *self,
                       const char *key)
{
  g_autofree char *old = NULL;

  g_return_if_fail (TAU_IS_AGENT (self));

  old = self->settings.api_key;
  self->settings.api_key = g_strdup (key);
}

/**
 * tau_agent_set_session_id:
 * @self: an agent
 * @id: (nullable): by which a provider finds its cache
 */
void
tau_agent_set_session_id (TauAgent   *self,
                          const char *id)
{
  g_autofree char *old = NULL;

  g_return_if_fail (TAU_IS_AGENT (self));

  old = self->settings.session_id;
  self->settings.session_id = g_strdup (id);
}

/**
 * tau_agent_set_sequential:
 * @self: an agent
 * @sequential: whether the calls of one answer run one after the other
 */
void
tau_agent_set_sequential (TauAgent *self,
                          gboolean  sequential)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  self->settings.sequential = sequential;
}

/**
 * tau_agent_set_idle_timeout:
 * @self: an agent
 * @milliseconds: longest pause of a stream, after which the answer ends as an error; 0 = wait for ever; -1, the
 *   default = five minutes, but for ever if the server is on this machine or in a private network
 */
void
tau_agent_set_idle_timeout (TauAgent *self,
                            gint64    milliseconds)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  self->settings.idle_timeout_ms = milliseconds;
}

/**
 * tau_agent_set_request_limits:
 * @self: an agent
 * @timeout_ms: until the headers of a response; 0 = the provider's own
 * @max_retries: of the transport; -1 = the provider's own
 * @max_retry_delay_ms: longest wait that a server may ask for; 0 = the provider's own
 */
void
tau_agent_set_request_limits (TauAgent *self,
                              gint64    timeout_ms,
                              int       max_retries,
                              gint64    max_retry_delay_ms)
{
  g_return_if_fail (TAU_IS_AGENT (self));

  self->settings.timeout_ms = timeout_ms;
  self->settings.max_retries = max_retries;
  self->settings.max_retry_delay_ms = max_retry_delay_ms;
}

/**
 * tau_agent_set_history_func:
 * @self: an agent that is not running
 * @func: gives the transcript
 * @user_data: for @func
 *
 * Forgets the transcript. @func is called once, when something needs it: a run, or whoever asks for it.
 */
void
tau_agent_set_history_func (TauAgent            *self,
                            TauAgentHistoryFunc  func,
                            gpointer             user_data)
{
  g_return_if_fail (TAU_IS_AGENT (self));
  g_return_if_fail (self->run == NULL);

  g_ptr_array_set_size (self->messages, 0);
  self->history_func = func;
  self->history_data = user_data;
}

/**
 * tau_agent_has_history:
 * @self: an agent
 *
 * Returns: whether the transcript is here, and need not be asked for first
 */
gboolean
tau_agent_has_history (TauAgent *self)
{
  g_return_val_if_fail (TAU_IS_AGENT (self), FALSE);

  return self->history_func == NULL;
}
