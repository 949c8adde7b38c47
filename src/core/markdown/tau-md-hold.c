/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-hold.h"

#include "core/markdown/tau-md-source.h"

#include <string.h>

/* Which part of a growing text may be shown. A line that has just begun may become a fence, a list, a table or
 * plain text; showing it at once would show it twice, in two forms. It is held back until it is one of them, which
 * is mostly a matter of one or two characters. */

#define HOLD_MAX 1024   /* a longer line is shown, whatever it may become */

static gboolean
consists_of (const char *at,
             const char *end,
             const char *characters)
{
  for (; at < end; at++)
    if (!strchr (characters, *at))
      return FALSE;
  return TRUE;
}

static const char *
skip_marker (const char *at,
             const char *end)
{
  const char *start = at;

  if (at < end && strchr ("-+*", *at))
    {
      at++;
    }
  else
    {
      while (at < end && g_ascii_isdigit (*at) && at - start < 9)
        at++;
      if (at == start || at == end || (*at != '.' && *at != ')'))
        return start;
      at++;
    }
  return at < end && (*at == ' ' || *at == '\t') ? at + 1 : start;
}

static gboolean
may_be_fence (const char *at,
              const char *end)
{
  char mark = *at;
  gsize length = 0;

  while (at + length < end && at[length] == mark)
    length++;
  if (at + length == end)
    return TRUE;
  return length >= 3 && (mark == '~' || !memchr (at + length, '`', end - at - length));
}

/* A task's box, or the definition of a link. */
static gboolean
may_be_bracket (const char *at,
                const char *end,
                gboolean    in_item)
{
  const char *close = memchr (at, ']', end - at);

  if (!close || close + 1 == end)
    return TRUE;
  return close[1] == ':' || (in_item && close - at == 2 && end - close == 2);
}

static gboolean
may_be_number (const char *at,
               const char *end)
{
  const char *start = at;

  while (at < end && g_ascii_isdigit (*at))
    at++;
  return at > start && at - start <= 9 && (at == end || ((*at == '.' || *at == ')') && at + 1 == end));
}

/* Whether what an unfinished line is may still change. */
static gboolean
is_undecided (const char *line,
              const char *end)
{
  const char *at = tau_md_source_skip_prefix (line, end);
  gboolean in_item = FALSE;
  const char *next;

  if (end - line > HOLD_MAX)
    return FALSE;
  while ((next = skip_marker (at, end)) != at)
    {
      in_item = TRUE;
      at = tau_md_source_skip_prefix (next, end);
    }
  if (at == end || consists_of (at, end, "-*_=+|: \t") || may_be_number (at, end))
    return TRUE;
  switch (*at)
    {
    case '#':
      return consists_of (at, end, "# \t");
    case '`':
    case '~':
      return may_be_fence (at, end);
    case '[':
      return may_be_bracket (at, end, in_item);
    case '|':
    case '<':
      return TRUE;
    default:
      return FALSE;
    }
}

static const char *
line_before (const char *text,
             const char *line)
{
  if (line == text)
    return NULL;
  for (line--; line > text && line[-1] != '\n'; line--)
    ;
  return line;
}

/* The line may be a table's head: only the line below it will tell. One without a leading bar has been shown
 * already, and stays. */
static gboolean
may_be_table_head (const char *text,
                   const char *line,
                   const char *end)
{
  const char *before = line_before (text, line);
  const char *content;

  if (*tau_md_source_skip_prefix (line, end) != '|')
    return FALSE;
  if (!before)
    return TRUE;
  content = tau_md_source_skip_prefix (before, line);
  return *content == '\n' || *content == '\r' || *content == '#';
}

static gsize
without_partial_character (const char *text,
                           gsize       length)
{
  for (gsize back = 1; back <= 3 && back <= length; back++)
    {
      guchar byte = (guchar) text[length - back];

      if (byte < 0x80)
        break;
      if (byte >= 0xc0)
        return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? length - back : length;
    }
  return length;
}

/**
 * tau_md_hold_visible_length:
 * @text: a growing Markdown text
 * @length: bytes of @text
 * @start: where its last top-level block that may still change begins
 * @fence: character of the fence that is open at the top level, or 0
 *
 * Returns: how many bytes of @text can be shown; at least @start
 */
gsize
tau_md_hold_visible_length (const char *text,
                            gsize       length,
                            gsize       start,
                            char        fence)
{
  const char *first = text + start;
  const char *end = text + without_partial_character (text, length);
  const char *line = end;
  const char *before;

  while (line > first && line[-1] != '\n')
    line--;
  if (fence)
    return consists_of (line, end, (const char[]) { fence, ' ', '\0' }) ? line - text : end - text;
  if (line < end && !is_undecided (line, end))
    return end - text;

  before = line_before (first, line);
  if (before && may_be_table_head (first, before, line))
    return before - text;
  return line - text;
}
