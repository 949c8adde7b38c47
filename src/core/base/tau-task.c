/* SPDX-License-Identifier: MIT */
#include "core/base/tau-task.h"

/* Work in threads for objects of the main thread. g_task_run_in_thread() may drop the last reference to its task, and with
 * it to the source object, in the worker: a widget or a session would be taken apart there. Here the worker gives its
 * reference back. */

typedef struct
{
  GTask           *task;
  GTaskThreadFunc  func;
} Job;

static gboolean
let_go_cb (gpointer user_data)
{
  return G_SOURCE_REMOVE;
}

static void
work (gpointer data,
      gpointer user_data)
{
  Job *job = data;
  GTask *task = job->task;
  GSource *source = g_idle_source_new ();

  job->func (task, g_task_get_source_object (task), g_task_get_task_data (task), g_task_get_cancellable (task));
  g_source_set_priority (source, g_task_get_priority (task));
  g_source_set_callback (source, let_go_cb, task, g_object_unref);
  g_source_attach (source, g_task_get_context (task));
  g_source_unref (source);
  g_free (job);
}

static gpointer
make_pool (gpointer data)
{
  return g_thread_pool_new (work, NULL, -1, FALSE, NULL);
}

/**
 * tau_task_run_in_thread:
 * @task: a task; this function takes a reference of its own
 * @func: does the work in another thread, and returns @task
 *
 * As g_task_run_in_thread(), but the task, its source object and its data are let go in the thread whose main context
 * the task was made for, never in the worker.
 */
void
tau_task_run_in_thread (GTask           *task,
                        GTaskThreadFunc  func)
{
  static GOnce pool = G_ONCE_INIT;
  Job *job;

  g_return_if_fail (G_IS_TASK (task));
  g_return_if_fail (func != NULL);

  g_once (&pool, make_pool, NULL);
  job = g_new (Job, 1);
  job->task = g_object_ref (task);
  job->func = func;
  g_thread_pool_push (pool.retval, job, NULL);
}
