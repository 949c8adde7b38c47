/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-assistant-message.h"

G_BEGIN_DECLS

char *tau_usage_line_new (TauAssistantMessage *answer);   /* nullable */
char *tau_usage_line_dup_time (gint64 milliseconds, GDateTime *now);   /* nullable */

G_END_DECLS
