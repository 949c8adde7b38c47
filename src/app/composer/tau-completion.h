/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-agent-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_COMPLETION (tau_completion_get_type ())
G_DECLARE_FINAL_TYPE (TauCompletion, tau_completion, TAU, COMPLETION, GObject)

/* What can be typed next: files behind "@", commands behind "/". */

TauCompletion *tau_completion_new         (GtkWidget *host, GtkTextView *view);
void           tau_completion_set_session (TauCompletion *self, TauAgentSession *session /* nullable */);
void           tau_completion_update      (TauCompletion *self);
void           tau_completion_close       (TauCompletion *self);
gboolean       tau_completion_is_open     (TauCompletion *self);
gboolean       tau_completion_wants_key   (TauCompletion *self, guint keyval);
gboolean       tau_completion_take_key    (TauCompletion *self, guint keyval);
void           tau_completion_present     (TauCompletion *self);

G_END_DECLS
