/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-retry.h"

#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WAIT_TEXT "the server asks to wait "

/* When to repeat an attempt to open a stream, and after how long; arithmetic only, the waiting is done elsewhere. These are the
 * rules of the OpenAI and Anthropic client libraries, with one addition: a wait that the server asks for beyond the caller's
 * cap is no wait at all, since an error that says so serves a person better than a silent minute. */

/* Months of RFC 9110 dates: "Sun, 06 Nov 1994 08:49:37 GMT". */
static int
parse_month (const char *name)
{
  static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

  for (int i = 0; i < 12; i++)
    if (g_ascii_strncasecmp (months + 3 * i, name, 3) == 0)
      return i + 1;

  return 0;
}

static gboolean
parse_http_date (const char *text,
                 gint64     *ms)
{
  char month[4];
  int day, year, hour, minute, second;
  g_autoptr(GDateTime) time = NULL;

  if (sscanf (text, "%*3s, %2d %3s %4d %2d:%2d:%2d GMT", &day, month, &year, &hour, &minute, &second) != 6)
    return FALSE;

  time = g_date_time_new_utc (year, parse_month (month), day, hour, minute, second);
  if (time == NULL)
    return FALSE;

  *ms = g_date_time_to_unix (time) * 1000;
  return TRUE;
}

static gboolean
parse_number (const char *text,
              double     *number)
{
  char *end;

  if (text == NULL || *text == '\0')
    return FALSE;

  *number = g_ascii_strtod (text, &end);
  return *end == '\0' && isfinite (*number);
}

/**
 * tau_retry_may_repeat:
 * @failure: how the attempt failed
 *
 * Returns: whether another attempt may go better: no response, 408, 409, 429 and from 500 up, unless
 *   the server says otherwise
 */
gboolean
tau_retry_may_repeat (const TauRetryFailure *failure)
{
  if (g_strcmp0 (failure->should_retry, "true") == 0)
    return TRUE;
  if (g_strcmp0 (failure->should_retry, "false") == 0)
    return FALSE;

  return failure->status == 0 || failure->status == 408 || failure->status == 409 || failure->status == 429 ||
         failure->status >= 500;
}

/**
 * tau_retry_get_server_delay:
 * @failure: how the attempt failed
 * @now_ms: the time, in ms since 1970
 *
 * Returns: how many ms the server asks to wait, or -1 if it does not say
 */
gint64
tau_retry_get_server_delay (const TauRetryFailure *failure,
                            gint64                 now_ms)
{
  double number;
  gint64 when;

  if (parse_number (failure->retry_after_ms, &number))
    return (gint64) CLAMP (number, 0, 1e15);
  if (parse_number (failure->retry_after, &number))
    return (gint64) CLAMP (number * 1000, 0, 1e15);
  if (failure->retry_after != NULL && parse_http_date (failure->retry_after, &when))
    return MAX (0, when - now_ms);

  return -1;
}

/**
 * tau_retry_get_backoff:
 * @n_failures: attempts that failed before, from 0
 * @random: from 0 to 1
 *
 * Returns: ms to wait when the server does not say: half a second, doubled each time up to eight, less up to a
 *   quarter, so that many clients do not come back together
 */
gint64
tau_retry_get_backoff (guint  n_failures,
                       double random)
{
  double ms = MIN (500.0 * (1 << MIN (n_failures, 10)), 8000.0);

  return (gint64) (ms * (1 - 0.25 * CLAMP (random, 0, 1)));
}

/**
 * tau_retry_decide:
 * @failure: how the attempt failed
 * @n_failures: attempts that failed before this one
 * @max_retries: how many repeats are allowed in all
 * @max_delay_ms: longest wait that the caller accepts
 * @now_ms: the time, in ms since 1970
 * @random: from 0 to 1
 * @delay_ms: (out): ms to wait
 *
 * Returns: %TRUE to try again after @delay_ms, %FALSE to give up
 */
gboolean
tau_retry_decide (const TauRetryFailure *failure,
                  guint                  n_failures,
                  int                    max_retries,
                  gint64                 max_delay_ms,
                  gint64                 now_ms,
                  double                 random,
                  gint64                *delay_ms)
{
  gint64 asked = tau_retry_get_server_delay (failure, now_ms);

  if ((gint64) n_failures >= max_retries || !tau_retry_may_repeat (failure) || asked > max_delay_ms)
    return FALSE;

  *delay_ms = asked >= 0 ? asked : tau_retry_get_backoff (n_failures, random);
  return TRUE;
}

/**
 * tau_retry_dup_wait_text:
 * @retry_after: header retry-after
 * @now_ms: the time, in ms since 1970
 *
 * Puts a server's wish into words, which tau_retry_read_wait_text() reads again: an error text is all that is left of a
 * response above the provider.
 *
 * Returns: (transfer full) (nullable): the words; %NULL if @retry_after makes no sense
 */
char *
tau_retry_dup_wait_text (const char *retry_after,
                         gint64      now_ms)
{
  gint64 ms = tau_retry_get_server_delay (&(TauRetryFailure) { .retry_after = retry_after }, now_ms);

  return ms >= 0 ? g_strdup_printf (WAIT_TEXT "%" G_GINT64_FORMAT " s", (ms + 999) / 1000) : NULL;
}

/* Google writes its wish into the body instead: "retryDelay": "34.07s" (google.rpc.RetryInfo). */
static const char *
find_wait (const char *error_text)
{
  const char *found = g_strrstr (error_text, "(" WAIT_TEXT);

  if (found != NULL)
    return found + strlen ("(" WAIT_TEXT);
  found = strstr (error_text, "\"retryDelay\":");

  return found != NULL ? found + strlen ("\"retryDelay\":") : NULL;
}

/**
 * tau_retry_read_wait_text:
 * @error_text: (nullable): error text of an answer
 *
 * Returns: how many ms the server asked to wait, or -1 if the text does not say
 */
gint64
tau_retry_read_wait_text (const char *error_text)
{
  const char *number = error_text != NULL ? find_wait (error_text) : NULL;
  char *end;
  double seconds;

  if (number == NULL)
    return -1;
  number += strspn (number, " \"");
  seconds = g_ascii_strtod (number, &end);

  return end != number && isfinite (seconds) && seconds >= 0 ? (gint64) (MIN (seconds, 1e12) * 1000) : -1;
}
