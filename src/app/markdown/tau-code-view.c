/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-code-view.h"

#include "app/markdown/tau-highlighter.h"
#include "app/markdown/tau-marks.h"
#include "app/markdown/tau-md-attributes.h"
#include "app/markdown/tau-selection.h"

#include <adwaita.h>
#include <string.h>

/* TauCodeView: a widget that shows lines of code or output without wrapping, a window of them at a time. Its height
 * is a number of lines times the height of one, so that it is known without laying anything out; layouts are made
 * one a line, for the lines that are painted. One layout for all lines is quadratic in their number. */
struct _TauCodeView
{
  GtkWidget     parent_instance;
  GString      *text;
  GArray       *starts;        /* gsize: where each line begins */
  gsize         widest;        /* columns of the widest line */
  char         *language;
  char         *tints;         /* nullable; one character a line */
  gsize         n_tints;
  GArray       *changes;       /* of TauCodeRange, nullable; in order */
  gboolean      growing;       /* the last line may be unfinished: it stays plain */
  GPtrArray    *attributes;    /* of PangoAttrList, nullable; lines that were coloured */
  GPtrArray    *layouts;       /* of PangoLayout, nullable; lines that were painted */
  guint         first;         /* the window; all lines if n_shown is G_MAXUINT */
  guint         n_shown;
  guint         highlight_source;
  int           line_height;
  int           char_width;
  TauSelection *selection;
  GtkAdjustment *scroll;       /* of the transcript, while mapped; its value says what is to be painted */
};

#define LINE_MAX_BYTES  2000   /* longer ones are cut before layout: one line of a megabyte takes seconds */
#define HIGHLIGHT_LINES 1000
#define TAB_COLUMNS     4

static void selectable_init (TauSelectableInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauCodeView, tau_code_view, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_SELECTABLE, selectable_init))

static void
attributes_free (gpointer data)
{
  if (data)
    pango_attr_list_unref (data);
}

static void
layout_free (gpointer data)
{
  if (data)
    g_object_unref (data);
}

static gsize
line_start (TauCodeView *self,
            guint        line)
{
  return line < self->starts->len ? g_array_index (self->starts, gsize, line) : self->text->len;
}

static gsize
line_end (TauCodeView *self,
          guint        line)
{
  return line + 1 < self->starts->len ? g_array_index (self->starts, gsize, line + 1) - 1 : self->text->len;
}

static guint
n_in_window (TauCodeView *self)
{
  guint n_lines = self->starts->len;

  return self->first >= n_lines ? 0 : MIN (self->n_shown, n_lines - self->first);
}

static gsize
count_columns (const char *start,
               const char *end)
{
  gsize columns = 0;

  for (; start < end && columns < LINE_MAX_BYTES; start = g_utf8_next_char (start))
    {
      gunichar character = g_utf8_get_char (start);

      columns += character == '\t' ? TAB_COLUMNS : character < 0x1100 ? 1 : g_unichar_iswide (character) ? 2 : 1;
    }
  return MIN (columns, LINE_MAX_BYTES);
}

static void
update_metrics (TauCodeView *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int height = pango_font_metrics_get_height (metrics);

  self->line_height = PANGO_PIXELS_CEIL (height) + 2;
  self->char_width = pango_font_metrics_get_approximate_digit_width (metrics);
  pango_font_metrics_unref (metrics);
}

/* Colours, and marks for characters that cannot be seen; the colours are kept for other layouts of the line. */
static void
set_attributes (TauCodeView *self,
                PangoLayout *layout,
                guint        line)
{
  PangoAttrList *colours = line < self->attributes->len ? self->attributes->pdata[line] : NULL;
  g_autoptr(PangoAttrList) all = colours ? pango_attr_list_copy (colours) : pango_attr_list_new ();
  const char *text = pango_layout_get_text (layout);

  if (tau_md_attributes_show_hidden (all, text, strlen (text)))
    pango_layout_set_attributes (layout, all);
  else if (colours)
    pango_layout_set_attributes (layout, colours);
}

