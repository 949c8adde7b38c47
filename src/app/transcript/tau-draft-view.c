/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-draft-view.h"

#include "app/markdown/tau-markdown-view.h"
#include "app/markdown/tau-measure.h"
#include "app/transcript/tau-lazy-row.h"
#include "app/transcript/tau-message-rows.h"
#include "app/transcript/tau-thinking-row.h"
#include "app/transcript/tau-tool-row.h"
#include "core/base/tau-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauDraftView: the answer that is being streamed, below the finished rows. However many deltas come, it looks at
 * the draft once a frame, and only at blocks that are open or new; a tick callback exists only while there is
 * something to do. It is made of the same widgets with the same gaps as the finished rows, so that nothing moves
 * when the draft becomes one of them. */

/* What will be one row: a block, or a part of a long text. */
typedef struct
{
  TauBlockKind  kind;
  guint         block;
  guint64       key;
  GtkWidget    *widget;     /* nullable: blank so far; child of the view */
  TauMdStream  *stream;     /* of a text */
  TauTextCutter cutter;     /* of a text; begins where the part does */
  gsize         length;     /* of the block's text at the last render */
  gboolean      finished;
  int           gap;
} Part;

struct _TauDraftView
{
  GtkWidget           parent_instance;
  TauTranscriptModel *model;
  TauHeightCache     *heights;   /* borrowed; the list's */
  TauDraft           *draft;
  GArray             *parts;     /* of Part */
  guint               n_blocks;  /* that have parts */
  GtkWidget          *waiting;   /* stands here until the first part shows */
  guint               tick;
  guint               n_renders;
};

#define WAITING 36   /* height of the line that says that nothing came yet */
#define BOTTOM  24   /* room below the last row, with or without a draft */

G_DEFINE_FINAL_TYPE (TauDraftView, tau_draft_view, GTK_TYPE_WIDGET)

static void
clear_part (gpointer data)
{
  Part *part = data;

  g_clear_pointer (&part->widget, gtk_widget_unparent);
  g_clear_pointer (&part->stream, tau_md_stream_free);
}

static TauTranscriptKind
row_kind (TauBlockKind kind)
{
  switch (kind)
    {
    case TAU_BLOCK_THINKING:
      return TAU_TRANSCRIPT_THINKING;
    case TAU_BLOCK_TOOL_CALL:
      return TAU_TRANSCRIPT_TOOL;
    case TAU_BLOCK_TEXT:
    case TAU_BLOCK_IMAGE:
    default:
      return TAU_TRANSCRIPT_TEXT;
    }
}

/* Called when parts come and go: the first one takes the place of the line that says that nothing came yet. */
static void
update_waiting (TauDraftView *self)
{
  gboolean shown = self->draft != NULL;

  for (guint i = 0; i < self->parts->len; i++)
    shown = shown && !g_array_index (self->parts, Part, i).widget;
  gtk_widget_set_visible (self->waiting, shown);
}

/* What a new part stands below: an earlier part that shows, else the last finished row. */
static int
gap_for (TauDraftView *self,
         guint         index,
         TauBlockKind  kind)
{
  TauTranscriptKind before = TAU_TRANSCRIPT_USER;
  gboolean has_before = FALSE;

  for (guint i = index; i > 0 && !has_before; i--)
    {
      Part *part = &g_array_index (self->parts, Part, i - 1);

      if (part->widget)
        {
          before = row_kind (part->kind);
          has_before = TRUE;
        }
    }
  if (!has_before)
    has_before = tau_transcript_model_get_last_kind (self->model, &before);
  return tau_transcript_gap (has_before, before, row_kind (kind));
}

static guint64
key_for (TauDraftView *self,
         guint         index)
{
  guint64 row = 0;

  for (guint i = 0; i < index; i++)
    row += g_array_index (self->parts, Part, i).widget != NULL;
  return tau_transcript_model_get_next_key (self->model) + (row << 12);
}

static void
make_widget (TauDraftView *self,
             guint         index)
{
  Part *part = &g_array_index (self->parts, Part, index);
  TauExpansions *expansions = tau_transcript_model_get_expansions (self->model);
  guint64 key = key_for (self, index);

  part->key = key;
  part->gap = gap_for (self, index, part->kind);
  switch (part->kind)
    {
    case TAU_BLOCK_THINKING:
      part->widget = tau_thinking_row_new (expansions, key);
      break;
    case TAU_BLOCK_TOOL_CALL:
      part->widget = tau_tool_row_new (expansions, key);
      break;
    case TAU_BLOCK_TEXT:
    case TAU_BLOCK_IMAGE:
    default:
      part->widget = tau_markdown_view_new ();
      tau_markdown_view_set_expansion (TAU_MARKDOWN_VIEW (part->widget), expansions, key);
      part->stream = tau_md_stream_new ();
      break;
    }
  gtk_widget_set_parent (part->widget, GTK_WIDGET (self));
  update_waiting (self);
}

