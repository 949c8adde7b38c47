/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What comes from the clipboard into the field: text as it is, or a sentence that says why not. */

void     tau_paste_async    (GtkTextView *view, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean tau_paste_finish   (GtkTextView *view, GAsyncResult *result, GError **error);
char    *tau_paste_dup_text (const char *text, GError **error);

G_END_DECLS
