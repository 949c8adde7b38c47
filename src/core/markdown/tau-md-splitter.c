/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-splitter.h"

#include "core/markdown/tau-md-source.h"

#include <string.h>

/* A cut is offered at a line that begins at column 0 after a blank line (or after a heading or a closing fence),
 * outside of top-level code and HTML, and that does not go on with a list. What is nested needs no tracking:
 * column 0 ends every item. Where lines could be read in two ways, the splitter gets lost rather than wrong;
 * the text is then merely parsed again from the last cut each time. */

#define HTML_MAYBE 6   /* kinds 6 and 7 end at a blank line, and 7 may be no HTML at all */

typedef struct
{
  const char *start;
  const char *end;       /* without the line's end */
  const char *content;   /* first byte that is no blank */
  guint       indent;    /* its column */
} Line;

static void
read_line (Line       *line,
           const char *start,
           const char *end)
{
  *line = (Line) { start, end, start, 0 };
  if (line->end > start && line->end[-1] == '\r')
    line->end--;
  for (; line->content < line->end && (*line->content == ' ' || *line->content == '\t'); line->content++)
    line->indent = *line->content == ' ' ? line->indent + 1 : (line->indent / 4 + 1) * 4;
}

static gboolean
starts_with (const Line *line,
             const char *lower)
{
  gsize length = strlen (lower);

  return (gsize) (line->end - line->content) >= length && g_ascii_strncasecmp (line->content, lower, length) == 0;
}

static gboolean
contains (const char *start,
          const char *end,
          const char *lower)
{
  gsize length = strlen (lower);

  for (; start + length <= end; start++)
    if (g_ascii_strncasecmp (start, lower, length) == 0)
      return TRUE;
  return FALSE;
}

/* The kinds of HTML block that may hold blank lines have numbers 1 to 5. */
static guint
html_kind (const Line *line)
{
  if (starts_with (line, "<script") || starts_with (line, "<pre") || starts_with (line, "<style") ||
      starts_with (line, "<textarea"))
    return 1;
  if (starts_with (line, "<!--"))
    return 2;
  if (starts_with (line, "<?"))
    return 3;
  if (starts_with (line, "<![CDATA["))
    return 5;
  if (starts_with (line, "<!") && line->end - line->content > 2 && g_ascii_isalpha (line->content[2]))
    return 4;
  return *line->content == '<' ? HTML_MAYBE : 0;
}

static gboolean
html_ends (guint       kind,
           const char *start,
           const char *end)
{
  switch (kind)
    {
    case 1:
      return contains (start, end, "</script>") || contains (start, end, "</pre>") ||
             contains (start, end, "</style>") || contains (start, end, "</textarea>");
    case 2:
      return contains (start, end, "-->");
    case 3:
      return contains (start, end, "?>");
    case 4:
      return memchr (start, '>', end - start) != NULL;
    default:
      return contains (start, end, "]]>");
    }
}

static gboolean
is_heading (const Line *line)
{
  const char *at = line->content;

  while (at < line->end && *at == '#')
    at++;
  return at > line->content && at - line->content <= 6 && (at == line->end || *at == ' ' || *at == '\t');
}

/* A line across, or the underline of a heading. */
static gboolean
is_rule (const Line *line)
{
  char mark = *line->content;
  guint n_marks = 0;

  if (mark != '-' && mark != '*' && mark != '_')
    return FALSE;
  for (const char *at = line->content; at < line->end; at++)
    {
      if (*at == mark)
        n_marks++;
      else if (*at != ' ' && *at != '\t')
        return FALSE;
    }
  return n_marks >= 3;
}

/* Width of the list marker at the line's content, or 0. A weak one cannot interrupt a paragraph. */
static guint
marker_width (const Line *line,
              gboolean   *weak)
{
  const char *at = line->content;
  guint number = 0;

  *weak = FALSE;
  if (*at == '-' || *at == '+' || *at == '*')
    {
      at++;
    }
  else
    {
      while (at < line->end && g_ascii_isdigit (*at) && at - line->content < 9)
        number = number * 10 + (guint) (*at++ - '0');
      if (at == line->content || at == line->end || (*at != '.' && *at != ')'))
        return 0;
      at++;
      *weak = number != 1;
    }
  if (at < line->end && *at != ' ' && *at != '\t')
    return 0;

  for (const char *rest = at; rest < line->end; rest++)
    if (*rest != ' ' && *rest != '\t')
      return (guint) (at - line->content);
  *weak = TRUE;
  return (guint) (at - line->content);
}

static void
open_item (TauMdSplitter *self,
           const Line    *line,
           guint          width)
{
  const char *at = line->content + width;
  guint gap = 0;

  for (; at < line->end && (*at == ' ' || *at == '\t'); at++)
    {
      gap++;
      self->lost |= *at == '\t';
    }
  /* An item that begins empty, or with an empty item, ends at the next blank line, whatever is indented then. */
  self->lost |= strspn (at, "-+*#0123456789.) \t\r") >= (gsize) (line->end - at);
  if (gap > 4)
    gap = 1;
  self->in_list = TRUE;
  self->item_indent = line->indent + width + gap;
  self->in_paragraph = TRUE;
}

