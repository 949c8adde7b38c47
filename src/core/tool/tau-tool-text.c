/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-tool-text.h"

#include <string.h>

/* Between the text of files and processes, which may hold NUL, and strings in blocks and JSON nodes, which end at one
 * and write it as C0 80 (see tau-json.h). */

/**
 * tau_tool_text_from_bytes:
 * @bytes: valid UTF-8 that may hold NULs
 * @length: bytes of @bytes
 *
 * Returns: (transfer full): a string for a block or a JSON node
 */
char *
tau_tool_text_from_bytes (const char *bytes,
                          gsize       length)
{
  const char *end = bytes + length;
  GString *text;

  if (memchr (bytes, '\0', length) == NULL)
    return g_strndup (bytes, length);

  text = g_string_sized_new (length + 16);
  for (;;)
    {
      const char *nul = memchr (bytes, '\0', end - bytes);

      g_string_append_len (text, bytes, (nul != NULL ? nul : end) - bytes);
      if (nul == NULL)
        return g_string_free (text, FALSE);
      g_string_append (text, "\xc0\x80");
      bytes = nul + 1;
    }
}

/**
 * tau_tool_text_to_bytes:
 * @text: a string of a JSON node
 * @length: (out): bytes of the result
 *
 * What belongs into a file: NUL as itself, an unpaired surrogate as U+FFFD.
 *
 * Returns: (transfer full): valid UTF-8, with a NUL behind it
 */
char *
tau_tool_text_to_bytes (const char *text,
                        gsize      *length)
{
  GString *bytes = g_string_sized_new (strlen (text));

  while (*text != '\0')
    {
      gsize run = strcspn (text, "\xc0\xed");

      g_string_append_len (bytes, text, run);
      text += run;
      if ((guint8) text[0] == 0xc0 && (guint8) text[1] == 0x80)
        {
          g_string_append_c (bytes, '\0');
          text += 2;
        }
      else if ((guint8) text[0] == 0xed && (guint8) text[1] >= 0xa0 && text[2] != '\0')
        {
          g_string_append (bytes, "\xef\xbf\xbd");
          text += 3;
        }
      else if (*text != '\0')
        g_string_append_c (bytes, *text++);
    }
  *length = bytes->len;
  return g_string_free (bytes, FALSE);
}
