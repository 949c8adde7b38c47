/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/panels/tau-session-row.h"

#include "core/base/tau-paths.h"
#include "core/message/tau-assistant-message.h"
#include "core/session/tau-agent-session.h"

#include <glib/gi18n.h>

/* One row of the sidebar: the head of a folder, or a session with its age, a button for what can be done with it, and a
 * mark: it runs, waits, has failed, or was not looked at since. It finds the live session of its file itself, in the
 * list of those alive. What the menu says is the panel's business. */
struct _TauSessionRow
{
  GtkBox          parent_instance;

  TauSessionItem *item;             /* nullable */
  GSignalGroup   *alive_signals;
  GSignalGroup   *session_signals;  /* their target: the live session of the row, if there is one */
  GSignalGroup   *marks_signals;

  GtkWidget      *mark;
  GtkLabel       *title;
  GtkLabel       *age;
  GtkMenuButton  *menu;
};

G_DEFINE_FINAL_TYPE (TauSessionRow, tau_session_row, GTK_TYPE_BOX)

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
  return *folder != '\0' ? g_filename_display_basename (folder) : g_strdup (_("Unknown folder"));
}

static gboolean
has_failed (TauAgentSession *session)
{
  GListModel *messages = tau_agent_session_get_messages (session);
  guint n = g_list_model_get_n_items (messages);
  g_autoptr(TauMessage) last = n > 0 ? g_list_model_get_item (messages, n - 1) : NULL;

  return last != NULL && TAU_IS_ASSISTANT_MESSAGE (last)
         && tau_assistant_message_get_stop_reason (TAU_ASSISTANT_MESSAGE (last)) == TAU_STOP_REASON_ERROR;
}

/* GtkListItem can name its row only from GTK 4.12 on; until then we tell the row itself, our parent. */
static void
name_row (TauSessionRow *self,
          const char    *mark)
{
  GtkWidget *row = gtk_widget_get_parent (GTK_WIDGET (self));
  const char *title = gtk_label_get_text (self->title);
  g_autofree char *name = mark != NULL ? g_strdup_printf ("%s, %s", title, mark) : g_strdup (title);

  if (row != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* What a session does, before what it did: icon, style class and words. */
typedef struct
{
  const char *icon;
  const char *style;
  const char *words;
} Look;

static gboolean
is_marked (TauSessionRow  *self,
           TauSessionMark  mark)
{
  g_autoptr(TauSessionMarks) marks = g_signal_group_dup_target (self->marks_signals);
  TauSessionInfo *info = self->item != NULL ? tau_session_item_get_info (self->item) : NULL;

  return marks != NULL && info != NULL && tau_session_marks_get (marks, tau_session_info_get_id (info), mark);
}

static Look
choose_look (TauSessionRow   *self,
             TauAgentSession *session)
{
  TauSessionState state = session != NULL ? tau_agent_session_get_state (session) : TAU_SESSION_IDLE;

  if (state == TAU_SESSION_RETRYING)
    return (Look) { "content-loading-symbolic", "accent", _("waits to try again") };
  if (state != TAU_SESSION_IDLE)
    return (Look) { "media-record-symbolic", "accent", _("running") };
  if (session != NULL && has_failed (session))
    return (Look) { "dialog-error-symbolic", "error", _("the last answer failed") };
  if (is_marked (self, TAU_SESSION_MARK_UNREAD))
    return (Look) { NULL, NULL, _("not read yet") };   /* the bold title shows it */
  return (Look) { NULL, NULL, NULL };
}

static void
set_class (GtkWidget  *widget,
           const char *style,
           gboolean    on)
{
  if (on)
    gtk_widget_add_css_class (widget, style);
  else
    gtk_widget_remove_css_class (widget, style);
}

static void
update_mark (TauSessionRow *self)
{
  g_autoptr(TauAgentSession) session = g_signal_group_dup_target (self->session_signals);
  Look look = choose_look (self, session);

  if (look.icon != NULL)
    gtk_image_set_from_icon_name (GTK_IMAGE (self->mark), look.icon);
  gtk_widget_set_css_classes (self->mark, (const char *[]) { "session-mark", look.style, NULL });
  gtk_widget_set_tooltip_text (self->mark, look.words);
  gtk_widget_set_visible (self->mark, look.icon != NULL);
  set_class (GTK_WIDGET (self->title), "unread", is_marked (self, TAU_SESSION_MARK_UNREAD));
  set_class (GTK_WIDGET (self->title), "dim-label", is_marked (self, TAU_SESSION_MARK_ARCHIVED));
  name_row (self, look.words);
}

static void
find_session (TauSessionRow *self)
{
  g_autoptr(GListModel) alive = g_signal_group_dup_target (self->alive_signals);
  TauSessionInfo *info = self->item != NULL ? tau_session_item_get_info (self->item) : NULL;
  g_autoptr(TauAgentSession) found = NULL;

  for (guint i = 0; alive != NULL && info != NULL && found == NULL && i < g_list_model_get_n_items (alive); i++)
    {
      g_autoptr(TauAgentSession) session = g_list_model_get_item (alive, i);

      if (g_strcmp0 (tau_agent_session_get_path (session), tau_session_info_get_path (info)) == 0)
        found = g_steal_pointer (&session);
    }
  g_signal_group_set_target (self->session_signals, found);
  update_mark (self);
}

static void
show_folder (TauSessionRow *self,
             const char    *folder)
{
  g_autofree char *name = folder != NULL ? dup_folder_title (folder) : g_strdup (_("Pinned"));
  g_autofree char *place = folder != NULL ? tau_paths_shorten (folder) : NULL;

  gtk_label_set_text (self->title, name);
  gtk_label_set_text (self->age, "");
  gtk_widget_add_css_class (GTK_WIDGET (self->title), "heading");
  gtk_widget_set_visible (GTK_WIDGET (self->menu), FALSE);
  gtk_widget_set_margin_start (GTK_WIDGET (self->title), 0);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), place);
}

