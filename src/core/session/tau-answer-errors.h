/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-model.h"

G_BEGIN_DECLS

gboolean tau_answer_overflowed     (TauAssistantMessage *answer, TauModel *model);
gboolean tau_answer_may_be_retried (TauAssistantMessage *answer, TauModel *model);

G_END_DECLS
