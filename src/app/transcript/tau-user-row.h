/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/markdown/tau-expansions.h"
#include "core/message/tau-message.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *tau_user_row_new (TauMessage *message, TauExpansions *expansions, guint64 key);

G_END_DECLS
