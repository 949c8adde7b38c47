/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * TauBlockKind:
 * @TAU_BLOCK_TEXT: plain or markdown text
 * @TAU_BLOCK_THINKING: the model's reasoning; may be redacted
 * @TAU_BLOCK_IMAGE: a picture, base64 without a `data:` prefix
 * @TAU_BLOCK_TOOL_CALL: the model asks for a tool
 *
 * What a content block is. The same four kinds stand in session files.
 */
typedef enum
{
  TAU_BLOCK_TEXT,
  TAU_BLOCK_THINKING,
  TAU_BLOCK_IMAGE,
  TAU_BLOCK_TOOL_CALL,
} TauBlockKind;

#define TAU_TYPE_BLOCK (tau_block_get_type ())

/* Record: made once, never changed, shared by reference; any thread may read it. */
typedef struct _TauBlock TauBlock;

GType        tau_block_get_type              (void) G_GNUC_CONST;
TauBlock    *tau_block_new_text              (const char *text, const char *signature);
TauBlock    *tau_block_new_thinking          (const char *thinking, const char *signature, gboolean redacted);
TauBlock    *tau_block_new_image             (const char *data, const char *mime_type);
TauBlock    *tau_block_new_tool_call         (const char *id, const char *name, JsonNode *arguments, const char *thought_signature);
TauBlock    *tau_block_ref                   (TauBlock *self);
void         tau_block_unref                 (TauBlock *self);

TauBlockKind tau_block_get_kind              (TauBlock *self);
const char  *tau_block_get_text              (TauBlock *self);   /* text and thinking; "" for the others */
const char  *tau_block_get_signature         (TauBlock *self);   /* textSignature, thinkingSignature or thoughtSignature; nullable */
gboolean     tau_block_is_redacted           (TauBlock *self);
const char  *tau_block_get_data              (TauBlock *self);   /* image: base64; nullable */
const char  *tau_block_get_mime_type         (TauBlock *self);   /* image; nullable */
const char  *tau_block_get_call_id           (TauBlock *self);   /* tool call; nullable */
const char  *tau_block_get_call_name         (TauBlock *self);   /* tool call; nullable */
JsonNode    *tau_block_get_arguments         (TauBlock *self);   /* tool call: borrowed, never NULL there; may be a non-object if the model sent one */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauBlock, tau_block_unref)

G_END_DECLS
