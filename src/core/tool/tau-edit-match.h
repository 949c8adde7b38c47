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
 * TauEditResult:
 * @bytes: the new content of the file
 * @before: the old text, with LF, without byte order mark
 * @after: the new text, with LF, without byte order mark
 * @inexact: whether a match was found by simplified text
 *
 * What edits made of a file. A plain struct: free with tau_edit_result_free().
 */
typedef struct
{
  GString *bytes;
  GString *before;
  GString *after;
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
