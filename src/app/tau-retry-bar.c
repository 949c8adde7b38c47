/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-retry-bar.h"

#include "core/llm/tau-api-error.h"

#include <glib/gi18n.h>

/* LIVE; follows "retry-at" of the session it was given. Its timer lives as long as the wait. The seconds are for the eyes
 * only: who listens hears the sentence once, when the wait begins. */
struct _TauRetryBar
{
  GtkWidget     parent_instance;

  GSignalGroup *session_signals;
  GtkRevealer  *revealer;
  GtkLabel     *sentence;
  GtkLabel     *countdown;
  gint64        retry_at;   /* monotonic µs; 0: no wait */
  guint         timer;      /* while there is a wait */
};

G_DEFINE_FINAL_TYPE (TauRetryBar, tau_retry_bar, GTK_TYPE_WIDGET)

static void
show_seconds (TauRetryBar *self)
{
  gint64 left = MAX (0, self->retry_at - g_get_monotonic_time ());
  int seconds = (int) MIN ((left + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC, G_MAXINT);
  g_autofree char *text = NULL;

  if (seconds < 60)
    /* Translators: seconds until something is tried again */
    text = g_strdup_printf (_("%d s"), seconds);
  else
    /* Translators: minutes and seconds until something is tried again */
    text = g_strdup_printf (_("%d min %02d s"), seconds / 60, seconds % 60);
  gtk_label_set_text (self->countdown, text);
}

/* Twice a second, so that no second is left out. */
static gboolean
tick_cb (gpointer user_data)
{
  show_seconds (user_data);

  return G_SOURCE_CONTINUE;
}

static void
show_sentence (TauRetryBar     *self,
               TauAgentSession *session)
{
  TauAssistantMessage *answer = tau_agent_session_get_retry_answer (session);
  const char *error = answer != NULL ? tau_assistant_message_get_error_message (answer) : NULL;
  const char *title = tau_api_error_get_title (tau_api_error_classify (error != NULL ? error : ""));
  int attempt = tau_agent_session_get_retry_attempt (session);
  /* Translators: a sentence that says what failed; how often it was tried again, this time included */
  g_autofree char *text = g_strdup_printf (_("%s Attempt %d follows."), title, attempt + 1);

  gtk_label_set_text (self->sentence, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->sentence), error);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
retry_at_cb (TauRetryBar     *self,
             GParamSpec      *pspec,
             TauAgentSession *session)
{
  g_object_get (session, "retry-at", &self->retry_at, NULL);
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->retry_at != 0)
    {
      show_sentence (self, session);
      show_seconds (self);
      self->timer = g_timeout_add (500, tick_cb, self);
    }
  gtk_revealer_set_reveal_child (self->revealer, self->retry_at != 0);
}

static void
tau_retry_bar_dispose (GObject *object)
{
  TauRetryBar *self = TAU_RETRY_BAR (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->session_signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), TAU_TYPE_RETRY_BAR);

  G_OBJECT_CLASS (tau_retry_bar_parent_class)->dispose (object);
}

static void
tau_retry_bar_class_init (TauRetryBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tau_retry_bar_dispose;

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_ALERT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tau_agent/Tau/retry-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, TauRetryBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, TauRetryBar, sentence);
  gtk_widget_class_bind_template_child (widget_class, TauRetryBar, countdown);
}

static void
tau_retry_bar_init (TauRetryBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->session_signals = g_signal_group_new (TAU_TYPE_AGENT_SESSION);
  g_signal_group_connect_swapped (self->session_signals, "notify::retry-at", G_CALLBACK (retry_at_cb), self);
}

/**
 * tau_retry_bar_set_session:
 * @self: a bar
 * @session: the session whose waits are shown from now on
 */
void
tau_retry_bar_set_session (TauRetryBar     *self,
                           TauAgentSession *session)
{
  g_return_if_fail (TAU_IS_RETRY_BAR (self));
  g_return_if_fail (TAU_IS_AGENT_SESSION (session));

  g_signal_group_set_target (self->session_signals, session);
  retry_at_cb (self, NULL, session);
}
