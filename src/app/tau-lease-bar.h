/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-agent-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_LEASE_BAR (tau_lease_bar_get_type ())
G_DECLARE_FINAL_TYPE (TauLeaseBar, tau_lease_bar, TAU, LEASE_BAR, GtkWidget)

void tau_lease_bar_set_session (TauLeaseBar *self, TauAgentSession *session);

G_END_DECLS
