/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "core/message/tau-application-messages.h"
#include "core/tool/tau-tool-run.h"
#include "core/tool/tau-tool-title.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * TauToolOutcomeKind:
 * @TAU_TOOL_OUTCOME_NONE: there is no result yet
 * @TAU_TOOL_OUTCOME_GOOD: it went well
 * @TAU_TOOL_OUTCOME_BAD: it failed
 * @TAU_TOOL_OUTCOME_STOPPED: the user stopped it
 *
 * How a step ended.
 */
typedef enum
{
  TAU_TOOL_OUTCOME_NONE,
  TAU_TOOL_OUTCOME_GOOD,
  TAU_TOOL_OUTCOME_BAD,
  TAU_TOOL_OUTCOME_STOPPED,
} TauToolOutcomeKind;

/**
 * TauToolBody:
 * @call_id: (nullable): id of the call
 * @name: the tool
 * @title: how it is named to a person
 * @call: (nullable): the call with its arguments
 * @result: (nullable): what the tool gave
 * @bash: (nullable): the user's own command instead of a call
 * @partial: (nullable): output so far
 * @since: time of the message with the call, in milliseconds; 0: unknown
 * @expansions: (nullable): remembers whether all lines are shown
 * @key: names the body there
 * @is_command: a shell's command
 * @is_user: the user ran it
 * @is_hidden: the model does not see it
 *
 * What there is to know about a step, and the widget that shows it. Plain struct, part of its row.
 */
typedef struct
{
  char                    *call_id;
  char                    *name;
  TauToolTitle            *title;
  TauBlock                *call;
  TauToolResultMessage    *result;
  TauBashExecutionMessage *bash;
  char                    *partial;
  gint64                   since;
  TauExpansions           *expansions;
  guint64                  key;
  gboolean                 is_command;
  gboolean                 is_user;
  gboolean                 is_hidden;
} TauToolBody;

/* Where the result of a command has its exit code: the last line of its text. */
#define TAU_TOOL_BODY_EXIT_LINE "Command exited with code "

void               tau_tool_body_clear         (TauToolBody *self);
void               tau_tool_body_set_call      (TauToolBody *self, const char *call_id, const char *name, TauBlock *call);
void               tau_tool_body_set_result    (TauToolBody *self, TauToolResultMessage *result);
void               tau_tool_body_set_partial   (TauToolBody *self, TauToolOutcome *partial /* nullable */);
void               tau_tool_body_set_bash      (TauToolBody *self, TauBashExecutionMessage *message);
TauToolOutcomeKind tau_tool_body_get_outcome   (const TauToolBody *self);
gboolean           tau_tool_body_wants_open    (const TauToolBody *self);
const char        *tau_tool_body_get_diff      (const TauToolBody *self);   /* nullable */
gboolean           tau_tool_body_count_changes (const TauToolBody *self, guint *n_added, guint *n_removed);
char              *tau_tool_body_dup_title     (const TauToolBody *self);
char              *tau_tool_body_dup_command   (const TauToolBody *self);
char              *tau_tool_body_dup_output    (const TauToolBody *self);
char              *tau_tool_body_dup_written (const TauToolBody *self, guint n_lines);   /* nullable */
char              *tau_tool_body_dup_lines     (const TauToolBody *self);   /* nullable: "12 lines" */
char              *tau_tool_body_dup_exit      (const TauToolBody *self);   /* nullable: "exit 1" */
GtkWidget         *tau_tool_body_build         (TauToolBody *self);
GtkWidget         *tau_tool_body_wrap_sideways (GtkWidget *child);

G_END_DECLS
