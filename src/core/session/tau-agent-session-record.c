/* SPDX-License-Identifier: MIT */
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-id.h"
#include "core/session/tau-session-context.h"

/* How what happens gets into the file and into the lists: everything that is recorded, and everything that is shown,
 * passes here. */

#define KEEP_PARSED (4 * 1024 * 1024)   /* bytes of a conversation; the largest models read about as much */

static void
record_what_is_due (TauAgentSession *self)
{
  if (self->level_unrecorded)
    tau_agent_session_record_level (self);
}

/* Writes an entry behind the leaf. */
TauSessionEntry *
tau_agent_session_record (TauAgentSession     *self,
                          TauSessionEntryKind  kind,
                          JsonObject          *fields)
{
  g_autofree char *id = NULL;
  g_autoptr(TauSessionEntry) entry = NULL;
  TauSessionEntry *leaf;

  record_what_is_due (self);
  id = tau_session_tree_make_id (self->tree);
  leaf = tau_session_tree_get_leaf (self->tree);
  entry = tau_session_entry_new (kind, id, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, tau_clock_now_ms (), fields);
  g_clear_pointer (&fields, json_object_unref);
  tau_session_file_append (self->file, entry);
  return entry;
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
  g_autofree char *id = NULL;
  g_autoptr(TauSessionEntry) entry = NULL;
  TauSessionEntry *leaf;

  record_what_is_due (self);
  id = tau_session_tree_make_id (self->tree);
  leaf = tau_session_tree_get_leaf (self->tree);
  entry = tau_session_entry_new_message (id, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, tau_clock_now_ms (), message);
  tau_session_file_append (self->file, entry);
  tau_agent_session_note_prompt (self, message);
  return entry;
}

static GPtrArray *
history_cb (TauAgent *agent,
            gpointer  user_data)
{
  TauAgentSession *self = user_data;

  return tau_session_messages_dup_all (self->messages);
}

/* The agent goes on with what is shown. What it has parsed it keeps. */
void
tau_agent_session_update_history (TauAgentSession *self)
{
  g_autoptr(GPtrArray) messages = NULL;

  if (!tau_agent_has_history (self->agent))
    return;
  messages = tau_session_messages_dup_all (self->messages);
  tau_agent_set_messages (self->agent, messages);
}

/* What was said is parsed when the agent needs it. */
void
tau_agent_session_wait_with_history (TauAgentSession *self)
{
  tau_agent_set_history_func (self->agent, history_cb, self);
}

/* A small conversation stays parsed between two prompts, a large one would only fill the memory. */
void
tau_agent_session_forget_history (TauAgentSession *self)
{
  if (!tau_agent_is_running (self->agent) && tau_session_messages_get_size (self->messages) > KEEP_PARSED)
    tau_agent_session_wait_with_history (self);
}

/* Replaces what is shown and what the agent goes on with. */
void
tau_agent_session_show_entries (TauAgentSession *self,
                                GPtrArray       *entries)
{
  tau_session_messages_set_entries (self->messages, entries);
  tau_agent_session_update_history (self);
}

/* Adds a message that no run made. */
void
tau_agent_session_append_message (TauAgentSession *self,
                                  TauMessage      *message)
{
  tau_session_messages_append (self->messages, tau_agent_session_record_message (self, message));
  tau_agent_session_update_history (self);
}

/* What the model said last on the branch that is shown. */
TauAssistantMessage *
tau_agent_session_dup_answer (TauAgentSession *self)
{
  guint position = g_list_model_get_n_items (G_LIST_MODEL (self->messages));
  TauMessage *message = tau_session_messages_dup_last_answer (self->messages, &position);

  return message != NULL ? TAU_ASSISTANT_MESSAGE (message) : NULL;
}

/* After a move in the tree or a compaction. */
void
tau_agent_session_rebuild (TauAgentSession *self)
{
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (self->tree, tau_session_tree_get_leaf (self->tree));
  g_autoptr(TauSessionContext) context = tau_session_context_new (path);

  tau_agent_session_show_entries (self, context->entries);
}

/* What was said must survive a crash of the machine. That it may not is said by #TauAgentSession:error. */
void
tau_agent_session_sync (TauAgentSession *self)
{
  tau_session_file_sync_async (self->file, NULL, NULL);
}
