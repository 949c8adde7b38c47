/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-block-frame.h"

#include "app/markdown/tau-code-block.h"
#include "app/markdown/tau-measure.h"
#include "app/markdown/tau-table-block.h"
#include "app/markdown/tau-text-block.h"

#include <string.h>

/* TauBlockFrame: puts the widget of one Markdown block in its place: the gap above it, the bars of the quotes and
 * the indents of the items it stands in, and the bullet, number or box before it. Bars go through the gap, so that
 * blocks of one quote look like one. */
struct _TauBlockFrame
{
  GtkWidget      parent_instance;
  TauMdBlock    *block;
  TauExpansions *expansions;   /* nullable */
  guint64        key;
  GtkWidget     *content;      /* text block, code block, scroller with a table, or separator */
  GtkWidget     *marker;       /* nullable */
  GPtrArray     *bars;         /* of GtkWidget, one a quote */
  int            gap;
  gsize          n_joined;     /* containers shared with the block above: their bars go through the gap */
};

#define INDENT 24

G_DEFINE_FINAL_TYPE (TauBlockFrame, tau_block_frame, GTK_TYPE_WIDGET)

/* Pixels between two blocks: items of a list stand closer together, headings get some air. */
static int
gap_between (TauMdBlock *before,
             TauMdBlock *block)
{
  gboolean heading = tau_md_block_get_kind (block) == TAU_MD_BLOCK_HEADING;
  TauMdMarker marker = tau_md_block_get_marker (block);

  if (!before)
    return heading ? 6 : 0;
  if (strchr (tau_md_block_get_containers (block), TAU_MD_CONTAINER_ITEM) &&
      strchr (tau_md_block_get_containers (before), TAU_MD_CONTAINER_ITEM))
    {
      gboolean other_list = marker != TAU_MD_MARKER_NONE && strlen (tau_md_block_get_containers (block)) == 1 &&
                            strlen (tau_md_block_get_containers (before)) == 1 &&
                            (marker == TAU_MD_MARKER_NUMBER) != (tau_md_block_get_marker (before) == TAU_MD_MARKER_NUMBER);

      return other_list ? 12 : 6;
    }
  return heading ? 18 : 12;
}

static gsize
count_joined (TauMdBlock *before,
              TauMdBlock *block)
{
  const char *a = before ? tau_md_block_get_containers (before) : "";
  const char *b = tau_md_block_get_containers (block);
  gsize n = 0;

  while (a[n] && a[n] == b[n])
    n++;
  return n;
}

static int
indent_of (TauBlockFrame *self)
{
  return (int) MIN (strlen (tau_md_block_get_containers (self->block)), 8) * INDENT;
}

static void
set_heading_class (GtkWidget *widget,
                   guint      level)
{
  static const char * const classes[] = { "title-3", "title-4", "heading" };

  gtk_widget_add_css_class (widget, classes[CLAMP (level, 1, 3) - 1]);
}

static GtkWidget *
make_table (TauMdBlock *block)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), tau_table_block_new (block));
  return scroller;
}

static GtkWidget *
get_table (TauBlockFrame *self)
{
  /* The scroller puts a viewport between: a table does not scroll by itself. */
  return gtk_widget_get_first_child (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (self->content)));
}

static GtkWidget *
make_content (TauBlockFrame *self)
{
  TauMdBlock *block = self->block;
  GtkWidget *content;

  switch (tau_md_block_get_kind (block))
    {
    case TAU_MD_BLOCK_PARAGRAPH:
      return tau_text_block_new (tau_md_block_get_inline (block));
    case TAU_MD_BLOCK_HEADING:
      content = tau_text_block_new (tau_md_block_get_inline (block));
      set_heading_class (content, tau_md_block_get_level (block));
      return content;
    case TAU_MD_BLOCK_HTML:
      content = tau_text_block_new (tau_md_block_get_inline (block));
      gtk_widget_add_css_class (content, "monospace");
      gtk_widget_add_css_class (content, "dim-label");
      return content;
    case TAU_MD_BLOCK_CODE:
      content = tau_code_block_new ();
      tau_code_block_set_block (TAU_CODE_BLOCK (content), block);
      if (self->expansions)
        tau_code_block_set_expansion (TAU_CODE_BLOCK (content), self->expansions, self->key);
      return content;
    case TAU_MD_BLOCK_TABLE:
      return make_table (block);
    case TAU_MD_BLOCK_RULE:
    default:
      content = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
      gtk_widget_set_valign (content, GTK_ALIGN_CENTER);
      return content;
    }
}

