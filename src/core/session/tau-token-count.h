/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-assistant-message.h"

G_BEGIN_DECLS

/**
 * TauTokenEstimate:
 * @tokens: of the whole context
 * @usage_index: of the message whose usage it starts from, -1 if there is none
 *
 * How large a context probably is.
 */
typedef struct
{
  gint64 tokens;
  gint   usage_index;
} TauTokenEstimate;

gint64           tau_token_count_message (TauMessage *message);
gint64           tau_token_count_usage   (TauAssistantMessage *message);   /* 0 if it does not say */
TauTokenEstimate tau_token_count_context (GPtrArray *messages);

G_END_DECLS
