/* SPDX-License-Identifier: MIT */
#include "core/base/tau-task.h"

typedef struct
{
  GThread *ended_in;   /* where the source object was taken apart */
  int      called;     /* atomic: the callback has run */
} Fate;

static void
ended_cb (gpointer  data,
          GObject  *where_it_was)
{
  Fate *fate = data;

  fate->ended_in = g_thread_self ();
}

static void
called_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  Fate *fate = user_data;

  g_assert_true (g_task_propagate_boolean (G_TASK (result), NULL));
  g_atomic_int_set (&fate->called, TRUE);
}

/* Stays in the worker until everybody else has let go of the task. */
static void
linger (GTask        *task,
        gpointer      source,
        gpointer      task_data,
        GCancellable *cancellable)
{
  Fate *fate = task_data;

  g_assert_true (G_IS_OBJECT (source));
  g_task_return_boolean (task, TRUE);
  while (!g_atomic_int_get (&fate->called))
    g_thread_yield ();
}

static void
test_ends_where_it_began (void)
{
  for (int i = 0; i < 50; i++)
    {
      Fate fate = { NULL, FALSE };
      GObject *source = g_object_new (G_TYPE_OBJECT, NULL);
      GTask *task = g_task_new (source, NULL, called_cb, &fate);

      g_object_weak_ref (source, ended_cb, &fate);
      g_task_set_task_data (task, &fate, NULL);
      tau_task_run_in_thread (task, linger);
      g_object_unref (task);
      g_object_unref (source);
      while (fate.ended_in == NULL)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (fate.ended_in == g_thread_self ());
    }
}

static void
cancelled_cb (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr(GError) error = NULL;
  gboolean *called = user_data;

  g_assert_false (g_task_propagate_boolean (G_TASK (result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  *called = TRUE;
}

static void
wait_for_cancel (GTask        *task,
                 gpointer      source,
                 gpointer      task_data,
                 GCancellable *cancellable)
{
  g_assert_null (source);
  while (!g_cancellable_is_cancelled (cancellable))
    g_thread_yield ();
  g_task_return_boolean (task, TRUE);
}

static void
test_cancelled (void)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  gboolean called = FALSE;
  GTask *task = g_task_new (NULL, cancellable, cancelled_cb, &called);

  tau_task_run_in_thread (task, wait_for_cancel);
  g_object_unref (task);
  g_cancellable_cancel (cancellable);
  while (!called)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/task/ends-where-it-began", test_ends_where_it_began);
  g_test_add_func ("/task/cancelled", test_cancelled);

  return g_test_run ();
}
