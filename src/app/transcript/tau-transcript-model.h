/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "app/transcript/tau-transcript-item.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_TRANSCRIPT_MODEL (tau_transcript_model_get_type ())
G_DECLARE_FINAL_TYPE (TauTranscriptModel, tau_transcript_model, TAU, TRANSCRIPT_MODEL, GObject)

TauTranscriptModel *tau_transcript_model_new            (void);
void                tau_transcript_model_set_messages   (TauTranscriptModel *self, GListModel *messages /* nullable, of TauMessage */);
void                tau_transcript_model_set_tool_runs  (TauTranscriptModel *self, GListModel *runs /* nullable, of TauToolRun */);
TauToolRun         *tau_transcript_model_find_run       (TauTranscriptModel *self, const char *call_id);   /* borrowed, nullable */
TauExpansions      *tau_transcript_model_get_expansions (TauTranscriptModel *self);
guint64             tau_transcript_model_get_next_key   (TauTranscriptModel *self);
gboolean            tau_transcript_model_get_last_kind  (TauTranscriptModel *self, TauTranscriptKind *kind);

G_END_DECLS
