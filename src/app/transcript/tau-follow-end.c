/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-follow-end.h"

#include <math.h>

/* TauFollowEnd: live, owned by the transcript view. Takes wheel and touchpad from the scrolled window and turns
 * them into relative steps. GTK's own deceleration sets absolute positions, which are stale as soon as the list
 * learns a height; a reader who flings through a long list sees it jump. */
struct _TauFollowEnd
{
  GObject       parent_instance;
  GtkWidget    *scroller;    /* borrowed: the owner of our owner */
  TauStackView *stack;       /* borrowed */
  guint         tick;
  gint64        last_time;
  double        velocity;    /* pixels a second */
};

/* As GtkScrolledWindow has them. */
#define SURFACE_FACTOR 2.5
#define FRICTION       4.0
#define SLOWEST        20.0

enum
{
  SCROLLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauFollowEnd, tau_follow_end, G_TYPE_OBJECT)

static void
stop (TauFollowEnd *self)
{
  if (self->tick)
    gtk_widget_remove_tick_callback (self->scroller, self->tick);
  self->tick = 0;
}

static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       user_data)
{
  TauFollowEnd *self = user_data;
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double seconds = (double) (now - self->last_time) / G_USEC_PER_SEC;

  self->last_time = now;
  tau_stack_view_scroll_by (self->stack, self->velocity * seconds);
  self->velocity *= exp (-FRICTION * seconds);
  if (fabs (self->velocity) > SLOWEST)
    return G_SOURCE_CONTINUE;

  self->tick = 0;
  return G_SOURCE_REMOVE;
}

/* Long code that scrolls inside its block has the wheel first, as long as it can go that way. */
static gboolean
inner_wants (TauFollowEnd             *self,
             GtkEventControllerScroll *controller,
             double                    dy)
{
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));
  GtkNative *native = gtk_widget_get_native (self->scroller);
  double x, y, surface_x, surface_y;
  GtkWidget *widget;

  if (!event || !native || !gdk_event_get_position (event, &x, &y))
    return FALSE;
  gtk_native_get_surface_transform (native, &surface_x, &surface_y);
  widget = gtk_widget_pick (GTK_WIDGET (native), x - surface_x, y - surface_y, GTK_PICK_DEFAULT);
  for (; widget && widget != self->scroller; widget = gtk_widget_get_parent (widget))
    {
      GtkPolicyType policy = GTK_POLICY_NEVER;
      GtkAdjustment *adjustment;

      if (!GTK_IS_SCROLLED_WINDOW (widget))
        continue;
      gtk_scrolled_window_get_policy (GTK_SCROLLED_WINDOW (widget), NULL, &policy);
      adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (widget));
      if (policy == GTK_POLICY_AUTOMATIC &&
          (dy < 0 ? gtk_adjustment_get_value (adjustment) > 0.5
                  : gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment) <
                      gtk_adjustment_get_upper (adjustment) - 0.5))
        return TRUE;
    }
  return FALSE;
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller,
           double                    dx,
           double                    dy,
           TauFollowEnd             *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  /* Shift turns the wheel sideways: that is for the code block below the pointer. */
  if (dy == 0 || (state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)))
    return FALSE;

  if (inner_wants (self, controller, dy))
    return FALSE;
  stop (self);
  g_signal_emit (self, signals[SCROLLED], 0);
  tau_follow_end_scroll (self, dy, gtk_event_controller_scroll_get_unit (controller));
  return TRUE;
}

static void
decelerate_cb (GtkEventControllerScroll *controller,
               double                    velocity_x,
               double                    velocity_y,
               TauFollowEnd             *self)
{
  if (gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE)
    velocity_y *= SURFACE_FACTOR;
  tau_follow_end_fling (self, velocity_y);
}

static void
tau_follow_end_dispose (GObject *object)
{
  stop (TAU_FOLLOW_END (object));
  G_OBJECT_CLASS (tau_follow_end_parent_class)->dispose (object);
}

static void
tau_follow_end_class_init (TauFollowEndClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_follow_end_dispose;

  /**
   * TauFollowEnd::scrolled:
   *
   * The reader turns the wheel or moves fingers on the touchpad.
   */
  signals[SCROLLED] = g_signal_new ("scrolled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
}

static void
tau_follow_end_init (TauFollowEnd *self)
{
}

/**
 * tau_follow_end_new:
 * @scroller: the scrolled window
 * @stack: what it scrolls
 *
 * Returns: (transfer full): takes over the scrolling of @scroller
 */
TauFollowEnd *
tau_follow_end_new (GtkWidget    *scroller,
                    TauStackView *stack)
{
  TauFollowEnd *self = g_object_new (TAU_TYPE_FOLLOW_END, NULL);
  GtkEventController *controller = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL |
                                                                    GTK_EVENT_CONTROLLER_SCROLL_KINETIC);

  self->scroller = scroller;
  self->stack = stack;
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "scroll", G_CALLBACK (scroll_cb), self, 0);
  g_signal_connect_object (controller, "scroll-begin", G_CALLBACK (stop), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (controller, "decelerate", G_CALLBACK (decelerate_cb), self, 0);
  gtk_widget_add_controller (scroller, controller);
  return self;
}

/**
 * tau_follow_end_scroll:
 * @self: the controller
 * @delta: how far, in @unit
 * @unit: wheel clicks or touchpad pixels
 *
 * Scrolls as the wheel or the touchpad does.
 */
void
tau_follow_end_scroll (TauFollowEnd  *self,
                       double         delta,
                       GdkScrollUnit  unit)
{
  double page = gtk_widget_get_height (GTK_WIDGET (self->stack));
  double factor = unit == GDK_SCROLL_UNIT_WHEEL ? pow (page, 2.0 / 3.0) : SURFACE_FACTOR;

  tau_stack_view_scroll_by (self->stack, delta * factor);
}

/**
 * tau_follow_end_fling:
 * @self: the controller
 * @velocity: pixels a second
 *
 * Goes on scrolling, slower and slower.
 */
void
tau_follow_end_fling (TauFollowEnd *self,
                      double        velocity)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (self->scroller);

  stop (self);
  if (!clock)
    return;

  self->velocity = velocity;
  self->last_time = gdk_frame_clock_get_frame_time (clock);
  self->tick = gtk_widget_add_tick_callback (self->scroller, tick_cb, self, NULL);
}
