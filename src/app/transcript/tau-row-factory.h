/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "app/transcript/tau-transcript-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *tau_row_factory_make (TauTranscriptItem *item, TauExpansions *expansions);

G_END_DECLS
