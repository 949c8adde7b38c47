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
 * to the caller. The file passes through one buffer; entries remember where they stand and read themselves again. */

#define CHUNK (256 * 1024)   /* stays in a processor's cache */

typedef struct
{
  TauSessionText   *text;
  TauSessionSource *source;
  char             *buffer;
  gsize             size;      /* of the buffer */
  gsize             filled;
  gsize             line;      /* where the line begins that is not yet complete */
  gsize             searched;  /* no line end from @line to here */
  gint64            offset;    /* of the buffer in the file */
} Reading;

static void
object_cb (const TauSessionEnvelope *envelope,
           gpointer                  user_data)
{
  Reading *self = user_data;
  gint64 offset = self->offset + (envelope->object.text - self->buffer);
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

static gboolean
take_line (Reading *self,
           gsize    end)
{
  gboolean intact = tau_session_scan_line (self->buffer + self->line, end - self->line, object_cb, self);

  if (!intact)
    self->text->n_broken++;
  return intact;
}

static void
take_complete_lines (Reading *self)
{
  const char *newline;

  if (self->offset == 0 && self->line == 0 && self->filled >= 3 && memcmp (self->buffer, "\xEF\xBB\xBF", 3) == 0)
    self->line = self->searched = 3;
  while ((newline = memchr (self->buffer + self->searched, '\n', self->filled - self->searched)) != NULL)
    {
      take_line (self, (gsize) (newline - self->buffer));
      self->line = self->searched = (gsize) (newline - self->buffer) + 1;
    }
  self->searched = self->filled;
}

static void
take_last_line (Reading *self)
{
  gboolean blank = is_blank (self->buffer + self->line, self->filled - self->line);
  guint n_before = self->text->lines->len;
  gboolean intact = take_line (self, self->filled);

  if (blank)
    return;
  /* What is cut off must not hold anything that can be read. */
  self->text->lacks_newline = intact || self->text->lines->len > n_before;
  self->text->torn_at = self->text->lacks_newline ? -1 : self->offset + (gint64) self->line;
}

/* Room behind what is there: what was taken goes, and a line that fills the buffer makes it grow. */
static gboolean
make_room (Reading *self)
{
  char *buffer;

  memmove (self->buffer, self->buffer + self->line, self->filled - self->line);
  self->offset += (gint64) self->line;
  self->filled -= self->line;
  self->searched -= self->line;
  self->line = 0;
  if (self->size - self->filled >= CHUNK)
    return TRUE;
  buffer = g_try_realloc (self->buffer, self->size * 2);
  if (buffer == NULL)
    return FALSE;
  self->buffer = buffer;
  self->size *= 2;
  return TRUE;
}

static gboolean
read_lines (Reading *self,
            int      fd)
{
  gssize n = 1;

  self->size = CHUNK;
  self->buffer = g_malloc (self->size);
  while (n > 0)
    {
      n = read (fd, self->buffer + self->filled, self->size - self->filled);
      if (n < 0 && errno == EINTR)
        n = 1;
      else if (n > 0)
        {
          self->filled += (gsize) n;
          take_complete_lines (self);
          if (!make_room (self))
            return FALSE;
        }
    }
  if (n < 0)
    return FALSE;
  take_last_line (self);
  self->text->size = self->offset + (gint64) self->filled;
  return TRUE;
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
  g_autoptr(TauSessionSource) source = NULL;
  Reading reading = { 0 };
  struct stat info;
  int fd = open_regular (path, &info, error);
  gboolean ok;

  if (fd < 0)
    return NULL;
  if (offset > 0)
    lseek (fd, offset, SEEK_SET);
  source = tau_session_source_new (fd);
  self = g_new0 (TauSessionText, 1);
  self->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);
  self->device = info.st_dev;
  self->inode = info.st_ino;
  self->torn_at = -1;
  reading.text = self;
  reading.source = source;
  reading.offset = offset;
  ok = read_lines (&reading, fd);
  if (!ok)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  g_free (reading.buffer);
  return ok ? g_steal_pointer (&self) : NULL;
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
