/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-group-row.h"

#include "app/transcript/tau-disclosure.h"

/* The line that stands for several steps. What it opens to are rows of their own below it. */

static GtkWidget *
build_nothing (gpointer user_data)
{
  return NULL;
}

static void
activated_cb (GtkWidget *disclosure)
{
  gtk_widget_activate_action (disclosure, "transcript.group-toggled", NULL);
}

/**
 * tau_group_row_new:
 * @caption: what the steps did
 * @expansions: remembers whether the group is open
 * @key: names it there
 *
 * Returns: (transfer floating): a line with a triangle
 */
GtkWidget *
tau_group_row_new (const char    *caption,
                   TauExpansions *expansions,
                   guint64        key)
{
  GtkWidget *row = tau_disclosure_new (build_nothing, NULL);
  GtkWidget *line = tau_disclosure_get_line (TAU_DISCLOSURE (row));
  GtkWidget *label = gtk_label_new (caption);
  GtkWidget *icon = gtk_image_new_from_icon_name ("object-select-symbolic");

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "tool-sign");
  gtk_widget_add_css_class (icon, "dim-label");
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), icon);
  tau_disclosure_set_name (TAU_DISCLOSURE (row), caption);
  tau_disclosure_set_memory (TAU_DISCLOSURE (row), expansions, key);
  g_signal_connect (row, "activated", G_CALLBACK (activated_cb), NULL);
  return row;
}
