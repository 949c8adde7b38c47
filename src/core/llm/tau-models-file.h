/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-model.h"

G_BEGIN_DECLS

/**
 * TauProviderConfig:
 * @name: (nullable): what people call it
 * @api_key: (nullable): its key as the file writes it, unresolved
 * @auth_header: whether the key also goes into an Authorization header
 *
 * What models.json says of a vendor beside its models.
 */
typedef struct
{
  char    *name;
  char    *api_key;
  gboolean auth_header;
} TauProviderConfig;

/* Models in their order, and vendors by id. Plain struct on the heap, one owner. */
typedef struct
{
  GPtrArray  *models;      /* of TauModel */
  GHashTable *providers;   /* id → TauProviderConfig */
} TauModelSet;

TauModelSet       *tau_model_set_new          (void);
void               tau_model_set_free         (TauModelSet *self);
TauModelSet       *tau_model_set_copy         (TauModelSet *self);
TauModel          *tau_model_set_find         (TauModelSet *self, const char *provider, const char *id);   /* borrowed, nullable */
TauProviderConfig *tau_model_set_get_provider (TauModelSet *self, const char *provider);                   /* nullable */
gboolean           tau_model_set_merge        (TauModelSet *self, JsonNode *root, gboolean builtin, GError **error);
gboolean           tau_model_set_merge_text   (TauModelSet *self, const char *text, gssize length, gboolean builtin, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauModelSet, tau_model_set_free)

G_END_DECLS
