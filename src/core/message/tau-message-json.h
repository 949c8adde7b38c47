/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-block-json.h"
#include "core/message/tau-message.h"

G_BEGIN_DECLS

/* The only file that knows the field names of messages in session files and in the JSON event stream. */
JsonNode   *tau_message_to_json   (TauMessage *message);
TauMessage *tau_message_from_json (JsonNode *json, GError **error);

G_END_DECLS
