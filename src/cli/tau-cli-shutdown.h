/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

#define TAU_TYPE_CLI_SHUTDOWN (tau_cli_shutdown_get_type ())
G_DECLARE_FINAL_TYPE (TauCliShutdown, tau_cli_shutdown, TAU, CLI_SHUTDOWN, GObject)

/* LIVE, main thread only: runs the main loop of a mode and ends it in good order. */

/* Exit codes: 128 + the signal, as shells have it. */
enum
{
  TAU_CLI_EXIT_BROKEN_PIPE = 141,
};

TauCliShutdown *tau_cli_shutdown_new         (void);
void            tau_cli_shutdown_set_session (TauCliShutdown *self, TauAgentSession *session);
int             tau_cli_shutdown_run         (TauCliShutdown *self);                  /* until one of the next two; the exit code */
void            tau_cli_shutdown_finish      (TauCliShutdown *self, int exit_code);   /* all is done */
void            tau_cli_shutdown_interrupt   (TauCliShutdown *self, int exit_code);   /* abort, wait until it is saved, end */
gboolean        tau_cli_shutdown_is_begun    (TauCliShutdown *self);

G_END_DECLS
