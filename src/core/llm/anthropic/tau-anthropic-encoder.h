/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-http-call.h"
#include "core/llm/tau-request.h"

G_BEGIN_DECLS

TauHttpCall *tau_anthropic_encode                (TauRequest *request, GError **error);
gboolean     tau_anthropic_is_subscription_key   (const char *key);
const char  *tau_anthropic_tool_name             (TauRequest *request, const char *name);

G_END_DECLS
