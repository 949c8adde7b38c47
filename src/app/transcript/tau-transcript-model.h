/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "app/transcript/tau-transcript-item.h"
#include "core/session/tau-session-envelope.h"

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
gboolean            tau_transcript_model_find_row       (TauTranscriptModel *self, guint64 key, guint *row);
gboolean            tau_transcript_model_locate         (TauTranscriptModel *self, guint64 key, guint *message, guint *offset);
gboolean            tau_transcript_model_get_row        (TauTranscriptModel *self, guint message, guint offset, guint *row);
gboolean            tau_transcript_model_find_prompt    (TauTranscriptModel *self, guint row, gboolean forward, guint *prompt);
guint               tau_transcript_model_get_n_messages (TauTranscriptModel *self);
guint               tau_transcript_model_get_first_row  (TauTranscriptModel *self, guint message);
guint               tau_transcript_model_get_message    (TauTranscriptModel *self, guint row);
guint64             tau_transcript_model_get_key        (TauTranscriptModel *self, guint row);
guint               tau_transcript_model_list_steps     (TauTranscriptModel *self, guint message, GArray *tools /* of TauCommonTool */);
guint               tau_transcript_model_find_run_start (TauTranscriptModel *self, guint message);
gboolean            tau_transcript_model_get_last_kind  (TauTranscriptModel *self, TauTranscriptKind *kind);

G_END_DECLS
