/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-window-private.h"

#include "core/session/tau-session-copy.h"
#include "core/session/tau-session-rename.h"
#include "core/session/tau-session-trash.h"

#include <glib/gi18n.h>

/* What can be done with a session of the sidebar, be it open or not. Each action's parameter is the session's file. What
 * takes time is done in a thread, and its callback finds the window again, or not. */

static TauApplication *
get_application (TauWindow *self)
{
  return TAU_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
}

static const char *
get_path (GVariant *parameter)
{
  return g_variant_get_bytestring (parameter);
}

static TauSessionInfo *
find_info (TauWindow  *self,
           const char *path)
{
  return tau_session_index_find (tau_application_get_index (get_application (self)), path);
}

static char *
dup_title (TauWindow  *self,
           const char *path)
{
  TauAgentSession *session = tau_application_lookup_session (get_application (self), path);
  TauSessionInfo *info = find_info (self, path);

  if (session != NULL)
    return tau_agent_session_dup_title (session);
  return info != NULL ? tau_session_info_dup_title (info) : g_path_get_basename (path);
}

static void
refresh (TauWindow *self)
{
  TauApplication *application = get_application (self);

  if (application != NULL)
    tau_session_index_refresh (tau_application_get_index (application));
}

/* Rename */

static void
renamed_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(TauWindow) self = user_data;
  g_autoptr(GError) error = NULL;

  if (!tau_session_rename_finish (result, &error))
    tau_window_show_message (self, error->message);
  refresh (self);
}

static void
rename_to (TauWindow  *self,
           const char *path,
           const char *name)
{
  TauAgentSession *session = tau_application_lookup_session (get_application (self), path);

  if (session == NULL)
    {
      tau_session_rename_async (path, name, renamed_cb, g_object_ref (self));
      return;
    }
  tau_agent_session_set_name (session, name);
  refresh (self);
}

static void
rename_response_cb (AdwMessageDialog *dialog,
                    const char       *response,
                    TauWindow        *self)
{
  GtkEditable *entry = GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog));
  const char *path = g_object_get_data (G_OBJECT (dialog), "path");

  if (g_str_equal (response, "rename"))
    rename_to (self, path, gtk_editable_get_text (entry));
}

void
tau_window_rename_session (TauWindow  *self,
                           const char *path)
{
  g_autofree char *title = dup_title (self, path);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Rename session"), NULL);
  GtkWidget *entry = gtk_entry_new ();

  gtk_editable_set_text (GTK_EDITABLE (entry), title);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Name"), -1);
  g_object_set_data_full (G_OBJECT (dialog), "path", g_strdup (path), g_free);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), entry);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "rename", _("_Rename"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "rename", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "rename");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (rename_response_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
rename_cb (GtkWidget  *widget,
           const char *action,
           GVariant   *parameter)
{
  tau_window_rename_session (TAU_WINDOW (widget), get_path (parameter));
}

/* Pin and archive */

static gboolean
toggle_mark (TauWindow      *self,
             const char     *path,
             TauSessionMark  mark)
{
  TauSessionMarks *marks = tau_application_get_marks (get_application (self));
  TauSessionInfo *info = find_info (self, path);
  gboolean on;

  if (info == NULL)
    return FALSE;
  on = !tau_session_marks_get (marks, tau_session_info_get_id (info), mark);
  tau_session_marks_set (marks, tau_session_info_get_id (info), mark, on);
  return on;
}

static void
pin_cb (GtkWidget  *widget,
        const char *action,
        GVariant   *parameter)
{
  toggle_mark (TAU_WINDOW (widget), get_path (parameter), TAU_SESSION_MARK_PINNED);
}

static void
unarchive_cb (AdwToast *toast)
{
  TauWindow *self = g_object_get_data (G_OBJECT (toast), "window");

  toggle_mark (self, g_object_get_data (G_OBJECT (toast), "path"), TAU_SESSION_MARK_ARCHIVED);
}

/* The toast is the window's, so it may name it without holding it. */
static AdwToast *
make_undo_toast (TauWindow  *self,
                 const char *text)
{
  g_autofree char *markup = g_markup_escape_text (text, -1);
  AdwToast *toast = adw_toast_new (markup);

  adw_toast_set_button_label (toast, _("_Undo"));
  adw_toast_set_timeout (toast, 10);
  g_object_set_data (G_OBJECT (toast), "window", self);
  return toast;
}

static void
archive_cb (GtkWidget  *widget,
            const char *action,
            GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);
  const char *path = get_path (parameter);
  g_autofree char *title = dup_title (self, path);
  g_autofree char *text = NULL;
  AdwToast *toast;

  if (!toggle_mark (self, path, TAU_SESSION_MARK_ARCHIVED))
    return;
  /* Translators: %s is the title of a session. */
  text = g_strdup_printf (_("Archived “%s”"), title);
  toast = make_undo_toast (self, text);
  g_object_set_data_full (G_OBJECT (toast), "path", g_strdup (path), g_free);
  g_signal_connect (toast, "button-clicked", G_CALLBACK (unarchive_cb), NULL);
  tau_window_add_toast (self, toast);
}

