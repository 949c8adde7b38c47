/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_SOURCE (tau_session_source_get_type ())

/* Boxed: an open session file from which entries read their text when it is wanted. Any thread may read. */
typedef struct _TauSessionSource TauSessionSource;

GType             tau_session_source_get_type (void) G_GNUC_CONST;
TauSessionSource *tau_session_source_new      (int fd);   /* takes the descriptor */
TauSessionSource *tau_session_source_ref      (TauSessionSource *self);
void              tau_session_source_unref    (TauSessionSource *self);
GBytes           *tau_session_source_read     (TauSessionSource *self, gint64 offset, gsize length);   /* nullable */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauSessionSource, tau_session_source_unref)

G_END_DECLS
