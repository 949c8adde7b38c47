/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-lines.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A session may have gigabytes, and a list of sessions wants a few lines of each. So a file is read in blocks, and of
 * a line no more is kept than a message with pictures can need; what is longer is given cut, and then it is no JSON. */
#define BLOCK_SIZE (256 * 1024)
#define MAX_LINE   (32 * 1024 * 1024)

struct _TauSessionLines
{
  int      fd;
  char    *buffer;
  gsize    allocated;
  gsize    start;      /* of the next line in the buffer */
  gsize    end;        /* of what the buffer holds */
  gint64   offset;     /* in the file, of the next line */
  gboolean has_newline;
};

static int
open_regular (const char *path,
              GError    **error)
{
  struct stat info;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);

  if (fd >= 0 && fstat (fd, &info) == 0 && S_ISREG (info.st_mode))
    return fd;
  if (fd < 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  else
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, _("%s is not a file"), path);
      g_close (fd, NULL);
    }
  return -1;
}

/**
 * tau_session_lines_open:
 * @path: a session file
 * @offset: where a line begins; 0 for all
 * @error: return location: %G_IO_ERROR
 *
 * Begins to read. Blocks, as all of this does.
 *
 * Returns: (transfer full) (nullable): the reader
 */
TauSessionLines *
tau_session_lines_open (const char *path,
                        gint64      offset,
                        GError    **error)
{
  TauSessionLines *self;
  int fd = open_regular (path, error);

  if (fd < 0)
    return NULL;
  if (lseek (fd, offset, SEEK_SET) < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
      g_close (fd, NULL);
      return NULL;
    }
  self = g_new0 (TauSessionLines, 1);
  self->fd = fd;
  self->offset = offset;
  self->allocated = BLOCK_SIZE;
  self->buffer = g_malloc (self->allocated);
  return self;
}

/**
 * tau_session_lines_free:
 * @self: (transfer full): a reader
 *
 * Ends reading.
 */
void
tau_session_lines_free (TauSessionLines *self)
{
  g_close (self->fd, NULL);
  g_free (self->buffer);
  g_free (self);
}

static void
make_room (TauSessionLines *self)
{
  if (self->start > 0)
    {
      memmove (self->buffer, self->buffer + self->start, self->end - self->start);
      self->end -= self->start;
      self->start = 0;
    }
  if (self->allocated - self->end < BLOCK_SIZE / 2)
    {
      self->allocated *= 2;
      self->buffer = g_realloc (self->buffer, self->allocated);
    }
}

/* Returns: whether there is more in the buffer than before. A file that cannot be read further ends there. */
static gboolean
read_block (TauSessionLines *self)
{
  gssize n;

  make_room (self);
  do
    n = read (self->fd, self->buffer + self->end, self->allocated - self->end);
  while (n < 0 && errno == EINTR);
  if (n <= 0)
    return FALSE;
  self->end += (gsize) n;
  return TRUE;
}

/* Takes @length bytes out of the buffer. */
static void
consume (TauSessionLines *self,
         gsize            length)
{
  self->start += length;
  self->offset += (gint64) length;
}

/* Returns: length of the next line with its end, or of what there is of it */
static gsize
fetch_line (TauSessionLines *self)
{
  gsize searched = 0;

  self->has_newline = FALSE;
  while (TRUE)
    {
      char *from = self->buffer + self->start;
      char *newline = memchr (from + searched, '\n', self->end - self->start - searched);

      self->has_newline = newline != NULL;
      if (newline != NULL)
        return (gsize) (newline - from) + 1;
      searched = self->end - self->start;
      if (searched >= MAX_LINE || !read_block (self))
        return searched;
    }
}

/**
 * tau_session_lines_next:
 * @self: a reader
 * @line: (out): the line without its end; valid until the next call
 * @length: (out): of the line
 *
 * Gives the next line. One that is too long to be kept is passed over.
 *
 * Returns: whether there was one
 */
gboolean
tau_session_lines_next (TauSessionLines *self,
                        const char     **line,
                        gsize           *length)
{
  gsize fetched = fetch_line (self);
  gboolean too_long = fetched >= MAX_LINE && !self->has_newline;

  while (too_long)
    {
      too_long = !self->has_newline && fetched > 0;
      consume (self, fetched);
      fetched = fetch_line (self);
    }
  *line = self->buffer + self->start;
  *length = fetched - (self->has_newline ? 1 : 0);
  consume (self, fetched);
  return fetched > 0;
}

/**
 * tau_session_lines_get_offset:
 * @self: a reader
 *
 * Returns: where in the file the next line begins
 */
gint64
tau_session_lines_get_offset (TauSessionLines *self)
{
  return self->offset;
}

/**
 * tau_session_lines_has_newline:
 * @self: a reader
 *
 * Returns: whether the line that was given last has its end; if not, it may be still being written
 */
gboolean
tau_session_lines_has_newline (TauSessionLines *self)
{
  return self->has_newline;
}
