/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-transcript-model.h"

G_BEGIN_DECLS

#define TAU_STEP_GROUP_MIN 4   /* as many calls of one tool are put together */

#define TAU_TYPE_STEP_GROUPS (tau_step_groups_get_type ())
G_DECLARE_FINAL_TYPE (TauStepGroups, tau_step_groups, TAU, STEP_GROUPS, GObject)

TauStepGroups *tau_step_groups_new     (TauTranscriptModel *rows);
guint          tau_step_groups_place   (TauStepGroups *self, guint row);
void           tau_step_groups_refresh (TauStepGroups *self);

G_END_DECLS
