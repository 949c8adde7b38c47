/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-assistant-message.h"

G_BEGIN_DECLS

char       *tau_error_advice_dup_sentence   (TauAssistantMessage *answer);
gboolean    tau_error_advice_wants_settings (TauAssistantMessage *answer);
const char *tau_provider_name               (const char *id);

G_END_DECLS
