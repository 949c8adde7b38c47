/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean tau_io_write_atomic (const char *path, const void *data, gsize length, int mode_if_new, GError **error);

G_END_DECLS
