/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-event.h"
#include "core/agent/tau-prompt-queue.h"
#include "core/agent/tau-run-settings.h"

G_BEGIN_DECLS

#define TAU_TYPE_AGENT_RUN (tau_agent_run_get_type ())
G_DECLARE_FINAL_TYPE (TauAgentRun, tau_agent_run, TAU, AGENT_RUN, GObject)

/**
 * TauAgentRunFields:
 * @settings: copied
 * @history: of TauMessage: what the model saw before; copied
 * @steering: drained at the start and after each turn
 * @follow_ups: drained when nothing else is left
 * @sink: gets the events
 * @sink_data: for @sink; must live until the run is over
 *
 * What a run is made of; borrowed by the constructor.
 */
typedef struct
{
  const TauRunSettings *settings;
  GPtrArray            *history;
  TauPromptQueue       *steering;
  TauPromptQueue       *follow_ups;
  TauAgentEventFunc     sink;
  gpointer              sink_data;
} TauAgentRunFields;

TauAgentRun *tau_agent_run_new    (const TauAgentRunFields *fields);
void         tau_agent_run_async  (TauAgentRun *self, GPtrArray *prompts, gboolean skip_first_poll, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean     tau_agent_run_finish (TauAgentRun *self, GAsyncResult *result, GError **error);   /* an error is a run failure: agent_end is not out yet */

G_END_DECLS
