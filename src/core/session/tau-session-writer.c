/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-session-writer.h"

#include "core/base/tau-io.h"
#include "core/session/tau-session-lease.h"

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
  return (TauSessionTail) {
    .size = text->size,
    .device = text->device,
    .inode = text->inode,
    .changed_ns = text->changed_ns,
    .lacks_newline = text->lacks_newline,
    .torn_at = text->torn_at,
  };
}

static gint64
changed_ns (const struct stat *info)
{
  return (gint64) info->st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info->st_mtim.tv_nsec;
}

/**
 * tau_session_tail_compare:
 * @self: what we know
 * @fd: the file, open for reading
 *
 * Reads at most as many bytes as @self remembers. A file as long as before that was written to may have become another
 * one in its middle.
 *
 * Returns: what others did to the file
 */
TauSessionChange
tau_session_tail_compare (const TauSessionTail *self,
                          int                   fd)
{
  char last[sizeof self->last];
  struct stat info;

  if (fstat (fd, &info) != 0 || info.st_ino != self->inode || info.st_dev != self->device || info.st_size < self->size)
    return TAU_SESSION_CHANGE_OTHER;
  if (pread (fd, last, self->n_last, self->size - (gint64) self->n_last) != (gssize) self->n_last
      || memcmp (last, self->last, self->n_last) != 0)
    return TAU_SESSION_CHANGE_OTHER;
  if (info.st_size > self->size)
    return TAU_SESSION_CHANGE_GREW;
  return changed_ns (&info) == self->changed_ns ? TAU_SESSION_CHANGE_NONE : TAU_SESSION_CHANGE_TOUCHED;
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
 * Remembers which file this is, and its last bytes.
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
  self->changed_ns = changed_ns (&info);
  self->n_last = (gsize) MIN (self->size, (gint64) sizeof self->last);
  if (pread (fd, self->last, self->n_last, self->size - (gint64) self->n_last) != (gssize) self->n_last)
    self->n_last = 0;
}

/**
 * tau_session_writer_open:
 * @path: a session file
 * @create: it need not exist; folders are made as needed
 * @error: return location
 *
 * Returns: a descriptor that appends and reads, or -1
 */
int
tau_session_writer_open (const char *path,
                         gboolean    create,
                         GError    **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd;

  if (create && g_mkdir_with_parents (folder, 0777) != 0)
    {
      fail (error, folder);
      return -1;
    }
  fd = g_open (path, O_RDWR | O_APPEND | O_CLOEXEC | (create ? O_CREAT : 0), 0600);
  if (fd < 0)
    {
      fail (error, path);
      return -1;
    }
  return fd;
}

/* An entry that cannot be read any more has nothing that could be written. */
/* Returns: whether its text could be had; of an entry in a file that another program cut it may be gone */
static gboolean
append_line (GString         *out,
             TauSessionEntry *entry)
{
  g_autoptr(GBytes) text = tau_session_entry_dup_text (entry);

  if (text == NULL)
    return FALSE;
  g_string_append_len (out, g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text));
  g_string_append_c (out, '\n');
  return TRUE;
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

  if (!append_line (line, entry))
    return TRUE;
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

/**
 * tau_session_writer_sync_folder:
 * @path: a file
 *
 * Makes sure that its name is on the disk. Blocking.
 */
void
tau_session_writer_sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  if (fd < 0)
    return;
  tau_io_sync (fd);
  g_close (fd, NULL);
}

/* A complete and synced file beside the other, under a name that pi does not look at. */
static int
write_copy (const char *path,
            GPtrArray  *lines,
            GError    **error)
{
  g_autoptr(GString) text = g_string_new (NULL);
  int fd = g_open (path, O_RDWR | O_APPEND | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  gboolean complete = TRUE;

  if (fd < 0)
    {
      fail (error, path);
      return -1;
    }
  errno = EIO;
  for (guint i = 0; i < lines->len; i++)
    complete = complete && append_line (text, g_ptr_array_index (lines, i));
  if (tau_session_lease_take (fd, path, error))
    {
      if (complete && write_all (fd, text->str, text->len) && (errno = tau_io_sync (fd)) == 0)
        return fd;
      fail (error, path);
    }
  g_close (fd, NULL);
  g_unlink (path);
  return -1;
}

/* Names the old file a second time; what has that name already stays. Where files have one name only there is none, and
 * the old file goes when the new one, which is complete, takes its name. */
static gboolean
make_backup (const char *path,
             char      **backup,
             GError    **error)
{
  *backup = g_strconcat (path, ".bak", NULL);
  for (guint n = 1; link (path, *backup) != 0; n++)
    {
      if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS)
        {
          g_clear_pointer (backup, g_free);
          return TRUE;
        }
      if (errno != EEXIST || n > 99)
        return fail (error, *backup);
      g_free (*backup);
      *backup = g_strdup_printf ("%s.bak%u", path, n);
    }
  return TRUE;
}

static gboolean
put_in_place (const char *copy,
              const char *path,
              char      **backup,
              GError    **error)
{
  if (!make_backup (path, backup, error))
    return FALSE;
  if (g_rename (copy, path) == 0)
    return TRUE;
  fail (error, path);
  if (*backup != NULL)
    g_unlink (*backup);
  return FALSE;
}

/**
 * tau_session_writer_replace:
 * @path: a session file of an older version
 * @old_fd: the same, open
 * @lines: (element-type TauSessionEntry): all of its lines in the new version
 * @tail: what we know of its end; brought up to date
 * @error: return location
 *
 * Replaces the file by its migrated copy. At every moment there is a complete file under its name; the old one stays
 * beside it as ".bak", or ".bak1" if that is taken, until the new one is on the disk, and for good if somebody wrote to it meanwhile. The new one has
 * its lease before it gets the name.
 *
 * Returns: a descriptor of the new file that appends and holds the lease, or -1
 */
int
tau_session_writer_replace (const char     *path,
                            int             old_fd,
                            GPtrArray      *lines,
                            TauSessionTail *tail,
                            GError        **error)
{
  g_autofree char *copy = g_strconcat (path, ".new", NULL);
  g_autofree char *backup = NULL;
  int fd = write_copy (copy, lines, error);
  struct stat info;

  if (fd < 0)
    return -1;
  if (!put_in_place (copy, path, &backup, error))
    {
      g_unlink (copy);
      g_close (fd, NULL);
      return -1;
    }
  tau_session_writer_sync_folder (path);
  if (backup != NULL && tau_session_tail_compare (tail, old_fd) == TAU_SESSION_CHANGE_NONE)
    g_unlink (backup);
  *tail = (TauSessionTail) { .size = fstat (fd, &info) == 0 ? info.st_size : 0, .torn_at = -1 };
  tau_session_tail_update (tail, fd);
  return fd;
}
