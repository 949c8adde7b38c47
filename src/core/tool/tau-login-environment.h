/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef void (*TauLoginEnvironmentFunc) (gpointer user_data);

void      tau_login_environment_read       (void);
gboolean  tau_login_environment_is_settled (void);
void      tau_login_environment_wait       (TauLoginEnvironmentFunc func, gpointer user_data);
char    **tau_login_environment_apply      (char **environment);
char     *tau_login_environment_dup_report (void);

G_END_DECLS
