/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-draft.h"
#include "core/message/tau-message.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_TRANSCRIPT_VIEW (tau_transcript_view_get_type ())
G_DECLARE_FINAL_TYPE (TauTranscriptView, tau_transcript_view, TAU, TRANSCRIPT_VIEW, GtkWidget)

/* The conversation. Give it the lists and the draft of a session; it never changes them.
 *
 * Signals: "tool-selected" (const char *call_id): show this step in the side panel; "retry": the reader wants the
 * failed answer again; "edit-message" (TauMessage *): put this message into the composer. */

GtkWidget *tau_transcript_view_new            (void);
void       tau_transcript_view_set_messages   (TauTranscriptView *self, GListModel *messages /* nullable, of TauMessage */);
void       tau_transcript_view_set_tool_runs  (TauTranscriptView *self, GListModel *runs /* nullable, of TauToolRun */);
void       tau_transcript_view_set_draft      (TauTranscriptView *self, TauDraft *draft /* nullable */);
void       tau_transcript_view_scroll_to_end  (TauTranscriptView *self);
void       tau_transcript_view_scroll_to_start (TauTranscriptView *self);
void       tau_transcript_view_move_prompt    (TauTranscriptView *self, gboolean forward);
void       tau_transcript_view_go_to_message  (TauTranscriptView *self, guint message);
char      *tau_transcript_view_dup_position   (TauTranscriptView *self);   /* nullable: at the end */
void       tau_transcript_view_restore_position (TauTranscriptView *self, const char *position);
void       tau_transcript_view_scroll_by      (TauTranscriptView *self, double distance);
void       tau_transcript_view_expand_all     (TauTranscriptView *self, gboolean expanded);
gboolean   tau_transcript_view_is_at_end      (TauTranscriptView *self);
void       tau_transcript_view_edit_message   (TauTranscriptView *self, TauMessage *message);

/* For tests and benchmarks. */
gboolean       tau_transcript_view_is_moving     (TauTranscriptView *self);
guint          tau_transcript_view_get_n_built   (TauTranscriptView *self);
guint          tau_transcript_view_get_n_renders (TauTranscriptView *self);
GtkAdjustment *tau_transcript_view_get_adjustment (TauTranscriptView *self);

G_END_DECLS
