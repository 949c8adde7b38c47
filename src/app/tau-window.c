/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-window-private.h"

#include "app/composer/tau-composer.h"
#include "app/pages/tau-opening-page.h"
#include "app/pages/tau-start-page.h"
#include "app/panels/tau-output-panel.h"
#include "app/panels/tau-session-panel.h"
#include "app/tau-lease-bar.h"
#include "app/tau-pane-handle.h"
#include "app/tau-retry-bar.h"
#include "app/tau-scroll-memory.h"
#include "app/transcript/tau-announcer.h"
#include "app/transcript/tau-transcript-view.h"
#include "core/base/tau-paths.h"

#include <glib/gi18n.h>
#include <string.h>

/* One window: sessions at the left, the conversation in the middle, output at the right. It shows one session, which
 * the application owns; the session's folder is the window's folder. The window binds and forwards: what happens is
 * the session's business, how it looks that of the widgets. */
struct _TauWindow
{
  AdwApplicationWindow parent_instance;

  TauAgentSession     *session;
  GSignalGroup        *session_signals;
  GSignalGroup        *messages_signals;
  GSignalGroup        *catalog_signals;
  GSettings           *settings;
  char                *branch;   /* git branch of the folder, nullable */

  AdwToastOverlay     *toasts;
  AdwFlap             *sidebar_flap;
  AdwFlap             *panel_flap;
  TauPaneHandle       *sidebar_handle;
  TauPaneHandle       *panel_handle;
  TauSessionPanel     *session_panel;
  TauOutputPanel      *output_panel;
  AdwWindowTitle      *window_title;
  GtkInfoBar          *banner;
  GtkLabel            *banner_label;
  GtkWidget           *banner_folder;   /* button that opens another folder */
  GtkStack            *pages;
  TauStartPage        *start_page;
  TauOpeningPage      *opening_page;
  TauTranscriptView   *transcript;
  TauAnnouncer        *announcer;
  TauRetryBar         *retry_bar;
  TauLeaseBar         *lease_bar;
  TauComposer         *composer;
};

G_DEFINE_FINAL_TYPE (TauWindow, tau_window, ADW_TYPE_APPLICATION_WINDOW)

static TauApplication *
get_application (TauWindow *self)
{
  return TAU_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
}

static void
show_toast (TauWindow  *self,
            const char *message)
{
  AdwToast *toast = adw_toast_new ("");
  g_autofree char *markup = g_markup_escape_text (message, -1);

  adw_toast_set_title (toast, markup);
  adw_toast_set_timeout (toast, 6);
  tau_window_add_toast (self, toast);
}

static void
show_banner (TauWindow  *self,
             const char *message)
{
  if (message != NULL)
    gtk_label_set_text (self->banner_label, message);
  gtk_widget_set_visible (self->banner_folder, FALSE);
  gtk_info_bar_set_revealed (self->banner, message != NULL);
}

static void
banner_response_cb (TauWindow *self)
{
  gtk_info_bar_set_revealed (self->banner, FALSE);
}

/* The branch stands in .git/HEAD of the folder or of one above it; a bounded read. */
static char *
dup_branch (const char *folder)
{
  g_autofree char *directory = g_strdup (folder);

  while (TRUE)
    {
      g_autofree char *head = g_build_filename (directory, ".git", "HEAD", NULL);
      g_autofree char *text = NULL;
      g_autofree char *parent = g_path_get_dirname (directory);

      if (g_file_get_contents (head, &text, NULL, NULL))
        return g_str_has_prefix (text, "ref: refs/heads/") ? g_strstrip (g_strdup (text + strlen ("ref: refs/heads/"))) : NULL;
      if (g_str_equal (parent, directory))
        return NULL;
      g_free (directory);
      directory = g_steal_pointer (&parent);
    }
}

static void
update_title (TauWindow *self)
{
  g_autofree char *title = tau_agent_session_dup_title (self->session);
  g_autofree char *place = tau_paths_shorten (tau_agent_session_get_cwd (self->session));
  g_autofree char *subtitle = self->branch != NULL ? g_strdup_printf ("%s · %s", place, self->branch) : g_strdup (place);
  g_autofree char *window_title = g_strdup_printf ("%s — Tau", title);

  adw_window_title_set_title (self->window_title, title);
  adw_window_title_set_subtitle (self->window_title, subtitle);
  gtk_window_set_title (GTK_WINDOW (self), window_title);
}

