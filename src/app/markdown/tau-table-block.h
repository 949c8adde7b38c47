/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/markdown/tau-md-block.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_TABLE_BLOCK (tau_table_block_get_type ())
G_DECLARE_FINAL_TYPE (TauTableBlock, tau_table_block, TAU, TABLE_BLOCK, GtkWidget)

GtkWidget *tau_table_block_new       (TauMdBlock *table);
void       tau_table_block_set_table (TauTableBlock *self, TauMdBlock *table);

G_END_DECLS
