/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

#define TAU_TYPE_TOOL_RESULT_MESSAGE (tau_tool_result_message_get_type ())
G_DECLARE_FINAL_TYPE (TauToolResultMessage, tau_tool_result_message, TAU, TOOL_RESULT_MESSAGE, TauMessage)

TauToolResultMessage *tau_tool_result_message_new           (const char *call_id, const char *tool_name, GPtrArray *blocks,
                                                             JsonNode *details /* nullable */, gboolean is_error, gint64 timestamp);
const char           *tau_tool_result_message_get_call_id   (TauToolResultMessage *self);
const char           *tau_tool_result_message_get_tool_name (TauToolResultMessage *self);
JsonNode             *tau_tool_result_message_get_details   (TauToolResultMessage *self);   /* nullable, borrowed; never sent to a model */
gboolean              tau_tool_result_message_get_is_error  (TauToolResultMessage *self);

G_END_DECLS
