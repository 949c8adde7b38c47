/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-protocol.h"

G_BEGIN_DECLS

TauDecoder        *tau_responses_decoder_new    (TauRequest *request, TauDeltaSink sink, gpointer sink_data);
const TauProtocol *tau_responses_protocol       (void);
const TauProtocol *tau_azure_responses_protocol (void);

G_END_DECLS
