/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/tau-cli-arguments.h"
#include "core/session/tau-agent-session.h"

G_BEGIN_DECLS

#define TAU_TYPE_CLI_STARTUP (tau_cli_startup_get_type ())
G_DECLARE_FINAL_TYPE (TauCliStartup, tau_cli_startup, TAU, CLI_STARTUP, GObject)

TauCliStartup          *tau_cli_startup_new           (TauCliArguments *arguments /* borrowed; outlives it */);
const TauCliArguments  *tau_cli_startup_get_arguments (TauCliStartup *self);
TauModelCatalog        *tau_cli_startup_get_catalog   (TauCliStartup *self);
TauSettings            *tau_cli_startup_get_settings  (TauCliStartup *self);
const char             *tau_cli_startup_get_cwd       (TauCliStartup *self);
void                    tau_cli_startup_discover      (TauCliStartup *self);   /* models of servers on this machine */
GPtrArray              *tau_cli_startup_get_scope     (TauCliStartup *self);   /* of TauModel: --models; nullable */
TauAgentSession        *tau_cli_startup_open          (TauCliStartup *self, GError **error);   /* as the command line says */
TauAgentSession        *tau_cli_startup_open_path     (TauCliStartup *self, const char *path /* nullable: a new one */,
                                                       const char *parent /* nullable */, GError **error);

G_END_DECLS
