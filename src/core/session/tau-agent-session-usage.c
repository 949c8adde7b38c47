/* SPDX-License-Identifier: MIT */
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-text.h"
#include "core/session/tau-token-count.h"

/* Numbers of a session: what the meter, the footer and RPC tell. */

static gboolean
says_usage (TauSessionEntry *entry)
{
  g_autoptr(TauMessage) message = NULL;
  TauMessageOutline outline;

  tau_session_entry_get_outline (entry, &outline);
  if (outline.known ? outline.kind != TAU_MESSAGE_KIND_ASSISTANT : tau_session_entry_get_kind (entry) != TAU_ENTRY_MESSAGE)
    return FALSE;
  message = tau_session_entry_dup_message (entry);
  return message != NULL && TAU_IS_ASSISTANT_MESSAGE (message)
         && !tau_assistant_message_failed (TAU_ASSISTANT_MESSAGE (message))
         && tau_token_count_usage (TAU_ASSISTANT_MESSAGE (message)) > 0;
}

/* After a compaction the size is unknown until a server has counted again. */
static gboolean
size_is_known (TauAgentSession *self)
{
  TauSessionEntry *entry = tau_session_tree_get_leaf (self->tree);
  guint left = tau_session_tree_get_entries (self->tree)->len;

  for (; entry != NULL && left > 0; left--)
    {
      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_COMPACTION)
        return FALSE;
      if (says_usage (entry))
        return TRUE;
      entry = tau_session_tree_get_parent (self->tree, entry);
    }
  return TRUE;
}

/* The end of the conversation, from the last answer on that says how large the whole is. */
static GPtrArray *
dup_tail (TauAgentSession *self)
{
  GListModel *shown = G_LIST_MODEL (self->messages);
  guint n = g_list_model_get_n_items (shown), from = n;
  GPtrArray *tail = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean found = FALSE;

  while (from > 0 && !found)
    {
      g_autoptr(TauMessage) answer = tau_session_messages_dup_last_answer (self->messages, &from);

      found = answer != NULL && !tau_assistant_message_failed (TAU_ASSISTANT_MESSAGE (answer));
      if (answer == NULL)
        from = 0;
    }
  for (guint i = from; i < n; i++)
    g_ptr_array_add (tail, g_list_model_get_item (shown, i));
  return tail;
}

/* Tokens of what the agent goes on with. */
TauTokenEstimate
tau_agent_session_estimate (TauAgentSession      *self,
                            TauAssistantMessage **counted)
{
  g_autoptr(GPtrArray) tail = dup_tail (self);
  TauTokenEstimate estimate = tau_token_count_context (tail);

  if (counted != NULL && estimate.usage_index >= 0)
    *counted = g_object_ref (g_ptr_array_index (tail, (guint) estimate.usage_index));
  return estimate;
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

  usage->totals = *tau_session_file_get_usage (self->file);
  usage->context_window = self->model != NULL ? tau_model_get_context_window (self->model) : 0;
  usage->tokens = size_is_known (self) ? tau_agent_session_estimate (self, NULL).tokens : -1;
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
  guint position;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  position = g_list_model_get_n_items (G_LIST_MODEL (self->messages));
  while (position > 0)
    {
      g_autoptr(TauMessage) message = tau_session_messages_dup_last_answer (self->messages, &position);
      g_autofree char *text = NULL;
      g_autofree char *trimmed = NULL;

      if (message == NULL)
        return NULL;
      if (tau_message_get_n_blocks (message) == 0
          && tau_assistant_message_get_stop_reason (TAU_ASSISTANT_MESSAGE (message)) == TAU_STOP_REASON_ABORTED)
        continue;
      text = tau_message_dup_text (message, "");
      trimmed = tau_text_trim (text);
      return *trimmed != '\0' ? g_steal_pointer (&trimmed) : NULL;
    }
  return NULL;
}
