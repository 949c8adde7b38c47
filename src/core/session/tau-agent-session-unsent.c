/* SPDX-License-Identifier: MIT */
#include "core/session/tau-agent-session-private.h"

#include "core/session/tau-unsent.h"

/* What is typed and what is queued, so that a crash or a switch loses neither. */

static TauUnsent *
get_unsent (TauAgentSession *self)
{
  if (self->unsent == NULL)
    self->unsent = tau_unsent_new (self->id, tau_agent_session_get_path (self), self->cwd);
  return self->unsent;
}

/* Called whenever a queue has changed. @sent: somebody sent something this moment, which is to be on the disk. */
void
tau_agent_session_keep_queue (TauAgentSession *self,
                              gboolean         sent)
{
  g_autoptr(GPtrArray) steering = NULL;

  if (self->unsent == NULL && self->steering->len + self->follow_ups->len == 0 && self->held_messages == NULL)
    return;
  steering = g_ptr_array_new ();
  if (self->held_messages != NULL)
    g_ptr_array_extend (steering, self->held_messages, NULL, NULL);
  g_ptr_array_extend (steering, self->steering, NULL, NULL);
  tau_unsent_set_queue (get_unsent (self), steering, self->follow_ups);
  if (sent)
    tau_unsent_save (self->unsent);
  else
    tau_unsent_save_soon (self->unsent);
}

/* The end of the session, not of what is unsent. */
void
tau_agent_session_close_unsent (TauAgentSession *self)
{
  if (self->unsent == NULL)
    return;
  tau_unsent_save (self->unsent);
  g_clear_object (&self->unsent);
}

static void
enqueue_all (TauAgentSession *self,
             gboolean         steering)
{
  g_autoptr(GPtrArray) messages = tau_unsent_take_queue (get_unsent (self), steering);

  for (guint i = 0; i < messages->len; i++)
    tau_agent_session_enqueue (self, g_object_ref (g_ptr_array_index (messages, i)),
                               steering ? TAU_DELIVERY_STEER : TAU_DELIVERY_FOLLOW_UP);
}

/**
 * tau_agent_session_restore_unsent:
 * @self: a session that was just made
 *
 * Brings back what was typed and queued when the session was last open: the text is given by
 * tau_agent_session_get_typed(), the queues are shown and go with the next prompt. A new session takes what was typed
 * for one in the same folder that never came to be. Blocking.
 */
void
tau_agent_session_restore_unsent (TauAgentSession *self)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  if (tau_agent_session_get_path (self) != NULL && !g_file_test (tau_agent_session_get_path (self), G_FILE_TEST_EXISTS))
    tau_unsent_adopt (get_unsent (self));
  enqueue_all (self, TRUE);
  enqueue_all (self, FALSE);
}

/**
 * tau_agent_session_get_typed:
 * @self: a session
 * @cursor: (out) (optional): where the cursor is, in characters
 *
 * Returns: what is typed for it and not sent
 */
const char *
tau_agent_session_get_typed (TauAgentSession *self,
                             int             *cursor)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return tau_unsent_get_text (get_unsent (self), cursor);
}

/**
 * tau_agent_session_set_typed:
 * @self: a session
 * @text: what is typed
 * @cursor: where the cursor is, in characters
 *
 * Keeps what is typed, also on the disk within half a second or so.
 */
void
tau_agent_session_set_typed (TauAgentSession *self,
                             const char      *text,
                             int              cursor)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  if (!self->closed)
    tau_unsent_set_text (get_unsent (self), text, cursor);
}
