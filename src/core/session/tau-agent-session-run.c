/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/config/tau-prompt-templates.h"
#include "core/config/tau-skills.h"
#include "core/llm/tau-api-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A run of a session: a prompt goes in, the agent's events are recorded and passed on, and when the agent rests it is
 * decided what comes next. One driver, tau_agent_session_after_run(): each step either starts something that comes back
 * to it, or ends in idle. */

static void
become_idle (TauAgentSession *self)
{
  g_autoptr(GPtrArray) tasks = g_steal_pointer (&self->idle_tasks);

  self->idle_tasks = g_ptr_array_new_with_free_func (g_object_unref);
  self->stopping = FALSE;
  tau_agent_session_forget_history (self);
  tau_agent_session_sync (self);
  tau_agent_session_set_state (self, TAU_SESSION_IDLE);
  for (guint i = 0; i < tasks->len; i++)
    g_task_return_boolean (g_ptr_array_index (tasks, i), TRUE);
}

/* Whoever hears of the end may send the next prompt at once. So it is told when the agent rests, not a moment before. */
static void
tell_end (TauAgentSession *self)
{
  g_autoptr(GPtrArray) messages = g_steal_pointer (&self->made_messages);

  if (messages != NULL && !self->closed)
    tau_agent_session_emit (self, &(TauSessionEvent) {
      .kind = TAU_SESSION_EVENT_AGENT,
      .agent = &(TauAgentEvent) { .kind = TAU_AGENT_EVENT_AGENT_END, .messages = messages },
    });
}

static void
run_over_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(TauAgentSession) self = user_data;

  tau_agent_wait_for_idle_finish (TAU_AGENT (object), result, NULL);
  tell_end (self);
  tau_agent_session_after_run (self);
}

static void
wait_for_agent (TauAgentSession *self)
{
  g_clear_object (&self->last_answer);
  tau_agent_session_set_state (self, TAU_SESSION_RUNNING);
  tau_agent_wait_for_idle_async (self->agent, NULL, run_over_cb, g_object_ref (self));
}

/* Lets the agent answer what is there already: a retry, a follow-up, a context that was made smaller. */
gboolean
tau_agent_session_go_on (TauAgentSession *self,
                         GError         **error)
{
  if (!tau_agent_continue (self->agent, error))
    return FALSE;
  wait_for_agent (self);
  return TRUE;
}

static void
send_messages (TauAgentSession *self,
               GPtrArray       *messages)
{
  g_autoptr(GError) error = NULL;

  if (tau_agent_prompt_messages (self->agent, messages, &error))
    {
      wait_for_agent (self);
      return;
    }
  tau_agent_session_add_problem (self, g_strdup (error->message));
  become_idle (self);
}

static void
go_on_or_rest (TauAgentSession *self)
{
  if (self->closed || self->stopping || !tau_agent_has_queued_messages (self->agent)
      || !tau_agent_session_go_on (self, NULL))
    become_idle (self);
}

/* The agent rests: what now? */
void
tau_agent_session_after_run (TauAgentSession *self)
{
  g_autoptr(TauAssistantMessage) answer = g_steal_pointer (&self->last_answer);

  if (answer != NULL && !self->closed && !self->stopping)
    {
      if (tau_agent_session_retry_later (self, answer) || tau_agent_session_compact_if_needed (self, answer, FALSE))
        return;
    }
  go_on_or_rest (self);
}

/* A compaction is over. @go_on: the agent is to answer again what overflowed. */
void
tau_agent_session_after_compaction (TauAgentSession *self,
                                    gboolean         go_on)
{
  g_autoptr(GPtrArray) held = g_steal_pointer (&self->held_messages);

  /* Stopping the compaction does not take the prompt back. */
  if (held != NULL && !self->closed)
    {
      self->stopping = FALSE;
      send_messages (self, held);
    }
  else if (!go_on || self->stopping || self->closed || !tau_agent_session_go_on (self, NULL))
    go_on_or_rest (self);
}

/* A failed answer leaves the memory of the agent, so that it is not sent again; the file keeps it. */
void
tau_agent_session_drop_last_answer (TauAgentSession *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->messages));
  g_autoptr(TauMessage) last = n > 0 ? g_list_model_get_item (G_LIST_MODEL (self->messages), n - 1) : NULL;

  if (last == NULL || !TAU_IS_ASSISTANT_MESSAGE (last))
    return;
  tau_session_messages_remove_last (self->messages);
  tau_agent_session_update_history (self);
}

