/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-reader.h"

G_BEGIN_DECLS

/**
 * TauSessionTail:
 * @size: bytes of the file when we last saw it
 * @device: of the file
 * @inode: of the file
 * @changed_ns: when it was changed last, ns since 1970
 * @lacks_newline: the last line needs a line end first
 * @torn_at: where an unreadable last line begins, or -1
 * @last: its last bytes
 * @n_last: how many; 0 if we have not looked
 *
 * What we know of the end of a file that we append to.
 */
typedef struct
{
  gint64   size;
  guint64  device;
  guint64  inode;
  gint64   changed_ns;
  gboolean lacks_newline;
  gint64   torn_at;
  char     last[64];
  gsize    n_last;
} TauSessionTail;

/**
 * TauSessionChange:
 * @TAU_SESSION_CHANGE_NONE: the file is as we know it
 * @TAU_SESSION_CHANGE_GREW: there is more behind what we know
 * @TAU_SESSION_CHANGE_TOUCHED: it is as long as before and has the same end, but somebody may have written to it
 * @TAU_SESSION_CHANGE_OTHER: what we know is not there any more
 *
 * What happened to a file since we last saw it.
 */
typedef enum
{
  TAU_SESSION_CHANGE_NONE,
  TAU_SESSION_CHANGE_GREW,
  TAU_SESSION_CHANGE_TOUCHED,
  TAU_SESSION_CHANGE_OTHER,
} TauSessionChange;

TauSessionTail tau_session_tail_of        (TauSessionText *text);
TauSessionChange tau_session_tail_compare (const TauSessionTail *self, int fd);
gboolean       tau_session_tail_mend      (TauSessionTail *self, int fd, GError **error);
void           tau_session_tail_update    (TauSessionTail *self, int fd);

int            tau_session_writer_open    (const char *path, gboolean create, GError **error);
gboolean       tau_session_writer_append  (int fd, TauSessionTail *tail, TauSessionEntry *entry, GError **error);
int            tau_session_writer_replace (const char *path, int old_fd, GPtrArray *lines, TauSessionTail *tail, GError **error);
void           tau_session_writer_sync_folder (const char *path);

G_END_DECLS
