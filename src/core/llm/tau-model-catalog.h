/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "core/llm/tau-model.h"

G_BEGIN_DECLS

#define TAU_TYPE_MODEL_CATALOG (tau_model_catalog_get_type ())
G_DECLARE_FINAL_TYPE (TauModelCatalog, tau_model_catalog, TAU, MODEL_CATALOG, GObject)

/* LIVE: all models that are known: built-in ones, models.json merged over them, local servers found, the demo model; with
 * auth.json and the environment it also knows which can be used. Reading a broken file never fails: it is a problem (text with
 * line and column), the file is left alone.
 *
 * Property "models" (GListModel of TauModel): all. Property "available" (GListModel): those with a key. Signal "changed". */

TauModelCatalog     *tau_model_catalog_new             (const char *agent_dir);
void                 tau_model_catalog_reload          (TauModelCatalog *self);
const char * const  *tau_model_catalog_get_problems    (TauModelCatalog *self);   /* sentences for a person; never NULL */
GListModel          *tau_model_catalog_get_models      (TauModelCatalog *self);
GListModel          *tau_model_catalog_get_available   (TauModelCatalog *self);
TauModel            *tau_model_catalog_find            (TauModelCatalog *self, const char *provider, const char *id);   /* borrowed, nullable */
gboolean             tau_model_catalog_is_available    (TauModelCatalog *self, TauModel *model);   /* a key is configured */
void                 tau_model_catalog_set_runtime_key (TauModelCatalog *self, const char *provider, const char *key);   /* --api-key */
gboolean             tau_model_catalog_store_key       (TauModelCatalog *self, const char *provider, const char *key, GError **error);   /* auth.json, 0600, other entries kept */
void                 tau_model_catalog_resolve_async   (TauModelCatalog *self, TauModel *model, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/* The key (nullable) and the resolved headers (nullable JSON object) for one request; "!command" values run here. */
gboolean             tau_model_catalog_resolve_finish  (TauModelCatalog *self, GAsyncResult *result, char **api_key, JsonNode **headers, GError **error);
/* Which model --provider/--model mean (spec: CLI model choice); level is changed only if the pattern has one. */
TauModel            *tau_model_catalog_choose          (TauModelCatalog *self, const char *provider, const char *pattern, TauThinkingLevel *level, gboolean *has_level, char **warning, GError **error);   /* transfer full */
TauModel            *tau_model_catalog_choose_default  (TauModelCatalog *self, const char *settings_provider, const char *settings_model);   /* transfer full, nullable */
/* Local servers: GET /v1/models on the usual ports, 300 ms each, in parallel; adds what answers. */
void                 tau_model_catalog_discover_async  (TauModelCatalog *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
guint                tau_model_catalog_discover_finish (TauModelCatalog *self, GAsyncResult *result);   /* number of models found */

G_END_DECLS