static char **
dup_texts (GPtrArray *messages)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < messages->len; i++)
    {
      g_autofree char *text = tau_message_dup_text (g_ptr_array_index (messages, i), "");

      g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

static void
queue_changed (TauAgentSession *self)
{
  g_auto(GStrv) steering = dup_texts (self->steering);
  g_auto(GStrv) follow_up = dup_texts (self->follow_ups);
  g_autoptr(GPtrArray) all = g_ptr_array_new ();

  g_ptr_array_extend (all, self->steering, NULL, NULL);
  g_ptr_array_extend (all, self->follow_ups, NULL, NULL);
  g_list_store_splice (self->queued, 0, g_list_model_get_n_items (G_LIST_MODEL (self->queued)), all->pdata, all->len);
  tau_agent_session_emit (self, &(TauSessionEvent) {
    .kind = TAU_SESSION_EVENT_QUEUE_UPDATE,
    .steering = (const char * const *) steering,
    .follow_up = (const char * const *) follow_up,
  });
}

/* Takes over @message. */
void
tau_agent_session_enqueue (TauAgentSession *self,
                           TauMessage      *message,
                           TauDelivery      delivery)
{
  if (delivery == TAU_DELIVERY_STEER)
    {
      g_ptr_array_add (self->steering, message);
      tau_agent_steer (self->agent, message);
    }
  else
    {
      g_ptr_array_add (self->follow_ups, message);
      tau_agent_follow_up (self->agent, message);
    }
  tau_agent_session_keep_queue (self, TRUE);
  queue_changed (self);
}

/* The agent took a message out of its queue. */
static void
leave_queue (TauAgentSession *self,
             TauMessage      *message)
{
  if (g_ptr_array_remove (self->steering, message) || g_ptr_array_remove (self->follow_ups, message))
    queue_changed (self);
}

static void
forget_run (TauAgentSession *self,
            const char      *call_id)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->tool_runs));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(TauToolRun) run = g_list_model_get_item (G_LIST_MODEL (self->tool_runs), i);

      if (g_strcmp0 (tau_tool_run_get_call_id (run), call_id) == 0)
        {
          g_list_store_remove (self->tool_runs, i);
          return;
        }
    }
}

static void
take_message (TauAgentSession *self,
              TauMessage      *message)
{
  tau_session_messages_append (self->messages, tau_agent_session_record_message (self, message));
  if (TAU_IS_USER_MESSAGE (message))
    {
      self->overflow_handled = FALSE;
      tau_agent_session_keep_queue (self, FALSE);
      tau_agent_session_sync (self);
    }
  if (TAU_IS_TOOL_RESULT_MESSAGE (message))
    forget_run (self, tau_tool_result_message_get_call_id (TAU_TOOL_RESULT_MESSAGE (message)));
  if (TAU_IS_ASSISTANT_MESSAGE (message))
    g_set_object (&self->last_answer, TAU_ASSISTANT_MESSAGE (message));
}

/* What is recorded before others hear of an event. */
static void
before_listeners (TauAgentSession     *self,
                  const TauAgentEvent *event)
{
  switch (event->kind)
    {
    case TAU_AGENT_EVENT_MESSAGE_START:
      leave_queue (self, event->message);
      break;
    case TAU_AGENT_EVENT_MESSAGE_END:
      take_message (self, event->message);
      break;
    case TAU_AGENT_EVENT_TOOL_START:
      g_list_store_append (self->tool_runs, event->run);
      break;
    case TAU_AGENT_EVENT_AGENT_END:
      g_list_store_remove_all (self->tool_runs);
      self->made_messages = g_ptr_array_ref (event->messages);
      break;
    case TAU_AGENT_EVENT_AGENT_START:
    case TAU_AGENT_EVENT_TURN_START:
    case TAU_AGENT_EVENT_TURN_END:
    case TAU_AGENT_EVENT_MESSAGE_UPDATE:
    case TAU_AGENT_EVENT_TOOL_UPDATE:
    case TAU_AGENT_EVENT_TOOL_END:
    default:
      break;
    }
}

