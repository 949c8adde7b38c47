/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-mapped-text.h"

G_BEGIN_DECLS

/**
 * TauEditText:
 * @start: where it begins in the file
 * @end: where it ends in the file
 * @text: the text, with LF; not terminated
 * @length: bytes of @text
 * @decoded: bytes → text; unused for sound UTF-8
 * @lines: text → text with LF; unused if there is no CR
 *
 * A stretch of a file as the model sees it, and the way back to the bytes. Plain struct. Borrows the file's bytes.
 */
typedef struct
{
  gsize start;
  gsize end;
  const char *text;
  gsize length;
  TauMappedText decoded;
  TauMappedText lines;
} TauEditText;

void  tau_edit_text_init     (TauEditText       *self,
                              const char        *bytes,
                              gsize              start,
                              gsize              end,
                              const char        *encoding);
void  tau_edit_text_clear    (TauEditText       *self);
gsize tau_edit_text_start_at (const TauEditText *self,
                              gsize              position);
gsize tau_edit_text_end_at   (const TauEditText *self,
                              gsize              position);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TauEditText, tau_edit_text_clear)

G_END_DECLS
