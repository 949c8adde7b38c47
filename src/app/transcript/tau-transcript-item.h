/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-tool-result-message.h"
#include "core/tool/tau-tool-run.h"

G_BEGIN_DECLS

/**
 * TauTranscriptKind:
 * @TAU_TRANSCRIPT_USER: what the user wrote
 * @TAU_TRANSCRIPT_TEXT: a text of an answer, or a part of a long one
 * @TAU_TRANSCRIPT_THINKING: thoughts of a model
 * @TAU_TRANSCRIPT_TOOL: a tool call with its result
 * @TAU_TRANSCRIPT_BASH: a command that the user ran
 * @TAU_TRANSCRIPT_SUMMARY: what was compacted, or a branch that was left
 * @TAU_TRANSCRIPT_CUSTOM: put in by an extension
 * @TAU_TRANSCRIPT_ERROR: why an answer failed or was stopped
 * @TAU_TRANSCRIPT_SEPARATOR: a thin line with a caption
 * @TAU_TRANSCRIPT_GROUP: a line that stands for several calls
 *
 * What a row shows.
 */
typedef enum
{
  TAU_TRANSCRIPT_USER,
  TAU_TRANSCRIPT_TEXT,
  TAU_TRANSCRIPT_THINKING,
  TAU_TRANSCRIPT_TOOL,
  TAU_TRANSCRIPT_BASH,
  TAU_TRANSCRIPT_SUMMARY,
  TAU_TRANSCRIPT_CUSTOM,
  TAU_TRANSCRIPT_ERROR,
  TAU_TRANSCRIPT_SEPARATOR,
  TAU_TRANSCRIPT_GROUP,
} TauTranscriptKind;

#define TAU_TYPE_TRANSCRIPT_ITEM (tau_transcript_item_get_type ())
G_DECLARE_FINAL_TYPE (TauTranscriptItem, tau_transcript_item, TAU, TRANSCRIPT_ITEM, GObject)

/* A row of the transcript. All but the result and the run of a tool call are fixed; signal "changed" tells of those. */

TauTranscriptItem    *tau_transcript_item_new          (TauTranscriptKind kind, TauMessage *message, guint block, guint64 key, int gap);
void                  tau_transcript_item_set_range    (TauTranscriptItem *self, gsize start, gsize end);
void                  tau_transcript_item_set_caption  (TauTranscriptItem *self, const char *caption);
void                  tau_transcript_item_set_nested   (TauTranscriptItem *self, gboolean nested);
gboolean              tau_transcript_item_get_nested   (TauTranscriptItem *self);
void                  tau_transcript_item_set_result   (TauTranscriptItem *self, TauToolResultMessage *result);
void                  tau_transcript_item_set_run      (TauTranscriptItem *self, TauToolRun *run);
TauTranscriptKind     tau_transcript_item_get_kind     (TauTranscriptItem *self);
TauMessage           *tau_transcript_item_get_message  (TauTranscriptItem *self);
TauBlock             *tau_transcript_item_get_block    (TauTranscriptItem *self);   /* borrowed, nullable */
const char           *tau_transcript_item_get_text     (TauTranscriptItem *self, gsize *length);   /* of a text's part */
const char           *tau_transcript_item_get_caption  (TauTranscriptItem *self);   /* of a separator or group; nullable */
guint64               tau_transcript_item_get_key      (TauTranscriptItem *self);
int                   tau_transcript_item_get_gap      (TauTranscriptItem *self);
TauToolResultMessage *tau_transcript_item_get_result   (TauTranscriptItem *self);   /* borrowed, nullable */
TauToolRun           *tau_transcript_item_get_run      (TauTranscriptItem *self);   /* borrowed, nullable */
char                 *tau_transcript_item_dup_summary  (TauTranscriptItem *self, gsize max_bytes);
int                   tau_transcript_gap               (gboolean has_before, TauTranscriptKind before, TauTranscriptKind kind);

G_END_DECLS
