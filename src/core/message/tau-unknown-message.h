/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

#define TAU_TYPE_UNKNOWN_MESSAGE (tau_unknown_message_get_type ())
G_DECLARE_FINAL_TYPE (TauUnknownMessage, tau_unknown_message, TAU, UNKNOWN_MESSAGE, TauMessage)

TauUnknownMessage *tau_unknown_message_new      (JsonNode *json);
JsonNode          *tau_unknown_message_get_json (TauUnknownMessage *self);

G_END_DECLS
