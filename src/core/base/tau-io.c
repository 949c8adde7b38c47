/* SPDX-License-Identifier: MIT */
#include "core/base/tau-io.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that must never be seen half-written: settings, credentials, what a tool edits. */

#define MAX_LINKS 40

static gboolean
set_error (GError    **error,
           const char *path)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return FALSE;
}

/* Follows links to where the file is or would be; NULL if they lead nowhere. */
static char *
follow_links (const char *path)
{
  g_autofree char *target = g_strdup (path);

  for (guint i = 0; g_file_test (target, G_FILE_TEST_IS_SYMLINK); i++)
    {
      g_autofree char *link = g_file_read_link (target, NULL);
      g_autofree char *dir = g_path_get_dirname (target);

      if (link == NULL || i == MAX_LINKS)
        {
          errno = ELOOP;
          return NULL;
        }
      g_free (target);
      target = g_path_is_absolute (link) ? g_strdup (link) : g_build_filename (dir, link, NULL);
    }

  return g_steal_pointer (&target);
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

/* @mode: what the file had, or -1 to leave it as it was made. */
static gboolean
write_and_close (int         fd,
                 const char *data,
                 gsize       length,
                 int         mode)
{
  gboolean ok = write_all (fd, data, length)
                && (mode < 0 || fchmod (fd, (mode_t) mode) == 0)
                && fsync (fd) == 0;
  int code = errno;
  gboolean closed = close (fd) == 0;

  if (!ok)
    errno = code;
  return ok && closed;
}

static gboolean
replace (const char *path,
         const void *data,
         gsize       length,
         int         mode_if_new)
{
  g_autofree char *dir = g_path_get_dirname (path);
  g_autofree char *beside = g_build_filename (dir, ".tau-XXXXXX", NULL);
  struct stat old;
  int old_mode = stat (path, &old) == 0 ? (int) (old.st_mode & 07777) : -1;
  int fd = g_mkstemp_full (beside, O_WRONLY | O_CLOEXEC, mode_if_new);
  int code;

  if (fd < 0)
    return FALSE;
  if (write_and_close (fd, data, length, old_mode) && g_rename (beside, path) == 0)
    return TRUE;

  code = errno;
  g_unlink (beside);
  errno = code;
  return FALSE;
}

/**
 * tau_io_write_atomic:
 * @path: a file; links are followed, not replaced
 * @data: what is to be in it
 * @length: bytes of @data
 * @mode_if_new: permissions if there is no such file yet, reduced by the umask; an old file keeps its own
 * @error: return location
 *
 * Writes a file so that everybody sees either the old content or the new, even after a crash: beside it, to disk, renamed.
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
  g_autofree char *target = follow_links (path);

  return (target != NULL && replace (target, data, length, mode_if_new)) || set_error (error, path);
}
