/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "core/message/tau-message.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Rows that are neither said by the user nor by the model. */
GtkWidget *tau_error_row_new     (TauMessage *message, TauExpansions *expansions, guint64 key);
GtkWidget *tau_summary_row_new   (TauMessage *message, TauExpansions *expansions, guint64 key);
GtkWidget *tau_custom_row_new    (TauMessage *message);
GtkWidget *tau_separator_row_new (const char *caption /* nullable */);

G_END_DECLS
