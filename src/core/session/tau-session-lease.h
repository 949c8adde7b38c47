/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean tau_session_lease_take       (int fd, const char *path, GError **error);   /* TAU_SESSION_ERROR_LOCKED */
char    *tau_session_lease_dup_holder (int fd);

G_END_DECLS
