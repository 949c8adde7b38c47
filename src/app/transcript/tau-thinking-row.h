/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_THINKING_ROW (tau_thinking_row_get_type ())
G_DECLARE_FINAL_TYPE (TauThinkingRow, tau_thinking_row, TAU, THINKING_ROW, GtkWidget)

GtkWidget *tau_thinking_row_new      (TauExpansions *expansions, guint64 key);
void       tau_thinking_row_set_text (TauThinkingRow *self, const char *text, gssize length, gboolean growing);

G_END_DECLS
