/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-run.h"
#include "core/agent/tau-agent.h"

G_BEGIN_DECLS

/* Shared by tau-agent.c, which runs, tau-agent-setup.c and tau-agent-queues.c. */
struct _TauAgent
{
  GObject         parent_instance;

  TauRunSettings  settings;
  TauPromptQueue *steering;
  TauPromptQueue *follow_ups;
  GPtrArray      *messages;  /* of TauMessage */
  TauAgentHistoryFunc history_func; /* gives @messages when they are needed; NULL once they are there */
  gpointer        history_data;
  GPtrArray      *tool_runs; /* of TauToolRun in progress */
  TauDraft       *draft;
  char           *error_message;

  TauAgentRun    *run; /* owned while running */
  GCancellable   *cancellable;
  GPtrArray      *waiters; /* of Waiter */
};

G_END_DECLS