static void
read_in_fence (TauMdSplitter *self,
               const Line    *line)
{
  gsize length = tau_md_source_fence_length (line->content, line->end, self->fence);
  const char *at = line->content + length;

  while (at < line->end && (*at == ' ' || *at == '\t'))
    at++;
  if (length >= self->fence_length && at == line->end && line->indent <= 3)
    {
      self->fence = 0;
      self->fresh = TRUE;
    }
}

static void
read_in_html (TauMdSplitter *self,
              const Line    *line)
{
  gboolean weak;

  if (self->html < HTML_MAYBE)
    {
      if (html_ends (self->html, line->start, line->end))
        self->html = 0;
    }
  else if (tau_md_source_fence_length (line->content, line->end, *line->content) > 0 ||
           (*line->content == '<' && html_kind (line) < HTML_MAYBE) || marker_width (line, &weak) > 0)
    {
      self->lost = TRUE;
    }
}

static gboolean
opens_fence (const Line *line)
{
  char mark = *line->content;
  gsize length;

  if (mark != '`' && mark != '~')
    return FALSE;
  length = tau_md_source_fence_length (line->content, line->end, mark);
  return length > 0 && (mark == '~' || !memchr (line->content + length, '`', line->end - line->content - length));
}

/* A line at the top level: outside of code and HTML, and not certainly inside of an item. */
static void
read_top_line (TauMdSplitter *self,
               const Line    *line,
               gsize          offset)
{
  gboolean weak = FALSE;
  guint width = is_rule (line) ? 0 : marker_width (line, &weak);
  gboolean fence = opens_fence (line);
  gboolean heading = is_heading (line);
  gboolean was_fresh = self->fresh;

  if (width > 0 && weak && self->in_paragraph && !self->in_list)
    self->lost = TRUE;
  if (line->indent == 0 && (fence || heading || (was_fresh && !(self->in_list && width > 0))))
    self->stable = offset;

  self->fresh = heading;
  if (width > 0)
    {
      open_item (self, line, width);
      return;
    }
  if (was_fresh || fence || heading || is_rule (line))
    self->in_list = FALSE;
  self->in_paragraph = !fence && !heading && !is_rule (line);
  if (fence)
    {
      self->fence = *line->content;
      self->fence_length = tau_md_source_fence_length (line->content, line->end, self->fence);
    }
  else if (*line->content == '<')
    {
      self->html = html_kind (line);
      self->lost |= self->html == HTML_MAYBE && self->in_list;
      self->in_list = FALSE;
      if (self->html < HTML_MAYBE && html_ends (self->html, line->content + 2, line->end))
        self->html = 0;
    }
}

static void
read_blank (TauMdSplitter *self)
{
  self->fresh = TRUE;
  self->in_paragraph = FALSE;
  if (self->html == HTML_MAYBE)
    self->html = 0;
}

static void
take_line (TauMdSplitter *self,
           const Line    *line,
           gsize          offset)
{
  gboolean blank = line->content == line->end;

  if (self->fence)
    {
      if (!blank)
        read_in_fence (self, line);
    }
  else if (self->html && self->html < HTML_MAYBE)
    {
      read_in_html (self, line);
    }
  else if (blank)
    {
      read_blank (self);
    }
  else if (self->html)
    {
      read_in_html (self, line);
    }
  else if (self->in_list && line->indent >= self->item_indent)
    {
      self->fresh = FALSE;
    }
  else if (line->indent >= 4)
    {
      /* Indented code, or a lazy line of a paragraph: neither opens anything, but md4c is not sure of the latter. */
      self->lost |= !self->fresh && (opens_fence (line) || *line->content == '<');
      self->fresh = FALSE;
    }
  else
    {
      read_top_line (self, line, offset);
    }
}

/**
 * tau_md_splitter_feed:
 * @self: a splitter
 * @text: the whole text, of which nothing seen before has changed
 * @length: bytes of @text
 *
 * Reads the lines that are complete now and were not before. Afterwards [field@MdSplitter.stable] says where the
 * text may be cut.
 */
void
tau_md_splitter_feed (TauMdSplitter *self,
                      const char    *text,
                      gsize          length)
{
  while (self->scanned < length)
    {
      const char *start = text + self->scanned;
      const char *end = memchr (start, '\n', length - self->scanned);
      gsize offset = self->scanned;
      Line line;

      if (!end)
        return;
      self->scanned = (gsize) (end - text) + 1;
      read_line (&line, start, end);
      if (!self->lost)
        take_line (self, &line, offset);
    }
}
