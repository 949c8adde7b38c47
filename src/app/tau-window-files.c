/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-window-private.h"

#include "core/base/tau-error.h"
#include "core/base/tau-paths.h"
#include "core/session/tau-project-identity.h"
#include "core/session/tau-session-export.h"
#include "core/session/tau-session-import.h"

#include <glib/gi18n.h>
#include <string.h>

/* Sessions and what lies outside of them: writing them for others, taking them from elsewhere, and project folders that
 * were moved. The files of sessions are never changed here. */

static TauApplication *
get_application (TauWindow *self)
{
  return TAU_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
}

static void
say_with_button (TauWindow  *self,
                 const char *text,
                 const char *button,
                 GCallback   callback,
                 char       *argument)
{
  g_autofree char *markup = g_markup_escape_text (text, -1);
  AdwToast *toast = adw_toast_new (markup);

  adw_toast_set_button_label (toast, button);
  adw_toast_set_timeout (toast, 10);
  g_object_set_data (G_OBJECT (toast), "window", self);   /* the toast is the window's */
  g_object_set_data_full (G_OBJECT (toast), "argument", argument, g_free);
  g_signal_connect (toast, "button-clicked", callback, NULL);
  tau_window_add_toast (self, toast);
}

/* Export */

static const struct { const char *name; const char *pattern; const char *ending; } formats[] = {
  [TAU_EXPORT_HTML] = { N_("Web page"), "*.html", ".html" },
  [TAU_EXPORT_MARKDOWN] = { N_("Markdown"), "*.md", ".md" },
  [TAU_EXPORT_JSONL] = { N_("Session file"), "*.jsonl", ".jsonl" },
};

typedef struct
{
  TauWindow *window;
  char      *output;
} Export;

static void
open_export_cb (AdwToast *toast)
{
  g_autofree char *uri = g_filename_to_uri (g_object_get_data (G_OBJECT (toast), "argument"), NULL, NULL);

  if (uri != NULL)
    gtk_show_uri (g_object_get_data (G_OBJECT (toast), "window"), uri, GDK_CURRENT_TIME);
}

static void
exported_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  Export *self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *name = g_filename_display_basename (self->output);
  g_autofree char *text = NULL;

  if (tau_session_export_finish (result, &error))
    {
      /* Translators: %s is the name of a file. */
      text = g_strdup_printf (_("Exported to “%s”"), name);
      say_with_button (self->window, text, _("_Open"), G_CALLBACK (open_export_cb), g_steal_pointer (&self->output));
    }
  else
    tau_window_show_message (self->window, error->message);
  g_object_unref (self->window);
  g_free (self->output);
  g_free (self);
}

/* The branch that is shown, of a session that is open; else the last one of the file. */
static char *
dup_leaf (TauWindow  *self,
          const char *path)
{
  TauAgentSession *session = tau_application_lookup_session (get_application (self), path);
  TauSessionEntry *leaf = session != NULL ? tau_session_tree_get_leaf (tau_agent_session_get_tree (session)) : NULL;

  return leaf != NULL ? g_strdup (tau_session_entry_get_id (leaf)) : NULL;
}

void
tau_window_export_to (TauWindow       *self,
                      const char      *path,
                      TauExportFormat  format,
                      const char      *output)
{
  g_autofree char *leaf = dup_leaf (self, path);
  Export *export = g_new (Export, 1);

  *export = (Export) { g_object_ref (self), g_strdup (output) };
  tau_session_export_async (path, leaf, format, output, exported_cb, export);
}

static TauExportFormat
get_format (GtkFileChooser *chooser,
            const char     *output)
{
  const char *chosen = gtk_file_filter_get_name (gtk_file_chooser_get_filter (chooser));

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (output, formats[i].ending))
      return (TauExportFormat) i;
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (chosen, _(formats[i].name)) == 0)
      return (TauExportFormat) i;
  return TAU_EXPORT_HTML;
}

static void
export_response_cb (GtkNativeDialog *dialog,
                    int              response,
                    gpointer         user_data)
{
  TauWindow *self = user_data;
  g_autoptr(GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  const char *path = g_object_get_data (G_OBJECT (dialog), "path");

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL)
    tau_window_export_to (self, path, get_format (GTK_FILE_CHOOSER (dialog), g_file_peek_path (file)), g_file_peek_path (file));
  g_object_unref (dialog);
}

