/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

const char *tau_file_error_get_code (int          error_number);
void        tau_file_error_set      (GError     **error,
                                     int          error_number,
                                     const char  *operation,
                                     const char  *path);

G_END_DECLS
