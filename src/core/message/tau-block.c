/* SPDX-License-Identifier: MIT */
#include "core/message/tau-block.h"

/* TauBlock: boxed record of one piece of a message's content. Made once, never changed, counted by atomic references.
 * One struct serves all four kinds; a getter that does not apply to the kind answers its empty value, so that callers
 * need no ladder of checks. */

struct _TauBlock
{
  gatomicrefcount ref_count;
  TauBlockKind    kind;
  gboolean        redacted;
  char           *text;      /* text, thinking */
  char           *signature; /* opaque, of whatever kind */
  char           *data;      /* image, base64 */
  char           *mime_type; /* image */
  char           *call_id;   /* tool call */
  char           *call_name; /* tool call */
  JsonNode       *arguments; /* tool call */
};

G_DEFINE_BOXED_TYPE (TauBlock, tau_block, tau_block_ref, tau_block_unref)

static TauBlock *
block_new (TauBlockKind kind)
{
  TauBlock *self = g_new0 (TauBlock, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = kind;

  return self;
}

/**
 * tau_block_new_text:
 * @text: the text
 * @signature: (nullable): opaque `textSignature` of the provider
 *
 * Returns: (transfer full): a text block
 */
TauBlock *
tau_block_new_text (const char *text,
                    const char *signature)
{
  TauBlock *self = block_new (TAU_BLOCK_TEXT);

  g_return_val_if_fail (text != NULL, self);

  self->text = g_strdup (text);
  self->signature = g_strdup (signature);

  return self;
}

/**
 * tau_block_new_thinking:
 * @thinking: the reasoning, or a placeholder if @redacted
 * @signature: (nullable): opaque `thinkingSignature` of the provider; "" is kept and differs from %NULL
 * @redacted: whether the provider hid the reasoning in @signature
 *
 * Returns: (transfer full): a thinking block
 */
TauBlock *
tau_block_new_thinking (const char *thinking,
                        const char *signature,
                        gboolean    redacted)
{
  TauBlock *self = block_new (TAU_BLOCK_THINKING);

  g_return_val_if_fail (thinking != NULL, self);

  self->text = g_strdup (thinking);
  self->signature = g_strdup (signature);
  self->redacted = !!redacted;

  return self;
}

/**
 * tau_block_new_image:
 * @data: base64, without a `data:` prefix
 * @mime_type: for instance "image/png"
 *
 * Returns: (transfer full): an image block
 */
TauBlock *
tau_block_new_image (const char *data,
                     const char *mime_type)
{
  TauBlock *self = block_new (TAU_BLOCK_IMAGE);

  g_return_val_if_fail (data != NULL && mime_type != NULL, self);

  self->data = g_strdup (data);
  self->mime_type = g_strdup (mime_type);

  return self;
}

static JsonNode *
empty_object (void)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, json_object_new ());

  return node;
}

/**
 * tau_block_new_tool_call:
 * @id: the provider's id of the call
 * @name: the tool that the model wants
 * @arguments: (nullable) (transfer none): what it passes; must not change afterwards. %NULL is an empty object
 * @thought_signature: (nullable): opaque `thoughtSignature` of the provider
 *
 * Returns: (transfer full): a tool call block
 */
TauBlock *
tau_block_new_tool_call (const char *id,
                         const char *name,
                         JsonNode   *arguments,
                         const char *thought_signature)
{
  TauBlock *self = block_new (TAU_BLOCK_TOOL_CALL);

  g_return_val_if_fail (id != NULL && name != NULL, self);

  self->call_id = g_strdup (id);
  self->call_name = g_strdup (name);
  self->arguments = arguments != NULL ? json_node_ref (arguments) : empty_object ();
  self->signature = g_strdup (thought_signature);

  return self;
}

/**
 * tau_block_ref:
 * @self: a block
 *
 * Returns: (transfer full): @self
 */
TauBlock *
tau_block_ref (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

/**
 * tau_block_unref:
 * @self: (transfer full): a block
 *
 * Drops a reference; the last one frees the block.
 */
void
tau_block_unref (TauBlock *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->text);
  g_free (self->signature);
  g_free (self->data);
  g_free (self->mime_type);
  g_free (self->call_id);
  g_free (self->call_name);
  g_clear_pointer (&self->arguments, json_node_unref);
  g_free (self);
}

/**
 * tau_block_get_kind:
 * @self: a block
 *
 * Returns: what @self is
 */
TauBlockKind
tau_block_get_kind (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, TAU_BLOCK_TEXT);

  return self->kind;
}

/**
 * tau_block_get_text:
 * @self: a block
 *
 * Returns: the text of a text or thinking block; "" for the others
 */
const char *
tau_block_get_text (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, "");

  return self->text != NULL ? self->text : "";
}

/**
 * tau_block_get_signature:
 * @self: a block
 *
 * Returns: (nullable): what the provider wants back with the block, unchanged
 */
const char *
tau_block_get_signature (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->signature;
}

/**
 * tau_block_is_redacted:
 * @self: a block
 *
 * Returns: whether @self is thinking whose text the provider hid
 */
gboolean
tau_block_is_redacted (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->redacted;
}

/**
 * tau_block_get_data:
 * @self: a block
 *
 * Returns: (nullable): base64 of an image block
 */
const char *
tau_block_get_data (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->data;
}

/**
 * tau_block_get_mime_type:
 * @self: a block
 *
 * Returns: (nullable): media type of an image block
 */
const char *
tau_block_get_mime_type (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->mime_type;
}

/**
 * tau_block_get_call_id:
 * @self: a block
 *
 * Returns: (nullable): id of a tool call
 */
const char *
tau_block_get_call_id (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->call_id;
}

/**
 * tau_block_get_call_name:
 * @self: a block
 *
 * Returns: (nullable): name of the tool that a tool call wants
 */
const char *
tau_block_get_call_name (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->call_name;
}

/**
 * tau_block_get_arguments:
 * @self: a block
 *
 * A model may send something else than an object; callers must not rely on one.
 *
 * Returns: (nullable) (transfer none): arguments of a tool call, never %NULL there; must not be changed
 */
JsonNode *
tau_block_get_arguments (TauBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->arguments;
}