static PangoLayout *
get_layout (TauCodeView *self,
            guint        line)
{
  PangoLayout *layout;
  PangoTabArray *tabs;
  gsize start = line_start (self, line);
  gsize length = line_end (self, line) - start;

  if (line < self->layouts->len && self->layouts->pdata[line])
    return self->layouts->pdata[line];

  if (length > LINE_MAX_BYTES)
    {
      length = LINE_MAX_BYTES;
      while (length > 0 && (self->text->str[start + length] & 0xc0) == 0x80)
        length--;
    }
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, self->text->str + start, (int) length);
  tabs = pango_tab_array_new_with_positions (1, FALSE, PANGO_TAB_LEFT, TAB_COLUMNS * self->char_width);
  pango_layout_set_tabs (layout, tabs);
  pango_tab_array_free (tabs);
  set_attributes (self, layout, line);

  if (line >= self->layouts->len)
    g_ptr_array_set_size (self->layouts, (int) line + 1);
  self->layouts->pdata[line] = layout;
  return layout;
}

static void
drop_layouts_from (TauCodeView *self,
                   guint        line)
{
  if (line < self->layouts->len)
    g_ptr_array_set_size (self->layouts, (int) line);
}

static const char *
get_text (TauSelectable *selectable,
          gsize         *length)
{
  TauCodeView *self = TAU_CODE_VIEW (selectable);

  *length = self->text->len;
  return self->text->str;
}

static gsize
index_at (TauSelectable *selectable,
          double         x,
          double         y)
{
  TauCodeView *self = TAU_CODE_VIEW (selectable);
  guint n_lines = n_in_window (self);
  PangoLayout *layout;
  int index, trailing;
  guint line;

  if (n_lines == 0)
    return 0;
  line = self->first + (guint) CLAMP (y / self->line_height, 0, n_lines - 1);
  layout = get_layout (self, line);
  pango_layout_xy_to_index (layout, (int) (x * PANGO_SCALE), 0, &index, &trailing);
  if (trailing)
    index = (int) (g_utf8_offset_to_pointer (pango_layout_get_text (layout) + index, trailing) -
                   pango_layout_get_text (layout));
  return line_start (self, line) + (gsize) index;
}

/* The line that a byte is in: the last one that begins at or before it. */
static guint
line_of (TauCodeView *self,
         gsize        index)
{
  guint low = 0, high = self->starts->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->starts, gsize, middle) <= index)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static int
y_of (TauSelectable *selectable,
      gsize          index,
      int           *height)
{
  TauCodeView *self = TAU_CODE_VIEW (selectable);
  guint line = line_of (self, index);

  *height = self->line_height;
  return ((int) line - (int) self->first) * self->line_height;
}

static TauSelection *
get_selection (TauSelectable *selectable)
{
  return TAU_CODE_VIEW (selectable)->selection;
}

static void
selectable_init (TauSelectableInterface *iface)
{
  iface->get_selection = get_selection;
  iface->get_text = get_text;
  iface->index_at = index_at;
  iface->y_of = y_of;
}

/* Colours the lines that are complete and not yet coloured. */
static void
highlight (TauCodeView *self)
{
  guint n_lines = MIN (self->starts->len, HIGHLIGHT_LINES);
  guint done = self->attributes->len;

  if (self->growing && n_lines == self->starts->len && n_lines > 0)
    n_lines--;
  if (!self->language || n_lines <= done)
    return;

  tau_highlighter_run (self, self->language, self->text->str, line_end (self, n_lines - 1), done, self->attributes);
  drop_layouts_from (self, done);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
highlight_cb (gpointer user_data)
{
  TauCodeView *self = user_data;

  self->highlight_source = 0;
  highlight (self);
  return G_SOURCE_REMOVE;
}

static void
schedule_highlight (TauCodeView *self)
{
  if (!self->language || self->highlight_source || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;

  if (tau_highlighter_is_warm (self->language))
    highlight (self);
  else
    self->highlight_source = g_idle_add (highlight_cb, self);
}

static void
recolour (TauCodeView *self)
{
  g_ptr_array_set_size (self->attributes, 0);
  drop_layouts_from (self, 0);
  schedule_highlight (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static GtkSizeRequestMode
tau_code_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
tau_code_view_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  TauCodeView *self = TAU_CODE_VIEW (widget);

  if (self->line_height == 0)
    update_metrics (self);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = PANGO_PIXELS_CEIL ((int) self->widest * self->char_width) + 2;
  else
    *minimum = *natural = (int) n_in_window (self) * self->line_height;
}

static void
tau_code_view_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  tau_selection_allocate (TAU_CODE_VIEW (widget)->selection);
}

static void
snapshot_selection (TauCodeView *self,
                    GtkSnapshot *snapshot,
                    guint        line,
                    int          y)
{
  gsize start, end, from = line_start (self, line), to = line_end (self, line);
  PangoLayout *layout = get_layout (self, line);
  int x0, x1;
  GdkRGBA colour;

  if (!tau_selection_get (self->selection, &start, &end) || end <= from || start > to ||
      !gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)), "tau_selection_bg", &colour))
    return;

  pango_layout_index_to_line_x (layout, (int) (MAX (start, from) - from), FALSE, NULL, &x0);
  pango_layout_index_to_line_x (layout, (int) (MIN (end, to) - from), FALSE, NULL, &x1);
  x0 = PANGO_PIXELS (x0);
  x1 = end > to ? MAX (PANGO_PIXELS (x1) + 6, gtk_widget_get_width (GTK_WIDGET (self))) : PANGO_PIXELS (x1);
  gtk_snapshot_append_color (snapshot, &colour,
                             &GRAPHENE_RECT_INIT (MIN (x0, x1), y, ABS (x1 - x0), self->line_height));
}

