/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-text-decoder.h"

#include <errno.h>
#include <string.h>

/* Turns the bytes of a file or a program into UTF-8, piece by piece, whatever they are: nothing fails, what cannot be read
 * becomes U+FFFD. UTF-8 keeps its byte order mark, as pi does. */
struct _TauTextDecoder
{
  TauUtf8Decoder utf8;
  const char *fallback; /* what takes over at the first bytes that are no UTF-8; NULL for nothing */
  GIConv converter; /* (GIConv) -1 for UTF-8 */
  char rest[8];     /* the beginning of a character whose end has not come */
  gsize rest_length;
};

#define NO_CONVERTER ((GIConv) -1)

/* Valid UTF-8, save for a character that the end of a piece cuts. */
static gboolean
is_utf8 (const char *bytes,
         gsize       length,
         gboolean    complete)
{
  const char *end = bytes;

  while (length > 0 && !g_utf8_validate_len (bytes, length, &end))
    {
      gsize left = length - (end - bytes);

      /* GLib refuses NUL, which UTF-8 allows. */
      if (*end != '\0')
        return !complete && left < 4 && g_utf8_get_char_validated (end, left) == (gunichar) -2;
      bytes = end + 1;
      length = left - 1;
    }
  return TRUE;
}

static gboolean
converts (const char *bytes,
          gsize       length,
          const char *encoding)
{
  g_autofree char *text = g_convert (bytes, length, "UTF-8", encoding, NULL, NULL, NULL);

  return text != NULL;
}

/* The locale's encoding, if it is another than UTF-8 and more than ASCII. */
static const char *
other_charset (void)
{
  const char *charset;

  return !g_get_charset (&charset) && !g_str_equal (charset, "ANSI_X3.4-1968") ? charset : NULL;
}

/* Japanese text has kana: pairs 82 9F–F1 (hiragana) and 83 40–96 (katakana) in Shift-JIS. Two of them in a file that
 * is Shift-JIS throughout are no accident. */
static gboolean
is_shift_jis (const char *bytes,
              gsize       length)
{
  guint n_kana = 0;

  for (gsize i = 0; i + 1 < length; i++)
    {
      guint8 first = bytes[i], second = bytes[i + 1];

      if ((first == 0x82 && second >= 0x9f && second <= 0xf1) || (first == 0x83 && second >= 0x40 && second <= 0x96))
        {
          n_kana++;
          i++;
        }
    }
  return n_kana >= 2 && converts (bytes, length, "SHIFT_JIS");
}

/* A text in UTF-8 with a few broken bytes has more sound sequences than broken ones. */
static gboolean
is_mostly_utf8 (const char *bytes,
                gsize       length)
{
  const char *end = bytes + length;
  gsize n_sound = 0, n_broken = 0;

  while (bytes < end)
    {
      gunichar c = g_utf8_get_char_validated (bytes, end - bytes);
      gboolean broken = c == (gunichar) -1 || c == (gunichar) -2;

      n_broken += broken;
      n_sound += !broken && c >= 0x80;
      bytes = broken ? bytes + 1 : g_utf8_next_char (bytes);
    }
  return n_sound > n_broken;
}

/**
 * tau_text_decoder_guess:
 * @bytes: the beginning of a file
 * @length: bytes of @bytes
 * @complete: whether @bytes is the whole file
 *
 * Guesses an encoding: UTF-8 where that is possible, then UTF-16 by its byte order mark, the locale's encoding,
 * Shift-JIS by its kana, Latin-1. Bytes that are no text are given as UTF-8.
 *
 * Returns: (transfer none): name of the encoding; "UTF-8" if there is nothing better
 */
const char *
tau_text_decoder_guess (const char *bytes,
                        gsize       length,
                        gboolean    complete)
{
  const char *charset = other_charset ();

  if (is_utf8 (bytes, length, complete))
    return "UTF-8";
  if (length >= 2 && memcmp (bytes, "\xff\xfe", 2) == 0)
    return "UTF-16LE";
  if (length >= 2 && memcmp (bytes, "\xfe\xff", 2) == 0)
    return "UTF-16BE";
  if (memchr (bytes, '\0', length) != NULL || is_mostly_utf8 (bytes, length))
    return "UTF-8";
  if (!complete)
    {
      /* Judge whole lines only: a piece may cut a character. */
      const char *line = memrchr (bytes, '\n', length);

      if (line != NULL)
        length = line - bytes;
    }
  if (charset != NULL && converts (bytes, length, charset))
    return charset;
  if (is_shift_jis (bytes, length))
    return "SHIFT_JIS";
  return converts (bytes, length, "WINDOWS-1252") ? "WINDOWS-1252" : "ISO-8859-1";
}

