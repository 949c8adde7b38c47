/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-block.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_PICTURE_TILE (tau_picture_tile_get_type ())
G_DECLARE_FINAL_TYPE (TauPictureTile, tau_picture_tile, TAU, PICTURE_TILE, GtkWidget)

GtkWidget    *tau_picture_tile_new         (TauBlock *image, int width, int height, gboolean cover);
gboolean      tau_picture_tile_is_loading  (TauPictureTile *self);
GdkPaintable *tau_picture_tile_get_picture (TauPictureTile *self);   /* nullable: not there yet, or cannot be shown */

G_END_DECLS
