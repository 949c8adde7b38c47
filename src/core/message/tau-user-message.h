/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

#define TAU_TYPE_USER_MESSAGE (tau_user_message_get_type ())
G_DECLARE_FINAL_TYPE (TauUserMessage, tau_user_message, TAU, USER_MESSAGE, TauMessage)

TauUserMessage *tau_user_message_new        (const char *text, GPtrArray *images /* nullable, of TauBlock */, gint64 timestamp);
TauUserMessage *tau_user_message_new_blocks (GPtrArray *blocks, gint64 timestamp);
TauUserMessage *tau_user_message_new_string (const char *text, gint64 timestamp);   /* content was a bare string in the file */
gboolean        tau_user_message_is_string  (TauUserMessage *self);

G_END_DECLS
