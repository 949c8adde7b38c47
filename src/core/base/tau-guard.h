/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int   tau_guard_get_socket   (void);
void  tau_guard_register     (int socket);
char *tau_guard_find_program (void);

G_END_DECLS
