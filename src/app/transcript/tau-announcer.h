/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_ANNOUNCER (tau_announcer_get_type ())
G_DECLARE_FINAL_TYPE (TauAnnouncer, tau_announcer, TAU, ANNOUNCER, GtkWidget)

void tau_announcer_set_messages (TauAnnouncer *self, GListModel *messages /* nullable, of TauMessage */);
void tau_announcer_say          (TauAnnouncer *self, const char *sentence);

G_END_DECLS
