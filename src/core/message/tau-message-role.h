/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

/**
 * TauMessageRoleClass:
 * @role: role string as it stands in files
 * @type: a subclass of TauMessage
 * @from_json: makes a message from its JSON object, or fails
 * @to_json: the JSON object of a message
 * @to_llm: (nullable): the user, assistant or toolResult message that the model sees instead, or %NULL for nothing
 * @label: short text by which a person recognises such a message
 *
 * An application's own kind of message, registered at run time. The built-in roles do not pass through here:
 * they go through one switch that the compiler checks.
 */
typedef struct
{
  const char *role;
  GType       type;
  TauMessage *(*from_json) (JsonNode *json, GError **error);
  JsonNode   *(*to_json)   (TauMessage *message);
  TauMessage *(*to_llm)    (TauMessage *message);
  const char *label;
} TauMessageRoleClass;

void                       tau_message_role_register   (const TauMessageRoleClass *role_class);
void                       tau_message_role_unregister (const char *role);
const TauMessageRoleClass *tau_message_role_lookup     (const char *role);

G_END_DECLS