/* Takes what the agent says. */
void
tau_agent_session_agent_event_cb (TauAgent            *agent,
                                  const TauAgentEvent *event,
                                  gpointer             user_data)
{
  TauAgentSession *self = user_data;

  if (self->closed)
    return;
  before_listeners (self, event);
  if (event->kind != TAU_AGENT_EVENT_AGENT_END)
    tau_agent_session_emit (self, &(TauSessionEvent) { .kind = TAU_SESSION_EVENT_AGENT, .agent = event });

  if (event->kind == TAU_AGENT_EVENT_MESSAGE_END && TAU_IS_ASSISTANT_MESSAGE (event->message)
      && tau_assistant_message_get_stop_reason (TAU_ASSISTANT_MESSAGE (event->message)) != TAU_STOP_REASON_ERROR)
    {
      if (!tau_api_error_is_overflow (TAU_ASSISTANT_MESSAGE (event->message), tau_agent_session_get_window (self)))
        self->overflow_handled = FALSE;
      tau_agent_session_retry_succeeded (self);
    }
}

static char *
expand (TauAgentSession *self,
        const char      *text)
{
  char *expanded = tau_skills_expand (self->skills, text);

  if (expanded == NULL)
    expanded = tau_prompt_templates_expand (self->templates, text);
  return expanded != NULL ? expanded : g_strdup (text);
}

static TauMessage *
make_message (TauAgentSession *self,
              const char      *text,
              GPtrArray       *images)
{
  g_autofree char *expanded = expand (self, text);

  return TAU_MESSAGE (tau_user_message_new (expanded, images, tau_clock_now_ms ()));
}

static gboolean
check_prompt (TauAgentSession *self,
              GError         **error)
{
  if (self->state != TAU_SESSION_IDLE)
    g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_BUSY,
                         "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.");
  else if (!tau_agent_session_check_writable (self, error))
    return FALSE;
  else if (self->model == NULL)
    g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, _("No model is selected."));
  else if (!tau_model_catalog_is_available (self->catalog, self->model))
    g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, _("No API key found for %s."), tau_model_get_provider (self->model));
  else
    return TRUE;
  return FALSE;
}

/* Begins a run with @message and what was to go with it, after a compaction where one is due. */
gboolean
tau_agent_session_begin_run (TauAgentSession *self,
                             TauMessage      *message,
                             GError         **error)
{
  g_autoptr(TauAssistantMessage) answer = NULL;
  GPtrArray *messages;

  if (!check_prompt (self, error))
    return FALSE;

  tau_agent_session_record_held_bash (self);
  messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (messages, g_object_ref (message));
  g_ptr_array_extend_and_steal (messages, g_steal_pointer (&self->companions));
  self->companions = g_ptr_array_new_with_free_func (g_object_unref);
  answer = tau_agent_session_dup_answer (self);
  if (answer != NULL && tau_agent_session_compact_if_needed (self, answer, TRUE))
    {
      self->held_messages = messages;
      tau_agent_session_keep_queue (self, TRUE);
    }
  else
    {
      send_messages (self, messages);
      g_ptr_array_unref (messages);
    }
  return TRUE;
}

/**
 * tau_agent_session_prompt:
 * @self: a session
 * @text: what the user says; a skill or template is expanded
 * @images: (nullable) (element-type TauBlock): pictures
 * @delivery: what to do while a run is on
 * @error: return location: %TAU_SESSION_ERROR
 *
 * Accepts a prompt, or says why not: no model, no key, a file that cannot be written, busy. After %TRUE the session
 * always comes back to idle. The text of a command that was added is not a prompt: the command runs, whatever the
 * session does.
 *
 * Returns: whether it was accepted
 */
gboolean
tau_agent_session_prompt (TauAgentSession *self,
                          const char      *text,
                          GPtrArray       *images,
                          TauDelivery      delivery,
                          GError         **error)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  if (tau_agent_session_run_command (self, text))
    return TRUE;
  if (self->state != TAU_SESSION_IDLE && delivery != TAU_DELIVERY_PROMPT)
    tau_agent_session_enqueue (self, make_message (self, text, images), delivery);
  else
    {
      g_autoptr(TauMessage) message = make_message (self, text, images);

      return tau_agent_session_begin_run (self, message, error);
    }
  return TRUE;
}

/**
 * tau_agent_session_steer:
 * @self: a session
 * @text: what the user says; a skill or template is expanded
 * @images: (nullable) (element-type TauBlock): pictures
 *
 * Queues a message that the model gets after the current turn; when idle, with the next prompt.
 */
void
tau_agent_session_steer (TauAgentSession *self,
                         const char      *text,
                         GPtrArray       *images)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  tau_agent_session_enqueue (self, make_message (self, text, images), TAU_DELIVERY_STEER);
}

