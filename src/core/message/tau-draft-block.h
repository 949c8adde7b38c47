/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-block.h"

G_BEGIN_DECLS

/**
 * TauDraftBlock:
 * @kind: text, thinking or tool call
 * @open: whether more may come
 * @redacted: whether thinking is hidden
 * @text: text, thinking, or the JSON of arguments, so far
 * @signature: (nullable): opaque signature so far
 * @call_id: (nullable): tool call
 * @call_name: (nullable): tool call
 *
 * One block of a #TauDraft while it grows; owned by it and used by nobody else.
 */
typedef struct
{
  TauBlockKind kind;
  gboolean     open;
  gboolean     redacted;
  GString     *text;
  GString     *signature;
  char        *call_id;
  char        *call_name;
} TauDraftBlock;

TauDraftBlock *tau_draft_block_new              (TauBlockKind kind);
void           tau_draft_block_free             (TauDraftBlock *self);
void           tau_draft_block_append_text      (TauDraftBlock *self, const char *text, gssize length);
void           tau_draft_block_set_text         (TauDraftBlock *self, const char *text, gssize length);
void           tau_draft_block_append_signature (TauDraftBlock *self, const char *text, gssize length);
void           tau_draft_block_set_signature    (TauDraftBlock *self, const char *text, gssize length);
void           tau_draft_block_set_call         (TauDraftBlock *self, const char *id, const char *name);   /* NULL keeps */
JsonNode      *tau_draft_block_dup_arguments    (TauDraftBlock *self);   /* transfer full */
TauBlock      *tau_draft_block_to_block         (TauDraftBlock *self);   /* transfer full */

G_END_DECLS
