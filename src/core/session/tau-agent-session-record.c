/* SPDX-License-Identifier: MIT */
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-id.h"
#include "core/session/tau-session-context.h"

/* How what happens gets into the file and into the lists: everything that is recorded, and everything that is shown,
 * passes here. */

/* Writes an entry behind the leaf. */
TauSessionEntry *
tau_agent_session_record (TauAgentSession     *self,
                          TauSessionEntryKind  kind,
                          JsonObject          *fields)
{
  g_autofree char *id = tau_session_tree_make_id (self->tree);
  TauSessionEntry *leaf = tau_session_tree_get_leaf (self->tree);
  g_autoptr(TauSessionEntry) entry =
    tau_session_entry_new (kind, id, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, tau_clock_now_ms (), fields);

  g_clear_pointer (&fields, json_object_unref);
  tau_session_file_append (self->file, entry);
  return entry;
}

static void
add_totals (TauAgentSession *self,
            TauMessage      *message)
{
  if (message != NULL && TAU_IS_ASSISTANT_MESSAGE (message))
    tau_usage_add (&self->totals, tau_assistant_message_get_usage (TAU_ASSISTANT_MESSAGE (message)));
}

/* A session is called after its first prompt until it gets a name. */
void
tau_agent_session_note_prompt (TauAgentSession *self,
                               TauMessage      *message)
{
  g_autofree char *text = NULL;

  if (self->first_prompt != NULL || message == NULL || !TAU_IS_USER_MESSAGE (message))
    return;
  text = tau_message_dup_text (message, " ");
  g_strdelimit (text, "\n\r\t", ' ');
  g_strstrip (text);
  if (*text == '\0')
    return;
  self->first_prompt = g_steal_pointer (&text);
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_TITLE);
}

/* Writes a message behind the leaf. */
TauSessionEntry *
tau_agent_session_record_message (TauAgentSession *self,
                                  TauMessage      *message)
{
  g_autofree char *id = tau_session_tree_make_id (self->tree);
  TauSessionEntry *leaf = tau_session_tree_get_leaf (self->tree);
  g_autoptr(TauSessionEntry) entry =
    tau_session_entry_new_message (id, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, tau_clock_now_ms (), message);

  tau_session_file_append (self->file, entry);
  tau_agent_session_note_prompt (self, message);
  if (self->has_totals)
    add_totals (self, message);
  return entry;
}

/* Replaces what the agent goes on with and what is shown. Messages that stay are not removed and added again, so that
 * their rows stay too. */
void
tau_agent_session_set_messages (TauAgentSession *self,
                                GPtrArray       *messages)
{
  guint shown = g_list_model_get_n_items (G_LIST_MODEL (self->messages));
  guint same = 0;

  tau_agent_set_messages (self->agent, messages);
  while (same < shown && same < messages->len)
    {
      g_autoptr(TauMessage) message = g_list_model_get_item (G_LIST_MODEL (self->messages), same);

      if (message != g_ptr_array_index (messages, same))
        break;
      same++;
    }
  g_list_store_splice (self->messages, same, shown - same, messages->len > same ? messages->pdata + same : NULL, messages->len - same);
}

/* Adds a message that no run made. */
void
tau_agent_session_append_message (TauAgentSession *self,
                                  TauMessage      *message)
{
  g_autoptr(GPtrArray) all = g_ptr_array_new ();

  g_ptr_array_extend (all, tau_agent_get_messages (self->agent), NULL, NULL);
  g_ptr_array_add (all, message);
  tau_agent_session_record_message (self, message);
  tau_agent_session_set_messages (self, all);
}

/* After a move in the tree or a compaction. */
void
tau_agent_session_rebuild (TauAgentSession *self)
{
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (self->tree, tau_session_tree_get_leaf (self->tree));
  g_autoptr(TauSessionContext) context = tau_session_context_new (path);

  tau_agent_session_set_messages (self, context->messages);
}

/* What was said must survive a crash of the machine. A file that cannot be synced is written all the same. */
void
tau_agent_session_sync (TauAgentSession *self)
{
  tau_session_file_sync_async (self->file, NULL, NULL);
}
