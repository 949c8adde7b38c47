/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-user-row.h"

#include "app/markdown/tau-markdown-view.h"
#include "app/transcript/tau-disclosure.h"
#include "app/transcript/tau-picture-tile.h"
#include "app/transcript/tau-transcript-view.h"
#include "app/transcript/tau-usage-line.h"
#include "app/transcript/tau-user-text.h"
#include "core/base/tau-text.h"
#include "core/message/tau-user-attachments-message.h"

#include <glib/gi18n.h>

/* What the user wrote: a card of the column's width, pictures as tiles above the text, and buttons that show while
 * the pointer is over it. */

#define TILE 96

static GtkWidget *
make_tiles (TauMessage *message)
{
  GtkWidget *tiles = NULL;

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    {
      TauBlock *block = tau_message_get_block (message, i);

      if (tau_block_get_kind (block) != TAU_BLOCK_IMAGE || !tau_block_get_data (block))
        continue;
      if (!tiles)
        tiles = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      gtk_box_append (GTK_BOX (tiles), tau_picture_tile_new (block, TILE, TILE, TRUE));
    }
  return tiles;
}

static void
add_file_names (GtkBox     *card,
                TauMessage *message)
{
  TauUserAttachmentsMessage *attachments;

  if (!TAU_IS_USER_ATTACHMENTS_MESSAGE (message))
    return;
  attachments = TAU_USER_ATTACHMENTS_MESSAGE (message);
  for (guint i = 0; i < tau_user_attachments_message_get_n_attachments (attachments); i++)
    {
      const char *name = tau_user_attachments_message_get_file_name (attachments, i);
      GtkWidget *label = gtk_label_new (name ? name : _("Attachment"));

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (card, label);
    }
}

static void
edit_cb (GtkButton *button)
{
  TauMessage *message = g_object_get_data (G_OBJECT (button), "message");

  GtkWidget *view = gtk_widget_get_ancestor (GTK_WIDGET (button), TAU_TYPE_TRANSCRIPT_VIEW);

  if (view)
    tau_transcript_view_edit_message (TAU_TRANSCRIPT_VIEW (view), message);
}

static void
copy_cb (GtkButton *button)
{
  TauMessage *message = g_object_get_data (G_OBJECT (button), "message");
  g_autofree char *text = tau_message_dup_text (message, "\n");
  g_autofree char *valid = tau_text_make_valid (text, -1);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), valid);
}

static void
restore_cb (GtkButton *button)
{
  TauMessage *message = g_object_get_data (G_OBJECT (button), "message");

  gtk_widget_activate_action (GTK_WIDGET (button), "win.restore-since", "x", tau_message_get_timestamp (message));
}

static void
add_button (GtkBox     *box,
            TauMessage *message,
            const char *icon,
            const char *tip,
            GCallback   callback)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_widget_set_tooltip_text (button, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  g_object_set_data_full (G_OBJECT (button), "message", g_object_ref (message), g_object_unref);
  g_signal_connect (button, "clicked", callback, NULL);
  gtk_box_append (box, button);
}

static void
add_time (GtkBox     *box,
          TauMessage *message)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = tau_usage_line_dup_time (tau_message_get_timestamp (message), now);
  GtkWidget *label = gtk_label_new (time);

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "user-time");
  gtk_box_append (box, label);
}

static GtkWidget *
make_buttons (TauMessage *message)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "hover-buttons");
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  gtk_widget_set_valign (box, GTK_ALIGN_START);
  add_time (GTK_BOX (box), message);
  add_button (GTK_BOX (box), message, "document-edit-symbolic", _("Edit and send again"), G_CALLBACK (edit_cb));
  add_button (GTK_BOX (box), message, "edit-undo-symbolic", _("Restore files…"), G_CALLBACK (restore_cb));
  add_button (GTK_BOX (box), message, "edit-copy-symbolic", _("Copy"), G_CALLBACK (copy_cb));
  return box;
}

static GtkWidget *
make_text (const char *text,
           TauMdFlags  flags)
{
  GtkWidget *view = tau_markdown_view_new ();

  tau_markdown_view_set_text (TAU_MARKDOWN_VIEW (view), text, -1, flags);
  return view;
}

static GtkWidget *
build_skill (gpointer user_data)
{
  GtkWidget *view = make_text (user_data, TAU_MD_FLAGS_NONE);

  gtk_widget_add_css_class (view, "notice-body");
  return view;
}

/* One line that opens to the text of the skill. */
static GtkWidget *
make_skill (TauUserText   *text,
            TauExpansions *expansions,
            guint64        key)
{
  char *body = g_strdup (text->skill);
  GtkWidget *disclosure = tau_disclosure_new (build_skill, body);
  /* Translators: the name of a skill. */
  g_autofree char *name = g_strdup_printf (_("Skill: %s"), text->skill_name);
  GtkWidget *label = gtk_label_new (name);

  g_object_set_data_full (G_OBJECT (disclosure), "body", body, g_free);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (tau_disclosure_get_line (TAU_DISCLOSURE (disclosure))), label);
  tau_disclosure_set_name (TAU_DISCLOSURE (disclosure), name);
  tau_disclosure_set_memory (TAU_DISCLOSURE (disclosure), expansions, key);
  return disclosure;
}

/**
 * tau_user_row_new:
 * @message: what the user wrote
 * @expansions: remembers whether the skill in it is open
 * @key: names the row there
 *
 * Returns: (transfer floating): a widget for it
 */
GtkWidget *
tau_user_row_new (TauMessage    *message,
                  TauExpansions *expansions,
                  guint64        key)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *tiles = make_tiles (message);
  TauUserText text;

  tau_user_text_init (&text, message);
  gtk_widget_add_css_class (card, "user-card");
  if (tiles)
    gtk_box_append (GTK_BOX (card), tiles);
  add_file_names (GTK_BOX (card), message);
  if (text.skill)
    gtk_box_append (GTK_BOX (card), make_skill (&text, expansions, key));
  if (!tau_text_is_blank (text.rest))
    gtk_box_append (GTK_BOX (card), make_text (text.rest, TAU_MD_KEEP_BREAKS));
  tau_user_text_clear (&text);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), card);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), make_buttons (message));
  gtk_widget_add_css_class (overlay, "user-row");
  return overlay;
}
