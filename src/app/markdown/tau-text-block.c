/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-text-block.h"

#include "app/markdown/tau-marks.h"
#include "app/markdown/tau-md-attributes.h"
#include "app/markdown/tau-selection.h"

/* TauTextBlock: a widget that shows one text, wrapped to its width. It is what GtkLabel is for, but asks for a
 * fixed width: a wrapping label lays its text out three times, once with one character a line, to find its least
 * width, and a transcript has hundreds of texts. Never takes the focus. */
struct _TauTextBlock
{
  GtkWidget     parent_instance;
  TauMdInline  *text;
  PangoLayout  *layout;
  TauSelection *selection;
  TauMdAlign    align;
  int           width;    /* of the layout, and the height at it; -1 before the first */
  int           height;
};

#define MIN_WIDTH     48   /* fits the narrowest column of a table */
#define NATURAL_WIDTH 600
#define LINE_SPACING  1.2f
#define LONG_WORD     1000   /* bytes */
#define NAME_BYTES      4000   /* bytes of the accessible name */

static void selectable_init (TauSelectableInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauTextBlock, tau_text_block, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_SELECTABLE, selectable_init))

static void
ensure_layout (TauTextBlock *self,
               int           width)
{
  if (self->width == width)
    return;

  self->width = width;
  pango_layout_set_width (self->layout, width * PANGO_SCALE);
  pango_layout_get_pixel_size (self->layout, NULL, &self->height);
}

static void
apply_attributes (TauTextBlock *self)
{
  g_autoptr(PangoAttrList) attributes = tau_md_attributes_new (self->text, GTK_WIDGET (self));

  pango_layout_set_attributes (self->layout, attributes);
}

/* Pango turns the sides round for a line that runs against the direction of its context. */
static void
update_alignment (TauTextBlock *self)
{
  gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  PangoAlignment alignment = PANGO_ALIGN_CENTER;

  if (self->align != TAU_MD_ALIGN_CENTER)
    alignment = (self->align == TAU_MD_ALIGN_START) != rtl ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT;
  pango_layout_set_alignment (self->layout, alignment);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static const char *
get_text (TauSelectable *selectable,
          gsize         *length)
{
  TauTextBlock *self = TAU_TEXT_BLOCK (selectable);

  *length = self->text ? tau_md_inline_get_length (self->text) : 0;
  return self->text ? tau_md_inline_get_text (self->text) : "";
}

static gsize
index_at (TauSelectable *selectable,
          double         x,
          double         y)
{
  TauTextBlock *self = TAU_TEXT_BLOCK (selectable);
  const char *text = pango_layout_get_text (self->layout);
  int index, trailing;

  pango_layout_xy_to_index (self->layout, (int) (x * PANGO_SCALE), (int) (y * PANGO_SCALE), &index, &trailing);
  return g_utf8_offset_to_pointer (text + index, trailing) - text;
}

static const char *
link_at (TauSelectable *selectable,
         double         x,
         double         y)
{
  TauTextBlock *self = TAU_TEXT_BLOCK (selectable);
  int index, trailing;

  if (!self->text || !pango_layout_xy_to_index (self->layout, (int) (x * PANGO_SCALE), (int) (y * PANGO_SCALE),
                                                &index, &trailing))
    return NULL;
  return tau_md_attributes_link_at (self->text, index);
}

static int
y_of (TauSelectable *selectable,
      gsize          index,
      int           *height)
{
  TauTextBlock *self = TAU_TEXT_BLOCK (selectable);
  PangoRectangle place;

  ensure_layout (self, MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1));
  pango_layout_index_to_pos (self->layout, (int) index, &place);
  *height = PANGO_PIXELS (place.height);
  return PANGO_PIXELS (place.y);
}

static TauSelection *
get_selection (TauSelectable *selectable)
{
  return TAU_TEXT_BLOCK (selectable)->selection;
}

static void
selectable_init (TauSelectableInterface *iface)
{
  iface->get_selection = get_selection;
  iface->get_text = get_text;
  iface->index_at = index_at;
  iface->link_at = link_at;
  iface->y_of = y_of;
}

static GtkSizeRequestMode
tau_text_block_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
tau_text_block_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  TauTextBlock *self = TAU_TEXT_BLOCK (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MIN_WIDTH;
      *natural = NATURAL_WIDTH;
      return;
    }
  ensure_layout (self, for_size < 0 ? NATURAL_WIDTH : for_size);
  *minimum = *natural = self->height;
}

static void
tau_text_block_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  TauTextBlock *self = TAU_TEXT_BLOCK (widget);

  ensure_layout (self, width);
  tau_selection_allocate (self->selection);
}

static void
snapshot_selection (TauTextBlock *self,
                    GtkSnapshot  *snapshot)
{
  gsize start, end;
  int range[2];
  cairo_region_t *region;
  GdkRGBA colour;

  if (!tau_selection_get (self->selection, &start, &end) ||
      !gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)), "tau_selection_bg", &colour))
    return;

  range[0] = (int) start;
  range[1] = (int) end;
  region = gdk_pango_layout_get_clip_region (self->layout, 0, 0, range, 1);
  for (int i = 0; i < cairo_region_num_rectangles (region); i++)
    {
      cairo_rectangle_int_t box;

      cairo_region_get_rectangle (region, i, &box);
      gtk_snapshot_append_color (snapshot, &colour, &GRAPHENE_RECT_INIT (box.x, box.y, box.width, box.height));
    }
  cairo_region_destroy (region);
}

