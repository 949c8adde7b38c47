/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-event.h"

G_BEGIN_DECLS

/**
 * TauSessionEventKind:
 * @TAU_SESSION_EVENT_AGENT: one of the ten of a run: @agent
 * @TAU_SESSION_EVENT_QUEUE_UPDATE: @steering, @follow_up: texts of what is queued
 * @TAU_SESSION_EVENT_COMPACTION_START: @reason
 * @TAU_SESSION_EVENT_COMPACTION_END: @reason, @result, @aborted, @will_retry, @error_message
 * @TAU_SESSION_EVENT_RETRY_START: @attempt, @max_attempts, @delay_ms, @error_message
 * @TAU_SESSION_EVENT_RETRY_END: @success, @attempt, @error_message (final error)
 * @TAU_SESSION_EVENT_INFO_CHANGED: @name
 * @TAU_SESSION_EVENT_THINKING_LEVEL_CHANGED: @level
 *
 * Events of a session: those of its runs and its own.
 */
typedef enum
{
  TAU_SESSION_EVENT_AGENT,
  TAU_SESSION_EVENT_QUEUE_UPDATE,
  TAU_SESSION_EVENT_COMPACTION_START,
  TAU_SESSION_EVENT_COMPACTION_END,
  TAU_SESSION_EVENT_RETRY_START,
  TAU_SESSION_EVENT_RETRY_END,
  TAU_SESSION_EVENT_INFO_CHANGED,
  TAU_SESSION_EVENT_THINKING_LEVEL_CHANGED,
} TauSessionEventKind;

/**
 * TauSessionEvent:
 *
 * Payload of TauAgentSession::event, borrowed for the emission. See TauSessionEventKind for the fields of each kind.
 */
typedef struct
{
  TauSessionEventKind  kind;
  const TauAgentEvent *agent;
  const char * const  *steering;
  const char * const  *follow_up;
  const char          *reason;
  JsonNode            *result;
  gboolean             aborted;
  gboolean             will_retry;
  const char          *error_message;
  int                  attempt;
  int                  max_attempts;
  gint64               delay_ms;
  gboolean             success;
  const char          *name;
  const char          *level;
} TauSessionEvent;

JsonNode *tau_session_event_to_json (const TauSessionEvent *event);

G_END_DECLS
