/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/panels/tau-session-panel.h"

#include "app/panels/tau-session-groups.h"
#include "core/base/tau-paths.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* The sidebar: all sessions, grouped by folder, with a search field. It only shows and asks: opening a session is the
 * window's work. */
struct _TauSessionPanel
{
  GtkBox              parent_instance;

  TauSessionGroups   *groups;
  GtkSingleSelection *selection;
  char               *current;   /* path of the session shown */
  char               *query;     /* what is searched for, "" for nothing */

  GtkEditable        *search;
  GtkStack           *stack;
  GtkListView        *list;
  GtkLabel           *empty;
};

enum
{
  OPEN_SESSION,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauSessionPanel, tau_session_panel, GTK_TYPE_BOX)

/* "now", "5 min", "3 h", "2 d", then the date: relative until it stops helping. */
static char *
dup_age (gint64 modified_ms)
{
  gint64 minutes = (g_get_real_time () / 1000 - modified_ms) / 60000;
  g_autoptr(GDateTime) date = NULL;

  if (minutes < 1)
    return g_strdup (_("now"));
  if (minutes < 60)
    return g_strdup_printf (_("%d min"), (int) minutes);
  if (minutes < 24 * 60)
    return g_strdup_printf (_("%d h"), (int) (minutes / 60));
  if (minutes < 7 * 24 * 60)
    return g_strdup_printf (_("%d d"), (int) (minutes / (24 * 60)));
  date = g_date_time_new_from_unix_local (modified_ms / 1000);
  return date != NULL ? g_date_time_format (date, "%x") : g_strdup ("");
}

static char *
dup_folder_title (const char *folder)
{
  return *folder != '\0' ? g_path_get_basename (folder) : g_strdup (_("Unknown folder"));
}

static void
select_current (TauSessionPanel *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->groups));
  guint found = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < n && self->current != NULL && found == GTK_INVALID_LIST_POSITION; i++)
    {
      g_autoptr(TauSessionItem) item = g_list_model_get_item (G_LIST_MODEL (self->groups), i);
      TauSessionInfo *info = tau_session_item_get_info (item);

      if (info != NULL && g_strcmp0 (tau_session_info_get_path (info), self->current) == 0)
        found = i;
    }
  gtk_single_selection_set_selected (self->selection, found);
}

static void
items_changed_cb (TauSessionPanel *self)
{
  gboolean empty = g_list_model_get_n_items (G_LIST_MODEL (self->groups)) == 0;

  gtk_stack_set_visible_child_name (self->stack, empty ? "empty" : "list");
  gtk_label_set_label (self->empty, *self->query != '\0'
                                      ? _("No session matches")
                                      : _("Your sessions will be listed here, by folder"));
  select_current (self);
}

static void
search_changed_cb (TauSessionPanel *self)
{
  g_free (self->query);
  self->query = g_strstrip (g_strdup (gtk_editable_get_text (self->search)));
  tau_session_groups_set_query (self->groups, self->query);
}

static void
row_activate_cb (TauSessionPanel *self,
                 guint            position)
{
  g_autoptr(TauSessionItem) item = g_list_model_get_item (G_LIST_MODEL (self->groups), position);
  TauSessionInfo *info = item != NULL ? tau_session_item_get_info (item) : NULL;

  if (info != NULL)
    g_signal_emit (self, signals[OPEN_SESSION], 0, tau_session_info_get_path (info));
  else
    select_current (self);
}

static void
setup_cb (GtkListItemFactory *factory,
          GtkListItem        *list_item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *title = gtk_label_new (NULL);
  GtkWidget *age = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (age, "caption");
  gtk_widget_add_css_class (age, "dim-label");
  gtk_widget_add_css_class (age, "numeric");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), age);
  gtk_list_item_set_child (list_item, box);
}

static void
bind_folder (GtkWidget  *title,
             GtkWidget  *age,
             const char *folder)
{
  g_autofree char *name = dup_folder_title (folder);
  g_autofree char *place = tau_paths_shorten (folder);

  gtk_label_set_text (GTK_LABEL (title), name);
  gtk_label_set_text (GTK_LABEL (age), "");
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_set_tooltip_text (title, place);
}

