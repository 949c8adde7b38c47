/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

void     tau_output_claim      (void);
gboolean tau_output_write      (const char *text, gssize length);
gboolean tau_output_write_json (JsonNode *node);

G_END_DECLS
