/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

#define TAU_TYPE_MODEL_BUTTON (tau_model_button_get_type ())
G_DECLARE_FINAL_TYPE (TauModelButton, tau_model_button, TAU, MODEL_BUTTON, GtkWidget)

void tau_model_button_set_session (TauModelButton *self, TauAgentSession *session);
void tau_model_button_popup       (TauModelButton *self);

G_END_DECLS
