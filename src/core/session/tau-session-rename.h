/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* For sessions that are not open; an open one has tau_agent_session_set_name(). */
gboolean tau_session_rename        (const char *path, const char *name, GError **error);   /* blocking */
void     tau_session_rename_async  (const char *path, const char *name, GAsyncReadyCallback callback, gpointer user_data);
gboolean tau_session_rename_finish (GAsyncResult *result, GError **error);

G_END_DECLS
