/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Colours code with GtkSourceView's engine, without a view. Main thread only. */

const char *tau_highlighter_find_language (const char *name);
const char *tau_highlighter_guess_language (const char *path);
gboolean    tau_highlighter_is_warm       (const char *language);
void        tau_highlighter_run           (gconstpointer owner, const char *language, const char *text, gsize length,
                                           guint first_line, GPtrArray *lines);

G_END_DECLS
