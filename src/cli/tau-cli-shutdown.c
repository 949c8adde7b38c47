/* SPDX-License-Identifier: MIT */
#include "cli/tau-cli-shutdown.h"

#include <glib-unix.h>

#include <stdlib.h>

/* TauCliShutdown: live object of one mode of the program: its main loop and the ways out of it. On SIGTERM, SIGHUP or
 * SIGINT, and when nobody reads our output any more, the session is aborted, and the loop goes on until the aborted
 * answer is in the file. A second signal ends at once. */

/* A tool that ignores its end must not keep the program from ending. */
#define PATIENCE_SECONDS 5

static const int handled_signals[] = { SIGTERM, SIGHUP, SIGINT };

typedef struct
{
  TauCliShutdown *shutdown;
  int             number;
} SignalSource;

struct _TauCliShutdown
{
  GObject          parent_instance;

  GMainLoop       *loop;
  TauAgentSession *session; /* nullable */
  SignalSource     sources[G_N_ELEMENTS (handled_signals)];
  guint            source_ids[G_N_ELEMENTS (handled_signals)];
  guint            abort_id;
  guint            patience_id;
  gboolean         begun;
  gboolean         ended;
  int              exit_code;
};

G_DEFINE_FINAL_TYPE (TauCliShutdown, tau_cli_shutdown, G_TYPE_OBJECT)

static gboolean
signal_cb (gpointer user_data)
{
  SignalSource *source = user_data;

  if (source->shutdown->begun)
    _exit (128 + source->number);

  tau_cli_shutdown_interrupt (source->shutdown, 128 + source->number);

  return G_SOURCE_CONTINUE;
}

static void
tau_cli_shutdown_dispose (GObject *object)
{
  TauCliShutdown *self = TAU_CLI_SHUTDOWN (object);

  for (gsize i = 0; i < G_N_ELEMENTS (handled_signals); i++)
    g_clear_handle_id (&self->source_ids[i], g_source_remove);
  g_clear_handle_id (&self->abort_id, g_source_remove);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (tau_cli_shutdown_parent_class)->dispose (object);
}

static void
tau_cli_shutdown_finalize (GObject *object)
{
  TauCliShutdown *self = TAU_CLI_SHUTDOWN (object);

  g_main_loop_unref (self->loop);

  G_OBJECT_CLASS (tau_cli_shutdown_parent_class)->finalize (object);
}

static void
tau_cli_shutdown_class_init (TauCliShutdownClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = tau_cli_shutdown_dispose;
  object_class->finalize = tau_cli_shutdown_finalize;
}

static void
tau_cli_shutdown_init (TauCliShutdown *self)
{
  self->loop = g_main_loop_new (NULL, FALSE);

  for (gsize i = 0; i < G_N_ELEMENTS (handled_signals); i++)
    {
      self->sources[i] = (SignalSource) { self, handled_signals[i] };
      self->source_ids[i] = g_unix_signal_add (handled_signals[i], signal_cb, &self->sources[i]);
    }
}

/**
 * tau_cli_shutdown_new:
 *
 * From here on the three signals end in tau_cli_shutdown_interrupt().
 *
 * Returns: (transfer full): a new object
 */
TauCliShutdown *
tau_cli_shutdown_new (void)
{
  return g_object_new (TAU_TYPE_CLI_SHUTDOWN, NULL);
}

/**
 * tau_cli_shutdown_set_session:
 * @self: the object
 * @session: what is aborted; a former one is forgotten
 *
 * Tells which session is at work.
 */
void
tau_cli_shutdown_set_session (TauCliShutdown  *self,
                              TauAgentSession *session)
{
  g_return_if_fail (TAU_IS_CLI_SHUTDOWN (self));

  g_set_object (&self->session, session);
}

/**
 * tau_cli_shutdown_run:
 * @self: the object
 *
 * Runs the main loop until it is ended.
 *
 * Returns: the exit code of the program
 */
int
tau_cli_shutdown_run (TauCliShutdown *self)
{
  g_return_val_if_fail (TAU_IS_CLI_SHUTDOWN (self), 1);

  /* A mode may find out that it is done before it comes to rest here. */
  if (!self->ended)
    g_main_loop_run (self->loop);

  return self->exit_code;
}

static void
end (TauCliShutdown *self)
{
  self->ended = TRUE;
  g_main_loop_quit (self->loop);
}

/**
 * tau_cli_shutdown_finish:
 * @self: the object
 * @exit_code: exit code of the program
 *
 * Ends the loop, unless an interruption is on its way: then that one ends it, with its own code.
 */
void
tau_cli_shutdown_finish (TauCliShutdown *self,
                         int             exit_code)
{
  g_return_if_fail (TAU_IS_CLI_SHUTDOWN (self));

  if (self->begun)
    return;

  self->begun = TRUE;
  self->exit_code = exit_code;
  end (self);
}

static void
idle_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(TauCliShutdown) self = user_data;

  tau_agent_session_wait_for_idle_finish (TAU_AGENT_SESSION (object), result, NULL);
  end (self);
}

static gboolean
patience_cb (gpointer user_data)
{
  TauCliShutdown *self = user_data;

  self->patience_id = 0;
  end (self);

  return G_SOURCE_REMOVE;
}

static gboolean
abort_cb (gpointer user_data)
{
  TauCliShutdown *self = user_data;

  self->abort_id = 0;
  if (self->session == NULL)
    {
      end (self);
      return G_SOURCE_REMOVE;
    }

  self->patience_id = g_timeout_add_seconds (PATIENCE_SECONDS, patience_cb, self);
  tau_agent_session_abort (self->session);
  tau_agent_session_wait_for_idle_async (self->session, NULL, idle_cb, g_object_ref (self));

  return G_SOURCE_REMOVE;
}

/**
 * tau_cli_shutdown_interrupt:
 * @self: the object
 * @exit_code: exit code of the program
 *
 * Aborts the session, lets it come to rest, so that what there is of an answer is saved, and ends the loop.
 */
void
tau_cli_shutdown_interrupt (TauCliShutdown *self,
                            int             exit_code)
{
  g_return_if_fail (TAU_IS_CLI_SHUTDOWN (self));

  if (self->begun)
    return;

  self->begun = TRUE;
  self->exit_code = exit_code;

  /* Later, since we may be within an event of the session, which is then about to begin what is to be aborted. */
  self->abort_id = g_idle_add_full (G_PRIORITY_DEFAULT, abort_cb, self, NULL);
}

/**
 * tau_cli_shutdown_is_begun:
 * @self: the object
 *
 * Returns: whether the program is about to end
 */
gboolean
tau_cli_shutdown_is_begun (TauCliShutdown *self)
{
  g_return_val_if_fail (TAU_IS_CLI_SHUTDOWN (self), TRUE);

  return self->begun;
}
