/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char *tau_session_import        (const char *source, const char *sessions_root, GError **error);   /* blocking; path of the copy */
void  tau_session_import_async  (const char *source, const char *sessions_root, GAsyncReadyCallback callback, gpointer user_data);
char *tau_session_import_finish (GAsyncResult *result, GError **error);

G_END_DECLS
