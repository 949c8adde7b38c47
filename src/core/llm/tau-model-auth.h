/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/config/tau-credentials.h"
#include "core/llm/tau-model.h"
#include "core/llm/tau-models-file.h"

G_BEGIN_DECLS

void     tau_model_auth_resolve_async  (TauCredentials *credentials, const TauProviderConfig *config /* nullable */, TauModel *model,
                                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean tau_model_auth_resolve_finish (GAsyncResult *result, char **api_key, JsonNode **headers, GError **error);

G_END_DECLS
