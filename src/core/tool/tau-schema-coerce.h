/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

JsonNode *tau_schema_coerce_typed (JsonNode *schema,
                                   JsonNode *value);
JsonNode *tau_schema_coerce_plain (JsonNode *schema,
                                   JsonNode *value);

G_END_DECLS
