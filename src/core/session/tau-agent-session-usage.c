/* SPDX-License-Identifier: MIT */
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-text.h"
#include "core/session/tau-token-count.h"

/* Numbers of a session: what the meter, the footer and RPC tell. */

/* Every answer counts, on whichever branch and however it ended: all were paid for. */
static void
sum_up (TauAgentSession *self)
{
  GPtrArray *entries = tau_session_tree_get_entries (self->tree);

  self->totals = (TauUsage) { 0 };
  for (guint i = 0; i < entries->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (entries, i);
      TauMessage *message = tau_session_entry_get_kind (entry) == TAU_ENTRY_MESSAGE ? tau_session_entry_get_message (entry) : NULL;

      if (message != NULL && TAU_IS_ASSISTANT_MESSAGE (message))
        tau_usage_add (&self->totals, tau_assistant_message_get_usage (TAU_ASSISTANT_MESSAGE (message)));
    }
  self->has_totals = TRUE;
}

static gboolean
says_usage (TauSessionEntry *entry)
{
  TauMessage *message = tau_session_entry_get_kind (entry) == TAU_ENTRY_MESSAGE ? tau_session_entry_get_message (entry) : NULL;

  return message != NULL && TAU_IS_ASSISTANT_MESSAGE (message)
         && !tau_assistant_message_failed (TAU_ASSISTANT_MESSAGE (message))
         && tau_token_count_usage (TAU_ASSISTANT_MESSAGE (message)) > 0;
}

/* After a compaction the size is unknown until a server has counted again. */
static gboolean
size_is_known (TauAgentSession *self)
{
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (self->tree, tau_session_tree_get_leaf (self->tree));

  for (guint i = path->len; i > 0; i--)
    {
      TauSessionEntry *entry = g_ptr_array_index (path, i - 1);

      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_COMPACTION)
        return FALSE;
      if (says_usage (entry))
        return TRUE;
    }
  return TRUE;
}

/**
 * tau_agent_session_get_usage:
 * @self: a session
 * @usage: (out caller-allocates): the numbers
 *
 * Tells how full the context is and what the whole file has used.
 */
void
tau_agent_session_get_usage (TauAgentSession *self,
                             TauSessionUsage *usage)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));
  g_return_if_fail (usage != NULL);

  if (!self->has_totals)
    sum_up (self);
  usage->totals = self->totals;
  usage->context_window = self->model != NULL ? tau_model_get_context_window (self->model) : 0;
  usage->tokens = size_is_known (self) ? tau_token_count_context (tau_agent_get_messages (self->agent)).tokens : -1;
}

static void
count_message (TauSessionStats *stats,
               TauMessage      *message)
{
  if (TAU_IS_USER_MESSAGE (message))
    stats->n_user++;
  else if (TAU_IS_TOOL_RESULT_MESSAGE (message))
    stats->n_tool_results++;
  else if (TAU_IS_ASSISTANT_MESSAGE (message))
    {
      stats->n_assistant++;
      tau_usage_add (&stats->usage, tau_assistant_message_get_usage (TAU_ASSISTANT_MESSAGE (message)));
      for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
        if (tau_block_get_kind (tau_message_get_block (message, i)) == TAU_BLOCK_TOOL_CALL)
          stats->n_tool_calls++;
    }
}

/**
 * tau_agent_session_get_stats:
 * @self: a session
 * @stats: (out caller-allocates): the numbers
 *
 * Counts what the agent has in its context now; it shrinks with a compaction.
 */
void
tau_agent_session_get_stats (TauAgentSession *self,
                             TauSessionStats *stats)
{
  GPtrArray *messages;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));
  g_return_if_fail (stats != NULL);

  messages = tau_agent_get_messages (self->agent);
  *stats = (TauSessionStats) { .n_messages = messages->len };
  for (guint i = 0; i < messages->len; i++)
    count_message (stats, g_ptr_array_index (messages, i));
}

/**
 * tau_agent_session_dup_last_answer:
 * @self: a session
 *
 * Returns: (transfer full) (nullable): text of the newest answer, leaving out one that was stopped before it said
 *   anything; %NULL if there is none or it is empty
 */
char *
tau_agent_session_dup_last_answer (TauAgentSession *self)
{
  GPtrArray *messages;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  messages = tau_agent_get_messages (self->agent);
  for (guint i = messages->len; i > 0; i--)
    {
      TauMessage *message = g_ptr_array_index (messages, i - 1);
      g_autofree char *text = NULL;
      g_autofree char *trimmed = NULL;

      if (!TAU_IS_ASSISTANT_MESSAGE (message)
          || (tau_message_get_n_blocks (message) == 0
              && tau_assistant_message_get_stop_reason (TAU_ASSISTANT_MESSAGE (message)) == TAU_STOP_REASON_ABORTED))
        continue;
      text = tau_message_dup_text (message, "");
      trimmed = tau_text_trim (text);
      return *trimmed != '\0' ? g_steal_pointer (&trimmed) : NULL;
    }
  return NULL;
}
