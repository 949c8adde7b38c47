/* SPDX-License-Identifier: MIT */
#include "core/message/tau-artifact-message.h"

#include "core/base/tau-json.h"

/* TauArtifactMessage: record of one change to a document that pi's web interface made beside the conversation (role
 * artifact). It only serves to rebuild the document; the model never sees it, so the JSON object is kept whole. */

struct _TauArtifactMessage
{
  TauMessage parent_instance;

  JsonNode  *json;
};

G_DEFINE_FINAL_TYPE (TauArtifactMessage, tau_artifact_message, TAU_TYPE_MESSAGE)

static void
tau_artifact_message_finalize (GObject *object)
{
  TauArtifactMessage *self = TAU_ARTIFACT_MESSAGE (object);

  g_clear_pointer (&self->json, json_node_unref);

  G_OBJECT_CLASS (tau_artifact_message_parent_class)->finalize (object);
}

static void
tau_artifact_message_class_init (TauArtifactMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_artifact_message_finalize;
  TAU_MESSAGE_CLASS (klass)->kind = TAU_MESSAGE_KIND_ARTIFACT;
}

static void
tau_artifact_message_init (TauArtifactMessage *self)
{
}

/**
 * tau_artifact_message_new:
 * @json: (transfer none): the whole message, an object; must not change afterwards
 *
 * Returns: (transfer full): a record of @json
 */
TauArtifactMessage *
tau_artifact_message_new (JsonNode *json)
{
  TauArtifactMessage *self;

  g_return_val_if_fail (json != NULL && JSON_NODE_HOLDS_OBJECT (json), NULL);

  self = g_object_new (TAU_TYPE_ARTIFACT_MESSAGE,
                       "role", tau_json_get_string (json, "role", ""),
                       "timestamp", tau_json_get_int (json, "timestamp", 0),
                       NULL);
  self->json = json_node_ref (json);

  return self;
}

/**
 * tau_artifact_message_get_json:
 * @self: a record
 *
 * Returns: (transfer none): the whole message; must not be changed
 */
JsonNode *
tau_artifact_message_get_json (TauArtifactMessage *self)
{
  g_return_val_if_fail (TAU_IS_ARTIFACT_MESSAGE (self), NULL);

  return self->json;
}

/**
 * tau_artifact_message_get_action:
 * @self: a record
 *
 * Returns: "create", "update" or "delete"
 */
const char *
tau_artifact_message_get_action (TauArtifactMessage *self)
{
  g_return_val_if_fail (TAU_IS_ARTIFACT_MESSAGE (self), "");

  return tau_json_get_string (self->json, "action", "");
}

/**
 * tau_artifact_message_get_file_name:
 * @self: a record
 *
 * Returns: which document
 */
const char *
tau_artifact_message_get_file_name (TauArtifactMessage *self)
{
  g_return_val_if_fail (TAU_IS_ARTIFACT_MESSAGE (self), "");

  return tau_json_get_string (self->json, "filename", "");
}

/**
 * tau_artifact_message_get_content:
 * @self: a record
 *
 * Returns: (nullable): its whole text after the change
 */
const char *
tau_artifact_message_get_content (TauArtifactMessage *self)
{
  g_return_val_if_fail (TAU_IS_ARTIFACT_MESSAGE (self), NULL);

  return tau_json_get_string (self->json, "content", NULL);
}
