/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/scripted/tau-scripted-provider.h"

G_BEGIN_DECLS

#define TAU_DEMO_PROVIDER "demo"
#define TAU_DEMO_MODEL    "demo"
#define TAU_DEMO_API      "tau-scripted"

TauModel          *tau_demo_model_new    (void);
TauProvider       *tau_demo_provider_new (void);
TauScriptedAnswer *tau_demo_answer       (TauRequest *request);

G_END_DECLS
