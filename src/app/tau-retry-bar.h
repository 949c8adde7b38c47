/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

/* Shown while a session waits before it tries a failed turn again: what happened, the seconds that are left, and the
 * buttons for win.stop and win.retry. */
#define TAU_TYPE_RETRY_BAR (tau_retry_bar_get_type ())
G_DECLARE_FINAL_TYPE (TauRetryBar, tau_retry_bar, TAU, RETRY_BAR, GtkWidget)

void tau_retry_bar_set_session (TauRetryBar *self, TauAgentSession *session);

G_END_DECLS
