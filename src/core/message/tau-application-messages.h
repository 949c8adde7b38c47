/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

/* The roles that the coding agent adds to user, assistant and toolResult. One class each; spec: session format, roles. */

#define TAU_TYPE_BASH_EXECUTION_MESSAGE (tau_bash_execution_message_get_type ())
G_DECLARE_FINAL_TYPE (TauBashExecutionMessage, tau_bash_execution_message, TAU, BASH_EXECUTION_MESSAGE, TauMessage)

/**
 * TauBashExecutionFields:
 * @command: what the user typed after `!`
 * @output: cleaned output, possibly truncated
 * @has_exit_code: whether @exit_code is known (not when cancelled or killed)
 * @exit_code: exit status
 * @cancelled: stopped by the user
 * @truncated: @output is not all
 * @full_output_path: (nullable): log of all output
 * @has_exclude: whether the key stands in the file
 * @exclude_from_context: typed with `!!`: the model does not see it
 * @timestamp: ms since 1970
 */
typedef struct
{
  const char *command;
  const char *output;
  gboolean    has_exit_code;
  int         exit_code;
  gboolean    cancelled;
  gboolean    truncated;
  const char *full_output_path;
  gboolean    has_exclude;
  gboolean    exclude_from_context;
  gint64      timestamp;
} TauBashExecutionFields;

TauBashExecutionMessage      *tau_bash_execution_message_new        (const TauBashExecutionFields *fields);
const TauBashExecutionFields *tau_bash_execution_message_get_fields (TauBashExecutionMessage *self);

#define TAU_TYPE_CUSTOM_MESSAGE (tau_custom_message_get_type ())
G_DECLARE_FINAL_TYPE (TauCustomMessage, tau_custom_message, TAU, CUSTOM_MESSAGE, TauMessage)

TauCustomMessage *tau_custom_message_new             (const char *custom_type, GPtrArray *blocks, gboolean content_is_string,
                                                      gboolean display, JsonNode *details, gint64 timestamp);
const char       *tau_custom_message_get_custom_type (TauCustomMessage *self);
gboolean          tau_custom_message_is_string       (TauCustomMessage *self);
gboolean          tau_custom_message_get_display     (TauCustomMessage *self);
JsonNode         *tau_custom_message_get_details     (TauCustomMessage *self);

#define TAU_TYPE_BRANCH_SUMMARY_MESSAGE (tau_branch_summary_message_get_type ())
G_DECLARE_FINAL_TYPE (TauBranchSummaryMessage, tau_branch_summary_message, TAU, BRANCH_SUMMARY_MESSAGE, TauMessage)

TauBranchSummaryMessage *tau_branch_summary_message_new         (const char *summary, const char *from_id, gint64 timestamp);
TauBranchSummaryMessage *tau_branch_summary_message_new_iso     (const char *summary, const char *from_id, const char *iso_time, GError **error);
const char              *tau_branch_summary_message_get_summary (TauBranchSummaryMessage *self);
const char              *tau_branch_summary_message_get_from_id (TauBranchSummaryMessage *self);

#define TAU_TYPE_COMPACTION_SUMMARY_MESSAGE (tau_compaction_summary_message_get_type ())
G_DECLARE_FINAL_TYPE (TauCompactionSummaryMessage, tau_compaction_summary_message, TAU, COMPACTION_SUMMARY_MESSAGE, TauMessage)

TauCompactionSummaryMessage *tau_compaction_summary_message_new               (const char *summary, gint64 tokens_before, gint64 timestamp);
TauCompactionSummaryMessage *tau_compaction_summary_message_new_iso           (const char *summary, gint64 tokens_before, const char *iso_time, GError **error);
const char                  *tau_compaction_summary_message_get_summary       (TauCompactionSummaryMessage *self);
gint64                       tau_compaction_summary_message_get_tokens_before (TauCompactionSummaryMessage *self);

/* A role that no one registered: read, kept whole, never sent to a model. */
#define TAU_TYPE_UNKNOWN_MESSAGE (tau_unknown_message_get_type ())
G_DECLARE_FINAL_TYPE (TauUnknownMessage, tau_unknown_message, TAU, UNKNOWN_MESSAGE, TauMessage)

TauUnknownMessage *tau_unknown_message_new      (JsonNode *json);
JsonNode          *tau_unknown_message_get_json (TauUnknownMessage *self);

G_END_DECLS
