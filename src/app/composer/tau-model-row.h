/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/llm/tau-model.h"

G_BEGIN_DECLS

/* Record: a model in the list to choose from, as it is now. */
#define TAU_TYPE_MODEL_ITEM (tau_model_item_get_type ())
G_DECLARE_FINAL_TYPE (TauModelItem, tau_model_item, TAU, MODEL_ITEM, GObject)

typedef struct
{
  gboolean usable;     /* a key is there, or none is needed */
  gboolean favourite;
  gboolean current;    /* the one that answers now */
} TauModelState;

TauModelItem *tau_model_item_new       (TauModel *model, const char *heading /* nullable */, const TauModelState *state);
TauModel     *tau_model_item_get_model (TauModelItem *self);
gboolean      tau_model_item_is_usable (TauModelItem *self);
gboolean      tau_model_item_is_favourite (TauModelItem *self);

#define TAU_TYPE_MODEL_ROW (tau_model_row_get_type ())
G_DECLARE_FINAL_TYPE (TauModelRow, tau_model_row, TAU, MODEL_ROW, GtkWidget)

void tau_model_row_set_item (TauModelRow *self, TauModelItem *item);

G_END_DECLS
