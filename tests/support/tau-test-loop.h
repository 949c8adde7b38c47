/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* How long a test may wait for one thing; generous, since sanitizer builds share a busy machine. */
#define TAU_TEST_PATIENCE_SECONDS 30

/**
 * tau_test_wait_until:
 * @condition: an expression
 *
 * Runs the default main context until @condition is true. Aborts the test, naming the expression,
 * when that takes longer than %TAU_TEST_PATIENCE_SECONDS.
 */
#define tau_test_wait_until(condition)                                                         \
  G_STMT_START                                                                                 \
  {                                                                                            \
    gint64 deadline_ = g_get_monotonic_time () + TAU_TEST_PATIENCE_SECONDS * G_USEC_PER_SEC;   \
                                                                                               \
    while (!(condition))                                                                       \
      tau_test_loop_step (deadline_, G_STRLOC, #condition);                                    \
  }                                                                                            \
  G_STMT_END

void          tau_test_loop_step        (gint64        deadline,
                                         const char   *place,
                                         const char   *condition);
void          tau_test_loop_settle      (void);
void          tau_test_loop_result_cb   (GObject      *object,
                                         GAsyncResult *result,
                                         gpointer      user_data);
GAsyncResult *tau_test_loop_wait_result (GAsyncResult **result);

G_END_DECLS
