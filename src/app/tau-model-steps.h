/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Actions of a window: "win.next-model", "win.previous-model" and "win.next-thinking". */

void tau_model_steps_install_actions (GtkWidgetClass *widget_class);

G_END_DECLS
