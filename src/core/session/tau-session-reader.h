/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "core/session/tau-session-entry.h"

G_BEGIN_DECLS

/**
 * TauSessionText:
 * @lines: of TauSessionEntry: everything that could be read, headers too, in file order
 * @size: bytes of the file
 * @device: of the file, to know it again
 * @inode: of the file
 * @changed_ns: when it was changed last before it was read, ns since 1970
 * @n_broken: lines that could not be read, or not whole
 * @lacks_newline: the last line could be read and has no line end
 * @usage: of all answers
 * @torn_at: where an unreadable last line without line end begins; -1 if there is none
 *
 * A session file as it stands on disk.
 */
typedef struct
{
  GPtrArray *lines;
  gint64     size;
  guint64    device;
  guint64    inode;
  gint64     changed_ns;
  guint      n_broken;
  gboolean   lacks_newline;
  gint64     torn_at;
  TauUsage   usage;
} TauSessionText;

TauSessionText *tau_session_text_read (const char *path, GCancellable *cancellable, GError **error);
TauSessionText *tau_session_text_read_from (const char *path, gint64 offset, GCancellable *cancellable, GError **error);   /* behind what is known */
void            tau_session_text_free (TauSessionText *self);
gboolean        tau_session_text_has_header (TauSessionText *self);   /* the first object is one */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionText, tau_session_text_free)

G_END_DECLS
