/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-outline.h"

#include "app/transcript/tau-user-text.h"
#include "core/message/tau-message-kind.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauOutline: live, owned by the transcript view. A popover with the prompts of the conversation, the last ones at
 * its end; one of them is chosen to be shown. It only leads there: nothing is sent, edited or taken back. */
struct _TauOutline
{
  GObject     parent_instance;
  GtkWidget  *parent;     /* borrowed: our owner */
  GtkWidget  *popover;    /* child of @parent, made when it is opened */
  GtkListBox *list;
};

#define MAX_PROMPTS  500
#define MAX_LOOKED   20000   /* messages; each may have to be read from the file */
#define LINE_BYTES   300

enum
{
  CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauOutline, tau_outline, G_TYPE_OBJECT)

static void
activated_cb (GtkListBox    *list,
              GtkListBoxRow *row,
              TauOutline    *self)
{
  guint position = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "position"));

  gtk_popover_popdown (GTK_POPOVER (self->popover));
  g_signal_emit (self, signals[CHOSEN], 0, position);
}

static void
make_popover (TauOutline *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_list_box_set_placeholder (self->list, gtk_label_new (_("Nothing was asked yet")));
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "outline");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Prompts"), -1);
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (activated_cb), self, 0);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 420);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  gtk_widget_set_size_request (scroller, 300, -1);

  self->popover = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (self->popover), scroller);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_BOTTOM);
  gtk_widget_add_css_class (self->popover, "menu");
  gtk_widget_set_parent (self->popover, self->parent);
}

static char *
dup_line (TauMessage *message)
{
  TauUserText text;
  char *line;

  tau_user_text_init (&text, message);
  line = text.skill_name ? g_strdup_printf ("%s: %s", text.skill_name, text.rest) : g_strdup (text.rest);
  tau_user_text_clear (&text);
  g_strstrip (line);
  line[strcspn (line, "\n")] = '\0';
  if (strlen (line) > LINE_BYTES)
    {
      char *end = g_utf8_find_prev_char (line, line + LINE_BYTES);

      *end = '\0';
    }
  return line;
}

static void
add_prompt (TauOutline *self,
            TauMessage *message,
            guint       position)
{
  g_autofree char *line = dup_line (message);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *label = gtk_label_new (*line ? line : _("Attachment"));

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 50);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  g_object_set_data (G_OBJECT (row), "position", GUINT_TO_POINTER (position));
  gtk_list_box_prepend (self->list, row);
}

static void
fill (TauOutline *self,
      GListModel *messages)
{
  guint n = messages ? g_list_model_get_n_items (messages) : 0, n_prompts = 0;
  GtkWidget *row;

  while ((row = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, 0))))
    gtk_list_box_remove (self->list, row);
  for (guint i = 0; i < MIN (n, MAX_LOOKED) && n_prompts < MAX_PROMPTS; i++)
    {
      g_autoptr(TauMessage) message = g_list_model_get_item (messages, n - 1 - i);
      TauMessageKind kind = tau_message_kind_from_role (tau_message_get_role (message));

      if (kind != TAU_MESSAGE_KIND_USER && kind != TAU_MESSAGE_KIND_USER_ATTACHMENTS)
        continue;
      add_prompt (self, message, n - 1 - i);
      n_prompts++;
    }
}

static void
tau_outline_class_init (TauOutlineClass *klass)
{
  /**
   * TauOutline::chosen:
   * @position: of a message
   *
   * The reader wants to see it.
   */
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
tau_outline_init (TauOutline *self)
{
}

/**
 * tau_outline_new:
 * @parent: what it opens over
 *
 * Returns: (transfer full): a closed outline
 */
TauOutline *
tau_outline_new (GtkWidget *parent)
{
  TauOutline *self = g_object_new (TAU_TYPE_OUTLINE, NULL);

  self->parent = parent;
  return self;
}

/**
 * tau_outline_detach:
 * @self: an outline
 *
 * To be called when the parent is disposed of.
 */
void
tau_outline_detach (TauOutline *self)
{
  g_clear_pointer (&self->popover, gtk_widget_unparent);
}

/**
 * tau_outline_open:
 * @self: an outline
 * @messages: (nullable): the conversation
 *
 * Shows the prompts, with the cursor on the last one.
 */
void
tau_outline_open (TauOutline *self,
                  GListModel *messages)
{
  int width = gtk_widget_get_width (self->parent);
  GtkWidget *last;

  if (!self->popover)
    make_popover (self);
  fill (self, messages);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &(GdkRectangle) { width / 2, 0, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->popover));
  last = gtk_widget_get_last_child (GTK_WIDGET (self->list));
  if (last && GTK_IS_LIST_BOX_ROW (last))
    gtk_widget_grab_focus (last);
}
