/* SPDX-License-Identifier: MIT */
#include "core/message/tau-unknown-message.h"

#include "core/base/tau-json.h"

/* TauUnknownMessage: record of a message whose role nobody registered. It keeps the whole JSON object, so that a session
 * written by a newer or extended program loses nothing here; the model never sees it. */

struct _TauUnknownMessage
{
  TauMessage parent_instance;

  JsonNode  *json;
};

G_DEFINE_FINAL_TYPE (TauUnknownMessage, tau_unknown_message, TAU_TYPE_MESSAGE)

static void
tau_unknown_message_finalize (GObject *object)
{
  TauUnknownMessage *self = TAU_UNKNOWN_MESSAGE (object);

  g_clear_pointer (&self->json, json_node_unref);

  G_OBJECT_CLASS (tau_unknown_message_parent_class)->finalize (object);
}

static void
tau_unknown_message_class_init (TauUnknownMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_unknown_message_finalize;
}

static void
tau_unknown_message_init (TauUnknownMessage *self)
{
}

/**
 * tau_unknown_message_new:
 * @json: (transfer none): the whole message, an object; must not change afterwards
 *
 * Returns: (transfer full): a record of @json
 */
TauUnknownMessage *
tau_unknown_message_new (JsonNode *json)
{
  TauUnknownMessage *self;

  g_return_val_if_fail (json != NULL && JSON_NODE_HOLDS_OBJECT (json), NULL);

  self = g_object_new (TAU_TYPE_UNKNOWN_MESSAGE,
                       "role", tau_json_get_string (json, "role", ""),
                       "timestamp", tau_json_get_int (json, "timestamp", 0),
                       NULL);
  self->json = json_node_ref (json);

  return self;
}

/**
 * tau_unknown_message_get_json:
 * @self: a record
 *
 * Returns: (transfer none): the whole message; must not be changed
 */
JsonNode *
tau_unknown_message_get_json (TauUnknownMessage *self)
{
  g_return_val_if_fail (TAU_IS_UNKNOWN_MESSAGE (self), NULL);

  return self->json;
}
