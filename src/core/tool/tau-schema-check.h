/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

gboolean tau_schema_check   (JsonNode  *schema,
                             JsonNode  *value,
                             GPtrArray *lines);
gboolean tau_schema_is_type (JsonNode   *value,
                             const char *type);

G_END_DECLS
