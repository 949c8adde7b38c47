/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_PANE_HANDLE (tau_pane_handle_get_type ())
G_DECLARE_FINAL_TYPE (TauPaneHandle, tau_pane_handle, TAU, PANE_HANDLE, GtkWidget)

void tau_pane_handle_set_pane (TauPaneHandle *self, GtkWidget *pane, gboolean at_start);

G_END_DECLS
