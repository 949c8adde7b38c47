/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * TauSessionMark:
 * @TAU_SESSION_MARK_PINNED: stands above the others
 * @TAU_SESSION_MARK_ARCHIVED: is not listed unless asked for
 * @TAU_SESSION_MARK_UNREAD: something happened since it was shown
 *
 * What a person, or the window, remembers about a session.
 */
typedef enum
{
  TAU_SESSION_MARK_PINNED,
  TAU_SESSION_MARK_ARCHIVED,
  TAU_SESSION_MARK_UNREAD,
} TauSessionMark;

#define TAU_TYPE_SESSION_MARKS (tau_session_marks_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionMarks, tau_session_marks, TAU, SESSION_MARKS, GObject)

/* LIVE, main thread only: what Tau knows about sessions that their files do not say. Signal "changed". */
TauSessionMarks *tau_session_marks_new          (const char *path);   /* NULL: in the user's data */
gboolean         tau_session_marks_get          (TauSessionMarks *self, const char *session_id, TauSessionMark mark);
void             tau_session_marks_set          (TauSessionMarks *self, const char *session_id, TauSessionMark mark, gboolean on);
const char      *tau_session_marks_get_folder   (TauSessionMarks *self, const char *cwd);   /* where it is now */
void             tau_session_marks_set_folder   (TauSessionMarks *self, const char *cwd, const char *folder);
const char      *tau_session_marks_get_project  (TauSessionMarks *self, const char *cwd);   /* nullable */
void             tau_session_marks_set_project  (TauSessionMarks *self, const char *cwd, const char *identity);
char           **tau_session_marks_dup_lost     (TauSessionMarks *self, const char *identity, const char *folder);
void             tau_session_marks_flush        (TauSessionMarks *self);

G_END_DECLS
