/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-source.h"

#include <string.h>

/* What has to be read from the lines of a Markdown source because md4c does not tell it, or reads it otherwise
 * than GitHub does. */

/**
 * tau_md_source_skip_prefix:
 * @line: start of a line
 * @end: its end
 *
 * Returns: the first byte that is neither a space nor a quote's mark
 */
const char *
tau_md_source_skip_prefix (const char *line,
                           const char *end)
{
  while (line < end && (*line == ' ' || *line == '\t' || *line == '>'))
    line++;
  return line;
}

/**
 * tau_md_source_fence_length:
 * @line: where a fence may begin
 * @end: end of the line
 * @fence: its character
 *
 * Returns: how many of them stand there, 0 if fewer than three
 */
gsize
tau_md_source_fence_length (const char *line,
                            const char *end,
                            char        fence)
{
  const char *at = line;

  while (at < end && *at == fence)
    at++;
  return at - line >= 3 ? at - line : 0;
}

static gboolean
is_fence_only (const char *line,
               const char *end,
               char        fence)
{
  const char *at = line + tau_md_source_fence_length (line, end, fence);

  if (at == line)
    return FALSE;
  while (at < end && g_ascii_isspace (*at))
    at++;
  return at == end;
}

/* Start of the line that ends at @end; @end may point at its line feed. */
static const char *
line_start (const char *text,
            const char *end)
{
  while (end > text && end[-1] != '\n')
    end--;
  return end;
}

/**
 * tau_md_source_has_closing_fence:
 * @text: a source whose last block is fenced code
 * @length: bytes of @text
 * @fence: the fence's character
 * @code: the code in that block
 * @code_length: bytes of @code
 *
 * Code that is not at the end of the source is always closed.
 *
 * Returns: whether the source ends with the fence that closes the code
 */
gboolean
tau_md_source_has_closing_fence (const char *text,
                                 gsize       length,
                                 char        fence,
                                 const char *code,
                                 gsize       code_length)
{
  const char *end = text + length;
  const char *line, *before;

  while (end > text && g_ascii_isspace (end[-1]))
    end--;
  line = line_start (text, end);
  before = line > text ? line_start (text, line - 1) : NULL;
  if (!is_fence_only (tau_md_source_skip_prefix (line, end), end, fence))
    return FALSE;
  if (code_length > 0)
    {
      const char *code_end = code + code_length;

      /* The last line is a fence, but one that stands in the code if it is the code's last line too. */
      while (code_end > code && g_ascii_isspace (code_end[-1]))
        code_end--;
      code = line_start (code, code_end);
      line = tau_md_source_skip_prefix (line, end);
      return code_end - code != end - line || memcmp (line, code, end - line) != 0;
    }
  return before && tau_md_source_fence_length (tau_md_source_skip_prefix (before, line - 1), line - 1, fence) > 0;
}

/* A line such as |-|:-:| below a table's head, with a cell of fewer than three dashes. */
static gboolean
is_short_delimiter (const char *line,
                    const char *end)
{
  const char *at = tau_md_source_skip_prefix (line, end);
  gboolean has_pipe = FALSE;
  guint n_dashes = 0, shortest = G_MAXUINT;

  for (; at < end; at++)
    {
      if (*at == '-')
        n_dashes++;
      else if (*at == '|' || *at == '\r')
        {
          has_pipe |= *at == '|';
          if (n_dashes > 0)
            shortest = MIN (shortest, n_dashes);
          n_dashes = 0;
        }
      else if (*at != ':' && *at != ' ' && *at != '\t')
        return FALSE;
    }
  if (n_dashes > 0)
    shortest = MIN (shortest, n_dashes);
  return has_pipe && shortest < 3;
}

static void
append_widened (GString    *target,
                const char *line,
                const char *end)
{
  for (const char *at = line; at < end; at++)
    {
      g_string_append_c (target, *at);
      if (*at == '-' && (at + 1 == end || at[1] != '-'))
        g_string_append (target, "--");
    }
}

/**
 * tau_md_source_widen_delimiters:
 * @text: a source
 * @length: bytes of @text
 *
 * md4c before 0.5 wants three dashes in each cell of a table's second line; GitHub and models write fewer.
 *
 * Returns: (transfer full) (nullable): the source with three, or %NULL where nothing is to be changed
 */
char *
tau_md_source_widen_delimiters (const char *text,
                                gsize       length)
{
  const char *end = text + length;
  GString *wide = NULL;
  const char *copied = text;
  gboolean previous_has_pipe = FALSE;
  char fence = 0;

  for (const char *line = text; line < end;)
    {
      const char *line_end = memchr (line, '\n', end - line);
      const char *content;

      line_end = line_end ? line_end : end;
      content = tau_md_source_skip_prefix (line, line_end);
      if (content < line_end && (*content == '`' || *content == '~') && (!fence || *content == fence) &&
          tau_md_source_fence_length (content, line_end, *content) > 0)
        fence = fence ? 0 : *content;
      if (!fence && previous_has_pipe && is_short_delimiter (line, line_end))
        {
          wide = wide ? wide : g_string_sized_new (length + 64);
          g_string_append_len (wide, copied, line - copied);
          append_widened (wide, line, line_end);
          copied = line_end;
        }
      previous_has_pipe = memchr (line, '|', line_end - line) != NULL;
      line = line_end + 1;
    }
  if (!wide)
    return NULL;
  g_string_append_len (wide, copied, end - copied);
  return g_string_free (wide, FALSE);
}

