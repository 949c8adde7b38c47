/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_TRASH (tau_session_trash_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionTrash, tau_session_trash, TAU, SESSION_TRASH, GObject)

/* Record: a session file that was deleted and can come back. */
TauSessionTrash *tau_session_trash_put            (const char *path, GError **error);   /* blocking */
gboolean         tau_session_trash_restore        (TauSessionTrash *self, GError **error);   /* blocking */
const char      *tau_session_trash_get_path       (TauSessionTrash *self);   /* where it was */
void             tau_session_trash_put_async      (const char *path, GAsyncReadyCallback callback, gpointer user_data);
TauSessionTrash *tau_session_trash_put_finish     (GAsyncResult *result, GError **error);
void             tau_session_trash_restore_async  (TauSessionTrash *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean         tau_session_trash_restore_finish (TauSessionTrash *self, GAsyncResult *result, GError **error);

G_END_DECLS
