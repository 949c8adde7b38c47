/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-thinking-row.h"

#include "app/markdown/tau-text-block.h"
#include "app/transcript/tau-disclosure.h"
#include "core/base/tau-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* TauThinkingRow: thoughts of a model, one dim line that opens to the text. While the model thinks, the last line of
 * its thoughts stands there. */
struct _TauThinkingRow
{
  GtkWidget  parent_instance;
  GtkWidget *disclosure;
  GtkWidget *label;
  GtkWidget *body;     /* text block while open; owned by the disclosure */
  GString   *text;
};

G_DEFINE_FINAL_TYPE (TauThinkingRow, tau_thinking_row, GTK_TYPE_WIDGET)

static GtkWidget *
build_body (gpointer user_data)
{
  TauThinkingRow *self = user_data;
  g_autofree char *text = tau_text_trim (self->text->str);
  GtkWidget *body = tau_text_block_new (NULL);

  gtk_widget_add_css_class (body, "thinking-body");
  gtk_widget_add_css_class (body, "dim-label");
  tau_text_block_set_text (TAU_TEXT_BLOCK (body), text);
  g_set_weak_pointer (&self->body, body);
  return body;
}

static void
tau_thinking_row_dispose (GObject *object)
{
  TauThinkingRow *self = TAU_THINKING_ROW (object);

  g_clear_pointer (&self->disclosure, gtk_widget_unparent);
  g_clear_weak_pointer (&self->body);
  G_OBJECT_CLASS (tau_thinking_row_parent_class)->dispose (object);
}

static void
tau_thinking_row_finalize (GObject *object)
{
  g_string_free (TAU_THINKING_ROW (object)->text, TRUE);
  G_OBJECT_CLASS (tau_thinking_row_parent_class)->finalize (object);
}

static void
tau_thinking_row_class_init (TauThinkingRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_thinking_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_thinking_row_finalize;
  gtk_widget_class_set_css_name (widget_class, "thinkingrow");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
tau_thinking_row_init (TauThinkingRow *self)
{
  self->text = g_string_new (NULL);
  self->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->label), PANGO_ELLIPSIZE_END);
  gtk_label_set_single_line_mode (GTK_LABEL (self->label), TRUE);
  gtk_widget_set_hexpand (self->label, TRUE);
  gtk_widget_add_css_class (self->label, "dim-label");
  gtk_widget_add_css_class (self->label, "thinking-line");

  self->disclosure = tau_disclosure_new (build_body, self);
  gtk_box_append (GTK_BOX (tau_disclosure_get_line (TAU_DISCLOSURE (self->disclosure))), self->label);
  gtk_widget_set_parent (self->disclosure, GTK_WIDGET (self));
}

/**
 * tau_thinking_row_new:
 * @expansions: (nullable): remembers whether it is open
 * @key: names it there
 *
 * Returns: (transfer floating): a row without text
 */
GtkWidget *
tau_thinking_row_new (TauExpansions *expansions,
                      guint64        key)
{
  TauThinkingRow *self = g_object_new (TAU_TYPE_THINKING_ROW, NULL);

  tau_disclosure_set_memory (TAU_DISCLOSURE (self->disclosure), expansions, key);
  return GTK_WIDGET (self);
}

/* The last line that says anything, without the marks of Markdown at its ends. */
static char *
dup_last_line (const char *text,
               gsize       length)
{
  const char *end = text + length, *start;
  char *line;

  while (end > text && g_ascii_isspace (end[-1]))
    end--;
  start = end;
  while (start > text && start[-1] != '\n' && end - start < 400)
    start--;
  while (start < end && (*start & 0xc0) == 0x80)
    start++;
  line = tau_text_make_valid (start, end - start);
  return g_strstrip (g_strdelimit (line, "*#`\t\r", ' '));
}

/**
 * tau_thinking_row_set_text:
 * @self: a row
 * @text: the thoughts
 * @length: bytes of @text, or -1
 * @growing: whether the model is still thinking
 *
 * Shows other thoughts.
 */
void
tau_thinking_row_set_text (TauThinkingRow *self,
                           const char     *text,
                           gssize          length,
                           gboolean        growing)
{
  g_autofree char *valid = tau_text_make_valid (text, length);
  g_autofree char *line = growing ? dup_last_line (valid, strlen (valid)) : NULL;

  g_string_assign (self->text, valid);
  if (growing)
    gtk_label_set_label (GTK_LABEL (self->label), *line ? line : _("Thinking"));
  else
    gtk_label_set_label (GTK_LABEL (self->label), _("Thought"));
  tau_disclosure_set_name (TAU_DISCLOSURE (self->disclosure), growing ? _("Thinking") : _("Thought"));
  if (self->body)
    {
      g_autofree char *trimmed = tau_text_trim (valid);

      tau_text_block_set_text (TAU_TEXT_BLOCK (self->body), trimmed);
    }
}
