/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-application.h"

#include "app/tau-window.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-task.h"
#include "core/session/tau-session-journal.h"
#include "core/tool/tau-login-environment.h"

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

/* The running program: one process, several windows. Owns what all windows share: the catalogue of models, the list
 * of sessions, and the sessions that are alive. A session stays alive until the program ends, so that its run goes
 * on while another one is shown. */
struct _TauApplication
{
  AdwApplication   parent_instance;

  TauModelCatalog *catalog;
  TauSessionIndex *index;
  TauSessionMarks *marks;
  GListStore      *sessions;   /* of TauAgentSession, alive */
  GCancellable    *discovery;
  GSettings       *settings;
};

G_DEFINE_FINAL_TYPE (TauApplication, tau_application, ADW_TYPE_APPLICATION)

static void
discovered_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  tau_model_catalog_discover_finish (TAU_MODEL_CATALOG (object), result);
}

static void
recover_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  g_task_return_boolean (task, tau_session_journal_recover () > 0);
}

static void
recovered_cb (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  TauApplication *self = TAU_APPLICATION (object);

  if (g_task_propagate_boolean (G_TASK (result), NULL) && self->index != NULL)
    tau_session_index_refresh (self->index);
}

/* Prompts that nobody answered before the program was killed become sessions of the list. */
static void
recover_sessions (TauApplication *self)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, recovered_cb, NULL);

  g_task_set_source_tag (task, recover_sessions);
  tau_task_run_in_thread (task, recover_thread);
}

static void
apply_color_scheme (TauApplication *self)
{
  static const AdwColorScheme schemes[] = {
    ADW_COLOR_SCHEME_DEFAULT,
    ADW_COLOR_SCHEME_FORCE_LIGHT,
    ADW_COLOR_SCHEME_FORCE_DARK,
  };
  int choice = g_settings_get_enum (self->settings, "color-scheme");

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      schemes[CLAMP (choice, 0, (int) G_N_ELEMENTS (schemes) - 1)]);
}

static void
tau_application_startup (GApplication *application)
{
  TauApplication *self = TAU_APPLICATION (application);
  g_autofree char *agent_dir = tau_paths_agent_dir ();
  g_autofree char *sessions_root = g_build_filename (agent_dir, "sessions", NULL);

  G_APPLICATION_CLASS (tau_application_parent_class)->startup (application);
  tau_login_environment_read ();

  gtk_source_init ();
  gtk_window_set_default_icon_name (TAU_APP_ID);

  self->settings = g_settings_new (TAU_APP_ID);
  g_signal_connect_swapped (self->settings, "changed::color-scheme", G_CALLBACK (apply_color_scheme), self);
  apply_color_scheme (self);

  self->sessions = g_list_store_new (TAU_TYPE_AGENT_SESSION);
  self->catalog = tau_model_catalog_new (agent_dir);
  self->index = tau_session_index_new (sessions_root);
  self->marks = tau_session_marks_new (NULL);
  recover_sessions (self);
  self->discovery = g_cancellable_new ();
  tau_model_catalog_discover_async (self->catalog, self->discovery, discovered_cb, NULL);
}

static void
tau_application_shutdown (GApplication *application)
{
  TauApplication *self = TAU_APPLICATION (application);

  if (self->discovery != NULL)
    g_cancellable_cancel (self->discovery);
  for (guint i = 0; self->sessions != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->sessions)); i++)
    {
      g_autoptr(TauAgentSession) session = g_list_model_get_item (G_LIST_MODEL (self->sessions), i);

      tau_agent_session_close (session);
    }
  g_clear_object (&self->sessions);
  g_clear_object (&self->discovery);

  G_APPLICATION_CLASS (tau_application_parent_class)->shutdown (application);
}

static GtkWindow *
add_window (TauApplication *self)
{
  return GTK_WINDOW (tau_window_new (self));
}

/**
 * tau_application_dup_start_folder:
 * @self: the application
 *
 * Returns: (transfer full): where a window without a folder begins: the last folder, if it is still there, else the home
 *   folder
 */
