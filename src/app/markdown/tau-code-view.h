/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_CODE_VIEW (tau_code_view_get_type ())
G_DECLARE_FINAL_TYPE (TauCodeView, tau_code_view, TAU, CODE_VIEW, GtkWidget)

/**
 * TauCodeRange:
 * @start: first byte
 * @end: byte behind the last
 *
 * A part of the text of a code view.
 */
typedef struct
{
  gsize start;
  gsize end;
} TauCodeRange;

GtkWidget *tau_code_view_new          (void);
void       tau_code_view_set_text     (TauCodeView *self, const char *text, gsize length);
void       tau_code_view_set_language (TauCodeView *self, const char *language /* nullable */);
void       tau_code_view_set_window   (TauCodeView *self, guint first_line, guint n_lines);
void       tau_code_view_set_growing  (TauCodeView *self, gboolean growing);
void       tau_code_view_set_tints    (TauCodeView *self, const char *tints /* nullable */);
void       tau_code_view_set_changes  (TauCodeView *self, GArray *changes /* nullable, of TauCodeRange, in order */);
guint      tau_code_view_get_n_lines  (TauCodeView *self);
guint      tau_code_view_get_n_shown  (TauCodeView *self);
const char *tau_code_view_get_text    (TauCodeView *self);

G_END_DECLS
