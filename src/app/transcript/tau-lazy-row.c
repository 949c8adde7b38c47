/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-lazy-row.h"

#include "app/markdown/tau-measure.h"
#include "app/markdown/tau-selection.h"
#include "app/transcript/tau-row-factory.h"
#include "app/transcript/tau-row-texts.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauLazyRow: the child of every list item. GtkListView keeps and measures some 200 rows but allocates only those in
 * view. So this widget answers measure() from the cache of heights or by an estimate, and builds what it shows when
 * it is allocated. If the true height is another one it says so to its host, which lays out again before painting. */
struct _TauLazyRow
{
  GtkWidget          parent_instance;
  TauRowHost        *host;      /* borrowed; outlives the rows */
  TauTranscriptItem *item;
  GtkWidget         *content;   /* nullable; the only child */
};

#define COLUMN_REM   46
#define MARGIN       24
#define MARGIN_SMALL 12
#define NARROW       600
#define NESTED       18   /* rows of an open group begin farther in */

static void text_host_init (TauTextHostInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauLazyRow, tau_lazy_row, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_TEXT_HOST, text_host_init))

static void
add_to_menu (TauTextHost *host,
             GMenu       *menu)
{
  g_menu_append (menu, _("Copy Message as _Markdown"), "message.copy");
}

static void
text_host_init (TauTextHostInterface *iface)
{
  iface->add_to_menu = add_to_menu;
}

static void
copy_message_cb (GtkWidget  *widget,
                 const char *action,
                 GVariant   *parameter)
{
  TauLazyRow *self = TAU_LAZY_ROW (widget);
  g_autofree char *text = self->item ? tau_row_texts_dup_message (tau_transcript_item_get_message (self->item)) : NULL;

  if (text)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/**
 * tau_column_place:
 * @widget: gives the font, by whose size the column is measured
 * @width: the width that there is
 * @x: (out): where the column begins
 * @column: (out): how wide it is
 *
 * All rows share one column, so that everything stands on the same edges.
 */
void
tau_column_place (GtkWidget *widget,
                  int        width,
                  int       *x,
                  int       *column)
{
  PangoContext *context = gtk_widget_get_pango_context (widget);
  const PangoFontDescription *font = pango_context_get_font_description (context);
  double size = pango_font_description_get_size (font) / (double) PANGO_SCALE;
  int margin = width < NARROW ? MARGIN_SMALL : MARGIN;

  if (!pango_font_description_get_size_is_absolute (font))
    size *= pango_cairo_context_get_resolution (context) / 72;
  *column = MAX (MIN (width - 2 * margin, (int) (size * COLUMN_REM)), 1);
  *x = (width - *column) / 2;
}

static int
count_lines (const char *text,
             gsize       length,
             int         columns)
{
  int lines = 0;

  for (const char *end = text + length; text < end;)
    {
      const char *stop = memchr (text, '\n', end - text);

      stop = stop ? stop : end;
      lines += 1 + (int) (stop - text) / MAX (columns, 1);
      text = stop + 1;
    }
  return lines;
}

static int
estimate (TauLazyRow *self,
          int         width)
{
  gsize length;
  const char *text;

  switch (tau_transcript_item_get_kind (self->item))
    {
    case TAU_TRANSCRIPT_TEXT:
      text = tau_transcript_item_get_text (self->item, &length);
      return 20 * count_lines (text, length, width / 7);
    case TAU_TRANSCRIPT_USER:
    case TAU_TRANSCRIPT_CUSTOM:
      {
        g_autofree char *all = tau_message_dup_text (tau_transcript_item_get_message (self->item), "\n");

        return 24 + 20 * count_lines (all, strlen (all), width / 7);
      }
    case TAU_TRANSCRIPT_ERROR:
      return 90;
    case TAU_TRANSCRIPT_THINKING:
    case TAU_TRANSCRIPT_TOOL:
    case TAU_TRANSCRIPT_BASH:
    case TAU_TRANSCRIPT_SUMMARY:
    case TAU_TRANSCRIPT_SEPARATOR:
    case TAU_TRANSCRIPT_GROUP:
    default:
      return 36;
    }
}

static void
build (TauLazyRow *self)
{
  self->content = tau_row_factory_make (self->item, self->host->expansions);
  gtk_widget_set_parent (self->content, GTK_WIDGET (self));
  self->host->n_built++;
  if (self->host->row_built)
    self->host->row_built (GTK_WIDGET (self), self->host->row_built_data);
}

static void
place (TauLazyRow *self,
       int         width,
       int        *x,
       int        *column)
{
  tau_column_place (GTK_WIDGET (self), width, x, column);
  if (!tau_transcript_item_get_nested (self->item))
    return;
  *column = MAX (*column - NESTED, 1);
  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_LTR)
    *x += NESTED;
}

