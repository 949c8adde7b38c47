/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char *tau_project_identity_read        (const char *folder);   /* blocking; nullable */
void  tau_project_identity_read_async  (const char *folder, GAsyncReadyCallback callback, gpointer user_data);
char *tau_project_identity_read_finish (GAsyncResult *result);   /* nullable */

G_END_DECLS
