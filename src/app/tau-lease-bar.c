/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-lease-bar.h"

#include "app/transcript/tau-lazy-row.h"

#include <glib/gi18n.h>

/* A bar above the composer for a session that can only be read: says why, and offers to go on in a copy or, if another
 * program owns it, to take over when that is done. Hidden while the session is ours. */
struct _TauLeaseBar
{
  GtkWidget        parent_instance;

  TauAgentSession *session;
  GSignalGroup    *session_signals;

  GtkWidget       *box;
  GtkLabel        *label;
  GtkWidget       *take_over_button;
  GtkLabel        *take_over;   /* of the button */
  GtkWidget       *spinner;
};

G_DEFINE_FINAL_TYPE (TauLeaseBar, tau_lease_bar, GTK_TYPE_WIDGET)

static gboolean
is_waiting (TauLeaseBar *self)
{
  gboolean waiting = FALSE;

  if (self->session != NULL)
    g_object_get (self->session, "taking-over", &waiting, NULL);
  return waiting;
}

static void
update (TauLeaseBar *self)
{
  const char *obstacle = self->session != NULL ? tau_agent_session_get_obstacle (self->session) : NULL;
  const char *holder = self->session != NULL ? tau_agent_session_get_holder (self->session) : NULL;
  gboolean waiting = is_waiting (self);

  gtk_widget_set_visible (GTK_WIDGET (self), obstacle != NULL || holder != NULL);
  gtk_widget_set_visible (self->take_over_button, obstacle == NULL);
  gtk_widget_set_visible (self->spinner, waiting);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), waiting);
  gtk_label_set_label (self->take_over, waiting ? _("Stop waiting") : _("Take over when free"));
  if (obstacle != NULL)
    gtk_label_set_text (self->label, obstacle);
  else if (holder != NULL)
    {
      /* Translators: %s is a program, "tau-agent (process 4711)". */
      g_autofree char *text = waiting ? g_strdup_printf (_("Waits until %s is done with this session."), holder)
                                      : g_strdup_printf (_("This session is in use by %s. Here it can only be read."), holder);

      gtk_label_set_text (self->label, text);
    }
}

static void
take_over_cb (TauLeaseBar *self)
{
  if (self->session == NULL)
    return;
  if (is_waiting (self))
    tau_agent_session_stop_taking_over (self->session);
  else
    tau_agent_session_take_over (self->session);
}

static GtkSizeRequestMode
tau_lease_bar_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
tau_lease_bar_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  int x, column = for_size;

  if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= 0)
    tau_column_place (widget, for_size, &x, &column);
  gtk_widget_measure (TAU_LEASE_BAR (widget)->box, orientation, column, minimum, natural, NULL, NULL);
}

/* On the edges of the transcript's column, as the composer below it. */
static void
tau_lease_bar_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  int x, column;

  tau_column_place (widget, width, &x, &column);
  gtk_widget_size_allocate (TAU_LEASE_BAR (widget)->box, &(GtkAllocation) { x, 0, column, height }, baseline);
}

static void
tau_lease_bar_dispose (GObject *object)
{
  TauLeaseBar *self = TAU_LEASE_BAR (object);

  g_clear_object (&self->session_signals);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_LEASE_BAR);

  G_OBJECT_CLASS (tau_lease_bar_parent_class)->dispose (object);
}

static void
tau_lease_bar_class_init (TauLeaseBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_lease_bar_dispose;
  widget_class->get_request_mode = tau_lease_bar_get_request_mode;
  widget_class->measure = tau_lease_bar_measure;
  widget_class->size_allocate = tau_lease_bar_size_allocate;

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/lease-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, TauLeaseBar, box);
  gtk_widget_class_bind_template_child (widget_class, TauLeaseBar, label);
  gtk_widget_class_bind_template_child (widget_class, TauLeaseBar, take_over_button);
  gtk_widget_class_bind_template_child (widget_class, TauLeaseBar, take_over);
  gtk_widget_class_bind_template_child (widget_class, TauLeaseBar, spinner);
  gtk_widget_class_bind_template_callback (widget_class, take_over_cb);
  gtk_widget_class_set_css_name (widget_class, "leasebar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_STATUS);
}

static void
tau_lease_bar_init (TauLeaseBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  self->session_signals = g_signal_group_new (TAU_TYPE_AGENT_SESSION);
  g_signal_group_connect_swapped (self->session_signals, "notify::holder", G_CALLBACK (update), self);
  g_signal_group_connect_swapped (self->session_signals, "notify::taking-over", G_CALLBACK (update), self);
  update (self);
}

/**
 * tau_lease_bar_set_session:
 * @self: a bar
 * @session: (nullable): the session shown
 *
 * Shows why a session can only be read, if it cannot be written.
 */
void
tau_lease_bar_set_session (TauLeaseBar     *self,
                           TauAgentSession *session)
{
  g_return_if_fail (TAU_IS_LEASE_BAR (self));

  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->session_signals, session);
  update (self);
}
