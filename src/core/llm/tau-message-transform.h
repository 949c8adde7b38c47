/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-model.h"
#include "core/message/tau-message.h"

G_BEGIN_DECLS

/**
 * TauCallIdFunc:
 * @id: id of a tool call of another model
 * @model: the model that is to read it
 * @source: the answer that it stands in
 *
 * Returns: (transfer full): an id that the protocol of @model accepts
 */
typedef char *(*TauCallIdFunc) (const char *id, TauModel *model, TauAssistantMessage *source);

GPtrArray *tau_messages_transform (GPtrArray *messages, TauModel *model, TauCallIdFunc call_id /* nullable */);   /* of TauMessage; transfer full */
gboolean   tau_messages_is_same_model (TauAssistantMessage *message, TauModel *model);

G_END_DECLS