static void
tau_text_block_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  TauTextBlock *self = TAU_TEXT_BLOCK (widget);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);

  ensure_layout (self, gtk_widget_get_width (widget));
  tau_marks_snapshot_layout (widget, snapshot, self->layout, 0, 0);
  snapshot_selection (self, snapshot);
  gtk_snapshot_render_layout (snapshot, style, 0, 0, self->layout);
}

static void
tau_text_block_css_changed (GtkWidget         *widget,
                            GtkCssStyleChange *change)
{
  TauTextBlock *self = TAU_TEXT_BLOCK (widget);

  GTK_WIDGET_CLASS (tau_text_block_parent_class)->css_changed (widget, change);
  pango_layout_context_changed (self->layout);
  self->width = -1;
  if (self->text && tau_md_inline_get_n_spans (self->text) > 0)
    {
      apply_attributes (self);
      gtk_widget_queue_draw (widget);
    }
}

static void
tau_text_block_direction_changed (GtkWidget        *widget,
                                  GtkTextDirection  previous)
{
  GTK_WIDGET_CLASS (tau_text_block_parent_class)->direction_changed (widget, previous);
  pango_layout_context_changed (TAU_TEXT_BLOCK (widget)->layout);
  update_alignment (TAU_TEXT_BLOCK (widget));
  TAU_TEXT_BLOCK (widget)->width = -1;
}

static void
tau_text_block_dispose (GObject *object)
{
  TauTextBlock *self = TAU_TEXT_BLOCK (object);

  if (self->selection)
    tau_selection_detach (self->selection);
  g_clear_object (&self->selection);
  g_clear_object (&self->layout);
  g_clear_pointer (&self->text, tau_md_inline_unref);
  G_OBJECT_CLASS (tau_text_block_parent_class)->dispose (object);
}

static void
tau_text_block_class_init (TauTextBlockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_text_block_dispose;
  widget_class->get_request_mode = tau_text_block_get_request_mode;
  widget_class->measure = tau_text_block_measure;
  widget_class->size_allocate = tau_text_block_size_allocate;
  widget_class->snapshot = tau_text_block_snapshot;
  widget_class->css_changed = tau_text_block_css_changed;
  widget_class->direction_changed = tau_text_block_direction_changed;
  gtk_widget_class_set_css_name (widget_class, "textblock");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
tau_text_block_init (TauTextBlock *self)
{
  self->width = -1;
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  pango_layout_set_line_spacing (self->layout, LINE_SPACING);
  self->selection = tau_selection_new (TAU_SELECTABLE (self));
  update_alignment (self);
}

/**
 * tau_text_block_new:
 * @text: (nullable): what to show
 *
 * Returns: (transfer floating): a new widget
 */
GtkWidget *
tau_text_block_new (TauMdInline *text)
{
  GtkWidget *self = g_object_new (TAU_TYPE_TEXT_BLOCK, NULL);

  if (text)
    tau_text_block_set_inline (TAU_TEXT_BLOCK (self), text);
  return self;
}

static void
set_accessible_name (TauTextBlock *self)
{
  const char *text = tau_md_inline_get_text (self->text);
  gsize length = MIN (tau_md_inline_get_length (self->text), NAME_BYTES);
  g_autofree char *name = NULL;

  while (length > 0 && (text[length] & 0xc0) == 0x80)
    length--;
  name = g_strndup (text, length);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* Looking for a place between words is quadratic in the length of a word. */
static PangoWrapMode
find_wrap_mode (const char *text)
{
  gsize run = 0;

  for (; *text; text++)
    {
      run = *text == ' ' || *text == '\n' ? 0 : run + 1;
      if (run > LONG_WORD)
        return PANGO_WRAP_CHAR;
    }
  return PANGO_WRAP_WORD_CHAR;
}

/**
 * tau_text_block_set_inline:
 * @self: a text block
 * @text: what to show
 *
 * Shows another text. The selection stays where it was, so that a text may grow under it.
 */
void
tau_text_block_set_inline (TauTextBlock *self,
                           TauMdInline  *text)
{
  if (self->text == text)
    return;

  g_clear_pointer (&self->text, tau_md_inline_unref);
  self->text = tau_md_inline_ref (text);
  pango_layout_set_text (self->layout, tau_md_inline_get_text (text), (int) tau_md_inline_get_length (text));
  pango_layout_set_wrap (self->layout, find_wrap_mode (tau_md_inline_get_text (text)));
  apply_attributes (self);
  self->width = -1;
  set_accessible_name (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/**
 * tau_text_block_set_text:
 * @self: a text block
 * @text: valid UTF-8 without marks
 *
 * Shows a plain text.
 */
void
tau_text_block_set_text (TauTextBlock *self,
                         const char   *text)
{
  g_autoptr(TauMdInline) plain = tau_md_inline_new (text, -1, NULL, 0);

  tau_text_block_set_inline (self, plain);
}

/**
 * tau_text_block_get_inline:
 * @self: a text block
 *
 * Returns: (transfer none) (nullable): what it shows
 */
TauMdInline *
tau_text_block_get_inline (TauTextBlock *self)
{
  return self->text;
}

/**
 * tau_text_block_set_alignment:
 * @self: a text block
 * @align: where lines stand
 *
 * Aligns the lines.
 */
void
tau_text_block_set_alignment (TauTextBlock *self,
                              TauMdAlign    align)
{
  self->align = align;
  update_alignment (self);
}

/**
 * tau_text_block_select:
 * @self: a text block
 * @start: first byte
 * @end: byte behind the last
 *
 * Selects a part of the text.
 */
void
tau_text_block_select (TauTextBlock *self,
                       gsize         start,
                       gsize         end)
{
  tau_selection_select (self->selection, start, end);
}
