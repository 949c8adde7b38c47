/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/config/tau-settings.h"
#include "core/llm/tau-model-catalog.h"

G_BEGIN_DECLS

/* The models to step through: "enabledModels" of settings.json, names "provider/id" or patterns with "*" and "?", each with ":level" or without. */

gboolean   tau_favourite_models_contain (TauSettings *settings, TauModel *model);
GPtrArray *tau_favourite_models_dup     (TauSettings *settings, TauModelCatalog *catalog);   /* of TauModel; those that can be used */
gboolean   tau_favourite_models_set     (TauSettings *settings, TauModelCatalog *catalog, TauModel *model, gboolean favourite, GError **error);
TauModel  *tau_favourite_models_step    (TauSettings *settings, TauModelCatalog *catalog, TauModel *current, int step, TauThinkingLevel *level, gboolean *has_level);   /* transfer full, nullable */

G_END_DECLS