static void
show_session (TauSessionRow  *self,
              TauSessionInfo *info)
{
  g_autofree char *name = tau_session_info_dup_title (info);
  g_autofree char *when = dup_age (tau_session_info_get_modified (info));

  gtk_label_set_text (self->title, name);
  gtk_label_set_text (self->age, when);
  gtk_widget_remove_css_class (GTK_WIDGET (self->title), "heading");
  gtk_widget_set_visible (GTK_WIDGET (self->menu), TRUE);
  gtk_widget_set_margin_start (GTK_WIDGET (self->title), (int) tau_session_item_get_depth (self->item) * 12);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), name);
}

static void
tau_session_row_dispose (GObject *object)
{
  TauSessionRow *self = TAU_SESSION_ROW (object);

  g_clear_object (&self->session_signals);
  g_clear_object (&self->alive_signals);
  g_clear_object (&self->marks_signals);
  g_clear_object (&self->item);

  G_OBJECT_CLASS (tau_session_row_parent_class)->dispose (object);
}

static void
tau_session_row_class_init (TauSessionRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_session_row_dispose;

  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "sessionrow");
}

static void
make_menu_button (TauSessionRow *self)
{
  self->menu = GTK_MENU_BUTTON (gtk_menu_button_new ());
  gtk_menu_button_set_icon_name (self->menu, "view-more-symbolic");
  gtk_menu_button_set_has_frame (self->menu, FALSE);
  gtk_widget_set_valign (GTK_WIDGET (self->menu), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->menu), _("What can be done with this session"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Session menu"), -1);
}

static void
tau_session_row_init (TauSessionRow *self)
{
  self->alive_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->alive_signals, "items-changed", G_CALLBACK (find_session), self);
  self->session_signals = g_signal_group_new (TAU_TYPE_AGENT_SESSION);
  g_signal_group_connect_swapped (self->session_signals, "notify::state", G_CALLBACK (update_mark), self);

  self->marks_signals = g_signal_group_new (TAU_TYPE_SESSION_MARKS);
  g_signal_group_connect_swapped (self->marks_signals, "changed", G_CALLBACK (update_mark), self);

  self->mark = gtk_image_new ();
  self->title = GTK_LABEL (gtk_label_new (NULL));
  self->age = GTK_LABEL (gtk_label_new (NULL));
  gtk_box_set_spacing (GTK_BOX (self), 6);
  gtk_image_set_pixel_size (GTK_IMAGE (self->mark), 12);
  gtk_widget_set_visible (self->mark, FALSE);
  gtk_label_set_xalign (self->title, 0);
  gtk_label_set_ellipsize (self->title, PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (self->title, 1);   /* long titles must not widen the sidebar */
  gtk_widget_set_hexpand (GTK_WIDGET (self->title), TRUE);
  gtk_widget_set_css_classes (GTK_WIDGET (self->age), (const char *[]) { "caption", "dim-label", "numeric", NULL });
  gtk_box_append (GTK_BOX (self), self->mark);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->age));
  make_menu_button (self);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->menu));
}

/**
 * tau_session_row_new:
 *
 * Returns: (transfer floating): a row that shows nothing yet
 */
GtkWidget *
tau_session_row_new (void)
{
  return g_object_new (TAU_TYPE_SESSION_ROW, NULL);
}

/**
 * tau_session_row_set_item:
 * @self: a row
 * @item: (nullable): what it shows
 *
 * Shows a folder or a session.
 */
void
tau_session_row_set_item (TauSessionRow  *self,
                          TauSessionItem *item)
{
  g_return_if_fail (TAU_IS_SESSION_ROW (self));

  g_set_object (&self->item, item);
  if (item != NULL && tau_session_item_get_info (item) != NULL)
    show_session (self, tau_session_item_get_info (item));
  else if (item != NULL)
    show_folder (self, tau_session_item_get_folder (item));
  find_session (self);
}

/**
 * tau_session_row_set_alive:
 * @self: a row
 * @sessions: (nullable): of #TauAgentSession
 *
 * Says where the row looks for the live session of its file.
 */
void
tau_session_row_set_alive (TauSessionRow *self,
                           GListModel    *sessions)
{
  g_return_if_fail (TAU_IS_SESSION_ROW (self));

  g_signal_group_set_target (self->alive_signals, sessions);
  find_session (self);
}

/**
 * tau_session_row_get_item:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): what it shows
 */
TauSessionItem *
tau_session_row_get_item (TauSessionRow *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_ROW (self), NULL);

  return self->item;
}

/**
 * tau_session_row_get_menu_button:
 * @self: a row
 *
 * Returns: (transfer none): the button for what can be done with the session
 */
GtkMenuButton *
tau_session_row_get_menu_button (TauSessionRow *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_ROW (self), NULL);

  return self->menu;
}

/**
 * tau_session_row_set_marks:
 * @self: a row
 * @marks: (nullable): what is remembered about sessions
 *
 * Says where the row looks for marks.
 */
void
tau_session_row_set_marks (TauSessionRow   *self,
                           TauSessionMarks *marks)
{
  g_return_if_fail (TAU_IS_SESSION_ROW (self));

  g_signal_group_set_target (self->marks_signals, marks);
  update_mark (self);
}
