/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-http-call.h"
#include "core/llm/tau-request.h"

G_BEGIN_DECLS

TauHttpCall *tau_google_encode (TauRequest *request, GError **error);

G_END_DECLS
