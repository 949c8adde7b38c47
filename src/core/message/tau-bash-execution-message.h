/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

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
char                         *tau_bash_execution_message_dup_llm_text (TauBashExecutionMessage *self);   /* what the model reads; NULL if it must not see it */

G_END_DECLS
