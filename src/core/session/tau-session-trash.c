/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-trash.h"

#include "core/base/tau-error.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-task.h"
#include "core/session/tau-session-lease.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* A deleted session goes to the desktop's trash, where people look for what they miss; where there is none (a file
 * system without one, another user's folder) to a folder of ours. To come back it is found in the trash by its path,
 * as the desktop's own "Restore" does: https://specifications.freedesktop.org/trash-spec/1.0/ */
struct _TauSessionTrash
{
  GObject  parent_instance;

  char    *path;    /* where it was */
  char    *kept;    /* where it is, if that is our folder; NULL: in the desktop's trash */
  guint64  device;
  guint64  inode;   /* a move within one file system keeps it; so we know it again */
};

G_DEFINE_FINAL_TYPE (TauSessionTrash, tau_session_trash, G_TYPE_OBJECT)

static void
tau_session_trash_finalize (GObject *object)
{
  TauSessionTrash *self = TAU_SESSION_TRASH (object);

  g_free (self->path);
  g_free (self->kept);

  G_OBJECT_CLASS (tau_session_trash_parent_class)->finalize (object);
}

static void
tau_session_trash_class_init (TauSessionTrashClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_session_trash_finalize;
}

static void
tau_session_trash_init (TauSessionTrash *self)
{
}

/* A session that another program writes to stays where it is; the lease ends with the descriptor. */
static int
take_lease (const char *path,
            GError    **error)
{
  int fd = g_open (path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);

  if (fd >= 0 && !tau_session_lease_take (fd, path, error))
    {
      g_close (fd, NULL);
      return -2;
    }
  return fd;
}

static char *
keep_in_our_folder (const char *path,
                    GError    **error)
{
  g_autofree char *data = tau_paths_data_dir ();
  g_autofree char *folder = g_build_filename (data, "trash", NULL);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *kept = g_build_filename (folder, name, NULL);
  g_autoptr(GFile) from = g_file_new_for_path (path);
  g_autoptr(GFile) to = NULL;

  g_mkdir_with_parents (folder, 0700);
  for (guint i = 2; g_file_test (kept, G_FILE_TEST_EXISTS); i++)
    {
      g_free (kept);
      kept = g_strdup_printf ("%s/%s.%u", folder, name, i);
    }
  to = g_file_new_for_path (kept);
  return g_file_move (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, error) ? g_steal_pointer (&kept) : NULL;
}

/**
 * tau_session_trash_put:
 * @path: a session file
 * @error: return location: %TAU_SESSION_ERROR_LOCKED, %G_IO_ERROR
 *
 * Deletes a session so that it can come back. Blocks.
 *
 * Returns: (transfer full) (nullable): what is needed for that
 */
TauSessionTrash *
tau_session_trash_put (const char  *path,
                       GError     **error)
{
  g_autoptr(TauSessionTrash) self = g_object_new (TAU_TYPE_SESSION_TRASH, NULL);
  g_autoptr(GFile) file = g_file_new_for_path (path);
  GStatBuf status = { 0 };
  gboolean trashed;
  int fd = take_lease (path, error);

  if (fd == -2)
    return NULL;
  self->path = g_strdup (path);
  if (g_lstat (path, &status) == 0)
    {
      self->device = status.st_dev;
      self->inode = status.st_ino;
    }
  trashed = g_file_trash (file, NULL, NULL);
  if (!trashed)
    self->kept = keep_in_our_folder (path, error);
  if (fd >= 0)
    g_close (fd, NULL);
  return trashed || self->kept != NULL ? g_steal_pointer (&self) : NULL;
}

/* Trash folders that a file of @path may be in: that of the home, and those at the top of its file system. */
static GPtrArray *
list_trash_folders (const char *path)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = g_path_get_dirname (path);

  g_ptr_array_add (folders, g_build_filename (g_get_user_data_dir (), "Trash", NULL));
  while (!g_str_equal (folder, "/") && !g_str_equal (folder, "."))
    {
      char *parent = g_path_get_dirname (folder);

      g_free (folder);
      folder = parent;
      g_ptr_array_add (folders, g_strdup_printf ("%s/.Trash/%u", folder, (guint) getuid ()));
      g_ptr_array_add (folders, g_strdup_printf ("%s/.Trash-%u", folder, (guint) getuid ()));
    }
  return folders;
}

