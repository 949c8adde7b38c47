/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-table-block.h"

#include "app/markdown/tau-measure.h"
#include "app/markdown/tau-text-block.h"

/* TauTableBlock: a table whose cells wrap. Columns get what they ask for, or a fair share where that is too much:
 * narrow columns keep their width and the wide ones share the rest. A column is never narrower than a word or two;
 * a table of many columns is wider than its place then, and is put into a scroller by its maker. */
struct _TauTableBlock
{
  GtkWidget   parent_instance;
  TauMdBlock *table;
  GArray     *natural;     /* int, one a column: width of its widest cell on one line */
  GArray     *widths;      /* int: at @width */
  GArray     *heights;     /* int, one a row */
  int         width;
  int         height;
};

#define COLUMN_MIN 72
#define PADDING_X  12
#define PADDING_Y  6
#define NATURAL_MAX 600

G_DEFINE_FINAL_TYPE (TauTableBlock, tau_table_block, GTK_TYPE_WIDGET)

static guint
n_columns (TauTableBlock *self)
{
  return self->table ? tau_md_block_get_n_columns (self->table) : 0;
}

static int
measure_cell (GtkWidget   *widget,
              TauMdInline *text)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (widget, tau_md_inline_get_text (text));
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return MIN (width + 2, NATURAL_MAX);
}

/* Widths of single lines; a table of thousands of rows is judged by its first ones. */
static void
measure_columns (TauTableBlock *self)
{
  guint n_rows = MIN (tau_md_block_get_n_rows (self->table), 200);

  g_array_set_size (self->natural, 0);
  for (guint column = 0; column < n_columns (self); column++)
    {
      int widest = 0;

      for (guint row = 0; row < n_rows; row++)
        {
          int width = measure_cell (GTK_WIDGET (self), tau_md_block_get_cell (self->table, row, column));

          /* The head is bold. */
          widest = MAX (widest, row == 0 ? width * 11 / 10 : width);
        }
      widest += 2 * PADDING_X;
      g_array_append_val (self->natural, widest);
    }
}

static void
share_width (TauTableBlock *self,
             int            width)
{
  guint n = n_columns (self);
  int fair = width / (int) MAX (n, 1), spare = 0, wide = 0;

  g_array_set_size (self->widths, 0);
  for (guint i = 0; i < n; i++)
    {
      int natural = g_array_index (self->natural, int, i);

      if (natural <= fair)
        spare += fair - natural;
      else
        wide += natural - fair;
    }
  for (guint i = 0; i < n; i++)
    {
      int natural = g_array_index (self->natural, int, i);
      int share = natural;

      if (natural > fair && wide > spare)
        share = fair + (int) ((gint64) (natural - fair) * spare / wide);
      share = MAX (share, COLUMN_MIN);
      g_array_append_val (self->widths, share);
    }
}

static GtkWidget *
next_cell (GtkWidget *cell)
{
  return gtk_widget_get_next_sibling (cell);
}

static void
layout_rows (TauTableBlock *self,
             int            width)
{
  GtkWidget *cell = gtk_widget_get_first_child (GTK_WIDGET (self));
  guint column = 0;
  int row_height = 0;

  if (self->width == width)
    return;

  if (self->natural->len != n_columns (self))
    measure_columns (self);
  share_width (self, width);
  g_array_set_size (self->heights, 0);
  self->height = 0;
  for (; cell; cell = next_cell (cell))
    {
      int height = tau_measure_height (cell, g_array_index (self->widths, int, column) - 2 * PADDING_X);

      row_height = MAX (row_height, height + 2 * PADDING_Y);
      if (++column == n_columns (self))
        {
          g_array_append_val (self->heights, row_height);
          self->height += row_height;
          column = 0;
          row_height = 0;
        }
    }
  self->width = width;
}

static GtkSizeRequestMode
tau_table_block_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static int
sum_natural (TauTableBlock *self)
{
  int sum = 0;

  if (self->natural->len != n_columns (self))
    measure_columns (self);
  for (guint i = 0; i < self->natural->len; i++)
    sum += g_array_index (self->natural, int, i);
  return sum;
}

static void
tau_table_block_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  TauTableBlock *self = TAU_TABLE_BLOCK (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = (int) n_columns (self) * COLUMN_MIN;
      *natural = MAX (*minimum, sum_natural (self));
      return;
    }
  /* A scroller asks without a width; who has one asks the table itself. */
  if (for_size < 0)
    {
      *minimum = *natural = 1;
      return;
    }
  layout_rows (self, for_size);
  *minimum = *natural = self->height;
}

static void
tau_table_block_size_allocate (GtkWidget *widget,
                               int        width,
                               int        height,
                               int        baseline)
{
  TauTableBlock *self = TAU_TABLE_BLOCK (widget);
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  GtkWidget *cell = gtk_widget_get_first_child (widget);
  int y = 0;

  layout_rows (self, width);
  for (guint row = 0; row < self->heights->len; row++)
    {
      int x = 0;

      for (guint column = 0; column < n_columns (self) && cell; column++, cell = next_cell (cell))
        {
          int cell_width = g_array_index (self->widths, int, column);
          int left = rtl ? width - x - cell_width : x;

          gtk_widget_size_allocate (cell,
                                    &(GtkAllocation) { left + PADDING_X, y + PADDING_Y, cell_width - 2 * PADDING_X,
                                                       g_array_index (self->heights, int, row) - 2 * PADDING_Y }, -1);
          x += cell_width;
        }
      y += g_array_index (self->heights, int, row);
    }
}

