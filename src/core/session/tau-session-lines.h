/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A message with its pictures has room in the first, which is for lists of sessions; no program that writes sessions can
 * read back what is longer than the second. */
#define TAU_SESSION_LINE_LISTED (32 * 1024 * 1024)
#define TAU_SESSION_LINE_MAX    (512 * 1024 * 1024)

/* Reads a session file line by line, in memory of one line. Not an object: belongs to one function of one thread. */
typedef struct _TauSessionLines TauSessionLines;

TauSessionLines *tau_session_lines_open              (const char *path, gint64 offset, gsize max_line, GError **error);
void             tau_session_lines_free              (TauSessionLines *self);
gboolean         tau_session_lines_next              (TauSessionLines *self, const char **line, gsize *length);
gint64           tau_session_lines_get_start         (TauSessionLines *self);   /* of the line given last */
gint64           tau_session_lines_get_offset        (TauSessionLines *self);   /* of the next line */
gboolean         tau_session_lines_has_newline       (TauSessionLines *self);   /* the line given last has its end */
guint            tau_session_lines_get_n_passed_over (TauSessionLines *self);   /* too long */
int              tau_session_lines_get_error         (TauSessionLines *self);   /* errno value, or 0 */
int              tau_session_lines_dup_descriptor    (TauSessionLines *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionLines, tau_session_lines_free)

G_END_DECLS
