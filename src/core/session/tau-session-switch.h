/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-tree.h"

G_BEGIN_DECLS

gboolean tau_session_switch_find (TauSessionTree *tree, TauSessionEntry *entry, char **model, char **thinking_level);

G_END_DECLS
