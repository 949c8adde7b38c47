/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-database.h"

G_BEGIN_DECLS

/* Gets the list as far as it is known by now, newest first: of TauSessionInfo, not to be changed. In the sweep's thread. */
typedef void (*TauSessionSweepFunc) (GPtrArray *infos, gpointer user_data);

/**
 * TauSessionSweep:
 * @root: folder whose subfolders hold session files
 * @database: (nullable): what was read earlier; opened for the first sweep
 * @known: (element-type filename TauSessionInfo) (nullable): path → record, as of the last sweep
 * @infos: of TauSessionInfo, newest first: the result
 * @folders: of char *: what to watch
 * @func: (nullable): told about progress
 * @user_data: for @func
 *
 * One look at all session files. Belongs to the thread that runs it, and then to who started that.
 */
typedef struct
{
  char               *root;
  TauSessionDatabase *database;
  GHashTable         *known;
  GPtrArray          *infos;
  GPtrArray          *folders;
  TauSessionSweepFunc func;
  gpointer            user_data;

  GPtrArray          *files;       /* what is there, newest first */
  gint64              told;        /* when @func was called last */
} TauSessionSweep;

TauSessionSweep *tau_session_sweep_new           (const char *root, TauSessionDatabase *database, GPtrArray *infos);
void             tau_session_sweep_free          (TauSessionSweep *self);
void             tau_session_sweep_run           (TauSessionSweep *self, GCancellable *cancellable);
void             tau_session_sweep_sort          (GPtrArray *infos);
GPtrArray       *tau_session_sweep_list_files    (const char *root, gboolean with_subfolders);   /* of char *, newest first */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionSweep, tau_session_sweep_free)

G_END_DECLS