static int
height_for (TauLazyRow *self,
            int         width)
{
  guint64 key = tau_transcript_item_get_key (self->item);
  gboolean cached = tau_height_cache_get_width (self->host->heights) == width;
  int x, column, height = 0;

  place (self, width, &x, &column);
  if (self->content)
    {
      height = tau_measure_height (self->content, column);
      if (cached)
        tau_height_cache_set (self->host->heights, key, height);
    }
  else if (cached)
    {
      height = tau_height_cache_get (self->host->heights, key);
    }
  if (height == 0)
    height = estimate (self, column);
  return height + tau_transcript_item_get_gap (self->item);
}

static GtkSizeRequestMode
tau_lazy_row_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
tau_lazy_row_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  TauLazyRow *self = TAU_LAZY_ROW (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 120;
      *natural = 600;
    }
  else
    {
      int width = for_size < 0 ? tau_height_cache_get_width (self->host->heights) : for_size;

      /* Asked without a width, which GTK does now and then, it must not lay out its texts for another one. */
      *minimum = *natural = self->item ? height_for (self, width > 0 ? width : 600) : 20;
    }
}

static void
tau_lazy_row_size_allocate (GtkWidget *widget,
                            int        width,
                            int        height,
                            int        baseline)
{
  TauLazyRow *self = TAU_LAZY_ROW (widget);
  int gap, x, column, content_height;

  if (!self->item)
    return;

  tau_height_cache_set_width (self->host->heights, width);
  if (!self->content && self->host->last_round)
    {
      g_ptr_array_add (self->host->dirty, g_object_ref (self));
      return;
    }
  if (!self->content)
    {
      build (self);
      if (height_for (self, width) != height)
        g_ptr_array_add (self->host->dirty, g_object_ref (self));
    }
  gap = tau_transcript_item_get_gap (self->item);
  place (self, width, &x, &column);
  content_height = tau_measure_height (self->content, column);
  gtk_widget_size_allocate (self->content, &(GtkAllocation) { x, gap, column, MAX (content_height, height - gap) }, -1);
}

static void
tau_lazy_row_dispose (GObject *object)
{
  tau_lazy_row_set_item (TAU_LAZY_ROW (object), NULL);
  G_OBJECT_CLASS (tau_lazy_row_parent_class)->dispose (object);
}

static void
tau_lazy_row_class_init (TauLazyRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_lazy_row_dispose;
  widget_class->get_request_mode = tau_lazy_row_get_request_mode;
  widget_class->measure = tau_lazy_row_measure;
  widget_class->size_allocate = tau_lazy_row_size_allocate;
  gtk_widget_class_install_action (widget_class, "message.copy", NULL, copy_message_cb);
  gtk_widget_class_set_css_name (widget_class, "lazyrow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tau_lazy_row_init (TauLazyRow *self)
{
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/**
 * tau_lazy_row_new:
 * @host: what the row shares with its transcript
 *
 * Returns: (transfer floating): a row that shows nothing
 */
GtkWidget *
tau_lazy_row_new (TauRowHost *host)
{
  TauLazyRow *self = g_object_new (TAU_TYPE_LAZY_ROW, NULL);

  self->host = host;
  return GTK_WIDGET (self);
}

/**
 * tau_lazy_row_set_item:
 * @self: a row
 * @item: (nullable): what it stands for
 *
 * Binds the row. Nothing is built yet.
 */
void
tau_lazy_row_set_item (TauLazyRow        *self,
                       TauTranscriptItem *item)
{
  if (self->item == item)
    return;

  g_clear_pointer (&self->content, gtk_widget_unparent);
  g_set_object (&self->item, item);
  if (item)
    {
      g_autofree char *name = tau_transcript_item_dup_summary (item, 200);

      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
      gtk_widget_queue_resize (GTK_WIDGET (self));
    }
}

/**
 * tau_lazy_row_get_item:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): what it stands for
 */
TauTranscriptItem *
tau_lazy_row_get_item (TauLazyRow *self)
{
  return self->item;
}

/**
 * tau_lazy_row_is_built:
 * @self: a row
 *
 * Returns: whether it holds the widgets of its item
 */
gboolean
tau_lazy_row_is_built (TauLazyRow *self)
{
  return self->content != NULL;
}

/**
 * tau_lazy_row_warm:
 * @self: a row that is bound
 * @width: width of the list
 *
 * Builds the row before it comes into view and lays it out again if its height is not what was thought.
 *
 * Returns: whether there was anything to do
 */
gboolean
tau_lazy_row_warm (TauLazyRow *self,
                   int         width)
{
  int before;

  if (!self->item || self->content)
    return FALSE;

  before = height_for (self, width);
  build (self);
  if (height_for (self, width) != before)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  return TRUE;
}
