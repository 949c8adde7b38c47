/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "core/markdown/tau-md-block.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_BLOCK_FRAME (tau_block_frame_get_type ())
G_DECLARE_FINAL_TYPE (TauBlockFrame, tau_block_frame, TAU, BLOCK_FRAME, GtkWidget)

GtkWidget  *tau_block_frame_new       (TauMdBlock *block, TauMdBlock *before /* nullable */, TauExpansions *expansions /* nullable */, guint64 key);
gboolean    tau_block_frame_update    (TauBlockFrame *self, TauMdBlock *block, TauMdBlock *before);
TauMdBlock *tau_block_frame_get_block (TauBlockFrame *self);

G_END_DECLS
