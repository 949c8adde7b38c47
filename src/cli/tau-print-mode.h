/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

int tau_print_mode_run (TauAgentSession *session, const char * const *prompts, GPtrArray *images, gboolean as_json, gboolean verbose);

G_END_DECLS
