/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-retry.h"

/* When an attempt is repeated, and after how long: arithmetic over what a server may send. */

#define NOW_MS G_GINT64_CONSTANT (784111777000)   /* Sun, 06 Nov 1994 08:49:37 GMT */

static void
test_may_repeat (void)
{
  static const struct { guint status; const char *word; gboolean expected; } cases[] = {
    { 0, NULL, TRUE }, { 408, NULL, TRUE }, { 409, NULL, TRUE }, { 429, NULL, TRUE }, { 500, NULL, TRUE }, { 529, NULL, TRUE },
    { 400, NULL, FALSE }, { 401, NULL, FALSE }, { 404, NULL, FALSE }, { 413, NULL, FALSE }, { 302, NULL, FALSE },
    { 400, "true", TRUE }, { 500, "false", FALSE }, { 500, "perhaps", TRUE }, { 400, "", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (tau_retry_may_repeat (&(TauRetryFailure) { .status = cases[i].status, .should_retry = cases[i].word }), ==,
                     cases[i].expected);
}

static void
test_server_delay (void)
{
  static const struct { const char *ms; const char *seconds; gint64 expected; } cases[] = {
    { NULL, NULL, -1 },
    { "250", "7", 250 },
    { NULL, "7", 7000 },
    { NULL, "1.5", 1500 },
    { "nonsense", "7", 7000 },
    { NULL, "soon", -1 },
    { NULL, "", -1 },
    { NULL, "-5", 0 },
    { NULL, "1e400", -1 },
    { NULL, "nan", -1 },
    { NULL, "1e300", G_GINT64_CONSTANT (1000000000000000) },
    { NULL, "Sun, 06 Nov 1994 08:49:47 GMT", 10000 },
    { NULL, "Sun, 06 Nov 1994 08:49:00 GMT", 0 },
    { NULL, "Sun, 99 Nov 1994 08:49:00 GMT", -1 },
    { NULL, "Sun, 06 Foo 1994 08:49:00 GMT", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TauRetryFailure failure = { .status = 429, .retry_after_ms = cases[i].ms, .retry_after = cases[i].seconds };

      g_test_message ("case %u", i);
      g_assert_cmpint (tau_retry_get_server_delay (&failure, NOW_MS), ==, cases[i].expected);
    }
}

static void
test_backoff (void)
{
  static const gint64 longest[] = { 500, 1000, 2000, 4000, 8000, 8000, 8000 };

  for (guint i = 0; i < G_N_ELEMENTS (longest); i++)
    {
      g_assert_cmpint (tau_retry_get_backoff (i, 0), ==, longest[i]);
      g_assert_cmpint (tau_retry_get_backoff (i, 1), ==, longest[i] * 3 / 4);
    }
  g_assert_cmpint (tau_retry_get_backoff (G_MAXUINT, 0.5), ==, 7000);
}

/* P70: a wait beyond the cap is no wait at all. */
static void
test_decide (void)
{
  const TauRetryFailure busy = { .status = 503 }, refused = { .status = 401 };
  const TauRetryFailure soon = { .status = 429, .retry_after = "20" }, days = { .status = 429, .retry_after = "200000" };
  gint64 delay = -1;

  g_assert_true (tau_retry_decide (&busy, 0, 2, 60000, NOW_MS, 0, &delay));
  g_assert_cmpint (delay, ==, 500);
  g_assert_true (tau_retry_decide (&busy, 1, 2, 60000, NOW_MS, 0, &delay));
  g_assert_cmpint (delay, ==, 1000);
  g_assert_false (tau_retry_decide (&busy, 2, 2, 60000, NOW_MS, 0, &delay));
  g_assert_false (tau_retry_decide (&busy, 0, 0, 60000, NOW_MS, 0, &delay));
  g_assert_false (tau_retry_decide (&refused, 0, 2, 60000, NOW_MS, 0, &delay));
  g_assert_true (tau_retry_decide (&soon, 0, 2, 60000, NOW_MS, 0, &delay));
  g_assert_cmpint (delay, ==, 20000);
  g_assert_false (tau_retry_decide (&soon, 0, 2, 19999, NOW_MS, 0, &delay));
  g_assert_false (tau_retry_decide (&days, 0, 2, 60000, NOW_MS, 0, &delay));
}

/* What a server asks for survives in the error text, which is all that a session gets. */
static void
test_wait_text (void)
{
  static const struct { const char *header; gint64 ms; } round_trips[] = {
    { "30", 30000 }, { "0", 0 }, { "0.2", 1000 }, { "Sun, 06 Nov 1994 08:50:37 GMT", 60000 },
  };
  static const struct { const char *text; gint64 ms; } texts[] = {
    { NULL, -1 }, { "", -1 }, { "429 slow down", -1 },
    { "429 the server asks to wait 5 s", -1 },
    { "429 x (the server asks to wait 5 s) (the server asks to wait 7 s)", 7000 },
    { "429 x (the server asks to wait a while)", -1 },
    { "{\"error\":{\"code\":429,\"details\":[{\"retryDelay\":\"34.5s\"}]}}", 34500 },
    { "{\"error\":{\"code\":429,\"details\":[{\"retryDelay\": \"2s\"}]}}", 2000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (round_trips); i++)
    {
      g_autofree char *words = tau_retry_dup_wait_text (round_trips[i].header, NOW_MS);
      g_autofree char *text = g_strdup_printf ("429 slow down (%s)", words);

      g_assert_cmpint (tau_retry_read_wait_text (text), ==, round_trips[i].ms);
    }
  g_assert_null (tau_retry_dup_wait_text ("soon", NOW_MS));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_cmpint (tau_retry_read_wait_text (texts[i].text), ==, texts[i].ms);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/retry/may-repeat", test_may_repeat);
  g_test_add_func ("/retry/server-delay", test_server_delay);
  g_test_add_func ("/retry/backoff", test_backoff);
  g_test_add_func ("/retry/p70-decide", test_decide);
  g_test_add_func ("/retry/wait-text", test_wait_text);

  return g_test_run ();
}
