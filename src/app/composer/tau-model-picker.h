/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

#define TAU_TYPE_MODEL_PICKER (tau_model_picker_get_type ())
G_DECLARE_FINAL_TYPE (TauModelPicker, tau_model_picker, TAU, MODEL_PICKER, GtkPopover)

void tau_model_picker_set_session (TauModelPicker *self, TauAgentSession *session);

G_END_DECLS