char *
tau_application_dup_start_folder (TauApplication *self)
{
  g_autofree char *last = g_settings_get_string (self->settings, "last-folder");

  if (*last != '\0' && g_file_test (last, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&last);
  return g_strdup (g_get_home_dir ());
}

static void
tau_application_activate (GApplication *application)
{
  TauApplication *self = TAU_APPLICATION (application);
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (window == NULL)
    {
      g_autofree char *folder = tau_application_dup_start_folder (self);

      window = add_window (self);
      tau_window_open_folder (TAU_WINDOW (window), folder);
    }
  gtk_window_present (window);
}

/* A window that shows the folder or the session already comes to the front; else a new one opens. */
static void
open_folder (TauApplication *self,
             const char     *path)
{
  GtkWindow *window;

  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (TAU_IS_WINDOW (l->data) && g_strcmp0 (tau_window_get_folder (l->data), path) == 0)
      {
        gtk_window_present (l->data);
        return;
      }

  window = add_window (self);
  tau_window_open_folder (TAU_WINDOW (window), path);
  gtk_window_present (window);
}

static void
open_file (TauApplication *self,
           const char     *path)
{
  TauAgentSession *session = tau_application_lookup_session (self, path);
  GtkWindow *window;

  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL && session != NULL; l = l->next)
    if (TAU_IS_WINDOW (l->data) && tau_window_get_session (l->data) == session)
      {
        gtk_window_present (l->data);
        return;
      }

  window = add_window (self);
  tau_window_open_session (TAU_WINDOW (window), path);
  gtk_window_present (window);
}

static int
tau_application_command_line (GApplication            *application,
                              GApplicationCommandLine *command_line)
{
  TauApplication *self = TAU_APPLICATION (application);
  GVariantDict *options = g_application_command_line_get_options_dict (command_line);
  g_autoptr(GVariant) paths = g_variant_dict_lookup_value (options, G_OPTION_REMAINING, G_VARIANT_TYPE_BYTESTRING_ARRAY);
  const char **names = paths ? g_variant_get_bytestring_array (paths, NULL) : NULL;
  int status = 0;

  if (names == NULL || names[0] == NULL)
    g_application_activate (application);
  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autoptr(GFile) file = g_application_command_line_create_file_for_arg (command_line, names[i]);
      const char *path = g_file_peek_path (file);

      if (path != NULL && g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          open_folder (self, path);
          continue;
        }
      if (path != NULL && g_str_has_suffix (path, ".jsonl") && g_file_test (path, G_FILE_TEST_IS_REGULAR))
        {
          open_file (self, path);
          continue;
        }
      /* Translators: %s is what the user typed on the command line. */
      g_application_command_line_printerr (command_line, _("tau: there is no folder “%s”\n"), names[i]);
      status = 2;
    }
  g_free (names);
  return status;
}

static int
tau_application_handle_local_options (GApplication *application,
                                      GVariantDict *options)
{
  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("tau %s\n", TAU_VERSION);
      return 0;
    }
  return -1;
}

static void
about_cb (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  TauApplication *self = user_data;
  g_autofree char *environment = tau_login_environment_dup_report ();

  adw_show_about_window (gtk_application_get_active_window (GTK_APPLICATION (self)),
                         "application-name", "Tau",
                         "application-icon", TAU_APP_ID,
                         "version", TAU_VERSION,
                         "developer-name", _("The Tau authors"),
                         "license-type", GTK_LICENSE_MIT_X11,
                         "comments", _("A coding agent for your desktop"),
                         "debug-info", environment,
                         NULL);
}

static void
new_window_cb (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  TauApplication *self = user_data;
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));
  g_autofree char *folder = active != NULL ? g_strdup (tau_window_get_folder (TAU_WINDOW (active))) : NULL;
  GtkWindow *window = add_window (self);

  if (folder == NULL)
    folder = tau_application_dup_start_folder (self);
  tau_window_open_folder (TAU_WINDOW (window), folder);
  gtk_window_present (window);
}

static void
quit_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  g_application_quit (G_APPLICATION (user_data));
}

static void
tau_application_finalize (GObject *object)
{
  TauApplication *self = TAU_APPLICATION (object);

  g_clear_object (&self->catalog);
  g_clear_object (&self->index);
  g_clear_object (&self->marks);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (tau_application_parent_class)->finalize (object);
}

static void
tau_application_class_init (TauApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tau_application_finalize;
  application_class->startup = tau_application_startup;
  application_class->shutdown = tau_application_shutdown;
  application_class->activate = tau_application_activate;
  application_class->command_line = tau_application_command_line;
  application_class->handle_local_options = tau_application_handle_local_options;
}

