/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

#define TAU_TYPE_OUTPUT_PANEL (tau_output_panel_get_type ())
G_DECLARE_FINAL_TYPE (TauOutputPanel, tau_output_panel, TAU, OUTPUT_PANEL, GtkBox)

void tau_output_panel_set_session (TauOutputPanel *self, TauAgentSession *session);
void tau_output_panel_show_call   (TauOutputPanel *self, const char *call_id);

G_END_DECLS