static GtkWidget *
make_marker (TauMdBlock *block)
{
  TauMdMarker kind = tau_md_block_get_marker (block);
  g_autofree char *number = NULL;
  GtkWidget *marker;

  if (kind == TAU_MD_MARKER_NONE)
    return NULL;
  if (kind == TAU_MD_MARKER_TASK_OPEN || kind == TAU_MD_MARKER_TASK_DONE)
    {
      marker = gtk_image_new_from_icon_name (kind == TAU_MD_MARKER_TASK_DONE ? "checkbox-checked-symbolic"
                                                                             : "checkbox-symbolic");
      return marker;
    }
  number = kind == TAU_MD_MARKER_NUMBER ? g_strdup_printf ("%u.", tau_md_block_get_number (block)) : g_strdup ("•");
  marker = gtk_label_new (number);
  gtk_label_set_xalign (GTK_LABEL (marker), 1);
  gtk_widget_add_css_class (marker, "list-marker");
  return marker;
}

static void
add_children (TauBlockFrame *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  for (const char *at = tau_md_block_get_containers (self->block); *at; at++)
    if (*at == TAU_MD_CONTAINER_QUOTE)
      {
        GtkWidget *bar = gtk_separator_new (GTK_ORIENTATION_VERTICAL);

        gtk_widget_add_css_class (bar, "quote-bar");
        gtk_widget_set_parent (bar, widget);
        g_ptr_array_add (self->bars, bar);
        gtk_widget_add_css_class (widget, "quote");
      }
  self->marker = make_marker (self->block);
  if (self->marker)
    gtk_widget_set_parent (self->marker, widget);
  self->content = make_content (self);
  gtk_widget_set_parent (self->content, widget);
}

/* A scroller does not know that its child's height depends on the width. */
static int
measure_height (TauBlockFrame *self,
                int            width)
{
  GtkWidget *widget = self->content;

  if (tau_md_block_get_kind (self->block) == TAU_MD_BLOCK_RULE)
    return 12;
  if (tau_md_block_get_kind (self->block) == TAU_MD_BLOCK_TABLE && width > 0)
    widget = get_table (self);
  return tau_measure_height (widget, width);
}

static GtkSizeRequestMode
tau_block_frame_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
tau_block_frame_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  TauBlockFrame *self = TAU_BLOCK_FRAME (widget);
  int indent = indent_of (self);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      gtk_widget_measure (self->content, orientation, -1, minimum, natural, NULL, NULL);
      *minimum += indent;
      *natural += indent;
      return;
    }
  *minimum = measure_height (self, for_size < 0 ? -1 : MAX (for_size - indent, 1)) + self->gap;
  *natural = *minimum;
}

static void
allocate_at (GtkWidget *widget,
             int        total,
             int        x,
             int        y,
             int        width,
             int        height)
{
  gboolean rtl = gtk_widget_get_direction (gtk_widget_get_parent (widget)) == GTK_TEXT_DIR_RTL;
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  if (minimum > width)
    {
      /* A long number grows towards the margin, not into the text. */
      x -= minimum - width;
      width = minimum;
    }
  gtk_widget_size_allocate (widget, &(GtkAllocation) { rtl ? total - x - width : x, y, width, height }, -1);
}

static void
tau_block_frame_size_allocate (GtkWidget *widget,
                               int        width,
                               int        height,
                               int        baseline)
{
  TauBlockFrame *self = TAU_BLOCK_FRAME (widget);
  int indent = indent_of (self);
  int x = 0;
  guint bar = 0;

  for (const char *at = tau_md_block_get_containers (self->block); *at && x < indent; at++, x += INDENT)
    if (*at == TAU_MD_CONTAINER_QUOTE)
      {
        int y = (gsize) (at - tau_md_block_get_containers (self->block)) < self->n_joined ? 0 : self->gap;

        allocate_at (g_ptr_array_index (self->bars, bar++), width, x, y, 3, height - y);
      }
  for (; bar < self->bars->len; bar++)
    gtk_widget_set_child_visible (g_ptr_array_index (self->bars, bar), FALSE);

  gtk_widget_size_allocate (self->content,
                            &(GtkAllocation) { gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? 0 : indent,
                                               self->gap, MAX (width - indent, 1), height - self->gap }, -1);
  if (self->marker)
    {
      int marker_height;

      gtk_widget_measure (self->marker, GTK_ORIENTATION_VERTICAL, -1, &marker_height, NULL, NULL, NULL);
      allocate_at (self->marker, width, indent - INDENT, self->gap, INDENT - 8, marker_height);
    }
}

