/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-assistant-message.h"

G_BEGIN_DECLS

char *tau_usage_line_new (TauAssistantMessage *answer);   /* nullable */

G_END_DECLS
