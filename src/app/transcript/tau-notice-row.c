/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-notice-row.h"

#include "app/markdown/tau-markdown-view.h"
#include "app/markdown/tau-text-block.h"
#include "app/transcript/tau-disclosure.h"
#include "app/transcript/tau-error-advice.h"
#include "core/base/tau-text.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"

#include <glib/gi18n.h>

/* Errors with their way out, summaries, messages of extensions, and thin lines across. */

typedef struct
{
  char *text;
} Body;

static void
body_free (gpointer data)
{
  g_free (((Body *) data)->text);
  g_free (data);
}

static GtkWidget *
build_plain (gpointer user_data)
{
  GtkWidget *block = tau_text_block_new (NULL);

  tau_text_block_set_text (TAU_TEXT_BLOCK (block), ((Body *) user_data)->text);
  gtk_widget_add_css_class (block, "notice-body");
  gtk_widget_add_css_class (block, "dim-label");
  return block;
}

static GtkWidget *
build_markdown (gpointer user_data)
{
  GtkWidget *view = tau_markdown_view_new ();

  tau_markdown_view_set_text (TAU_MARKDOWN_VIEW (view), ((Body *) user_data)->text, -1, TAU_MD_FLAGS_NONE);
  gtk_widget_add_css_class (view, "notice-body");
  return view;
}

static GtkWidget *
make_folded (const char          *title,
             char                *text,
             TauDisclosureBuilder builder,
             TauExpansions       *expansions,
             guint64              key)
{
  Body *body = g_new0 (Body, 1);
  GtkWidget *disclosure = tau_disclosure_new (builder, body);
  GtkWidget *label = gtk_label_new (title);

  body->text = text;
  g_object_set_data_full (G_OBJECT (disclosure), "body", body, body_free);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (tau_disclosure_get_line (TAU_DISCLOSURE (disclosure))), label);
  tau_disclosure_set_name (TAU_DISCLOSURE (disclosure), title);
  tau_disclosure_set_memory (TAU_DISCLOSURE (disclosure), expansions, key);
  return disclosure;
}

/* A line across with the label in its middle. */
static void
centre_label (TauDisclosure *disclosure)
{
  GtkWidget *line = tau_disclosure_get_line (disclosure);
  GtkWidget *label = gtk_widget_get_first_child (line);

  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *separator = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);

      gtk_widget_set_hexpand (separator, TRUE);
      gtk_widget_set_valign (separator, GTK_ALIGN_CENTER);
      if (i == 0)
        gtk_box_prepend (GTK_BOX (line), separator);
      else
        gtk_box_append (GTK_BOX (line), separator);
    }
  gtk_widget_set_hexpand (label, FALSE);
  gtk_widget_add_css_class (label, "caption");
}

static GtkWidget *
make_button (const char *label,
             const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static GtkWidget *
make_buttons (TauAssistantMessage *answer)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), make_button (_("Retry"), "transcript.retry"));
  if (tau_assistant_message_get_stop_reason (answer) == TAU_STOP_REASON_ERROR && tau_error_advice_wants_settings (answer))
    gtk_box_append (GTK_BOX (box), make_button (_("Settings"), "win.models"));
  return box;
}

static GtkWidget *
make_error_line (const char *icon,
                 const char *sentence)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *image = gtk_image_new_from_icon_name (icon);
  GtkWidget *block = tau_text_block_new (NULL);

  gtk_widget_set_valign (image, GTK_ALIGN_START);
  tau_text_block_set_text (TAU_TEXT_BLOCK (block), sentence);
  gtk_widget_set_hexpand (block, TRUE);
  gtk_box_append (GTK_BOX (line), image);
  gtk_box_append (GTK_BOX (line), block);
  return line;
}

/**
 * tau_error_row_new:
 * @message: an answer that failed or was stopped
 * @expansions: remembers whether the details are open
 * @key: names the row there
 *
 * Returns: (transfer floating): what happened and what to do, what the server said, and buttons
 */
