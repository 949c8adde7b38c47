/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char  *tau_bash_shell_find            (const char  *setting,
                                       GError     **error);
char **tau_bash_shell_new_environment (void);

G_END_DECLS
