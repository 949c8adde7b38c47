/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-file-queue.h"

#include "core/base/tau-error.h"
#include "core/base/tau-task.h"

#include <stdlib.h>

/* Lets the changes to one file happen one after another, in the order in which they were asked for, and changes to
 * different files at the same time. A file is known by its real path, so that links lead to the same line.
 * Owned by the tool context; used from the main thread, the jobs run on threads. */
struct _TauFileQueue
{
  GObject parent_instance;

  GHashTable *lines; /* path → GQueue of GTask; a line's first task is the one at work */
};

G_DEFINE_FINAL_TYPE (TauFileQueue, tau_file_queue, G_TYPE_OBJECT)

typedef struct
{
  char *key;
  TauFileJobFunc func;
  gpointer data;
  GDestroyNotify destroy;
} Job;

static void
job_free (Job *job)
{
  g_free (job->key);
  if (job->destroy != NULL)
    job->destroy (job->data);
  g_free (job);
}

static void start_first (TauFileQueue *self, GQueue *line);

static void
run_job (GTask        *inner,
         gpointer      source,
         gpointer      task_data,
         GCancellable *cancellable)
{
  Job *job = g_task_get_task_data (task_data);
  GError *error = NULL;
  TauToolOutcome *outcome;

  if (g_cancellable_is_cancelled (cancellable))
    {
      g_task_return_new_error (inner, TAU_TOOL_ERROR, TAU_TOOL_ERROR_ABORTED, "Operation aborted");
      return;
    }

  outcome = job->func (job->data, cancellable, &error);
  if (outcome != NULL)
    g_task_return_pointer (inner, outcome, (GDestroyNotify) tau_tool_outcome_unref);
  else
    g_task_return_error (inner, error);
}

/* The job is done: its answer goes out and the next one in the line starts. */
static void
job_done_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  TauFileQueue *self = TAU_FILE_QUEUE (object);
  g_autoptr(GTask) task = user_data;
  Job *job = g_task_get_task_data (task);
  GQueue *line = g_hash_table_lookup (self->lines, job->key);
  g_autoptr(GTask) first = g_queue_pop_head (line);
  GError *error = NULL;
  TauToolOutcome *outcome = g_task_propagate_pointer (G_TASK (result), &error);

  g_assert (first == task);
  if (g_queue_is_empty (line))
    g_hash_table_remove (self->lines, job->key);
  else
    start_first (self, line);

  if (outcome != NULL)
    g_task_return_pointer (task, outcome, (GDestroyNotify) tau_tool_outcome_unref);
  else
    g_task_return_error (task, error);
}

static void
start_first (TauFileQueue *self,
             GQueue       *line)
{
  GTask *task = g_queue_peek_head (line);
  g_autoptr(GTask) inner = g_task_new (self, g_task_get_cancellable (task), job_done_cb, g_object_ref (task));

  g_task_set_source_tag (inner, start_first);
  g_task_set_check_cancellable (inner, FALSE);
  g_task_set_task_data (inner, g_object_ref (task), g_object_unref);
  tau_task_run_in_thread (inner, run_job);
}

static void
tau_file_queue_finalize (GObject *object)
{
  TauFileQueue *self = TAU_FILE_QUEUE (object);

  g_assert (g_hash_table_size (self->lines) == 0);
  g_hash_table_unref (self->lines);

  G_OBJECT_CLASS (tau_file_queue_parent_class)->finalize (object);
}

static void
tau_file_queue_class_init (TauFileQueueClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_file_queue_finalize;
}

static void
tau_file_queue_init (TauFileQueue *self)
{
  self->lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_queue_free);
}

/**
 * tau_file_queue_new:
 *
 * Returns: (transfer full): an empty queue
 */
TauFileQueue *
tau_file_queue_new (void)
{
  return g_object_new (TAU_TYPE_FILE_QUEUE, NULL);
}

/* The real path; for a file that is not there yet, the path itself. */
static char *
key_of (const char *path)
{
  char *real = realpath (path, NULL);
  char *key = g_strdup (real != NULL ? real : path);

  free (real);
  return key;
}

/**
 * tau_file_queue_run_async:
 * @self: a queue
 * @path: absolute path of the file that is to be changed
 * @func: changes it, on a thread
 * @data: for @func
 * @destroy: (nullable): frees @data
 * @cancellable: (nullable): a job that has not started by then will not
 * @callback: called when done
 * @user_data: for @callback
 *
 * Runs @func as soon as all earlier jobs on the same file are done.
 */
void
tau_file_queue_run_async (TauFileQueue        *self,
                          const char          *path,
                          TauFileJobFunc       func,
                          gpointer             data,
                          GDestroyNotify       destroy,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  g_autoptr(GTask) task = NULL;
  Job *job;
  GQueue *line;

  g_return_if_fail (TAU_IS_FILE_QUEUE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, tau_file_queue_run_async);
  g_task_set_check_cancellable (task, FALSE);
  job = g_new0 (Job, 1);
  job->key = key_of (path);
  job->func = func;
  job->data = data;
  job->destroy = destroy;
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);

  line = g_hash_table_lookup (self->lines, job->key);
  if (line == NULL)
    {
      line = g_queue_new ();
      g_hash_table_insert (self->lines, g_strdup (job->key), line);
    }
  g_queue_push_tail (line, g_object_ref (task));
  if (g_queue_get_length (line) == 1)
    start_first (self, line);
}

/**
 * tau_file_queue_run_finish:
 * @self: a queue
 * @result: what the callback got
 * @error: return location for the job's error, or %TAU_TOOL_ERROR_ABORTED
 *
 * Takes the result of tau_file_queue_run_async().
 *
 * Returns: (transfer full) (nullable): the outcome
 */
TauToolOutcome *
tau_file_queue_run_finish (TauFileQueue  *self,
                           GAsyncResult  *result,
                           GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