/**
 * tau_agent_session_follow_up:
 * @self: a session
 * @text: what the user says; a skill or template is expanded
 * @images: (nullable) (element-type TauBlock): pictures
 *
 * Queues a message that the model gets when it has nothing else to do.
 */
void
tau_agent_session_follow_up (TauAgentSession *self,
                             const char      *text,
                             GPtrArray       *images)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  tau_agent_session_enqueue (self, make_message (self, text, images), TAU_DELIVERY_FOLLOW_UP);
}

/**
 * tau_agent_session_take_queued:
 * @self: a session
 *
 * Empties the queues, for an editor.
 *
 * Returns: (transfer full): their texts joined by blank lines, "" if there were none
 */
char *
tau_agent_session_take_queued (TauAgentSession *self)
{
  g_auto(GStrv) steering = NULL;
  g_auto(GStrv) follow_up = NULL;
  g_autofree char *first = NULL, *second = NULL;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  if (self->steering->len + self->follow_ups->len == 0)
    return g_strdup ("");
  steering = dup_texts (self->steering);
  follow_up = dup_texts (self->follow_ups);
  first = g_strjoinv ("\n\n", steering);
  second = g_strjoinv ("\n\n", follow_up);
  tau_agent_clear_queues (self->agent);
  g_ptr_array_set_size (self->steering, 0);
  g_ptr_array_set_size (self->follow_ups, 0);
  tau_agent_session_keep_queue (self, FALSE);   /* together with where the texts go */
  queue_changed (self);
  return g_strconcat (first, *steering != NULL && *follow_up != NULL ? "\n\n" : "", second, NULL);
}

/**
 * tau_agent_session_abort:
 * @self: a session
 *
 * Stops a run, the wait for a retry, or a compaction. What is queued stays queued. The session becomes idle a moment
 * later.
 */
void
tau_agent_session_abort (TauAgentSession *self)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  if (self->state == TAU_SESSION_IDLE)
    return;
  self->stopping = TRUE;
  switch (self->state)
    {
    case TAU_SESSION_RUNNING:
      tau_agent_abort (self->agent);
      break;
    case TAU_SESSION_RETRYING:
      tau_agent_session_cancel_retry (self);
      go_on_or_rest (self);
      break;
    case TAU_SESSION_COMPACTING:
      tau_agent_session_cancel_compaction (self);
      break;
    case TAU_SESSION_IDLE:
    default:
      break;
    }
}

/**
 * tau_agent_session_retry:
 * @self: a session
 * @error: return location: %TAU_SESSION_ERROR_BUSY, or %TAU_AGENT_ERROR if there is nothing to retry
 *
 * After a failed or aborted answer: drops it from memory (it stays in the file) and asks the model again. While the
 * session waits to do so by itself, ends the wait.
 *
 * Returns: whether it goes on
 */
gboolean
tau_agent_session_retry (TauAgentSession *self,
                         GError         **error)
{
  g_autoptr(TauAssistantMessage) answer = NULL;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), FALSE);

  if (self->state == TAU_SESSION_RETRYING)
    {
      tau_agent_session_retry_now (self);
      return TRUE;
    }
  if (self->state != TAU_SESSION_IDLE)
    {
      g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_BUSY, _("The agent is at work."));
      return FALSE;
    }
  if (!check_prompt (self, error))
    return FALSE;
  tau_agent_session_update_history (self);
  answer = tau_agent_session_dup_answer (self);
  if (answer != NULL && tau_assistant_message_failed (answer))
    tau_agent_session_drop_last_answer (self);
  return tau_agent_session_go_on (self, error);
}

/**
 * tau_agent_session_wait_for_idle_async:
 * @self: a session
 * @cancellable: (nullable): ends the wait only
 * @callback: called when the session is idle
 * @user_data: for @callback
 *
 * Waits until runs, retries and compactions are over.
 */
void
tau_agent_session_wait_for_idle_async (TauAgentSession     *self,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data)
{
  GTask *task;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, tau_agent_session_wait_for_idle_async);
  if (self->state != TAU_SESSION_IDLE)
    {
      g_ptr_array_add (self->idle_tasks, task);
      return;
    }
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

/**
 * tau_agent_session_wait_for_idle_finish:
 * @self: a session
 * @result: what the callback got
 * @error: return location
 *
 * Returns: whether it is idle; not if the wait was cancelled
 */
gboolean
tau_agent_session_wait_for_idle_finish (TauAgentSession *self,
                                        GAsyncResult    *result,
                                        GError         **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
