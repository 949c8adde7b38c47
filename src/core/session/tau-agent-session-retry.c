/* SPDX-License-Identifier: MIT */
#include "core/session/tau-agent-session-private.h"

#include "core/llm/tau-api-error.h"

/* A turn that failed for a passing reason is tried again after a growing pause. Each try is a run of its own. */

static gboolean
retry_cb (gpointer user_data)
{
  TauAgentSession *self = user_data;

  self->retry_source = 0;
  self->retry_at = 0;
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_RETRY_AT);
  if (!tau_agent_session_go_on (self, NULL))
    tau_agent_session_after_run (self);
  return G_SOURCE_REMOVE;
}

static void
say_end (TauAgentSession *self,
         gboolean         success,
         int              attempt,
         const char      *error)
{
  tau_agent_session_emit (self, &(TauSessionEvent) {
    .kind = TAU_SESSION_EVENT_RETRY_END, .success = success, .attempt = attempt, .error_message = error,
  });
}

static void
wait_for_retry (TauAgentSession     *self,
                TauAssistantMessage *answer,
                int                  max)
{
  gint64 base = CLAMP (tau_settings_get_int (self->settings, "retry.baseDelayMs", 2000), 0, G_MAXINT / 1024);
  gint64 delay = base << MIN (self->retry_attempt - 1, 9);

  tau_agent_session_drop_last_answer (self);
  self->retry_at = g_get_monotonic_time () + delay * 1000;
  self->retry_source = g_timeout_add_full (G_PRIORITY_DEFAULT, (guint) delay, retry_cb, g_object_ref (self), g_object_unref);
  tau_agent_session_set_state (self, TAU_SESSION_RETRYING);
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_RETRY_AT);
  tau_agent_session_emit (self, &(TauSessionEvent) {
    .kind = TAU_SESSION_EVENT_RETRY_START, .attempt = self->retry_attempt, .max_attempts = max, .delay_ms = delay,
    .error_message = tau_assistant_message_get_error_message (answer),
  });
}

/* Begins the wait for another try if the answer failed in a way that may pass. Returns whether it did. */
gboolean
tau_agent_session_retry_later (TauAgentSession     *self,
                               TauAssistantMessage *answer)
{
  int max = (int) CLAMP (tau_settings_get_int (self->settings, "retry.maxRetries", 3), 0, 1000);
  gboolean retry = tau_api_error_is_retryable (answer, tau_agent_session_get_window (self)) && tau_settings_get_bool (self->settings, "retry.enabled", TRUE);

  if (!retry || self->retry_attempt >= max)
    {
      int attempt = self->retry_attempt;

      self->retry_attempt = 0;
      if (attempt > 0)
        say_end (self, FALSE, attempt, tau_assistant_message_get_error_message (answer));
      return FALSE;
    }
  self->retry_attempt++;
  wait_for_retry (self, answer, max);
  return TRUE;
}

/* An answer came that did not fail. */
void
tau_agent_session_retry_succeeded (TauAgentSession *self)
{
  int attempt = self->retry_attempt;

  if (attempt == 0)
    return;
  self->retry_attempt = 0;
  say_end (self, TRUE, attempt, NULL);
}

/* The user does not want to wait. */
void
tau_agent_session_cancel_retry (TauAgentSession *self)
{
  int attempt = self->retry_attempt;

  g_clear_handle_id (&self->retry_source, g_source_remove);
  self->retry_at = 0;
  self->retry_attempt = 0;
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_RETRY_AT);
  say_end (self, FALSE, attempt, "Retry cancelled");
}
