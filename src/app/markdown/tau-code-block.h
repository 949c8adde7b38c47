/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "core/markdown/tau-md-block.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_CODE_BLOCK (tau_code_block_get_type ())
G_DECLARE_FINAL_TYPE (TauCodeBlock, tau_code_block, TAU, CODE_BLOCK, GtkWidget)

GtkWidget *tau_code_block_new          (void);
void       tau_code_block_set_block    (TauCodeBlock *self, TauMdBlock *block);
void       tau_code_block_set_text     (TauCodeBlock *self, const char *text, gsize length, gboolean growing);
void       tau_code_block_set_title    (TauCodeBlock *self, const char *title /* nullable: no header */);
void       tau_code_block_set_language (TauCodeBlock *self, const char *language /* nullable: an id */);
void       tau_code_block_set_expansion (TauCodeBlock *self, TauExpansions *expansions, guint64 key);
void       tau_code_block_set_tints    (TauCodeBlock *self, const char *tints /* nullable */);
void       tau_code_block_set_changes  (TauCodeBlock *self, GArray *changes /* nullable, of TauCodeRange */);
void       tau_code_block_set_cap      (TauCodeBlock *self, guint n_lines);
gboolean   tau_code_block_reveal       (TauCodeBlock *self, gsize index);
void       tau_code_block_set_revealed (TauCodeBlock *self, gboolean revealed);

G_END_DECLS
