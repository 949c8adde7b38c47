/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/tool/tau-checkpoints.h"

#include "core/base/tau-id.h"
#include "core/base/tau-io.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-task.h"
#include "core/tool/tau-change-journal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the agent of one session changed, and the way back: before a tool changes a file, its content goes to a store
 * that all sessions share, and a line to the session's journal. A file is given back only if it is still as the agent
 * left it; a restore is a change like any other, so that it can be undone too. Nothing of this lies in the project, and
 * no version control is needed or touched. Blocking but for run_async(); may be used from any thread. */
struct _TauCheckpoints
{
  GObject parent_instance;

  TauContentStore *store;
  char *journal;
  GMutex mutex; /* one line of the journal at a time */
};

G_DEFINE_FINAL_TYPE (TauCheckpoints, tau_checkpoints, G_TYPE_OBJECT)

/* What all sessions together may keep. */
#define MAX_BYTES ((goffset) 1024 * 1024 * 1024)

/* A file of a restore, and between what it goes back and forth. */
typedef struct
{
  TauRestoreItem *item;
  const TauChangeRecord *first; /* what it was before this is what is wanted */
  const TauChangeRecord *last;  /* what it has been since this is what may be replaced */
} Step;

static void
tau_checkpoints_finalize (GObject *object)
{
  TauCheckpoints *self = TAU_CHECKPOINTS (object);

  g_clear_object (&self->store);
  g_free (self->journal);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (tau_checkpoints_parent_class)->finalize (object);
}

static void
tau_checkpoints_class_init (TauCheckpointsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_checkpoints_finalize;
}

static void
tau_checkpoints_init (TauCheckpoints *self)
{
  g_mutex_init (&self->mutex);
}

/**
 * tau_checkpoints_new:
 * @folder: absolute path of the folder that all sessions share; made when needed
 * @session_id: the session
 * @max_bytes: how much all sessions together may keep
 *
 * Returns: (transfer full): the checkpoints of a session
 */
TauCheckpoints *
tau_checkpoints_new (const char *folder,
                     const char *session_id,
                     goffset     max_bytes)
{
  TauCheckpoints *self = g_object_new (TAU_TYPE_CHECKPOINTS, NULL);
  g_autofree char *objects = g_build_filename (folder, "objects", NULL);
  g_autofree char *safe_id = g_strdup (session_id);
  g_autofree char *name = g_strconcat (g_strdelimit (safe_id, "/", '_'), ".jsonl", NULL);

  self->store = tau_content_store_new (objects, max_bytes);
  self->journal = g_build_filename (folder, "journals", name, NULL);
  return self;
}

/**
 * tau_checkpoints_new_default:
 * @session_id: the session
 *
 * Returns: (transfer full): the checkpoints of a session in the folder for data of Tau
 */
TauCheckpoints *
tau_checkpoints_new_default (const char *session_id)
{
  g_autofree char *data = tau_paths_data_dir ();
  g_autofree char *folder = g_build_filename (data, "checkpoints", NULL);

  return tau_checkpoints_new (folder, session_id, MAX_BYTES);
}

/* The path without links: what a link leads to may be another file tomorrow. Also for a file that is not there yet. */
static char *
resolve (const char *path)
{
  char *real = realpath (path, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  char *resolved;

  if (real == NULL && (real = realpath (folder, NULL)) != NULL)
    resolved = g_build_filename (real, name, NULL);
  else
    resolved = g_strdup (real != NULL ? real : path);
  free (real);
  return resolved;
}

static gboolean
append (TauCheckpoints         *self,
        const TauChangeRecord  *record,
        GError                **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return tau_change_journal_append (self->journal, record, error);
}

/**
 * tau_checkpoints_note:
 * @self: the checkpoints of a session
 * @change: what is about to happen
 * @error: return location for a %G_IO_ERROR
 *
 * Keeps what a file is before it changes. If its content cannot be kept, the change is noted all the same, so that it
 * is known why the file cannot be restored.
 *
 * Returns: whether the file can be given back later
 */
gboolean
tau_checkpoints_note (TauCheckpoints       *self,
                      const TauFileChange  *change,
                      GError              **error)
{
  g_autofree char *path = NULL;
  TauChangeRecord record = { 0 };
  gboolean kept = TRUE;

  g_return_val_if_fail (TAU_IS_CHECKPOINTS (self), FALSE);

  if (change->before != NULL && change->data == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "it is too large or cannot be read");
      kept = FALSE;
    }
  else if (change->before != NULL)
    kept = tau_content_store_put (self->store, change->before, change->data, change->length, error);

  path = resolve (change->path);
  record.time = tau_clock_now_ms ();
  record.path = path;
  record.call_id = (char *) change->call_id;
  record.before = (char *) change->before;
  record.after = (char *) change->after;
  record.mode = change->mode;
  return append (self, &record, kept ? error : NULL) && kept;
}