static char *
suggest_name (TauWindow  *self,
              const char *path)
{
  TauAgentSession *session = tau_application_lookup_session (get_application (self), path);
  TauSessionInfo *info = tau_session_index_find (tau_application_get_index (get_application (self)), path);
  g_autofree char *title = session != NULL ? tau_agent_session_dup_title (session) :
                           info != NULL ? tau_session_info_dup_title (info) : g_strdup (_("Session"));
  g_autofree char *start = g_utf8_substring (title, 0, MIN (g_utf8_strlen (title, -1), 60));

  g_strdelimit (start, "/\\:*?\"<>|\n\r\t", '-');
  return g_strdup_printf ("%s.html", start);
}

static void
choose_export (TauWindow  *self,
               const char *path)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Export session"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _("_Export"), _("_Cancel"));
  g_autofree char *name = suggest_name (self, path);

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr(GtkFileFilter) filter = gtk_file_filter_new ();

      gtk_file_filter_set_name (filter, _(formats[i].name));
      gtk_file_filter_add_pattern (filter, formats[i].pattern);
      gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
    }
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  g_object_set_data_full (G_OBJECT (dialog), "path", g_strdup (path), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (export_response_cb), self, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
export_cb (GtkWidget  *widget,
           const char *action,
           GVariant   *parameter)
{
  choose_export (TAU_WINDOW (widget), g_variant_get_bytestring (parameter));
}

static void
export_shown_cb (GtkWidget  *widget,
                 const char *action,
                 GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);
  TauAgentSession *session = tau_window_get_session (self);
  const char *path = session != NULL ? tau_agent_session_get_path (session) : NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    tau_window_show_message (self, _("There is nothing to export yet."));
  else
    choose_export (self, path);
}

/* Import */

/* What is no session cannot be among the others; if it holds anything that can be read it is shown where it is, with why
 * it is only read. */
static void
imported_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GPtrArray) arguments = user_data;
  TauWindow *self = g_ptr_array_index (arguments, 0);
  GFile *source = g_ptr_array_index (arguments, 1);
  g_autoptr(GError) error = NULL;
  g_autofree char *path = tau_session_import_finish (result, &error);

  if (get_application (self) == NULL)
    return;
  if (path == NULL)
    {
      if (g_error_matches (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID))
        tau_window_open_session (self, g_file_peek_path (source));
      else
        tau_window_show_message (self, error->message);
      return;
    }
  tau_window_open_session (self, path);
  tau_session_index_refresh (tau_application_get_index (get_application (self)));
}

void
tau_window_import (TauWindow  *self,
                   const char *source)
{
  g_autofree char *agent_dir = tau_paths_agent_dir ();
  g_autofree char *root = g_build_filename (agent_dir, "sessions", NULL);
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (arguments, g_object_ref (self));
  g_ptr_array_add (arguments, g_file_new_for_path (source));
  tau_session_import_async (source, root, imported_cb, arguments);
}

static void
import_response_cb (GtkNativeDialog *dialog,
                    int              response,
                    gpointer         user_data)
{
  g_autoptr(GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL)
    tau_window_import (user_data, g_file_peek_path (file));
  g_object_unref (dialog);
}

static void
import_cb (GtkWidget  *widget,
           const char *action,
           GVariant   *parameter)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Import session"), GTK_WINDOW (widget),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, _("_Import"), _("_Cancel"));
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _(formats[TAU_EXPORT_JSONL].name));
  gtk_file_filter_add_pattern (filter, formats[TAU_EXPORT_JSONL].pattern);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  g_signal_connect_object (dialog, "response", G_CALLBACK (import_response_cb), widget, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* Folders that were moved */

/* The session is opened anew where its folder is now; its file still says the old place. */
void
tau_window_set_moved_folder (TauWindow  *self,
                             const char *cwd,
                             const char *folder)
{
  TauApplication *application = get_application (self);
  TauAgentSession *session = tau_window_get_session (self);
  g_autofree char *path = g_strdup (tau_agent_session_get_path (session));
  gboolean is_of_it = g_strcmp0 (tau_agent_session_get_cwd (session), cwd) == 0;

  tau_session_marks_set_folder (tau_application_get_marks (application), cwd, folder);
  if (!is_of_it)
    return;
  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      tau_window_open_folder (self, folder);
      return;
    }
  tau_application_close_session (application, session);
  tau_window_open_session (self, path);
}

typedef struct
{
  TauWindow *window;
  char      *cwd;
  char      *folder;
} Place;

