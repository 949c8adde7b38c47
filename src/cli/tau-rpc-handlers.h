/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/tau-rpc-call.h"

G_BEGIN_DECLS

/* One function for each command. It takes over the call and answers it once, now or later. */

/* tau-rpc-prompt.c */
void tau_rpc_prompt                 (TauRpcCall *self);
void tau_rpc_steer                  (TauRpcCall *self);
void tau_rpc_follow_up              (TauRpcCall *self);
void tau_rpc_abort                  (TauRpcCall *self);
void tau_rpc_abort_retry            (TauRpcCall *self);
void tau_rpc_bash                   (TauRpcCall *self);
void tau_rpc_abort_bash             (TauRpcCall *self);

/* tau-rpc-session.c */
void tau_rpc_new_session            (TauRpcCall *self);
void tau_rpc_switch_session         (TauRpcCall *self);
void tau_rpc_fork                   (TauRpcCall *self);
void tau_rpc_clone                  (TauRpcCall *self);
void tau_rpc_get_fork_messages      (TauRpcCall *self);
void tau_rpc_compact                (TauRpcCall *self);
void tau_rpc_set_session_name       (TauRpcCall *self);
void tau_rpc_export_html            (TauRpcCall *self);
void tau_rpc_get_state              (TauRpcCall *self);
void tau_rpc_get_messages           (TauRpcCall *self);
void tau_rpc_get_session_stats      (TauRpcCall *self);
void tau_rpc_get_last_assistant_text (TauRpcCall *self);
void tau_rpc_get_commands           (TauRpcCall *self);

/* tau-rpc-model.c */
void tau_rpc_get_available_models   (TauRpcCall *self);
void tau_rpc_set_model              (TauRpcCall *self);
void tau_rpc_cycle_model            (TauRpcCall *self);
void tau_rpc_set_thinking_level     (TauRpcCall *self);
void tau_rpc_cycle_thinking_level   (TauRpcCall *self);
void tau_rpc_set_steering_mode      (TauRpcCall *self);
void tau_rpc_set_follow_up_mode     (TauRpcCall *self);
void tau_rpc_set_auto_compaction    (TauRpcCall *self);
void tau_rpc_set_auto_retry         (TauRpcCall *self);

G_END_DECLS
