/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/panels/tau-session-panel.h"

#include "app/panels/tau-session-groups.h"
#include "app/panels/tau-session-row.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* The sidebar: all sessions, grouped by folder, with a search field, and a menu for each that opens by its button, by
 * the pointer's second button, by a long touch, and by the Menu key. It only shows and asks: what is done with a session
 * is the window's work, by its actions "win.session-…", whose parameter is the file. */
struct _TauSessionPanel
{
  GtkBox              parent_instance;

  TauSessionGroups   *groups;
  GtkSingleSelection *selection;
  GListModel         *alive;     /* of TauAgentSession, nullable */
  TauSessionMarks    *marks;     /* nullable */
  gboolean            all_folders;
  gboolean            show_archived;
  char               *current;   /* path of the session shown */
  char               *query;     /* what is searched for, "" for nothing */

  GtkEditable        *search;
  GtkStack           *stack;
  GtkListView        *list;
  GtkLabel           *empty;
};

enum
{
  PROP_0,
  PROP_ALL_FOLDERS,
  PROP_SHOW_ARCHIVED,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

enum
{
  OPEN_SESSION,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauSessionPanel, tau_session_panel, GTK_TYPE_BOX)

/* A row that comes in above those on screen would stay there unseen. Its group's title is shown with it. */
static void
scroll_to (TauSessionPanel *self,
           guint            position)
{
  g_autoptr(TauSessionItem) above = position > 0 ? g_list_model_get_item (G_LIST_MODEL (self->groups), position - 1) : NULL;

  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
  if (above != NULL && tau_session_item_get_info (above) == NULL)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position - 1);
}

static void
select_current (TauSessionPanel *self)
{
  guint before = gtk_single_selection_get_selected (self->selection);
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
  if (before == GTK_INVALID_LIST_POSITION && found != GTK_INVALID_LIST_POSITION)
    scroll_to (self, found);
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

/* Return in the search field opens what is first. */
static void
search_activate_cb (TauSessionPanel *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->groups));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(TauSessionItem) item = g_list_model_get_item (G_LIST_MODEL (self->groups), i);

      if (tau_session_item_get_info (item) == NULL)
        continue;
      row_activate_cb (self, i);
      return;
    }
}

static void
stop_search_cb (TauSessionPanel *self)
{
  gtk_editable_set_text (self->search, "");
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static TauSessionInfo *
info_of_row (TauSessionRow *row)
{
  TauSessionItem *item = tau_session_row_get_item (row);

  return item != NULL ? tau_session_item_get_info (item) : NULL;
}

static void
add_command (GMenu          *menu,
             const char     *label,
             const char     *action,
             TauSessionInfo *info)
{
  g_autoptr(GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, g_variant_new_bytestring (tau_session_info_get_path (info)));
  g_menu_append_item (menu, item);
}

static gboolean
has_mark (TauSessionPanel *self,
          TauSessionInfo  *info,
          TauSessionMark   mark)
{
  return self->marks != NULL && tau_session_marks_get (self->marks, tau_session_info_get_id (info), mark);
}

static GMenuModel *
make_menu (TauSessionPanel *self,
           TauSessionInfo  *info)
{
  GMenu *menu = g_menu_new ();
  g_autoptr(GMenu) open = g_menu_new ();
  g_autoptr(GMenu) keep = g_menu_new ();
  g_autoptr(GMenu) copy = g_menu_new ();
  g_autoptr(GMenu) remove = g_menu_new ();

  add_command (open, _("Open in new _window"), "win.session-open-window", info);
  add_command (keep, _("_Rename…"), "win.session-rename", info);
  add_command (keep, has_mark (self, info, TAU_SESSION_MARK_PINNED) ? _("Un_pin") : _("_Pin"), "win.session-pin", info);
  add_command (keep, has_mark (self, info, TAU_SESSION_MARK_ARCHIVED) ? _("Take out of _archive") : _("_Archive"), "win.session-archive", info);
  add_command (copy, _("_Fork"), "win.session-fork", info);
  add_command (copy, _("_Clone this branch"), "win.session-clone", info);
  add_command (copy, _("E_xport…"), "win.session-export", info);
  add_command (remove, _("_Delete"), "win.session-delete", info);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (open));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (keep));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (copy));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (remove));
  return G_MENU_MODEL (menu);
}

/* The menu is made when it is asked for, since what it says depends on the session. */
static void
create_menu_cb (GtkMenuButton *button,
                gpointer       user_data)
{
  TauSessionPanel *self = user_data;
  TauSessionRow *row = TAU_SESSION_ROW (gtk_widget_get_ancestor (GTK_WIDGET (button), TAU_TYPE_SESSION_ROW));
  TauSessionInfo *info = info_of_row (row);
  g_autoptr(GMenuModel) menu = info != NULL ? make_menu (self, info) : NULL;

  gtk_menu_button_set_menu_model (button, menu);
}

static void
open_menu (TauSessionRow *row)
{
  if (info_of_row (row) != NULL)
    gtk_menu_button_popup (tau_session_row_get_menu_button (row));
}

static void
pressed_cb (GtkGesture *gesture)
{
  GdkEvent *event = gtk_gesture_get_last_event (gesture, NULL);

  if (event == NULL || !gdk_event_triggers_context_menu (event))
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu (TAU_SESSION_ROW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture))));
}

static void
long_pressed_cb (GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu (TAU_SESSION_ROW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture))));
}

