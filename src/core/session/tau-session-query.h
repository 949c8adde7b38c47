/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-info.h"

G_BEGIN_DECLS

/* Record: what somebody typed into a search field for sessions. */
typedef struct _TauSessionQuery TauSessionQuery;

#define TAU_SESSION_QUERY_NO_MATCH (-1)

TauSessionQuery *tau_session_query_new        (const char *text);
void             tau_session_query_free       (TauSessionQuery *self);
guint            tau_session_query_get_n_terms (TauSessionQuery *self);
char           **tau_session_query_dup_words  (TauSessionQuery *self, guint term);   /* letters and digits, for a search in texts */
int              tau_session_query_rate       (TauSessionQuery *self, guint term, TauSessionInfo *info);   /* lower is better */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionQuery, tau_session_query_free)

G_END_DECLS
