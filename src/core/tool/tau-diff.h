/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauDiffRegion:
 * @before: old lines
 * @before_length: bytes of @before
 * @after: new lines
 * @after_length: bytes of @after
 * @before_line: how many lines lie before them in the old text
 * @after_line: how many lines lie before them in the new text
 *
 * Whole lines of two texts. What lies between regions is the same in both, and at least as much as is shown around a
 * change.
 */
typedef struct
{
  const char *before;
  gsize before_length;
  const char *after;
  gsize after_length;
  gint64 before_line;
  gint64 after_line;
} TauDiffRegion;

GString *tau_diff_regions (const TauDiffRegion *regions,
                           guint                n_regions,
                           gint64               n_lines,
                           gint64              *first_changed_line);
GString *tau_diff_text (const char *before,
                        gsize       before_length,
                        const char *after,
                        gsize       after_length,
                        gint64     *first_changed_line);

G_END_DECLS
