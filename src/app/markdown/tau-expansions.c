/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-expansions.h"

/* TauExpansions: live, owned by the model of a transcript. Remembers what the reader opened and closed. Rows come
 * and go as they are scrolled by, so they cannot remember it. */
struct _TauExpansions
{
  GObject     parent_instance;
  GHashTable *states;     /* key → GINT_TO_POINTER (TRUE + 1 or FALSE + 1) */
  gboolean    has_all;
  gboolean    all;
  guint64     peek;       /* open for a while, whatever else is said; 0 for none */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauExpansions, tau_expansions, G_TYPE_OBJECT)

static void
tau_expansions_finalize (GObject *object)
{
  g_hash_table_unref (TAU_EXPANSIONS (object)->states);
  G_OBJECT_CLASS (tau_expansions_parent_class)->finalize (object);
}

static void
tau_expansions_class_init (TauExpansionsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_expansions_finalize;

  /**
   * TauExpansions::changed:
   *
   * States changed that nobody set one by one.
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
tau_expansions_init (TauExpansions *self)
{
  self->states = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

/**
 * tau_expansions_new:
 *
 * Returns: (transfer full): a memory in which nothing was opened or closed yet
 */
TauExpansions *
tau_expansions_new (void)
{
  return g_object_new (TAU_TYPE_EXPANSIONS, NULL);
}

/**
 * tau_expansions_get:
 * @self: a memory
 * @key: names the thing
 * @fallback: how it is as long as nobody touched it
 *
 * Returns: whether it is open
 */
gboolean
tau_expansions_get (TauExpansions *self,
                    guint64        key,
                    gboolean       fallback)
{
  int state = GPOINTER_TO_INT (g_hash_table_lookup (self->states, &key));

  if (self->peek != 0 && self->peek == key)
    return TRUE;
  if (state)
    return state - 1;
  return self->has_all ? self->all : fallback;
}

/**
 * tau_expansions_set:
 * @self: a memory
 * @key: names the thing
 * @expanded: whether it is open now
 *
 * Remembers what the reader did.
 */
void
tau_expansions_set (TauExpansions *self,
                    guint64        key,
                    gboolean       expanded)
{
  if (self->peek == key)
    self->peek = 0;
  g_hash_table_insert (self->states, g_memdup2 (&key, sizeof key), GINT_TO_POINTER (expanded + 1));
}

/**
 * tau_expansions_set_all:
 * @self: a memory
 * @expanded: whether all is open now
 *
 * Opens or closes everything, and forgets single ones.
 */
void
tau_expansions_set_all (TauExpansions *self,
                        gboolean       expanded)
{
  g_hash_table_remove_all (self->states);
  self->has_all = TRUE;
  self->all = expanded;
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * tau_expansions_peek:
 * @self: a memory
 * @key: names a thing, or 0
 *
 * Opens one thing for a while, because words were found in it; what was open for that reason before is as it was.
 */
void
tau_expansions_peek (TauExpansions *self,
                     guint64        key)
{
  if (self->peek == key)
    return;

  self->peek = key;
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * tau_expansions_get_peek:
 * @self: a memory
 *
 * Returns: what is open for a while, or 0
 */
guint64
tau_expansions_get_peek (TauExpansions *self)
{
  return self->peek;
}
