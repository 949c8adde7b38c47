/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_STACK_VIEW (tau_stack_view_get_type ())
G_DECLARE_FINAL_TYPE (TauStackView, tau_stack_view, TAU, STACK_VIEW, GtkWidget)

GtkWidget *tau_stack_view_new        (GtkWidget *list, GtkWidget *tail);
gboolean   tau_stack_view_get_stuck  (TauStackView *self);
void       tau_stack_view_set_stuck  (TauStackView *self, gboolean stuck);
void       tau_stack_view_scroll_by  (TauStackView *self, double distance);
void       tau_stack_view_leave_tail (TauStackView *self);
gboolean   tau_stack_view_needs_sync (TauStackView *self);
int        tau_stack_view_get_tail_y (TauStackView *self);

G_END_DECLS