/* The lines of the window that lie within the native window, so that long code costs what is seen of it. */
static void
find_painted (TauCodeView *self,
              guint       *first,
              guint       *last)
{
  GtkWidget *native = GTK_WIDGET (gtk_widget_get_native (GTK_WIDGET (self)));
  guint n_lines = n_in_window (self);
  graphene_point_t origin;
  int margin = 4;

  *first = 0;
  *last = n_lines;
  if (n_lines < 60 || !native ||
      !gtk_widget_compute_point (GTK_WIDGET (self), native, &GRAPHENE_POINT_INIT (0, 0), &origin))
    return;

  *first = (guint) CLAMP (-origin.y / self->line_height - margin, 0, n_lines);
  *last = (guint) CLAMP ((gtk_widget_get_height (native) - origin.y) / self->line_height + margin, 0, n_lines);
}

/* What changed within a line stands out from its tint. */
static void
snapshot_changes (TauCodeView   *self,
                  GtkSnapshot   *snapshot,
                  guint          line,
                  int            y,
                  const GdkRGBA *tint)
{
  gsize from = line_start (self, line), to = line_end (self, line);
  GdkRGBA colour = *tint;

  colour.alpha = MIN (1, colour.alpha * 2);
  for (guint i = 0; self->changes && i < self->changes->len; i++)
    {
      TauCodeRange *range = &g_array_index (self->changes, TauCodeRange, i);
      int x0, x1;

      if (range->start >= to)
        break;
      if (range->end <= from)
        continue;
      pango_layout_index_to_line_x (get_layout (self, line), (int) (range->start - from), FALSE, NULL, &x0);
      pango_layout_index_to_line_x (get_layout (self, line), (int) (range->end - from), FALSE, NULL, &x1);
      gtk_snapshot_append_color (snapshot, &colour,
                                 &GRAPHENE_RECT_INIT (PANGO_PIXELS (MIN (x0, x1)), y, PANGO_PIXELS (ABS (x1 - x0)),
                                                      self->line_height));
    }
}

static void
snapshot_tint (TauCodeView *self,
               GtkSnapshot *snapshot,
               guint        line,
               int          y)
{
  char tint = line < self->n_tints ? self->tints[line] : ' ';
  GdkRGBA colour;

  if ((tint != '+' && tint != '-') ||
      !gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)),
                                       tint == '+' ? "tau_added_bg" : "tau_removed_bg", &colour))
    return;

  gtk_snapshot_append_color (snapshot, &colour,
                             &GRAPHENE_RECT_INIT (-12, y, gtk_widget_get_width (GTK_WIDGET (self)) + 24, self->line_height));
  snapshot_changes (self, snapshot, line, y, &colour);
}

static void
tau_code_view_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  TauCodeView *self = TAU_CODE_VIEW (widget);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  guint first, last;

  if (self->layouts->len > 2000)
    drop_layouts_from (self, 0);
  find_painted (self, &first, &last);
  for (guint i = first; i < last; i++)
    {
      int y = (int) i * self->line_height;

      snapshot_tint (self, snapshot, self->first + i, y);
      tau_marks_snapshot_layout (widget, snapshot, get_layout (self, self->first + i),
                                 line_start (self, self->first + i), y + 1);
      snapshot_selection (self, snapshot, self->first + i, y);
      gtk_snapshot_render_layout (snapshot, style, 0, y + 1, get_layout (self, self->first + i));
    }
}

