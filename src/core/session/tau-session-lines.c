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

/* The one loop that reads session files. They may have gigabytes and pass through one buffer, which grows to the longest
 * line; what is longer than the caller can use is passed over and counted. */
#define BLOCK_SIZE (256 * 1024)        /* stays in a processor's cache */
#define MAX_READ   (4 * 1024 * 1024)   /* a long line does not bring as much again of what is behind it */

struct _TauSessionLines
{
  int      fd;
  char    *buffer;
  gsize    allocated;
  gsize    max_line;
  gsize    start;         /* of the next line in the buffer */
  gsize    end;           /* of what the buffer holds */
  gint64   offset;        /* in the file, of the next line */
  gint64   line_start;    /* in the file, of the line given last */
  gboolean has_newline;
  guint    n_passed_over;
  int      error;         /* an errno value: why reading ended before the file did */
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

/* Some editors put a mark before the text (U+FEFF), which belongs to no line. */
static gint64
length_of_mark (int fd)
{
  char first[3];

  return pread (fd, first, sizeof first, 0) == sizeof first && memcmp (first, "\xEF\xBB\xBF", sizeof first) == 0 ? sizeof first : 0;
}

/**
 * tau_session_lines_open:
 * @path: a session file
 * @offset: where a line begins; 0 for all
 * @max_line: bytes of the longest line that is wanted
 * @error: return location: %G_IO_ERROR
 *
 * Begins to read. Blocks, as all of this does.
 *
 * Returns: (transfer full) (nullable): the reader
 */
TauSessionLines *
tau_session_lines_open (const char *path,
                        gint64      offset,
                        gsize       max_line,
                        GError    **error)
{
  TauSessionLines *self;
  int fd = open_regular (path, error);

  if (fd < 0)
    return NULL;
  if (offset == 0)
    offset = length_of_mark (fd);
  if (lseek (fd, offset, SEEK_SET) < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
      g_close (fd, NULL);
      return NULL;
    }
  self = g_new0 (TauSessionLines, 1);
  self->fd = fd;
  self->max_line = max_line;
  self->offset = offset;
  self->has_newline = TRUE;
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

static gboolean
make_room (TauSessionLines *self)
{
  char *larger;

  if (self->start > 0)
    {
      memmove (self->buffer, self->buffer + self->start, self->end - self->start);
      self->end -= self->start;
      self->start = 0;
    }
  if (self->allocated - self->end >= BLOCK_SIZE / 2)
    return TRUE;
  larger = g_try_realloc (self->buffer, self->allocated * 2);
  if (larger == NULL)
    {
      self->error = ENOMEM;
      return FALSE;
    }
  self->buffer = larger;
  self->allocated *= 2;
  return TRUE;
}

/* Returns: whether there is more in the buffer than before */
static gboolean
read_block (TauSessionLines *self)
{
  gssize n;

  if (!make_room (self))
    return FALSE;
  do
    n = read (self->fd, self->buffer + self->end, MIN (self->allocated - self->end, MAX_READ));
  while (n < 0 && errno == EINTR);
  if (n < 0)
    self->error = errno;
  if (n <= 0)
    return FALSE;
  self->end += (gsize) n;
  return TRUE;
}

/* Returns: length of the next line with its end, or of what there is of it, or of more of it than is wanted */
static gsize
fetch_line (TauSessionLines *self,
            gboolean        *has_newline)
{
  gsize searched = 0;

  while (TRUE)
    {
      char *from = self->buffer + self->start;
      char *newline = memchr (from + searched, '\n', self->end - self->start - searched);

      *has_newline = newline != NULL;
      if (newline != NULL)
        return (gsize) (newline - from) + 1;
      searched = self->end - self->start;
      if (searched > self->max_line || !read_block (self))
        return searched;
    }
}

/* Takes @length bytes out of the buffer. */
static void
consume (TauSessionLines *self,
         gsize            length,
         gboolean         has_newline)
{
  if (length == 0)
    return;
  self->start += length;
  self->offset += (gint64) length;
  self->has_newline = has_newline;
}

/* Goes behind a line of which @length bytes are in the buffer. */
static void
pass_over (TauSessionLines *self,
           gsize            length,
           gboolean         has_newline)
{
  self->n_passed_over++;
  consume (self, length, has_newline);
  while (!has_newline && length > 0)
    {
      length = fetch_line (self, &has_newline);
      consume (self, length, has_newline);
    }
}

/**
 * tau_session_lines_next:
 * @self: a reader
 * @line: (out): the line without its end; valid until the next call
 * @length: (out): of the line
 *
 * Gives the next line that is not too long.
 *
 * Returns: whether there was one
 */
gboolean
tau_session_lines_next (TauSessionLines *self,
                        const char     **line,
                        gsize           *length)
{
  gboolean has_newline;
  gsize fetched;

  while ((fetched = fetch_line (self, &has_newline)) > self->max_line)
    pass_over (self, fetched, has_newline);
  *line = self->buffer + self->start;
  *length = fetched - (has_newline ? 1 : 0);
  self->line_start = self->offset;
  consume (self, fetched, has_newline);
  return fetched > 0;
}

/**
 * tau_session_lines_get_start:
 * @self: a reader
 *
 * Returns: where in the file the line begins that was given last
 */
gint64
tau_session_lines_get_start (TauSessionLines *self)
{
  return self->line_start;
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
 * Returns: whether the line that was given or passed over last has its end; if not, it may be still being written
 */
gboolean
tau_session_lines_has_newline (TauSessionLines *self)
{
  return self->has_newline;
}

/**
 * tau_session_lines_get_n_passed_over:
 * @self: a reader
 *
 * Returns: how many lines were too long
 */
guint
tau_session_lines_get_n_passed_over (TauSessionLines *self)
{
  return self->n_passed_over;
}

/**
 * tau_session_lines_get_error:
 * @self: a reader
 *
 * Returns: the errno value that ended reading before the file ended; 0 if it did not
 */
int
tau_session_lines_get_error (TauSessionLines *self)
{
  return self->error;
}

/**
 * tau_session_lines_dup_descriptor:
 * @self: a reader
 *
 * Returns: a descriptor of the same open file, for reading at other places; -1 if there is none to be had
 */
int
tau_session_lines_dup_descriptor (TauSessionLines *self)
{
  return fcntl (self->fd, F_DUPFD_CLOEXEC, 3);
}
