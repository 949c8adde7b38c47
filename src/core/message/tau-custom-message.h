/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

#define TAU_TYPE_CUSTOM_MESSAGE (tau_custom_message_get_type ())
G_DECLARE_FINAL_TYPE (TauCustomMessage, tau_custom_message, TAU, CUSTOM_MESSAGE, TauMessage)

TauCustomMessage *tau_custom_message_new             (const char *custom_type, GPtrArray *blocks, gboolean content_is_string,
                                                      gboolean display, JsonNode *details, gint64 timestamp);
const char       *tau_custom_message_get_custom_type (TauCustomMessage *self);
gboolean          tau_custom_message_is_string       (TauCustomMessage *self);
gboolean          tau_custom_message_get_display     (TauCustomMessage *self);
JsonNode         *tau_custom_message_get_details     (TauCustomMessage *self);

G_END_DECLS
