/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-edit-text.h"

#include <string.h>

/* Lines are decoded, and their endings unified, one by one: no encoding that is edited carries a state over a line's
 * end. So a stretch of whole lines can be looked at alone, and a large file piece by piece. Pure. */

/* Whether the bytes are the text. A few bytes of another encoding may well look like UTF-8, but not ASCII. */
static gboolean
is_plain (const char *bytes,
          gsize       length,
          const char *encoding)
{
  if (g_str_equal (encoding, "UTF-8"))
    return g_utf8_validate_len (bytes, length, NULL);
  for (gsize i = 0; i < length; i++)
    if ((guint8) bytes[i] >= 0x80)
      return FALSE;
  return TRUE;
}

/**
 * tau_edit_text_init:
 * @self: a text
 * @bytes: the whole file; must outlive @self
 * @start: where the stretch begins: at a line's beginning, or between characters
 * @end: where it ends, not between CR and LF
 * @encoding: of the file
 *
 * Makes the text of a stretch. Where the bytes are what the model sees they are not copied.
 */
void
tau_edit_text_init (TauEditText *self,
                    const char  *bytes,
                    gsize        start,
                    gsize        end,
                    const char  *encoding)
{
  *self = (TauEditText) { .start = start, .end = end, .text = bytes + start, .length = end - start };

  if (!is_plain (self->text, self->length, encoding))
    {
      tau_mapped_text_init (&self->decoded);
      tau_mapped_text_decode (&self->decoded, self->text, self->length, encoding);
      self->text = self->decoded.text->str;
      self->length = self->decoded.text->len;
    }
  if (memchr (self->text, '\r', self->length) != NULL)
    {
      tau_mapped_text_init (&self->lines);
      tau_mapped_text_unify_endings (&self->lines, self->text, self->length);
      self->text = self->lines.text->str;
      self->length = self->lines.text->len;
    }
}

/**
 * tau_edit_text_clear:
 * @self: a text
 *
 * Frees what it holds.
 */
void
tau_edit_text_clear (TauEditText *self)
{
  tau_mapped_text_clear (&self->decoded);
  tau_mapped_text_clear (&self->lines);
}

/**
 * tau_edit_text_start_at:
 * @self: a text
 * @position: where a character begins in it
 *
 * Returns: where that is in the file
 */
gsize
tau_edit_text_start_at (const TauEditText *self,
                        gsize              position)
{
  if (position >= self->length)
    return self->end;
  if (self->lines.text != NULL)
    tau_mapped_text_find_start (&self->lines, position, &position);
  if (self->decoded.text != NULL)
    tau_mapped_text_find_start (&self->decoded, position, &position);
  return self->start + position;
}

/**
 * tau_edit_text_end_at:
 * @self: a text
 * @position: where a character ends in it
 *
 * Returns: where that is in the file
 */
gsize
tau_edit_text_end_at (const TauEditText *self,
                      gsize              position)
{
  if (position == 0)
    return self->start;
  if (self->lines.text != NULL)
    tau_mapped_text_find_end (&self->lines, position, &position);
  if (self->decoded.text != NULL)
    tau_mapped_text_find_end (&self->decoded, position, &position);
  return self->start + position;
}
