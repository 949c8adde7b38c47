/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-request.h"

G_BEGIN_DECLS

JsonArray *tau_responses_encode_input (TauRequest *request);   /* transfer full */

G_END_DECLS
