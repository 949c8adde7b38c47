/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-source.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* Where the text of entries stands that nobody has asked for yet. The file is read, not mapped: a file that another
 * program cuts short gives an answer then, and not a signal. The descriptor keeps the contents that were scanned also
 * when the name goes to another file. */

struct _TauSessionSource
{
  gatomicrefcount ref_count;
  int             fd;
};

G_DEFINE_BOXED_TYPE (TauSessionSource, tau_session_source, tau_session_source_ref, tau_session_source_unref)

/**
 * tau_session_source_new:
 * @fd: an open regular file; closed with the source
 *
 * Returns: (transfer full): the source
 */
TauSessionSource *
tau_session_source_new (int fd)
{
  TauSessionSource *self = g_new0 (TauSessionSource, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->fd = fd;
  return self;
}

/**
 * tau_session_source_ref:
 * @self: a source
 *
 * Returns: (transfer full): @self
 */
TauSessionSource *
tau_session_source_ref (TauSessionSource *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * tau_session_source_unref:
 * @self: (transfer full): a source
 *
 * Gives back a reference.
 */
void
tau_session_source_unref (TauSessionSource *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_close (self->fd, NULL);
  g_free (self);
}

/**
 * tau_session_source_read:
 * @self: a source
 * @offset: of the first byte
 * @length: how many bytes
 *
 * Returns: (transfer full) (nullable): these bytes; %NULL if the file does not have them any more or cannot be read
 */
GBytes *
tau_session_source_read (TauSessionSource *self,
                         gint64            offset,
                         gsize             length)
{
  g_autofree char *data = g_try_malloc (length + 1);
  gsize done = 0;

  while (data != NULL && done < length)
    {
      gssize n = pread (self->fd, data + done, length - done, offset + (gint64) done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return NULL;
      done += (gsize) n;
    }
  return data != NULL ? g_bytes_new_take (g_steal_pointer (&data), length) : NULL;
}