static void
place_free (Place *self)
{
  g_object_unref (self->window);
  g_free (self->cwd);
  g_free (self->folder);
  g_free (self);
}

static void
other_project_cb (GObject      *object,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  Place *place = user_data;
  g_autofree char *identity = tau_project_identity_read_finish (result);
  TauApplication *application = get_application (place->window);
  const char *known = application != NULL ? tau_session_marks_get_project (tau_application_get_marks (application), place->cwd) : NULL;

  if (known != NULL && g_strcmp0 (known, identity) != 0)
    tau_window_show_message (place->window, _("This folder holds another project than the one that the sessions were made in."));
  place_free (place);
}

static void
locate_response_cb (GtkNativeDialog *dialog,
                    int              response,
                    gpointer         user_data)
{
  TauWindow *self = user_data;
  g_autoptr(GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  const char *cwd = g_object_get_data (G_OBJECT (dialog), "cwd");

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL)
    {
      Place *place = g_new (Place, 1);

      *place = (Place) { g_object_ref (self), g_strdup (cwd), g_strdup (g_file_peek_path (file)) };
      tau_window_set_moved_folder (self, cwd, place->folder);
      tau_project_identity_read_async (place->folder, other_project_cb, place);
    }
  g_object_unref (dialog);
}

static void
locate_folder_cb (GtkWidget  *widget,
                  const char *action,
                  GVariant   *parameter)
{
  TauWindow *self = TAU_WINDOW (widget);
  GtkFileChooserNative *dialog;

  if (tau_window_get_folder (self) == NULL)
    return;
  dialog = gtk_file_chooser_native_new (_("Locate folder"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                        _("_Select"), _("_Cancel"));
  g_object_set_data_full (G_OBJECT (dialog), "cwd", g_strdup (tau_window_get_folder (self)), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (locate_response_cb), self, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
take_sessions_cb (AdwToast *toast)
{
  TauWindow *self = g_object_get_data (G_OBJECT (toast), "window");

  tau_session_marks_set_folder (tau_application_get_marks (get_application (self)),
                                g_object_get_data (G_OBJECT (toast), "argument"), tau_window_get_folder (self));
}

/* The project was here before under another path, which is gone: its sessions may come along. */
static void
offer_lost_sessions (TauWindow       *self,
                     TauSessionMarks *marks,
                     const char      *identity,
                     const char      *folder)
{
  g_auto(GStrv) lost = tau_session_marks_dup_lost (marks, identity, folder);

  for (char **cwd = lost; *cwd != NULL; cwd++)
    {
      g_autofree char *place = tau_paths_shorten (*cwd);
      g_autofree char *text = NULL;

      if (g_file_test (*cwd, G_FILE_TEST_EXISTS))
        continue;
      /* Translators: %s is a folder that is not there any more. */
      text = g_strdup_printf (_("This project was in %s"), place);
      say_with_button (self, text, _("_Take its sessions"), G_CALLBACK (take_sessions_cb), g_strdup (*cwd));
    }
}

static void
identity_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  Place *place = user_data;
  g_autofree char *identity = tau_project_identity_read_finish (result);
  TauApplication *application = get_application (place->window);

  if (identity != NULL && application != NULL)
    {
      TauSessionMarks *marks = tau_application_get_marks (application);

      if (g_strcmp0 (tau_window_get_folder (place->window), place->folder) == 0)
        offer_lost_sessions (place->window, marks, identity, place->folder);
      tau_session_marks_set_project (marks, place->folder, identity);
    }
  place_free (place);
}

/* Remembers which project is in the folder shown, to know it again. */
void
tau_window_note_project (TauWindow *self)
{
  const char *folder = tau_window_get_folder (self);
  Place *place;

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR)
      || tau_session_marks_get_project (tau_application_get_marks (get_application (self)), folder) != NULL)
    return;
  place = g_new0 (Place, 1);
  place->window = g_object_ref (self);
  place->folder = g_strdup (folder);
  tau_project_identity_read_async (folder, identity_cb, place);
}

void
tau_window_install_file_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.session-export", "ay", export_cb);
  gtk_widget_class_install_action (widget_class, "win.export-session", NULL, export_shown_cb);
  gtk_widget_class_install_action (widget_class, "win.import-session", NULL, import_cb);
  gtk_widget_class_install_action (widget_class, "win.locate-folder", NULL, locate_folder_cb);
}
