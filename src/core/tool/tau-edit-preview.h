/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

char *tau_edit_preview_new (JsonNode *arguments /* nullable */);   /* nullable */

G_END_DECLS
