/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "core/llm/tau-model-catalog.h"

G_BEGIN_DECLS

/* One question to a model outside of the conversation. */
void  tau_summarizer_ask_async  (TauModelCatalog *catalog, TauModel *model, TauThinkingLevel level, const char *prompt, gint64 max_tokens,
                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
char *tau_summarizer_ask_finish (GAsyncResult *result, GError **error);

G_END_DECLS
