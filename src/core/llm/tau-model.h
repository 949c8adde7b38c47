/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-assistant-message.h"

G_BEGIN_DECLS

/**
 * TauThinkingLevel:
 * @TAU_THINKING_OFF: no reasoning asked for
 * @TAU_THINKING_MINIMAL: minimal
 * @TAU_THINKING_LOW: low
 * @TAU_THINKING_MEDIUM: medium
 * @TAU_THINKING_HIGH: high
 * @TAU_THINKING_XHIGH: more than high, where a model knows it
 *
 * How much a model is to reason, in rising order.
 */
typedef enum
{
  TAU_THINKING_OFF,
  TAU_THINKING_MINIMAL,
  TAU_THINKING_LOW,
  TAU_THINKING_MEDIUM,
  TAU_THINKING_HIGH,
  TAU_THINKING_XHIGH,
  TAU_THINKING_N_LEVELS,
} TauThinkingLevel;

const char *tau_thinking_level_to_string   (TauThinkingLevel level);
gboolean    tau_thinking_level_from_string (const char *text, TauThinkingLevel *level);

#define TAU_TYPE_MODEL (tau_model_get_type ())
G_DECLARE_FINAL_TYPE (TauModel, tau_model, TAU, MODEL, GObject)

/* Record: one model of one provider. Made from the JSON object of models.json or of our own catalogue (same keys, plus "provider"). */
TauModel        *tau_model_new_from_json          (const char *provider, JsonNode *json, GError **error);
JsonNode        *tau_model_to_json                (TauModel *self);   /* key order of the RPC's Model */
const char      *tau_model_get_id                 (TauModel *self);
const char      *tau_model_get_name               (TauModel *self);
const char      *tau_model_get_api                (TauModel *self);
const char      *tau_model_get_provider           (TauModel *self);
const char      *tau_model_get_base_url           (TauModel *self);
gboolean         tau_model_is_near                (TauModel *self);   /* its server is on this machine or in this network */
gboolean         tau_model_get_reasoning          (TauModel *self);
gboolean         tau_model_accepts_images         (TauModel *self);
const TauPrices *tau_model_get_prices             (TauModel *self);
gint64           tau_model_get_context_window     (TauModel *self);   /* tokens */
gint64           tau_model_get_max_tokens         (TauModel *self);   /* tokens */
JsonNode        *tau_model_get_headers            (TauModel *self);   /* nullable object of strings (values still unresolved) */
JsonNode        *tau_model_get_compat             (TauModel *self);   /* nullable object */
gboolean         tau_model_supports_level         (TauModel *self, TauThinkingLevel level);
TauThinkingLevel tau_model_clamp_level            (TauModel *self, TauThinkingLevel level);
const char      *tau_model_map_level              (TauModel *self, TauThinkingLevel level);   /* thinkingLevelMap's string or the level's own name; NULL if mapped to null */
gboolean         tau_model_has_level_entry        (TauModel *self, TauThinkingLevel level);   /* the map has a string for it */
gboolean         tau_model_equal                  (TauModel *self, TauModel *other);   /* provider and id */

G_END_DECLS
