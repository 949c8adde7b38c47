/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-transcript-finder.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_FIND_BAR (tau_find_bar_get_type ())
G_DECLARE_FINAL_TYPE (TauFindBar, tau_find_bar, TAU, FIND_BAR, GtkWidget)

/* Signals: "words-changed" (const char *): other words, "" when it is closed; "move" (gboolean forward). */

GtkWidget *tau_find_bar_new     (TauTranscriptFinder *finder);
void       tau_find_bar_open    (TauFindBar *self);
void       tau_find_bar_close   (TauFindBar *self);
gboolean   tau_find_bar_is_open (TauFindBar *self);

G_END_DECLS
