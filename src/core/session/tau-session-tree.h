/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-entry.h"

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_TREE (tau_session_tree_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionTree, tau_session_tree, TAU, SESSION_TREE, GObject)

/* LIVE: the entries of one session, their parents, and the leaf, which is where the next entry goes. */

TauSessionTree  *tau_session_tree_new         (void);
void             tau_session_tree_append      (TauSessionTree *self, TauSessionEntry *entry);   /* and makes it the leaf */
void             tau_session_tree_absorb      (TauSessionTree *self, TauSessionEntry *entry);   /* leaves the leaf alone */
GPtrArray       *tau_session_tree_get_entries (TauSessionTree *self);   /* of TauSessionEntry, in file order, borrowed */
TauSessionEntry *tau_session_tree_lookup      (TauSessionTree *self, const char *id);   /* borrowed, nullable */
TauSessionEntry *tau_session_tree_get_leaf    (TauSessionTree *self);   /* borrowed; NULL before the first entry */
void             tau_session_tree_set_leaf    (TauSessionTree *self, TauSessionEntry *leaf);
TauSessionEntry *tau_session_tree_get_parent  (TauSessionTree *self, TauSessionEntry *entry);   /* borrowed, nullable */
GPtrArray       *tau_session_tree_dup_path    (TauSessionTree *self, TauSessionEntry *leaf);   /* of TauSessionEntry, root first */
char            *tau_session_tree_dup_name    (TauSessionTree *self);   /* nullable */
char            *tau_session_tree_dup_label   (TauSessionTree *self, const char *id);   /* nullable */
char            *tau_session_tree_make_id     (TauSessionTree *self);

G_END_DECLS
