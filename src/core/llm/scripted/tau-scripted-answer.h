/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-assistant-message.h"

G_BEGIN_DECLS

/* What a scripted provider says once. Plain struct on the heap, one owner. */
typedef struct
{
  GPtrArray    *blocks;       /* of TauBlock */
  TauStopReason reason;
  char         *error_text;   /* nullable */
} TauScriptedAnswer;

TauScriptedAnswer *tau_scripted_answer_new      (TauStopReason reason, const char *error_text);
void               tau_scripted_answer_free     (TauScriptedAnswer *self);
void               tau_scripted_answer_thinking (TauScriptedAnswer *self, const char *text);
void               tau_scripted_answer_text     (TauScriptedAnswer *self, const char *text);
void               tau_scripted_answer_call     (TauScriptedAnswer *self, const char *id, const char *tool, JsonNode *arguments /* transfer full */);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauScriptedAnswer, tau_scripted_answer_free)

G_END_DECLS