static void
restore_item_free (gpointer data)
{
  TauRestoreItem *item = data;

  g_free (item->path);
  g_free (item->reason);
  g_free (item);
}

static void
skip (TauRestoreItem *item,
      const char     *reason)
{
  item->action = TAU_RESTORE_SKIP;
  item->reason = g_strdup (reason);
}

static gboolean
is_in_scope (const TauChangeRecord *record,
             const TauRestoreScope *scope)
{
  if (scope->restore_id != NULL)
    return g_strcmp0 (record->restore_id, scope->restore_id) == 0;
  return record->time >= scope->since && (scope->call_id == NULL || g_strcmp0 (record->call_id, scope->call_id) == 0);
}

/* %TAU_RESTORE_LAST is the last one there was. */
static const char *
find_restore (GPtrArray  *records,
              const char *restore_id)
{
  if (g_strcmp0 (restore_id, TAU_RESTORE_LAST) != 0)
    return restore_id;
  for (guint i = records->len; i > 0; i--)
    {
      const TauChangeRecord *record = g_ptr_array_index (records, i - 1);

      if (record->restore_id != NULL)
        return record->restore_id;
    }
  return restore_id;
}

/* The files of @scope, in the order in which they were changed first. What came after a restore is not part of it. */
static GArray *
collect (GPtrArray             *records,
         const TauRestoreScope *scope)
{
  GArray *steps = g_array_new (FALSE, TRUE, sizeof (Step));
  g_autoptr(GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < records->len; i++)
    {
      const TauChangeRecord *record = g_ptr_array_index (records, i);
      gboolean in_scope = is_in_scope (record, scope);
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, record->path));
      Step step = { NULL, record, record };

      if (place > 0 && (in_scope || scope->restore_id == NULL))
        g_array_index (steps, Step, place - 1).last = record;
      if (place > 0 || !in_scope)
        continue;
      g_array_append_val (steps, step);
      g_hash_table_insert (places, record->path, GUINT_TO_POINTER (steps->len));
    }
  return steps;
}

/* What a file is now. FALSE if it is nothing that has a content. */
static gboolean
look_at (const char  *path,
         char       **digest,
         GBytes     **content,
         guint       *mode)
{
  g_autofree char *bytes = NULL;
  struct stat status;
  gsize length;

  *digest = NULL;
  *content = NULL;
  *mode = 0644;
  if (lstat (path, &status) != 0)
    return errno == ENOENT || errno == ENOTDIR;
  if (!S_ISREG (status.st_mode) || !g_file_get_contents (path, &bytes, &length, NULL))
    return FALSE;
  *mode = status.st_mode & 07777;
  *content = g_bytes_new_take (g_steal_pointer (&bytes), length);
  *digest = g_compute_checksum_for_bytes (TAU_CONTENT_CHECKSUM, *content);
  return TRUE;
}

/* Decides what is to happen to a file that is now @digest. A change that was noted but never came is no change. */
static void
decide (TauCheckpoints *self,
        const Step     *step,
        const char     *digest)
{
  const char *wanted = step->first->before;

  if (g_strcmp0 (digest, wanted) == 0)
    step->item->action = TAU_RESTORE_NOTHING;
  else if (g_strcmp0 (digest, step->last->after) != 0 && g_strcmp0 (digest, step->last->before) != 0)
    skip (step->item, _("It has been changed since."));
  else if (wanted == NULL)
    step->item->action = TAU_RESTORE_REMOVE;
  else if (tau_content_store_has (self->store, wanted))
    step->item->action = TAU_RESTORE_WRITE;
  else
    skip (step->item, _("Its old content is not kept any more."));
}

/* Puts a file back and notes it, in the other order: what cannot be undone is not done. */
static gboolean
perform (TauCheckpoints  *self,
         const Step      *step,
         const char      *digest,
         GBytes          *content,
         guint            mode,
         const char      *restore_id,
         GError         **error)
{
  const TauChangeRecord record = { tau_clock_now_ms (), step->item->path, NULL, (char *) restore_id,
                                   (char *) digest, step->first->before, mode };
  g_autofree char *folder = g_path_get_dirname (step->item->path);
  g_autoptr(GBytes) wanted = NULL;

  if (step->item->action == TAU_RESTORE_WRITE)
    {
      wanted = tau_content_store_get (self->store, step->first->before, error);
      if (wanted == NULL)
        return FALSE;
    }
  if (content != NULL && !tau_content_store_put (self->store, digest, g_bytes_get_data (content, NULL), g_bytes_get_size (content), error))
    return FALSE;
  if (!append (self, &record, error))
    return FALSE;

  if (wanted == NULL)
    {
      if (g_unlink (step->item->path) == 0)
        return TRUE;
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      return FALSE;
    }
  g_mkdir_with_parents (folder, 0777);
  if (!tau_io_write_atomic (step->item->path, g_bytes_get_data (wanted, NULL), g_bytes_get_size (wanted), (int) step->first->mode, error))
    return FALSE;
  if (content == NULL && g_chmod (step->item->path, (int) step->first->mode) != 0)
    g_debug ("%s: %s", step->item->path, g_strerror (errno));
  return TRUE;
}

