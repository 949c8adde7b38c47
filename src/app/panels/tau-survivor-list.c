/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/panels/tau-survivor-list.h"

#include "core/tool/tau-survivors.h"

#include <glib/gi18n.h>

/* What commands have left running, below their output: a line for each with its number, age and memory, and a button that
 * ends it. Not there while there is nothing. It shows the program's one list and owns nothing. */
struct _TauSurvivorList
{
  GtkBox      parent_instance;

  GListModel *survivors;   /* the program's */
  guint       clock_id;    /* ages, while the list is seen */
  GtkListBox *rows;
};

G_DEFINE_FINAL_TYPE (TauSurvivorList, tau_survivor_list, GTK_TYPE_BOX)

static char *
dup_age (gint64 milliseconds)
{
  gint64 minutes = milliseconds / 60000;

  if (minutes < 1)
    return g_strdup_printf (_("%d s"), (int) (milliseconds / 1000));
  if (minutes < 60)
    return g_strdup_printf (_("%d min"), (int) minutes);
  return g_strdup_printf (_("%d h"), (int) (minutes / 60));
}

static char *
dup_figures (TauSurvivor *survivor)
{
  g_autofree char *age = dup_age (tau_survivor_get_age_ms (survivor));
  g_autofree char *memory = g_format_size ((guint64) tau_survivor_get_memory (survivor));

  if (tau_survivor_get_stopping (survivor))
    return g_strdup_printf (_("Stopping · process %d"), tau_survivor_get_pid (survivor));
  if (tau_survivor_get_is_orphan (survivor))
    /* Translators: number, age, memory of what a Tau that ended unexpectedly has left running. */
    return g_strdup_printf (_("process %d · %s · %s · from an earlier Tau"), tau_survivor_get_pid (survivor), age, memory);
  /* Translators: number, age, memory. */
  return g_strdup_printf (_("process %d · %s · %s"), tau_survivor_get_pid (survivor), age, memory);
}

static void
update_row (GtkWidget *row)
{
  TauSurvivor *survivor = g_object_get_data (G_OBJECT (row), "survivor");
  GtkWidget *figures = g_object_get_data (G_OBJECT (row), "figures");
  GtkWidget *stop = g_object_get_data (G_OBJECT (row), "stop");
  g_autofree char *text = dup_figures (survivor);

  gtk_label_set_text (GTK_LABEL (figures), text);
  gtk_widget_set_sensitive (stop, !tau_survivor_get_stopping (survivor));
}

static void
stop_cb (TauSurvivor *survivor)
{
  tau_survivors_stop (survivor);
}

static GtkWidget *
make_stop_button (TauSurvivor *survivor)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("media-playback-stop-symbolic");
  g_autofree char *name = g_strdup_printf (_("Stop %s"), tau_survivor_get_command (survivor));

  gtk_widget_set_tooltip_text (button, _("Stop"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  g_signal_connect_object (button, "clicked", G_CALLBACK (stop_cb), survivor, G_CONNECT_SWAPPED);
  return button;
}

static GtkWidget *
make_label (const char         *text,
            PangoEllipsizeMode  ellipsize,
            const char         *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), ellipsize);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
make_row (gpointer item,
          gpointer user_data)
{
  TauSurvivor *survivor = item;
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *title = make_label (tau_survivor_get_command (survivor), PANGO_ELLIPSIZE_MIDDLE, "monospace");
  GtkWidget *figures = make_label (NULL, PANGO_ELLIPSIZE_END, "caption");
  GtkWidget *stop = make_stop_button (survivor);

  gtk_widget_add_css_class (title, "output-title");
  gtk_widget_add_css_class (figures, "dim-label");
  gtk_widget_set_tooltip_text (title, tau_survivor_get_command (survivor));
  gtk_box_append (GTK_BOX (texts), title);
  gtk_box_append (GTK_BOX (texts), figures);
  gtk_box_append (GTK_BOX (line), texts);
  gtk_box_append (GTK_BOX (line), stop);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);

  g_object_set_data_full (G_OBJECT (row), "survivor", g_object_ref (survivor), g_object_unref);
  g_object_set_data (G_OBJECT (row), "figures", figures);
  g_object_set_data (G_OBJECT (row), "stop", stop);
  g_signal_connect_object (survivor, "notify", G_CALLBACK (update_row), row, G_CONNECT_SWAPPED);
  update_row (row);
  return row;
}

static gboolean
clock_cb (gpointer user_data)
{
  TauSurvivorList *self = user_data;

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->rows)); row != NULL; row = gtk_widget_get_next_sibling (row))
    update_row (row);
  return G_SOURCE_CONTINUE;
}

static void
update_clock (TauSurvivorList *self)
{
  gboolean seen = gtk_widget_get_mapped (GTK_WIDGET (self));

  if (seen && self->clock_id == 0)
    self->clock_id = g_timeout_add_seconds (5, clock_cb, self);
  else if (!seen)
    g_clear_handle_id (&self->clock_id, g_source_remove);
}

static void
survivors_changed_cb (TauSurvivorList *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), g_list_model_get_n_items (self->survivors) > 0);
}

static void
tau_survivor_list_dispose (GObject *object)
{
  TauSurvivorList *self = TAU_SURVIVOR_LIST (object);

  g_clear_handle_id (&self->clock_id, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_SURVIVOR_LIST);

  G_OBJECT_CLASS (tau_survivor_list_parent_class)->dispose (object);
}

static void
tau_survivor_list_class_init (TauSurvivorListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_survivor_list_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/panels/survivor-list.ui");
  gtk_widget_class_bind_template_child (widget_class, TauSurvivorList, rows);
}

static void
tau_survivor_list_init (TauSurvivorList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  self->survivors = tau_survivors_get ();
  gtk_list_box_bind_model (self->rows, self->survivors, make_row, NULL, NULL);
  g_signal_connect_object (self->survivors, "items-changed", G_CALLBACK (survivors_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (update_clock), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (update_clock), NULL);
  survivors_changed_cb (self);
}
