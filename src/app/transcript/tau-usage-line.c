/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-usage-line.h"

#include "core/base/tau-text.h"

/* What an answer used, on one line, for those who point at it: "claude-x · ↑1.2k ↓340 · $0.0123". */

static void
add_tokens (GString    *line,
            const char *sign,
            gint64      tokens)
{
  if (tokens <= 0)
    return;
  if (line->len > 0)
    g_string_append_c (line, ' ');
  if (tokens < 1000)
    g_string_append_printf (line, "%s%" G_GINT64_FORMAT, sign, tokens);
  else if (tokens < 10000)
    g_string_append_printf (line, "%s%.1fk", sign, (double) tokens / 1000);
  else
    g_string_append_printf (line, "%s%" G_GINT64_FORMAT "k", sign, (tokens + 500) / 1000);
}

/**
 * tau_usage_line_new:
 * @answer: an answer
 *
 * Returns: (transfer full) (nullable): its model, tokens and cost; %NULL if the server did not say what it used
 */
char *
tau_usage_line_new (TauAssistantMessage *answer)
{
  const TauUsage *usage = tau_assistant_message_get_usage (answer);
  const char *model = tau_assistant_message_get_model (answer);
  g_autofree char *valid = tau_text_make_valid (model ? model : "", -1);
  g_autoptr(GString) line = g_string_new (NULL);

  add_tokens (line, "↑", usage->input);
  add_tokens (line, "↓", usage->output);
  add_tokens (line, "R", usage->cache_read);
  add_tokens (line, "W", usage->cache_write);
  if (line->len == 0)
    return NULL;

  if (usage->cost_total > 0)
    g_string_append_printf (line, " · $%.4f", usage->cost_total);
  return *valid ? g_strdup_printf ("%s · %s", valid, line->str) : g_string_free (g_steal_pointer (&line), FALSE);
}

/**
 * tau_usage_line_dup_time:
 * @milliseconds: since 1970; 0 for unknown
 * @now: what time it is
 *
 * Returns: (transfer full) (nullable): when that was, as people write it: without the day if it was today
 */
char *
tau_usage_line_dup_time (gint64     milliseconds,
                         GDateTime *now)
{
  g_autoptr(GDateTime) utc = milliseconds > 0 ? g_date_time_new_from_unix_utc (milliseconds / 1000) : NULL;
  g_autoptr(GDateTime) time = utc != NULL ? g_date_time_to_timezone (utc, g_date_time_get_timezone (now)) : NULL;

  if (time == NULL)
    return NULL;
  if (g_date_time_get_year (time) == g_date_time_get_year (now)
      && g_date_time_get_day_of_year (time) == g_date_time_get_day_of_year (now))
    return g_date_time_format (time, "%H:%M");
  return g_date_time_format (time, "%x, %H:%M");
}
