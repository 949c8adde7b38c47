/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-copy.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-task.h"
#include "core/session/tau-session-file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/**
 * tau_session_copy_write:
 * @path: of a new session file
 * @header: its first line
 * @entries: (element-type TauSessionEntry): all others
 * @error: return location: %G_IO_ERROR
 *
 * Writes a session that is a copy. It is under its name when it is whole and on the disk, else there is none. Blocks; any
 * thread may do so.
 *
 * Returns: whether it is there
 */
gboolean
tau_session_copy_write (const char       *path,
                        TauSessionEntry  *header,
                        GPtrArray        *entries,
                        GError          **error)
{
  g_autofree char *unfinished = g_strconcat (path, ".part", NULL);
  g_autoptr(TauSessionFile) file = tau_session_file_new (unfinished, header);
  const char *failure;

  for (guint i = 0; i < entries->len; i++)
    tau_session_file_add (file, g_ptr_array_index (entries, i));
  tau_session_file_create (file);
  tau_session_file_close (file);
  failure = tau_session_file_get_error (file);
  if (failure != NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, failure);
  else if (g_rename (unfinished, path) == 0)
    return TRUE;
  else
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  g_unlink (unfinished);
  return FALSE;
}

/**
 * tau_session_copy_file:
 * @source: path of a session file
 * @folder: where the copy goes
 * @cwd: folder that the copy belongs to
 * @error: return location for %TAU_SESSION_ERROR_INVALID or an error of reading or writing
 *
 * Copies a whole session, all branches, into a new file at once. The entries keep their ids; the new header names
 * @source as its parent.
 *
 * Returns: (transfer full) (nullable): path of the copy
 */
char *
tau_session_copy_file (const char *source,
                       const char *folder,
                       const char *cwd,
                       GError    **error)
{
  g_autoptr(TauSessionFile) original = tau_session_file_load (source, error);
  g_autofree char *id = tau_id_new_uuid_v7 ();
  gint64 now = tau_clock_now_ms ();
  g_autofree char *path = tau_session_file_build_path (NULL, folder, cwd, now, id);
  g_autoptr(TauSessionEntry) header = tau_session_entry_new_header (id, now, cwd, source);
  GPtrArray *entries;

  if (original == NULL)
    return NULL;

  entries = tau_session_tree_get_entries (tau_session_file_get_tree (original));
  if (entries->len == 0)
    {
      g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID,
                   _("Cannot fork: source session file is empty or invalid: %s"), source);
      return NULL;
    }

  return tau_session_copy_write (path, header, entries, error) ? g_steal_pointer (&path) : NULL;
}

typedef struct
{
  char *source;
  char *folder;
  char *cwd;
} Copy;

static void
copy_free (gpointer data)
{
  Copy *self = data;

  g_free (self->source);
  g_free (self->folder);
  g_free (self->cwd);
  g_free (self);
}

static void
copy_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  Copy *self = task_data;
  g_autoptr(GError) error = NULL;
  char *path = tau_session_copy_file (self->source, self->folder, self->cwd, &error);

  if (path != NULL)
    g_task_return_pointer (task, path, g_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * tau_session_copy_file_async:
 * @source: path of a session file
 * @folder: where the copy goes
 * @cwd: folder that the copy belongs to
 * @callback: called when done
 * @user_data: for @callback
 *
 * Does in a thread what tau_session_copy_file() does.
 */
void
tau_session_copy_file_async (const char          *source,
                             const char          *folder,
                             const char          *cwd,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Copy *copy = g_new (Copy, 1);

  g_task_set_source_tag (task, tau_session_copy_file_async);
  copy->source = g_strdup (source);
  copy->folder = g_strdup (folder);
  copy->cwd = g_strdup (cwd);
  g_task_set_task_data (task, copy, copy_free);
  tau_task_run_in_thread (task, copy_thread);
}

/**
 * tau_session_copy_file_finish:
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (nullable): path of the copy
 */
char *
tau_session_copy_file_finish (GAsyncResult  *result,
                              GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
