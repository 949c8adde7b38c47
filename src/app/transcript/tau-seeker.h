/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-stack-view.h"

G_BEGIN_DECLS

/**
 * TauSeekPlace:
 * @row: the row, built
 * @y: (out): where the place is in it
 * @height: (out): how high it is
 * @user_data: as given
 *
 * Finds a place within a row; may open what it is folded in.
 *
 * Returns: whether it is there
 */
typedef gboolean (*TauSeekPlace) (GtkWidget *row, int *y, int *height, gpointer user_data);

#define TAU_TYPE_SEEKER (tau_seeker_get_type ())
G_DECLARE_FINAL_TYPE (TauSeeker, tau_seeker, TAU, SEEKER, GObject)

TauSeeker *tau_seeker_new     (GListModel *rows, GtkWidget *list, TauStackView *stack);
void       tau_seeker_to_row  (TauSeeker *self, guint row, int offset);
void       tau_seeker_to_place (TauSeeker *self, guint row, TauSeekPlace place, gpointer user_data);
void       tau_seeker_stop    (TauSeeker *self);
gboolean   tau_seeker_is_busy (TauSeeker *self);
gboolean   tau_seeker_get_top (TauSeeker *self, guint64 *key, int *offset);

G_END_DECLS