static void
show_text (Part       *part,
           const char *text,
           gsize       length,
           gboolean    complete)
{
  gsize held = tau_md_stream_get_length (part->stream);

  if (length < held || memcmp (text, tau_md_stream_get_text (part->stream), held) != 0)
    {
      /* The part turned out to end earlier, or the decoder replaced the text, as some servers make it do. */
      tau_md_stream_free (part->stream);
      part->stream = tau_md_stream_new ();
      held = 0;
    }
  tau_md_stream_append (part->stream, text + held, length - held);
  if (complete)
    tau_md_stream_finish (part->stream);
  tau_markdown_view_update (TAU_MARKDOWN_VIEW (part->widget), part->stream, tau_md_stream_update (part->stream));
}

/* Shows a text, in as many parts as it will have rows. */
static void
render_text (TauDraftView *self,
             guint         index,
             const char   *text,
             gsize         length,
             gboolean      open)
{
  Part *part = &g_array_index (self->parts, Part, index);
  gsize start = part->cutter.cut;

  while (tau_text_cutter_next (&part->cutter, text, length))
    {
      Part next = { .kind = part->kind, .block = part->block, .cutter = part->cutter };

      show_text (part, text + start, part->cutter.cut - start, TRUE);
      part->finished = TRUE;
      start = part->cutter.cut;
      g_array_insert_val (self->parts, ++index, next);
      part = &g_array_index (self->parts, Part, index);
      make_widget (self, index);
    }
  part->length = length;
  part->finished = !open;
  show_text (part, text + start, length - start, !open);
}

static void
render_call (TauDraftView *self,
             Part         *part)
{
  g_autoptr(TauBlock) block = tau_draft_dup_block (self->draft, part->block);
  const char *call_id = tau_draft_get_call_id (self->draft, part->block);

  tau_tool_row_set_call (TAU_TOOL_ROW (part->widget), call_id, tau_draft_get_call_name (self->draft, part->block),
                         block);
  if (call_id)
    tau_tool_row_set_run (TAU_TOOL_ROW (part->widget), tau_transcript_model_find_run (self->model, call_id));
}

static void
render_part (TauDraftView *self,
             guint         index)
{
  Part *part = &g_array_index (self->parts, Part, index);
  gboolean open = tau_draft_is_block_open (self->draft, part->block);
  gsize length = 0;
  const char *text = tau_draft_get_block_text (self->draft, part->block, &length);

  if (part->finished || (open && part->widget && part->length == length))
    return;
  if (!part->widget && part->kind != TAU_BLOCK_TOOL_CALL && tau_text_is_blank (text ? text : ""))
    return;

  if (!part->widget)
    make_widget (self, index);
  part->length = length;
  part->finished = !open;
  switch (part->kind)
    {
    case TAU_BLOCK_THINKING:
      tau_thinking_row_set_text (TAU_THINKING_ROW (part->widget), text, (gssize) length, open);
      break;
    case TAU_BLOCK_TOOL_CALL:
      render_call (self, part);
      break;
    case TAU_BLOCK_TEXT:
    case TAU_BLOCK_IMAGE:
    default:
      render_text (self, index, text, length, open);
      break;
    }
}

static void
render (TauDraftView *self)
{
  guint n_blocks = self->draft ? tau_draft_get_n_blocks (self->draft) : 0;

  self->n_renders++;
  for (; self->n_blocks < n_blocks; self->n_blocks++)
    {
      Part part = { .kind = tau_draft_get_block_kind (self->draft, self->n_blocks), .block = self->n_blocks,
                    .cutter = TAU_TEXT_CUTTER_INIT };

      g_array_append_val (self->parts, part);
    }
  for (guint i = 0; i < self->parts->len; i++)
    render_part (self, i);
}

/* The rows that take over have the same widgets: tell the list their heights, so that it need not guess. */
static void
hand_over_heights (TauDraftView *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int x, column;

  if (width == 0)
    return;
  if (self->tick)
    render (self);
  tau_column_place (GTK_WIDGET (self), width, &x, &column);
  tau_height_cache_set_width (self->heights, width);
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = &g_array_index (self->parts, Part, i);

      if (part->widget)
        tau_height_cache_set (self->heights, part->key, tau_measure_height (part->widget, column));
    }
}

