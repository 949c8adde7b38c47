/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

int tau_measure_height (GtkWidget *widget, int width);

G_END_DECLS
