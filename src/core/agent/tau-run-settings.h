/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-hooks.h"
#include "core/llm/tau-provider.h"
#include "core/tool/tau-toolbox.h"

G_BEGIN_DECLS

/**
 * TauRunSettings:
 * @provider: (nullable): %NULL means the one registered for the model's api
 * @model: (nullable): whom to ask
 * @system_prompt: (nullable): text
 * @thinking: how much the model is to reason
 * @thinking_budgets: (nullable): JSON object level → tokens
 * @toolbox: (nullable): what the model may call
 * @hooks: (nullable): where the application steps in
 * @api_key: (nullable): used where no hook gives a key
 * @session_id: (nullable): for the provider's caches
 * @sequential: calls of one answer run one after the other
 * @idle_timeout_ms: longest pause of a stream; 0 = none, -1 = as the distance to the server suggests
 * @timeout_ms: until a response's headers; 0 = the provider's own
 * @max_retries: of the transport; -1 = the provider's own
 * @max_retry_delay_ms: cap for retry-after; 0 = the provider's own
 *
 * All that is fixed for one run. The agent changes its own copy at any time; a run keeps the copy that it started with.
 */
typedef struct
{
  TauProvider     *provider;
  TauModel        *model;
  char            *system_prompt;
  TauThinkingLevel thinking;
  JsonNode        *thinking_budgets;
  TauToolbox      *toolbox;
  TauAgentHooks   *hooks;
  char            *api_key;
  char            *session_id;
  gboolean         sequential;
  gint64           idle_timeout_ms;
  gint64           timeout_ms;
  int              max_retries;
  gint64           max_retry_delay_ms;
} TauRunSettings;

#define TAU_RUN_SETTINGS_INIT { .idle_timeout_ms = -1, .max_retries = -1 }

void tau_run_settings_copy  (const TauRunSettings *self, TauRunSettings *copy);
void tau_run_settings_clear (TauRunSettings *self);

G_END_DECLS
