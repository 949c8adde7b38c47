/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* json-glib holds the tree; reading and writing are ours, since its reader takes what is not JSON and loses what is,
 * and its writer prints other numbers than JSON.stringify, some of them invalid.
 *
 * Strings inside the nodes are NUL-terminated and may hold what UTF-8 cannot say: U+0000 as C0 80 and an unpaired
 * surrogate as ED xx xx. tau_json_append() writes both as the escapes that they were. Before such a string goes to a
 * provider or a widget, pass it through tau_text_scrub() or tau_text_make_valid(). */

/* Reading (tau-json-parser.c, tau-json-partial.c) */
JsonNode   *tau_json_parse             (const char *text, gssize length, GError **error);
JsonNode   *tau_json_parse_relaxed     (const char *text, gssize length, GError **error);
JsonNode   *tau_json_parse_partial     (const char *text, gssize length);
JsonNode   *tau_json_parse_repaired    (const char *text, gssize length, GError **error);

/* Writing (tau-json-writer.c) */
void        tau_json_append            (GString *out, JsonNode *node);
void        tau_json_append_string     (GString *out, const char *text);
void        tau_json_append_double     (GString *out, double value);
char       *tau_json_to_string         (JsonNode *node);
char       *tau_json_to_pretty_string  (JsonNode *node);

/* Access: @path is "a.b.0.c"; NULL or "" is @node itself. NULL nodes and wrong types give the fallback. */
JsonNode   *tau_json_get               (JsonNode *node, const char *path);
const char *tau_json_get_string        (JsonNode *node, const char *path, const char *fallback);
gint64      tau_json_get_int           (JsonNode *node, const char *path, gint64 fallback);
double      tau_json_get_double        (JsonNode *node, const char *path, double fallback);
gboolean    tau_json_get_bool          (JsonNode *node, const char *path, gboolean fallback);
JsonObject *tau_json_get_object        (JsonNode *node, const char *path);
JsonArray  *tau_json_get_array         (JsonNode *node, const char *path);
gboolean    tau_json_is_null           (JsonNode *node, const char *path);

gboolean    tau_json_equal             (JsonNode *a, JsonNode *b);
JsonNode   *tau_json_copy              (JsonNode *node);

/* Building */
void        tau_json_object_set        (JsonObject *object, const char *key, JsonNode *value);
JsonNode   *tau_json_node_new_string   (const char *value);
JsonNode   *tau_json_node_new_int      (gint64 value);
JsonNode   *tau_json_node_new_double   (double value);
JsonNode   *tau_json_node_new_bool     (gboolean value);
JsonNode   *tau_json_node_new_null     (void);
JsonNode   *tau_json_node_new_object   (JsonObject *object);
JsonNode   *tau_json_node_new_array    (JsonArray *array);

G_END_DECLS
