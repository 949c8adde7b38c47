/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/config/tau-lock-dir.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

/* mkdir() either makes the folder or says that another program has it, on every file system. A holder that died leaves
 * the folder behind, so one that was not touched for a while is taken over. The numbers are those of pi's settings lock, but
 * for the tries: with pi's 10 a dozen programs that write at once lose settings. Waits differ, so that they do not meet again. */
#define STALE_SECONDS  10
#define TRIES          50
#define WAIT_US        (10 * 1000)

struct _TauLockDir
{
  char *path;
};

static gboolean
is_stale (const char *path)
{
  GStatBuf info;

  return g_stat (path, &info) == 0 && (gint64) time (NULL) - (gint64) info.st_mtime > STALE_SECONDS;
}

/**
 * tau_lock_dir_acquire:
 * @file: file to guard; the lock is the folder "@file.lock"
 * @error: return location
 *
 * Waits at most one second for another holder.
 *
 * Returns: (transfer full) (nullable): the lock, or %NULL if it could not be had
 */
TauLockDir *
tau_lock_dir_acquire (const char *file,
                      GError    **error)
{
  g_autofree char *path = NULL;
  int failure = 0;

  g_return_val_if_fail (file != NULL, NULL);

  path = g_strconcat (file, ".lock", NULL);
  for (guint i = 0; i < TRIES; i++)
    {
      if (i > 0)
        g_usleep (WAIT_US + (gulong) g_random_int_range (0, WAIT_US));
      if (g_mkdir (path, 0777) == 0)
        {
          TauLockDir *self = g_new0 (TauLockDir, 1);

          self->path = g_steal_pointer (&path);
          return self;
        }
      failure = errno;
      if (failure != EEXIST)
        break;
      if (is_stale (path))
        g_rmdir (path);
    }

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (failure),
               failure == EEXIST ? _("%s is in use by another program (%s)") : _("cannot lock %s: %s"),
               file, g_strerror (failure));
  return NULL;
}

/**
 * tau_lock_dir_release:
 * @self: (transfer full): a lock
 *
 * Gives the lock back.
 */
void
tau_lock_dir_release (TauLockDir *self)
{
  g_rmdir (self->path);
  g_free (self->path);
  g_free (self);
}
