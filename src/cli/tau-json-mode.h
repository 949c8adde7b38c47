/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/tau-cli-shutdown.h"

G_BEGIN_DECLS

void tau_json_mode_print_events (TauAgentSession *session, TauCliShutdown *shutdown);
void tau_json_mode_print_header (TauAgentSession *session, TauCliShutdown *shutdown);

G_END_DECLS
