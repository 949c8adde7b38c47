/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-mode.h"

#include "cli/tau-json-mode.h"
#include "cli/tau-output.h"
#include "cli/tau-rpc-command.h"

#include <gio/gunixinputstream.h>

#include <string.h>
#include <unistd.h>

/* TauRpcMode: live object that connects one session to another program: commands come in as lines of JSON, answers and
 * events go out as such. Commands are handled as they come, so that one can stop another; the answer carries the id
 * that the command had. The end of the input ends the program. What the commands do is in tau-rpc-command. */

struct _TauRpcMode
{
  GObject           parent_instance;

  TauCliStartup    *startup;
  TauCliShutdown   *shutdown;
  TauAgentSession  *session;
  GDataInputStream *input;
  GCancellable     *cancellable; /* of reading */
};

G_DEFINE_FINAL_TYPE (TauRpcMode, tau_rpc_mode, G_TYPE_OBJECT)

static void
tau_rpc_mode_dispose (GObject *object)
{
  TauRpcMode *self = TAU_RPC_MODE (object);

  g_clear_object (&self->startup);
  g_clear_object (&self->shutdown);
  g_clear_object (&self->session);
  g_clear_object (&self->input);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (tau_rpc_mode_parent_class)->dispose (object);
}

static void
tau_rpc_mode_class_init (TauRpcModeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_rpc_mode_dispose;
}

static void
tau_rpc_mode_init (TauRpcMode *self)
{
}

static void read_line (TauRpcMode *self);

/* Lines end in LF alone, for JSON may hold other separators raw; one CR before it is somebody's habit. */
static void
line_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(TauRpcMode) self = user_data;
  g_autofree char *line = NULL;
  gsize length;

  line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (object), result, &length, NULL);
  if (line == NULL)
    {
      tau_cli_shutdown_interrupt (self->shutdown, 0);
      return;
    }

  if (length > 0 && line[length - 1] == '\r')
    line[--length] = '\0';
  if (length > 0)
    tau_rpc_command_run (self, line, length);
  read_line (self);
}

static void
read_line (TauRpcMode *self)
{
  if (!tau_cli_shutdown_is_begun (self->shutdown))
    g_data_input_stream_read_line_async (self->input, G_PRIORITY_DEFAULT, self->cancellable, line_cb,
                                         g_object_ref (self));
}

static void
adopt (TauRpcMode      *self,
       TauAgentSession *session)
{
  g_set_object (&self->session, session);
  tau_cli_shutdown_set_session (self->shutdown, session);
  tau_json_mode_print_events (session, self->shutdown);
}

/**
 * tau_rpc_mode_run:
 * @startup: makes further sessions
 * @session: the session to begin with
 *
 * Serves commands until standard input ends or a signal comes. An answer in progress is aborted then, and saved.
 *
 * Returns: exit code of the program
 */
int
tau_rpc_mode_run (TauCliStartup   *startup,
                  TauAgentSession *session)
{
  g_autoptr(TauRpcMode) self = g_object_new (TAU_TYPE_RPC_MODE, NULL);
  g_autoptr(GInputStream) stdin_stream = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  int exit_code;

  self->startup = g_object_ref (startup);
  self->shutdown = tau_cli_shutdown_new ();
  self->cancellable = g_cancellable_new ();
  self->input = g_data_input_stream_new (stdin_stream);
  g_data_input_stream_set_newline_type (self->input, G_DATA_STREAM_NEWLINE_TYPE_LF);
  adopt (self, session);
  read_line (self);

  exit_code = tau_cli_shutdown_run (self->shutdown);
  g_cancellable_cancel (self->cancellable);
  tau_agent_session_close (self->session);

  return exit_code;
}

/**
 * tau_rpc_mode_get_session:
 * @self: the mode
 *
 * Returns: (transfer none): the session that commands are for
 */
TauAgentSession *
tau_rpc_mode_get_session (TauRpcMode *self)
{
  g_return_val_if_fail (TAU_IS_RPC_MODE (self), NULL);

  return self->session;
}

/**
 * tau_rpc_mode_get_startup:
 * @self: the mode
 *
 * Returns: (transfer none): what the command line meant
 */
TauCliStartup *
tau_rpc_mode_get_startup (TauRpcMode *self)
{
  g_return_val_if_fail (TAU_IS_RPC_MODE (self), NULL);

  return self->startup;
}

/**
 * tau_rpc_mode_replace_session:
 * @self: the mode
 * @session: (transfer none): the session that commands are for from now on
 *
 * Closes the former session.
 */
void
tau_rpc_mode_replace_session (TauRpcMode      *self,
                              TauAgentSession *session)
{
  g_autoptr(TauAgentSession) former = NULL;

  g_return_if_fail (TAU_IS_RPC_MODE (self));
  g_return_if_fail (TAU_IS_AGENT_SESSION (session));

  former = g_object_ref (self->session);
  g_signal_handlers_disconnect_matched (former, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self->shutdown);
  adopt (self, session);
  tau_agent_session_close (former);
}

/**
 * tau_rpc_mode_write:
 * @self: the mode
 * @line: an answer
 *
 * Writes one line. If nobody reads any more, the program ends.
 */
void
tau_rpc_mode_write (TauRpcMode *self,
                    JsonNode   *line)
{
  g_return_if_fail (TAU_IS_RPC_MODE (self));

  if (!tau_output_write_json (line))
    tau_cli_shutdown_interrupt (self->shutdown, TAU_CLI_EXIT_BROKEN_PIPE);
}
