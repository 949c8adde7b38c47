/* SPDX-License-Identifier: MIT */
#include "core/session/tau-agent-session-private.h"

#include "core/llm/tau-api-error.h"
#include "core/llm/tau-retry.h"

/* A turn that failed for a passing reason is tried again after a growing pause, or after the one that the server asks for
 * if that is longer. Each try is a run of its own. Longer waits belong here and not into the request, since only here a
 * person sees them and can end them. */

/* What a request may wait in silence; see above. */
#define SILENT_WAIT_MS 5000

/* pi's default for retry.provider.maxRetryDelayMs. */
#define MAX_WAIT_MS 60000

static gint64
get_max_wait (TauAgentSession *self)
{
  gint64 set = tau_settings_get_int (self->settings, "retry.provider.maxRetryDelayMs", 0);

  return set > 0 ? set : MAX_WAIT_MS;
}

/* Tells the agent how long a request may wait by itself. */
void
tau_agent_session_limit_requests (TauAgentSession *self)
{
  gboolean waits_here = tau_settings_get_bool (self->settings, "retry.enabled", TRUE);
  gint64 max_wait = get_max_wait (self);

  tau_agent_set_request_limits (self->agent, tau_settings_get_int (self->settings, "retry.provider.timeoutMs", 0),
                                (int) tau_settings_get_int (self->settings, "retry.provider.maxRetries", -1),
                                waits_here ? MIN (max_wait, SILENT_WAIT_MS) : max_wait);
}

/* The wait is over or given up. */
static void
forget_wait (TauAgentSession *self)
{
  g_clear_handle_id (&self->retry_source, g_source_remove);
  g_clear_object (&self->retry_answer);
  self->retry_at = 0;
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_RETRY_AT);
}

/* Ends the wait by asking the model again. */
void
tau_agent_session_retry_now (TauAgentSession *self)
{
  forget_wait (self);
  if (!tau_agent_session_go_on (self, NULL))
    tau_agent_session_after_run (self);
}

static gboolean
retry_cb (gpointer user_data)
{
  TauAgentSession *self = user_data;

  self->retry_source = 0;
  tau_agent_session_retry_now (self);
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

/* How long to wait before the attempt that is due. */
static gint64
get_delay (TauAgentSession *self,
           const char      *error_text)
{
  gint64 base = CLAMP (tau_settings_get_int (self->settings, "retry.baseDelayMs", 2000), 0, G_MAXINT / 1024);

  return MAX (base << MIN (self->retry_attempt - 1, 9), tau_retry_read_wait_text (error_text));
}

static void
wait_for_retry (TauAgentSession     *self,
                TauAssistantMessage *answer,
                int                  max)
{
  const char *error_text = tau_assistant_message_get_error_message (answer);
  gint64 delay = get_delay (self, error_text);

  g_set_object (&self->retry_answer, answer);
  tau_agent_session_drop_last_answer (self);
  self->retry_at = g_get_monotonic_time () + delay * 1000;
  self->retry_source = g_timeout_add_full (G_PRIORITY_DEFAULT, (guint) delay, retry_cb, g_object_ref (self), g_object_unref);
  tau_agent_session_set_state (self, TAU_SESSION_RETRYING);
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_RETRY_AT);
  tau_agent_session_emit (self, &(TauSessionEvent) {
    .kind = TAU_SESSION_EVENT_RETRY_START, .attempt = self->retry_attempt, .max_attempts = max, .delay_ms = delay,
    .error_message = error_text,
  });
}

/* Whether another try may help: the failure may pass, and not only after longer than a person would wait. */
static gboolean
is_worth_it (TauAgentSession     *self,
             TauAssistantMessage *answer)
{
  return tau_settings_get_bool (self->settings, "retry.enabled", TRUE)
         && tau_api_error_is_retryable (answer, tau_agent_session_get_window (self))
         && tau_retry_read_wait_text (tau_assistant_message_get_error_message (answer)) <= get_max_wait (self);
}

/* Begins the wait for another try if the answer failed in a way that may pass. Returns whether it did. */
gboolean
tau_agent_session_retry_later (TauAgentSession     *self,
                               TauAssistantMessage *answer)
{
  int max = (int) CLAMP (tau_settings_get_int (self->settings, "retry.maxRetries", 3), 0, 1000);

  if (!is_worth_it (self, answer) || self->retry_attempt >= max)
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

/* What had come of the answer is shown again, with its error. It is the leaf, or labels and the like hang on it. */
static void
take_answer_back (TauAgentSession *self)
{
  TauSessionEntry *entry = tau_session_tree_get_leaf (self->tree);

  while (entry != NULL && tau_session_entry_get_kind (entry) != TAU_ENTRY_MESSAGE)
    entry = tau_session_tree_get_parent (self->tree, entry);
  if (entry == NULL)
    return;
  tau_session_messages_append (self->messages, entry);
  tau_agent_session_update_history (self);
}

/* The user does not want to wait. */
void
tau_agent_session_cancel_retry (TauAgentSession *self)
{
  int attempt = self->retry_attempt;

  self->retry_attempt = 0;
  take_answer_back (self);
  forget_wait (self);
  say_end (self, FALSE, attempt, "Retry cancelled");
}

/**
 * tau_agent_session_get_retry_answer:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the failed answer after which the session waits, while "retry-at" is set
 */
TauAssistantMessage *
tau_agent_session_get_retry_answer (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->retry_answer;
}

/**
 * tau_agent_session_get_retry_attempt:
 * @self: a session
 *
 * Returns: which further attempt the session waits for or makes, from 1; 0 if the last one went well
 */
int
tau_agent_session_get_retry_attempt (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), 0);

  return self->retry_attempt;
}
