/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-output-log.h"

#include "core/base/tau-text.h"
#include "core/tool/tau-log-file.h"
#include "core/tool/tau-text-decoder.h"

#include <string.h>

/* The output of a command, however much it is: its end in memory, all of it in a file once it is more than a result
 * may hold. Memory is bounded, as long as whoever pushes heeds the backlog. Bytes that are not UTF-8 are read in the
 * locale's encoding, or become U+FFFD, in memory and stay what they are in the file.
 * A *clean* log is for people: without escape sequences and control characters, also in the file. The file stays
 * when the log is freed, since results name it. */
struct _TauOutputLog
{
  gboolean clean;
  TauTextDecoder *decoder;
  GString *held;   /* clean: text whose escape sequence is not complete */
  GString *tail;   /* the last TAIL_BYTES at least */
  GString *unsaved; /* what the file will begin with; NULL once there is one */
  TauLogFile *file; /* NULL while the output is small, or if none could be made */
  gint64 raw_bytes;
  gint64 total_bytes; /* of decoded text */
  gint64 total_lines;
  gint64 last_line_bytes;
};

#define TAIL_BYTES ((gsize) 2 * TAU_TRUNCATE_MAX_BYTES)
/* A runaway command must not fill the disk. */
#define MAX_FILE_BYTES ((gint64) 2 * 1024 * 1024 * 1024)
/* No escape sequence of sane programs is longer. */
#define MAX_ESCAPE_BYTES 256

/**
 * tau_output_log_new:
 * @clean: whether the output is for people rather than for the model
 *
 * Returns: (transfer full): an empty log
 */
TauOutputLog *
tau_output_log_new (gboolean clean)
{
  TauOutputLog *self = g_new0 (TauOutputLog, 1);

  self->clean = clean;
  self->decoder = tau_text_decoder_new_for_output ();
  self->held = g_string_new (NULL);
  self->tail = g_string_new (NULL);
  self->unsaved = g_string_new (NULL);
  self->total_lines = 1;
  return self;
}

/**
 * tau_output_log_free:
 * @self: (transfer full): a log
 *
 * Frees the log. A file that it has written stays.
 */
void
tau_output_log_free (TauOutputLog *self)
{
  g_clear_pointer (&self->file, tau_log_file_free);
  tau_text_decoder_free (self->decoder);
  g_string_free (self->held, TRUE);
  g_string_free (self->tail, TRUE);
  if (self->unsaved != NULL)
    g_string_free (self->unsaved, TRUE);
  g_free (self);
}

static void
open_file (TauOutputLog *self)
{
  g_autoptr(GBytes) unsaved = g_string_free_to_bytes (g_steal_pointer (&self->unsaved));

  self->file = tau_log_file_new (MAX_FILE_BYTES);
  if (self->file != NULL)
    tau_log_file_write (self->file, unsaved);
}

static void
save (TauOutputLog *self,
      const char   *bytes,
      gsize         length)
{
  g_autoptr(GBytes) copy = NULL;

  if (self->unsaved != NULL)
    {
      g_string_append_len (self->unsaved, bytes, length);
      return;
    }
  if (self->file == NULL || length == 0)
    return;
  copy = g_bytes_new (bytes, length);
  tau_log_file_write (self->file, copy);
}

static void
add_text (TauOutputLog *self,
          const char   *text,
          gsize         length)
{
  const char *end = text + length;
  const char *last = memrchr (text, '\n', length);

  self->total_bytes += length;
  self->last_line_bytes = last != NULL ? end - last - 1 : self->last_line_bytes + (gint64) length;
  self->total_lines += (gint64) tau_text_count_lines (text, (gssize) length) - 1;

  if (length > 2 * TAIL_BYTES)
    {
      text = end - 2 * TAIL_BYTES;
      length = end - text;
    }
  g_string_append_len (self->tail, text, length);
  if (self->tail->len > 4 * TAIL_BYTES)
    {
      gsize cut = self->tail->len - TAIL_BYTES;

      while (((guint8) self->tail->str[cut] & 0xc0) == 0x80)
        cut++;
      g_string_erase (self->tail, 0, cut);
    }
}

