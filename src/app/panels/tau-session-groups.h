/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/session/tau-session-index.h"
#include "core/session/tau-session-marks.h"

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_GROUPS (tau_session_groups_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionGroups, tau_session_groups, TAU, SESSION_GROUPS, GObject)

TauSessionGroups *tau_session_groups_new        (void);
void              tau_session_groups_set_index  (TauSessionGroups *self, TauSessionIndex *index);
void              tau_session_groups_set_folder (TauSessionGroups *self, const char *folder);
void              tau_session_groups_set_marks  (TauSessionGroups *self, TauSessionMarks *marks);
void              tau_session_groups_show       (TauSessionGroups *self, gboolean all_folders, gboolean archived);
void              tau_session_groups_set_query  (TauSessionGroups *self, const char *query);

/* A row of the sidebar: the head of a folder or of the pinned ones (no info), or a session. */
#define TAU_TYPE_SESSION_ITEM (tau_session_item_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionItem, tau_session_item, TAU, SESSION_ITEM, GObject)

TauSessionInfo   *tau_session_item_get_info   (TauSessionItem *self);   /* nullable */
const char       *tau_session_item_get_folder (TauSessionItem *self);   /* NULL: the pinned ones */
guint             tau_session_item_get_depth  (TauSessionItem *self);

G_END_DECLS
