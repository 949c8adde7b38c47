/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

G_BEGIN_DECLS

GPtrArray *tau_messages_convert_to_llm (GPtrArray *messages);   /* of TauMessage; transfer full container and items */
GPtrArray *tau_messages_block_images   (GPtrArray *messages);   /* pictures become "Image reading is disabled." */
TauMessage *tau_message_with_blocks    (TauMessage *message, GPtrArray *blocks);   /* a user message or a tool result */

G_END_DECLS