/* What was shown stays until it shows that another session takes long; a window that has nothing to show waits at once. */
static void
update_page (TauWindow *self)
{
  gboolean waits = self->session == NULL || tau_opening_page_is_slow (self->opening_page);
  gboolean empty = waits || g_list_model_get_n_items (tau_agent_session_get_messages (self->session)) == 0;

  gtk_stack_set_visible_child_name (self->pages, waits ? "opening" : empty ? "start" : "transcript");
}

static void
draft_changed_cb (TauWindow *self)
{
  tau_transcript_view_set_draft (self->transcript, tau_agent_session_get_draft (self->session));
}

static void
error_changed_cb (TauWindow *self)
{
  g_autofree char *message = NULL;
  g_autofree char *text = NULL;

  g_object_get (self->session, "error", &message, NULL);
  if (message != NULL)
    text = g_strdup_printf (_("This session cannot be saved now: %s. Nothing is lost: it is tried again until it works."), message);
  show_banner (self, text);
}

static void
notice_cb (TauWindow  *self,
           const char *sentence)
{
  show_banner (self, sentence);
}

static void
state_changed_cb (TauWindow *self)
{
  gboolean busy = tau_agent_session_get_state (self->session) != TAU_SESSION_IDLE;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.stop", busy || tau_agent_session_get_bash_run (self->session) != NULL);
  if (!busy)
    tau_session_index_refresh (tau_application_get_index (TAU_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)))));
}

/* A session that began with the demo because there was nothing else, and has not been used yet, takes the first real
 * model that turns up: a key was entered, a server on this computer has answered. */
static void
catalog_changed_cb (TauWindow *self)
{
  TauModel *current = self->session != NULL ? tau_agent_session_get_model (self->session) : NULL;
  TauSettings *settings;
  g_autoptr(TauModel) model = NULL;

  if (self->session == NULL || g_list_model_get_n_items (tau_agent_session_get_messages (self->session)) > 0)
    return;
  if (current != NULL && !g_str_equal (tau_model_get_provider (current), "demo"))
    return;
  settings = tau_agent_session_get_settings (self->session);
  model = tau_model_catalog_choose_default (tau_agent_session_get_catalog (self->session),
                                            tau_settings_get_string (settings, "defaultProvider", NULL),
                                            tau_settings_get_string (settings, "defaultModel", NULL));
  if (model != NULL && model != current)
    tau_agent_session_set_model (self->session, model, NULL);
}

static void
add_problems (GString            *text,
              const char * const *problems)
{
  for (gsize i = 0; problems[i] != NULL; i++)
    g_string_append_printf (text, "%s• %s", text->len > 0 ? "\n" : "", problems[i]);
}

/* What could not be read or restored is said once, when the session is shown; a dot before each only if there are several. */
static void
show_problems (TauWindow *self)
{
  const char *folder = tau_agent_session_get_cwd (self->session);
  gboolean missing = !g_file_test (folder, G_FILE_TEST_IS_DIR);
  g_autoptr(GString) text = g_string_new (NULL);
  g_autofree char *place = tau_paths_shorten (folder);
  g_autofree char *gone = missing ? g_strdup_printf (_("The folder %s is not there, so nothing can be run or changed."), place) : NULL;

  add_problems (text, (const char * const []) { gone, NULL });
  add_problems (text, tau_model_catalog_get_problems (tau_agent_session_get_catalog (self->session)));
  add_problems (text, tau_agent_session_get_problems (self->session));
  if (strchr (text->str, '\n') == NULL)
    g_string_erase (text, 0, MIN (text->len, strlen ("• ")));
  show_banner (self, text->len > 0 ? text->str : NULL);
  gtk_widget_set_visible (self->banner_folder, missing);
}

/* The user's own command shows what it prints in the side panel; one that lies over the window would hide the field. */
static void
bash_run_changed_cb (TauWindow *self)
{
  if (tau_agent_session_get_bash_run (self->session) != NULL && !adw_flap_get_folded (self->panel_flap))
    adw_flap_set_reveal_flap (self->panel_flap, TRUE);
  state_changed_cb (self);
}

/* Where the reader is in the session that is left. */
static void
store_position (TauWindow *self)
{
  g_autofree char *position = self->session != NULL ? tau_transcript_view_dup_position (self->transcript) : NULL;

  if (self->session != NULL)
    tau_scroll_memory_store (self->settings, tau_agent_session_get_id (self->session), position);
}

