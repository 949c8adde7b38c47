/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/scripted/tau-scripted-answer.h"
#include "core/llm/tau-provider.h"

G_BEGIN_DECLS

/**
 * TauScriptFunc:
 * @request: what was asked
 *
 * Returns: (transfer full) (nullable): what to answer
 */
typedef TauScriptedAnswer *(*TauScriptFunc) (TauRequest *request);

#define TAU_TYPE_SCRIPTED_PROVIDER (tau_scripted_provider_get_type ())
G_DECLARE_FINAL_TYPE (TauScriptedProvider, tau_scripted_provider, TAU, SCRIPTED_PROVIDER, GObject)

TauScriptedProvider *tau_scripted_provider_new            (TauScriptFunc script /* nullable: answers are pushed */);
void                 tau_scripted_provider_push           (TauScriptedProvider *self, TauScriptedAnswer *answer /* transfer full */);
void                 tau_scripted_provider_push_text      (TauScriptedProvider *self, const char *text);
void                 tau_scripted_provider_set_pace       (TauScriptedProvider *self, guint chunk_chars, guint interval_ms);
guint                tau_scripted_provider_get_n_requests (TauScriptedProvider *self);
TauRequest          *tau_scripted_provider_get_request    (TauScriptedProvider *self, guint position);

G_END_DECLS
