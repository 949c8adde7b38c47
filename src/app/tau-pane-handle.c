/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-pane-handle.h"

#include <glib/gi18n.h>

/* The line between the conversation and a pane: dragged, or moved by the arrow keys, it changes the pane's width
 * request. AdwFlap folds panes but does not resize them; this is the missing half. */
#define MIN_WIDTH 220
#define MAX_WIDTH 720
#define KEY_STEP 24

struct _TauPaneHandle
{
  GtkWidget  parent_instance;

  GtkWidget *pane;       /* weak: the pane is our sibling and may go first */
  gboolean   at_start;
};

G_DEFINE_FINAL_TYPE (TauPaneHandle, tau_pane_handle, GTK_TYPE_WIDGET)

static void
set_width (TauPaneHandle *self,
           int            width)
{
  if (self->pane != NULL)
    gtk_widget_set_size_request (self->pane, CLAMP (width, MIN_WIDTH, MAX_WIDTH), -1);
}

/* +1 where a move to the right makes the pane wider. */
static int
direction (TauPaneHandle *self)
{
  gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

  return self->at_start != rtl ? 1 : -1;
}

/* Offsets are relative to the handle, which moves along with the pane; adding them to the current width converges. */
static void
drag_update_cb (TauPaneHandle  *self,
                double          offset_x,
                double          offset_y,
                GtkGestureDrag *drag)
{
  if (self->pane != NULL)
    set_width (self, gtk_widget_get_width (self->pane) + direction (self) * (int) offset_x);
}

static gboolean
key_pressed_cb (TauPaneHandle *self,
                guint          keyval,
                guint          keycode,
                GdkModifierType state)
{
  int step = keyval == GDK_KEY_Right ? KEY_STEP : keyval == GDK_KEY_Left ? -KEY_STEP : 0;

  if (step == 0 || self->pane == NULL)
    return GDK_EVENT_PROPAGATE;
  set_width (self, gtk_widget_get_width (self->pane) + direction (self) * step);
  return GDK_EVENT_STOP;
}

static void
tau_pane_handle_dispose (GObject *object)
{
  TauPaneHandle *self = TAU_PANE_HANDLE (object);

  g_clear_weak_pointer (&self->pane);

  G_OBJECT_CLASS (tau_pane_handle_parent_class)->dispose (object);
}

static void
tau_pane_handle_class_init (TauPaneHandleClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_pane_handle_dispose;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "separator");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_SEPARATOR);
}

static void
tau_pane_handle_init (TauPaneHandle *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "col-resize");
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "pane-handle");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Resize pane"), -1);
}

/**
 * tau_pane_handle_set_pane:
 * @self: a handle
 * @pane: (nullable): the widget to resize, by its width request in pixels
 * @at_start: whether @pane is before the handle in reading direction
 *
 * Says what the handle resizes.
 */
void
tau_pane_handle_set_pane (TauPaneHandle *self,
                          GtkWidget     *pane,
                          gboolean       at_start)
{
  g_return_if_fail (TAU_IS_PANE_HANDLE (self));

  g_set_weak_pointer (&self->pane, pane);
  self->at_start = at_start;
}
