/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "core/session/tau-session-tree.h"

G_BEGIN_DECLS

#define TAU_TYPE_SESSION_FILE (tau_session_file_get_type ())
G_DECLARE_FINAL_TYPE (TauSessionFile, tau_session_file, TAU, SESSION_FILE, GObject)

/* LIVE, main thread only, once it is handed over: a thread may load or write one that nobody else knows. One session file
 * and its tree.
 *
 * Properties (notify): "error" (nullable string: why entries wait in memory or may not be on the disk), "holder" (nullable string: the program that
 * owns the session, so that it can only be read here). Signal "notice" (string: what another program did to the file). */

TauSessionFile      *tau_session_file_new          (const char *path, TauSessionEntry *header);   /* path NULL: never written */
TauSessionFile      *tau_session_file_load         (const char *path, GError **error);
void                 tau_session_file_load_async   (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
TauSessionFile      *tau_session_file_load_finish  (GAsyncResult *result, GError **error);
TauSessionTree      *tau_session_file_get_tree     (TauSessionFile *self);
TauSessionEntry     *tau_session_file_get_header   (TauSessionFile *self);   /* NULL for an empty file or one without */
const char          *tau_session_file_get_path     (TauSessionFile *self);   /* nullable */
gboolean             tau_session_file_is_read_only (TauSessionFile *self);   /* no header, not writable, or another program owns it */
gboolean             tau_session_file_is_empty     (TauSessionFile *self);   /* it exists and holds no byte */
gboolean             tau_session_file_is_saved     (TauSessionFile *self);   /* exists, and nothing waits */
const char          *tau_session_file_get_cwd      (TauSessionFile *self);   /* nullable: it names no folder */
const char          *tau_session_file_get_obstacle (TauSessionFile *self);   /* nullable: sentence; no header, not writable */
const char          *tau_session_file_get_error    (TauSessionFile *self);
const char          *tau_session_file_get_holder    (TauSessionFile *self);   /* nullable */
const TauUsage      *tau_session_file_get_usage    (TauSessionFile *self);   /* of all answers in it */
const char * const  *tau_session_file_get_problems (TauSessionFile *self);   /* never NULL */
void                 tau_session_file_append       (TauSessionFile *self, TauSessionEntry *entry);
void                 tau_session_file_add          (TauSessionFile *self, TauSessionEntry *entry);   /* not written yet */
gboolean             tau_session_file_flush        (TauSessionFile *self);   /* tries again what waits */
gboolean             tau_session_file_create       (TauSessionFile *self);   /* writes even before the first answer */
void                 tau_session_file_use_journal   (TauSessionFile *self);   /* what waits is on the disk, too */
gboolean             tau_session_file_take_lease    (TauSessionFile *self);   /* owns the file, or knows who does */
void                 tau_session_file_close         (TauSessionFile *self);   /* writes what waits and gives up the lease */
void                 tau_session_file_sync_async   (TauSessionFile *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean             tau_session_file_sync_finish  (TauSessionFile *self, GAsyncResult *result, GError **error);

char                *tau_session_file_build_path   (const char *sessions_root, const char *folder, const char *cwd, gint64 time_ms, const char *id);
char                *tau_session_file_encode_cwd   (const char *cwd);

G_END_DECLS
