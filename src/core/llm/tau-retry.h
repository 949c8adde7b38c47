/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TauRetryFailure:
 * @status: HTTP status, or 0 if no response came
 * @should_retry: (nullable): header x-should-retry
 * @retry_after_ms: (nullable): header retry-after-ms
 * @retry_after: (nullable): header retry-after
 *
 * How an attempt to open a stream failed.
 */
typedef struct
{
  guint       status;
  const char *should_retry;
  const char *retry_after_ms;
  const char *retry_after;
} TauRetryFailure;

gboolean tau_retry_may_repeat       (const TauRetryFailure *failure);
gint64   tau_retry_get_server_delay (const TauRetryFailure *failure, gint64 now_ms);
gint64   tau_retry_get_backoff      (guint n_failures, double random);
gboolean tau_retry_decide           (const TauRetryFailure *failure, guint n_failures, int max_retries, gint64 max_delay_ms,
                                     gint64 now_ms, double random, gint64 *delay_ms);
char    *tau_retry_dup_wait_text    (const char *retry_after, gint64 now_ms);   /* nullable */
gint64   tau_retry_read_wait_text   (const char *error_text);                   /* ms, or -1 */

G_END_DECLS