static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       user_data)
{
  TauDraftView *self = TAU_DRAFT_VIEW (widget);

  self->tick = 0;
  render (self);
  return G_SOURCE_REMOVE;
}

static void
dirty_cb (TauDraftView *self)
{
  if (!self->tick)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static GtkSizeRequestMode
tau_draft_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
tau_draft_view_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  TauDraftView *self = TAU_DRAFT_VIEW (widget);
  int width = for_size < 0 ? tau_height_cache_get_width (self->heights) : for_size;
  int x, column;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 120;
      *natural = 600;
      return;
    }
  tau_column_place (widget, width > 0 ? width : 600, &x, &column);
  *minimum = BOTTOM;
  if (gtk_widget_get_visible (self->waiting))
    *minimum += WAITING;
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = &g_array_index (self->parts, Part, i);

      if (part->widget)
        *minimum += tau_measure_height (part->widget, column) + part->gap;
    }
  *natural = *minimum;
}

static void
tau_draft_view_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  TauDraftView *self = TAU_DRAFT_VIEW (widget);
  int x, column, y = 0;

  tau_column_place (widget, width, &x, &column);
  if (gtk_widget_get_visible (self->waiting))
    gtk_widget_size_allocate (self->waiting, &(GtkAllocation) { x, 12, column, WAITING - 12 }, -1);
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = &g_array_index (self->parts, Part, i);
      int part_height;

      if (!part->widget)
        continue;
      part_height = tau_measure_height (part->widget, column);
      y += part->gap;
      gtk_widget_size_allocate (part->widget, &(GtkAllocation) { x, y, column, part_height }, -1);
      y += part_height;
    }
}

static void
tau_draft_view_dispose (GObject *object)
{
  TauDraftView *self = TAU_DRAFT_VIEW (object);

  if (self->waiting)
    tau_draft_view_set_draft (self, NULL);
  g_clear_pointer (&self->waiting, gtk_widget_unparent);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (tau_draft_view_parent_class)->dispose (object);
}

static void
tau_draft_view_finalize (GObject *object)
{
  g_array_unref (TAU_DRAFT_VIEW (object)->parts);
  G_OBJECT_CLASS (tau_draft_view_parent_class)->finalize (object);
}

static void
tau_draft_view_class_init (TauDraftViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_draft_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_draft_view_finalize;
  widget_class->get_request_mode = tau_draft_view_get_request_mode;
  widget_class->measure = tau_draft_view_measure;
  widget_class->size_allocate = tau_draft_view_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "draftview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tau_draft_view_init (TauDraftView *self)
{
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (self->parts, clear_part);

  self->waiting = gtk_label_new (_("Waiting for the model"));
  gtk_label_set_xalign (GTK_LABEL (self->waiting), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->waiting), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->waiting, "dim-label");
  gtk_widget_set_visible (self->waiting, FALSE);
  gtk_widget_set_parent (self->waiting, GTK_WIDGET (self));
}

/**
 * tau_draft_view_new:
 * @model: the finished rows above
 * @heights: their heights; outlives the view
 *
 * Returns: (transfer floating): a view without a draft
 */
GtkWidget *
tau_draft_view_new (TauTranscriptModel *model,
                    TauHeightCache     *heights)
{
  TauDraftView *self = g_object_new (TAU_TYPE_DRAFT_VIEW, NULL);

  self->model = g_object_ref (model);
  self->heights = heights;
  return GTK_WIDGET (self);
}

/**
 * tau_draft_view_set_draft:
 * @self: a view
 * @draft: (nullable): the answer being streamed
 *
 * Shows another draft, or none. What the old one showed is gone at once: its rows have been added to the list.
 */
void
tau_draft_view_set_draft (TauDraftView *self,
                          TauDraft     *draft)
{
  if (self->draft == draft)
    return;

  if (self->draft)
    {
      g_signal_handlers_disconnect_by_func (self->draft, dirty_cb, self);
      hand_over_heights (self);
    }
  g_set_object (&self->draft, draft);
  g_array_set_size (self->parts, 0);
  self->n_blocks = 0;
  if (self->tick)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  if (draft)
    {
      g_signal_connect_object (draft, "notify::revision", G_CALLBACK (dirty_cb), self, G_CONNECT_SWAPPED);
      dirty_cb (self);
    }
  update_waiting (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/**
 * tau_draft_view_get_draft:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it shows
 */
TauDraft *
tau_draft_view_get_draft (TauDraftView *self)
{
  return self->draft;
}

/**
 * tau_draft_view_get_n_renders:
 * @self: a view
 *
 * Returns: how often it looked at a draft
 */
guint
tau_draft_view_get_n_renders (TauDraftView *self)
{
  return self->n_renders;
}
