/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-call.h"

#include "core/base/tau-json.h"

static JsonObject *
begin_answer (JsonNode   *id,
              const char *name,
              gboolean    success)
{
  JsonObject *answer = json_object_new ();

  if (id != NULL)
    json_object_set_member (answer, "id", json_node_ref (id));
  json_object_set_string_member (answer, "type", "response");
  json_object_set_string_member (answer, "command", name);
  json_object_set_boolean_member (answer, "success", success);

  return answer;
}

static void
write_answer (TauRpcMode *mode,
              JsonObject *answer)
{
  g_autoptr(JsonNode) node = tau_json_node_new_object (answer);

  tau_rpc_mode_write (mode, node);
}

static void
call_free (TauRpcCall *self)
{
  g_object_unref (self->mode);
  json_node_unref (self->json);
  g_free (self);
}

/**
 * tau_rpc_call_new:
 * @mode: who asks
 * @json: the command
 *
 * Returns: (transfer full): a call; an answer frees it
 */
TauRpcCall *
tau_rpc_call_new (TauRpcMode *mode,
                  JsonNode   *json)
{
  TauRpcCall *self = g_new0 (TauRpcCall, 1);

  self->mode = g_object_ref (mode);
  self->json = json_node_ref (json);

  return self;
}

/**
 * tau_rpc_call_get_session:
 * @self: a call
 *
 * Returns: (transfer none): the session that it is for
 */
TauAgentSession *
tau_rpc_call_get_session (TauRpcCall *self)
{
  return tau_rpc_mode_get_session (self->mode);
}

/**
 * tau_rpc_call_get_string:
 * @self: a call
 * @key: a parameter
 *
 * Returns: its value; "" if there is none
 */
const char *
tau_rpc_call_get_string (TauRpcCall *self,
                         const char *key)
{
  return tau_json_get_string (self->json, key, "");
}

/**
 * tau_rpc_call_succeed:
 * @self: (transfer full): a call
 * @data: (transfer full) (nullable): what was asked for
 *
 * Answers the call.
 */
void
tau_rpc_call_succeed (TauRpcCall *self,
                      JsonNode   *data)
{
  JsonObject *answer = begin_answer (tau_json_get (self->json, "id"), tau_rpc_call_get_string (self, "type"), TRUE);

  if (data != NULL)
    json_object_set_member (answer, "data", data);
  write_answer (self->mode, answer);
  call_free (self);
}

/**
 * tau_rpc_call_succeed_with_string:
 * @self: (transfer full): a call
 * @key: field of the data
 * @value: (nullable): its value; %NULL leaves it out
 *
 * Answers the call.
 */
void
tau_rpc_call_succeed_with_string (TauRpcCall *self,
                                  const char *key,
                                  const char *value)
{
  JsonObject *data = json_object_new ();

  if (value != NULL)
    json_object_set_string_member (data, key, value);
  tau_rpc_call_succeed (self, tau_json_node_new_object (data));
}

/**
 * tau_rpc_call_fail:
 * @self: (transfer full): a call
 * @text: what is wrong. Where pi has a text for it, that one: it is part of the protocol and not translated
 *
 * Answers the call.
 */
void
tau_rpc_call_fail (TauRpcCall *self,
                   const char *text)
{
  JsonObject *answer = begin_answer (tau_json_get (self->json, "id"), tau_rpc_call_get_string (self, "type"), FALSE);

  json_object_set_string_member (answer, "error", text);
  write_answer (self->mode, answer);
  call_free (self);
}

/**
 * tau_rpc_refuse:
 * @mode: who asks
 * @name: the command
 * @text: what is wrong
 *
 * Answers what never became a call. Such an answer has no id: pi gives none either.
 */
void
tau_rpc_refuse (TauRpcMode *mode,
                const char *name,
                const char *text)
{
  JsonObject *answer = begin_answer (NULL, name, FALSE);

  json_object_set_string_member (answer, "error", text);
  write_answer (mode, answer);
}
