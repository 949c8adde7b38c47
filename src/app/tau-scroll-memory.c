/* SPDX-License-Identifier: MIT */
#include "app/tau-scroll-memory.h"

/* Where the reader was in each of the sessions that were left somewhere else than at their end: kept in the
 * program's own settings, the latest ones only, since session files are shared with others. */

#define KEY      "scroll-positions"
#define SESSIONS 100

/**
 * tau_scroll_memory_store:
 * @settings: the program's settings
 * @session_id: names a session
 * @position: (nullable): where the reader is; %NULL at the end
 *
 * Remembers a place.
 */
void
tau_scroll_memory_store (GSettings  *settings,
                         const char *session_id,
                         const char *position)
{
  g_autoptr(GVariant) old = g_settings_get_value (settings, KEY);
  GVariantBuilder builder;
  GVariantIter iter;
  const char *id, *place;
  guint n = 0;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(ss)"));
  if (position)
    {
      g_variant_builder_add (&builder, "(ss)", session_id, position);
      n++;
    }
  g_variant_iter_init (&iter, old);
  while (n < SESSIONS && g_variant_iter_next (&iter, "(&s&s)", &id, &place))
    if (!g_str_equal (id, session_id))
      {
        g_variant_builder_add (&builder, "(ss)", id, place);
        n++;
      }
  g_settings_set_value (settings, KEY, g_variant_builder_end (&builder));
}

/**
 * tau_scroll_memory_load:
 * @settings: the program's settings
 * @session_id: names a session
 *
 * Returns: (transfer full) (nullable): where the reader was in it; %NULL at the end
 */
char *
tau_scroll_memory_load (GSettings  *settings,
                        const char *session_id)
{
  g_autoptr(GVariant) all = g_settings_get_value (settings, KEY);
  GVariantIter iter;
  const char *id, *place;

  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&s)", &id, &place))
    if (g_str_equal (id, session_id))
      return g_strdup (place);
  return NULL;
}
