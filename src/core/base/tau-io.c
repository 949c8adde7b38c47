/* SPDX-License-Identifier: MIT */
#include "core/base/tau-io.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Gives a file new content and leaves all else as it is: links lead where they led, mode, owner, access lists and
 * extended attributes stay. The content is written beside the file, to disk, and renamed over it, so that everybody
 * sees the old file or the new one, also after a crash or on a full disk. Where a new file cannot take the old one's
 * place (it has more names, another owner, lies in a folder that may not be written to) the content goes into the old
 * file, after room for it has been made; what fails half-way is put back. Blocking. */

#define MAX_LINKS 40

typedef struct
{
  const TauIoPiece *pieces;
  guint n_pieces;
  TauIoReport *report;
} Content;

static gboolean
fail (const Content *content,
      int            code,
      const char    *operation)
{
  content->report->code = code;
  content->report->operation = operation;
  return FALSE;
}

static goffset
length_of (const Content *content)
{
  goffset length = 0;

  for (guint i = 0; i < content->n_pieces; i++)
    length += (goffset) content->pieces[i].length;
  return length;
}

/* Follows links to where the file is or would be, which realpath() does only for what is there. NULL if they lead
 * round in a circle. */
static char *
follow_links (const char *path)
{
  g_autofree char *current = g_strdup (path);

  for (int i = 0; i < MAX_LINKS; i++)
    {
      g_autofree char *link = g_file_read_link (current, NULL);
      g_autofree char *folder = NULL;

      if (link == NULL)
        return g_steal_pointer (&current);

      folder = g_path_get_dirname (current);
      g_free (current);
      current = g_path_is_absolute (link) ? g_steal_pointer (&link) : g_build_filename (folder, link, NULL);
    }
  return NULL;
}

