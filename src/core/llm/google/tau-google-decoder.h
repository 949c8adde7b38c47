/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-protocol.h"

G_BEGIN_DECLS

TauDecoder        *tau_google_decoder_new (TauRequest *request, TauDeltaSink sink, gpointer sink_data);
const TauProtocol *tau_google_protocol    (void);

G_END_DECLS
