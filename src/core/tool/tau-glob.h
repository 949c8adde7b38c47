/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

GRegex *tau_glob_compile (const char  *pattern,
                          GError     **error);

G_END_DECLS
