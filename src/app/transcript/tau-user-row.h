/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/message/tau-message.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *tau_user_row_new (TauMessage *message);

G_END_DECLS
