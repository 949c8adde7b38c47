/* SPDX-License-Identifier: MIT */
#include "core/base/tau-text.h"

#include <string.h>

/* Text from models, programs and files is bytes until proven otherwise. Here it becomes valid UTF-8 and is measured in the
 * units that pi counts in. What a terminal would understand is taken out in tau-text-ansi.c. */

static const char replacement[] = "\357\277\275";

static gsize
text_size (const char *text,
           gssize      length)
{
  return length < 0 ? strlen (text) : (gsize) length;
}

/* How many bytes follow @lead, and between what the first of them lies; -1 if @lead begins nothing (Unicode, table 3-7). */
static int
continuation (guchar  lead,
              guchar *low,
              guchar *high)
{
  *low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  *high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;

  if (lead < 0x80)
    return 0;
  if (lead < 0xc2 || lead > 0xf4)
    return -1;
  return lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
}

/**
 * tau_text_utf8_step:
 * @text: some bytes
 * @size: how many, at least 1
 *
 * Looks at the character at the start of @text. A wrong one is as long as the WHATWG's decoder has it ("maximal subpart"),
 * which gives one U+FFFD.
 *
 * Returns: the bytes of a valid character; or minus the bytes of a wrong one; or 0 if @size cuts off
 *   what could become valid
 */
int
tau_text_utf8_step (const char *text,
                    gsize       size)
{
  guchar low;
  guchar high;
  int more = continuation ((guchar) text[0], &low, &high);

  if (more < 0)
    return -1;

  for (int i = 1; i <= more; i++)
    {
      if ((gsize) i == size)
        return 0;
      if ((guchar) text[i] < low || (guchar) text[i] > high)
        return -i;
      low = 0x80;
      high = 0xbf;
    }

  return more + 1;
}

/* The UTF-16 surrogate that is encoded at @at, or 0. */
static guint32
read_surrogate (const char *at,
                const char *end)
{
  if (end - at < 3 || (guchar) at[0] != 0xed || ((guchar) at[1] & 0xe0) != 0xa0 || ((guchar) at[2] & 0xc0) != 0x80)
    return 0;

  return 0xd000 | (((guint32) (guchar) at[1] & 0x3f) << 6) | ((guchar) at[2] & 0x3f);
}

