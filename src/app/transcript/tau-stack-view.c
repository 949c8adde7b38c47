/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-stack-view.h"

#include <math.h>

/* TauStackView: two widgets in one scroll range: a GtkListView, which needs to be a scrollable of its own to be
 * quick, and below it a tail that grows. The list gets an adjustment that nobody else sees and is as high as the
 * view; "over" is how far the view is scrolled beyond the list's own end. While it is "stuck", the view shows the
 * end of the tail, whatever changes; the reader's scrolling decides about that. */
struct _TauStackView
{
  GtkWidget           parent_instance;
  GtkWidget          *list;
  GtkWidget          *tail;
  GtkAdjustment      *hadjustment;
  GtkAdjustment      *vadjustment;
  GtkAdjustment      *inner;           /* of the list */
  GtkScrollablePolicy hscroll_policy;
  GtkScrollablePolicy vscroll_policy;
  gulong              value_handler;
  double              over;
  int                 list_height;
  int                 tail_height;
  int                 tail_y;
  gboolean            stuck;
  gboolean            allocating;
  gboolean            needs_sync;      /* the list moved by itself */
  GtkWidget          *last_row;        /* of the list at the last allocation, weak */
  double              last_bottom;     /* where it ended in the list */
};

enum
{
  PROP_0,
  PROP_STUCK,
  PROP_HADJUSTMENT,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

G_DEFINE_FINAL_TYPE_WITH_CODE (TauStackView, tau_stack_view, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

static double
list_upper (TauStackView *self)
{
  return MAX (gtk_adjustment_get_upper (self->inner), self->list_height);
}

static double
end_value (TauStackView *self)
{
  return MAX (0, list_upper (self) + self->tail_height - gtk_widget_get_height (GTK_WIDGET (self)));
}

static void
set_stuck (TauStackView *self,
           gboolean      stuck)
{
  if (self->stuck == stuck)
    return;

  self->stuck = stuck;
  g_object_notify (G_OBJECT (self), "stuck");
}

/* Somebody scrolled: a wheel, a key, the scroll bar. */
static void
value_changed_cb (GtkAdjustment *adjustment,
                  TauStackView  *self)
{
  double value = gtk_adjustment_get_value (adjustment);
  double list_end = list_upper (self) - self->list_height;

  self->over = MAX (0, value - list_end);
  set_stuck (self, value >= gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment) - 0.5);
  self->allocating = TRUE;
  gtk_adjustment_set_value (self->inner, value - self->over);
  self->allocating = FALSE;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
inner_changed_cb (TauStackView *self)
{
  if (!self->allocating)
    self->needs_sync = TRUE;
}

static gboolean
find_bottom (TauStackView *self,
             GtkWidget    *row,
             double       *bottom)
{
  graphene_rect_t bounds;

  if (!row || !gtk_widget_get_child_visible (row) || !gtk_widget_compute_bounds (row, self->list, &bounds))
    return FALSE;
  *bottom = bounds.origin.y + bounds.size.height;
  return TRUE;
}

/* When rows are appended to a list that is scrolled to its end, it may scroll on by a bit. A reader in the tail must
 * not notice: says how far the row that was the last has moved. */
static double
find_drift (TauStackView *self)
{
  double bottom;

  if (self->over <= 0 || self->stuck || self->last_row == gtk_widget_get_last_child (self->list) ||
      !find_bottom (self, self->last_row, &bottom))
    return 0;
  return bottom - self->last_bottom;
}

static void
remember_last_row (TauStackView *self)
{
  GtkWidget *row = gtk_widget_get_last_child (self->list);

  g_set_weak_pointer (&self->last_row, find_bottom (self, row, &self->last_bottom) ? row : NULL);
}

/* Puts list and tail where the value says, and the value where list and tail allow. The list may move when it is
 * allocated, because only then it knows its heights; after a round or two it rests. */
static double
allocate_list (TauStackView *self,
               int           width,
               int           height)
{
  double value = 0;

  for (guint round = 0; round < 3; round++)
    {
      double inner, list_end, end, over;

      gtk_widget_size_allocate (self->list, &(GtkAllocation) { 0, -(int) self->over, width, self->list_height }, -1);
      inner = gtk_adjustment_get_value (self->inner) + (round == 0 ? find_drift (self) : 0);
      list_end = list_upper (self) - self->list_height;
      end = MAX (0, list_upper (self) + self->tail_height - height);
      value = self->stuck ? end : CLAMP (inner + self->over, 0, end);
      over = MAX (0, value - list_end);
      if (fabs (value - over - gtk_adjustment_get_value (self->inner)) <= 0.5 && (int) over == (int) self->over)
        {
          self->over = over;
          break;
        }
      self->over = over;
      gtk_adjustment_set_value (self->inner, value - over);
    }
  /* Still moving: what was set last must be allocated all the same, since a list is not drawn without. Nothing is done
   * here when the list rests. */
  gtk_widget_size_allocate (self->list, &(GtkAllocation) { 0, -(int) self->over, width, self->list_height }, -1);
  return value;
}

static void
configure (TauStackView *self,
           double        value,
           int           width,
           int           height)
{
  double upper = MAX (list_upper (self) + self->tail_height, height);

  if (self->vadjustment)
    {
      g_signal_handler_block (self->vadjustment, self->value_handler);
      gtk_adjustment_configure (self->vadjustment, value, 0, upper, height * 0.1, height * 0.9, height);
      g_signal_handler_unblock (self->vadjustment, self->value_handler);
    }
  if (self->hadjustment)
    gtk_adjustment_configure (self->hadjustment, 0, 0, width, width, width, width);
}

static void
tau_stack_view_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  TauStackView *self = TAU_STACK_VIEW (widget);
  int minimum, natural;
  double value;

  self->allocating = TRUE;
  gtk_widget_measure (self->tail, GTK_ORIENTATION_VERTICAL, width, &self->tail_height, NULL, NULL, NULL);
  gtk_widget_measure (self->list, GTK_ORIENTATION_VERTICAL, width, &minimum, &natural, NULL, NULL);
  self->list_height = MIN (height, natural);
  value = allocate_list (self, width, height);

  remember_last_row (self);
  self->tail_y = (int) (list_upper (self) - value);
  gtk_widget_set_child_visible (self->list, self->over < self->list_height);
  gtk_widget_set_child_visible (self->tail, self->tail_y < height && self->tail_height > 0);
  if (gtk_widget_get_child_visible (self->tail))
    gtk_widget_size_allocate (self->tail, &(GtkAllocation) { 0, self->tail_y, width, self->tail_height }, -1);
  configure (self, value, width, height);
  self->allocating = FALSE;
  self->needs_sync = FALSE;
}

static void
tau_stack_view_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  TauStackView *self = TAU_STACK_VIEW (widget);
  int list_minimum, list_natural;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      *minimum = 60;
      *natural = 600;
      return;
    }
  gtk_widget_measure (self->list, orientation, -1, &list_minimum, &list_natural, NULL, NULL);
  gtk_widget_measure (self->tail, orientation, -1, minimum, natural, NULL, NULL);
  *minimum = MAX (*minimum, list_minimum);
  *natural = MAX (*natural, list_natural);
}