static void
remove_children (TauBlockFrame *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_ptr_array_set_size (self->bars, 0);
  self->marker = self->content = NULL;
}

static void
tau_block_frame_dispose (GObject *object)
{
  TauBlockFrame *self = TAU_BLOCK_FRAME (object);

  remove_children (self);
  g_clear_object (&self->expansions);
  g_clear_pointer (&self->block, tau_md_block_unref);
  G_OBJECT_CLASS (tau_block_frame_parent_class)->dispose (object);
}

static void
tau_block_frame_finalize (GObject *object)
{
  g_ptr_array_unref (TAU_BLOCK_FRAME (object)->bars);
  G_OBJECT_CLASS (tau_block_frame_parent_class)->finalize (object);
}

static void
tau_block_frame_class_init (TauBlockFrameClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_block_frame_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_block_frame_finalize;
  widget_class->get_request_mode = tau_block_frame_get_request_mode;
  widget_class->measure = tau_block_frame_measure;
  widget_class->size_allocate = tau_block_frame_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "blockframe");
}

static void
tau_block_frame_init (TauBlockFrame *self)
{
  self->bars = g_ptr_array_new ();
}

/**
 * tau_block_frame_new:
 * @block: what to show
 * @before: (nullable): the block above, which says how far away this one stands
 * @expansions: (nullable): remembers whether long code is shown in full
 * @key: names this block there
 *
 * Returns: (transfer floating): a new frame with the widget of the block in it
 */
GtkWidget *
tau_block_frame_new (TauMdBlock    *block,
                     TauMdBlock    *before,
                     TauExpansions *expansions,
                     guint64        key)
{
  TauBlockFrame *self = g_object_new (TAU_TYPE_BLOCK_FRAME, NULL);

  self->block = tau_md_block_ref (block);
  self->gap = gap_between (before, block);
  self->n_joined = count_joined (before, block);
  g_set_object (&self->expansions, expansions);
  self->key = key;
  add_children (self);
  return GTK_WIDGET (self);
}

static gboolean
same_place (TauMdBlock *a,
            TauMdBlock *b)
{
  return tau_md_block_get_kind (a) == tau_md_block_get_kind (b) &&
         tau_md_block_get_level (a) == tau_md_block_get_level (b) &&
         tau_md_block_get_marker (a) == tau_md_block_get_marker (b) &&
         tau_md_block_get_number (a) == tau_md_block_get_number (b) &&
         strcmp (tau_md_block_get_containers (a), tau_md_block_get_containers (b)) == 0;
}

/**
 * tau_block_frame_update:
 * @self: a frame
 * @block: what to show now
 * @before: (nullable): the block above
 *
 * Shows another block in the same widgets, where it is of the same kind and in the same place.
 *
 * Returns: %FALSE if it is not, and another frame is needed
 */
gboolean
tau_block_frame_update (TauBlockFrame *self,
                        TauMdBlock    *block,
                        TauMdBlock    *before)
{
  int gap = gap_between (before, block);
  gsize n_joined = count_joined (before, block);

  if (!same_place (self->block, block))
    return FALSE;

  if (self->block != block)
    {
      tau_md_block_unref (self->block);
      self->block = tau_md_block_ref (block);
      if (TAU_IS_TEXT_BLOCK (self->content))
        tau_text_block_set_inline (TAU_TEXT_BLOCK (self->content), tau_md_block_get_inline (block));
      else if (TAU_IS_CODE_BLOCK (self->content))
        tau_code_block_set_block (TAU_CODE_BLOCK (self->content), block);
      else if (GTK_IS_SCROLLED_WINDOW (self->content))
        tau_table_block_set_table (TAU_TABLE_BLOCK (get_table (self)), block);
    }
  if (self->gap != gap || self->n_joined != n_joined)
    {
      self->gap = gap;
      self->n_joined = n_joined;
      gtk_widget_queue_resize (GTK_WIDGET (self));
    }
  return TRUE;
}

/**
 * tau_block_frame_get_block:
 * @self: a frame
 *
 * Returns: (transfer none): what it shows
 */
TauMdBlock *
tau_block_frame_get_block (TauBlockFrame *self)
{
  return self->block;
}
