/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "core/markdown/tau-md-stream.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_MARKDOWN_VIEW (tau_markdown_view_get_type ())
G_DECLARE_FINAL_TYPE (TauMarkdownView, tau_markdown_view, TAU, MARKDOWN_VIEW, GtkWidget)

GtkWidget *tau_markdown_view_new           (void);
void       tau_markdown_view_set_expansion (TauMarkdownView *self, TauExpansions *expansions, guint64 key);
void       tau_markdown_view_set_text      (TauMarkdownView *self, const char *text, gssize length, TauMdFlags flags);
void       tau_markdown_view_update        (TauMarkdownView *self, TauMdStream *stream, guint first_changed);
guint      tau_markdown_view_get_n_blocks  (TauMarkdownView *self);

G_END_DECLS
