/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

#define TAU_TYPE_COMPOSER (tau_composer_get_type ())
G_DECLARE_FINAL_TYPE (TauComposer, tau_composer, TAU, COMPOSER, GtkWidget)

void     tau_composer_set_session  (TauComposer *self, TauAgentSession *session);
char    *tau_composer_dup_text     (TauComposer *self);
void     tau_composer_set_text     (TauComposer *self, const char *text);
void     tau_composer_put_before   (TauComposer *self, const char *text);
void     tau_composer_send         (TauComposer *self, TauDelivery delivery);
void     tau_composer_choose_model (TauComposer *self);

G_END_DECLS
