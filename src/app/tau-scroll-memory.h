/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void  tau_scroll_memory_store (GSettings *settings, const char *session_id, const char *position /* nullable: the end */);
char *tau_scroll_memory_load  (GSettings *settings, const char *session_id);   /* nullable */

G_END_DECLS
