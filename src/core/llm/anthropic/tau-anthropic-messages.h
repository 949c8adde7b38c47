/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-request.h"

G_BEGIN_DECLS

JsonArray  *tau_anthropic_encode_messages (TauRequest *request, JsonNode *cache_control);   /* transfer full */
JsonObject *tau_anthropic_text_block      (const char *text);                               /* transfer full */
gboolean    tau_anthropic_may_think       (JsonArray *messages);

G_END_DECLS
