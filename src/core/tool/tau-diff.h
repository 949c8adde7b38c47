/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

GString *tau_diff_text (const char *before,
                        gsize       before_length,
                        const char *after,
                        gsize       after_length,
                        gint64     *first_changed_line);

G_END_DECLS
