/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-file-replace.h"

#include "core/base/tau-error.h"
#include "core/tool/tau-file-error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Gives a file new content and leaves all else as it is: links lead where they led, mode, owner, access lists and
 * extended attributes stay. The new content is written beside the file and renamed over it, so that a full disk or a
 * crash leaves the old file. Where a new file cannot take the old one's place (hard links, another owner, a folder
 * that may not be written to) the content is written into the old one, after room for it has been made. Blocking. */

#define MAX_LINKS 40

typedef struct
{
  const char *path; /* for errors */
  const char *data;
  gsize length;
} Content;

/* Follows links that lead to nothing yet, which realpath() does not. */
static char *
resolve_links (const char *path)
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
  errno = ELOOP;
  return NULL;
}

static gboolean
write_all (int            fd,
           const Content *content,
           GError       **error)
{
  gsize done = 0;

  while (done < content->length)
    {
      gssize n = write (fd, content->data + done, content->length - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          tau_file_error_set (error, errno, "write", content->path);
          return FALSE;
        }
      done += n;
    }
  if (fsync (fd) == 0 || errno == EINVAL || errno == EROFS)
    return TRUE;
  tau_file_error_set (error, errno, "fsync", content->path);
  return FALSE;
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

/* Makes the new file what the old one is; fails if that is not possible. */
static gboolean
take_after (int                fd,
            const char        *old_path,
            const struct stat *old)
{
  int old_fd = open (old_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  gboolean same;

  /* A file that may be written but not read keeps its attributes to itself. */
  if (old_fd < 0)
    return FALSE;

  same = fstat (fd, &status) == 0
         && ((status.st_uid == old->st_uid && status.st_gid == old->st_gid)
             || fchown (fd, old->st_uid, old->st_gid) == 0)
         && fchmod (fd, old->st_mode & 07777) == 0
         && copy_attributes (old_fd, fd);
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

static BesideResult
write_beside (const char        *path,
              const struct stat *old,
              const Content     *content,
              GError           **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_strdup_printf (".tau-%08x%08x", g_random_int (), g_random_int ());
  g_autofree char *temporary = g_build_filename (folder, name, NULL);
  BesideResult result = BESIDE_FAILED;
  int fd = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, old != NULL ? 0600 : 0666);

  if (fd < 0)
    {
      if (old != NULL && errno != ENOSPC)
        return BESIDE_IMPOSSIBLE;
      tau_file_error_set (error, errno, "open", content->path);
      return BESIDE_FAILED;
    }

  if (old != NULL && !take_after (fd, path, old))
    result = BESIDE_IMPOSSIBLE;
  else if (write_all (fd, content, error))
    result = BESIDE_DONE;
  close (fd);

  if (result == BESIDE_DONE && rename (temporary, path) != 0)
    {
      tau_file_error_set (error, errno, "rename", content->path);
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
           const Content     *content,
           GError           **error)
{
  int result;

  if ((goffset) content->length <= old->st_size)
    return TRUE;

  result = posix_fallocate (fd, old->st_size, content->length - old->st_size);
  if (result == 0 || result == EOPNOTSUPP || result == EINVAL)
    return TRUE;

  if (ftruncate (fd, old->st_size) != 0)
    result = errno;
  tau_file_error_set (error, result, "write", content->path);
  return FALSE;
}

static gboolean
write_in_place (const char        *path,
                const struct stat *old,
                const Content     *content,
                GError           **error)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  gboolean done;

  if (fd < 0)
    {
      tau_file_error_set (error, errno, "open", content->path);
      return FALSE;
    }

  done = make_room (fd, old, content, error) && write_all (fd, content, error);
  if (done && ftruncate (fd, content->length) != 0)
    {
      tau_file_error_set (error, errno, "ftruncate", content->path);
      done = FALSE;
    }
  close (fd);
  return done;
}

static gboolean
check_target (const char        *target,
              const struct stat *status,
              const Content     *content,
              GError           **error)
{
  if (S_ISDIR (status->st_mode))
    {
      tau_file_error_set (error, EISDIR, "open", content->path);
      return FALSE;
    }
  if (!S_ISREG (status->st_mode))
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Not a regular file: %s", content->path);
      return FALSE;
    }
  /* A read-only file could be replaced by another; that it is read-only is meant. */
  if (access (target, W_OK) != 0)
    {
      tau_file_error_set (error, errno, "open", content->path);
      return FALSE;
    }
  return TRUE;
}

/**
 * tau_file_replace:
 * @path: absolute path; a link is followed
 * @data: the new content
 * @length: bytes of @data
 * @error: return location for a %TAU_TOOL_ERROR_FAILED
 *
 * Replaces a file's content, or makes the file in a folder that is there.
 *
 * Returns: whether it was done; if not, the old content is still there
 */
gboolean
tau_file_replace (const char  *path,
                  const void  *data,
                  gsize        length,
                  GError     **error)
{
  const Content content = { path, data, length };
  g_autofree char *target = resolve_links (path);
  struct stat status;

  if (target == NULL)
    {
      tau_file_error_set (error, errno, "open", path);
      return FALSE;
    }
  if (stat (target, &status) != 0)
    {
      if (errno == ENOENT)
        return write_beside (target, NULL, &content, error) == BESIDE_DONE;
      tau_file_error_set (error, errno, "open", path);
      return FALSE;
    }
  if (!check_target (target, &status, &content, error))
    return FALSE;

  if (status.st_nlink == 1)
    {
      BesideResult result = write_beside (target, &status, &content, error);

      if (result != BESIDE_IMPOSSIBLE)
        return result == BESIDE_DONE;
    }
  return write_in_place (target, &status, &content, error);
}
