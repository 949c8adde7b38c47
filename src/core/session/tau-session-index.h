/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-info.h"

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_INDEX (tau_session_index_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionIndex, tau_session_index, TAU, SESSION_INDEX, GObject)

/* LIVE GListModel of TauSessionInfo, newest first: the sessions of all folders under <agent dir>/sessions. Read in a thread; kept
 * current by file monitors on the folders; unreadable files are left out. Property "loading" (bool). */
TauSessionIndex *tau_session_index_new        (const char *sessions_root);
void             tau_session_index_refresh    (TauSessionIndex *self);
gboolean         tau_session_index_is_loading (TauSessionIndex *self);
TauSessionInfo  *tau_session_index_find       (TauSessionIndex *self, const char *path);   /* borrowed, nullable */
void             tau_session_index_search_async  (TauSessionIndex *self, const char *text, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray       *tau_session_index_search_finish (TauSessionIndex *self, GAsyncResult *result, GError **error);   /* of TauSessionInfo, best first */

/* For the command line: blocking, so not for a window. */
char            *tau_session_index_find_most_recent (const char *directory);   /* path for -c; nullable */
char            *tau_session_index_resolve    (const char *sessions_root, const char *directory, const char *text, GError **error);   /* --session: path or id prefix */

G_END_DECLS
