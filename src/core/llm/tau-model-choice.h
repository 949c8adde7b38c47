/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-model.h"

G_BEGIN_DECLS

/**
 * TauModelChoice:
 * @model: (nullable): owned: the model that was meant
 * @level: thinking level that the pattern ends with
 * @has_level: whether it has one
 * @warning: (nullable): owned: a sentence for a person
 *
 * What a pattern means. Clear with tau_model_choice_clear().
 */
typedef struct
{
  TauModel        *model;
  TauThinkingLevel level;
  gboolean         has_level;
  char            *warning;
} TauModelChoice;

void        tau_model_choice_clear       (TauModelChoice *self);
gboolean    tau_model_choice_make        (TauModelChoice *self, GPtrArray *models, const char *provider, const char *pattern, GError **error);
TauModel   *tau_model_choice_default     (GPtrArray *models, const char *provider);   /* transfer full, nullable */
const char *tau_model_choice_default_id  (const char *provider);                      /* nullable */
TauModel   *tau_model_choice_first       (GPtrArray *available);                      /* transfer full, nullable */

G_END_DECLS
