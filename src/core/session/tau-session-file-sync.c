/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-file-private.h"

#include "core/base/tau-io.h"
#include "core/base/tau-task.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* How a session gets onto the disk itself. A system that could not write its pages tells that once, to fsync(), and may
 * have dropped them: a second fsync() that succeeds says nothing about them. So the entries since the last success are
 * kept, and before it is tried again they are written once more to where they stand. */

#define RETRY_SECONDS 2

typedef struct
{
  TauSessionEntry *entry;
  gint64           end;   /* in the file, behind its line end */
} Unsynced;

void
tau_session_file_unsynced_free (gpointer data)
{
  Unsynced *self = data;

  tau_session_entry_unref (self->entry);
  g_free (self);
}

/* Takes @entry, which ends where the file does. */
void
tau_session_file_note_written (TauSessionFile  *self,
                               TauSessionEntry *entry)
{
  Unsynced *unsynced = g_new (Unsynced, 1);

  *unsynced = (Unsynced) { entry, self->tail.size };
  g_ptr_array_add (self->unsynced, unsynced);
}

/* Where the newest entry is. */
static const char *
place_on_disk (TauSessionFile *self)
{
  if (self->journal != NULL && tau_session_journal_is_begun (self->journal))
    return tau_session_journal_get_path (self->journal);
  return self->exists ? self->path : NULL;
}

/* What is not there any more, or may not be looked at, needs no sync. */
static int
sync_path (const char *path)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
  int code = fd >= 0 ? tau_io_sync (fd) : 0;

  if (fd >= 0)
    g_close (fd, NULL);
  return code;
}

static void
sync_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  const char *path = task_data;
  g_autofree char *folder = g_path_get_dirname (path);
  int code = sync_path (path);

  if (code == 0)
    code = sync_path (folder);
  if (code == 0)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (task, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
}

/* A page that was dropped is read as zeros; anything else that is not ours was put there by somebody. */
static gboolean
is_ours_or_lost (int         fd,
                 gint64      offset,
                 const char *text,
                 gsize       length)
{
  g_autofree char *found = g_try_malloc (length);

  if (found == NULL || pread (fd, found, length, offset) != (gssize) length)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (found[i] != text[i] && found[i] != '\0')
      return FALSE;
  return TRUE;
}

static void
put_back (int             fd,
          const Unsynced *unsynced)
{
  g_autoptr(GBytes) text = tau_session_entry_dup_text (unsynced->entry);
  g_autoptr(GString) line = NULL;
  gint64 start;

  if (text == NULL)
    return;
  line = g_string_new_len (g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text));
  g_string_append_c (line, '\n');
  start = unsynced->end - (gint64) line->len;
  if (is_ours_or_lost (fd, start, line->str, line->len) && pwrite (fd, line->str, line->len, start) != (gssize) line->len)
    g_debug ("cannot write again at %" G_GINT64_FORMAT ": %s", start, g_strerror (errno));
}

/* The same bytes, to the same places. Not through our own descriptor, which only appends. */
static void
write_again (TauSessionFile *self)
{
  struct stat held, named;
  int fd = self->fd >= 0 ? g_open (self->path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0) : -1;

  if (fd >= 0 && fstat (fd, &named) == 0 && fstat (self->fd, &held) == 0 && named.st_ino == held.st_ino && named.st_dev == held.st_dev)
    for (guint i = 0; i < self->unsynced->len; i++)
      put_back (fd, g_ptr_array_index (self->unsynced, i));
  if (fd >= 0)
    g_close (fd, NULL);
}

static void
synced_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  TauSessionFile *self = TAU_SESSION_FILE (object);

  tau_session_file_sync_finish (self, result, NULL);
}

static gboolean
retry_cb (gpointer user_data)
{
  TauSessionFile *self = user_data;

  self->sync_source = 0;
  write_again (self);
  tau_session_file_sync_async (self, synced_cb, NULL);
  return G_SOURCE_REMOVE;
}

/* Ends what a failed fsync() began. */
void
tau_session_file_stop_syncing (TauSessionFile *self)
{
  g_clear_handle_id (&self->sync_source, g_source_remove);
}

/* The program may end now, and no thread with it. */
void
tau_session_file_end_syncing (TauSessionFile *self)
{
  int code = self->fd >= 0 && self->unsynced->len > 0 ? tau_io_sync (self->fd) : 0;

  tau_session_file_stop_syncing (self);
  if (code != 0)
    {
      g_autofree char *error = g_strdup_printf ("%s: %s", self->path, g_strerror (code));

      tau_session_file_set_sync_error (self, error);
    }
}

typedef struct
{
  GTask *task;
  guint  n_written;   /* entries that it was about */
} Sync;

static void
done_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  TauSessionFile *self = TAU_SESSION_FILE (object);
  Sync *sync = user_data;
  g_autoptr(GTask) task = sync->task;
  g_autoptr(GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_ptr_array_remove_range (self->unsynced, 0, MIN (sync->n_written, self->unsynced->len));
      tau_session_file_stop_syncing (self);
      tau_session_file_set_sync_error (self, NULL);
      g_task_return_boolean (task, TRUE);
    }
  else
    {
      /* A closed file is not tried again. */
      if (self->fd >= 0 && self->sync_source == 0)
        self->sync_source = g_timeout_add_seconds (RETRY_SECONDS, retry_cb, self);
      tau_session_file_set_sync_error (self, error->message);
      g_task_return_error (task, g_steal_pointer (&error));
    }
  g_free (sync);
}

/**
 * tau_session_file_sync_async:
 * @self: a session file
 * @callback: (nullable): called when done
 * @user_data: for @callback
 *
 * Makes sure, in a thread, that what was written is on the disk itself. A session without a file is done at once. What
 * fails sets #TauSessionFile:error and is tried again every two seconds until the file is closed.
 */
void
tau_session_file_sync_async (TauSessionFile      *self,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(GTask) task = NULL;
  g_autoptr(GTask) work = NULL;
  const char *path;
  Sync *sync;

  g_return_if_fail (TAU_IS_SESSION_FILE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, tau_session_file_sync_async);
  path = place_on_disk (self);
  if (path == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  sync = g_new (Sync, 1);
  *sync = (Sync) { g_steal_pointer (&task), self->unsynced->len };
  work = g_task_new (self, NULL, done_cb, sync);
  g_task_set_source_tag (work, sync_thread);
  g_task_set_task_data (work, g_strdup (path), g_free);
  tau_task_run_in_thread (work, sync_thread);
}

/**
 * tau_session_file_sync_finish:
 * @self: a session file
 * @result: what the callback got
 * @error: return location
 *
 * Returns: whether the disk has it
 */
gboolean
tau_session_file_sync_finish (TauSessionFile *self,
                              GAsyncResult   *result,
                              GError        **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