static void
setup_cb (TauSessionPanel *self,
          GtkListItem     *list_item)
{
  GtkWidget *row = tau_session_row_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *touch = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), NULL);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (touch), TRUE);
  g_signal_connect (touch, "pressed", G_CALLBACK (long_pressed_cb), NULL);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (touch));
  gtk_menu_button_set_create_popup_func (tau_session_row_get_menu_button (TAU_SESSION_ROW (row)), create_menu_cb, self, NULL);
  gtk_list_item_set_child (list_item, row);
}

static void
bind_cb (TauSessionPanel *self,
         GtkListItem     *list_item)
{
  TauSessionItem *item = gtk_list_item_get_item (list_item);
  TauSessionRow *row = TAU_SESSION_ROW (gtk_list_item_get_child (list_item));
  gboolean is_session = tau_session_item_get_info (item) != NULL;

  tau_session_row_set_alive (row, self->alive);
  tau_session_row_set_marks (row, self->marks);
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
  tau_session_row_set_marks (row, NULL);
  tau_session_row_set_item (row, NULL);
}

/* The row that has the keyboard, or something in it. */
static TauSessionRow *
find_focused_row (TauSessionPanel *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  GtkWidget *row;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->list)))
    return NULL;
  row = gtk_widget_get_ancestor (focus, TAU_TYPE_SESSION_ROW);
  if (row == NULL)
    row = gtk_widget_get_first_child (focus);
  return TAU_IS_SESSION_ROW (row) ? TAU_SESSION_ROW (row) : NULL;
}

static gboolean
menu_key_cb (GtkWidget *widget,
             GVariant  *arguments,
             gpointer   user_data)
{
  TauSessionRow *row = find_focused_row (TAU_SESSION_PANEL (widget));

  if (row == NULL || info_of_row (row) == NULL)
    return GDK_EVENT_PROPAGATE;
  open_menu (row);
  return GDK_EVENT_STOP;
}

static gboolean
command_key_cb (GtkWidget *widget,
                GVariant  *arguments,
                gpointer   user_data)
{
  TauSessionRow *row = find_focused_row (TAU_SESSION_PANEL (widget));
  TauSessionInfo *info = row != NULL ? info_of_row (row) : NULL;

  if (info == NULL)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_activate_action_variant (widget, g_variant_get_string (arguments, NULL),
                                      g_variant_new_bytestring (tau_session_info_get_path (info)));
  return GDK_EVENT_STOP;
}

static void
add_keys (GtkWidgetClass *widget_class)
{
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, menu_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, menu_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F2, 0, command_key_cb, "s", "win.session-rename");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Delete, 0, command_key_cb, "s", "win.session-delete");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Delete, 0, command_key_cb, "s", "win.session-delete");
}

static void
tau_session_panel_get_property (GObject    *object,
                                guint       property_id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  TauSessionPanel *self = TAU_SESSION_PANEL (object);

  switch (property_id)
    {
    case PROP_ALL_FOLDERS:
      g_value_set_boolean (value, self->all_folders);
      break;
    case PROP_SHOW_ARCHIVED:
      g_value_set_boolean (value, self->show_archived);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tau_session_panel_set_property (GObject      *object,
                                guint         property_id,
                                const GValue *value,
                                GParamSpec   *pspec)
{
  TauSessionPanel *self = TAU_SESSION_PANEL (object);
  gboolean *place = property_id == PROP_ALL_FOLDERS ? &self->all_folders : &self->show_archived;

  if (*place == g_value_get_boolean (value))
    return;
  *place = g_value_get_boolean (value);
  tau_session_groups_show (self->groups, self->all_folders, self->show_archived);
  g_object_notify_by_pspec (object, pspec);
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
  g_clear_object (&self->marks);

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

  G_OBJECT_CLASS (klass)->get_property = tau_session_panel_get_property;
  G_OBJECT_CLASS (klass)->set_property = tau_session_panel_set_property;
  G_OBJECT_CLASS (klass)->dispose = tau_session_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_session_panel_finalize;

  /**
   * TauSessionPanel:all-folders:
   *
   * Whether sessions of all folders are listed, not only of the shown one.
   */
  properties[PROP_ALL_FOLDERS] = g_param_spec_boolean ("all-folders", NULL, NULL, TRUE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * TauSessionPanel:show-archived:
   *
   * Whether archived sessions are listed too.
   */
  properties[PROP_SHOW_ARCHIVED] = g_param_spec_boolean ("show-archived", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);

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
  gtk_widget_class_bind_template_callback (widget_class, search_activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_install_property_action (widget_class, "sessions.all-folders", "all-folders");
  gtk_widget_class_install_property_action (widget_class, "sessions.show-archived", "show-archived");
  add_keys (widget_class);
}

static void
tau_session_panel_init (TauSessionPanel *self)
{
  g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  self->query = g_strdup ("");
  self->all_folders = TRUE;
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
 * @marks: what is remembered about sessions
 *
 * Says what is listed, and where to look for what a session does.
 */
void
tau_session_panel_set_index (TauSessionPanel *self,
                             TauSessionIndex *index,
                             GListModel      *alive,
                             TauSessionMarks *marks)
{
  g_return_if_fail (TAU_IS_SESSION_PANEL (self));

  g_set_object (&self->alive, alive);
  g_set_object (&self->marks, marks);
  tau_session_groups_set_marks (self->groups, marks);
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
