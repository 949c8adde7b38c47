/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-usage-line.h"

static void
check (const char *model,
       gint64      input,
       gint64      output,
       gint64      cache_read,
       double      cost,
       const char *expected)
{
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  TauAssistantFields fields = { .api = "a", .provider = "p", .model = model, .stop_reason = TAU_STOP_REASON_STOP };
  g_autoptr(TauAssistantMessage) answer = NULL;
  g_autofree char *line = NULL;

  fields.usage.input = input;
  fields.usage.output = output;
  fields.usage.cache_read = cache_read;
  fields.usage.cost_total = cost;
  answer = tau_assistant_message_new (none, &fields);
  line = tau_usage_line_new (answer);
  g_assert_cmpstr (line, ==, expected);
}

static void
test_lines (void)
{
  check ("m", 999, 5, 0, 0.01234, "m · ↑999 ↓5 · $0.0123");
  check ("m", 1234, 0, 41000, 0, "m · ↑1.2k R41k");
  check ("", 1, 2, 0, 0, "↑1 ↓2");
  check ("m", 0, 0, 0, 0, NULL);
}

static void
check_time (gint64      milliseconds,
            const char *now,
            const char *expected)
{
  g_autoptr(GTimeZone) zone = g_time_zone_new_offset (3600);
  g_autoptr(GDateTime) time = g_date_time_new_from_iso8601 (now, zone);
  g_autofree char *text = tau_usage_line_dup_time (milliseconds, time);

  g_assert_cmpstr (text, ==, expected);
}

/* The day is said only where it is another one, there where the reader is. */
static void
test_time (void)
{
  check_time (0, "2026-01-02T10:00:00", NULL);
  check_time (G_GINT64_CONSTANT (1767346200000), "2026-01-02T10:45:00", "10:30");
  check_time (G_GINT64_CONSTANT (1767346200000), "2026-01-03T10:45:00", "01/02/26, 10:30");
  check_time (G_GINT64_CONSTANT (1767310200000), "2026-01-02T10:45:00", "00:30");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/usage-line/lines", test_lines);
  g_test_add_func ("/usage-line/time", test_time);
  return g_test_run ();
}
