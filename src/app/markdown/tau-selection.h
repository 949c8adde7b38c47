/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_SELECTION (tau_selection_get_type ())
G_DECLARE_FINAL_TYPE (TauSelection, tau_selection, TAU, SELECTION, GObject)

#define TAU_TYPE_TEXT_HOST (tau_text_host_get_type ())
G_DECLARE_INTERFACE (TauTextHost, tau_text_host, TAU, TEXT_HOST, GtkWidget)

/**
 * TauTextHostInterface:
 * @add_to_menu: appends to the menu of a text in the widget
 *
 * A widget that has more to offer in the menus of the texts in it: to copy all of what they are a part of.
 */
struct _TauTextHostInterface
{
  GTypeInterface parent;

  void (*add_to_menu) (TauTextHost *self, GMenu *menu);
};

#define TAU_TYPE_SELECTABLE (tau_selectable_get_type ())
G_DECLARE_INTERFACE (TauSelectable, tau_selectable, TAU, SELECTABLE, GtkWidget)

/**
 * TauSelectableInterface:
 * @get_text: the text that can be selected, and its bytes
 * @index_at: the byte nearest to a point in the widget
 * @link_at: (nullable): the address of the link under a point, or %NULL
 * @get_selection: the selection of the widget
 * @y_of: where the line with a byte stands in the widget, and how high it is
 *
 * A widget whose text can be selected with the mouse by a [class@Selection].
 */
struct _TauSelectableInterface
{
  GTypeInterface parent;

  const char *(*get_text) (TauSelectable *self, gsize *length);
  gsize       (*index_at) (TauSelectable *self, double x, double y);
  const char *(*link_at)  (TauSelectable *self, double x, double y);
  TauSelection *(*get_selection) (TauSelectable *self);
  int         (*y_of)     (TauSelectable *self, gsize index, int *height);
};

TauSelection *tau_selection_new       (TauSelectable *owner);
void          tau_selection_detach    (TauSelection *self);
gboolean      tau_selection_get       (TauSelection *self, gsize *start, gsize *end);
void          tau_selection_clear     (TauSelection *self);
void          tau_selection_select    (TauSelection *self, gsize start, gsize end);
void          tau_selection_allocate  (TauSelection *self);
gboolean      tau_selection_copy_current (void);
char         *tau_selection_dup_current  (void);   /* nullable */
void          tau_selection_extend    (TauSelection *self, double x, double y);

G_END_DECLS
