/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "core/session/tau-session-tree.h"

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_MESSAGES (tau_session_messages_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionMessages, tau_session_messages, TAU, SESSION_MESSAGES, GObject)

/* LIVE, main thread only: a GListModel of TauMessage over entries; a message is parsed when it is asked for. */

TauSessionMessages *tau_session_messages_new          (void);
void                tau_session_messages_set_tree     (TauSessionMessages *self, TauSessionTree *tree);
void                tau_session_messages_append       (TauSessionMessages *self, TauSessionEntry *entry);
void                tau_session_messages_remove_last  (TauSessionMessages *self);
void                tau_session_messages_set_entries  (TauSessionMessages *self, GPtrArray *entries);   /* of TauSessionEntry */
TauSessionEntry    *tau_session_messages_get_entry    (TauSessionMessages *self, guint position);   /* borrowed */
void                tau_session_messages_get_outline  (TauSessionMessages *self, guint position, TauMessageOutline *outline);
gboolean            tau_session_messages_find_switch  (TauSessionMessages *self, guint position, char **model, char **thinking_level);
gsize               tau_session_messages_get_size     (TauSessionMessages *self);   /* bytes in the file */
GPtrArray          *tau_session_messages_dup_all      (TauSessionMessages *self);   /* of TauMessage, parsed now */
TauMessage         *tau_session_messages_dup_last_answer (TauSessionMessages *self, guint *position);   /* nullable */

G_END_DECLS
