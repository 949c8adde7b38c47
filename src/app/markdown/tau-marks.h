/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tau-find-term.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * TauMarks:
 * @term: (nullable): what the reader looks for
 * @widget: (nullable): weak; the text with the hit that the reader stands at
 * @start: first byte of that hit
 *
 * What is marked in the texts below a [iface@MarkScope]. Plain struct, part of the scope.
 */
typedef struct
{
  TauFindTerm *term;
  GtkWidget   *widget;
  gsize        start;
} TauMarks;

#define TAU_TYPE_MARK_SCOPE (tau_mark_scope_get_type ())
G_DECLARE_INTERFACE (TauMarkScope, tau_mark_scope, TAU, MARK_SCOPE, GtkWidget)

/**
 * TauMarkScopeInterface:
 * @get_marks: (transfer none): what to mark
 *
 * A widget in whose texts words are looked for.
 */
struct _TauMarkScopeInterface
{
  GTypeInterface parent;

  TauMarks *(*get_marks) (TauMarkScope *self);
};

typedef gboolean (*TauTextFunc) (GtkWidget *widget, const char *text, gsize length, gpointer user_data);

void     tau_marks_clear           (TauMarks *self);
void     tau_marks_redraw          (TauMarks *self, GtkWidget *root);
void     tau_marks_snapshot_layout (GtkWidget *widget, GtkSnapshot *snapshot, PangoLayout *layout, gsize offset, int y);
gboolean tau_texts_foreach         (GtkWidget *root, TauTextFunc func, gpointer user_data);

G_END_DECLS
