/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

char *tau_json_dup_outline (JsonNode *node);

G_END_DECLS
