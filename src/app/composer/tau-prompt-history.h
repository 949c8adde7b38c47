/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-agent-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_PROMPT_HISTORY (tau_prompt_history_get_type ())
G_DECLARE_FINAL_TYPE (TauPromptHistory, tau_prompt_history, TAU, PROMPT_HISTORY, GObject)

/* Earlier prompts of the session, back in the field by Up and Down. */

TauPromptHistory *tau_prompt_history_new         (GtkTextView *view);
void              tau_prompt_history_set_session (TauPromptHistory *self, TauAgentSession *session /* nullable */);
gboolean          tau_prompt_history_wants_key   (TauPromptHistory *self, guint keyval);
gboolean          tau_prompt_history_take_key    (TauPromptHistory *self, guint keyval);

G_END_DECLS
