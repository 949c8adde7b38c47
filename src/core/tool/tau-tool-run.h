/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-tool-outcome.h"
#include "core/message/tau-tool-result-message.h"

G_BEGIN_DECLS

/**
 * TauToolRunState:
 * @TAU_TOOL_RUN_PENDING: asked for, not started (preflight, approval)
 * @TAU_TOOL_RUN_RUNNING: at work
 * @TAU_TOOL_RUN_DONE: finished well
 * @TAU_TOOL_RUN_FAILED: finished with an error
 *
 * Where a tool run stands.
 */
typedef enum
{
  TAU_TOOL_RUN_PENDING,
  TAU_TOOL_RUN_RUNNING,
  TAU_TOOL_RUN_DONE,
  TAU_TOOL_RUN_FAILED,
} TauToolRunState;

#define TAU_TYPE_TOOL_RUN_STATE (tau_tool_run_state_get_type ())
GType tau_tool_run_state_get_type (void) G_GNUC_CONST;

#define TAU_TYPE_TOOL_RUN (tau_tool_run_get_type ())
G_DECLARE_FINAL_TYPE (TauToolRun, tau_tool_run, TAU, TOOL_RUN, GObject)

/* LIVE, main thread only: one tool call at work; becomes a TauToolResultMessage.
 * Properties (notify): "state", "partial" (TauToolOutcome, nullable). Signal "update" (TauToolOutcome *): a partial result;
 * updates after the end are dropped. */

TauToolRun           *tau_tool_run_new              (const char *call_id, const char *tool_name, JsonNode *raw_arguments);
const char           *tau_tool_run_get_call_id      (TauToolRun *self);
const char           *tau_tool_run_get_tool_name    (TauToolRun *self);
JsonNode             *tau_tool_run_get_raw_arguments (TauToolRun *self);   /* as the model sent them */
JsonNode             *tau_tool_run_get_arguments    (TauToolRun *self);   /* prepared, coerced, validated; the raw ones until set */
void                  tau_tool_run_set_arguments    (TauToolRun *self, JsonNode *arguments);
TauToolRunState       tau_tool_run_get_state        (TauToolRun *self);
gint64                tau_tool_run_get_started      (TauToolRun *self);   /* monotonic µs, 0 before */
gint64                tau_tool_run_get_ended        (TauToolRun *self);   /* monotonic µs, 0 before */
int                   tau_tool_run_get_pid          (TauToolRun *self);   /* of a command, else 0 */
void                  tau_tool_run_set_pid          (TauToolRun *self, int pid);
gint64                tau_tool_run_get_quiet_ms     (TauToolRun *self);   /* since the last report */
void                  tau_tool_run_set_usage        (TauToolRun *self, gint64 memory, gint64 cpu_time);
gboolean              tau_tool_run_get_usage        (TauToolRun *self, gint64 *memory, gint64 *cpu_time);
TauToolOutcome       *tau_tool_run_get_partial      (TauToolRun *self);   /* borrowed, nullable */
void                  tau_tool_run_start            (TauToolRun *self);
void                  tau_tool_run_update           (TauToolRun *self, TauToolOutcome *partial);   /* tools call this */
void                  tau_tool_run_end              (TauToolRun *self, TauToolOutcome *outcome);
TauToolOutcome       *tau_tool_run_get_outcome      (TauToolRun *self);   /* borrowed; NULL until the end */
TauToolResultMessage *tau_tool_run_make_message     (TauToolRun *self, gint64 timestamp);   /* transfer full; after the end */

G_END_DECLS
