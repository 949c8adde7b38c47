/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-reader.h"

#include "core/session/tau-session-lines.h"
#include "core/session/tau-session-scan.h"

#include <errno.h>
#include <sys/stat.h>

/* Reads a session file and takes whatever is in it. Judges nothing: what a missing header or a broken line means is up
 * to the caller. Entries remember where they stand and read themselves again. */

typedef struct
{
  TauSessionText   *text;
  TauSessionSource *source;
  const char       *line;
  gint64            start;      /* of the line in the file */
  gboolean          is_blank;   /* the line, which is the last one */
} Reading;

static void
object_cb (const TauSessionEnvelope *envelope,
           gpointer                  user_data)
{
  Reading *self = user_data;
  gint64 offset = self->start + (envelope->object.text - self->line);
  TauSessionEntry *entry = tau_session_entry_new_from_file (self->source, offset, envelope);

  g_ptr_array_add (self->text->lines, entry);
  if (tau_session_entry_get_kind (entry) == TAU_ENTRY_MESSAGE)
    tau_usage_add (&self->text->usage, &envelope->usage);
}

static gboolean
is_blank (const char *line,
          gsize       length)
{
  while (length > 0 && g_ascii_isspace (line[length - 1]))
    length--;
  return length == 0;
}

static void
take_line (Reading *self,
           gsize    length,
           gboolean has_newline)
{
  guint n_before = self->text->lines->len;
  gboolean intact = tau_session_scan_line (self->line, length, object_cb, self);

  if (!intact)
    self->text->n_broken++;
  if (has_newline)
    return;
  self->is_blank = is_blank (self->line, length);
  /* What is cut off must not hold anything that can be read. */
  if (!self->is_blank && !intact && self->text->lines->len == n_before)
    self->text->torn_at = self->start;
}

static gboolean
read_lines (Reading         *self,
            TauSessionLines *lines,
            GCancellable    *cancellable,
            GError         **error)
{
  gsize length;

  while (tau_session_lines_next (lines, &self->line, &length))
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      self->start = tau_session_lines_get_start (lines);
      take_line (self, length, tau_session_lines_has_newline (lines));
    }
  self->text->size = tau_session_lines_get_offset (lines);
  self->text->n_broken += tau_session_lines_get_n_passed_over (lines);
  self->text->lacks_newline = !tau_session_lines_has_newline (lines) && !self->is_blank && self->text->torn_at < 0;
  return TRUE;
}

static TauSessionText *
text_new (int fd)
{
  TauSessionText *self = g_new0 (TauSessionText, 1);
  struct stat info;

  self->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);
  self->torn_at = -1;
  if (fstat (fd, &info) == 0)
    {
      self->device = info.st_dev;
      self->inode = info.st_ino;
      self->changed_ns = (gint64) info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info.st_mtim.tv_nsec;
    }
  return self;
}

static void
fail (const char *path,
      int         code,
      GError    **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
}

/**
 * tau_session_text_read_from:
 * @path: a session file
 * @offset: where a line begins
 * @cancellable: (nullable): stops it
 * @error: return location
 *
 * Blocking; fails only if the bytes cannot be had or it was cancelled.
 *
 * Returns: (transfer full) (nullable): what stands in it from there on
 */
TauSessionText *
tau_session_text_read_from (const char   *path,
                            gint64        offset,
                            GCancellable *cancellable,
                            GError      **error)
{
  g_autoptr(TauSessionLines) lines = tau_session_lines_open (path, offset, TAU_SESSION_LINE_MAX, error);
  int fd = lines != NULL ? tau_session_lines_dup_descriptor (lines) : -1;
  g_autoptr(TauSessionSource) source = NULL;
  g_autoptr(TauSessionText) self = NULL;
  Reading reading = { 0 };

  if (lines == NULL)
    return NULL;
  if (fd < 0)
    {
      fail (path, errno, error);
      return NULL;
    }
  self = text_new (fd);
  source = tau_session_source_new (fd);
  reading.text = self;
  reading.source = source;
  if (!read_lines (&reading, lines, cancellable, error))
    return NULL;
  if (tau_session_lines_get_error (lines) != 0)
    {
      fail (path, tau_session_lines_get_error (lines), error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * tau_session_text_read:
 * @path: a session file
 * @cancellable: (nullable): stops it
 * @error: return location
 *
 * Blocking; fails only if the bytes cannot be had or it was cancelled.
 *
 * Returns: (transfer full) (nullable): what stands in it
 */
TauSessionText *
tau_session_text_read (const char   *path,
                       GCancellable *cancellable,
                       GError      **error)
{
  return tau_session_text_read_from (path, 0, cancellable, error);
}

/**
 * tau_session_text_free:
 * @self: (transfer full): a text
 *
 * Frees it.
 */
void
tau_session_text_free (TauSessionText *self)
{
  g_ptr_array_unref (self->lines);
  g_free (self);
}

/**
 * tau_session_text_has_header:
 * @self: a text
 *
 * Returns: whether the first object is a header with an id: only then is it a session
 */
gboolean
tau_session_text_has_header (TauSessionText *self)
{
  TauSessionEntry *first;

  if (self->lines->len == 0)
    return FALSE;
  first = g_ptr_array_index (self->lines, 0);
  return tau_session_entry_get_kind (first) == TAU_ENTRY_SESSION && tau_session_entry_get_id (first) != NULL;
}
