/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-event.h"
#include "core/agent/tau-agent-hooks.h"
#include "core/tool/tau-toolbox.h"

G_BEGIN_DECLS

#define TAU_TYPE_TOOL_BATCH (tau_tool_batch_get_type ())
G_DECLARE_FINAL_TYPE (TauToolBatch, tau_tool_batch, TAU, TOOL_BATCH, GObject)

/**
 * TauToolBatchFields:
 * @reply: the answer whose calls are run
 * @toolbox: (nullable): where the tools are
 * @hooks: (nullable): asked before and after each call
 * @context: what the hooks may look at; must outlive the batch's run
 * @sequential: one call after the other
 * @sink: gets the events
 * @sink_data: for @sink; must outlive the batch's run
 *
 * What a batch is made of; borrowed by the constructor, which references.
 */
typedef struct
{
  TauAssistantMessage   *reply;
  TauToolbox            *toolbox;
  TauAgentHooks         *hooks;
  const TauAgentContext *context;
  gboolean               sequential;
  TauAgentEventFunc      sink;
  gpointer               sink_data;
} TauToolBatchFields;

TauToolBatch *tau_tool_batch_new        (const TauToolBatchFields *fields);
void          tau_tool_batch_run_async  (TauToolBatch *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray    *tau_tool_batch_run_finish (TauToolBatch *self, GAsyncResult *result, gboolean *terminate);   /* results in source order; never NULL */

G_END_DECLS
