/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-session-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads a session file and takes whatever is in it. Judges nothing: what a missing header or a broken line means is up
 * to the caller. */

typedef struct
{
  TauSessionText *text;
  GBytes         *bytes;
} Reading;

static void
object_cb (const TauSessionEnvelope *envelope,
           gpointer                  user_data)
{
  Reading *reading = user_data;

  g_ptr_array_add (reading->text->lines, tau_session_entry_new_from_file (reading->bytes, envelope));
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
read_lines (TauSessionText *self,
            GBytes         *bytes,
            gint64          offset)
{
  Reading reading = { self, bytes };
  gsize length;
  const char *start = g_bytes_get_data (bytes, &length);
  const char *end = start + length;
  const char *at = start;

  if (offset == 0 && length >= 3 && memcmp (at, "\xEF\xBB\xBF", 3) == 0)
    at += 3;
  while (at < end)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));
      const char *line_end = newline != NULL ? newline : end;
      gsize line_length = (gsize) (line_end - at);
      guint n_before = self->lines->len;
      gboolean intact = tau_session_scan_line (at, line_length, object_cb, &reading);

      if (!intact)
        self->n_broken++;
      if (newline == NULL && !is_blank (at, line_length))
        {
          /* What is cut off must not hold anything that can be read. */
          self->lacks_newline = intact || self->lines->len > n_before;
          self->torn_at = self->lacks_newline ? -1 : offset + (gint64) (at - start);
        }
      at = newline != NULL ? newline + 1 : end;
    }
}

static int
open_regular (const char *path,
              struct stat *info,
              GError     **error)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);

  if (fd >= 0 && fstat (fd, info) == 0 && S_ISREG (info->st_mode))
    return fd;
  if (fd < 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, _("%s is not a file"), path);
  if (fd >= 0)
    g_close (fd, NULL);
  return -1;
}

static GBytes *
read_all (int          fd,
          const char  *path,
          gsize        expected,
          GError     **error)
{
  g_autoptr(GByteArray) bytes = g_byte_array_sized_new ((guint) MIN (expected + 1, G_MAXINT));
  guint8 buffer[64 * 1024];
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
          return NULL;
        }
      g_byte_array_append (bytes, buffer, (guint) n);
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/**
 * tau_session_text_read_from:
 * @path: a session file
 * @offset: where a line begins
 * @error: return location
 *
 * Blocking; fails only if the bytes cannot be had.
 *
 * Returns: (transfer full) (nullable): what stands in it from there on
 */
TauSessionText *
tau_session_text_read_from (const char *path,
                            gint64      offset,
                            GError    **error)
{
  g_autoptr(TauSessionText) self = NULL;
  g_autoptr(GBytes) bytes = NULL;
  struct stat info;
  int fd = open_regular (path, &info, error);

  if (fd < 0)
    return NULL;
  if (offset > 0)
    lseek (fd, offset, SEEK_SET);
  bytes = read_all (fd, path, (gsize) MAX (0, info.st_size - offset), error);
  g_close (fd, NULL);
  if (bytes == NULL)
    return NULL;

  self = g_new0 (TauSessionText, 1);
  self->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);
  self->size = offset + (gint64) g_bytes_get_size (bytes);
  self->device = info.st_dev;
  self->inode = info.st_ino;
  self->torn_at = -1;
  read_lines (self, bytes, offset);
  return g_steal_pointer (&self);
}

/**
 * tau_session_text_read:
 * @path: a session file
 * @error: return location
 *
 * Blocking; fails only if the bytes cannot be had.
 *
 * Returns: (transfer full) (nullable): what stands in it
 */
TauSessionText *
tau_session_text_read (const char *path,
                       GError    **error)
{
  return tau_session_text_read_from (path, 0, error);
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