/* How much of @text can be cleaned now: all before an escape sequence that may go on. */
static gsize
complete_length (const char *text,
                 gsize       length)
{
  const char *escape = memrchr (text, '\033', length);

  return escape != NULL && text + length - escape < MAX_ESCAPE_BYTES ? (gsize) (escape - text) : length;
}

static void
add_clean (TauOutputLog *self,
           const char   *text,
           gsize         length,
           gboolean      at_end)
{
  g_autofree char *clean = NULL;
  gsize ready;

  g_string_append_len (self->held, text, length);
  ready = at_end ? self->held->len : complete_length (self->held->str, self->held->len);
  clean = tau_text_clean_output (self->held->str, ready);
  g_string_erase (self->held, 0, ready);
  save (self, clean, strlen (clean));
  add_text (self, clean, strlen (clean));
}

static void
take (TauOutputLog *self,
      GString      *text,
      gboolean      at_end)
{
  if (self->clean)
    add_clean (self, text->str, text->len, at_end);
  else
    add_text (self, text->str, text->len);

  if (self->unsaved != NULL
      && (self->raw_bytes > TAU_TRUNCATE_MAX_BYTES || self->total_bytes > TAU_TRUNCATE_MAX_BYTES
          || self->total_lines > TAU_TRUNCATE_MAX_LINES))
    open_file (self);
}

/**
 * tau_output_log_push:
 * @self: a log
 * @bytes: what the command wrote
 * @length: bytes of @bytes
 *
 * Takes output.
 */
void
tau_output_log_push (TauOutputLog *self,
                     const void   *bytes,
                     gsize         length)
{
  g_autoptr(GString) text = g_string_sized_new (length + 8);

  self->raw_bytes += length;
  if (!self->clean)
    save (self, bytes, length);
  tau_text_decoder_push (self->decoder, bytes, length, text);
  take (self, text, FALSE);
}

/**
 * tau_output_log_finish:
 * @self: a log
 *
 * Says that no more output comes.
 */
void
tau_output_log_finish (TauOutputLog *self)
{
  g_autoptr(GString) text = g_string_new (NULL);

  tau_text_decoder_finish (self->decoder, text);
  take (self, text, TRUE);
}

/**
 * tau_output_log_is_empty:
 * @self: a log
 *
 * Returns: whether there was no output yet
 */
gboolean
tau_output_log_is_empty (TauOutputLog *self)
{
  return self->total_bytes == 0;
}

/**
 * tau_output_log_truncate:
 * @self: a log
 *
 * Cuts the output so far to what a result may hold: its end.
 *
 * Returns: (transfer full): the end, with the totals of all output
 */
TauTruncation *
tau_output_log_truncate (TauOutputLog *self)
{
  TauTruncation *truncation = tau_truncate_tail (self->tail->str, self->tail->len,
                                                 TAU_TRUNCATE_MAX_LINES, TAU_TRUNCATE_MAX_BYTES);

  truncation->total_lines = self->total_lines;
  truncation->total_bytes = self->total_bytes;
  return truncation;
}

/**
 * tau_output_log_get_last_line_bytes:
 * @self: a log
 *
 * Returns: bytes of the last line
 */
gint64
tau_output_log_get_last_line_bytes (TauOutputLog *self)
{
  return self->last_line_bytes;
}

/**
 * tau_output_log_get_path:
 * @self: a log
 *
 * Returns: (transfer none) (nullable): the file with all output; %NULL while the output is small
 */
const char *
tau_output_log_get_path (TauOutputLog *self)
{
  return self->file != NULL ? tau_log_file_get_path (self->file) : NULL;
}

/**
 * tau_output_log_get_backlog:
 * @self: a log
 *
 * What the file lacks yet, since it is written in the background. Whoever reads a command's output stops reading while
 * this is large, and gives the log to others when it is 0.
 *
 * Returns: bytes
 */
gsize
tau_output_log_get_backlog (TauOutputLog *self)
{
  return self->file != NULL ? tau_log_file_get_backlog (self->file) : 0;
}
