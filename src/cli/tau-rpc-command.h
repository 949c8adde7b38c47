/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/tau-rpc-mode.h"

G_BEGIN_DECLS

void tau_rpc_command_run (TauRpcMode *mode, const char *line, gsize length);

G_END_DECLS
