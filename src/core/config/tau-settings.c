/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/config/tau-settings.h"

#include "core/base/tau-error.h"
#include "core/base/tau-io.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/config/tau-lock-dir.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

/**
 * TauSettings:
 *
 * settings.json as pi has it: the global file of the agent folder, overlaid by the one of the project.
 *
 * Live: signal "changed" names the path that tau_settings_set() wrote, or "" after a reload. Whoever works with a
 * folder owns one. It holds values only: what they mean and what they are without the file is up to who asks.
 */

typedef struct
{
  char     *path;
  JsonNode *node;     /* an object; {} without file */
  gboolean  broken;   /* exists and is no JSON object: never written */
} Layer;

struct _TauSettings
{
  GObject parent_instance;

  Layer      global;
  Layer      project;   /* path NULL without a folder */
  JsonNode  *merged;
  GPtrArray *problems;  /* of char *, NULL-terminated */
};

G_DEFINE_FINAL_TYPE (TauSettings, tau_settings, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static JsonNode *
new_object (void)
{
  g_autoptr(JsonObject) object = json_object_new ();

  return tau_json_node_new_object (g_steal_pointer (&object));
}

static void
add_problem (TauSettings *self,
             char        *sentence)
{
  g_ptr_array_insert (self->problems, (int) self->problems->len - 1, sentence);
}

static void
move_member (JsonObject *object,
             const char *old_key,
             const char *new_key)
{
  if (!json_object_has_member (object, old_key))
    return;
  if (!json_object_has_member (object, new_key))
    json_object_set_member (object, new_key, json_node_copy (json_object_get_member (object, old_key)));
  json_object_remove_member (object, old_key);
}

static JsonObject *
ensure_object (JsonObject *parent,
               const char *key)
{
  JsonNode *node = json_object_get_member (parent, key);

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    json_object_set_member (parent, key, new_object ());
  return json_object_get_object_member (parent, key);
}

/* `skills` was an object with a flag and a list once. */
static void
migrate_skills (JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "skills");
  JsonNode *flag, *folders;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;

  flag = tau_json_get (node, "enableSkillCommands");
  folders = tau_json_get (node, "customDirectories");
  if (flag != NULL && !json_object_has_member (object, "enableSkillCommands"))
    json_object_set_member (object, "enableSkillCommands", json_node_copy (flag));
  if (folders != NULL && JSON_NODE_HOLDS_ARRAY (folders))
    json_object_set_member (object, "skills", json_node_copy (folders));
  else
    json_object_remove_member (object, "skills");
}

/* Names that older releases of pi used; brought up to date in memory only. */
static void
migrate (JsonNode *node)
{
  JsonObject *object = json_node_get_object (node);
  JsonNode *delay;

  move_member (object, "queueMode", "steeringMode");
  if (json_object_has_member (object, "websockets"))
    {
      if (!json_object_has_member (object, "transport"))
        json_object_set_string_member (object, "transport",
                                       tau_json_get_bool (node, "websockets", FALSE) ? "websocket" : "sse");
      json_object_remove_member (object, "websockets");
    }
  migrate_skills (object);
  delay = tau_json_get (node, "retry.maxDelayMs");
  if (delay != NULL)
    {
      JsonObject *retry = json_object_get_object_member (object, "retry");
      JsonObject *provider = ensure_object (retry, "provider");

      if (!json_object_has_member (provider, "maxRetryDelayMs"))
        json_object_set_member (provider, "maxRetryDelayMs", json_node_copy (delay));
      json_object_remove_member (retry, "maxDelayMs");
    }
}

