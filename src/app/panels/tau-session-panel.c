/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/panels/tau-session-panel.h"

#include "app/panels/tau-session-groups.h"
#include "app/panels/tau-session-row.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* The sidebar: all sessions, grouped by folder, with a search field. It only shows and asks: opening a session is the
 * window's work. */
struct _TauSessionPanel
{
  GtkBox              parent_instance;

  TauSessionGroups   *groups;
  GtkSingleSelection *selection;
  GListModel         *alive;     /* of TauAgentSession, nullable */
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
setup_cb (TauSessionPanel *self,
          GtkListItem     *list_item)
{
  gtk_list_item_set_child (list_item, tau_session_row_new ());
}

static void
bind_cb (TauSessionPanel *self,
         GtkListItem     *list_item)
{
  TauSessionItem *item = gtk_list_item_get_item (list_item);
  TauSessionRow *row = TAU_SESSION_ROW (gtk_list_item_get_child (list_item));
  gboolean is_session = tau_session_item_get_info (item) != NULL;

  tau_session_row_set_alive (row, self->alive);
  tau_session_row_set_item (row, item);
  gtk_list_item_set_selectable (list_item, is_session);
  gtk_list_item_set_activatable (list_item, is_session);
}

static void
unbind_cb (TauSessionPanel *self,
           GtkListItem     *list_item)
{
  TauSessionRow *row = TAU_SESSION_ROW (gtk_list_item_get_child (list_item));

  tau_session_row_set_alive (row, NULL);
  tau_session_row_set_item (row, NULL);
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
  g_clear_object (&self->alive);

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

  g_signal_connect_swapped (factory, "setup", G_CALLBACK (setup_cb), self);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (bind_cb), self);
  g_signal_connect_swapped (factory, "unbind", G_CALLBACK (unbind_cb), self);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->groups, "items-changed", G_CALLBACK (items_changed_cb), self);
  items_changed_cb (self);
}

/**
 * tau_session_panel_set_index:
 * @self: a panel
 * @index: all sessions
 * @alive: those that are alive, of #TauAgentSession
 *
 * Says what is listed, and where to look for what a session does.
 */
void
tau_session_panel_set_index (TauSessionPanel *self,
                             TauSessionIndex *index,
                             GListModel      *alive)
{
  g_return_if_fail (TAU_IS_SESSION_PANEL (self));

  g_set_object (&self->alive, alive);
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
