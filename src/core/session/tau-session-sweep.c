/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-sweep.h"

#include "core/session/tau-session-info-private.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* Looks at all session files: what the database knows is told at once, then the files are compared with it by size and
 * time, newest first, and only what has changed is read. */
#define TELL_INTERVAL_US (300 * 1000)
#define FILES_A_CHANGE   100          /* of the database */

typedef struct
{
  char   *path;
  gint64  size;
  gint64  time;   /* ns */
} File;

static void
file_free (gpointer data)
{
  File *self = data;

  g_free (self->path);
  g_free (self);
}

static int
compare_files (gconstpointer a,
               gconstpointer b)
{
  const File *first = *(File **) a;
  const File *second = *(File **) b;

  if (first->time != second->time)
    return first->time < second->time ? 1 : -1;
  return strcmp (second->path, first->path);   /* names begin with the time */
}

static int
compare_modified (gconstpointer a,
                  gconstpointer b)
{
  TauSessionInfo *first = *(TauSessionInfo **) a;
  TauSessionInfo *second = *(TauSessionInfo **) b;
  gint64 difference = tau_session_info_get_modified (second) - tau_session_info_get_modified (first);

  return difference != 0 ? (difference > 0 ? 1 : -1) : strcmp (second->path, first->path);
}

/**
 * tau_session_sweep_sort: (skip)
 * @infos: of #TauSessionInfo
 *
 * Puts the newest first.
 */
void
tau_session_sweep_sort (GPtrArray *infos)
{
  g_ptr_array_sort (infos, compare_modified);
}

static void
add_file (GPtrArray  *files,
          const char *path)
{
  GStatBuf status;
  File *file;

  if (g_stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return;
  file = g_new (File, 1);
  file->path = g_strdup (path);
  file->size = status.st_size;
  file->time = status.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + status.st_mtim.tv_nsec;
  g_ptr_array_add (files, file);
}

static void
list_folder (const char *folder,
             GPtrArray  *files)
{
  g_autoptr(GDir) directory = g_dir_open (folder, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    if (g_str_has_suffix (name, ".jsonl"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        add_file (files, path);
      }
}

static void
list_root (const char *root,
           GPtrArray  *files,
           GPtrArray  *folders)
{
  g_autoptr(GDir) directory = g_dir_open (root, 0, NULL);
  const char *name;

  g_ptr_array_add (folders, g_strdup (root));
  list_folder (root, files);
  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (root, name, NULL);

      if (!g_file_test (path, G_FILE_TEST_IS_DIR))
        continue;
      g_ptr_array_add (folders, g_strdup (path));
      list_folder (path, files);
    }
  g_ptr_array_sort (files, compare_files);
}

/**
 * tau_session_sweep_list_files: (skip)
 * @root: a folder
 * @with_subfolders: whether those one level below count
 *
 * Lists what may be a session file by its name. Blocks.
 *
 * Returns: (transfer full) (element-type filename): their paths, what was written last first
 */
GPtrArray *
tau_session_sweep_list_files (const char *root,
                              gboolean    with_subfolders)
{
  g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func (file_free);
  g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  if (with_subfolders)
    list_root (root, files, folders);
  else
    list_folder (root, files);
  g_ptr_array_sort (files, compare_files);
  for (guint i = 0; i < files->len; i++)
    g_ptr_array_add (paths, g_steal_pointer (&((File *) g_ptr_array_index (files, i))->path));
  return paths;
}

/**
 * tau_session_sweep_new: (skip)
 * @root: folder whose subfolders hold session files
 * @database: (nullable): of an earlier sweep
 * @infos: (element-type TauSessionInfo): what that found
 *
 * Returns: (transfer full): a sweep that has not begun
 */
TauSessionSweep *
tau_session_sweep_new (const char         *root,
                       TauSessionDatabase *database,
                       GPtrArray          *infos)
{
  TauSessionSweep *self = g_new0 (TauSessionSweep, 1);

  self->root = g_strdup (root);
  self->infos = g_ptr_array_new_with_free_func (g_object_unref);
  self->folders = g_ptr_array_new_with_free_func (g_free);
  self->files = g_ptr_array_new_with_free_func (file_free);
  if (database == NULL)
    return self;
  self->database = tau_session_database_ref (database);
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  for (guint i = 0; i < infos->len; i++)
    {
      TauSessionInfo *info = g_ptr_array_index (infos, i);

      g_hash_table_insert (self->known, info->path, g_object_ref (info));
    }
  return self;
}

/**
 * tau_session_sweep_free: (skip)
 * @self: (transfer full): a sweep
 *
 * Frees it.
 */
void
tau_session_sweep_free (TauSessionSweep *self)
{
  g_free (self->root);
  g_clear_pointer (&self->database, tau_session_database_unref);
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_ptr_array_unref (self->infos);
  g_ptr_array_unref (self->folders);
  g_ptr_array_unref (self->files);
  g_free (self);
}

/* What was found, and what is known from earlier and was not looked at yet. */
static void
tell (TauSessionSweep *self)
{
  g_autoptr(GPtrArray) infos = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer info;

  for (guint i = 0; i < self->infos->len; i++)
    g_ptr_array_add (infos, g_object_ref (g_ptr_array_index (self->infos, i)));
  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, NULL, &info))
    g_ptr_array_add (infos, g_object_ref (info));
  tau_session_sweep_sort (infos);
  if (self->func != NULL)
    self->func (infos, self->user_data);
  self->told = g_get_monotonic_time ();
}

