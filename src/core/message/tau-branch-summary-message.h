/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

#define TAU_TYPE_BRANCH_SUMMARY_MESSAGE (tau_branch_summary_message_get_type ())
G_DECLARE_FINAL_TYPE (TauBranchSummaryMessage, tau_branch_summary_message, TAU, BRANCH_SUMMARY_MESSAGE, TauMessage)

TauBranchSummaryMessage *tau_branch_summary_message_new         (const char *summary, const char *from_id, gint64 timestamp);
TauBranchSummaryMessage *tau_branch_summary_message_new_iso     (const char *summary, const char *from_id, const char *iso_time, GError **error);
const char              *tau_branch_summary_message_get_summary (TauBranchSummaryMessage *self);
const char              *tau_branch_summary_message_get_from_id (TauBranchSummaryMessage *self);
char                    *tau_branch_summary_message_dup_llm_text (TauBranchSummaryMessage *self);   /* what the model reads */

G_END_DECLS
