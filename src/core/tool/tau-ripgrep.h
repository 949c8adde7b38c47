/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * TauRipgrepLineFunc:
 * @line: one line of output, without its end
 * @length: bytes of @line
 * @user_data: what was given with the function
 *
 * Returns: whether more is wanted
 */
typedef gboolean (*TauRipgrepLineFunc) (const char *line, gsize length, gpointer user_data);

gboolean tau_ripgrep_run (const char * const  *arguments,
                          const char          *folder,
                          char                 separator,
                          TauRipgrepLineFunc   func,
                          gpointer             user_data,
                          GCancellable        *cancellable,
                          GError             **error);

G_END_DECLS
