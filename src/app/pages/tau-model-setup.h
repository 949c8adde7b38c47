/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "core/llm/tau-model-catalog.h"

G_BEGIN_DECLS

#define TAU_TYPE_MODEL_SETUP (tau_model_setup_get_type ())
G_DECLARE_FINAL_TYPE (TauModelSetup, tau_model_setup, TAU, MODEL_SETUP, AdwPreferencesGroup)

void tau_model_setup_set_catalog (TauModelSetup *self, TauModelCatalog *catalog);

G_END_DECLS