/* Delete */

static void
restored_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(TauWindow) self = user_data;
  g_autoptr(GError) error = NULL;

  if (!tau_session_trash_restore_finish (TAU_SESSION_TRASH (object), result, &error))
    tau_window_show_message (self, error->message);
  refresh (self);
}

static void
undelete_cb (AdwToast *toast)
{
  TauWindow *self = g_object_get_data (G_OBJECT (toast), "window");

  tau_session_trash_restore_async (g_object_get_data (G_OBJECT (toast), "trash"), restored_cb, g_object_ref (self));
}

static void
deleted_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(TauWindow) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;
  TauSessionTrash *trash = tau_session_trash_put_finish (result, &error);
  AdwToast *toast;

  if (trash == NULL)
    {
      tau_window_show_message (self, error->message);
      return;
    }
  if (get_application (self) == NULL)
    {
      g_object_unref (trash);
      return;
    }
  title = dup_title (self, tau_session_trash_get_path (trash));
  refresh (self);
  /* Translators: %s is the title of a session. */
  text = g_strdup_printf (_("Deleted “%s”"), title);
  toast = make_undo_toast (self, text);
  g_object_set_data_full (G_OBJECT (toast), "trash", trash, g_object_unref);
  g_signal_connect (toast, "button-clicked", G_CALLBACK (undelete_cb), NULL);
  tau_window_add_toast (self, toast);
}

/* Windows that show the session go on with a new one in its folder. */
static void
leave_session (TauWindow       *self,
               TauAgentSession *session)
{
  TauApplication *application = get_application (self);
  g_autofree char *folder = g_strdup (tau_agent_session_get_cwd (session));
  g_autoptr(GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (application)));

  for (GList *l = windows; l != NULL; l = l->next)
    if (TAU_IS_WINDOW (l->data) && tau_window_get_session (l->data) == session)
      tau_window_open_folder (l->data, folder);
  tau_application_close_session (application, session);
}

static void
delete_cb (GtkWidget  *widget,
           const char *action,
           GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);
  const char *path = get_path (parameter);
  TauAgentSession *session = tau_application_lookup_session (get_application (self), path);

  if (session != NULL)
    leave_session (self, session);
  tau_session_trash_put_async (path, deleted_cb, g_object_ref (self));
}

/* Fork and clone */

static void
forked_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(TauWindow) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = tau_session_copy_file_finish (result, &error);

  if (path == NULL)
    tau_window_show_message (self, error->message);
  else if (get_application (self) != NULL)
    tau_window_open_session (self, path);
  refresh (self);
}

static void
fork_cb (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);
  const char *path = get_path (parameter);
  TauSessionInfo *info = find_info (self, path);
  g_autofree char *folder = g_path_get_dirname (path);

  if (info != NULL)
    tau_session_copy_file_async (path, folder, tau_session_info_get_cwd (info), forked_cb, g_object_ref (self));
}

static void
cloned_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(TauWindow) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = tau_agent_session_fork_finish (TAU_AGENT_SESSION (object), result, NULL, &error);

  if (path == NULL)
    tau_window_show_message (self, error->message);
  else if (get_application (self) != NULL)
    tau_window_open_session (self, path);
  refresh (self);
}

static void
opened_for_clone_cb (GObject      *object,
                     GAsyncResult *result,
                     gpointer      user_data)
{
  g_autoptr(TauWindow) self = user_data;
  g_autoptr(GError) error = NULL;
  TauAgentSession *session = tau_application_open_session_finish (TAU_APPLICATION (object), result, &error);

  if (session != NULL)
    tau_agent_session_fork_async (session, NULL, cloned_cb, g_steal_pointer (&self));
  else
    tau_window_show_message (self, error->message);
}

static void
clone_cb (GtkWidget  *widget,
          const char *action,
          GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);

  tau_application_open_session_async (get_application (self), get_path (parameter), NULL, opened_for_clone_cb, g_object_ref (self));
}

static void
open_window_cb (GtkWidget  *widget,
                const char *action,
                GVariant   *parameter)
{
  TauWindow *window = tau_window_new (get_application (TAU_WINDOW (widget)));

  tau_window_open_session (window, get_path (parameter));
  gtk_window_present (GTK_WINDOW (window));
}

void
tau_window_install_session_actions (GtkWidgetClass *widget_class)
{
  static const struct { const char *name; GtkWidgetActionActivateFunc activate; } actions[] = {
    { "win.session-rename", rename_cb },
    { "win.session-pin", pin_cb },
    { "win.session-archive", archive_cb },
    { "win.session-delete", delete_cb },
    { "win.session-fork", fork_cb },
    { "win.session-clone", clone_cb },
    { "win.session-open-window", open_window_cb },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, "ay", actions[i].activate);
}