static void
add_options (TauApplication *self)
{
  static const GOptionEntry entries[] = {
    { "version", 'v', 0, G_OPTION_ARG_NONE, NULL, N_("Print the version and exit"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_("[FOLDER or SESSION.jsonl…]") },
    { NULL }
  };

  g_application_add_main_option_entries (G_APPLICATION (self), entries);
  g_application_set_option_context_summary (G_APPLICATION (self), _("Opens a project folder, or a session of one, and works on it with a language model."));
}

static void
set_accels (TauApplication *self)
{
  static const struct { const char *action; const char *accels[3]; } accels[] = {
    { "app.quit", { "<Control>q", NULL } },
    { "app.new-window", { "<Control><Shift>n", NULL } },
    { "win.new-session", { "<Control>n", NULL } },
    { "win.open-folder", { "<Control>o", NULL } },
    { "win.show-sidebar", { "F9", NULL } },
    { "win.show-panel", { "F10", NULL } },
    { "win.find", { "<Control>f", NULL } },
    { "win.outline", { "<Control>j", NULL } },
    { "win.previous-prompt", { "<Alt>Page_Up", NULL } },
    { "win.next-prompt", { "<Alt>Page_Down", NULL } },
    { "win.stop", { "<Control>period", NULL } },
    { "win.choose-model", { "<Control>l", NULL } },
    { "win.next-model", { "<Control>p", NULL } },
    { "win.previous-model", { "<Control><Alt>p", NULL } },
    { "win.next-thinking", { "<Control>t", NULL } },
    { "win.focus-composer", { "<Control>i", NULL } },
    { "win.search-sessions", { "<Control>k", NULL } },
    { "win.show-help-overlay", { "<Control>question", NULL } },
    { "window.close", { "<Control>w", NULL } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action, accels[i].accels);
}

static void
tau_application_init (TauApplication *self)
{
  static const GActionEntry actions[] = {
    { .name = "about", .activate = about_cb },
    { .name = "new-window", .activate = new_window_cb },
    { .name = "quit", .activate = quit_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  add_options (self);
  set_accels (self);
}

/**
 * tau_application_new:
 *
 * Makes the program object.
 *
 * Returns: (transfer full): the application
 */
TauApplication *
tau_application_new (void)
{
  return g_object_new (TAU_TYPE_APPLICATION,
                       "application-id", TAU_APP_ID,
                       "flags", G_APPLICATION_HANDLES_COMMAND_LINE,
                       "resource-base-path", "/io/github/tau_agent/Tau",
                       NULL);
}

/**
 * tau_application_get_catalog:
 * @self: the application
 *
 * The models that all windows choose from.
 *
 * Returns: (transfer none): the catalogue
 */
TauModelCatalog *
tau_application_get_catalog (TauApplication *self)
{
  g_return_val_if_fail (TAU_IS_APPLICATION (self), NULL);

  return self->catalog;
}

/**
 * tau_application_get_index:
 * @self: the application
 *
 * The list of all sessions on disk.
 *
 * Returns: (transfer none): the index
 */
TauSessionIndex *
tau_application_get_index (TauApplication *self)
{
  g_return_val_if_fail (TAU_IS_APPLICATION (self), NULL);

  return self->index;
}

/**
 * tau_application_get_sessions:
 * @self: the application
 *
 * The sessions that are alive: opened by a window since the program began.
 *
 * Returns: (transfer none): of #TauAgentSession
 */
GListModel *
tau_application_get_sessions (TauApplication *self)
{
  g_return_val_if_fail (TAU_IS_APPLICATION (self), NULL);

  return G_LIST_MODEL (self->sessions);
}

/**
 * tau_application_get_marks:
 * @self: the application
 *
 * What is remembered about sessions beside their files.
 *
 * Returns: (transfer none): the marks
 */
TauSessionMarks *
tau_application_get_marks (TauApplication *self)
{
  g_return_val_if_fail (TAU_IS_APPLICATION (self), NULL);

  return self->marks;
}

static gboolean
is_shown (TauApplication  *self,
          TauAgentSession *session)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (TAU_IS_WINDOW (l->data) && tau_window_get_session (l->data) == session)
      return TRUE;
  return FALSE;
}

/* A run that ended while nobody looked is something to read. */
static void
session_state_cb (TauApplication  *self,
                  GParamSpec      *pspec,
                  TauAgentSession *session)
{
  if (tau_agent_session_get_state (session) == TAU_SESSION_IDLE && !is_shown (self, session))
    tau_session_marks_set (self->marks, tau_agent_session_get_id (session), TAU_SESSION_MARK_UNREAD, TRUE);
}

static TauAgentSession *
add_session (TauApplication               *self,
             const TauAgentSessionOptions *options,
             GError                      **error)
{
  TauAgentSession *session = tau_agent_session_new (options, error);

  if (session == NULL)
    return NULL;
  g_signal_connect_object (session, "notify::state", G_CALLBACK (session_state_cb), self, G_CONNECT_SWAPPED);
  tau_agent_session_restore_unsent (session);
  g_list_store_append (self->sessions, session);
  g_object_unref (session);   /* the list keeps it */
  return session;
}

/**
 * tau_application_start_session:
 * @self: the application
 * @folder: absolute path of the folder to work in
 * @error: return location
 *
 * Starts a new session. Its file appears with the first answer.
 *
 * Returns: (transfer none) (nullable): the session, owned by the application, or %NULL with @error set
 */
TauAgentSession *
tau_application_start_session (TauApplication *self,
                               const char     *folder,
                               GError        **error)
{
  TauAgentSessionOptions options = { .cwd = folder, .catalog = self->catalog };

  g_return_val_if_fail (TAU_IS_APPLICATION (self), NULL);

  return add_session (self, &options, error);
}

/* Where the folder that a session names is now, if that is known to be somewhere else. The file keeps the old name. */
static const char *
get_moved_folder (TauApplication *self,
                  TauSessionFile *file)
{
  const char *cwd = tau_session_file_get_cwd (file);
  const char *folder = cwd != NULL ? tau_session_marks_get_folder (self->marks, cwd) : NULL;

  return g_strcmp0 (folder, cwd) != 0 ? folder : NULL;
}

static TauAgentSession *
take_file (TauApplication  *self,
           const char      *path,
           TauSessionFile  *file,
           GError         **error)
{
  TauAgentSession *session = tau_application_lookup_session (self, path);
  g_autofree char *fallback = tau_application_dup_start_folder (self);
  TauAgentSessionOptions options = {
    .session_path = path, .file = file, .cwd = get_moved_folder (self, file), .fallback_cwd = fallback, .catalog = self->catalog
  };

  /* Another window may have opened it meanwhile. */
  return session != NULL ? session : add_session (self, &options, error);
}

static void
file_loaded_cb (GObject      *object,
                GAsyncResult *result,
                gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  TauApplication *self = g_task_get_source_object (task);
  g_autoptr(GError) error = NULL;
  g_autoptr(TauSessionFile) file = tau_session_file_load_finish (result, &error);
  TauAgentSession *session = NULL;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->sessions == NULL)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the program ends");
  else if (file != NULL)
    session = take_file (self, g_task_get_task_data (task), file, &error);
  if (session != NULL)
    g_task_return_pointer (task, g_object_ref (session), g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * tau_application_open_session_async:
 * @self: the application
 * @path: a session file
 * @cancellable: (nullable): stops it
 * @callback: called when done
 * @user_data: for @callback
 *
 * Looks for the session of a file: the one that is alive already, or a newly opened one. The file is read in a thread.
 */
void
tau_application_open_session_async (TauApplication      *self,
                                    const char          *path,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  g_autoptr(GTask) task = NULL;
  TauAgentSession *session;

  g_return_if_fail (TAU_IS_APPLICATION (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, tau_application_open_session_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  session = tau_application_lookup_session (self, path);
  if (session != NULL)
    g_task_return_pointer (task, g_object_ref (session), g_object_unref);
  else
    tau_session_file_load_async (path, cancellable, file_loaded_cb, g_steal_pointer (&task));
}

/**
 * tau_application_open_session_finish:
 * @self: the application
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer none) (nullable): the session, owned by the application, or %NULL with @error set
 */
TauAgentSession *
tau_application_open_session_finish (TauApplication *self,
                                     GAsyncResult   *result,
                                     GError        **error)
{
  g_autoptr(TauAgentSession) session = g_task_propagate_pointer (G_TASK (result), error);

  return session;   /* the list keeps it */
}

/**
 * tau_application_lookup_session:
 * @self: the application
 * @path: a session file
 *
 * Looks for a session that is alive.
 *
 * Returns: (transfer none) (nullable): the session, or %NULL if the file is not open
 */
TauAgentSession *
tau_application_lookup_session (TauApplication *self,
                                const char     *path)
{
  g_return_val_if_fail (TAU_IS_APPLICATION (self), NULL);

  for (guint i = 0; self->sessions != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->sessions)); i++)
    {
      g_autoptr(TauAgentSession) session = g_list_model_get_item (G_LIST_MODEL (self->sessions), i);

      if (g_strcmp0 (tau_agent_session_get_path (session), path) == 0)
        return session;   /* the list keeps it */
    }
  return NULL;
}

/**
 * tau_application_close_session:
 * @self: the application
 * @session: a session that is alive and that no window shows
 *
 * Ends a session: its run is stopped, its file is written and closed.
 */
void
tau_application_close_session (TauApplication  *self,
                               TauAgentSession *session)
{
  guint position;

  g_return_if_fail (TAU_IS_APPLICATION (self));

  g_signal_handlers_disconnect_by_func (session, session_state_cb, self);
  tau_agent_session_close (session);
  if (g_list_store_find (self->sessions, session, &position))
    g_list_store_remove (self->sessions, position);
}
