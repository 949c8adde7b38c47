/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-code-block.h"

#include "app/markdown/tau-code-view.h"
#include "app/markdown/tau-highlighter.h"
#include "app/markdown/tau-selection.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauCodeBlock: code or output in a quiet frame: a header with the language and a button that copies, the lines,
 * which scroll sideways inside, and below them a button that shows the rest of a long text. While a text grows its
 * last lines show, afterwards its first, in the same height. */
struct _TauCodeBlock
{
  GtkWidget      parent_instance;
  GtkWidget     *header;
  GtkWidget     *title;
  GtkWidget     *scroller;
  TauCodeView   *view;
  GtkWidget     *more;
  TauExpansions *expansions;   /* nullable */
  guint64        key;
  gboolean       expanded;
  gboolean       revealed;     /* all lines are shown for a while: words were found in them */
  gboolean       growing;
  guint          cap;
};

G_DEFINE_FINAL_TYPE (TauCodeBlock, tau_code_block, GTK_TYPE_WIDGET)

#define INNER_LINES  60    /* more lines than these scroll inside the block */
#define INNER_HEIGHT 600   /* pixels that they get */

static void
set_inner_scrolling (TauCodeBlock *self,
                     gboolean      inner)
{
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (self->scroller);

  gtk_scrolled_window_set_policy (scroller, GTK_POLICY_AUTOMATIC, inner ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  gtk_scrolled_window_set_max_content_height (scroller, inner ? INNER_HEIGHT : -1);
  gtk_scrolled_window_set_min_content_height (scroller, inner ? INNER_HEIGHT : -1);
}

static void
update_window (TauCodeBlock *self)
{
  guint n_lines = tau_code_view_get_n_lines (self->view);
  gboolean capped = n_lines > self->cap;
  g_autofree char *label = NULL;

  if (!capped || self->expanded || self->revealed)
    tau_code_view_set_window (self->view, 0, G_MAXUINT);
  else
    tau_code_view_set_window (self->view, self->growing ? n_lines - self->cap : 0, self->cap);

  /* However long it is, a row stays near the size of a window: the rest scrolls inside. */
  set_inner_scrolling (self, tau_code_view_get_n_shown (self->view) > INNER_LINES);
  gtk_widget_set_visible (self->more, capped);
  if (!capped)
    return;
  if (self->expanded || self->revealed)
    label = g_strdup (_("Show less"));
  else
    label = g_strdup_printf (ngettext ("Show all %u line", "Show all %u lines", n_lines), n_lines);
  gtk_button_set_label (GTK_BUTTON (self->more), label);
}

static void
more_cb (TauCodeBlock *self)
{
  self->expanded = !self->expanded && !self->revealed;
  self->revealed = FALSE;
  if (self->expansions)
    tau_expansions_set (self->expansions, self->key, self->expanded);
  update_window (self);
}

static void
copy_cb (TauCodeBlock *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), tau_code_view_get_text (self->view));
}

static void
tau_code_block_dispose (GObject *object)
{
  TauCodeBlock *self = TAU_CODE_BLOCK (object);
  GtkWidget *child;

  g_clear_object (&self->expansions);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (tau_code_block_parent_class)->dispose (object);
}

static void
tau_code_block_class_init (TauCodeBlockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_code_block_dispose;
  gtk_widget_class_set_css_name (widget_class, "codeblock");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
make_header (TauCodeBlock *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *copy = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  gtk_widget_add_css_class (header, "code-header");
  self->title = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->title, "caption");
  gtk_widget_add_css_class (self->title, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->title, TRUE);
  gtk_widget_add_css_class (copy, "flat");
  gtk_widget_set_tooltip_text (copy, _("Copy"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (copy), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy code"), -1);
  g_signal_connect_object (copy, "clicked", G_CALLBACK (copy_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (header), self->title);
  gtk_box_append (GTK_BOX (header), copy);
  return header;
}

static void
tau_code_block_init (TauCodeBlock *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->cap = 20;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (widget)), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);

  self->header = make_header (self);
  gtk_widget_set_parent (self->header, widget);

  self->view = TAU_CODE_VIEW (tau_code_view_new ());
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));
  gtk_widget_set_parent (self->scroller, widget);

  self->more = gtk_button_new ();
  gtk_widget_add_css_class (self->more, "flat");
  gtk_widget_add_css_class (self->more, "show-more");
  gtk_widget_set_visible (self->more, FALSE);
  g_signal_connect_object (self->more, "clicked", G_CALLBACK (more_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->more, widget);
}

/**
 * tau_code_block_new:
 *
 * Returns: (transfer floating): an empty block
 */
GtkWidget *
tau_code_block_new (void)
{
  return g_object_new (TAU_TYPE_CODE_BLOCK, NULL);
}

