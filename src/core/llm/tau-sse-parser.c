/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-sse-parser.h"

#include <string.h>

/* A push parser for text/event-stream (WHATWG HTML, "Server-sent events"). Bytes go in as the network cuts them, whole events
 * come out. It keeps at most one line and one event; its buffers are reused, so that an event costs no allocation.
 * It differs from the standard in one point: an event that the end of the stream cuts off before its blank line is
 * handed out, since several servers forget that line. Who needs a certain end must look for it in the data. */

static const guchar byte_order_mark[] = { 0xef, 0xbb, 0xbf };

/* Gives the memory of an unusually large event back. */
static void
reset_buffer (GString *buffer)
{
  if (buffer->allocated_len > 1024 * 1024)
    {
      g_free (buffer->str);
      buffer->str = g_malloc (4096);
      buffer->allocated_len = 4096;
    }
  g_string_truncate (buffer, 0);
}

static void
dispatch (TauSseParser *self)
{
  if (self->has_data)
    self->func (self->name->str, self->data->str, self->data->len, self->user_data);

  self->has_data = FALSE;
  reset_buffer (self->data);
  g_string_truncate (self->name, 0);
}

static gboolean
field_is (const char *line,
          gsize       field_length,
          const char *field)
{
  return field_length == strlen (field) && memcmp (line, field, field_length) == 0;
}

static void
take_field (TauSseParser *self,
            const char   *line,
            gsize         length)
{
  const char *colon = memchr (line, ':', length);
  gsize field_length = colon != NULL ? (gsize) (colon - line) : length;
  const char *value = colon != NULL ? colon + 1 : line + length;
  gsize value_length = (gsize) (line + length - value);

  if (value_length > 0 && *value == ' ')
    {
      value++;
      value_length--;
    }

  if (field_is (line, field_length, "data"))
    {
      if (self->has_data)
        g_string_append_c (self->data, '\n');
      g_string_append_len (self->data, value, (gssize) value_length);
      self->has_data = TRUE;
    }
  else if (field_is (line, field_length, "event"))
    {
      g_string_truncate (self->name, 0);
      g_string_append_len (self->name, value, (gssize) value_length);
    }
  /* id and retry are for clients that reconnect; unknown fields are to be ignored. */
}

static void
take_line (TauSseParser *self,
           const char   *line,
           gsize         length)
{
  if (length == 0)
    dispatch (self);
  else if (line[0] != ':')
    take_field (self, line, length);
}

/* The first byte of @bytes that ends a line, or the end. */
static const char *
find_line_end (const char *bytes,
               const char *end)
{
  const char *line_feed = memchr (bytes, '\n', (gsize) (end - bytes));
  const char *stop = line_feed != NULL ? line_feed : end;
  const char *carriage_return = memchr (bytes, '\r', (gsize) (stop - bytes));

  return carriage_return != NULL ? carriage_return : stop;
}

/* A byte order mark may itself be cut by the network; bytes that turn out not to be one are given to the line. */
static const char *
skip_byte_order_mark (TauSseParser *self,
                      const char   *bytes,
                      const char   *end)
{
  while (self->bom_seen < 3 && bytes < end)
    {
      if ((guchar) *bytes != byte_order_mark[self->bom_seen])
        {
          g_string_append_len (self->line, (const char *) byte_order_mark, self->bom_seen);
          self->bom_seen = 3;
          break;
        }
      self->bom_seen++;
      bytes++;
    }

  return bytes;
}

static gboolean
check_limit (TauSseParser *self,
             gsize         more,
             GError      **error)
{
  if (more <= self->limit && self->line->len + self->data->len <= self->limit - more)
    return TRUE;

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE,
               "an event of the stream is larger than %" G_GSIZE_FORMAT " MiB", self->limit / (1024 * 1024));
  return FALSE;
}

/**
 * tau_sse_parser_init:
 * @self: a parser, uninitialised
 * @limit: bytes that one event may have before the stream counts as broken
 * @func: takes the events
 * @user_data: for @func
 *
 * Makes a parser ready for a new stream. Free what it holds with tau_sse_parser_clear().
 */
void
tau_sse_parser_init (TauSseParser   *self,
                     gsize           limit,
                     TauSseEventFunc func,
                     gpointer        user_data)
{
  g_return_if_fail (func != NULL);

  *self = (TauSseParser) {
    .func = func,
    .user_data = user_data,
    .line = g_string_sized_new (1024),
    .name = g_string_sized_new (64),
    .data = g_string_sized_new (4096),
    .limit = limit,
  };
}

/**
 * tau_sse_parser_clear:
 * @self: a parser
 *
 * Frees what the parser holds. An unfinished event is dropped; see tau_sse_parser_finish().
 */
void
tau_sse_parser_clear (TauSseParser *self)
{
  if (self->line != NULL)
    {
      g_string_free (self->line, TRUE);
      g_string_free (self->name, TRUE);
      g_string_free (self->data, TRUE);
    }
  memset (self, 0, sizeof *self);
}

/**
 * tau_sse_parser_push:
 * @self: a parser
 * @bytes: what the network gave
 * @size: how many bytes
 * @error: return location
 *
 * Takes the next bytes and hands out the events that they complete. Lines may end in LF, CR or CRLF, and
 * the network may cut anywhere.
 *
 * Returns: %FALSE with %G_IO_ERROR_MESSAGE_TOO_LARGE if an event is beyond the limit; the parser is of no use then
 */
gboolean
tau_sse_parser_push (TauSseParser *self,
                     const char   *bytes,
                     gsize         size,
                     GError      **error)
{
  const char *end = bytes + size;

  bytes = skip_byte_order_mark (self, bytes, end);
  while (bytes < end)
    {
      const char *stop;

      if (self->skip_lf && *bytes == '\n')
        bytes++;
      self->skip_lf = FALSE;
      if (bytes == end)
        break;

      stop = find_line_end (bytes, end);
      if (!check_limit (self, (gsize) (stop - bytes), error))
        return FALSE;

      if (stop == end || self->line->len > 0)
        g_string_append_len (self->line, bytes, stop - bytes);
      if (stop == end)
        break;

      if (self->line->len > 0)
        take_line (self, self->line->str, self->line->len);
      else
        take_line (self, bytes, (gsize) (stop - bytes));
      reset_buffer (self->line);
      self->skip_lf = *stop == '\r';
      bytes = stop + 1;
    }

  return TRUE;
}

/**
 * tau_sse_parser_finish:
 * @self: a parser
 *
 * The stream has ended: hands out an event that still waits for its blank line.
 */
void
tau_sse_parser_finish (TauSseParser *self)
{
  if (self->line->len > 0)
    take_line (self, self->line->str, self->line->len);
  g_string_truncate (self->line, 0);
  dispatch (self);
}
