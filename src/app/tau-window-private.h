/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/tau-window.h"
#include "core/session/tau-session-export.h"

G_BEGIN_DECLS

/* For the files that hold the window's actions. */
void tau_window_install_actions  (GtkWidgetClass *widget_class);
void tau_window_install_session_actions (GtkWidgetClass *widget_class);
void tau_window_install_file_actions (GtkWidgetClass *widget_class);
void tau_window_export_to        (TauWindow *self, const char *path, TauExportFormat format, const char *output);
void tau_window_import           (TauWindow *self, const char *source);
void tau_window_set_moved_folder (TauWindow *self, const char *cwd, const char *folder);
void tau_window_note_project     (TauWindow *self);
void tau_window_rename_session   (TauWindow *self, const char *path);
void tau_window_watch_survivors  (TauWindow *self);
gboolean tau_window_give_up_opening (TauWindow *self);   /* whether something was opening */
gboolean tau_window_shows_panel  (TauWindow *self);
void tau_window_add_toast        (TauWindow *self, AdwToast *toast);
void tau_window_show_message     (TauWindow *self, const char *message);
void tau_window_start_session    (TauWindow *self);
void tau_window_toggle_sidebar   (TauWindow *self);
void tau_window_toggle_panel     (TauWindow *self);
void tau_window_search_sessions  (TauWindow *self);
void tau_window_choose_model     (TauWindow *self);
void tau_window_focus_composer   (TauWindow *self);
void tau_window_read             (TauWindow *self, const char *action);
void tau_window_set_all_expanded (TauWindow *self, gboolean expanded);

G_END_DECLS