static void
tau_code_view_css_changed (GtkWidget         *widget,
                           GtkCssStyleChange *change)
{
  TauCodeView *self = TAU_CODE_VIEW (widget);

  GTK_WIDGET_CLASS (tau_code_view_parent_class)->css_changed (widget, change);
  update_metrics (self);
  drop_layouts_from (self, 0);
}

/* Scrolling moves a long view without painting it again: painted lines have to be chosen anew. */
static void
scrolled_cb (TauCodeView *self)
{
  if (n_in_window (self) >= 60)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
tau_code_view_map (GtkWidget *widget)
{
  TauCodeView *self = TAU_CODE_VIEW (widget);
  GtkWidget *inner = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  GtkWidget *outer = inner ? gtk_widget_get_ancestor (gtk_widget_get_parent (inner), GTK_TYPE_SCROLLED_WINDOW) : NULL;

  GTK_WIDGET_CLASS (tau_code_view_parent_class)->map (widget);
  if (outer && g_set_object (&self->scroll, gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (outer))))
    g_signal_connect_object (self->scroll, "value-changed", G_CALLBACK (scrolled_cb), self, G_CONNECT_SWAPPED);
  if (inner)
    g_signal_connect_object (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (inner)), "value-changed",
                             G_CALLBACK (scrolled_cb), self, G_CONNECT_SWAPPED);
  schedule_highlight (self);
}

static void
tau_code_view_unmap (GtkWidget *widget)
{
  TauCodeView *self = TAU_CODE_VIEW (widget);

  GtkWidget *inner = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);

  g_clear_handle_id (&self->highlight_source, g_source_remove);
  if (inner)
    g_signal_handlers_disconnect_by_func (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (inner)), scrolled_cb, self);
  if (self->scroll)
    g_signal_handlers_disconnect_by_func (self->scroll, scrolled_cb, self);
  g_clear_object (&self->scroll);
  GTK_WIDGET_CLASS (tau_code_view_parent_class)->unmap (widget);
}

static void
tau_code_view_dispose (GObject *object)
{
  TauCodeView *self = TAU_CODE_VIEW (object);

  g_clear_handle_id (&self->highlight_source, g_source_remove);
  if (self->selection)
    tau_selection_detach (self->selection);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tau_code_view_parent_class)->dispose (object);
}

static void
tau_code_view_finalize (GObject *object)
{
  TauCodeView *self = TAU_CODE_VIEW (object);

  g_string_free (self->text, TRUE);
  g_array_unref (self->starts);
  g_ptr_array_unref (self->attributes);
  g_ptr_array_unref (self->layouts);
  g_free (self->language);
  g_free (self->tints);
  g_clear_pointer (&self->changes, g_array_unref);
  G_OBJECT_CLASS (tau_code_view_parent_class)->finalize (object);
}