/**
 * tau_code_block_set_block:
 * @self: a code block
 * @block: a Markdown block that is code
 *
 * Shows code of an answer.
 */
void
tau_code_block_set_block (TauCodeBlock *self,
                          TauMdBlock   *block)
{
  const char *name = tau_md_block_get_language (block);
  gsize length;
  const char *code = tau_md_block_get_code (block, &length);

  tau_code_block_set_title (self, *name ? name : _("Text"));
  tau_code_block_set_language (self, tau_highlighter_find_language (name));
  tau_code_block_set_text (self, code, length, !tau_md_block_is_closed (block));
}

/**
 * tau_code_block_set_text:
 * @self: a code block
 * @text: the lines, valid UTF-8
 * @length: bytes of @text
 * @growing: whether more will come
 *
 * Shows other lines.
 */
void
tau_code_block_set_text (TauCodeBlock *self,
                         const char   *text,
                         gsize         length,
                         gboolean      growing)
{
  self->growing = growing;
  tau_code_view_set_text (self->view, text, length);
  tau_code_view_set_growing (self->view, growing);
  update_window (self);
}

/**
 * tau_code_block_set_title:
 * @self: a code block
 * @title: (nullable): what stands in the header; %NULL for no header
 *
 * Names the block.
 */
void
tau_code_block_set_title (TauCodeBlock *self,
                          const char   *title)
{
  gtk_widget_set_visible (self->header, title != NULL);
  if (title && g_strcmp0 (gtk_label_get_label (GTK_LABEL (self->title)), title) != 0)
    gtk_label_set_label (GTK_LABEL (self->title), title);
}

/**
 * tau_code_block_set_language:
 * @self: a code block
 * @language: (nullable): id of a language
 *
 * Says how the lines are coloured.
 */
void
tau_code_block_set_language (TauCodeBlock *self,
                             const char   *language)
{
  tau_code_view_set_language (self->view, language);
}

/**
 * tau_code_block_set_expansion:
 * @self: a code block
 * @expansions: where to remember that all lines are shown
 * @key: names this block there
 *
 * Makes the reader's choice outlive the widget.
 */
void
tau_code_block_set_expansion (TauCodeBlock  *self,
                              TauExpansions *expansions,
                              guint64        key)
{
  g_set_object (&self->expansions, expansions);
  self->key = key;
  self->expanded = tau_expansions_get (expansions, key, FALSE);
  update_window (self);
}

/**
 * tau_code_block_set_tints:
 * @self: a code block
 * @tints: (nullable): see [method@CodeView.set_tints]
 *
 * Tints lines, as a diff does.
 */
void
tau_code_block_set_tints (TauCodeBlock *self,
                          const char   *tints)
{
  tau_code_view_set_tints (self->view, tints);
}

/**
 * tau_code_block_set_changes:
 * @self: a code block
 * @changes: (nullable): see [method@CodeView.set_changes]
 *
 * Tints words within tinted lines.
 */
void
tau_code_block_set_changes (TauCodeBlock *self,
                            GArray       *changes)
{
  tau_code_view_set_changes (self->view, changes);
}

/**
 * tau_code_block_set_cap:
 * @self: a code block
 * @n_lines: how many lines a long text shows at first
 *
 * The default is 20.
 */
void
tau_code_block_set_cap (TauCodeBlock *self,
                        guint         n_lines)
{
  self->cap = n_lines;
  update_window (self);
}

/**
 * tau_code_block_set_revealed:
 * @self: a code block
 * @revealed: whether to show all lines for a while
 *
 * Shows all lines, or again as many as the reader wanted. Nothing is remembered.
 */
void
tau_code_block_set_revealed (TauCodeBlock *self,
                             gboolean      revealed)
{
  if (self->revealed == revealed)
    return;

  self->revealed = revealed;
  update_window (self);
}

/**
 * tau_code_block_reveal:
 * @self: a code block
 * @index: a byte of its text
 *
 * Makes the line with a byte seen within the block, for which all lines may have to be shown for a while.
 *
 * Returns: whether they are
 */
gboolean
tau_code_block_reveal (TauCodeBlock *self,
                       gsize         index)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  double page = gtk_adjustment_get_page_size (adjustment), value = gtk_adjustment_get_value (adjustment);
  int height, y = TAU_SELECTABLE_GET_IFACE (self->view)->y_of (TAU_SELECTABLE (self->view), index, &height);

  if (y < 0 || y >= (int) tau_code_view_get_n_shown (self->view) * height)
    {
      tau_code_block_set_revealed (self, TRUE);
      return TRUE;
    }
  if (gtk_adjustment_get_upper (adjustment) > page + 1 && (y < value || y + height > value + page))
    gtk_adjustment_set_value (adjustment, y - page / 3);
  return self->revealed;
}
