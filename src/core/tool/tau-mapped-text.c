/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-mapped-text.h"

#include "core/tool/tau-text-decoder.h"

#include <string.h>

/* A text in a form that is good to search in, with the way back to where it came from. Three such forms follow each
 * other when a file is edited: bytes → text, text → text with LF, that → text without the differences that models
 * get wrong (see tau_mapped_text_simplify()). The map is a list of pieces: long ones that are the same on both sides,
 * and short ones that were changed and are found as a whole or not at all. Pure. */

typedef struct
{
  gsize at; /* in the text */
  gsize length;
  gsize from; /* in the source */
  gsize from_length;
  gboolean same;
} Piece;

/**
 * tau_mapped_text_init:
 * @self: a text
 *
 * Makes it empty.
 */
void
tau_mapped_text_init (TauMappedText *self)
{
  self->text = g_string_new (NULL);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
}

/**
 * tau_mapped_text_clear:
 * @self: a text
 *
 * Frees what it holds.
 */
void
tau_mapped_text_clear (TauMappedText *self)
{
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_clear_pointer (&self->pieces, g_array_unref);
  self->text = NULL;
}

/**
 * tau_mapped_text_append_same:
 * @self: a text
 * @text: what stands in the source at @from
 * @length: bytes of @text
 * @from: position in the source
 *
 * Takes over a part of the source.
 */
void
tau_mapped_text_append_same (TauMappedText *self,
                             const char    *text,
                             gsize          length,
                             gsize          from)
{
  Piece piece = { self->text->len, length, from, length, TRUE };

  if (length == 0)
    return;
  g_string_append_len (self->text, text, length);
  if (self->pieces->len > 0)
    {
      Piece *last = &g_array_index (self->pieces, Piece, self->pieces->len - 1);

      if (last->same && last->from + last->length == from)
        {
          last->length += length;
          last->from_length += length;
          return;
        }
    }
  g_array_append_val (self->pieces, piece);
}

/**
 * tau_mapped_text_append_changed:
 * @self: a text
 * @text: what is to stand instead
 * @length: bytes of @text, not 0
 * @from: position in the source
 * @from_length: bytes in the source
 *
 * Puts something else in the place of a part of the source.
 */
void
tau_mapped_text_append_changed (TauMappedText *self,
                                const char    *text,
                                gsize          length,
                                gsize          from,
                                gsize          from_length)
{
  Piece piece = { self->text->len, length, from, from_length, FALSE };

  g_string_append_len (self->text, text, length);
  g_array_append_val (self->pieces, piece);
}

/* The piece that the byte at @position is in. */
static const Piece *
find_piece (const TauMappedText *self,
            gsize                position)
{
  guint low = 0, high = self->pieces->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->pieces, Piece, middle).at <= position)
        low = middle;
      else
        high = middle;
    }
  return &g_array_index (self->pieces, Piece, low);
}

/**
 * tau_mapped_text_find_start:
 * @self: a text
 * @position: where something begins, before the end of the text
 * @from: (out): where that is in the source
 *
 * Returns: whether there is such a place; there is none within what was changed as a whole
 */
gboolean
tau_mapped_text_find_start (const TauMappedText *self,
                            gsize                position,
                            gsize               *from)
{
  const Piece *piece = find_piece (self, position);

  *from = piece->from + (piece->same ? position - piece->at : 0);
  return piece->same || position == piece->at;
}

/**
 * tau_mapped_text_find_end:
 * @self: a text
 * @position: behind the last byte of something, not 0
 * @from: (out): where that is in the source
 *
 * Returns: whether there is such a place
 */
gboolean
tau_mapped_text_find_end (const TauMappedText *self,
                          gsize                position,
                          gsize               *from)
{
  const Piece *piece = find_piece (self, position - 1);

  *from = piece->from + (piece->same ? position - piece->at : piece->from_length);
  return piece->same || position == piece->at + piece->length;
}

/**
 * tau_mapped_text_decode:
 * @self: an empty text
 * @bytes: a file
 * @length: bytes of @bytes
 * @encoding: its encoding
 *
 * Decodes a file, character by character. What cannot be decoded becomes U+FFFD.
 */
void
tau_mapped_text_decode (TauMappedText *self,
                        const char    *bytes,
                        gsize          length,
                        const char    *encoding)
{
  g_autoptr(TauTextDecoder) decoder = tau_text_decoder_new (encoding);
  g_autoptr(GString) character = g_string_new (NULL);
  gsize start = 0;

  for (gsize i = 0; i <= length; i++)
    {
      gsize end = i + 1;

      if (i < length)
        tau_text_decoder_push (decoder, bytes + i, 1, character);
      else
        tau_text_decoder_finish (decoder, character);
      if (character->len == 0)
        continue;

      end = MIN (end, length);
      if (character->len == end - start && memcmp (character->str, bytes + start, end - start) == 0)
        tau_mapped_text_append_same (self, character->str, character->len, start);
      else
        tau_mapped_text_append_changed (self, character->str, character->len, start, end - start);
      g_string_truncate (character, 0);
      start = end;
    }
}