/* One file: what it is, what is to be done, and, with @restore_id, doing it. */
static void
take_step (TauCheckpoints *self,
           const Step     *step,
           const char     *restore_id)
{
  g_autofree char *digest = NULL;
  g_autoptr(GBytes) content = NULL;
  g_autoptr(GError) error = NULL;
  guint mode;

  if (!look_at (step->item->path, &digest, &content, &mode))
    {
      skip (step->item, _("It is not a file that can be read."));
      return;
    }
  decide (self, step, digest);
  if (restore_id == NULL || step->item->action == TAU_RESTORE_NOTHING || step->item->action == TAU_RESTORE_SKIP)
    return;
  if (!perform (self, step, digest, content, mode, restore_id, &error))
    skip (step->item, error->message);
}

static GPtrArray *
run (TauCheckpoints        *self,
     const TauRestoreScope *scope,
     const char            *restore_id)
{
  g_autoptr(GPtrArray) records = tau_change_journal_load (self->journal);
  const TauRestoreScope found = { scope->since, scope->call_id, find_restore (records, scope->restore_id) };
  g_autoptr(GArray) steps = collect (records, &found);
  GPtrArray *items = g_ptr_array_new_with_free_func (restore_item_free);

  for (guint i = 0; i < steps->len; i++)
    {
      Step *step = &g_array_index (steps, Step, i);

      step->item = g_new0 (TauRestoreItem, 1);
      step->item->path = g_strdup (step->first->path);
      g_ptr_array_add (items, step->item);
      take_step (self, step, restore_id);
    }
  return items;
}

/**
 * tau_checkpoints_plan:
 * @self: the checkpoints of a session
 * @scope: what is to be as it was
 *
 * Finds out what a restore would do. Changes nothing.
 *
 * Returns: (transfer full) (element-type TauRestoreItem): the files
 */
GPtrArray *
tau_checkpoints_plan (TauCheckpoints        *self,
                      const TauRestoreScope *scope)
{
  g_return_val_if_fail (TAU_IS_CHECKPOINTS (self), NULL);

  return run (self, scope, NULL);
}

/**
 * tau_checkpoints_restore:
 * @self: the checkpoints of a session
 * @scope: what is to be as it was
 * @restore_id: a new name for this restore; with it as scope it is undone
 *
 * Restores files that the agent changed and nobody since. Those that cannot be are skipped and say why.
 *
 * Returns: (transfer full) (element-type TauRestoreItem): the files, with what has happened to them
 */
GPtrArray *
tau_checkpoints_restore (TauCheckpoints        *self,
                         const TauRestoreScope *scope,
                         const char            *restore_id)
{
  g_return_val_if_fail (TAU_IS_CHECKPOINTS (self), NULL);
  g_return_val_if_fail (restore_id != NULL, NULL);

  return run (self, scope, restore_id);
}

/* A scope of its own strings, for a thread. */
typedef struct
{
  TauRestoreScope scope;
  char *call_id;
  char *undone_id;
  char *restore_id;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->call_id);
  g_free (job->undone_id);
  g_free (job->restore_id);
  g_free (job);
}

static void
run_in_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  Job *job = task_data;

  g_task_return_pointer (task, run (source, &job->scope, job->restore_id), (GDestroyNotify) g_ptr_array_unref);
}

/**
 * tau_checkpoints_run_async:
 * @self: the checkpoints of a session
 * @scope: what is to be as it was
 * @restore_id: (nullable): a new name for the restore; %NULL: only plan it
 * @callback: called when done
 * @user_data: for @callback
 *
 * tau_checkpoints_plan() or tau_checkpoints_restore() on a thread. Cannot be cancelled: half a restore helps nobody.
 */
void
tau_checkpoints_run_async (TauCheckpoints        *self,
                           const TauRestoreScope *scope,
                           const char            *restore_id,
                           GAsyncReadyCallback    callback,
                           gpointer               user_data)
{
  g_autoptr(GTask) task = NULL;
  Job *job;

  g_return_if_fail (TAU_IS_CHECKPOINTS (self));

  job = g_new0 (Job, 1);
  job->call_id = g_strdup (scope->call_id);
  job->undone_id = g_strdup (scope->restore_id);
  job->restore_id = g_strdup (restore_id);
  job->scope = (TauRestoreScope) { scope->since, job->call_id, job->undone_id };
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, tau_checkpoints_run_async);
  g_task_set_task_data (task, job, job_free);
  tau_task_run_in_thread (task, run_in_thread);
}

/**
 * tau_checkpoints_run_finish:
 * @self: the checkpoints of a session
 * @result: what the callback got
 *
 * Returns: (transfer full) (element-type TauRestoreItem): the files
 */
GPtrArray *
tau_checkpoints_run_finish (TauCheckpoints *self,
                            GAsyncResult   *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), NULL);
}
