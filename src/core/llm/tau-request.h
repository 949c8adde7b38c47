/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-model.h"
#include "core/message/tau-tool-spec.h"

G_BEGIN_DECLS

typedef struct _TauStreamHooks TauStreamHooks;

#define TAU_TYPE_REQUEST (tau_request_get_type ())
G_DECLARE_FINAL_TYPE (TauRequest, tau_request, TAU, REQUEST, GObject)

/**
 * TauRequestFields:
 * @model: which model
 * @system_prompt: (nullable): text
 * @messages: of TauMessage: user, assistant and toolResult only (already converted)
 * @tools: (nullable): of TauToolSpec
 * @thinking: %TAU_THINKING_OFF means the option is absent
 * @thinking_budgets: (nullable): JSON object level → tokens
 * @api_key: (nullable): key of this call
 * @session_id: (nullable): for caches
 * @headers: (nullable): JSON object of strings, sent last
 * @max_tokens: 0 = from the model
 * @temperature: negative = absent
 * @tool_choice: (nullable): JSON, handed through
 * @cache_retention: (nullable): "none", "short" or "long"; %NULL is "short" (or "long" by $PI_CACHE_RETENTION)
 * @timeout_ms: until the response's headers; 0 = 600000
 * @idle_timeout_ms: longest pause of the stream, see #TauHttpLimits; 0 = none
 * @max_retries: of the transport, before streaming; -1 = 2
 * @max_retry_delay_ms: cap for retry-after; 0 = 60000
 * @metadata: (nullable): JSON object
 * @hooks: (nullable): observers of payload and response
 *
 * All of a request; borrowed by the constructor, which copies or references.
 */
typedef struct
{
  TauModel        *model;
  const char      *system_prompt;
  GPtrArray       *messages;
  GPtrArray       *tools;
  TauThinkingLevel thinking;
  JsonNode        *thinking_budgets;
  const char      *api_key;
  const char      *session_id;
  JsonNode        *headers;
  gint64           max_tokens;
  double           temperature;
  JsonNode        *tool_choice;
  const char      *cache_retention;
  gint64           timeout_ms;
  gint64           idle_timeout_ms;
  int              max_retries;
  gint64           max_retry_delay_ms;
  JsonNode        *metadata;
  TauStreamHooks  *hooks;
} TauRequestFields;

#define TAU_REQUEST_FIELDS_INIT { .temperature = -1, .max_retries = -1 }

TauRequest             *tau_request_new        (const TauRequestFields *fields);
const TauRequestFields *tau_request_get_fields (TauRequest *self);   /* record: read only */

G_END_DECLS
