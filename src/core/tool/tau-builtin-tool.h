/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-tool-context.h"
#include "core/tool/tau-tool.h"

G_BEGIN_DECLS

/**
 * TauBuiltinToolInfo:
 * @name: name for the model
 * @label: name for a person
 * @description: for the model
 * @parameters: JSON Schema as JSON text
 * @snippet: one line for the system prompt
 * @guidelines: (nullable) (array zero-terminated=1): sentences for the system prompt
 * @prepare: (nullable): makes up for odd arguments; never fails: returns what it was given if there is nothing to do
 * @execute: does the work; ends @task (transfer full) with a #TauToolOutcome or an error
 *
 * What makes one built-in tool differ from another. Static data.
 */
typedef struct
{
  const char *name;
  const char *label;
  const char *description;
  const char *parameters;
  const char *snippet;
  const char *const *guidelines;
  JsonNode *(*prepare) (JsonNode *arguments);
  void (*execute) (TauToolContext *context, TauToolRun *run, GTask *task);
} TauBuiltinToolInfo;

TauTool *tau_builtin_tool_new            (const TauBuiltinToolInfo *info,
                                          TauToolContext           *context);
void     tau_builtin_tool_return_outcome (GTask                    *task,
                                          TauToolOutcome           *outcome,
                                          GError                   *error);

G_END_DECLS
