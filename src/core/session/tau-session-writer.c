/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-session-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Everything that changes a session file on disk. One entry is one write() to a file opened for appending, so that two
 * programs cannot mix their lines; a write that came short is taken back, so that no torn line stays. */

static gboolean
fail (GError    **error,
      const char *what)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", what, g_strerror (code));
  return FALSE;
}

/**
 * tau_session_tail_of:
 * @text: a file just read
 *
 * Returns: what we know of its end
 */
TauSessionTail
tau_session_tail_of (TauSessionText *text)
{
  return (TauSessionTail) { text->size, text->device, text->inode, text->lacks_newline, text->torn_at };
}

/**
 * tau_session_tail_matches:
 * @self: what we know
 * @fd: the file
 *
 * Returns: whether nobody else wrote to the file or replaced it
 */
gboolean
tau_session_tail_matches (const TauSessionTail *self,
                          int                   fd)
{
  struct stat info;

  return fstat (fd, &info) == 0 && info.st_size == self->size && info.st_ino == self->inode && info.st_dev == self->device;
}

/**
 * tau_session_tail_mend:
 * @self: what we know
 * @fd: the file
 * @error: return location
 *
 * Cuts off a torn last line, which nobody can read.
 *
 * Returns: whether the file can be appended to
 */
gboolean
tau_session_tail_mend (TauSessionTail *self,
                       int             fd,
                       GError        **error)
{
  if (self->torn_at < 0)
    return TRUE;
  if (ftruncate (fd, self->torn_at) != 0)
    return fail (error, _("cannot cut off a torn line"));
  self->size = self->torn_at;
  self->torn_at = -1;
  return TRUE;
}

/**
 * tau_session_tail_update:
 * @self: what we know
 * @fd: the file, of which we know the end
 *
 * Remembers which file this is.
 */
void
tau_session_tail_update (TauSessionTail *self,
                         int             fd)
{
  struct stat info;

  if (fstat (fd, &info) != 0)
    return;
  self->device = info.st_dev;
  self->inode = info.st_ino;
}

/**
 * tau_session_writer_open:
 * @path: a session file
 * @create: it must not exist yet, or be empty; folders are made as needed
 * @error: return location
 *
 * Returns: a descriptor that appends, or -1
 */
int
tau_session_writer_open (const char *path,
                         gboolean    create,
                         GError    **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  struct stat info;
  int fd;

  if (create && g_mkdir_with_parents (folder, 0777) != 0)
    {
      fail (error, folder);
      return -1;
    }
  fd = g_open (path, O_WRONLY | O_APPEND | O_CLOEXEC | (create ? O_CREAT : 0), 0600);
  if (fd < 0)
    {
      fail (error, path);
      return -1;
    }
  if (create && fstat (fd, &info) == 0 && info.st_size > 0)
    {
      g_close (fd, NULL);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, _("%s was made by another program meanwhile"), path);
      return -1;
    }
  return fd;
}

static void
append_line (GString         *out,
             TauSessionEntry *entry)
{
  gsize length;
  const char *text = tau_session_entry_get_text (entry, &length);

  g_string_append_len (out, text, (gssize) length);
  g_string_append_c (out, '\n');
}

/**
 * tau_session_writer_append:
 * @fd: a file opened by tau_session_writer_open()
 * @tail: what we know of its end; brought up to date
 * @entry: what to write
 * @error: return location
 *
 * Returns: whether the whole line was written; if not the file is as before
 */
gboolean
tau_session_writer_append (int              fd,
                           TauSessionTail  *tail,
                           TauSessionEntry *entry,
                           GError         **error)
{
  g_autoptr(GString) line = g_string_new (tail->lacks_newline ? "\n" : NULL);
  gssize written;

  append_line (line, entry);
  do
    written = write (fd, line->str, line->len);
  while (written < 0 && errno == EINTR);

  if (written == (gssize) line->len)
    {
      tail->size += written;
      tail->lacks_newline = FALSE;
      return TRUE;
    }
  if (written >= 0)
    errno = ENOSPC;
  fail (error, _("cannot write the session"));
  if (written > 0 && ftruncate (fd, tail->size) != 0)
    {
      tail->torn_at = tail->size;
      tail->size += written;
    }
  return FALSE;
}

static gboolean
write_all (int         fd,
           const char *data,
           gsize       length)
{
  while (length > 0)
    {
      gssize written = write (fd, data, length);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return FALSE;
      data += written;
      length -= (gsize) written;
    }
  return TRUE;
}

static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  if (fd < 0)
    return;
  fsync (fd);
  g_close (fd, NULL);
}

/* A complete and synced file beside the other, under a name that pi does not look at. */
static gboolean
write_copy (const char *path,
            GPtrArray  *lines,
            GError    **error)
{
  g_autoptr(GString) text = g_string_new (NULL);
  int fd = g_open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  gboolean ok;

  if (fd < 0)
    return fail (error, path);
  for (guint i = 0; i < lines->len; i++)
    append_line (text, g_ptr_array_index (lines, i));
  ok = write_all (fd, text->str, text->len) && fsync (fd) == 0;
  if (!ok)
    fail (error, path);
  g_close (fd, NULL);
  if (!ok)
    g_unlink (path);
  return ok;
}

/**
 * tau_session_writer_replace:
 * @path: a session file of an older version
 * @lines: (element-type TauSessionEntry): all of its lines in the new version
 * @tail: what we know of its end; brought up to date
 * @error: return location
 *
 * Replaces the file by its migrated copy. At every moment there is a complete file under its name; the old one stays
 * beside it as ".bak" until the new one is on the disk.
 *
 * Returns: whether the file is the new one
 */
gboolean
tau_session_writer_replace (const char     *path,
                            GPtrArray      *lines,
                            TauSessionTail *tail,
                            GError        **error)
{
  g_autofree char *copy = g_strconcat (path, ".new", NULL);
  g_autofree char *backup = g_strconcat (path, ".bak", NULL);
  struct stat info;

  if (!write_copy (copy, lines, error))
    return FALSE;
  g_unlink (backup);
  if (link (path, backup) != 0)
    {
      fail (error, backup);
      g_unlink (copy);
      return FALSE;
    }
  if (g_rename (copy, path) != 0)
    {
      fail (error, path);
      g_unlink (copy);
      return FALSE;
    }
  sync_folder (path);
  g_unlink (backup);

  if (stat (path, &info) != 0)
    return fail (error, path);
  *tail = (TauSessionTail) { .size = info.st_size, .device = info.st_dev, .inode = info.st_ino, .torn_at = -1 };
  return TRUE;
}