static const char *
convert_surrogate (GString    *out,
                   const char *at,
                   const char *end,
                   const char *substitute)
{
  guint32 high = read_surrogate (at, end);
  guint32 low = high < 0xdc00 ? read_surrogate (at + 3, end) : 0;

  if (low >= 0xdc00)
    {
      g_string_append_unichar (out, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
      return at + 6;
    }

  g_string_append (out, substitute);
  return at + 3;
}

/* Deals with what is not UTF-8 at @at; returns where to go on. */
static const char *
convert_special (GString    *out,
                 const char *at,
                 const char *end,
                 const char *substitute)
{
  int step;

  if (read_surrogate (at, end) != 0)
    return convert_surrogate (out, at, end, substitute);

  g_string_append (out, substitute);
  if (*at == '\0')
    return at + 1;
  if ((guchar) at[0] == 0xc0 && end - at > 1 && (guchar) at[1] == 0x80)
    return at + 2;

  step = tau_text_utf8_step (at, (gsize) (end - at));
  return step < 0 ? at - step : end;
}

static char *
convert (const char *text,
         gssize      length,
         const char *substitute)
{
  gsize size = text_size (text, length);
  const char *end = text + size;
  const char *stop;
  GString *out;

  if (g_utf8_validate_len (text, size, &stop))
    return g_strndup (text, size);

  out = g_string_sized_new (size);
  while (stop < end)
    {
      g_string_append_len (out, text, stop - text);
      text = convert_special (out, stop, end, substitute);
      g_utf8_validate_len (text, (gsize) (end - text), &stop);
    }
  g_string_append_len (out, text, stop - text);

  return g_string_free (out, FALSE);
}

/**
 * tau_text_scrub:
 * @text: text, perhaps from a JSON node
 * @length: bytes, or -1
 *
 * Makes text fit for a provider: halves of surrogate pairs that found each other become one character; lone halves, NULs
 * and bytes that are not UTF-8 are left out.
 *
 * Returns: (transfer full): valid UTF-8
 */
char *
tau_text_scrub (const char *text,
                gssize      length)
{
  g_return_val_if_fail (text != NULL, NULL);

  return convert (text, length, "");
}

/**
 * tau_text_make_valid:
 * @text: text, perhaps from a JSON node
 * @length: bytes, or -1
 *
 * Makes text fit for a widget: what tau_text_scrub() leaves out becomes U+FFFD.
 *
 * Returns: (transfer full): valid UTF-8
 */
char *
tau_text_make_valid (const char *text,
                     gssize      length)
{
  g_return_val_if_fail (text != NULL, NULL);

  return convert (text, length, replacement);
}

/**
 * tau_text_utf16_length:
 * @text: UTF-8
 *
 * Returns: how long JavaScript finds @text, which is what pi's limits and messages count
 */
gsize
tau_text_utf16_length (const char *text)
{
  gsize units = 0;

  for (; *text != '\0'; text++)
    {
      guchar c = (guchar) *text;

      units += (c & 0xc0) != 0x80;
      units += c >= 0xf0;
    }

  return units;
}

/* Bytes of the whitespace at @at in the sense of JavaScript's trim(), or 0. */
static gsize
space_length (const char *at)
{
  static const char * const wide[] = {
    "\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf",
    "\xe2\x81\x9f", "\xe3\x80\x80", "\xef\xbb\xbf",
  };

  if (*at == ' ' || (*at >= '\t' && *at <= '\r'))
    return 1;
  if ((guchar) *at < 0xc2)
    return 0;

  for (guint i = 0; i < G_N_ELEMENTS (wide); i++)
    if (g_str_has_prefix (at, wide[i]))
      return strlen (wide[i]);
  if (g_str_has_prefix (at, "\xe2\x80") && (guchar) at[2] >= 0x80 && (guchar) at[2] <= 0x8a)
    return 3;

  return 0;
}

static const char *
skip_space (const char *text)
{
  gsize length;

  while ((length = space_length (text)) > 0)
    text += length;

  return text;
}

/**
 * tau_text_is_blank:
 * @text: (nullable): text
 *
 * Returns: %TRUE if nothing is left of @text after tau_text_trim()
 */
gboolean
tau_text_is_blank (const char *text)
{
  return text == NULL || *skip_space (text) == '\0';
}

/**
 * tau_text_trim:
 * @text: text
 *
 * Removes whitespace at both ends, as JavaScript's trim() sees it.
 *
 * Returns: (transfer full): the rest
 */
char *
tau_text_trim (const char *text)
{
  const char *from;
  const char *end;

  g_return_val_if_fail (text != NULL, NULL);

  from = skip_space (text);
  end = from + strlen (from);
  while (end > from)
    {
      const char *last = from + tau_text_utf8_floor (from, (gsize) (end - from) - 1);

      if (last + space_length (last) != end)
        break;
      end = last;
    }

  return g_strndup (from, (gsize) (end - from));
}

static char *
format_tenths (gint64      bytes,
               gint64      unit,
               const char *name)
{
  gint64 tenths = (bytes % unit * 20 + unit) / (unit * 2);

  return g_strdup_printf ("%" G_GINT64_FORMAT ".%d%s", bytes / unit + tenths / 10, (int) (tenths % 10), name);
}

/**
 * tau_text_format_size:
 * @bytes: a size
 *
 * Formats a size as the notices for the model have it, the same in every locale: "812B", "50.0KB", "1.2MB".
 *
 * Returns: (transfer full): the text
 */
char *
tau_text_format_size (gint64 bytes)
{
  if (bytes < 1024)
    return g_strdup_printf ("%" G_GINT64_FORMAT "B", bytes);
  if (bytes < 1024 * 1024)
    return format_tenths (bytes, 1024, "KB");
  return format_tenths (bytes, 1024 * 1024, "MB");
}

/**
 * tau_text_utf8_floor:
 * @text: UTF-8
 * @position: a byte of it, or its end
 *
 * Returns: the last start of a character at or before @position
 */
gsize
tau_text_utf8_floor (const char *text,
                     gsize       position)
{
  gsize floor = position;

  while (floor > 0 && position - floor < 3 && ((guchar) text[floor] & 0xc0) == 0x80)
    floor--;

  return floor;
}

/**
 * tau_text_count_lines:
 * @text: text
 * @length: bytes, or -1
 *
 * Counts like a split at LF: a LF at the end begins an empty line, and "" is one line.
 *
 * Returns: at least 1
 */
gsize
tau_text_count_lines (const char *text,
                      gssize      length)
{
  gsize size = text_size (text, length);
  gsize lines = 1;

  /* A call for each line, as with memchr(), costs four times as much where lines are short. */
  for (gsize i = 0; i < size; i++)
    lines += text[i] == '\n';

  return lines;
}

/* How many bytes from the beginning are ASCII and not NUL, at least: judged by eights. */
static gsize
plain_length (const char *bytes,
              gsize       size)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  const guint64 tops = G_GUINT64_CONSTANT (0x8080808080808080);
  gsize length = 0;

  for (; size - length >= sizeof (guint64); length += sizeof (guint64))
    {
      guint64 word;

      memcpy (&word, bytes + length, sizeof word);
      /* Without bytes of 0x80 and more, only a 0 borrows a top bit. */
      if (((word | (word - ones)) & tops) != 0)
        break;
    }
  return length;
}

