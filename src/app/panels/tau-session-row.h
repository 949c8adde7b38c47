/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/panels/tau-session-groups.h"

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_ROW (tau_session_row_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionRow, tau_session_row, TAU, SESSION_ROW, GtkBox)

GtkWidget      *tau_session_row_new             (void);
void            tau_session_row_set_item        (TauSessionRow *self, TauSessionItem *item);
TauSessionItem *tau_session_row_get_item        (TauSessionRow *self);   /* nullable */
void            tau_session_row_set_alive       (TauSessionRow *self, GListModel *sessions);
void            tau_session_row_set_marks       (TauSessionRow *self, TauSessionMarks *marks);
GtkMenuButton  *tau_session_row_get_menu_button (TauSessionRow *self);

G_END_DECLS
