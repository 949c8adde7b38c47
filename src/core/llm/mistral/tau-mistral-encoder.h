/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-protocol.h"

G_BEGIN_DECLS

TauHttpCall       *tau_mistral_encode   (TauRequest *request, GError **error);
const TauProtocol *tau_mistral_protocol (void);

G_END_DECLS
