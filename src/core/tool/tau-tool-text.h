/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *tau_tool_text_from_bytes (const char *bytes,
                                gsize       length);
char *tau_tool_text_to_bytes   (const char *text,
                                gsize      *length);

G_END_DECLS
