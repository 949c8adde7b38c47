/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-draft.h"
#include "core/message/tau-tool-result-message.h"
#include "core/tool/tau-tool-run.h"

G_BEGIN_DECLS

/**
 * TauAgentEventKind:
 * @TAU_AGENT_EVENT_AGENT_START: a run begins
 * @TAU_AGENT_EVENT_AGENT_END: a run is over; @messages: all that it made. Always the last event of a run
 * @TAU_AGENT_EVENT_TURN_START: one model call and its tools begin
 * @TAU_AGENT_EVENT_TURN_END: @message (the answer), @tool_results in source order
 * @TAU_AGENT_EVENT_MESSAGE_START: @message; for an answer @draft too
 * @TAU_AGENT_EVENT_MESSAGE_UPDATE: @draft, @delta: one of the nine block events. Take tau_draft_snapshot() where the message so far is needed
 * @TAU_AGENT_EVENT_MESSAGE_END: @message, final
 * @TAU_AGENT_EVENT_TOOL_START: @call_id, @tool_name, @arguments (raw), @run
 * @TAU_AGENT_EVENT_TOOL_UPDATE: the same and @outcome (partial)
 * @TAU_AGENT_EVENT_TOOL_END: the same and @outcome (final), with is-error
 *
 * The ten events of a run (in JSON: agent_start, agent_end, turn_start, turn_end, message_start, message_update, message_end,
 * tool_execution_start, tool_execution_update, tool_execution_end). The orders in which they come are in the class comment of TauAgentRun.
 */
typedef enum
{
  TAU_AGENT_EVENT_AGENT_START,
  TAU_AGENT_EVENT_AGENT_END,
  TAU_AGENT_EVENT_TURN_START,
  TAU_AGENT_EVENT_TURN_END,
  TAU_AGENT_EVENT_MESSAGE_START,
  TAU_AGENT_EVENT_MESSAGE_UPDATE,
  TAU_AGENT_EVENT_MESSAGE_END,
  TAU_AGENT_EVENT_TOOL_START,
  TAU_AGENT_EVENT_TOOL_UPDATE,
  TAU_AGENT_EVENT_TOOL_END,
} TauAgentEventKind;

/**
 * TauAgentEvent:
 * @kind: which
 * @message: (nullable): borrowed
 * @messages: (nullable): of TauMessage, borrowed
 * @tool_results: (nullable): of TauMessage, borrowed
 * @draft: (nullable): borrowed
 * @delta: (nullable): borrowed
 * @run: (nullable): borrowed
 * @outcome: (nullable): borrowed
 *
 * Payload of TauAgent::event; lives as long as the emission. Fields that a kind does not name are %NULL.
 */
typedef struct
{
  TauAgentEventKind kind;
  TauMessage       *message;
  GPtrArray        *messages;
  GPtrArray        *tool_results;
  TauDraft         *draft;
  const TauDelta   *delta;
  TauToolRun       *run;
  TauToolOutcome   *outcome;
} TauAgentEvent;

typedef void (*TauAgentEventFunc) (const TauAgentEvent *event, gpointer user_data);

const char *tau_agent_event_kind_to_string (TauAgentEventKind kind);   /* "agent_start" … */
JsonNode   *tau_agent_event_to_json        (const TauAgentEvent *event);   /* one line of --mode json and of RPC */

G_END_DECLS
