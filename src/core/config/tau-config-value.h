/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean tau_config_value_is_command     (const char *value);
char    *tau_config_value_read           (const char *value);   /* transfer full: variable or literal; not for commands */
void     tau_config_value_resolve_async  (const char *value, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
char    *tau_config_value_resolve_finish (GAsyncResult *result, GError **error);

G_END_DECLS
