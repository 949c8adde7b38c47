/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauDiffLines:
 * @text: the lines, numbers first
 * @tints: a character a line: + or - or a space
 * @changes: (element-type TauCodeRange): words of @text that changed within a line
 *
 * A diff made ready to be shown. All three belong to the caller of [method@DiffLines.parse].
 */
typedef struct
{
  char   *text;
  char   *tints;
  GArray *changes;
} TauDiffLines;

void tau_diff_lines_parse (TauDiffLines *self, const char *diff, gboolean numbered);

G_END_DECLS
