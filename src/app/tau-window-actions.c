/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-window-private.h"

#include "app/pages/tau-model-setup.h"
#include "app/tau-model-steps.h"
#include "app/tau-restore-files.h"

#include <glib/gi18n.h>
#include <string.h>

/* The window's actions: what menus, buttons and keys do. Each is a few lines over the window's own functions. */

static void
new_session_cb (GtkWidget  *widget,
                const char *action,
                GVariant   *parameter)
{
  tau_window_start_session (TAU_WINDOW (widget));
}

static void
folder_chosen_cb (GtkNativeDialog *dialog,
                  int              response,
                  gpointer         user_data)
{
  TauWindow *self = user_data;
  g_autoptr(GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL)
    tau_window_open_folder (self, g_file_peek_path (file));
  g_object_unref (dialog);
}

static void
open_folder_cb (GtkWidget  *widget,
                const char *action,
                GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Open folder"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Open"), _("_Cancel"));
  const char *folder = tau_window_get_folder (self);

  if (folder != NULL)
    {
      g_autoptr(GFile) file = g_file_new_for_path (folder);

      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), file, NULL);
    }
  g_signal_connect_object (dialog, "response", G_CALLBACK (folder_chosen_cb), self, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* The agent first; the user's own command when that is all there is. FALSE if nothing runs. */
static gboolean
stop_what_runs (TauAgentSession *session)
{
  if (tau_agent_session_get_state (session) != TAU_SESSION_IDLE)
    tau_agent_session_abort (session);
  else if (tau_agent_session_get_bash_run (session) != NULL)
    tau_agent_session_abort_bash (session);
  else
    return FALSE;
  return TRUE;
}

static void
stop_cb (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  TauAgentSession *session = tau_window_get_session (TAU_WINDOW (widget));

  if (session != NULL)
    stop_what_runs (session);
}

static void
retry_cb (GtkWidget  *widget,
          const char *action,
          GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);
  TauAgentSession *session = tau_window_get_session (self);
  g_autoptr(GError) error = NULL;

  if (session != NULL && !tau_agent_session_retry (session, &error))
    tau_window_show_message (self, error->message);
}

static void
rename_session_cb (GtkWidget  *widget,
                   const char *action,
                   GVariant   *parameter)
{
  TauAgentSession *session = tau_window_get_session (TAU_WINDOW (widget));

  if (session != NULL && tau_agent_session_get_path (session) != NULL)
    tau_window_rename_session (TAU_WINDOW (widget), tau_agent_session_get_path (session));
}

static void
forked_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(TauWindow) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = tau_agent_session_fork_finish (TAU_AGENT_SESSION (object), result, NULL, &error);

  if (path == NULL)
    tau_window_show_message (self, error->message);
  else if (gtk_window_get_application (GTK_WINDOW (self)) != NULL)
    tau_window_open_session (self, path);
}

/* What is shown, in a file of its own; the one that somebody else owns stays as it is. */
static void
fork_session_cb (GtkWidget  *widget,
                 const char *action,
                 GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);
  TauAgentSession *session = tau_window_get_session (self);

  if (session != NULL && tau_agent_session_get_path (session) != NULL)
    tau_agent_session_fork_async (session, NULL, forked_cb, g_object_ref (self));
}

static void
expand_all_cb (GtkWidget  *widget,
               const char *action,
               GVariant   *parameter)
{
  tau_window_set_all_expanded (TAU_WINDOW (widget), g_str_equal (action, "win.expand-all"));
}

/* "win.find" is the transcript's own "transcript.find", and so on. */
static void
read_cb (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  g_autofree char *name = g_strconcat ("transcript.", action + strlen ("win."), NULL);

  tau_window_read (TAU_WINDOW (widget), name);
}

static void
show_sidebar_cb (GtkWidget  *widget,
                 const char *action,
                 GVariant   *parameter)
{
  tau_window_toggle_sidebar (TAU_WINDOW (widget));
}

static void
show_panel_cb (GtkWidget  *widget,
               const char *action,
               GVariant   *parameter)
{
  tau_window_toggle_panel (TAU_WINDOW (widget));
}

