/* SPDX-License-Identifier: MIT */
#include "core/base/tau-text.h"

#include <string.h>

/* Takes out of text what only a terminal understands: the control sequences of ECMA-48, in the forms that programs really
 * write (CSI, OSC and the other strings, short escapes). */

typedef struct
{
  const char *end;
  const char *searched_until;   /* no string ends before this point; keeps hostile text linear */
} Stripper;

static const char *
skip_range (const char *at,
            const char *end,
            char        low,
            char        high)
{
  while (at < end && *at >= low && *at <= high)
    at++;

  return at;
}

/* Behind the introducer: parameters, intermediates, one final byte. A broken sequence ends before what breaks it. */
static const char *
skip_csi (const char *at,
          const char *end)
{
  at = skip_range (at, end, 0x30, 0x3f);
  at = skip_range (at, end, 0x20, 0x2f);
  return at < end && *at >= 0x40 && *at <= 0x7e ? at + 1 : at;
}

/* Behind the introducer of a string: to behind BEL or ESC \ on the same line. Without one only the introducer goes. */
static const char *
skip_string (Stripper   *self,
             const char *at)
{
  if (at < self->searched_until)
    return at;

  for (const char *p = at; p < self->end && *p != '\n'; p++)
    {
      if (*p == '\a')
        return p + 1;
      if (*p == '\033' && self->end - p > 1 && p[1] == '\\')
        return p + 2;
      self->searched_until = p + 1;
    }

  return at;
}

/* Behind ESC. */
static const char *
skip_escape (Stripper   *self,
             const char *at)
{
  if (at == self->end)
    return at;
  if (*at == '[')
    return skip_csi (at + 1, self->end);
  if (*at != '\0' && strchr ("]PX^_", *at) != NULL)
    return skip_string (self, at + 1);

  at = skip_range (at, self->end, 0x20, 0x2f);
  return at < self->end && *at >= 0x30 && *at <= 0x7e ? at + 1 : at;
}

static const char *
find_introducer (const char *at,
                 const char *end)
{
  /* ESC, or U+009B, which is CSI in one character. */
  while (at < end && *at != '\033' && !((guchar) at[0] == 0xc2 && end - at > 1 && (guchar) at[1] == 0x9b))
    at++;

  return at;
}

static GString *
strip (const char *text,
       gssize      length)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  Stripper stripper = { .end = text + size, .searched_until = text };
  GString *out = g_string_sized_new (size);

  while (text < stripper.end)
    {
      const char *stop = find_introducer (text, stripper.end);

      g_string_append_len (out, text, stop - text);
      if (stop == stripper.end)
        break;
      text = *stop == '\033' ? skip_escape (&stripper, stop + 1) : skip_csi (stop + 2, stripper.end);
    }

  return out;
}

/* Bytes at @at that a log does not show: controls but TAB and LF, a NUL as C0 80, and U+FFF9 to U+FFFB. */
static gsize
hidden_length (const char *at)
{
  if ((guchar) at[0] < 0x20)
    return at[0] != '\t' && at[0] != '\n';
  if ((guchar) at[0] == 0xc0 && (guchar) at[1] == 0x80)
    return 2;
  if ((guchar) at[0] == 0xef && (guchar) at[1] == 0xbf && (guchar) at[2] >= 0xb9 && (guchar) at[2] <= 0xbb)
    return 3;
  return 0;
}

/**
 * tau_text_strip_ansi:
 * @text: UTF-8
 * @length: bytes, or -1
 *
 * Removes terminal control sequences.
 *
 * Returns: (transfer full): the text without them
 */
char *
tau_text_strip_ansi (const char *text,
                     gssize      length)
{
  g_return_val_if_fail (text != NULL, NULL);

  return g_string_free (strip (text, length), FALSE);
}

/**
 * tau_text_clean_output:
 * @text: what a program wrote, as UTF-8
 * @length: bytes, or -1
 *
 * Makes the output of a terminal program readable: without control sequences, control characters (TAB and LF stay),
 * carriage returns and interlinear annotation marks.
 *
 * Returns: (transfer full): the text
 */
char *
tau_text_clean_output (const char *text,
                       gssize      length)
{
  GString *out;
  gsize kept = 0;

  g_return_val_if_fail (text != NULL, NULL);

  out = strip (text, length);
  for (gsize at = 0; at < out->len;)
    {
      gsize hidden = hidden_length (out->str + at);

      if (hidden == 0)
        out->str[kept++] = out->str[at++];
      else
        at += hidden;
    }
  g_string_truncate (out, kept);

  return g_string_free (out, FALSE);
}
