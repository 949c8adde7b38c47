/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-protocol.h"
#include "core/llm/tau-provider.h"

G_BEGIN_DECLS

#define TAU_TYPE_HTTP_PROVIDER (tau_http_provider_get_type ())
G_DECLARE_FINAL_TYPE (TauHttpProvider, tau_http_provider, TAU, HTTP_PROVIDER, GObject)

TauProvider *tau_http_provider_new (const TauProtocol *protocol);

G_END_DECLS