static void
set_session (TauWindow       *self,
             TauAgentSession *session)
{
  const char *folder = tau_agent_session_get_cwd (session);
  g_autofree char *position = NULL;

  tau_opening_page_cancel (self->opening_page);
  store_position (self);
  g_set_object (&self->session, session);
  g_free (self->branch);
  self->branch = dup_branch (folder);
  g_signal_group_set_target (self->session_signals, session);
  g_signal_group_set_target (self->messages_signals, tau_agent_session_get_messages (session));

  tau_transcript_view_set_tool_runs (self->transcript, tau_agent_session_get_tool_runs (session));
  tau_transcript_view_set_messages (self->transcript, tau_agent_session_get_messages (session));
  tau_announcer_set_messages (self->announcer, tau_agent_session_get_messages (session));
  position = tau_scroll_memory_load (self->settings, tau_agent_session_get_id (session));
  if (position != NULL)
    tau_transcript_view_restore_position (self->transcript, position);
  tau_output_panel_set_session (self->output_panel, session);
  tau_composer_set_session (self->composer, session);
  tau_retry_bar_set_session (self->retry_bar, session);
  tau_lease_bar_set_session (self->lease_bar, session);
  tau_session_panel_set_current (self->session_panel, tau_agent_session_get_path (session), folder);
  tau_start_page_set_folder (self->start_page, folder);
  g_settings_set_string (self->settings, "last-folder", folder);
  tau_session_marks_set (tau_application_get_marks (get_application (self)), tau_agent_session_get_id (session),
                         TAU_SESSION_MARK_UNREAD, FALSE);

  draft_changed_cb (self);
  update_page (self);
  state_changed_cb (self);
  update_title (self);
  show_problems (self);
  tau_window_note_project (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->composer));
}

/* A window that shows nothing yet gets something to go on with. */
static void
show_something (TauWindow *self)
{
  g_autofree char *folder = self->session == NULL ? tau_application_dup_start_folder (get_application (self)) : NULL;

  if (folder != NULL)
    tau_window_open_folder (self, folder);
}

static void
opening_failed_cb (TauWindow  *self,
                   const char *sentence)
{
  show_something (self);
  show_banner (self, sentence);
}

/* Nothing goes to the session that is about to leave. */
static void
opening_changed_cb (TauWindow *self)
{
  gboolean busy = tau_opening_page_is_busy (self->opening_page);

  update_page (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->composer), !busy);
  if (!busy && gtk_window_get_focus (GTK_WINDOW (self)) == NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self->composer));
}

static void
suggest_cb (TauWindow  *self,
            const char *prompt)
{
  tau_composer_set_text (self->composer, prompt);
  tau_composer_send (self->composer, TAU_DELIVERY_PROMPT);
}

static void
sent_cb (TauWindow *self)
{
  tau_transcript_view_scroll_to_end (self->transcript);
}

static void
tool_selected_cb (TauWindow  *self,
                  const char *call_id)
{
  tau_output_panel_show_call (self->output_panel, call_id);
  adw_flap_set_reveal_flap (self->panel_flap, TRUE);
}

static void
retry_cb (TauWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.retry", NULL);
}

static void
edit_message_cb (TauWindow  *self,
                 TauMessage *message)
{
  g_autofree char *text = tau_message_dup_text (message, "");

  tau_composer_put_before (self->composer, text);
  gtk_widget_grab_focus (GTK_WIDGET (self->composer));
}

static void
open_session_cb (TauWindow  *self,
                 const char *path)
{
  tau_window_open_session (self, path);
  if (adw_flap_get_folded (self->sidebar_flap))
    adw_flap_set_reveal_flap (self->sidebar_flap, FALSE);
}

/* Overlays come one at a time: in a narrow window a pane that opens closes the other one. */
static void
flap_revealed_cb (TauWindow  *self,
                  GParamSpec *pspec,
                  AdwFlap    *flap)
{
  AdwFlap *other = flap == self->sidebar_flap ? self->panel_flap : self->sidebar_flap;

  if (adw_flap_get_reveal_flap (flap) && adw_flap_get_folded (flap) && adw_flap_get_reveal_flap (other) && adw_flap_get_folded (other))
    adw_flap_set_reveal_flap (other, FALSE);
}