/* Appends what makes whole characters; returns the bytes of a beginning that are left. */
static gsize
decode (const char *bytes,
        gsize       size,
        GString    *out)
{
  gsize at = 0;
  gsize from = 0;

  while (at < size)
    {
      int step;

      at += plain_length (bytes + at, size - at);
      if (at == size)
        break;
      step = (guchar) bytes[at] < 0x80 ? 1 : tau_text_utf8_step (bytes + at, size - at);

      if (step == 0)
        break;
      if (step < 0 || bytes[at] == '\0')
        {
          g_string_append_len (out, bytes + from, (gssize) (at - from));
          g_string_append (out, step < 0 ? replacement : "\xc0\x80");
          from = at + (gsize) ABS (step);
        }
      at += (gsize) ABS (step);
    }

  g_string_append_len (out, bytes + from, (gssize) (at - from));
  return size - at;
}

/* Gives the unfinished character its next byte. FALSE if that does not belong to it and must be looked at afresh. */
static gboolean
take_byte (TauUtf8Decoder *self,
           char            byte,
           GString        *out)
{
  int step;

  self->tail[self->tail_length++] = (guint8) byte;
  step = tau_text_utf8_step ((const char *) self->tail, self->tail_length);
  if (step == 0)
    return TRUE;

  if (step > 0)
    g_string_append_len (out, (const char *) self->tail, step);
  else
    g_string_append (out, replacement);
  self->tail_length = 0;
  return step > 0;
}

/**
 * tau_utf8_decoder_push:
 * @self: a decoder
 * @bytes: what came next
 * @size: how many bytes
 * @out: takes the characters
 *
 * Decodes as the WHATWG's decoder does: wrong bytes become U+FFFD, and a character may come in pieces. A NUL is appended as
 * C0 80, as in JSON nodes, since a C string cannot hold it otherwise.
 */
void
tau_utf8_decoder_push (TauUtf8Decoder *self,
                       const void     *bytes,
                       gsize           size,
                       GString        *out)
{
  const char *next = bytes;
  const char *end = next + size;
  gsize left;

  while (self->tail_length > 0 && next < end)
    if (take_byte (self, *next, out))
      next++;
  if (next == end)
    return;

  left = decode (next, (gsize) (end - next), out);
  memcpy (self->tail, end - left, left);
  self->tail_length = (guint) left;
}

/**
 * tau_utf8_decoder_finish:
 * @self: a decoder
 * @out: takes what is left
 *
 * The stream has ended: a character whose rest did not come becomes U+FFFD. The decoder is ready for another stream then.
 */
void
tau_utf8_decoder_finish (TauUtf8Decoder *self,
                         GString        *out)
{
  if (self->tail_length > 0)
    g_string_append (out, replacement);
  self->tail_length = 0;
}