static void
bind_session (GtkWidget      *title,
              GtkWidget      *age,
              TauSessionInfo *info)
{
  g_autofree char *name = tau_session_info_dup_title (info);
  g_autofree char *when = dup_age (tau_session_info_get_modified (info));

  gtk_label_set_text (GTK_LABEL (title), name);
  gtk_label_set_text (GTK_LABEL (age), when);
  gtk_widget_remove_css_class (title, "heading");
  gtk_widget_set_tooltip_text (title, name);
}

/* GtkListItem can name its row only from GTK 4.12 on; until then we tell the row itself, our box's parent. */
static void
name_row (GtkWidget  *box,
          const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (box)), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
bind_cb (GtkListItemFactory *factory,
         GtkListItem        *list_item)
{
  TauSessionItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *box = gtk_list_item_get_child (list_item);
  GtkWidget *title = gtk_widget_get_first_child (box);
  GtkWidget *age = gtk_widget_get_last_child (box);
  TauSessionInfo *info = tau_session_item_get_info (item);

  if (info != NULL)
    bind_session (title, age, info);
  else
    bind_folder (title, age, tau_session_item_get_folder (item));
  name_row (box, gtk_label_get_text (GTK_LABEL (title)));
  gtk_list_item_set_selectable (list_item, info != NULL);
  gtk_list_item_set_activatable (list_item, info != NULL);
}

static void
tau_session_panel_dispose (GObject *object)
{
  TauSessionPanel *self = TAU_SESSION_PANEL (object);

  if (self->groups != NULL)
    g_signal_handlers_disconnect_by_data (self->groups, self);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_SESSION_PANEL);
  g_clear_object (&self->selection);
  g_clear_object (&self->groups);

  G_OBJECT_CLASS (tau_session_panel_parent_class)->dispose (object);
}

static void
tau_session_panel_finalize (GObject *object)
{
  g_free (TAU_SESSION_PANEL (object)->current);
  g_free (TAU_SESSION_PANEL (object)->query);

  G_OBJECT_CLASS (tau_session_panel_parent_class)->finalize (object);
}

static void
tau_session_panel_class_init (TauSessionPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_session_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_session_panel_finalize;

  /**
   * TauSessionPanel::open-session:
   * @self: the panel
   * @path: the session's file
   *
   * The user chose a session.
   */
  signals[OPEN_SESSION] = g_signal_new ("open-session", TAU_TYPE_SESSION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/panels/session-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, TauSessionPanel, search);
  gtk_widget_class_bind_template_child (widget_class, TauSessionPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, TauSessionPanel, list);
  gtk_widget_class_bind_template_child (widget_class, TauSessionPanel, empty);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activate_cb);
}

static void
tau_session_panel_init (TauSessionPanel *self)
{
  g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  self->query = g_strdup ("");
  self->groups = tau_session_groups_new ();
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->groups)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_widget_init_template (GTK_WIDGET (self));

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->groups, "items-changed", G_CALLBACK (items_changed_cb), self);
  items_changed_cb (self);
}

/**
 * tau_session_panel_set_index:
 * @self: a panel
 * @index: all sessions
 *
 * Says what is listed.
 */
void
tau_session_panel_set_index (TauSessionPanel *self,
                             TauSessionIndex *index)
{
  g_return_if_fail (TAU_IS_SESSION_PANEL (self));

  tau_session_groups_set_index (self->groups, index);
}

/**
 * tau_session_panel_set_current:
 * @self: a panel
 * @path: (nullable): file of the session shown
 * @folder: (nullable): its folder, which is listed first
 *
 * Marks the session that the window shows.
 */
void
tau_session_panel_set_current (TauSessionPanel *self,
                               const char      *path,
                               const char      *folder)
{
  g_return_if_fail (TAU_IS_SESSION_PANEL (self));

  g_free (self->current);
  self->current = g_strdup (path);
  tau_session_groups_set_folder (self->groups, folder);
  select_current (self);
}

/**
 * tau_session_panel_search:
 * @self: a panel
 *
 * Puts the cursor into the search field.
 */
void
tau_session_panel_search (TauSessionPanel *self)
{
  g_return_if_fail (TAU_IS_SESSION_PANEL (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}
