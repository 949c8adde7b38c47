/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define TAU_TYPE_PROJECT_FILES (tau_project_files_get_type ())
G_DECLARE_FINAL_TYPE (TauProjectFiles, tau_project_files, TAU, PROJECT_FILES, GObject)

/* LIVE, main thread only: the names of a project's files, for completing them. Signal "changed": there is a newer list. */

TauProjectFiles *tau_project_files_new       (const char *folder);
const char      *tau_project_files_get_folder (TauProjectFiles *self);
void             tau_project_files_refresh   (TauProjectFiles *self);
void             tau_project_files_cancel    (TauProjectFiles *self);
gboolean         tau_project_files_is_loading (TauProjectFiles *self);
GPtrArray       *tau_project_files_match     (TauProjectFiles *self, const char *needle, guint max);   /* of char *, best first */

G_END_DECLS