static GtkSizeRequestMode
tau_stack_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
set_vadjustment (TauStackView  *self,
                 GtkAdjustment *adjustment)
{
  if (self->vadjustment)
    g_clear_signal_handler (&self->value_handler, self->vadjustment);
  g_set_object (&self->vadjustment, adjustment);
  if (adjustment)
    self->value_handler = g_signal_connect (adjustment, "value-changed", G_CALLBACK (value_changed_cb), self);
}

static void
tau_stack_view_set_property (GObject      *object,
                             guint         property_id,
                             const GValue *value,
                             GParamSpec   *pspec)
{
  TauStackView *self = TAU_STACK_VIEW (object);

  switch (property_id)
    {
    case PROP_HADJUSTMENT:
      g_set_object (&self->hadjustment, g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      set_vadjustment (self, g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->hscroll_policy = g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->vscroll_policy = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tau_stack_view_get_property (GObject    *object,
                             guint       property_id,
                             GValue     *value,
                             GParamSpec *pspec)
{
  TauStackView *self = TAU_STACK_VIEW (object);

  switch (property_id)
    {
    case PROP_STUCK:
      g_value_set_boolean (value, self->stuck);
      break;
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->hadjustment);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->vadjustment);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, self->hscroll_policy);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, self->vscroll_policy);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tau_stack_view_dispose (GObject *object)
{
  TauStackView *self = TAU_STACK_VIEW (object);

  set_vadjustment (self, NULL);
  g_clear_object (&self->hadjustment);
  if (self->inner)
    g_signal_handlers_disconnect_by_data (self->inner, self);
  g_clear_object (&self->inner);
  g_clear_weak_pointer (&self->last_row);
  g_clear_pointer (&self->list, gtk_widget_unparent);
  g_clear_pointer (&self->tail, gtk_widget_unparent);
  G_OBJECT_CLASS (tau_stack_view_parent_class)->dispose (object);
}

static void
tau_stack_view_class_init (TauStackViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->set_property = tau_stack_view_set_property;
  object_class->get_property = tau_stack_view_get_property;
  object_class->dispose = tau_stack_view_dispose;
  widget_class->measure = tau_stack_view_measure;
  widget_class->size_allocate = tau_stack_view_size_allocate;
  widget_class->get_request_mode = tau_stack_view_get_request_mode;

  /**
   * TauStackView:stuck:
   *
   * Whether the view stays at the end, whatever is added there.
   */
  g_object_class_install_property (object_class, PROP_STUCK,
                                   g_param_spec_boolean ("stuck", NULL, NULL, TRUE,
                                                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
}

static void
tau_stack_view_init (TauStackView *self)
{
  self->stuck = TRUE;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/**
 * tau_stack_view_new:
 * @list: a scrollable list
 * @tail: what stands below it
 *
 * Returns: (transfer floating): a view of both, at its end
 */
GtkWidget *
tau_stack_view_new (GtkWidget *list,
                    GtkWidget *tail)
{
  TauStackView *self = g_object_new (TAU_TYPE_STACK_VIEW, NULL);

  self->list = list;
  self->tail = tail;
  self->inner = g_object_ref_sink (gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  gtk_scrollable_set_vadjustment (GTK_SCROLLABLE (list), self->inner);
  g_signal_connect_object (self->inner, "value-changed", G_CALLBACK (inner_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->inner, "changed", G_CALLBACK (inner_changed_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (list, GTK_WIDGET (self));
  gtk_widget_set_parent (tail, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

/**
 * tau_stack_view_get_stuck:
 * @self: a view
 *
 * Returns: whether it stays at the end
 */
gboolean
tau_stack_view_get_stuck (TauStackView *self)
{
  return self->stuck;
}

/**
 * tau_stack_view_set_stuck:
 * @self: a view
 * @stuck: whether to stay at the end
 *
 * Goes to the end and stays there, or lets go.
 */
void
tau_stack_view_set_stuck (TauStackView *self,
                          gboolean      stuck)
{
  set_stuck (self, stuck);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/**
 * tau_stack_view_scroll_by:
 * @self: a view
 * @distance: pixels; upwards if negative
 *
 * Scrolls as a reader does: any way up lets go of the end, and arriving there holds it again.
 */
void
tau_stack_view_scroll_by (TauStackView *self,
                          double        distance)
{
  double value;

  if (!self->vadjustment)
    return;

  value = CLAMP (gtk_adjustment_get_value (self->vadjustment) + distance, 0, end_value (self));
  gtk_adjustment_set_value (self->vadjustment, value);
}

/**
 * tau_stack_view_needs_sync:
 * @self: a view
 *
 * Returns: whether the list moved since the view was allocated, so that it has to be allocated again
 */
gboolean
tau_stack_view_needs_sync (TauStackView *self)
{
  return self->needs_sync;
}

/**
 * tau_stack_view_get_tail_y:
 * @self: a view
 *
 * Returns: where the tail begins in the view, perhaps below it
 */
int
tau_stack_view_get_tail_y (TauStackView *self)
{
  return self->tail_y;
}

/**
 * tau_stack_view_leave_tail:
 * @self: a view
 *
 * To be called before the list is told to show one of its items: the view is to go with it, even if the reader was in
 * the tail.
 */
void
tau_stack_view_leave_tail (TauStackView *self)
{
  set_stuck (self, FALSE);
  self->over = 0;
  g_clear_weak_pointer (&self->last_row);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}
