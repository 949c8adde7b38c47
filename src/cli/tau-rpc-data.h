/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

/* What answers of the RPC protocol hold; all transfer full. */
JsonNode   *tau_rpc_data_state       (TauAgentSession *session);
JsonNode   *tau_rpc_data_stats       (TauAgentSession *session);
JsonNode   *tau_rpc_data_messages    (TauAgentSession *session);
JsonNode   *tau_rpc_data_models      (TauModelCatalog *catalog);
JsonNode   *tau_rpc_data_bash        (TauBashExecutionMessage *message);
JsonNode   *tau_rpc_data_fork_points (TauAgentSession *session);
JsonNode   *tau_rpc_data_commands    (GPtrArray *templates, GPtrArray *skills, GPtrArray *added);
const char *tau_rpc_data_queue_mode  (TauQueueMode mode);

G_END_DECLS