/* %NULL with an error if the file is there and cannot be used; {} if there is none. */
static JsonNode *
read_file (const char *path,
           GError    **error)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) read_error = NULL;
  g_autoptr(JsonNode) node = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &read_error))
    {
      if (g_error_matches (read_error, G_FILE_ERROR, G_FILE_ERROR_NOENT)
          || g_error_matches (read_error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
        return new_object ();
      g_propagate_error (error, g_steal_pointer (&read_error));
      return NULL;
    }

  node = tau_json_parse (text, (gssize) length, error);
  if (node == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error_literal (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, _("the file holds no JSON object"));
      return NULL;
    }
  return g_steal_pointer (&node);
}

static void
load_layer (TauSettings *self,
            Layer       *layer)
{
  g_autoptr(GError) error = NULL;

  g_clear_pointer (&layer->node, json_node_unref);
  layer->broken = FALSE;
  if (layer->path != NULL)
    {
      layer->node = read_file (layer->path, &error);
      layer->broken = error != NULL;
    }
  if (layer->broken)
    /* Translators: a file name and what is wrong with it */
    add_problem (self, g_strdup_printf (_("The settings in %s are not used and will not be changed: %s"),
                                        layer->path, error->message));
  if (layer->node == NULL)
    layer->node = new_object ();
  migrate (layer->node);
}

/* Objects merge member by member; what is deeper, and arrays, replace as a whole: so does pi. */
static JsonNode *
merge_member (JsonNode *below,
              JsonNode *above)
{
  g_autoptr(JsonNode) merged = NULL;
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  if (below == NULL || !JSON_NODE_HOLDS_OBJECT (below) || !JSON_NODE_HOLDS_OBJECT (above))
    return tau_json_copy (above);

  merged = tau_json_copy (below);
  json_object_iter_init (&iter, json_node_get_object (above));
  while (json_object_iter_next (&iter, &key, &value))
    json_object_set_member (json_node_get_object (merged), key, tau_json_copy (value));
  return g_steal_pointer (&merged);
}

static void
merge (TauSettings *self)
{
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  g_clear_pointer (&self->merged, json_node_unref);
  self->merged = tau_json_copy (self->global.node);
  json_object_iter_init (&iter, json_node_get_object (self->project.node));
  while (json_object_iter_next (&iter, &key, &value))
    {
      JsonObject *object = json_node_get_object (self->merged);

      json_object_set_member (object, key, merge_member (json_object_get_member (object, key), value));
    }
}

static void
clear_layer (Layer *layer)
{
  g_free (layer->path);
  g_clear_pointer (&layer->node, json_node_unref);
}

static void
tau_settings_finalize (GObject *object)
{
  TauSettings *self = TAU_SETTINGS (object);

  clear_layer (&self->global);
  clear_layer (&self->project);
  g_clear_pointer (&self->merged, json_node_unref);
  g_ptr_array_unref (self->problems);

  G_OBJECT_CLASS (tau_settings_parent_class)->finalize (object);
}

static void
tau_settings_class_init (TauSettingsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_settings_finalize;

  /**
   * TauSettings::changed:
   * @self: the settings
   * @path: what was set ("retry.enabled"), or "" when everything was read again
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
tau_settings_init (TauSettings *self)
{
  self->problems = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->problems, NULL);
}

static void
load (TauSettings *self)
{
  g_ptr_array_set_size (self->problems, 0);
  g_ptr_array_add (self->problems, NULL);
  load_layer (self, &self->global);
  load_layer (self, &self->project);
  merge (self);
}

/**
 * tau_settings_new:
 * @agent_dir: folder of the global settings.json
 * @cwd: (nullable): folder whose .pi/settings.json is laid over it
 *
 * Reads both files. One that cannot be used counts as empty and is a problem.
 *
 * Returns: (transfer full): the settings
 */
TauSettings *
tau_settings_new (const char *agent_dir,
                  const char *cwd)
{
  TauSettings *self;

  g_return_val_if_fail (agent_dir != NULL, NULL);

  self = g_object_new (TAU_TYPE_SETTINGS, NULL);
  self->global.path = g_build_filename (agent_dir, "settings.json", NULL);
  if (cwd != NULL)
    self->project.path = g_build_filename (cwd, ".pi", "settings.json", NULL);
  load (self);
  return self;
}

/**
 * tau_settings_reload:
 * @self: settings
 *
 * Reads both files again and emits #TauSettings::changed with "".
 */
void
tau_settings_reload (TauSettings *self)
{
  g_return_if_fail (TAU_IS_SETTINGS (self));

  load (self);
  g_signal_emit (self, signals[CHANGED], 0, "");
}

/**
 * tau_settings_get_problems:
 * @self: settings
 *
 * Returns: (transfer none) (array zero-terminated=1): a sentence for each file that is not used, with line and column
 */
const char * const *
tau_settings_get_problems (TauSettings *self)
{
  g_return_val_if_fail (TAU_IS_SETTINGS (self), NULL);

  return (const char * const *) self->problems->pdata;
}

/**
 * tau_settings_get_node:
 * @self: settings
 * @path: keys joined by dots ("retry.provider")
 *
 * Returns: (transfer none) (nullable): the value, valid until the next change
 */
JsonNode *
tau_settings_get_node (TauSettings *self,
                       const char  *path)
{
  g_return_val_if_fail (TAU_IS_SETTINGS (self), NULL);

  return tau_json_get (self->merged, path);
}

/**
 * tau_settings_get_string:
 * @self: settings
 * @path: keys joined by dots
 * @fallback: (nullable): what to give if there is no such string
 *
 * Returns: (transfer none) (nullable): the string, valid until the next change
 */
const char *
tau_settings_get_string (TauSettings *self,
                         const char  *path,
                         const char  *fallback)
{
  g_return_val_if_fail (TAU_IS_SETTINGS (self), fallback);

  return tau_json_get_string (self->merged, path, fallback);
}

/**
 * tau_settings_get_int:
 * @self: settings
 * @path: keys joined by dots
 * @fallback: what to give if there is no such number
 *
 * Returns: the number, cut to an integer
 */
gint64
tau_settings_get_int (TauSettings *self,
                      const char  *path,
                      gint64       fallback)
{
  g_return_val_if_fail (TAU_IS_SETTINGS (self), fallback);

  return tau_json_get_int (self->merged, path, fallback);
}

/**
 * tau_settings_get_bool:
 * @self: settings
 * @path: keys joined by dots
 * @fallback: what to give if there is no such truth value
 *
 * Returns: the value
 */
gboolean
tau_settings_get_bool (TauSettings *self,
                       const char  *path,
                       gboolean     fallback)
{
  g_return_val_if_fail (TAU_IS_SETTINGS (self), fallback);

  return tau_json_get_bool (self->merged, path, fallback);
}

/**
 * tau_settings_dup_strv:
 * @self: settings
 * @path: keys joined by dots
 *
 * Returns: (transfer full) (nullable): the strings of an array; %NULL if there is no array
 */
char **
tau_settings_dup_strv (TauSettings *self,
                       const char  *path)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array;

  g_return_val_if_fail (TAU_IS_SETTINGS (self), NULL);

  array = tau_json_get_array (self->merged, path);
  if (array == NULL)
    return NULL;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      const char *text = tau_json_get_string (json_array_get_element (array, i), NULL, NULL);

      if (text != NULL)
        g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

/**
 * tau_settings_dup_resource_paths:
 * @self: settings
 * @key: a list of paths: "skills", "prompts"
 * @project: whose list: the project's or the global one
 *
 * These lists do not replace each other: the project's count before the global ones. Relative paths start at the
 * folder of the settings file.
 *
 * Returns: (transfer full) (array zero-terminated=1): absolute paths, without entries that are filters ("!x", "+x", "-x")
 */
char **
tau_settings_dup_resource_paths (TauSettings *self,
                                 const char  *key,
                                 gboolean     project)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  const Layer *layer;
  g_autofree char *folder = NULL;
  JsonArray *array;

  g_return_val_if_fail (TAU_IS_SETTINGS (self), NULL);

  layer = project ? &self->project : &self->global;
  array = tau_json_get_array (layer->node, key);
  folder = layer->path != NULL ? g_path_get_dirname (layer->path) : NULL;
  for (guint i = 0; array != NULL && folder != NULL && i < json_array_get_length (array); i++)
    {
      const char *text = tau_json_get_string (json_array_get_element (array, i), NULL, "");
      g_autofree char *path = NULL;

      if (*text == '\0' || strchr ("!+-", *text) != NULL)
        continue;
      path = tau_paths_resolve (folder, text);
      g_strv_builder_add (builder, path);
    }
  return g_strv_builder_end (builder);
}

static void
set_by_path (JsonNode   *root,
             const char *path,
             JsonNode   *value)
{
  g_auto(GStrv) keys = g_strsplit (path, ".", -1);
  JsonObject *object = json_node_get_object (root);
  guint last = g_strv_length (keys) - 1;

  for (guint i = 0; i < last; i++)
    object = ensure_object (object, keys[i]);
  if (value != NULL)
    json_object_set_member (object, keys[last], tau_json_copy (value));
  else
    json_object_remove_member (object, keys[last]);
}

/* Someone else may have written since we read: take what stands there now and change our key in it. */
static JsonNode *
write_global (TauSettings *self,
              const char  *path,
              JsonNode    *value,
              GError     **error)
{
  g_autofree char *folder = g_path_get_dirname (self->global.path);
  g_autoptr(TauLockDir) lock = NULL;
  g_autoptr(JsonNode) node = NULL;
  g_autofree char *text = NULL;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
      return NULL;
    }
  lock = tau_lock_dir_acquire (self->global.path, error);
  if (lock == NULL)
    return NULL;
  node = read_file (self->global.path, error);
  if (node == NULL)
    return NULL;

  set_by_path (node, path, value);
  text = tau_json_to_pretty_string (node);
  if (!tau_io_write_atomic (self->global.path, text, strlen (text), 0644, error))
    return NULL;
  return g_steal_pointer (&node);
}

