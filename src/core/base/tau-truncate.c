/* SPDX-License-Identifier: MIT */
#include "core/base/tau-truncate.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"

#include <string.h>

/* Keeps what a model gets to see of a long text: whole lines, from the start or from the end, within a limit of lines and
 * one of bytes. A text is what lies between its LFs, so one that ends in LF has an empty last line. */

static TauTruncation *
new_truncation (const char *text,
                gsize       size,
                gint64      max_lines,
                gint64      max_bytes)
{
  TauTruncation *self = g_new0 (TauTruncation, 1);

  self->total_lines = (gint64) tau_text_count_lines (text, (gssize) size);
  self->total_bytes = (gint64) size;
  self->max_lines = max_lines;
  self->max_bytes = max_bytes;
  self->truncated = self->total_lines > max_lines || self->total_bytes > max_bytes;
  return self;
}

static TauTruncation *
take_content (TauTruncation *self,
              const char    *from,
              const char    *to,
              gint64         lines)
{
  self->content = g_strndup (from, (gsize) (to - from));
  self->output_bytes = to - from;
  self->output_lines = lines;
  return self;
}

/**
 * tau_truncate_head:
 * @text: UTF-8
 * @length: bytes, or -1
 * @max_lines: most lines to keep
 * @max_bytes: most bytes to keep, with the LFs between the lines
 *
 * Keeps whole lines from the start of @text. If not even the first fits, nothing is kept.
 *
 * Returns: (transfer full): what was kept
 */
TauTruncation *
tau_truncate_head (const char *text,
                   gssize      length,
                   gint64      max_lines,
                   gint64      max_bytes)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  TauTruncation *self = new_truncation (text, size, max_lines, max_bytes);
  const char *end = text + size;
  const char *kept = text;
  gint64 lines = 0;

  if (!self->truncated)
    return take_content (self, text, end, self->total_lines);

  self->by = TAU_TRUNCATED_BY_LINES;
  while (lines < max_lines)
    {
      const char *line = lines == 0 ? text : kept + 1;
      const char *stop = memchr (line, '\n', (gsize) (end - line));

      if (stop == NULL)
        stop = end;
      if (stop - text > max_bytes)
        {
          self->by = TAU_TRUNCATED_BY_BYTES;
          break;
        }
      kept = stop;
      lines++;
    }

  self->first_line_exceeds_limit = lines == 0 && self->by == TAU_TRUNCATED_BY_BYTES;
  return take_content (self, text, kept, lines);
}

/* The end of a line that is too long by itself. */
static TauTruncation *
keep_line_end (TauTruncation *self,
               const char    *line,
               const char    *end)
{
  const char *from = end - MIN (self->max_bytes, end - line);

  while (from < end && ((guchar) *from & 0xc0) == 0x80)
    from++;

  self->last_line_partial = TRUE;
  return take_content (self, from, end, 1);
}

/**
 * tau_truncate_tail:
 * @text: UTF-8
 * @length: bytes, or -1
 * @max_lines: most lines to keep
 * @max_bytes: most bytes to keep, with the LFs between the lines
 *
 * Keeps whole lines from the end of @text. If the last line alone is too long, its end is kept, from a whole character on.
 *
 * Returns: (transfer full): what was kept
 */
TauTruncation *
tau_truncate_tail (const char *text,
                   gssize      length,
                   gint64      max_lines,
                   gint64      max_bytes)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  TauTruncation *self = new_truncation (text, size, max_lines, max_bytes);
  const char *end = text + size;
  const char *kept = end;
  gint64 lines = 0;

  if (!self->truncated)
    return take_content (self, text, end, self->total_lines);

  self->by = TAU_TRUNCATED_BY_LINES;
  while (lines < max_lines)
    {
      const char *stop = lines == 0 ? end : kept - 1;
      const char *line_feed = memrchr (text, '\n', (gsize) (stop - text));
      const char *line = line_feed != NULL ? line_feed + 1 : text;

      if (end - line > max_bytes)
        {
          self->by = TAU_TRUNCATED_BY_BYTES;
          if (lines == 0)
            return keep_line_end (self, line, end);
          break;
        }
      kept = line;
      lines++;
    }

  return take_content (self, kept, end, lines);
}

/**
 * tau_truncation_free:
 * @self: (nullable) (transfer full): a result
 *
 * Frees it.
 */
void
tau_truncation_free (TauTruncation *self)
{
  if (self == NULL)
    return;

  g_free (self->content);
  g_free (self);
}

static JsonNode *
by_to_json (TauTruncatedBy by)
{
  switch (by)
    {
    case TAU_TRUNCATED_BY_LINES:
      return tau_json_node_new_string ("lines");
    case TAU_TRUNCATED_BY_BYTES:
      return tau_json_node_new_string ("bytes");
    case TAU_TRUNCATED_BY_NONE:
    default:
      return tau_json_node_new_null ();
    }
}

/**
 * tau_truncation_to_json:
 * @self: a result
 *
 * Writes a result as session files hold it in the details of a tool result, with the keys in pi's order.
 *
 * Returns: (transfer full): an object
 */
JsonNode *
tau_truncation_to_json (const TauTruncation *self)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "content", self->content);
  json_object_set_boolean_member (object, "truncated", self->truncated);
  tau_json_object_set (object, "truncatedBy", by_to_json (self->by));
  json_object_set_int_member (object, "totalLines", self->total_lines);
  json_object_set_int_member (object, "totalBytes", self->total_bytes);
  json_object_set_int_member (object, "outputLines", self->output_lines);
  json_object_set_int_member (object, "outputBytes", self->output_bytes);
  json_object_set_boolean_member (object, "lastLinePartial", self->last_line_partial);
  json_object_set_boolean_member (object, "firstLineExceedsLimit", self->first_line_exceeds_limit);
  json_object_set_int_member (object, "maxLines", self->max_lines);
  json_object_set_int_member (object, "maxBytes", self->max_bytes);

  return tau_json_node_new_object (object);
}
