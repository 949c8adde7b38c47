/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

#define TAU_TYPE_USER_ATTACHMENTS_MESSAGE (tau_user_attachments_message_get_type ())
G_DECLARE_FINAL_TYPE (TauUserAttachmentsMessage, tau_user_attachments_message, TAU, USER_ATTACHMENTS_MESSAGE, TauMessage)

TauUserAttachmentsMessage *tau_user_attachments_message_new               (GPtrArray *blocks, gboolean content_is_string,
                                                                           JsonNode *attachments /* nullable */, gint64 timestamp);
gboolean                   tau_user_attachments_message_is_string         (TauUserAttachmentsMessage *self);
JsonNode                  *tau_user_attachments_message_get_attachments   (TauUserAttachmentsMessage *self);   /* nullable, borrowed */
guint                      tau_user_attachments_message_get_n_attachments (TauUserAttachmentsMessage *self);
const char                *tau_user_attachments_message_get_file_name     (TauUserAttachmentsMessage *self, guint position);
GPtrArray                 *tau_user_attachments_message_dup_llm_blocks    (TauUserAttachmentsMessage *self);   /* what the model reads */

G_END_DECLS
