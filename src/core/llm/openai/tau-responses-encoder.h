/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-http-call.h"
#include "core/llm/tau-request.h"

G_BEGIN_DECLS

TauHttpCall *tau_responses_encode       (TauRequest *request, GError **error);
TauHttpCall *tau_azure_responses_encode (TauRequest *request, GError **error);

G_END_DECLS