static gboolean
write_bytes (int         fd,
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

static gboolean
write_content (int            fd,
               const Content *content)
{
  for (guint i = 0; i < content->n_pieces; i++)
    if (!write_bytes (fd, content->pieces[i].data, content->pieces[i].length))
      return fail (content, errno, "write");
  return TRUE;
}

static int (*sync_func) (int fd) = fsync;

/**
 * tau_io_sync:
 * @fd: a file or folder
 *
 * Waits until the disk has it. Some file systems know no such thing; that counts as done. Blocks.
 *
 * Returns: an errno value; 0 if all is well
 */
int
tau_io_sync (int fd)
{
  int result;

  do
    result = sync_func (fd);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

/**
 * tau_io_set_sync_for_testing: (skip)
 * @sync: (nullable): takes the place of fsync(); %NULL puts that back
 *
 * Lets a test see a disk that fails.
 */
void
tau_io_set_sync_for_testing (int (*sync) (int fd))
{
  sync_func = sync != NULL ? sync : fsync;
}

static gboolean
sync_file (int            fd,
           const Content *content)
{
  int code = tau_io_sync (fd);

  return code == 0 || fail (content, code, "fsync");
}

static gboolean
copy_attribute (int         from,
                int         to,
                const char *name)
{
  gssize size = fgetxattr (from, name, NULL, 0);
  g_autofree char *value = NULL;

  if (size < 0)
    return FALSE;
  value = g_malloc (size + 1);
  size = fgetxattr (from, name, value, size);
  return size >= 0 && fsetxattr (to, name, value, size, 0) == 0;
}

/* Labels of security modules are set by the system on its own terms; all others must be kept. */
static gboolean
copy_attributes (int from,
                 int to)
{
  gssize size = flistxattr (from, NULL, 0);
  g_autofree char *names = NULL;

  if (size <= 0)
    return TRUE;

  names = g_malloc (size);
  size = flistxattr (from, names, size);
  for (const char *name = names; name < names + size; name += strlen (name) + 1)
    if (!copy_attribute (from, to, name) && !g_str_has_prefix (name, "security."))
      return FALSE;
  return TRUE;
}

/* The kernel drops setgid without a word where the group is not one's own, so the result is looked at. */
static gboolean
has_same_mode (int                fd,
               const struct stat *old)
{
  struct stat now;

  return fstat (fd, &now) == 0 && now.st_mode == old->st_mode && now.st_uid == old->st_uid && now.st_gid == old->st_gid;
}

/* Makes the new file what the old one is, after it was written: writing takes set-user-ID bits and capabilities away. */
static gboolean
take_after (int                fd,
            const char        *old_path,
            const struct stat *old)
{
  int old_fd = open (old_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  gboolean same;

  /* A file that may be written but not read keeps its attributes to itself. */
  if (old_fd < 0)
    return FALSE;

  same = fstat (fd, &status) == 0
         && ((status.st_uid == old->st_uid && status.st_gid == old->st_gid)
             || fchown (fd, old->st_uid, old->st_gid) == 0)
         && fchmod (fd, old->st_mode & 07777) == 0
         && copy_attributes (old_fd, fd)
         && has_same_mode (fd, old);
  close (old_fd);
  return same;
}

static void
sync_folder (const char *folder)
{
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

typedef enum
{
  BESIDE_DONE,
  BESIDE_FAILED,
  BESIDE_IMPOSSIBLE,
} BesideResult;

/* Writes the temporary file that is to take the old one's place. */
static BesideResult
fill (int                fd,
      const char        *path,
      const struct stat *old,
      const Content     *content)
{
  if (!write_content (fd, content))
    return BESIDE_FAILED;
  if (old != NULL && !take_after (fd, path, old))
    return BESIDE_IMPOSSIBLE;
  return sync_file (fd, content) ? BESIDE_DONE : BESIDE_FAILED;
}

static BesideResult
write_beside (const char        *path,
              const struct stat *old,
              int                mode_if_new,
              const Content     *content)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_strdup_printf (".tau-%08x%08x", g_random_int (), g_random_int ());
  g_autofree char *temporary = g_build_filename (folder, name, NULL);
  BesideResult result;
  int fd = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, old != NULL ? 0600 : mode_if_new);

  if (fd < 0)
    {
      if (old != NULL && (errno == EACCES || errno == EPERM))
        return BESIDE_IMPOSSIBLE;
      fail (content, errno, "open");
      return BESIDE_FAILED;
    }

  result = fill (fd, path, old, content);
  if (close (fd) != 0 && result == BESIDE_DONE)
    {
      fail (content, errno, "close");
      result = BESIDE_FAILED;
    }
  if (result == BESIDE_DONE && rename (temporary, path) != 0)
    {
      fail (content, errno, "rename");
      result = BESIDE_FAILED;
    }
  if (result == BESIDE_DONE)
    sync_folder (folder);
  else
    unlink (temporary);
  return result;
}

/* Room first: when there is none, the old content must still be there. */
static gboolean
make_room (int                fd,
           const struct stat *old,
           const Content     *content)
{
  goffset length = length_of (content);
  int result;

  if (length <= old->st_size)
    return TRUE;

  result = posix_fallocate (fd, old->st_size, length - old->st_size);
  if (result == 0 || result == EOPNOTSUPP || result == EINVAL)
    return TRUE;

  if (ftruncate (fd, old->st_size) != 0)
    result = errno;
  return fail (content, result, "write");
}

/* What is in the file now, to put it back; NULL if it may not be read, or does not hold still. */
static char *
keep_old (const char        *path,
          const struct stat *old)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  g_autofree char *bytes = g_try_malloc (old->st_size + 1);
  goffset length = 0;

  while (fd >= 0 && bytes != NULL && length < old->st_size)
    {
      gssize n = read (fd, bytes + length, old->st_size - length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      length += n;
    }
  if (fd >= 0)
    close (fd);
  return fd >= 0 && length == old->st_size ? g_steal_pointer (&bytes) : NULL;
}

static void
put_back (int                fd,
          const char        *bytes,
          const struct stat *old)
{
  if (bytes != NULL && lseek (fd, 0, SEEK_SET) == 0 && write_bytes (fd, bytes, old->st_size)
      && ftruncate (fd, old->st_size) == 0)
    fsync (fd);
}

static gboolean
write_in_place (const char        *path,
                const struct stat *old,
                const Content     *content)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  g_autofree char *kept = NULL;
  gboolean done;

  if (fd < 0)
    return fail (content, errno, "open");

  if (!make_room (fd, old, content))
    {
      close (fd);
      return FALSE;
    }
  kept = keep_old (path, old);
  done = write_content (fd, content)
         && (ftruncate (fd, length_of (content)) == 0 || fail (content, errno, "ftruncate"))
         && sync_file (fd, content);
  if (!done)
    put_back (fd, kept, old);
  /* Writing has taken these bits away; only the owner may give them back. */
  if ((old->st_mode & (S_ISUID | S_ISGID)) != 0 && fchmod (fd, old->st_mode & 07777) != 0)
    g_debug ("%s lost its set-ID bits: %s", path, g_strerror (errno));
  close (fd);
  return done;
}

static gboolean
check_target (const char        *target,
              const struct stat *status,
              const Content     *content)
{
  if (S_ISDIR (status->st_mode))
    return fail (content, EISDIR, "open");
  if (!S_ISREG (status->st_mode))
    return fail (content, TAU_IO_NOT_REGULAR, "open");
  /* A read-only file could be replaced by another; that it is read-only is meant. */
  return access (target, W_OK) == 0 || fail (content, errno, "open");
}

/**
 * tau_io_replace:
 * @path: a file; links are followed, not replaced
 * @pieces: (array length=n_pieces): what is to be in it, one after another
 * @n_pieces: how many
 * @mode_if_new: permissions if there is no such file yet, reduced by the umask; an old file keeps its own
 * @report: (out): what became of it
 *
 * Gives a file new content, or makes it in a folder that is there. A file with several names (hard links) keeps them:
 * it is written in place, and all its names have the new content.
 *
 * Returns: whether it was done; if not, the old content is still there
 */
gboolean
tau_io_replace (const char       *path,
                const TauIoPiece *pieces,
                guint             n_pieces,
                int               mode_if_new,
                TauIoReport      *report)
{
  const Content content = { pieces, n_pieces, report };
  g_autofree char *target = follow_links (path);
  struct stat old;

  *report = (TauIoReport) { .n_names = 1 };
  if (target == NULL)
    return fail (&content, ELOOP, "open");
  if (stat (target, &old) != 0)
    return errno == ENOENT ? write_beside (target, NULL, mode_if_new, &content) == BESIDE_DONE
                           : fail (&content, errno, "open");
  if (!check_target (target, &old, &content))
    return FALSE;

  report->n_names = (guint) old.st_nlink;
  if (old.st_nlink == 1)
    {
      BesideResult result = write_beside (target, &old, mode_if_new, &content);

      if (result != BESIDE_IMPOSSIBLE)
        return result == BESIDE_DONE;
    }
  return write_in_place (target, &old, &content);
}

/**
 * tau_io_write_atomic:
 * @path: a file; links are followed, not replaced
 * @data: what is to be in it
 * @length: bytes of @data
 * @mode_if_new: permissions if there is no such file yet, reduced by the umask; an old file keeps its own
 * @error: return location
 *
 * tau_io_replace() with one piece and a #GError.
 *
 * Returns: %FALSE with a %G_IO_ERROR if that failed; the file is as it was then
 */
gboolean
tau_io_write_atomic (const char *path,
                     const void *data,
                     gsize       length,
                     int         mode_if_new,
                     GError    **error)
{
  const TauIoPiece piece = { data, length };
  TauIoReport report;

  if (tau_io_replace (path, &piece, 1, mode_if_new, &report))
    return TRUE;

  if (report.code == TAU_IO_NOT_REGULAR)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s is not a regular file", path);
  else
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (report.code), "%s: %s", path, g_strerror (report.code));
  return FALSE;
}