/**
 * tau_text_decoder_new:
 * @encoding: a name that tau_text_decoder_guess() gave
 *
 * Returns: (transfer full): a decoder at the beginning of a file
 */
TauTextDecoder *
tau_text_decoder_new (const char *encoding)
{
  TauTextDecoder *self = g_new0 (TauTextDecoder, 1);

  self->converter = g_str_equal (encoding, "UTF-8") ? NO_CONVERTER : g_iconv_open ("UTF-8", encoding);
  return self;
}

/**
 * tau_text_decoder_new_for_output:
 *
 * Makes a decoder for what a program writes, whose beginning tells nothing of what will come: UTF-8, and the locale's
 * encoding from the first bytes on that cannot be UTF-8.
 *
 * Returns: (transfer full): a decoder at the beginning of the output
 */
TauTextDecoder *
tau_text_decoder_new_for_output (void)
{
  TauTextDecoder *self = tau_text_decoder_new ("UTF-8");

  self->fallback = other_charset ();
  return self;
}

/**
 * tau_text_decoder_free:
 * @self: (transfer full): a decoder
 *
 * Frees a decoder.
 */
void
tau_text_decoder_free (TauTextDecoder *self)
{
  if (self->converter != NO_CONVERTER)
    g_iconv_close (self->converter);
  g_free (self);
}

/* Converts what it can of @bytes; returns how many it took. The rest is the beginning of a character. */
static gsize
convert (TauTextDecoder *self,
         const char     *bytes,
         gsize           length,
         GString        *out)
{
  char *in = (char *) bytes;
  gsize left = length;

  while (left > 0)
    {
      char buffer[4096];
      char *to = buffer;
      gsize room = sizeof buffer;
      gsize n = g_iconv (self->converter, &in, &left, &to, &room);
      int error_number = errno;

      g_string_append_len (out, buffer, to - buffer);
      if (n != (gsize) -1 || error_number == E2BIG)
        continue;
      if (error_number == EINVAL && left < sizeof self->rest)
        break;
      g_string_append (out, "\xef\xbf\xbd");
      in++;
      left--;
    }
  return length - left;
}

/* Goes over to the locale's encoding if @bytes cannot go on what came as UTF-8. A character that was begun becomes the
 * beginning of the rest. */
static void
try_fallback (TauTextDecoder *self,
              const char     *bytes,
              gsize           length)
{
  g_autoptr(GString) joined = g_string_new_len ((const char *) self->utf8.tail, self->utf8.tail_length);

  g_string_append_len (joined, bytes, length);
  if (is_utf8 (joined->str, joined->len, FALSE))
    return;
  self->converter = g_iconv_open ("UTF-8", self->fallback);
  self->fallback = NULL;
  if (self->converter == NO_CONVERTER)
    return;
  memcpy (self->rest, self->utf8.tail, self->utf8.tail_length);
  self->rest_length = self->utf8.tail_length;
}

/**
 * tau_text_decoder_push:
 * @self: a decoder
 * @bytes: the next piece of the file
 * @length: bytes of @bytes
 * @out: gets the text
 *
 * Decodes a piece. A character that it cuts comes with the next piece.
 */
void
tau_text_decoder_push (TauTextDecoder *self,
                       const char     *bytes,
                       gsize           length,
                       GString        *out)
{
  g_autofree char *joined = NULL;
  gsize used;

  if (self->fallback != NULL)
    try_fallback (self, bytes, length);
  if (self->converter == NO_CONVERTER)
    {
      tau_utf8_decoder_push (&self->utf8, bytes, length, out);
      return;
    }

  if (self->rest_length > 0)
    {
      joined = g_malloc (self->rest_length + length);
      memcpy (joined, self->rest, self->rest_length);
      memcpy (joined + self->rest_length, bytes, length);
      bytes = joined;
      length += self->rest_length;
    }
  used = convert (self, bytes, length, out);
  self->rest_length = length - used;
  memcpy (self->rest, bytes + used, self->rest_length);
}

/**
 * tau_text_decoder_finish:
 * @self: a decoder
 * @out: gets U+FFFD if the file ends within a character
 *
 * Ends the file.
 */
void
tau_text_decoder_finish (TauTextDecoder *self,
                         GString        *out)
{
  if (self->converter == NO_CONVERTER)
    tau_utf8_decoder_finish (&self->utf8, out);
  else if (self->rest_length > 0)
    g_string_append (out, "\xef\xbf\xbd");
  self->rest_length = 0;
}
