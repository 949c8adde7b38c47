/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/openai/tau-openai-compat.h"
#include "core/llm/tau-request.h"

G_BEGIN_DECLS

JsonArray *tau_completions_encode_messages (TauRequest *request, const TauOpenaiCompat *compat);   /* transfer full */

G_END_DECLS
