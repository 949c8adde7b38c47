/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-delta.h"

G_BEGIN_DECLS

#define TAU_TYPE_DRAFT (tau_draft_get_type ())
G_DECLARE_FINAL_TYPE (TauDraft, tau_draft, TAU, DRAFT, GObject)

/* LIVE, main thread only: the answer being streamed. Takes deltas, becomes a TauAssistantMessage, then changes no more.
 *
 * Signal "delta" (const TauDelta *): after each applied delta that is an event (kinds START … TOOL_CALL_END).
 * Property "revision" (uint): grows with each change; notified once per tau_draft_thaw(). */

TauDraft            *tau_draft_new             (const char *api, const char *provider, const char *model, gint64 timestamp);
void                 tau_draft_freeze          (TauDraft *self);   /* g_object_freeze_notify: one notify a network chunk */
void                 tau_draft_thaw            (TauDraft *self);
void                 tau_draft_apply           (TauDraft *self, const TauDelta *delta);   /* a TauDeltaSink with the draft as user_data fits */
TauAssistantMessage *tau_draft_snapshot        (TauDraft *self);   /* transfer full: the message so far (stop reason stop) */
TauAssistantMessage *tau_draft_finish          (TauDraft *self, TauStopReason reason, const char *error_text);   /* transfer full; the same object if called again */
gboolean             tau_draft_is_started      (TauDraft *self);   /* START seen */
gboolean             tau_draft_is_finished     (TauDraft *self);
guint                tau_draft_get_revision    (TauDraft *self);
guint                tau_draft_get_n_blocks    (TauDraft *self);
TauBlockKind         tau_draft_get_block_kind  (TauDraft *self, guint index);
gboolean             tau_draft_is_block_open   (TauDraft *self, guint index);
const char          *tau_draft_get_block_text  (TauDraft *self, guint index, gsize *length);   /* borrowed; text, thinking, or the JSON of arguments so far */
const char          *tau_draft_get_call_id     (TauDraft *self, guint index);
const char          *tau_draft_get_call_name   (TauDraft *self, guint index);
JsonNode            *tau_draft_dup_arguments   (TauDraft *self, guint index);   /* leniently parsed, transfer full */
TauBlock            *tau_draft_dup_block       (TauDraft *self, guint index);   /* transfer full: the block so far */
const TauUsage      *tau_draft_get_usage       (TauDraft *self);
void                 tau_draft_set_usage       (TauDraft *self, const TauUsage *usage);
gint64               tau_draft_get_timestamp   (TauDraft *self);

G_END_DECLS
