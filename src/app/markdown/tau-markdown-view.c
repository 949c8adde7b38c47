/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-markdown-view.h"

#include "app/markdown/tau-block-frame.h"

/* TauMarkdownView: one Markdown text, block below block. The same widgets serve a text that is finished and one
 * that grows, so that both have the same height; of a growing one only the blocks that changed are touched. */
struct _TauMarkdownView
{
  GtkWidget      parent_instance;
  TauExpansions *expansions;   /* nullable */
  guint64        key;
  GPtrArray     *frames;       /* of TauBlockFrame, children in order */
};

G_DEFINE_FINAL_TYPE (TauMarkdownView, tau_markdown_view, GTK_TYPE_WIDGET)

static void
tau_markdown_view_dispose (GObject *object)
{
  TauMarkdownView *self = TAU_MARKDOWN_VIEW (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_ptr_array_set_size (self->frames, 0);
  g_clear_object (&self->expansions);
  G_OBJECT_CLASS (tau_markdown_view_parent_class)->dispose (object);
}

static void
tau_markdown_view_finalize (GObject *object)
{
  g_ptr_array_unref (TAU_MARKDOWN_VIEW (object)->frames);
  G_OBJECT_CLASS (tau_markdown_view_parent_class)->finalize (object);
}

static void
tau_markdown_view_class_init (TauMarkdownViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_markdown_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_markdown_view_finalize;
  gtk_widget_class_set_css_name (widget_class, "markdown");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tau_markdown_view_init (TauMarkdownView *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  self->frames = g_ptr_array_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
}

/**
 * tau_markdown_view_new:
 *
 * Returns: (transfer floating): an empty view
 */
GtkWidget *
tau_markdown_view_new (void)
{
  return g_object_new (TAU_TYPE_MARKDOWN_VIEW, NULL);
}

/**
 * tau_markdown_view_set_expansion:
 * @self: an empty view
 * @expansions: remembers which code is shown in full
 * @key: names the text there; the low byte and a half is free for its blocks
 *
 * Makes the reader's choices outlive the widget.
 */
void
tau_markdown_view_set_expansion (TauMarkdownView *self,
                                 TauExpansions   *expansions,
                                 guint64          key)
{
  g_set_object (&self->expansions, expansions);
  self->key = key;
}

static void
set_block (TauMarkdownView *self,
           guint            position,
           TauMdBlock      *before,
           TauMdBlock      *block)
{
  GtkWidget *old = position < self->frames->len ? g_ptr_array_index (self->frames, position) : NULL;
  GtkWidget *frame;

  if (old && tau_block_frame_update (TAU_BLOCK_FRAME (old), block, before))
    return;

  frame = tau_block_frame_new (block, before, self->expansions, self->key + position + 1);
  gtk_widget_insert_after (frame, GTK_WIDGET (self), position > 0 ? g_ptr_array_index (self->frames, position - 1) : NULL);
  if (old)
    {
      gtk_widget_unparent (old);
      g_ptr_array_index (self->frames, position) = frame;
    }
  else
    {
      g_ptr_array_add (self->frames, frame);
    }
}

static void
truncate_to (TauMarkdownView *self,
             guint            n_blocks)
{
  while (self->frames->len > n_blocks)
    {
      gtk_widget_unparent (g_ptr_array_index (self->frames, self->frames->len - 1));
      g_ptr_array_set_size (self->frames, (int) self->frames->len - 1);
    }
}

/**
 * tau_markdown_view_set_text:
 * @self: a view
 * @text: Markdown
 * @length: bytes of @text, or -1
 * @flags: how to read it
 *
 * Shows a finished text.
 */
void
tau_markdown_view_set_text (TauMarkdownView *self,
                            const char      *text,
                            gssize           length,
                            TauMdFlags       flags)
{
  g_autoptr(GPtrArray) blocks = tau_md_parse (text, length, flags);

  for (guint i = 0; i < blocks->len; i++)
    set_block (self, i, i > 0 ? g_ptr_array_index (blocks, i - 1) : NULL, g_ptr_array_index (blocks, i));
  truncate_to (self, blocks->len);
}

/**
 * tau_markdown_view_update:
 * @self: a view
 * @stream: a text that grows
 * @first_changed: what [method@MdStream.update] said
 *
 * Shows the blocks of the stream; those before @first_changed are known to be shown already.
 */
void
tau_markdown_view_update (TauMarkdownView *self,
                          TauMdStream     *stream,
                          guint            first_changed)
{
  guint n_blocks = tau_md_stream_get_n_blocks (stream);

  for (guint i = MIN (first_changed, self->frames->len); i < n_blocks; i++)
    set_block (self, i, i > 0 ? tau_md_stream_get_block (stream, i - 1) : NULL, tau_md_stream_get_block (stream, i));
  truncate_to (self, n_blocks);
}

/**
 * tau_markdown_view_get_n_blocks:
 * @self: a view
 *
 * Returns: how many blocks it shows
 */
guint
tau_markdown_view_get_n_blocks (TauMarkdownView *self)
{
  return self->frames->len;
}