static void
look_at (TauSessionSweep *self,
         File            *file,
         GCancellable    *cancellable)
{
  TauSessionInfo *before = g_hash_table_lookup (self->known, file->path);
  TauSessionInfo *info;

  if (before != NULL && before->file_size == file->size && before->file_time == file->time)
    info = g_object_ref (before);
  else
    info = tau_session_database_read_file (self->database, file->path, before, cancellable);
  if (info != NULL)
    g_ptr_array_add (self->infos, info);
  g_hash_table_remove (self->known, file->path);
}

static void
forget_what_is_gone (TauSessionSweep *self)
{
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    tau_session_database_remove (self->database, path);
}

/* Returns: whether the database kept what it was given */
static gboolean
sweep_once (TauSessionSweep *self,
            GCancellable    *cancellable)
{
  gboolean kept = TRUE;

  tau_session_database_begin (self->database);
  for (guint i = 0; i < self->files->len && kept && !g_cancellable_is_cancelled (cancellable); i++)
    {
      look_at (self, g_ptr_array_index (self->files, i), cancellable);
      if (g_get_monotonic_time () - self->told > TELL_INTERVAL_US)
        tell (self);
      if (i % FILES_A_CHANGE == FILES_A_CHANGE - 1)
        {
          kept = tau_session_database_commit (self->database);
          tau_session_database_begin (self->database);
        }
    }
  if (kept && !g_cancellable_is_cancelled (cancellable))
    forget_what_is_gone (self);
  return tau_session_database_commit (self->database) && kept;
}

/**
 * tau_session_sweep_run: (skip)
 * @self: a sweep that has not begun
 * @cancellable: (nullable): stops it
 *
 * Looks at all files. Blocks: call it in a thread.
 */
void
tau_session_sweep_run (TauSessionSweep *self,
                       GCancellable    *cancellable)
{
  if (self->database == NULL)
    {
      g_autofree char *path = tau_session_database_build_path (self->root);

      self->database = tau_session_database_new (path);
      self->known = tau_session_database_load (self->database);
      if (g_hash_table_size (self->known) > 0)
        tell (self);
    }
  list_root (self->root, self->files, self->folders);
  if (!sweep_once (self, cancellable))
    {
      g_hash_table_remove_all (self->known);
      g_ptr_array_set_size (self->infos, 0);
      sweep_once (self, cancellable);
    }
  tau_session_sweep_sort (self->infos);
}
