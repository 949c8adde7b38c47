/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

const char *tau_md_source_skip_prefix       (const char *line, const char *end);
gsize       tau_md_source_fence_length      (const char *line, const char *end, char fence);
gboolean    tau_md_source_has_closing_fence (const char *text, gsize length, char fence, const char *code, gsize code_length);
char       *tau_md_source_widen_delimiters  (const char *text, gsize length);

G_END_DECLS
