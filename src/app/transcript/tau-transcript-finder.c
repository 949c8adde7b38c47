/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-transcript-finder.h"

#include "app/transcript/tau-row-texts.h"

#include <string.h>

/* TauTranscriptFinder: live, owned by the transcript view. Looks for words in all rows, a few milliseconds at a time
 * while nothing else is to do, beginning where the reader is: first down to the end, then from the beginning on. Rows
 * that are added at the end are looked at too; after any other change it begins anew. */
struct _TauTranscriptFinder
{
  GObject      parent_instance;
  GListModel  *rows;
  TauFindTerm *term;       /* nullable: nothing is looked for */
  GArray      *above;      /* of TauTranscriptHit, in rows before @origin */
  GArray      *below;      /* in the others */
  guint        origin;
  guint        next;       /* row to look at */
  gboolean     wrapped;    /* it is in the rows before @origin */
  guint        source;     /* while at work */
  int          current;    /* index of a hit in @above, then @below counted on; -1 before there is one */
  gboolean     waiting;    /* the reader asked for the first hit, which is not known yet */
};

#define SLICE_USEC 4000

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauTranscriptFinder, tau_transcript_finder, G_TYPE_OBJECT)

static void
changed (TauTranscriptFinder *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
look_at (TauTranscriptFinder *self,
         guint                row)
{
  g_autoptr(TauTranscriptItem) item = g_list_model_get_item (self->rows, row);
  g_autoptr(GPtrArray) texts = tau_row_texts_list (item);
  GArray *hits = row < self->origin ? self->above : self->below;
  TauTranscriptHit hit = { row, 0 };

  for (guint i = 0; i < texts->len; i++)
    for (guint n = tau_find_term_count (self->term, g_ptr_array_index (texts, i), -1); n > 0; n--)
      {
        g_array_append_val (hits, hit);
        hit.ordinal++;
      }
  /* The numbers of those below grow by what is found above them. */
  if (row < self->origin && self->current >= 0)
    self->current += (int) hit.ordinal;
}

/* Takes a step. Returns whether there are more. */
static gboolean
step (TauTranscriptFinder *self)
{
  guint n_rows = g_list_model_get_n_items (self->rows);

  if (!self->wrapped && self->next >= n_rows)
    {
      self->wrapped = TRUE;
      self->next = 0;
    }
  if (self->wrapped && self->next >= MIN (self->origin, n_rows))
    {
      self->next = n_rows;
      return FALSE;
    }
  look_at (self, self->next++);
  return TRUE;
}

static gboolean
work_cb (gpointer user_data)
{
  TauTranscriptFinder *self = user_data;
  gint64 deadline = g_get_monotonic_time () + SLICE_USEC;
  guint before = tau_transcript_finder_get_n_hits (self);
  gboolean more;

  do
    more = step (self);
  while (more && g_get_monotonic_time () < deadline);

  if (!more)
    self->source = 0;
  if (self->waiting && (self->below->len > 0 || (!more && self->above->len > 0)))
    {
      self->waiting = FALSE;
      self->current = self->below->len > 0 ? (int) self->above->len : 0;
    }
  if (!more || tau_transcript_finder_get_n_hits (self) != before)
    changed (self);
  return more ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
work (TauTranscriptFinder *self)
{
  if (self->term && !self->source)
    self->source = g_idle_add_full (G_PRIORITY_LOW, work_cb, self, NULL);
}

static void
start (TauTranscriptFinder *self,
       guint                from_row)
{
  g_clear_handle_id (&self->source, g_source_remove);
  g_array_set_size (self->above, 0);
  g_array_set_size (self->below, 0);
  self->origin = self->next = MIN (from_row, g_list_model_get_n_items (self->rows));
  self->wrapped = FALSE;
  self->current = -1;
  work (self);
}

static void
rows_changed_cb (GListModel          *rows,
                 guint                position,
                 guint                n_removed,
                 guint                n_added,
                 TauTranscriptFinder *self)
{
  gboolean appended = n_removed == 0 && position + n_added == g_list_model_get_n_items (rows);

  if (!self->term)
    return;
  if (!appended)
    {
      self->waiting = FALSE;
      start (self, MIN (self->origin, g_list_model_get_n_items (rows)));
    }
  else if (self->wrapped)
    {
      /* The end was passed already: these few stand below. */
      for (guint row = position; row < position + n_added; row++)
        look_at (self, row);
      if (!self->source)
        self->next = g_list_model_get_n_items (rows);
      changed (self);
    }
}

static void
tau_transcript_finder_dispose (GObject *object)
{
  TauTranscriptFinder *self = TAU_TRANSCRIPT_FINDER (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (tau_transcript_finder_parent_class)->dispose (object);
}

static void
tau_transcript_finder_finalize (GObject *object)
{
  TauTranscriptFinder *self = TAU_TRANSCRIPT_FINDER (object);

  g_clear_pointer (&self->term, tau_find_term_free);
  g_array_unref (self->above);
  g_array_unref (self->below);
  G_OBJECT_CLASS (tau_transcript_finder_parent_class)->finalize (object);
}

static void
tau_transcript_finder_class_init (TauTranscriptFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_transcript_finder_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_transcript_finder_finalize;

  /**
   * TauTranscriptFinder::changed:
   *
   * Hits came, another one is the present one, or the work is done.
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
tau_transcript_finder_init (TauTranscriptFinder *self)
{
  self->above = g_array_new (FALSE, FALSE, sizeof (TauTranscriptHit));
  self->below = g_array_new (FALSE, FALSE, sizeof (TauTranscriptHit));
  self->current = -1;
}

/**
 * tau_transcript_finder_new:
 * @rows: a list of [class@TranscriptItem]
 *
 * Returns: (transfer full): a finder that looks for nothing yet
 */
TauTranscriptFinder *
tau_transcript_finder_new (GListModel *rows)
{
  TauTranscriptFinder *self = g_object_new (TAU_TYPE_TRANSCRIPT_FINDER, NULL);

  self->rows = g_object_ref (rows);
  g_signal_connect_object (rows, "items-changed", G_CALLBACK (rows_changed_cb), self, 0);
  return self;
}

/**
 * tau_transcript_finder_set_words:
 * @self: a finder
 * @words: what to look for; "" for nothing
 * @from_row: the row where the reader is
 *
 * Looks for other words. The first hit at or below @from_row becomes the present one as soon as it is found.
 */
void
tau_transcript_finder_set_words (TauTranscriptFinder *self,
                                 const char          *words,
                                 guint                from_row)
{
  g_clear_pointer (&self->term, tau_find_term_free);
  if (*words)
    self->term = tau_find_term_new (words);
  self->waiting = self->term != NULL;
  start (self, from_row);
  changed (self);
}

/**
 * tau_transcript_finder_is_busy:
 * @self: a finder
 *
 * Returns: whether there are rows that it has not looked at
 */
gboolean
tau_transcript_finder_is_busy (TauTranscriptFinder *self)
{
  return self->source != 0;
}

/**
 * tau_transcript_finder_get_n_hits:
 * @self: a finder
 *
 * Returns: how many hits are known
 */
guint
tau_transcript_finder_get_n_hits (TauTranscriptFinder *self)
{
  return self->above->len + self->below->len;
}

/**
 * tau_transcript_finder_get_current:
 * @self: a finder
 * @index: (out) (optional): its number, from 0
 * @hit: (out): the hit that the reader stands at
 *
 * Returns: whether there is one
 */
gboolean
tau_transcript_finder_get_current (TauTranscriptFinder *self,
                                   guint               *index,
                                   TauTranscriptHit    *hit)
{
  if (self->current < 0)
    return FALSE;

  if (index)
    *index = (guint) self->current;
  *hit = (guint) self->current < self->above->len
           ? g_array_index (self->above, TauTranscriptHit, self->current)
           : g_array_index (self->below, TauTranscriptHit, (guint) self->current - self->above->len);
  return TRUE;
}

/**
 * tau_transcript_finder_move:
 * @self: a finder
 * @forward: to the next hit, else to the one before
 *
 * Goes on; behind the last hit comes the first.
 *
 * Returns: whether there is any hit
 */
gboolean
tau_transcript_finder_move (TauTranscriptFinder *self,
                            gboolean             forward)
{
  int n_hits = (int) tau_transcript_finder_get_n_hits (self);

  if (n_hits == 0)
    return FALSE;

  self->waiting = FALSE;
  if (self->current < 0)
    self->current = forward ? (int) self->above->len % n_hits : n_hits - 1;
  else
    self->current = (self->current + (forward ? 1 : n_hits - 1)) % n_hits;
  changed (self);
  return TRUE;
}
