/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char    *tau_paths_agent_dir        (void);
char    *tau_paths_cache_dir        (void);
char    *tau_paths_data_dir         (void);
char    *tau_paths_state_dir        (void);

char    *tau_paths_expand_home      (const char *path);
char    *tau_paths_normalize        (const char *cwd, const char *path);
char    *tau_paths_resolve          (const char *cwd, const char *path);
char    *tau_paths_resolve_existing (const char *cwd, const char *path);
gboolean tau_paths_is_inside        (const char *dir, const char *path);
char    *tau_paths_shorten          (const char *path);

G_END_DECLS
