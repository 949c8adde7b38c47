/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-marks.h"

#include "app/markdown/tau-selection.h"

#include <string.h>

/* Marks in texts: where the words stand that a reader looks for. A text asks what to mark when it paints itself, so
 * that nothing is kept in it; titles, which are GTK's own labels with the style class "findable", are told. */

G_DEFINE_INTERFACE (TauMarkScope, tau_mark_scope, GTK_TYPE_WIDGET)

static void
tau_mark_scope_default_init (TauMarkScopeInterface *iface)
{
}

/**
 * tau_marks_clear:
 * @self: marks
 *
 * Marks nothing any more.
 */
void
tau_marks_clear (TauMarks *self)
{
  g_clear_pointer (&self->term, tau_find_term_free);
  g_clear_weak_pointer (&self->widget);
  self->start = 0;
}

static gboolean
is_title (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "findable");
}

/**
 * tau_texts_foreach:
 * @root: a widget
 * @func: called for each text until it returns %TRUE
 * @user_data: for @func
 *
 * Goes through the texts below a widget, from top to bottom: those that can be selected, and titles.
 *
 * Returns: whether @func returned %TRUE
 */
gboolean
tau_texts_foreach (GtkWidget   *root,
                   TauTextFunc  func,
                   gpointer     user_data)
{
  if (TAU_IS_SELECTABLE (root))
    {
      gsize length;
      const char *text = TAU_SELECTABLE_GET_IFACE (root)->get_text (TAU_SELECTABLE (root), &length);

      return func (root, text, length, user_data);
    }
  if (is_title (root))
    {
      const char *text = gtk_label_get_label (GTK_LABEL (root));

      return func (root, text, strlen (text), user_data);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    /* The glimpse of a step that is open says what the step says. */
    if (gtk_widget_get_visible (child) && tau_texts_foreach (child, func, user_data))
      return TRUE;
  return FALSE;
}

static gboolean
look_up_colour (GtkWidget  *widget,
                const char *name,
                GdkRGBA    *colour)
{
  return gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), name, colour);
}

static void
mark_title (TauMarks   *self,
            GtkWidget  *label,
            const char *text,
            gsize       length)
{
  g_autoptr(PangoAttrList) list = pango_attr_list_new ();
  gsize start, end = 0;
  GdkRGBA colour;

  while (self->term && tau_find_term_next (self->term, text, length, end, &start, &end))
    {
      gboolean is_current = self->widget == label && self->start == start;
      PangoAttribute *attributes[2];

      if (!look_up_colour (label, is_current ? "tau_found_bg" : "tau_hit_bg", &colour))
        break;
      attributes[0] = pango_attr_background_new ((guint16) (colour.red * 65535), (guint16) (colour.green * 65535),
                                                 (guint16) (colour.blue * 65535));
      attributes[1] = pango_attr_background_alpha_new ((guint16) (colour.alpha * 65535));
      for (gsize i = 0; i < G_N_ELEMENTS (attributes); i++)
        {
          attributes[i]->start_index = (guint) start;
          attributes[i]->end_index = (guint) end;
          pango_attr_list_insert (list, attributes[i]);
        }
    }
  gtk_label_set_attributes (GTK_LABEL (label), list);
}

static gboolean
redraw_text (GtkWidget  *widget,
             const char *text,
             gsize       length,
             gpointer    user_data)
{
  if (GTK_IS_LABEL (widget))
    mark_title (user_data, widget, text, length);
  else
    gtk_widget_queue_draw (widget);
  return FALSE;
}

/**
 * tau_marks_redraw:
 * @self: marks
 * @root: a widget
 *
 * Shows the marks in all texts below @root, after they changed or after a widget came.
 */
void
tau_marks_redraw (TauMarks  *self,
                  GtkWidget *root)
{
  tau_texts_foreach (root, redraw_text, self);
}

static void
snapshot_range (GtkSnapshot   *snapshot,
                PangoLayout   *layout,
                int            y,
                int            start,
                int            end,
                const GdkRGBA *colour)
{
  int range[2] = { start, end };
  cairo_region_t *region = gdk_pango_layout_get_clip_region (layout, 0, y, range, 1);

  for (int i = 0; i < cairo_region_num_rectangles (region); i++)
    {
      cairo_rectangle_int_t box;

      cairo_region_get_rectangle (region, i, &box);
      gtk_snapshot_append_color (snapshot, colour, &GRAPHENE_RECT_INIT (box.x, box.y, box.width, box.height));
    }
  cairo_region_destroy (region);
}

/**
 * tau_marks_snapshot_layout:
 * @widget: a text
 * @snapshot: where to paint
 * @layout: all of its text, or a line of it
 * @offset: where the layout's text begins in that of the widget
 * @y: where the layout stands in the widget
 *
 * Paints marks behind a text.
 */
void
tau_marks_snapshot_layout (GtkWidget   *widget,
                           GtkSnapshot *snapshot,
                           PangoLayout *layout,
                           gsize        offset,
                           int          y)
{
  GtkWidget *scope = gtk_widget_get_ancestor (widget, TAU_TYPE_MARK_SCOPE);
  TauMarks *self = scope ? TAU_MARK_SCOPE_GET_IFACE (scope)->get_marks (TAU_MARK_SCOPE (scope)) : NULL;
  const char *text = pango_layout_get_text (layout);
  gsize length = strlen (text), start, end = 0;
  GdkRGBA colour, current;

  if (!self || !self->term || !look_up_colour (widget, "tau_hit_bg", &colour) ||
      !look_up_colour (widget, "tau_found_bg", &current))
    return;

  while (tau_find_term_next (self->term, text, length, end, &start, &end))
    {
      gboolean is_current = self->widget == widget && self->start == offset + start;

      snapshot_range (snapshot, layout, y, (int) start, (int) end, is_current ? &current : &colour);
    }
}
