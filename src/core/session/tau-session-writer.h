/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-reader.h"

G_BEGIN_DECLS

/**
 * TauSessionTail:
 * @size: bytes of the file when we last saw it
 * @device: of the file
 * @inode: of the file
 * @lacks_newline: the last line needs a line end first
 * @torn_at: where an unreadable last line begins, or -1
 *
 * What we know of the end of a file that we append to.
 */
typedef struct
{
  gint64   size;
  guint64  device;
  guint64  inode;
  gboolean lacks_newline;
  gint64   torn_at;
} TauSessionTail;

TauSessionTail tau_session_tail_of        (TauSessionText *text);
gboolean       tau_session_tail_matches   (const TauSessionTail *self, int fd);
gboolean       tau_session_tail_mend      (TauSessionTail *self, int fd, GError **error);
void           tau_session_tail_update    (TauSessionTail *self, int fd);

int            tau_session_writer_open    (const char *path, gboolean create, GError **error);
gboolean       tau_session_writer_append  (int fd, TauSessionTail *tail, TauSessionEntry *entry, GError **error);
gboolean       tau_session_writer_replace (const char *path, GPtrArray *lines, TauSessionTail *tail, GError **error);

G_END_DECLS