static void
choose_model_cb (GtkWidget  *widget,
                 const char *action,
                 GVariant   *parameter)
{
  tau_window_choose_model (TAU_WINDOW (widget));
}

static void
setup_message_cb (AdwPreferencesWindow *dialog,
                  const char           *message)
{
  g_autofree char *markup = g_markup_escape_text (message, -1);

  adw_preferences_window_add_toast (dialog, adw_toast_new (markup));
}

/* Keys and local servers, once there is a model and the start page no longer shows them. */
static void
models_cb (GtkWidget  *widget,
           const char *action,
           GVariant   *parameter)
{
  TauApplication *application = TAU_APPLICATION (gtk_window_get_application (GTK_WINDOW (widget)));
  GtkWidget *dialog = g_object_new (ADW_TYPE_PREFERENCES_WINDOW,
                                    "title", _("Models and keys"),
                                    "transient-for", widget,
                                    "modal", TRUE,
                                    "search-enabled", FALSE,
                                    "default-width", 540,
                                    "default-height", 360,
                                    NULL);
  AdwPreferencesPage *page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());
  TauModelSetup *setup = g_object_new (TAU_TYPE_MODEL_SETUP, NULL);

  tau_model_setup_set_catalog (setup, tau_application_get_catalog (application));
  g_signal_connect_object (setup, "message", G_CALLBACK (setup_message_cb), dialog, G_CONNECT_SWAPPED);
  adw_preferences_page_add (page, ADW_PREFERENCES_GROUP (setup));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (dialog), page);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
focus_composer_cb (GtkWidget  *widget,
                   const char *action,
                   GVariant   *parameter)
{
  tau_window_focus_composer (TAU_WINDOW (widget));
}

static void
search_sessions_cb (GtkWidget  *widget,
                    const char *action,
                    GVariant   *parameter)
{
  tau_window_search_sessions (TAU_WINDOW (widget));
}

/* Escape stops the run, but only when no popover or field wanted the key first. */
static gboolean
escape_cb (GtkWidget *widget,
           GVariant  *arguments,
           gpointer   user_data)
{
  TauAgentSession *session = tau_window_get_session (TAU_WINDOW (widget));

  if (tau_window_give_up_opening (TAU_WINDOW (widget)))
    return GDK_EVENT_STOP;
  return session != NULL && stop_what_runs (session) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

void
tau_window_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.new-session", NULL, new_session_cb);
  gtk_widget_class_install_action (widget_class, "win.open-folder", NULL, open_folder_cb);
  gtk_widget_class_install_action (widget_class, "win.stop", NULL, stop_cb);
  gtk_widget_class_install_action (widget_class, "win.retry", NULL, retry_cb);
  gtk_widget_class_install_action (widget_class, "win.rename-session", NULL, rename_session_cb);
  gtk_widget_class_install_action (widget_class, "win.fork-session", NULL, fork_session_cb);
  gtk_widget_class_install_action (widget_class, "win.expand-all", NULL, expand_all_cb);
  gtk_widget_class_install_action (widget_class, "win.collapse-all", NULL, expand_all_cb);
  gtk_widget_class_install_action (widget_class, "win.find", NULL, read_cb);
  gtk_widget_class_install_action (widget_class, "win.outline", NULL, read_cb);
  gtk_widget_class_install_action (widget_class, "win.previous-prompt", NULL, read_cb);
  gtk_widget_class_install_action (widget_class, "win.next-prompt", NULL, read_cb);
  gtk_widget_class_install_action (widget_class, "win.show-sidebar", NULL, show_sidebar_cb);
  gtk_widget_class_install_action (widget_class, "win.show-panel", NULL, show_panel_cb);
  gtk_widget_class_install_action (widget_class, "win.choose-model", NULL, choose_model_cb);
  gtk_widget_class_install_action (widget_class, "win.models", NULL, models_cb);
  gtk_widget_class_install_action (widget_class, "win.focus-composer", NULL, focus_composer_cb);
  gtk_widget_class_install_action (widget_class, "win.search-sessions", NULL, search_sessions_cb);
  tau_restore_files_install_actions (widget_class);
  tau_model_steps_install_actions (widget_class);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}