GtkWidget *
tau_error_row_new (TauMessage    *message,
                   TauExpansions *expansions,
                   guint64        key)
{
  TauAssistantMessage *answer = TAU_ASSISTANT_MESSAGE (message);
  gboolean stopped = tau_assistant_message_get_stop_reason (answer) == TAU_STOP_REASON_ABORTED;
  const char *raw = tau_assistant_message_get_error_message (answer);
  g_autofree char *sentence = tau_error_advice_dup_sentence (answer);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *line = make_error_line (stopped ? "media-playback-stop-symbolic" : "dialog-error-symbolic", sentence);

  gtk_widget_add_css_class (box, stopped ? "stopped-row" : "error-row");
  gtk_widget_add_css_class (line, stopped ? "dim-label" : "error");
  gtk_box_append (GTK_BOX (box), line);
  if (!stopped && raw && *raw)
    gtk_box_append (GTK_BOX (box), make_folded (_("Details"), tau_text_make_valid (raw, -1), build_plain, expansions, key));
  gtk_box_append (GTK_BOX (box), make_buttons (answer));
  return box;
}

static char *
dup_pill_text (TauMessage *message)
{
  gint64 tokens;

  if (!TAU_IS_COMPACTION_SUMMARY_MESSAGE (message))
    return g_strdup (_("Summary of another branch"));

  tokens = tau_compaction_summary_message_get_tokens_before (TAU_COMPACTION_SUMMARY_MESSAGE (message));
  if (tokens <= 0)
    return g_strdup (_("Conversation compacted"));
  return g_strdup_printf (_("Conversation compacted from %dk tokens"), (int) ((tokens + 500) / 1000));
}

/**
 * tau_summary_row_new:
 * @message: a summary of what was compacted, or of a branch
 * @expansions: remembers whether it is open
 * @key: names the row there
 *
 * Returns: (transfer floating): a line across that opens to the summary
 */
GtkWidget *
tau_summary_row_new (TauMessage    *message,
                     TauExpansions *expansions,
                     guint64        key)
{
  g_autofree char *title = dup_pill_text (message);
  const char *summary = TAU_IS_COMPACTION_SUMMARY_MESSAGE (message)
                          ? tau_compaction_summary_message_get_summary (TAU_COMPACTION_SUMMARY_MESSAGE (message))
                          : tau_branch_summary_message_get_summary (TAU_BRANCH_SUMMARY_MESSAGE (message));
  GtkWidget *row = make_folded (title, tau_text_make_valid (summary, -1), build_markdown, expansions, key);

  centre_label (TAU_DISCLOSURE (row));
  gtk_widget_add_css_class (row, "summary-row");
  return row;
}

/**
 * tau_custom_row_new:
 * @message: a message of an extension
 *
 * Returns: (transfer floating): its kind and its text
 */
GtkWidget *
tau_custom_row_new (TauMessage *message)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  const char *kind = tau_custom_message_get_custom_type (TAU_CUSTOM_MESSAGE (message));
  g_autofree char *valid = tau_text_make_valid (kind ? kind : "", -1);
  g_autofree char *text = tau_message_dup_text (message, "\n\n");
  GtkWidget *caption = gtk_label_new (valid);
  GtkWidget *view = tau_markdown_view_new ();

  gtk_widget_add_css_class (box, "custom-row");
  gtk_label_set_xalign (GTK_LABEL (caption), 0);
  gtk_label_set_ellipsize (GTK_LABEL (caption), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (caption, "caption");
  gtk_widget_add_css_class (caption, "dim-label");
  tau_markdown_view_set_text (TAU_MARKDOWN_VIEW (view), text, -1, TAU_MD_KEEP_BREAKS);
  gtk_box_append (GTK_BOX (box), caption);
  gtk_box_append (GTK_BOX (box), view);
  return box;
}

/**
 * tau_separator_row_new:
 * @caption: (nullable): what changed here
 *
 * Returns: (transfer floating): a thin line with a caption in its middle
 */
GtkWidget *
tau_separator_row_new (const char *caption)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *before = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *after = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);

  gtk_widget_set_hexpand (before, TRUE);
  gtk_widget_set_valign (before, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (after, TRUE);
  gtk_widget_set_valign (after, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), before);
  if (caption)
    {
      GtkWidget *label = gtk_label_new (caption);

      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (label, "dim-label");
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      gtk_widget_set_tooltip_text (label, caption);
      gtk_widget_set_size_request (before, 12, -1);
      gtk_widget_set_size_request (after, 12, -1);
      gtk_box_append (GTK_BOX (box), label);
    }
  gtk_box_append (GTK_BOX (box), after);
  return box;
}
