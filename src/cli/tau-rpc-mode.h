/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/tau-cli-shutdown.h"
#include "cli/tau-cli-startup.h"

G_BEGIN_DECLS

#define TAU_TYPE_RPC_MODE (tau_rpc_mode_get_type ())
G_DECLARE_FINAL_TYPE (TauRpcMode, tau_rpc_mode, TAU, RPC_MODE, GObject)

int              tau_rpc_mode_run             (TauCliStartup *startup, TauAgentSession *session);   /* until the input ends; the exit code */

/* For the commands. */
TauAgentSession *tau_rpc_mode_get_session     (TauRpcMode *self);
TauCliStartup   *tau_rpc_mode_get_startup     (TauRpcMode *self);
void             tau_rpc_mode_replace_session (TauRpcMode *self, TauAgentSession *session);
void             tau_rpc_mode_write           (TauRpcMode *self, JsonNode *line);

G_END_DECLS
