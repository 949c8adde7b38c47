/* SPDX-License-Identifier: MIT */
#include "cli/tau-json-mode.h"

#include "cli/tau-output.h"
#include "core/session/tau-session-event.h"

static void
event_cb (TauAgentSession       *session,
          const TauSessionEvent *event,
          TauCliShutdown        *shutdown)
{
  g_autoptr(JsonNode) json = tau_session_event_to_json (event);

  if (!tau_output_write_json (json))
    tau_cli_shutdown_interrupt (shutdown, TAU_CLI_EXIT_BROKEN_PIPE);
}

/**
 * tau_json_mode_print_events:
 * @session: the session
 * @shutdown: interrupted when nobody reads any more
 *
 * From here on each event of @session is printed as a line of JSON.
 */
void
tau_json_mode_print_events (TauAgentSession *session,
                            TauCliShutdown  *shutdown)
{
  g_signal_connect_object (session, "event", G_CALLBACK (event_cb), shutdown, 0);
}

/**
 * tau_json_mode_print_header:
 * @session: the session
 * @shutdown: interrupted when nobody reads any more
 *
 * Prints the line that a session file begins with: it tells the id, the version of the format and the folder.
 */
void
tau_json_mode_print_header (TauAgentSession *session,
                            TauCliShutdown  *shutdown)
{
  g_autofree char *header = tau_agent_session_dup_header_line (session);
  g_autofree char *line = g_strconcat (header, "\n", NULL);

  if (!tau_output_write (line, -1))
    tau_cli_shutdown_interrupt (shutdown, TAU_CLI_EXIT_BROKEN_PIPE);
}