static void
tau_table_block_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  TauTableBlock *self = TAU_TABLE_BLOCK (widget);
  int total = gtk_widget_get_width (widget);
  GdkRGBA colour;
  int y = 0, width = 0, x;

  for (guint i = 0; i < self->widths->len; i++)
    width += g_array_index (self->widths, int, i);
  width = MIN (width, total);
  x = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? total - width : 0;
  if (gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "tau_line", &colour))
    for (guint row = 0; row + 1 < self->heights->len; row++)
      {
        y += g_array_index (self->heights, int, row);
        gtk_snapshot_append_color (snapshot, &colour, &GRAPHENE_RECT_INIT (x, y - 1, width, row == 0 ? 2 : 1));
      }
  GTK_WIDGET_CLASS (tau_table_block_parent_class)->snapshot (widget, snapshot);
}

static void
tau_table_block_css_changed (GtkWidget         *widget,
                             GtkCssStyleChange *change)
{
  TauTableBlock *self = TAU_TABLE_BLOCK (widget);

  GTK_WIDGET_CLASS (tau_table_block_parent_class)->css_changed (widget, change);
  g_array_set_size (self->natural, 0);
  self->width = -1;
}

static void
tau_table_block_dispose (GObject *object)
{
  TauTableBlock *self = TAU_TABLE_BLOCK (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_pointer (&self->table, tau_md_block_unref);
  G_OBJECT_CLASS (tau_table_block_parent_class)->dispose (object);
}

static void
tau_table_block_finalize (GObject *object)
{
  TauTableBlock *self = TAU_TABLE_BLOCK (object);

  g_array_unref (self->natural);
  g_array_unref (self->widths);
  g_array_unref (self->heights);
  G_OBJECT_CLASS (tau_table_block_parent_class)->finalize (object);
}

static void
tau_table_block_class_init (TauTableBlockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_table_block_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_table_block_finalize;
  widget_class->get_request_mode = tau_table_block_get_request_mode;
  widget_class->measure = tau_table_block_measure;
  widget_class->size_allocate = tau_table_block_size_allocate;
  widget_class->snapshot = tau_table_block_snapshot;
  widget_class->css_changed = tau_table_block_css_changed;
  gtk_widget_class_set_css_name (widget_class, "tableblock");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TABLE);
}

static void
tau_table_block_init (TauTableBlock *self)
{
  self->natural = g_array_new (FALSE, FALSE, sizeof (int));
  self->widths = g_array_new (FALSE, FALSE, sizeof (int));
  self->heights = g_array_new (FALSE, FALSE, sizeof (int));
  self->width = -1;
}

/**
 * tau_table_block_new:
 * @table: a Markdown block that is a table
 *
 * Returns: (transfer floating): a new widget
 */
GtkWidget *
tau_table_block_new (TauMdBlock *table)
{
  GtkWidget *self = g_object_new (TAU_TYPE_TABLE_BLOCK, NULL);

  tau_table_block_set_table (TAU_TABLE_BLOCK (self), table);
  return self;
}

static GtkWidget *
make_cell (TauMdInline *text,
           guint        row,
           TauMdAlign   align)
{
  GtkWidget *cell = tau_text_block_new (text);

  if (row == 0)
    gtk_widget_add_css_class (cell, "table-head");
  tau_text_block_set_alignment (TAU_TEXT_BLOCK (cell), align);
  return cell;
}

/**
 * tau_table_block_set_table:
 * @self: a table
 * @table: a Markdown block that is a table
 *
 * Shows another table. Cells that are the same keep their widgets, so that a table may grow cheaply.
 */
void
tau_table_block_set_table (TauTableBlock *self,
                           TauMdBlock    *table)
{
  gboolean same_columns = n_columns (self) == tau_md_block_get_n_columns (table);
  GtkWidget *cell = gtk_widget_get_first_child (GTK_WIDGET (self));
  g_autoptr(TauMdBlock) old = g_steal_pointer (&self->table);

  self->table = tau_md_block_ref (table);
  while (cell && !same_columns)
    {
      GtkWidget *next = next_cell (cell);

      gtk_widget_unparent (cell);
      cell = next;
    }
  for (guint row = 0; row < tau_md_block_get_n_rows (table); row++)
    for (guint column = 0; column < n_columns (self); column++)
      {
        TauMdInline *text = tau_md_block_get_cell (table, row, column);

        if (cell)
          {
            if (!tau_md_inline_equal (tau_text_block_get_inline (TAU_TEXT_BLOCK (cell)), text))
              tau_text_block_set_inline (TAU_TEXT_BLOCK (cell), text);
            cell = next_cell (cell);
          }
        else
          {
            gtk_widget_set_parent (make_cell (text, row, tau_md_block_get_align (table, column)), GTK_WIDGET (self));
          }
      }
  while (cell)
    {
      GtkWidget *next = next_cell (cell);

      gtk_widget_unparent (cell);
      cell = next;
    }
  g_array_set_size (self->natural, 0);
  self->width = -1;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
