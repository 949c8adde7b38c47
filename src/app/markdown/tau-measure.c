/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/markdown/tau-measure.h"

/**
 * tau_measure_height:
 * @widget: a widget
 * @width: how wide it will be, in pixels; below 0: not known
 *
 * Asks a widget for its least height. One that gets less than it needs is measured for what it needs: newer GTK
 * warns of anything else.
 *
 * Returns: the height in pixels
 */
int
tau_measure_height (GtkWidget *widget,
                    int        width)
{
  int needed, height;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &needed, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width < 0 ? -1 : MAX (width, needed), &height, NULL, NULL, NULL);
  return height;
}
