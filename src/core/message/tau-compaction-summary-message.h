/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

#define TAU_TYPE_COMPACTION_SUMMARY_MESSAGE (tau_compaction_summary_message_get_type ())
G_DECLARE_FINAL_TYPE (TauCompactionSummaryMessage, tau_compaction_summary_message, TAU, COMPACTION_SUMMARY_MESSAGE, TauMessage)

TauCompactionSummaryMessage *tau_compaction_summary_message_new               (const char *summary, gint64 tokens_before, gint64 timestamp);
TauCompactionSummaryMessage *tau_compaction_summary_message_new_iso           (const char *summary, gint64 tokens_before, const char *iso_time, GError **error);
const char                  *tau_compaction_summary_message_get_summary       (TauCompactionSummaryMessage *self);
gint64                       tau_compaction_summary_message_get_tokens_before (TauCompactionSummaryMessage *self);
char                        *tau_compaction_summary_message_dup_llm_text      (TauCompactionSummaryMessage *self);   /* what the model reads */

G_END_DECLS
