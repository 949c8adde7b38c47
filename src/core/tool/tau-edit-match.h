/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauEdit:
 * @old_text: what must be there once; UTF-8, may hold NULs
 * @old_length: bytes of @old_text
 * @new_text: what comes in its place
 * @new_length: bytes of @new_text
 *
 * One replacement.
 */
typedef struct
{
  const char *old_text;
  gsize old_length;
  const char *new_text;
  gsize new_length;
} TauEdit;

/**
 * TauEditHunk:
 * @start: where bytes go, in the file
 * @end: the first byte behind them
 * @bytes: what comes in their place
 *
 * Bytes that change.
 */
typedef struct
{
  gsize start;
  gsize end;
  GString *bytes;
} TauEditHunk;

/**
 * TauEditResult:
 * @hunks: of #TauEditHunk, in the order of the file; all else stays
 * @text_start: where the file's text begins, behind a byte order mark
 * @encoding: of the file
 * @inexact: whether a match was found by simplified text
 *
 * What edits make of a file. A plain struct: free with tau_edit_result_free().
 */
typedef struct
{
  GArray *hunks;
  gsize text_start;
  const char *encoding;
  gboolean inexact;
} TauEditResult;

TauEditResult *tau_edit_apply       (const char     *name,
                                     const char     *bytes,
                                     gsize           length,
                                     const TauEdit  *edits,
                                     guint           n_edits,
                                     GError        **error);
void           tau_edit_result_free (TauEditResult  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauEditResult, tau_edit_result_free)

G_END_DECLS
