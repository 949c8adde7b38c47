/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define TAU_TYPE_SETTINGS (tau_settings_get_type ())
G_DECLARE_FINAL_TYPE (TauSettings, tau_settings, TAU, SETTINGS, GObject)

/* LIVE: settings.json: defaults ← <agent dir>/settings.json ← <cwd>/.pi/settings.json, merged one level deep. Signal "changed" (key).
 * A file that cannot be parsed counts as {}, is a problem (with line and column) and is never written. */

TauSettings         *tau_settings_new          (const char *agent_dir, const char *cwd /* nullable */);
void                 tau_settings_reload       (TauSettings *self);
const char * const  *tau_settings_get_problems (TauSettings *self);   /* sentences for a person; never NULL */
const char          *tau_settings_get_string   (TauSettings *self, const char *path, const char *fallback);   /* "retry.maxRetries"; borrowed until the next change */
gint64               tau_settings_get_int      (TauSettings *self, const char *path, gint64 fallback);
gboolean             tau_settings_get_bool     (TauSettings *self, const char *path, gboolean fallback);
char               **tau_settings_dup_strv     (TauSettings *self, const char *path);   /* nullable */
JsonNode            *tau_settings_get_node     (TauSettings *self, const char *path);   /* borrowed, nullable */
/* Paths that the list @key of one of the two files names, absolute; entries that are filters ("!x", "+x", "-x") are left out. Never NULL. */
char               **tau_settings_dup_resource_paths (TauSettings *self, const char *key, gboolean project);
/* Locked read-merge-write of the global file; keys of others and unknown keys survive. Value NULL removes the key. */
gboolean             tau_settings_set          (TauSettings *self, const char *path, JsonNode *value, GError **error);
gboolean             tau_settings_set_string   (TauSettings *self, const char *path, const char *value, GError **error);

G_END_DECLS
