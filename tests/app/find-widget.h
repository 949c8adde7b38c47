/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* The first widget of a type below (or at) a widget. */
static inline GtkWidget *
find_widget (GtkWidget *from,
             GType      type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (from, type))
    return from;
  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}
