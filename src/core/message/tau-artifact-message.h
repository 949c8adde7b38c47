/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

#define TAU_TYPE_ARTIFACT_MESSAGE (tau_artifact_message_get_type ())
G_DECLARE_FINAL_TYPE (TauArtifactMessage, tau_artifact_message, TAU, ARTIFACT_MESSAGE, TauMessage)

TauArtifactMessage *tau_artifact_message_new           (JsonNode *json);
JsonNode           *tau_artifact_message_get_json      (TauArtifactMessage *self);   /* the whole message, borrowed */
const char         *tau_artifact_message_get_action    (TauArtifactMessage *self);   /* "create", "update", "delete" */
const char         *tau_artifact_message_get_file_name (TauArtifactMessage *self);
const char         *tau_artifact_message_get_content   (TauArtifactMessage *self);   /* nullable */

G_END_DECLS
