/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"
#include "core/message/tau-usage.h"

G_BEGIN_DECLS

/**
 * TauStopReason:
 * @TAU_STOP_REASON_STOP: the model was done
 * @TAU_STOP_REASON_LENGTH: a token limit cut it
 * @TAU_STOP_REASON_TOOL_USE: it waits for tool results
 * @TAU_STOP_REASON_ERROR: the request or the stream failed; see the error text
 * @TAU_STOP_REASON_ABORTED: stopped by the user
 *
 * Why an answer ended. Nicks are the strings of session files: stop, length, toolUse, error, aborted.
 */
typedef enum
{
  TAU_STOP_REASON_STOP,
  TAU_STOP_REASON_LENGTH,
  TAU_STOP_REASON_TOOL_USE,
  TAU_STOP_REASON_ERROR,
  TAU_STOP_REASON_ABORTED,
} TauStopReason;

const char    *tau_stop_reason_to_string   (TauStopReason reason);
gboolean       tau_stop_reason_from_string (const char *text, TauStopReason *reason);

#define TAU_TYPE_ASSISTANT_MESSAGE (tau_assistant_message_get_type ())
G_DECLARE_FINAL_TYPE (TauAssistantMessage, tau_assistant_message, TAU, ASSISTANT_MESSAGE, TauMessage)

/**
 * TauAssistantFields:
 * @api: protocol, e.g. "anthropic-messages"
 * @provider: vendor id
 * @model: id of the model that was asked
 * @response_model: (nullable): the model that answered, where it differs
 * @response_id: (nullable): the server's id
 * @diagnostics: (nullable): JSON array, kept as it came
 * @usage: tokens and cost, zeros if unknown
 * @stop_reason: why it ended
 * @error_message: (nullable): text for error and aborted
 * @timestamp: ms since 1970 when the request started
 *
 * All that an assistant message has beside its blocks; borrowed by the constructor, which copies.
 */
typedef struct
{
  const char   *api;
  const char   *provider;
  const char   *model;
  const char   *response_model;
  const char   *response_id;
  JsonNode     *diagnostics;
  TauUsage      usage;
  TauStopReason stop_reason;
  const char   *error_message;
  gint64        timestamp;
} TauAssistantFields;

TauAssistantMessage *tau_assistant_message_new                (GPtrArray *blocks, const TauAssistantFields *fields);
const char          *tau_assistant_message_get_api            (TauAssistantMessage *self);
const char          *tau_assistant_message_get_provider       (TauAssistantMessage *self);
const char          *tau_assistant_message_get_model          (TauAssistantMessage *self);
const char          *tau_assistant_message_get_response_model (TauAssistantMessage *self);
const char          *tau_assistant_message_get_response_id    (TauAssistantMessage *self);
JsonNode            *tau_assistant_message_get_diagnostics    (TauAssistantMessage *self);
const TauUsage      *tau_assistant_message_get_usage          (TauAssistantMessage *self);
TauStopReason        tau_assistant_message_get_stop_reason    (TauAssistantMessage *self);
const char          *tau_assistant_message_get_error_message  (TauAssistantMessage *self);
gboolean             tau_assistant_message_failed             (TauAssistantMessage *self);   /* error or aborted */
gboolean             tau_assistant_message_has_tool_calls     (TauAssistantMessage *self);

G_END_DECLS
