/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean tau_file_arguments_read  (const char * const *files, const char *cwd, gboolean resize_images,
                                   GString *text, GPtrArray *images, GError **error);
char    *tau_file_arguments_stdin (void);   /* transfer full: standard input, trimmed; "" for a terminal */

G_END_DECLS
