/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *tau_group_row_new (const char *caption, TauExpansions *expansions, guint64 key);

G_END_DECLS
