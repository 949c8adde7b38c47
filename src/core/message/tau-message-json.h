/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"
#include "core/message/tau-usage.h"

G_BEGIN_DECLS

/* The only file that knows the field names of messages in session files and in the JSON event stream. */
JsonNode   *tau_message_to_json    (TauMessage *message);
TauMessage *tau_message_from_json  (JsonNode *json, GError **error);
JsonNode   *tau_block_to_json      (TauBlock *block);
TauBlock   *tau_block_from_json    (JsonNode *json, GError **error);
GPtrArray  *tau_blocks_from_json   (JsonNode *array, GError **error);   /* of TauBlock */
JsonNode   *tau_blocks_to_json     (GPtrArray *blocks);
JsonNode   *tau_usage_to_json      (const TauUsage *usage);
void        tau_usage_from_json    (TauUsage *usage, JsonNode *json);

G_END_DECLS
