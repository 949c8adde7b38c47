/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_INFO (tau_session_info_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionInfo, tau_session_info, TAU, SESSION_INFO, GObject)

/* Record: what the list of sessions shows of one file. */
const char *tau_session_info_get_path          (TauSessionInfo *self);
const char *tau_session_info_get_id            (TauSessionInfo *self);
const char *tau_session_info_get_cwd           (TauSessionInfo *self);   /* "" if the file does not say */
const char *tau_session_info_get_name          (TauSessionInfo *self);   /* nullable */
const char *tau_session_info_get_first_message (TauSessionInfo *self);   /* "" if there is none */
const char *tau_session_info_get_parent_path   (TauSessionInfo *self);   /* nullable */
gint64      tau_session_info_get_created       (TauSessionInfo *self);   /* ms since 1970 */
gint64      tau_session_info_get_modified      (TauSessionInfo *self);   /* ms since 1970 */
guint       tau_session_info_get_n_messages    (TauSessionInfo *self);
char       *tau_session_info_dup_title         (TauSessionInfo *self);   /* name, else first message on one line, else "New session" (translated) */

#define TAU_TYPE_SESSION_INDEX (tau_session_index_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionIndex, tau_session_index, TAU, SESSION_INDEX, GObject)

/* LIVE GListModel of TauSessionInfo, newest first: all sessions under <agent dir>/sessions (or in one folder). Read in a thread; kept
 * current by file monitors on the folders; unreadable files are left out. Property "loading" (bool). */
TauSessionIndex *tau_session_index_new      (const char *sessions_root);
void             tau_session_index_refresh  (TauSessionIndex *self);
gboolean         tau_session_index_is_loading (TauSessionIndex *self);
TauSessionInfo  *tau_session_index_find     (TauSessionIndex *self, const char *path);   /* borrowed, nullable */

/* For the command line: blocking, so not for a window. */
char            *tau_session_index_find_most_recent (const char *directory);   /* path for -c; nullable */
char            *tau_session_index_resolve  (const char *sessions_root, const char *directory, const char *text, GError **error);   /* --session: path or id prefix */

G_END_DECLS
