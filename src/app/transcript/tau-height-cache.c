/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-height-cache.h"

/* TauHeightCache: plain struct, owned by the transcript. True heights of rows that were built once, at one width:
 * a list measures 200 rows that nobody sees, and must not have to build them for that. */
struct _TauHeightCache
{
  GHashTable *heights;   /* key → GINT_TO_POINTER (height) */
  int         width;
};

/**
 * tau_height_cache_new:
 *
 * Returns: (transfer full): an empty cache
 */
TauHeightCache *
tau_height_cache_new (void)
{
  TauHeightCache *self = g_new0 (TauHeightCache, 1);

  self->heights = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return self;
}

/**
 * tau_height_cache_free:
 * @self: (transfer full): a cache
 *
 * Frees it.
 */
void
tau_height_cache_free (TauHeightCache *self)
{
  g_hash_table_unref (self->heights);
  g_free (self);
}

/**
 * tau_height_cache_set_width:
 * @self: a cache
 * @width: width that rows are allocated at
 *
 * Forgets all heights if the width is another one. Rows are measured at other widths too, on the way to their size;
 * those do not belong here.
 */
void
tau_height_cache_set_width (TauHeightCache *self,
                            int             width)
{
  if (self->width == width)
    return;

  self->width = width;
  g_hash_table_remove_all (self->heights);
}

/**
 * tau_height_cache_get_width:
 * @self: a cache
 *
 * Returns: the width that its heights are of
 */
int
tau_height_cache_get_width (TauHeightCache *self)
{
  return self->width;
}

/**
 * tau_height_cache_get:
 * @self: a cache
 * @key: names a row
 *
 * Returns: its height, or 0 if it is not known
 */
int
tau_height_cache_get (TauHeightCache *self,
                      guint64         key)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->heights, &key));
}

/**
 * tau_height_cache_set:
 * @self: a cache
 * @key: names a row
 * @height: its height
 *
 * Remembers a height.
 */
void
tau_height_cache_set (TauHeightCache *self,
                      guint64         key,
                      int             height)
{
  if (tau_height_cache_get (self, key) != height)
    g_hash_table_insert (self->heights, g_memdup2 (&key, sizeof key), GINT_TO_POINTER (height));
}

/**
 * tau_height_cache_forget:
 * @self: a cache
 * @key: names a row
 *
 * Forgets the height of a row that changed.
 */
void
tau_height_cache_forget (TauHeightCache *self,
                         guint64         key)
{
  g_hash_table_remove (self->heights, &key);
}

/**
 * tau_height_cache_clear:
 * @self: a cache
 *
 * Forgets all, as after a change of the font.
 */
void
tau_height_cache_clear (TauHeightCache *self)
{
  g_hash_table_remove_all (self->heights);
}
