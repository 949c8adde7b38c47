/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-error.h"

#include <glib/gi18n-lib.h>

/* What a session does about other programs at its file: it shows who owns it, takes over when it is free, and tells what
 * others did. */

#define TRY_AGAIN_MS 500

static void
set_taking_over (TauAgentSession *self,
                 gboolean         taking_over)
{
  if (self->taking_over == taking_over)
    return;
  self->taking_over = taking_over;
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_TAKING_OVER);
}

static void
holder_changed_cb (TauAgentSession *self)
{
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_HOLDER);
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_READ_ONLY);
}

/* A name may have come from somebody else. */
static void
read_anew (TauAgentSession *self)
{
  g_autofree char *name = tau_session_tree_dup_name (self->tree);

  if (g_strcmp0 (name, self->name) == 0)
    return;
  g_free (self->name);
  self->name = g_steal_pointer (&name);
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_NAME);
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_TITLE);
}

static void
notice_cb (TauAgentSession *self,
           const char      *sentence)
{
  tau_agent_session_add_problem (self, g_strdup (sentence));
  read_anew (self);
  tau_agent_session_emit_notice (self, sentence);
}

/* Follows what happens to the file. */
void
tau_agent_session_watch_file (TauAgentSession *self)
{
  g_signal_connect_object (self->file, "notify::holder", G_CALLBACK (holder_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->file, "notice", G_CALLBACK (notice_cb), self, G_CONNECT_SWAPPED);
}

/* Whether something can be added to the session. */
gboolean
tau_agent_session_check_writable (TauAgentSession *self,
                                  GError         **error)
{
  const char *holder = tau_session_file_get_holder (self->file);
  const char *obstacle = tau_session_file_get_obstacle (self->file);

  if (obstacle != NULL)
    g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_READ_ONLY, obstacle);
  else if (holder != NULL)
    g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_LOCKED, _("%s is in use by %s"),
                 tau_session_file_get_path (self->file), holder);
  return obstacle == NULL && holder == NULL;
}

/* Tells people why what they did has no effect. */
void
tau_agent_session_say_read_only (TauAgentSession *self)
{
  g_autoptr(GError) error = NULL;

  if (!tau_agent_session_check_writable (self, &error))
    tau_agent_session_emit_notice (self, error->message);
}

static gboolean
try_to_take_over (TauAgentSession *self)
{
  if (!tau_session_file_take_lease (self->file))
    return FALSE;
  read_anew (self);
  tau_agent_session_rebuild (self);
  set_taking_over (self, FALSE);
  return TRUE;
}

static gboolean
try_again_cb (gpointer user_data)
{
  TauAgentSession *self = user_data;

  if (!try_to_take_over (self))
    return G_SOURCE_CONTINUE;
  self->takeover_source = 0;
  return G_SOURCE_REMOVE;
}

/**
 * tau_agent_session_get_obstacle:
 * @self: a session
 *
 * Returns: (nullable): a sentence: why the session can only be read, as long as it is open: its file begins with no
 *   header, or may not be written. %NULL if it can be written or that is up to another program
 */
const char *
tau_agent_session_get_obstacle (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return tau_session_file_get_obstacle (self->file);
}

/**
 * tau_agent_session_get_holder:
 * @self: a session
 *
 * Returns: (nullable): the program that owns the session, which can only be read here until that has ended; %NULL if it
 *   is ours
 */
const char *
tau_agent_session_get_holder (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return tau_session_file_get_holder (self->file);
}

/**
 * tau_agent_session_take_over:
 * @self: a session
 *
 * Makes a session ours that another program owns: now, or as soon as that lets go. #TauAgentSession:taking-over tells of
 * the wait, #TauAgentSession:holder of its end. What the other one wrote is shown then.
 */
void
tau_agent_session_take_over (TauAgentSession *self)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  if (tau_session_file_get_holder (self->file) == NULL || self->taking_over || try_to_take_over (self))
    return;
  set_taking_over (self, TRUE);
  self->takeover_source = g_timeout_add (TRY_AGAIN_MS, try_again_cb, self);
}

/**
 * tau_agent_session_stop_taking_over:
 * @self: a session
 *
 * Stops waiting for a session that another program owns.
 */
void
tau_agent_session_stop_taking_over (TauAgentSession *self)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  g_clear_handle_id (&self->takeover_source, g_source_remove);
  set_taking_over (self, FALSE);
}
