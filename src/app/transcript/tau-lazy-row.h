/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "app/transcript/tau-height-cache.h"
#include "app/transcript/tau-transcript-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * TauRowHost:
 * @heights: true heights of rows that were built once
 * @dirty: (element-type TauLazyRow): rows that turned out to have another height than they had told
 * @last_round: the frame is about to be painted and will not be laid out again: nothing may be built any more, since
 *   that would ask for another layout
 * @expansions: what the reader opened and closed
 * @n_built: how many rows were built, for tests and benchmarks
 * @row_built: told of each row that was built
 * @row_built_data: for @row_built
 *
 * What rows share with the transcript that they are in, and which outlives them.
 */
typedef struct
{
  TauHeightCache *heights;
  GPtrArray      *dirty;
  gboolean        last_round;
  TauExpansions  *expansions;
  guint           n_built;
  void          (*row_built) (GtkWidget *row, gpointer user_data);
  gpointer        row_built_data;
} TauRowHost;

#define TAU_TYPE_LAZY_ROW (tau_lazy_row_get_type ())
G_DECLARE_FINAL_TYPE (TauLazyRow, tau_lazy_row, TAU, LAZY_ROW, GtkWidget)

GtkWidget         *tau_lazy_row_new      (TauRowHost *host);
void               tau_lazy_row_set_item (TauLazyRow *self, TauTranscriptItem *item /* nullable */);
TauTranscriptItem *tau_lazy_row_get_item (TauLazyRow *self);
gboolean           tau_lazy_row_is_built (TauLazyRow *self);
gboolean           tau_lazy_row_warm     (TauLazyRow *self, int width);
void               tau_column_place      (GtkWidget *widget, int width, int *x, int *column);

G_END_DECLS
