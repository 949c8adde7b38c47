/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean tau_iso_time_parse (const char *text, gint64 *milliseconds, GError **error);

G_END_DECLS
