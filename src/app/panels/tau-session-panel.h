/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/session/tau-session-index.h"
#include "core/session/tau-session-marks.h"

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_PANEL (tau_session_panel_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionPanel, tau_session_panel, TAU, SESSION_PANEL, GtkBox)

void tau_session_panel_set_index   (TauSessionPanel *self, TauSessionIndex *index, GListModel *alive, TauSessionMarks *marks);
void tau_session_panel_set_current (TauSessionPanel *self, const char *path, const char *folder);
void tau_session_panel_search      (TauSessionPanel *self);

G_END_DECLS
