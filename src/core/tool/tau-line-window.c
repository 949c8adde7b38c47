/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-line-window.h"

#include <string.h>

/* Once more than the limit is kept, the result of cutting is settled: room for one character beyond it is enough. */
#define KEEP_BYTES ((gsize) TAU_TRUNCATE_MAX_BYTES + 4)

/**
 * tau_line_window_init:
 * @self: a window
 * @start: first line wanted, from 0
 * @end: line behind the last one wanted
 *
 * Sets up a window at the beginning of a text.
 */
void
tau_line_window_init (TauLineWindow *self,
                      gint64         start,
                      gint64         end)
{
  *self = (TauLineWindow) { .start = start, .end = end, .kept = g_string_new (NULL) };
}

/**
 * tau_line_window_clear:
 * @self: a window
 *
 * Frees what the window keeps.
 */
void
tau_line_window_clear (TauLineWindow *self)
{
  if (self->kept != NULL)
    g_string_free (self->kept, TRUE);
  self->kept = NULL;
}

static void
take (TauLineWindow *self,
      const char    *text,
      gsize          length)
{
  gsize room = KEEP_BYTES - MIN (KEEP_BYTES, self->kept->len);

  self->bytes += length;
  g_string_append_len (self->kept, text, MIN (length, room));
}

/**
 * tau_line_window_push:
 * @self: a window
 * @text: the next piece of the text
 * @length: bytes of @text
 *
 * Takes what falls into the window and counts the rest.
 */
void
tau_line_window_push (TauLineWindow *self,
                      const char    *text,
                      gsize          length)
{
  const char *end = text + length;

  while (text < end)
    {
      const char *newline = memchr (text, '\n', end - text);
      gsize n = (newline != NULL ? newline : end) - text;

      if (self->line >= self->start && self->line < self->end)
        take (self, text, n);
      if (self->line == self->start)
        self->first_line_bytes += n;
      if (newline == NULL)
        return;

      /* The LF belongs to the lines only if it joins two of them. */
      if (self->line >= self->start && self->line + 1 < self->end)
        take (self, "\n", 1);
      self->line++;
      text = newline + 1;
    }
}

/**
 * tau_line_window_truncate:
 * @self: a window whose text has come to its end
 *
 * Cuts the wanted lines to what a tool's result may hold.
 *
 * Returns: (transfer full): the result, its totals those of all wanted lines
 */
TauTruncation *
tau_line_window_truncate (TauLineWindow *self)
{
  TauTruncation *truncation = tau_truncate_head (self->kept->str, self->kept->len,
                                                 TAU_TRUNCATE_MAX_LINES, TAU_TRUNCATE_MAX_BYTES);

  truncation->total_lines = MAX (0, MIN (self->end, self->line + 1) - self->start);
  truncation->total_bytes = self->bytes;
  return truncation;
}
