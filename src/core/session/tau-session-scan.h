/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-envelope.h"

G_BEGIN_DECLS

/* Called for each object of a line. */
typedef void (*TauSessionScanFunc) (const TauSessionEnvelope *envelope, gpointer user_data);

gboolean tau_session_scan_line (const char *line, gsize length, TauSessionScanFunc func, gpointer user_data);

G_END_DECLS
