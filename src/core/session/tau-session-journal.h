/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-entry.h"

G_BEGIN_DECLS

/* LIVE, one owner: entries of a session that its file does not hold yet, in a file of ours that pi does not see. */
typedef struct _TauSessionJournal TauSessionJournal;

TauSessionJournal *tau_session_journal_new      (const char *session_id, const char *session_path);
void               tau_session_journal_free     (TauSessionJournal *self);
const char        *tau_session_journal_get_path (TauSessionJournal *self);
gboolean           tau_session_journal_is_begun (TauSessionJournal *self);
gboolean           tau_session_journal_append   (TauSessionJournal *self, TauSessionEntry *entry, GError **error);
void               tau_session_journal_clear    (TauSessionJournal *self);
GPtrArray         *tau_session_journal_read     (TauSessionJournal *self);   /* of TauSessionEntry; what a former owner left */
guint              tau_session_journal_recover  (void);   /* sessions that never got a file */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionJournal, tau_session_journal_free)

G_END_DECLS
