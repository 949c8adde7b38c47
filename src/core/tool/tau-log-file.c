/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-log-file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* The file with all that a command wrote. A thread of its own writes, so that a slow disk holds up nobody but the command:
 * whoever feeds the file looks at the backlog and stops reading the command's pipe while it is long. Used from one thread;
 * the writing thread shares the queue. The file stays when the object is freed, which waits for nothing: the thread
 * writes what it has and goes. */
struct _TauLogFile
{
  gatomicrefcount ref_count;   /* the user's and the thread's */
  char  *path;
  int    fd;                   /* the thread's; -1 once it is given up */
  gint64 room;                 /* bytes that may still be written */

  GMutex mutex;
  GCond  changed;
  GQueue queue;                /* of GBytes */
  gsize  backlog;              /* bytes given and not yet written */
  gboolean closed;             /* nothing more comes */
};

static void
unref (TauLogFile *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_queue_clear_full (&self->queue, (GDestroyNotify) g_bytes_unref);
  g_free (self->path);
  g_free (self);
}

/* A full disk must not end the command: then the rest is dropped. */
static void
give_up (TauLogFile *self)
{
  close (self->fd);
  self->fd = -1;
}

static void
write_bytes (TauLogFile *self,
             GBytes     *bytes)
{
  gsize length;
  const char *next = g_bytes_get_data (bytes, &length);

  if ((gint64) length > self->room)
    length = (gsize) self->room;
  while (self->fd >= 0 && length > 0)
    {
      gssize n = write (self->fd, next, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          give_up (self);
          return;
        }
      next += n;
      length -= (gsize) n;
      self->room -= n;
    }
  if (self->fd >= 0 && self->room == 0)
    give_up (self);
}

/* Waits for something to write; %NULL at the end. */
static GBytes *
take_bytes (TauLogFile *self)
{
  GBytes *bytes;

  g_mutex_lock (&self->mutex);
  while (self->queue.length == 0 && !self->closed)
    g_cond_wait (&self->changed, &self->mutex);
  bytes = g_queue_pop_head (&self->queue);
  g_mutex_unlock (&self->mutex);
  return bytes;
}

static gpointer
write_thread (gpointer user_data)
{
  TauLogFile *self = user_data;
  GBytes *bytes;

  while ((bytes = take_bytes (self)) != NULL)
    {
      gsize length = g_bytes_get_size (bytes);

      write_bytes (self, bytes);
      g_bytes_unref (bytes);
      g_mutex_lock (&self->mutex);
      self->backlog -= length;
      g_mutex_unlock (&self->mutex);
    }
  if (self->fd >= 0)
    close (self->fd);
  unref (self);
  return NULL;
}

/**
 * tau_log_file_new:
 * @max_bytes: how large the file may become; what comes then is dropped
 *
 * Makes a file in the folder for temporary files that only the user may read. The name's form is pi's.
 *
 * Returns: (transfer full) (nullable): the file; %NULL if it cannot be made
 */
TauLogFile *
tau_log_file_new (gint64 max_bytes)
{
  g_autofree char *name = g_strdup_printf ("tau-bash-%08x%08x.log", g_random_int (), g_random_int ());
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), name, NULL);
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  TauLogFile *self;

  if (fd < 0)
    return NULL;
  self = g_new0 (TauLogFile, 1);
  g_atomic_ref_count_init (&self->ref_count);
  g_atomic_ref_count_inc (&self->ref_count);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->queue);
  self->path = g_steal_pointer (&path);
  self->fd = fd;
  self->room = max_bytes;
  g_thread_unref (g_thread_new ("output-log", write_thread, self));
  return self;
}

/**
 * tau_log_file_free:
 * @self: (transfer full): a file
 *
 * Says that nothing more comes. What is in the queue is still written, in the background.
 */
void
tau_log_file_free (TauLogFile *self)
{
  g_mutex_lock (&self->mutex);
  self->closed = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  unref (self);
}

/**
 * tau_log_file_write:
 * @self: a file
 * @bytes: what is to be appended
 *
 * Queues bytes. Never waits.
 */
void
tau_log_file_write (TauLogFile *self,
                    GBytes     *bytes)
{
  g_mutex_lock (&self->mutex);
  self->backlog += g_bytes_get_size (bytes);
  g_queue_push_tail (&self->queue, g_bytes_ref (bytes));
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/**
 * tau_log_file_get_backlog:
 * @self: a file
 *
 * Returns: how many bytes wait to be written
 */
gsize
tau_log_file_get_backlog (TauLogFile *self)
{
  gsize backlog;

  g_mutex_lock (&self->mutex);
  backlog = self->backlog;
  g_mutex_unlock (&self->mutex);
  return backlog;
}

/**
 * tau_log_file_get_path:
 * @self: a file
 *
 * Returns: (transfer none): where it is
 */
const char *
tau_log_file_get_path (TauLogFile *self)
{
  return self->path;
}
