/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-model-catalog.h"

G_BEGIN_DECLS

char *tau_model_table_format (GListModel *models, const char *search /* nullable */);   /* transfer full; "" if no model fits */

G_END_DECLS
