/* SPDX-License-Identifier: MIT */
#include "core/base/tau-id.h"

#include <string.h>
#include <unistd.h>

/* The clock and the dice. Whatever ends up in a session file takes its times and ids from here, so that a test can have
 * both its own way. */

#define LAST_MS G_GINT64_CONSTANT (253402300799999)   /* the end of the year 9999, the last that ISO 8601 writes in four digits */

static char *(*testing_id) (void);
static gint64 (*testing_clock) (void);

static char *
format_uuid (guint8 bytes[16],
             guint  version)
{
  GString *out = g_string_sized_new (40);

  /* RFC 9562: the version's four bits and the variant's two. */
  bytes[6] = (guint8) ((bytes[6] & 0x0f) | (version << 4));
  bytes[8] = (bytes[8] & 0x3f) | 0x80;

  for (guint i = 0; i < 16; i++)
    {
      if (i == 4 || i == 6 || i == 8 || i == 10)
        g_string_append_c (out, '-');
      g_string_append_printf (out, "%02x", bytes[i]);
    }

  return g_string_free (out, FALSE);
}

static void
fill_randomly (guint8 bytes[16])
{
  if (getentropy (bytes, 16) == 0)
    return;

  for (guint i = 0; i < 16; i++)
    bytes[i] = (guint8) g_random_int_range (0, 256);
}

/**
 * tau_id_new_uuid_v7:
 *
 * Returns: (transfer full): a UUID that begins with the time, so that names sort by age
 */
char *
tau_id_new_uuid_v7 (void)
{
  guint8 bytes[16];
  gint64 now = tau_clock_now_ms ();

  if (testing_id != NULL)
    return testing_id ();

  fill_randomly (bytes);
  for (guint i = 0; i < 6; i++)
    bytes[i] = (guint8) (now >> (40 - 8 * i));
  return format_uuid (bytes, 7);
}

/**
 * tau_id_new_uuid_v4:
 *
 * Returns: (transfer full): a random UUID
 */
char *
tau_id_new_uuid_v4 (void)
{
  guint8 bytes[16];

  if (testing_id != NULL)
    return testing_id ();

  fill_randomly (bytes);
  return format_uuid (bytes, 4);
}

/**
 * tau_id_new_entry:
 * @taken: (nullable) (scope call): tells if the session has an id already
 * @user_data: for @taken
 *
 * Makes an id for an entry of a session: eight digits, since a person may have to read it. If 100 of them are taken, a
 * whole UUID.
 *
 * Returns: (transfer full): the id
 */
char *
tau_id_new_entry (TauIdTakenFunc taken,
                  gpointer       user_data)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *uuid = tau_id_new_uuid_v4 ();
      g_autofree char *id = g_strndup (uuid, 8);

      if (taken == NULL || !taken (id, user_data))
        return g_steal_pointer (&id);
    }

  return tau_id_new_uuid_v4 ();
}

/**
 * tau_id_set_for_testing:
 * @new_id: (nullable) (scope forever): makes all UUIDs from now on; %NULL for real ones
 *
 * Replaces the dice.
 */
void
tau_id_set_for_testing (char *(*new_id) (void))
{
  testing_id = new_id;
}

/**
 * tau_clock_now_ms:
 *
 * Returns: milliseconds since 1970
 */
gint64
tau_clock_now_ms (void)
{
  return testing_clock != NULL ? testing_clock () : g_get_real_time () / 1000;
}

/**
 * tau_clock_iso:
 * @ms: milliseconds since 1970
 *
 * Formats a time as JavaScript's toISOString() does: "2026-11-30T21:21:00.458Z".
 *
 * Returns: (transfer full): the text
 */
char *
tau_clock_iso (gint64 ms)
{
  gint64 bounded = CLAMP (ms, 0, LAST_MS);
  g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc (bounded / 1000);
  g_autofree char *seconds = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");

  return g_strdup_printf ("%s.%03dZ", seconds, (int) (bounded % 1000));
}

static gboolean
read_digits (const char *text,
             guint       count,
             gint64     *number)
{
  *number = 0;
  for (guint i = 0; i < count; i++)
    {
      if (!g_ascii_isdigit (text[i]))
        return FALSE;
      *number = *number * 10 + (text[i] - '0');
    }
  return TRUE;
}

/* Days from 1970-01-01 to a date of the Gregorian calendar. Years begin in March, so that leap days come last. */
static gint64
count_days (gint64 year,
            gint64 month,
            gint64 day)
{
  gint64 y = month > 2 ? year : year - 1;
  gint64 m = month > 2 ? month - 3 : month + 9;

  return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1 - 719468;
}

/* "2026-01-02T03:04:05.678Z", as every line of a session has it: a hundred thousand of them are read at once. */
static gboolean
parse_usual (const char *text,
             gint64     *ms)
{
  gint64 year, month, day, hour, minute, second, milli;

  if (strlen (text) != 24 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':'
      || text[19] != '.' || text[23] != 'Z')
    return FALSE;
  if (!read_digits (text, 4, &year) || !read_digits (text + 5, 2, &month) || !read_digits (text + 8, 2, &day)
      || !read_digits (text + 11, 2, &hour) || !read_digits (text + 14, 2, &minute) || !read_digits (text + 17, 2, &second)
      || !read_digits (text + 20, 3, &milli))
    return FALSE;
  if (year < 1 || hour > 23 || minute > 59 || second > 59 || !g_date_valid_dmy ((GDateDay) day, (GDateMonth) month, (GDateYear) year))
    return FALSE;
  *ms = (((count_days (year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milli;
  return TRUE;
}

/**
 * tau_clock_parse_iso:
 * @text: (nullable): an ISO 8601 time; local if it names no zone
 * @ms: (out): milliseconds since 1970
 *
 * Returns: %FALSE if @text is no time; @ms is left alone then
 */
gboolean
tau_clock_parse_iso (const char *text,
                     gint64     *ms)
{
  g_autoptr(GTimeZone) local = NULL;
  g_autoptr(GDateTime) time = NULL;

  if (text == NULL)
    return FALSE;
  if (parse_usual (text, ms))
    return TRUE;
  local = g_time_zone_new_local ();
  time = g_date_time_new_from_iso8601 (text, local);
  if (time == NULL)
    return FALSE;

  /* GLib reads the seconds as a double: 0.458 is 0.457999… there. */
  *ms = g_date_time_to_unix (time) * 1000 + (g_date_time_get_microsecond (time) + 500) / 1000;
  return TRUE;
}

/**
 * tau_clock_set_for_testing:
 * @now_ms: (nullable) (scope forever): tells the time from now on; %NULL for the real one
 *
 * Replaces the clock.
 */
void
tau_clock_set_for_testing (gint64 (*now_ms) (void))
{
  testing_clock = now_ms;
}
