/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-model.h"
#include "core/session/tau-session-entry.h"

G_BEGIN_DECLS

/**
 * TauSessionContext:
 * @entries: of TauSessionEntry: those that say something to the model, older parts replaced by their summary
 * @provider: (nullable): of the model used last
 * @model_id: (nullable): of the model used last
 * @has_level: whether the branch says a thinking level
 * @level: the thinking level set last
 *
 * What a branch amounts to.
 */
typedef struct
{
  GPtrArray        *entries;
  char             *provider;
  char             *model_id;
  gboolean          has_level;
  TauThinkingLevel  level;
} TauSessionContext;

TauSessionContext *tau_session_context_new          (GPtrArray *path);
GPtrArray         *tau_session_context_dup_messages (TauSessionContext *self);   /* of TauMessage, parsed now */
void               tau_session_context_free         (TauSessionContext *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionContext, tau_session_context_free)

G_END_DECLS
