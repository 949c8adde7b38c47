/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_INFO (tau_session_info_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionInfo, tau_session_info, TAU, SESSION_INFO, GObject)

/* Gets a piece of what was said in a session: valid UTF-8. */
typedef void (*TauSessionTextFunc) (const char *text, gpointer user_data);

/* Record: what the list of sessions shows of one file. Made in a thread, read anywhere. */
TauSessionInfo *tau_session_info_read              (const char *path);   /* NULL if it is no session file */
TauSessionInfo *tau_session_info_read_header       (const char *path);   /* id and folder only */
TauSessionInfo *tau_session_info_read_more         (const char *path, TauSessionInfo *before, gboolean *from_start, TauSessionTextFunc func, gpointer user_data, GCancellable *cancellable);
const char     *tau_session_info_get_path          (TauSessionInfo *self);
const char     *tau_session_info_get_id            (TauSessionInfo *self);
const char     *tau_session_info_get_cwd           (TauSessionInfo *self);   /* "" if the file does not say */
const char     *tau_session_info_get_name          (TauSessionInfo *self);   /* nullable */
const char     *tau_session_info_get_first_message (TauSessionInfo *self);   /* "" if there is none */
const char     *tau_session_info_get_parent_path   (TauSessionInfo *self);   /* nullable */
gint64          tau_session_info_get_created       (TauSessionInfo *self);   /* ms since 1970 */
gint64          tau_session_info_get_modified      (TauSessionInfo *self);   /* ms since 1970 */
guint           tau_session_info_get_n_messages    (TauSessionInfo *self);
gint64          tau_session_info_get_number        (TauSessionInfo *self);   /* in the database */
gboolean        tau_session_info_is_current        (TauSessionInfo *self);   /* the file has not changed since it was read */
char           *tau_session_info_dup_title         (TauSessionInfo *self);
const char     *tau_session_info_get_search_title  (TauSessionInfo *self);   /* casefolded, normalised */

G_END_DECLS
