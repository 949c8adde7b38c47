/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/tau-rpc-mode.h"

G_BEGIN_DECLS

/**
 * TauRpcCall:
 * @mode: who asks
 * @json: the whole command
 *
 * One command on its way. Its handler owns it and ends it by exactly one of the three answers.
 */
typedef struct
{
  TauRpcMode *mode;
  JsonNode   *json;
} TauRpcCall;

TauRpcCall      *tau_rpc_call_new                 (TauRpcMode *mode, JsonNode *json);
TauAgentSession *tau_rpc_call_get_session         (TauRpcCall *self);
const char      *tau_rpc_call_get_string          (TauRpcCall *self, const char *key);   /* "" if there is none */
void             tau_rpc_call_succeed             (TauRpcCall *self, JsonNode *data /* taken, nullable */);
void             tau_rpc_call_succeed_with_string (TauRpcCall *self, const char *key, const char *value /* nullable */);
void             tau_rpc_call_fail                (TauRpcCall *self, const char *text);
void             tau_rpc_refuse                   (TauRpcMode *mode, const char *name, const char *text);

G_END_DECLS
