/* SPDX-License-Identifier: MIT */
#include "core/message/tau-iso-time.h"

#include <gio/gio.h>

/**
 * tau_iso_time_parse:
 * @text: (nullable): a time as session entries have it, for instance "2026-11-30T21:21:00.458Z"
 * @milliseconds: (out): ms since 1970
 * @error: return location for %G_IO_ERROR_INVALID_DATA
 *
 * A time without a zone is UTC.
 *
 * Returns: whether @text is an ISO 8601 time
 */
gboolean
tau_iso_time_parse (const char *text,
                    gint64     *milliseconds,
                    GError    **error)
{
  g_autoptr(GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr(GDateTime) time = text != NULL ? g_date_time_new_from_iso8601 (text, utc) : NULL;

  g_return_val_if_fail (milliseconds != NULL, FALSE);

  if (time == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "not an ISO 8601 time: %s",
                   text != NULL ? text : "(none)");
      return FALSE;
    }

  *milliseconds = g_date_time_to_unix (time) * 1000 + g_date_time_get_microsecond (time) / 1000;
  return TRUE;
}
