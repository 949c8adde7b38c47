/* SPDX-License-Identifier: MIT */
#include "core/message/tau-draft-block.h"

#include "core/base/tau-json.h"

#include <string.h>

/* A server that counts UTF-16 units may end one delta with the high half of a surrogate pair and begin the next with
 * the low half. Each half came out of the JSON parser as three bytes (ED A0…AF xx, ED B0…BF xx); together they are one
 * character of four. */
static gboolean
joins_surrogates (const GString *text,
                  const char    *more,
                  gsize          length)
{
  const guchar *high;
  const guchar *low = (const guchar *) more;

  if (text->len < 3 || length < 3)
    return FALSE;

  high = (const guchar *) text->str + text->len - 3;

  return high[0] == 0xED && (high[1] & 0xF0) == 0xA0 && low[0] == 0xED && (low[1] & 0xF0) == 0xB0;
}

static gunichar
surrogate_of (const char *text)
{
  const guchar *bytes = (const guchar *) text;

  return ((bytes[0] & 0x0Fu) << 12) | ((bytes[1] & 0x3Fu) << 6) | (bytes[2] & 0x3Fu);
}

static void
append (GString    *text,
        const char *more,
        gssize      length)
{
  gsize size = length < 0 ? strlen (more) : (gsize) length;

  if (joins_surrogates (text, more, size))
    {
      gunichar high = surrogate_of (text->str + text->len - 3);
      gunichar low = surrogate_of (more);

      g_string_truncate (text, text->len - 3);
      g_string_append_unichar (text, 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
      more += 3;
      size -= 3;
    }

  g_string_append_len (text, more, (gssize) size);
}

/**
 * tau_draft_block_new:
 * @kind: text, thinking or tool call
 *
 * Returns: (transfer full): an empty, open block
 */
TauDraftBlock *
tau_draft_block_new (TauBlockKind kind)
{
  TauDraftBlock *self = g_new0 (TauDraftBlock, 1);

  self->kind = kind;
  self->open = TRUE;
  self->text = g_string_new (NULL);

  return self;
}

/**
 * tau_draft_block_free:
 * @self: (transfer full): a block
 *
 * Frees @self.
 */
void
tau_draft_block_free (TauDraftBlock *self)
{
  g_string_free (self->text, TRUE);
  if (self->signature != NULL)
    g_string_free (self->signature, TRUE);
  g_free (self->call_id);
  g_free (self->call_name);
  g_free (self);
}

/**
 * tau_draft_block_append_text:
 * @self: a block
 * @text: what came
 * @length: bytes of @text, or -1
 *
 * Appends to the text or to the JSON of arguments; halves of a surrogate pair that meet become one character.
 */
void
tau_draft_block_append_text (TauDraftBlock *self,
                             const char    *text,
                             gssize         length)
{
  append (self->text, text, length);
}

/**
 * tau_draft_block_set_text:
 * @self: a block
 * @text: the whole text
 * @length: bytes of @text, or -1
 *
 * Replaces the text or the JSON of arguments.
 */
void
tau_draft_block_set_text (TauDraftBlock *self,
                          const char    *text,
                          gssize         length)
{
  g_string_truncate (self->text, 0);
  append (self->text, text, length);
}

/**
 * tau_draft_block_append_signature:
 * @self: a block
 * @text: what came
 * @length: bytes of @text, or -1
 *
 * Appends to the signature, which exists from then on even if "".
 */
void
tau_draft_block_append_signature (TauDraftBlock *self,
                                  const char    *text,
                                  gssize         length)
{
  if (self->signature == NULL)
    self->signature = g_string_new (NULL);

  append (self->signature, text, length);
}

/**
 * tau_draft_block_set_signature:
 * @self: a block
 * @text: the whole signature
 * @length: bytes of @text, or -1
 *
 * Replaces the signature.
 */
void
tau_draft_block_set_signature (TauDraftBlock *self,
                               const char    *text,
                               gssize         length)
{
  if (self->signature != NULL)
    g_string_truncate (self->signature, 0);

  tau_draft_block_append_signature (self, text, length);
}

static void
replace_string (char      **string,
                const char *value)
{
  g_autofree char *old = *string;

  *string = g_strdup (value);
}

/**
 * tau_draft_block_set_call:
 * @self: a tool call
 * @id: (nullable): its id; %NULL keeps
 * @name: (nullable): its name; %NULL keeps
 *
 * Some servers tell the name after the start of the call.
 */
void
tau_draft_block_set_call (TauDraftBlock *self,
                          const char    *id,
                          const char    *name)
{
  if (id != NULL)
    replace_string (&self->call_id, id);
  if (name != NULL)
    replace_string (&self->call_name, name);
}

/**
 * tau_draft_block_dup_arguments:
 * @self: a block
 *
 * Parses what there is of the arguments; what is not complete yet is closed or left out.
 *
 * Returns: (transfer full): the arguments so far, an empty object if nothing can be read
 */
JsonNode *
tau_draft_block_dup_arguments (TauDraftBlock *self)
{
  return tau_json_parse_partial (self->text->str, (gssize) self->text->len);
}

/**
 * tau_draft_block_to_block:
 * @self: a block
 *
 * Returns: (transfer full): a record of @self as it is now
 */
TauBlock *
tau_draft_block_to_block (TauDraftBlock *self)
{
  const char *signature = self->signature != NULL ? self->signature->str : NULL;
  g_autoptr(JsonNode) arguments = NULL;

  switch (self->kind)
    {
    case TAU_BLOCK_TEXT:
      return tau_block_new_text (self->text->str, signature);

    case TAU_BLOCK_THINKING:
      return tau_block_new_thinking (self->text->str, signature, self->redacted);

    case TAU_BLOCK_TOOL_CALL:
      arguments = tau_draft_block_dup_arguments (self);
      return tau_block_new_tool_call (self->call_id, self->call_name, arguments, signature);

    case TAU_BLOCK_IMAGE:
    default:
      g_return_val_if_reached (NULL);
    }
}
