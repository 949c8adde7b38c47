/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "core/session/tau-agent-session.h"
#include "core/session/tau-session-index.h"
#include "core/session/tau-session-marks.h"

G_BEGIN_DECLS

#define TAU_TYPE_APPLICATION (tau_application_get_type ())
G_DECLARE_FINAL_TYPE (TauApplication, tau_application, TAU, APPLICATION, AdwApplication)

TauApplication  *tau_application_new            (void);
TauModelCatalog *tau_application_get_catalog    (TauApplication *self);
GListModel      *tau_application_get_sessions   (TauApplication *self);   /* of TauAgentSession */
TauSessionIndex *tau_application_get_index      (TauApplication *self);
TauSessionMarks *tau_application_get_marks      (TauApplication *self);
TauAgentSession *tau_application_start_session  (TauApplication *self, const char *folder, GError **error);
void             tau_application_open_session_async  (TauApplication *self, const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
TauAgentSession *tau_application_open_session_finish (TauApplication *self, GAsyncResult *result, GError **error);   /* transfer none */
char            *tau_application_dup_start_folder (TauApplication *self);
TauAgentSession *tau_application_lookup_session (TauApplication *self, const char *path);
void             tau_application_close_session  (TauApplication *self, TauAgentSession *session);

G_END_DECLS
