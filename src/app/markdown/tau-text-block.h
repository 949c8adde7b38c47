/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/markdown/tau-md-block.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_TEXT_BLOCK (tau_text_block_get_type ())
G_DECLARE_FINAL_TYPE (TauTextBlock, tau_text_block, TAU, TEXT_BLOCK, GtkWidget)

GtkWidget   *tau_text_block_new        (TauMdInline *text /* nullable */);
void         tau_text_block_set_inline (TauTextBlock *self, TauMdInline *text);
void         tau_text_block_set_text   (TauTextBlock *self, const char *text);
TauMdInline *tau_text_block_get_inline (TauTextBlock *self);   /* borrowed, nullable */
void         tau_text_block_set_alignment (TauTextBlock *self, TauMdAlign align);
void         tau_text_block_select     (TauTextBlock *self, gsize start, gsize end);

G_END_DECLS
