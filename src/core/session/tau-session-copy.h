/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "core/session/tau-session-entry.h"

G_BEGIN_DECLS

gboolean tau_session_copy_write       (const char *path, TauSessionEntry *header, GPtrArray *entries, GError **error);   /* of TauSessionEntry */
char    *tau_session_copy_file        (const char *source, const char *folder, const char *cwd, GError **error);   /* transfer full: path of the copy */
void     tau_session_copy_file_async  (const char *source, const char *folder, const char *cwd, GAsyncReadyCallback callback, gpointer user_data);
char    *tau_session_copy_file_finish (GAsyncResult *result, GError **error);

G_END_DECLS
