/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-info.h"

G_BEGIN_DECLS

/* What was read of all session files, on disk, so that it need not be read again, and words can be found in it. Any
 * thread may call; every call blocks. It can be thrown away at any time: what is lost is made again from the files. */
typedef struct _TauSessionDatabase TauSessionDatabase;


TauSessionDatabase *tau_session_database_new         (const char *path);   /* NULL: in memory */
TauSessionDatabase *tau_session_database_ref         (TauSessionDatabase *self);
void                tau_session_database_unref       (TauSessionDatabase *self);
char               *tau_session_database_build_path  (const char *sessions_root);
GHashTable         *tau_session_database_load        (TauSessionDatabase *self);   /* path → TauSessionInfo */
TauSessionInfo     *tau_session_database_read_file   (TauSessionDatabase *self, const char *path, TauSessionInfo *before, GCancellable *cancellable);
void                tau_session_database_remove      (TauSessionDatabase *self, const char *path);
void                tau_session_database_begin       (TauSessionDatabase *self);
gboolean            tau_session_database_commit      (TauSessionDatabase *self);   /* FALSE: it was begun anew */
GHashTable         *tau_session_database_find_word   (TauSessionDatabase *self, const char *word);   /* set of tau_session_info_get_number() */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionDatabase, tau_session_database_unref)

G_END_DECLS
