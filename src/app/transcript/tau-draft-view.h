/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-height-cache.h"
#include "app/transcript/tau-transcript-model.h"
#include "core/message/tau-draft.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TAU_TYPE_DRAFT_VIEW (tau_draft_view_get_type ())
G_DECLARE_FINAL_TYPE (TauDraftView, tau_draft_view, TAU, DRAFT_VIEW, GtkWidget)

GtkWidget *tau_draft_view_new           (TauTranscriptModel *model, TauHeightCache *heights);
void       tau_draft_view_set_draft     (TauDraftView *self, TauDraft *draft /* nullable */);
TauDraft  *tau_draft_view_get_draft     (TauDraftView *self);   /* borrowed, nullable */
guint      tau_draft_view_get_n_renders (TauDraftView *self);   /* for tests and benchmarks */

G_END_DECLS
