/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-entry.h"

G_BEGIN_DECLS

#define TAU_SESSION_VERSION 3

gint64     tau_session_migration_get_version (TauSessionEntry *header);
GPtrArray *tau_session_migration_run         (GPtrArray *lines);   /* of TauSessionEntry, header first */

G_END_DECLS