/**
 * tau_mapped_text_unify_endings:
 * @self: an empty text
 * @text: a text
 * @length: bytes of @text
 *
 * Takes over a text with CRLF and lone CR as LF.
 */
void
tau_mapped_text_unify_endings (TauMappedText *self,
                               const char    *text,
                               gsize          length)
{
  gsize position = 0;

  while (position < length)
    {
      const char *cr = memchr (text + position, '\r', length - position);
      gsize n = (cr != NULL ? (gsize) (cr - text) : length) - position;
      gsize ending;

      tau_mapped_text_append_same (self, text + position, n, position);
      position += n;
      if (cr == NULL)
        return;

      ending = position + 1 < length && text[position + 1] == '\n' ? 2 : 1;
      tau_mapped_text_append_changed (self, "\n", 1, position, ending);
      position += ending;
    }
}

/**
 * tau_mapped_text_is_blank:
 * @c: a character
 *
 * Returns: whether the end of a line loses it: blanks of every kind, as JavaScript has them
 */
gboolean
tau_mapped_text_is_blank (gunichar c)
{
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xfeff || c == 0x2028 || c == 0x2029
         || (c > 0x7f && g_unichar_type (c) == G_UNICODE_SPACE_SEPARATOR);
}

/* Whether @c may become one character with the one before it. */
static gboolean
joins_previous (gunichar c)
{
  return c >= 0x300
         && (g_unichar_ismark (c) || g_unichar_combining_class (c) != 0 || (c >= 0x1160 && c <= 0x11ff) || c == 0xff9e || c == 0xff9f);
}

/* The plain form of what models write in many ways. */
static gunichar
plain_form (gunichar c)
{
  if (c >= 0x2018 && c <= 0x201b)
    return '\'';
  if (c >= 0x201c && c <= 0x201f)
    return '"';
  if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212)
    return '-';
  if (c == 0xa0 || (c >= 0x2002 && c <= 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000)
    return ' ';
  return c;
}

/* One character with its marks: normal form NFKC, then the plain forms. */
static void
simplify_cluster (TauMappedText *self,
                  const char    *text,
                  gsize          length,
                  gsize          from)
{
  g_autofree char *normal = g_utf8_normalize (text, length, G_NORMALIZE_ALL_COMPOSE);
  g_autoptr(GString) plain = g_string_sized_new (length);

  for (const char *p = normal; p != NULL && *p != '\0'; p = g_utf8_next_char (p))
    g_string_append_unichar (plain, plain_form (g_utf8_get_char (p)));
  if (plain->len == 0 || (plain->len == length && memcmp (plain->str, text, length) == 0))
    tau_mapped_text_append_same (self, text, length, from);
  else
    tau_mapped_text_append_changed (self, plain->str, plain->len, from, length);
}

static void
simplify_line (TauMappedText *self,
               const char    *text,
               gsize          start,
               gsize          end)
{
  const char *p = text + start, *stop = text + end;

  while (p < stop)
    {
      const char *next = p;

      /* ASCII is its own form, unless a mark follows. */
      while (next < stop && (guint8) *next < 0x80)
        next++;
      if (next > p && (next == stop || !joins_previous (g_utf8_get_char (next))))
        {
          tau_mapped_text_append_same (self, p, next - p, p - text);
          p = next;
          continue;
        }
      if (next > p + 1)
        {
          tau_mapped_text_append_same (self, p, next - 1 - p, p - text);
          p = next - 1;
        }

      next = g_utf8_next_char (p);
      while (next < stop && joins_previous (g_utf8_get_char (next)))
        next = g_utf8_next_char (next);
      simplify_cluster (self, p, next - p, p - text);
      p = next;
    }
}

/**
 * tau_mapped_text_simplify:
 * @self: an empty text
 * @text: valid UTF-8 with LF
 * @length: bytes of @text
 *
 * Takes over a text in the form in which inexact matches are looked for: NFKC, without blanks at the ends of lines,
 * quotes, dashes and spaces in their ASCII form. The lists are pi's.
 */
void
tau_mapped_text_simplify (TauMappedText *self,
                          const char    *text,
                          gsize          length)
{
  gsize start = 0;

  while (start < length)
    {
      const char *newline = memchr (text + start, '\n', length - start);
      gsize stop = newline != NULL ? (gsize) (newline - text) : length;
      gsize end = stop;

      while (end > start)
        {
          const char *previous = g_utf8_prev_char (text + end);

          if (!tau_mapped_text_is_blank (g_utf8_get_char (previous)))
            break;
          end = previous - text;
        }
      simplify_line (self, text, start, end);
      if (newline != NULL)
        tau_mapped_text_append_same (self, "\n", 1, stop);
      start = stop + 1;
    }
}
