/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "core/llm/tau-model-catalog.h"

G_BEGIN_DECLS

#define TAU_TYPE_START_PAGE (tau_start_page_get_type ())
G_DECLARE_FINAL_TYPE (TauStartPage, tau_start_page, TAU, START_PAGE, AdwBin)

void tau_start_page_set_catalog (TauStartPage *self, TauModelCatalog *catalog);
void tau_start_page_set_folder  (TauStartPage *self, const char *folder);

G_END_DECLS
