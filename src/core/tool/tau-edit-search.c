/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-edit-search.h"

#include "core/tool/tau-edit-text.h"

#include <string.h>

/* Looks for texts in a file, exactly and simplified, window by window, so that a large file is not held in three
 * forms at once. A window has whole lines: those in which a match may begin, and behind them as many as the longest
 * text can reach into. Pure. */

/* What is looked at once; a longer line is looked at whole. */
#define WINDOW_BYTES ((gsize) 1024 * 1024)

typedef struct
{
  TauEditText lines;
  TauMappedText simple;
  gsize stop; /* matches that begin here or later are the next window's, except in the last one */
  gboolean is_last;
} Window;

static void
window_clear (Window *window)
{
  tau_edit_text_clear (&window->lines);
  tau_mapped_text_clear (&window->simple);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Window, window_clear)

/* The place behind the line ending that comes at or after @position. */
static gsize
line_end_after (const char *bytes,
                gsize       position,
                gsize       length)
{
  while (position < length && bytes[position] != '\n' && bytes[position] != '\r')
    position++;
  if (position + 1 < length && bytes[position] == '\r' && bytes[position + 1] == '\n')
    position++;
  return MIN (position + 1, length);
}

static gboolean
is_blank_at (const char *p)
{
  return *p != '\n' && tau_mapped_text_is_blank (g_utf8_get_char (p));
}

/* A simplified text has lost the blanks that the old text ends with, and those of an empty first line: as far as the
 * file has them, they are part of the place. */
static void
take_blanks (const TauEditText *lines,
             const GString     *old_text,
             gsize             *start_at,
             gsize             *end_at)
{
  const char *last = old_text->str + old_text->len, *first = old_text->str;
  const char *start = lines->text + *start_at, *end = lines->text + *end_at, *stop = lines->text + lines->length;

  while (last > old_text->str && end < stop && is_blank_at (g_utf8_prev_char (last)) && is_blank_at (end))
    {
      last = g_utf8_prev_char (last);
      end = g_utf8_next_char (end);
    }
  while (first < last && is_blank_at (first))
    first = g_utf8_next_char (first);
  if (*first == '\n')
    while (first > old_text->str && start > lines->text && is_blank_at (g_utf8_prev_char (start)))
      {
        first = g_utf8_prev_char (first);
        start = g_utf8_prev_char (start);
      }
  *start_at = start - lines->text;
  *end_at = end - lines->text;
}

/* From a match in the window's text, or in its simplified one, to a place in the file. */
static TauEditFound
locate (const Window  *window,
        gboolean       simple,
        gsize          start,
        gsize          end,
        const GString *old_text)
{
  TauEditFound found = { .n = 1, .is_place = TRUE };

  if (simple)
    {
      found.is_place = tau_mapped_text_find_start (&window->simple, start, &start);
      found.is_place &= tau_mapped_text_find_end (&window->simple, end, &end);
      if (found.is_place)
        take_blanks (&window->lines, old_text, &start, &end);
    }
  found.start = tau_edit_text_start_at (&window->lines, start);
  found.end = tau_edit_text_end_at (&window->lines, end);
  return found;
}

/* @done: where the last match ended, in the file. */
static void
count (const Window  *window,
       gboolean       simple,
       const GString *wanted,
       const GString *old_text,
       TauEditFound  *sum,
       gsize         *done)
{
  const char *text = simple ? window->simple.text->str : window->lines.text;
  gsize length = simple ? window->simple.text->len : window->lines.length;
  const gsize before = *done;
  gsize position = 0;

  while (wanted->len > 0)
    {
      const char *hit = memmem (text + position, length - position, wanted->str, wanted->len);
      gsize at = hit != NULL ? (gsize) (hit - text) : 0;
      TauEditFound found;

      if (hit == NULL)
        return;
      found = locate (window, simple, at, at + wanted->len, old_text);
      if (found.start >= window->stop && !window->is_last)
        return;
      /* A match of the window before may reach into this one. */
      if (found.start < before)
        {
          position = at + 1;
          continue;
        }
      found.n = sum->n + 1;
      if (sum->n == 0)
        *sum = found;
      sum->n = found.n;
      *done = found.end;
      position = at + wanted->len;
    }
}

static gsize
count_lines (const GString *text)
{
  gsize n = 0;

  for (const char *p = text->str; (p = memchr (p, '\n', text->str + text->len - p)) != NULL; p++)
    n++;
  return n;
}

static void
window_init (Window     *window,
             const char *bytes,
             gsize       start,
             gsize       length,
             gsize       n_lines_behind,
             const char *encoding)
{
  gsize end;

  window->stop = end = line_end_after (bytes, MIN (start + WINDOW_BYTES, length), length);
  for (gsize i = 0; i < n_lines_behind && end < length; i++)
    end = line_end_after (bytes, end, length);
  window->is_last = window->stop == length;
  tau_edit_text_init (&window->lines, bytes, start, end, encoding);
  tau_mapped_text_init (&window->simple);
  tau_mapped_text_simplify (&window->simple, window->lines.text, window->lines.length);
}

/**
 * tau_edit_search:
 * @bytes: a file
 * @start: where its text begins
 * @length: bytes of @bytes
 * @encoding: of the file
 * @needles: (array length=n_needles): what to look for; gets what was found
 * @n_needles: how many
 *
 * Finds out how often, and where first, texts are in a file.
 */
void
tau_edit_search (const char    *bytes,
                 gsize          start,
                 gsize          length,
                 const char    *encoding,
                 TauEditNeedle *needles,
                 guint          n_needles)
{
  g_autofree TauMappedText *simple = g_new0 (TauMappedText, n_needles);
  g_autofree gsize *exact_done = g_new0 (gsize, n_needles);
  g_autofree gsize *simple_done = g_new0 (gsize, n_needles);
  gsize n_lines_behind = 0;
  gboolean more = TRUE;

  for (guint i = 0; i < n_needles; i++)
    {
      tau_mapped_text_init (&simple[i]);
      tau_mapped_text_simplify (&simple[i], needles[i].text->str, needles[i].text->len);
      n_lines_behind = MAX (n_lines_behind, count_lines (needles[i].text));
    }

  while (more)
    {
      g_auto(Window) window = { 0 };

      window_init (&window, bytes, start, length, n_lines_behind, encoding);
      for (guint i = 0; i < n_needles; i++)
        {
          count (&window, FALSE, needles[i].text, needles[i].text, &needles[i].exact, &exact_done[i]);
          count (&window, TRUE, simple[i].text, needles[i].text, &needles[i].simple, &simple_done[i]);
        }
      start = window.stop;
      more = !window.is_last;
    }

  for (guint i = 0; i < n_needles; i++)
    tau_mapped_text_clear (&simple[i]);
}