/**
 * tau_settings_set:
 * @self: settings
 * @path: keys joined by dots
 * @value: (nullable): the new value; %NULL removes the key
 * @error: return location
 *
 * Changes one key of the global file under pi's lock, keeping everything else in it. The value counts in this object
 * even if the file could not be written.
 *
 * Returns: whether the file was written; not if it is broken
 */
gboolean
tau_settings_set (TauSettings *self,
                  const char  *path,
                  JsonNode    *value,
                  GError     **error)
{
  g_autoptr(JsonNode) written = NULL;

  g_return_val_if_fail (TAU_IS_SETTINGS (self), FALSE);
  g_return_val_if_fail (path != NULL && *path != '\0', FALSE);

  if (self->global.broken)
    g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_SYNTAX,
                 _("%s is broken and is not written"), self->global.path);
  else
    written = write_global (self, path, value, error);

  if (written != NULL)
    {
      json_node_unref (self->global.node);
      self->global.node = json_node_ref (written);
      migrate (self->global.node);
    }
  else
    set_by_path (self->global.node, path, value);
  merge (self);
  g_signal_emit (self, signals[CHANGED], 0, path);
  return written != NULL;
}

/**
 * tau_settings_set_string:
 * @self: settings
 * @path: keys joined by dots
 * @value: (nullable): the new string; %NULL removes the key
 * @error: return location
 *
 * tau_settings_set() for a string.
 *
 * Returns: whether the file was written
 */
gboolean
tau_settings_set_string (TauSettings *self,
                         const char  *path,
                         const char  *value,
                         GError     **error)
{
  g_autoptr(JsonNode) node = value != NULL ? tau_json_node_new_string (value) : NULL;

  return tau_settings_set (self, path, node, error);
}
