/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-event.h"

G_BEGIN_DECLS

/* The events of a run as one line, with single spaces between:
 *   agent_start  turn_start  turn_end[t1 t2]  agent_end[U A R:t1]
 *   sU(text) eU(text)  sA eA(stop)  sR:t1 eR:t1  start:t1 update:t1 end:t1 (end:t1! for an error)
 *   upd for any number of message_update in a row. */
void tau_test_trace_event_cb (const TauAgentEvent *event, gpointer trace /* GString */);

G_END_DECLS
