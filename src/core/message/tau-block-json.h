/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-block.h"
#include "core/message/tau-usage.h"

G_BEGIN_DECLS

/* The only file that knows the field names of content blocks and of usage. */
JsonNode  *tau_block_to_json    (TauBlock *block);
TauBlock  *tau_block_from_json  (JsonNode *json, GError **error);
GPtrArray *tau_blocks_from_json (JsonNode *array, GError **error);   /* of TauBlock */
JsonNode  *tau_blocks_to_json   (GPtrArray *blocks);
JsonNode  *tau_usage_to_json    (const TauUsage *usage);
void       tau_usage_from_json  (TauUsage *usage, JsonNode *json);

G_END_DECLS
