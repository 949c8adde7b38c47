/* SPDX-License-Identifier: MIT */
#include "core/base/tau-id.h"

#include <string.h>

static gint64
fixed_clock (void)
{
  return G_GINT64_CONSTANT (1796073660458);
}

static guint n_ids;

static char *
fixed_id (void)
{
  return g_strdup_printf ("%08x-0000-4000-8000-000000000000", n_ids++);
}

static gboolean
is_in_list (const char *id,
            gpointer    user_data)
{
  return g_strv_contains (user_data, id);
}

static gboolean
is_always_taken (const char *id,
                 gpointer    user_data)
{
  g_assert_cmpuint (strlen (id), ==, 8);
  *(guint *) user_data += 1;
  return TRUE;
}

static void
test_uuid (void)
{
  g_autofree char *random = tau_id_new_uuid_v4 ();
  g_autofree char *other = tau_id_new_uuid_v4 ();
  g_autofree char *timed = NULL;

  g_assert_true (g_uuid_string_is_valid (random));
  g_assert_cmpint (random[14], ==, '4');
  g_assert_cmpstr (random, !=, other);

  tau_clock_set_for_testing (fixed_clock);
  timed = tau_id_new_uuid_v7 ();
  tau_clock_set_for_testing (NULL);
  g_assert_true (g_str_has_prefix (timed, "01a22e55-202a-7"));
  g_assert_nonnull (strchr ("89ab", timed[19]));
  g_assert_cmpuint (strlen (timed), ==, 36);
}

static void
test_entry (void)
{
  static const char * const taken[] = { "00000000", "00000001", NULL };
  g_autofree char *id = NULL;

  n_ids = 0;
  tau_id_set_for_testing (fixed_id);
  id = tau_id_new_entry (is_in_list, (gpointer) taken);
  tau_id_set_for_testing (NULL);
  g_assert_cmpstr (id, ==, "00000002");
}

static void
test_entry_of_full_session (void)
{
  guint tries = 0;
  g_autofree char *id = tau_id_new_entry (is_always_taken, &tries);

  g_assert_cmpuint (tries, ==, 100);
  g_assert_true (g_uuid_string_is_valid (id));
}

static void
test_iso (void)
{
  static const struct { gint64 ms; const char *text; } cases[] = {
    { 0, "1970-01-01T00:00:00.000Z" },
    { 1, "1970-01-01T00:00:00.001Z" },
    { G_GINT64_CONSTANT (1796073660458), "2026-11-30T21:21:00.458Z" },
    { G_GINT64_CONSTANT (253402300799999), "9999-12-31T23:59:59.999Z" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = tau_clock_iso (cases[i].ms);
      gint64 ms = -1;

      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_true (tau_clock_parse_iso (text, &ms));
      g_assert_cmpint (ms, ==, cases[i].ms);
    }
}

static void
test_every_millisecond (void)
{
  for (gint64 i = 0; i < 1000; i++)
    {
      g_autofree char *text = tau_clock_iso (fixed_clock () + i);
      gint64 ms;

      g_assert_true (tau_clock_parse_iso (text, &ms));
      g_assert_cmpint (ms, ==, fixed_clock () + i);
    }
}

static void
test_parse_iso (void)
{
  gint64 ms = 5;

  g_assert_false (tau_clock_parse_iso (NULL, &ms));
  g_assert_false (tau_clock_parse_iso ("", &ms));
  g_assert_false (tau_clock_parse_iso ("yesterday", &ms));
  g_assert_false (tau_clock_parse_iso ("2026-13-01T00:00:00Z", &ms));
  g_assert_false (tau_clock_parse_iso ("2026-02-29T00:00:00.000Z", &ms));
  g_assert_false (tau_clock_parse_iso ("2026-01-01T24:01:00.000Z", &ms));
  g_assert_false (tau_clock_parse_iso ("2026-01-01T0a:00:00.000Z", &ms));
  g_assert_cmpint (ms, ==, 5);
  g_assert_true (tau_clock_parse_iso ("1970-01-01T02:00:00.5+02:00", &ms));
  g_assert_cmpint (ms, ==, 500);
}

/* The usual form is read by arithmetic of ours; GLib knows the calendar too. */
static void
test_every_day (void)
{
  g_autoptr(GDateTime) start = g_date_time_new_utc (1, 1, 1, 23, 59, 59.0);

  for (int day = 0; day < 3652059; day += 17)
    {
      g_autoptr(GDateTime) time = g_date_time_add_days (start, day);
      g_autofree char *text = g_strdup_printf ("%04d-%02d-%02dT23:59:59.007Z", g_date_time_get_year (time),
                                               g_date_time_get_month (time), g_date_time_get_day_of_month (time));
      gint64 ms;

      g_assert_true (tau_clock_parse_iso (text, &ms));
      g_assert_cmpint (ms, ==, g_date_time_to_unix (time) * 1000 + 7);
    }
}

static void
test_clock (void)
{
  gint64 before = g_get_real_time () / 1000;

  g_assert_cmpint (tau_clock_now_ms (), >=, before);
  tau_clock_set_for_testing (fixed_clock);
  g_assert_cmpint (tau_clock_now_ms (), ==, fixed_clock ());
  tau_clock_set_for_testing (NULL);
  g_assert_cmpint (tau_clock_now_ms (), !=, fixed_clock ());
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/id/uuid", test_uuid);
  g_test_add_func ("/id/entry", test_entry);
  g_test_add_func ("/id/entry-of-full-session", test_entry_of_full_session);
  g_test_add_func ("/clock/iso", test_iso);
  g_test_add_func ("/clock/every-millisecond", test_every_millisecond);
  g_test_add_func ("/clock/parse-iso", test_parse_iso);
  g_test_add_func ("/clock/every-day", test_every_day);
  g_test_add_func ("/clock/now", test_clock);

  return g_test_run ();
}
