/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/agent/tau-agent-hooks.h"
#include "core/config/tau-settings.h"
#include "core/llm/tau-model-catalog.h"

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_HOOKS (tau_session_hooks_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionHooks, tau_session_hooks, TAU, SESSION_HOOKS, GObject)

TauSessionHooks *tau_session_hooks_new (TauModelCatalog *catalog, TauSettings *settings);

G_END_DECLS
