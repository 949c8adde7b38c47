/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads a session file line by line, in memory of one line. Not an object: belongs to one function of one thread. */
typedef struct _TauSessionLines TauSessionLines;

TauSessionLines *tau_session_lines_open        (const char *path, gint64 offset, GError **error);
void             tau_session_lines_free        (TauSessionLines *self);
gboolean         tau_session_lines_next        (TauSessionLines *self, const char **line, gsize *length);
gint64           tau_session_lines_get_offset  (TauSessionLines *self);   /* of the next line */
gboolean         tau_session_lines_has_newline (TauSessionLines *self);   /* the line given last has its end */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionLines, tau_session_lines_free)

G_END_DECLS