static gboolean
is_our_file (TauSessionTrash *self,
             const char      *path)
{
  GStatBuf status;

  return g_lstat (path, &status) == 0 && status.st_ino == self->inode && status.st_dev == self->device;
}

/* Looks by the file itself, not by its name: the trash gives names of its own. */
static gboolean
find_in_trash (TauSessionTrash *self,
               char           **file,
               char           **note)
{
  g_autoptr(GPtrArray) folders = list_trash_folders (self->path);

  for (guint i = 0; i < folders->len; i++)
    {
      const char *folder = g_ptr_array_index (folders, i);
      g_autofree char *files = g_build_filename (folder, "files", NULL);
      g_autoptr(GDir) directory = g_dir_open (files, 0, NULL);
      const char *name;

      while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
        {
          g_autofree char *path = g_build_filename (files, name, NULL);

          if (!is_our_file (self, path))
            continue;
          *file = g_steal_pointer (&path);
          *note = g_strdup_printf ("%s/info/%s.trashinfo", folder, name);
          return TRUE;
        }
    }
  return FALSE;
}

/**
 * tau_session_trash_restore:
 * @self: a deleted session
 * @error: return location: %TAU_SESSION_ERROR_NOT_FOUND if it is not in the trash any more, %G_IO_ERROR
 *
 * Puts the file back where it was. Never overwrites. Blocks.
 *
 * Returns: whether it is there
 */
gboolean
tau_session_trash_restore (TauSessionTrash  *self,
                           GError          **error)
{
  g_autofree char *file = g_strdup (self->kept);
  g_autofree char *note = NULL;
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autoptr(GFile) from = NULL;
  g_autoptr(GFile) to = g_file_new_for_path (self->path);

  if (file == NULL && !find_in_trash (self, &file, &note))
    {
      g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, _("The session is not in the trash any more."));
      return FALSE;
    }
  g_mkdir_with_parents (folder, 0700);
  from = g_file_new_for_path (file);
  if (!g_file_move (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, error))
    return FALSE;
  if (note != NULL)
    g_unlink (note);
  return TRUE;
}

/**
 * tau_session_trash_get_path:
 * @self: a deleted session
 *
 * Returns: where it was
 */
const char *
tau_session_trash_get_path (TauSessionTrash *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_TRASH (self), NULL);

  return self->path;
}

static void
put_thread (GTask        *task,
            gpointer      source,
            gpointer      task_data,
            GCancellable *cancellable)
{
  g_autoptr(GError) error = NULL;
  TauSessionTrash *trash = tau_session_trash_put (task_data, &error);

  if (trash != NULL)
    g_task_return_pointer (task, trash, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * tau_session_trash_put_async:
 * @path: a session file
 * @callback: called when done
 * @user_data: for @callback
 *
 * Does in a thread what tau_session_trash_put() does.
 */
void
tau_session_trash_put_async (const char          *path,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, tau_session_trash_put_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  tau_task_run_in_thread (task, put_thread);
}

/**
 * tau_session_trash_put_finish:
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (nullable): what is needed to get the session back
 */
TauSessionTrash *
tau_session_trash_put_finish (GAsyncResult  *result,
                              GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
restore_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  g_autoptr(GError) error = NULL;

  if (tau_session_trash_restore (source, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * tau_session_trash_restore_async:
 * @self: a deleted session
 * @callback: called when done
 * @user_data: for @callback
 *
 * Does in a thread what tau_session_trash_restore() does.
 */
void
tau_session_trash_restore_async (TauSessionTrash     *self,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, tau_session_trash_restore_async);
  tau_task_run_in_thread (task, restore_thread);
}

/**
 * tau_session_trash_restore_finish:
 * @self: a deleted session
 * @result: what the callback got
 * @error: return location
 *
 * Returns: whether it is back
 */
gboolean
tau_session_trash_restore_finish (TauSessionTrash  *self,
                                  GAsyncResult     *result,
                                  GError          **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