static void
restore_panes (TauWindow *self)
{
  tau_pane_handle_set_pane (self->sidebar_handle, GTK_WIDGET (self->session_panel), TRUE);
  tau_pane_handle_set_pane (self->panel_handle, GTK_WIDGET (self->output_panel), FALSE);
  g_settings_bind (self->settings, "sidebar-width", self->session_panel, "width-request", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "panel-width", self->output_panel, "width-request", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "sidebar-visible", self->sidebar_flap, "reveal-flap", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "all-projects", self->session_panel, "all-folders", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "panel-visible", self->panel_flap, "reveal-flap", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-width", self, "default-width", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-height", self, "default-height", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-maximized", self, "maximized", G_SETTINGS_BIND_DEFAULT);
}

static gboolean
close_request_cb (TauWindow *self)
{
  store_position (self);
  return FALSE;
}

static void
tau_window_dispose (GObject *object)
{
  TauWindow *self = TAU_WINDOW (object);

  g_clear_object (&self->session_signals);
  g_clear_object (&self->messages_signals);
  g_clear_object (&self->catalog_signals);
  g_clear_object (&self->session);
  g_clear_object (&self->settings);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_WINDOW);

  G_OBJECT_CLASS (tau_window_parent_class)->dispose (object);
}

static void
tau_window_finalize (GObject *object)
{
  g_free (TAU_WINDOW (object)->branch);

  G_OBJECT_CLASS (tau_window_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/window.ui");
  gtk_widget_class_bind_template_child (widget_class, TauWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, sidebar_flap);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, panel_flap);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, sidebar_handle);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, panel_handle);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, session_panel);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, output_panel);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, window_title);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, banner);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, banner_label);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, banner_folder);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, start_page);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, opening_page);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, transcript);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, announcer);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, retry_bar);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, lease_bar);
  gtk_widget_class_bind_template_child (widget_class, TauWindow, composer);
  gtk_widget_class_bind_template_callback (widget_class, banner_response_cb);
  gtk_widget_class_bind_template_callback (widget_class, set_session);
  gtk_widget_class_bind_template_callback (widget_class, show_something);
  gtk_widget_class_bind_template_callback (widget_class, opening_failed_cb);
  gtk_widget_class_bind_template_callback (widget_class, opening_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, suggest_cb);
  gtk_widget_class_bind_template_callback (widget_class, sent_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_toast);
  gtk_widget_class_bind_template_callback (widget_class, tool_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, retry_cb);
  gtk_widget_class_bind_template_callback (widget_class, edit_message_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_session_cb);
  gtk_widget_class_bind_template_callback (widget_class, flap_revealed_cb);
}

static void
tau_window_class_init (TauWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_window_finalize;

  g_type_ensure (TAU_TYPE_ANNOUNCER);
  g_type_ensure (TAU_TYPE_COMPOSER);
  g_type_ensure (TAU_TYPE_LEASE_BAR);
  g_type_ensure (TAU_TYPE_OPENING_PAGE);
  g_type_ensure (TAU_TYPE_OUTPUT_PANEL);
  g_type_ensure (TAU_TYPE_PANE_HANDLE);
  g_type_ensure (TAU_TYPE_RETRY_BAR);
  g_type_ensure (TAU_TYPE_SESSION_PANEL);
  g_type_ensure (TAU_TYPE_START_PAGE);
  g_type_ensure (TAU_TYPE_TRANSCRIPT_VIEW);
  bind_template (widget_class);
  tau_window_install_actions (widget_class);
  tau_window_install_session_actions (widget_class);
  tau_window_install_file_actions (widget_class);
}

static void
tau_window_init (TauWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  self->settings = g_settings_new (TAU_APP_ID);
  self->session_signals = g_signal_group_new (TAU_TYPE_AGENT_SESSION);
  g_signal_group_connect_swapped (self->session_signals, "notify::title", G_CALLBACK (update_title), self);
  g_signal_group_connect_swapped (self->session_signals, "notify::draft", G_CALLBACK (draft_changed_cb), self);
  g_signal_group_connect_swapped (self->session_signals, "notify::state", G_CALLBACK (state_changed_cb), self);
  g_signal_group_connect_swapped (self->session_signals, "notify::bash-run", G_CALLBACK (bash_run_changed_cb), self);
  g_signal_group_connect_swapped (self->session_signals, "notify::error", G_CALLBACK (error_changed_cb), self);
  g_signal_group_connect_swapped (self->session_signals, "notice", G_CALLBACK (notice_cb), self);
  self->messages_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->messages_signals, "items-changed", G_CALLBACK (update_page), self);
  self->catalog_signals = g_signal_group_new (TAU_TYPE_MODEL_CATALOG);
  g_signal_group_connect_swapped (self->catalog_signals, "changed", G_CALLBACK (catalog_changed_cb), self);
  g_signal_connect (self, "close-request", G_CALLBACK (close_request_cb), NULL);
  restore_panes (self);
  tau_window_watch_survivors (self);
}

/**
 * tau_window_new:
 * @application: the program
 *
 * Makes a window that shows no session yet; open a folder or a session in it before it is presented.
 *
 * Returns: (transfer none): the window
 */
