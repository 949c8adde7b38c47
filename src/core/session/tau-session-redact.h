/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Takes keys out of texts that leave this computer. */
char **tau_session_redact_dup_secrets (const char *agent_dir);   /* keys that are known here; reads files */
void   tau_session_redact             (GString *text, const char * const *secrets);

G_END_DECLS