static void
tau_code_view_class_init (TauCodeViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_code_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_code_view_finalize;
  widget_class->get_request_mode = tau_code_view_get_request_mode;
  widget_class->measure = tau_code_view_measure;
  widget_class->size_allocate = tau_code_view_size_allocate;
  widget_class->snapshot = tau_code_view_snapshot;
  widget_class->css_changed = tau_code_view_css_changed;
  widget_class->map = tau_code_view_map;
  widget_class->unmap = tau_code_view_unmap;
  gtk_widget_class_set_css_name (widget_class, "codeview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
tau_code_view_init (TauCodeView *self)
{
  self->text = g_string_new (NULL);
  self->starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->attributes = g_ptr_array_new_with_free_func (attributes_free);
  self->layouts = g_ptr_array_new_with_free_func (layout_free);
  self->n_shown = G_MAXUINT;
  self->selection = tau_selection_new (TAU_SELECTABLE (self));
  /* Code runs from left to right in every language. */
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (recolour), self,
                           G_CONNECT_SWAPPED);
}

/**
 * tau_code_view_new:
 *
 * Returns: (transfer floating): an empty view
 */
GtkWidget *
tau_code_view_new (void)
{
  return g_object_new (TAU_TYPE_CODE_VIEW, NULL);
}

static void
index_lines (TauCodeView *self,
             gsize        from)
{
  for (gsize at = from; at <= self->text->len;)
    {
      const char *start = self->text->str + at;
      const char *end = memchr (start, '\n', self->text->len - at);
      gsize columns = count_columns (start, end ? end : self->text->str + self->text->len);

      g_array_append_val (self->starts, at);
      self->widest = MAX (self->widest, columns);
      if (!end)
        break;
      at = (gsize) (end - self->text->str) + 1;
    }
}

static void
set_accessible_name (TauCodeView *self)
{
  gsize length = MIN (self->text->len, 4000);
  g_autofree char *name = NULL;

  while (length > 0 && length < self->text->len && (self->text->str[length] & 0xc0) == 0x80)
    length--;
  name = g_strndup (self->text->str, length);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/**
 * tau_code_view_set_text:
 * @self: a view
 * @text: lines of valid UTF-8
 * @length: bytes of @text
 *
 * Shows other lines. What a longer text has in common with the shorter one before it is not done again.
 */
void
tau_code_view_set_text (TauCodeView *self,
                        const char  *text,
                        gsize        length)
{
  gsize held = self->text->len;
  guint kept = 0;

  if (length == held && memcmp (text, self->text->str, length) == 0)
    return;

  if (length > held && held > 0 && memcmp (text, self->text->str, held) == 0)
    {
      kept = self->starts->len - 1;
      g_string_append_len (self->text, text + held, length - held);
    }
  else
    {
      g_string_truncate (self->text, 0);
      g_string_append_len (self->text, text, length);
      self->widest = 0;
      g_ptr_array_set_size (self->attributes, 0);
    }
  {
    gsize from = kept > 0 ? line_start (self, kept) : 0;

    g_array_set_size (self->starts, kept);
    index_lines (self, from);
  }
  if (self->attributes->len > kept)
    g_ptr_array_set_size (self->attributes, (int) kept);
  drop_layouts_from (self, kept);
  set_accessible_name (self);
  schedule_highlight (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/**
 * tau_code_view_set_language:
 * @self: a view
 * @language: (nullable): id of a language, see [func@highlighter_find_language]
 *
 * Says how the lines are coloured.
 */
void
tau_code_view_set_language (TauCodeView *self,
                            const char  *language)
{
  if (g_strcmp0 (self->language, language) == 0)
    return;

  g_free (self->language);
  self->language = g_strdup (language);
  recolour (self);
}

/**
 * tau_code_view_set_window:
 * @self: a view
 * @first_line: the first line that is shown
 * @n_lines: how many are shown at most; %G_MAXUINT for all
 *
 * Shows a part of the lines.
 */
void
tau_code_view_set_window (TauCodeView *self,
                          guint        first_line,
                          guint        n_lines)
{
  if (self->first == first_line && self->n_shown == n_lines)
    return;

  self->first = first_line;
  self->n_shown = n_lines;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/**
 * tau_code_view_set_growing:
 * @self: a view
 * @growing: whether more text will come
 *
 * The last line of a growing text is not coloured, since its end may change its beginning.
 */
void
tau_code_view_set_growing (TauCodeView *self,
                           gboolean     growing)
{
  self->growing = growing;
  schedule_highlight (self);
}

/**
 * tau_code_view_set_tints:
 * @self: a view
 * @tints: (nullable): a character for each line: + and - are tinted, others are not
 *
 * Tints lines, as a diff does.
 */
void
tau_code_view_set_tints (TauCodeView *self,
                         const char  *tints)
{
  g_free (self->tints);
  self->tints = g_strdup (tints);
  self->n_tints = tints ? strlen (tints) : 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * tau_code_view_set_changes:
 * @self: a view
 * @changes: (nullable) (element-type TauCodeRange): parts of tinted lines, none over a line's end, in order
 *
 * Tints words within tinted lines more strongly.
 */
void
tau_code_view_set_changes (TauCodeView *self,
                           GArray      *changes)
{
  g_clear_pointer (&self->changes, g_array_unref);
  self->changes = changes ? g_array_ref (changes) : NULL;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * tau_code_view_get_n_lines:
 * @self: a view
 *
 * Returns: how many lines the text has
 */
guint
tau_code_view_get_n_lines (TauCodeView *self)
{
  return self->starts->len;
}

/**
 * tau_code_view_get_text:
 * @self: a view
 *
 * Returns: all lines
 */
const char *
tau_code_view_get_text (TauCodeView *self)
{
  return self->text->str;
}

/**
 * tau_code_view_get_n_shown:
 * @self: a view
 *
 * Returns: how many lines its window holds
 */
guint
tau_code_view_get_n_shown (TauCodeView *self)
{
  return n_in_window (self);
}
