/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tau-find-term.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * TauTranscriptHit:
 * @row: position in the list of rows
 * @ordinal: which hit of that row it is
 *
 * A place where words were found.
 */
typedef struct
{
  guint row;
  guint ordinal;
} TauTranscriptHit;

#define TAU_TYPE_TRANSCRIPT_FINDER (tau_transcript_finder_get_type ())
G_DECLARE_FINAL_TYPE (TauTranscriptFinder, tau_transcript_finder, TAU, TRANSCRIPT_FINDER, GObject)

/* Signal "changed": the number of hits, the present one, or whether it is still at work. */

TauTranscriptFinder *tau_transcript_finder_new         (GListModel *rows /* of TauTranscriptItem */);
void                 tau_transcript_finder_set_words   (TauTranscriptFinder *self, const char *words, guint from_row);
gboolean             tau_transcript_finder_is_busy     (TauTranscriptFinder *self);
guint                tau_transcript_finder_get_n_hits  (TauTranscriptFinder *self);
gboolean             tau_transcript_finder_get_current (TauTranscriptFinder *self, guint *index, TauTranscriptHit *hit);
gboolean             tau_transcript_finder_move        (TauTranscriptFinder *self, gboolean forward);

G_END_DECLS
