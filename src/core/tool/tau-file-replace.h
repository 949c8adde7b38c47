/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean tau_file_replace (const char  *path,
                           const void  *data,
                           gsize        length,
                           GError     **error);

G_END_DECLS
