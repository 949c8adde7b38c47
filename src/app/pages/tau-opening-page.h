/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/tau-application.h"

G_BEGIN_DECLS

#define TAU_TYPE_OPENING_PAGE (tau_opening_page_get_type ())
G_DECLARE_FINAL_TYPE (TauOpeningPage, tau_opening_page, TAU, OPENING_PAGE, GtkWidget)

/* Opens sessions for a window, one at a time, and is the page to show while that takes long.
 *
 * Signals: "opened" (TauAgentSession), "failed" (string for a person), "given-up" by people, "changed": one of the two below did. */

void     tau_opening_page_open    (TauOpeningPage *self, TauApplication *application, const char *path);
void     tau_opening_page_cancel  (TauOpeningPage *self);
gboolean tau_opening_page_is_busy (TauOpeningPage *self);
gboolean tau_opening_page_is_slow (TauOpeningPage *self);   /* busy for long enough to be shown */

G_END_DECLS
