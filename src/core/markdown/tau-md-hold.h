/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gsize tau_md_hold_visible_length (const char *text, gsize length, gsize start, char fence);

G_END_DECLS
