/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_OUTLINE (tau_outline_get_type ())
G_DECLARE_FINAL_TYPE (TauOutline, tau_outline, TAU, OUTLINE, GObject)

/* Signal "chosen" (guint position): the reader wants to see that message. */

TauOutline *tau_outline_new      (GtkWidget *parent);
void        tau_outline_detach   (TauOutline *self);
void        tau_outline_open     (TauOutline *self, GListModel *messages /* of TauMessage */);

G_END_DECLS
