/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-event.h"
#include "core/agent/tau-run-settings.h"

G_BEGIN_DECLS

/* One call of the model: transform, convert, key, stream. An error is a run failure; a failed answer is a message. */
void                 tau_model_call_async  (const TauRunSettings *settings, const TauAgentContext *context, TauAgentEventFunc sink, gpointer sink_data, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
TauAssistantMessage *tau_model_call_finish (GAsyncResult *result, GError **error);   /* transfer full */

G_END_DECLS
