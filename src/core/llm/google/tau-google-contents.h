/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-request.h"

G_BEGIN_DECLS

JsonArray *tau_google_encode_contents (TauRequest *request);   /* transfer full */

G_END_DECLS