TauWindow *
tau_window_new (TauApplication *application)
{
  TauWindow *self = g_object_new (TAU_TYPE_WINDOW, "application", application, NULL);

  tau_session_panel_set_index (self->session_panel, tau_application_get_index (application),
                               tau_application_get_sessions (application), tau_application_get_marks (application));
  tau_start_page_set_catalog (self->start_page, tau_application_get_catalog (application));
  g_signal_group_set_target (self->catalog_signals, tau_application_get_catalog (application));
  return self;
}

/**
 * tau_window_open_folder:
 * @self: a window
 * @folder: absolute path
 *
 * Starts a new session in a folder and shows it. What goes wrong is said in the window's banner.
 */
void
tau_window_open_folder (TauWindow  *self,
                        const char *folder)
{
  g_autoptr(GError) error = NULL;
  TauAgentSession *session;

  g_return_if_fail (TAU_IS_WINDOW (self));

  session = tau_application_start_session (get_application (self), folder, &error);
  if (session != NULL)
    set_session (self, session);
  else
    show_banner (self, error->message);
}

/**
 * tau_window_open_session:
 * @self: a window
 * @path: a session file
 *
 * Shows a session: at once one that is alive, which goes on where it is; others when they are read. What goes wrong is
 * said in the window's banner.
 */
void
tau_window_open_session (TauWindow  *self,
                         const char *path)
{
  TauAgentSession *session;

  g_return_if_fail (TAU_IS_WINDOW (self));

  session = tau_application_lookup_session (get_application (self), path);
  if (session != NULL)
    set_session (self, session);
  else
    tau_opening_page_open (self->opening_page, get_application (self), path);
}

/**
 * tau_window_get_folder:
 * @self: a window
 *
 * Returns: (nullable): the folder of the session shown
 */
const char *
tau_window_get_folder (TauWindow *self)
{
  g_return_val_if_fail (TAU_IS_WINDOW (self), NULL);

  return self->session != NULL ? tau_agent_session_get_cwd (self->session) : NULL;
}

/**
 * tau_window_get_session:
 * @self: a window
 *
 * Returns: (transfer none) (nullable): the session shown
 */
TauAgentSession *
tau_window_get_session (TauWindow *self)
{
  g_return_val_if_fail (TAU_IS_WINDOW (self), NULL);

  return self->session;
}

void
tau_window_show_message (TauWindow  *self,
                         const char *message)
{
  show_toast (self, message);
}

void
tau_window_add_toast (TauWindow *self,
                      AdwToast  *toast)
{
  /* What was done in a thread may end after the window. */
  if (self->toasts != NULL)
    adw_toast_overlay_add_toast (self->toasts, toast);
  else
    g_object_unref (g_object_ref_sink (toast));
}

gboolean
tau_window_give_up_opening (TauWindow *self)
{
  if (!tau_opening_page_is_busy (self->opening_page))
    return FALSE;
  tau_opening_page_cancel (self->opening_page);
  show_something (self);
  return TRUE;
}

void
tau_window_start_session (TauWindow *self)
{
  g_autofree char *folder = g_strdup (tau_window_get_folder (self));

  if (folder != NULL)
    tau_window_open_folder (self, folder);
}

void
tau_window_toggle_sidebar (TauWindow *self)
{
  adw_flap_set_reveal_flap (self->sidebar_flap, !adw_flap_get_reveal_flap (self->sidebar_flap));
}

gboolean
tau_window_shows_panel (TauWindow *self)
{
  return adw_flap_get_reveal_flap (self->panel_flap);
}

void
tau_window_toggle_panel (TauWindow *self)
{
  adw_flap_set_reveal_flap (self->panel_flap, !adw_flap_get_reveal_flap (self->panel_flap));
}

void
tau_window_search_sessions (TauWindow *self)
{
  adw_flap_set_reveal_flap (self->sidebar_flap, TRUE);
  tau_session_panel_search (self->session_panel);
}

void
tau_window_choose_model (TauWindow *self)
{
  tau_composer_choose_model (self->composer);
}

void
tau_window_focus_composer (TauWindow *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->composer));
}

void
tau_window_set_all_expanded (TauWindow *self,
                             gboolean   expanded)
{
  tau_transcript_view_expand_all (self->transcript, expanded);
}

/**
 * tau_window_read:
 * @self: a window
 * @action: an action of the transcript
 *
 * Finds words, goes to a prompt, shows the outline.
 */
void
tau_window_read (TauWindow  *self,
                 const char *action)
{
  gtk_widget_activate_action (GTK_WIDGET (self->transcript), action, NULL);
}
