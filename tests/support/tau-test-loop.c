/* SPDX-License-Identifier: MIT */
#include "support/tau-test-loop.h"

/* Waiting without sleeping: the tests drive the main context until what they wait for is there. */

typedef struct
{
  const char *place;
  const char *condition;
} Wait;

static gboolean
too_late_cb (gpointer user_data)
{
  const Wait *wait = user_data;

  g_error ("%s: waited %d s for (%s)", wait->place, TAU_TEST_PATIENCE_SECONDS, wait->condition);

  return G_SOURCE_REMOVE;
}

/**
 * tau_test_loop_step:
 * @deadline: monotonic time in microseconds at which to give up
 * @place: file and line of the waiting test
 * @condition: what it waits for, as text
 *
 * Runs one iteration of the default main context, blocking; aborts the program when @deadline comes
 * first. Use it through tau_test_wait_until().
 */
void
tau_test_loop_step (gint64      deadline,
                    const char *place,
                    const char *condition)
{
  Wait wait = { place, condition };
  gint64 left = MAX (deadline - g_get_monotonic_time (), 0);
  guint timeout = g_timeout_add (left / 1000, too_late_cb, &wait);

  g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
}

/**
 * tau_test_loop_settle:
 *
 * Runs the default main context until nothing in it is ready. What still waits for a file
 * descriptor or a timeout goes on waiting, so use it only to let deferred callbacks run.
 */
void
tau_test_loop_settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/**
 * tau_test_loop_result_cb:
 * @object: (nullable): the source object
 * @result: the result
 * @user_data: address of a `GAsyncResult *` that is %NULL
 *
 * A #GAsyncReadyCallback that keeps @result for the test to look at; the test owns the reference.
 * That it comes only once is asserted.
 */
void
tau_test_loop_result_cb (GObject      *object,
                         GAsyncResult *result,
                         gpointer      user_data)
{
  GAsyncResult **place = user_data;

  g_assert_null (*place);
  *place = g_object_ref (result);
}

/**
 * tau_test_loop_wait_result:
 * @result: (inout): the place given to tau_test_loop_result_cb()
 *
 * Runs the default main context until the result has come.
 *
 * Returns: (transfer none): the result
 */
GAsyncResult *
tau_test_loop_wait_result (GAsyncResult **result)
{
  tau_test_wait_until (*result != NULL);

  return *result;
}
