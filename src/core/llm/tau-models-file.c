/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-models-file.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"

#include <string.h>

/* The format of models.json, which is also that of our own list of models, and how one such file is laid over what is
 * known already. Pure: text in, models out. A model is changed by changing its JSON form and reading that again. */

static void
provider_config_free (gpointer data)
{
  TauProviderConfig *config = data;

  g_free (config->name);
  g_free (config->api_key);
  g_free (config);
}

/**
 * tau_model_set_new:
 *
 * Returns: (transfer full): no models
 */
TauModelSet *
tau_model_set_new (void)
{
  TauModelSet *self = g_new0 (TauModelSet, 1);

  self->models = g_ptr_array_new_with_free_func (g_object_unref);
  self->providers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, provider_config_free);

  return self;
}

/**
 * tau_model_set_free:
 * @self: (transfer full): a set
 *
 * Frees a set.
 */
void
tau_model_set_free (TauModelSet *self)
{
  g_ptr_array_unref (self->models);
  g_hash_table_unref (self->providers);
  g_free (self);
}

/* The vendor's entry, made if it is not there. */
static TauProviderConfig *
ensure_provider (TauModelSet *self,
                 const char  *provider)
{
  TauProviderConfig *config = g_hash_table_lookup (self->providers, provider);

  if (config == NULL)
    {
      config = g_new0 (TauProviderConfig, 1);
      g_hash_table_insert (self->providers, g_strdup (provider), config);
    }

  return config;
}

/**
 * tau_model_set_copy:
 * @self: a set
 *
 * Returns: (transfer full): another set with the same models
 */
TauModelSet *
tau_model_set_copy (TauModelSet *self)
{
  TauModelSet *copy = tau_model_set_new ();
  GHashTableIter iter;
  gpointer id, value;

  for (guint i = 0; i < self->models->len; i++)
    g_ptr_array_add (copy->models, g_object_ref (self->models->pdata[i]));
  g_hash_table_iter_init (&iter, self->providers);
  while (g_hash_table_iter_next (&iter, &id, &value))
    {
      const TauProviderConfig *from = value;
      TauProviderConfig *to = ensure_provider (copy, id);

      to->name = g_strdup (from->name);
      to->api_key = g_strdup (from->api_key);
      to->auth_header = from->auth_header;
    }

  return copy;
}

static gboolean
find_position (TauModelSet *self,
               const char  *provider,
               const char  *id,
               guint       *position)
{
  for (guint i = 0; i < self->models->len; i++)
    {
      TauModel *model = g_ptr_array_index (self->models, i);

      if (g_str_equal (tau_model_get_provider (model), provider) && (id == NULL || g_str_equal (tau_model_get_id (model), id)))
        {
          *position = i;
          return TRUE;
        }
    }

  return FALSE;
}

/**
 * tau_model_set_find:
 * @self: a set
 * @provider: vendor id
 * @id: (nullable): model id; %NULL for the vendor's first model
 *
 * Returns: (transfer none) (nullable): the model
 */
TauModel *
tau_model_set_find (TauModelSet *self,
                    const char  *provider,
                    const char  *id)
{
  guint position;

  return find_position (self, provider, id, &position) ? g_ptr_array_index (self->models, position) : NULL;
}

/**
 * tau_model_set_get_provider:
 * @self: a set
 * @provider: vendor id
 *
 * Returns: (transfer none) (nullable): what is known of the vendor
 */
TauProviderConfig *
tau_model_set_get_provider (TauModelSet *self,
                            const char  *provider)
{
  return g_hash_table_lookup (self->providers, provider);
}

/* Members of @over replace those of @base; with @deep, objects inside are merged in the same way, one level down. */
static JsonNode *
merge_objects (JsonNode *base,
               JsonNode *over,
               gboolean  deep)
{
  JsonNode *result;
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  if (base == NULL || !JSON_NODE_HOLDS_OBJECT (base))
    return tau_json_copy (over);

  result = tau_json_copy (base);
  json_object_iter_init_ordered (&iter, json_node_get_object (over));
  while (json_object_iter_next_ordered (&iter, &key, &value))
    {
      JsonNode *old = json_object_get_member (json_node_get_object (base), key);
      gboolean both = deep && JSON_NODE_HOLDS_OBJECT (value) && old != NULL && JSON_NODE_HOLDS_OBJECT (old);

      tau_json_object_set (json_node_get_object (result), key, both ? merge_objects (old, value, FALSE) : tau_json_copy (value));
    }

  return result;
}

/* Lays member @key of @over on that of @object. Objects are merged, everything else is replaced. */
static void
lay_over (JsonObject *object,
          JsonNode   *over,
          const char *key)
{
  JsonNode *value = tau_json_get (over, key);
  JsonNode *old = json_object_get_member (object, key);

  if (value == NULL)
    return;

  if (JSON_NODE_HOLDS_OBJECT (value) && old != NULL && JSON_NODE_HOLDS_OBJECT (old))
    tau_json_object_set (object, key, merge_objects (old, value, g_str_equal (key, "compat")));
  else
    tau_json_object_set (object, key, tau_json_copy (value));
}

static gboolean
replace_model (TauModelSet *self,
               guint        position,
               JsonNode    *json,
               GError     **error)
{
  TauModel *old = g_ptr_array_index (self->models, position);
  TauModel *model = tau_model_new_from_json (tau_model_get_provider (old), json, error);

  if (model == NULL)
    return FALSE;

  self->models->pdata[position] = model;
  g_object_unref (old);

  return TRUE;
}

static JsonNode *
get_override (JsonNode   *config,
              const char *id)
{
  JsonObject *overrides = tau_json_get_object (config, "modelOverrides");

  return overrides != NULL ? json_object_get_member (overrides, id) : NULL;
}

/* What the file says of models that are there already. */
static gboolean
override_known (TauModelSet *self,
                const char  *provider,
                JsonNode    *config,
                GError     **error)
{
  static const char * const for_all[] = { "baseUrl", "headers", "compat" };
  static const char * const for_one[] = { "name", "reasoning", "thinkingLevelMap", "input", "cost", "contextWindow",
                                          "maxTokens", "headers", "compat" };

  for (guint i = 0; i < self->models->len; i++)
    {
      TauModel *model = g_ptr_array_index (self->models, i);
      JsonNode *one = get_override (config, tau_model_get_id (model));
      g_autoptr(JsonNode) json = NULL;

      if (!g_str_equal (tau_model_get_provider (model), provider))
        continue;

      json = tau_model_to_json (model);
      for (guint j = 0; j < G_N_ELEMENTS (for_all); j++)
        lay_over (json_node_get_object (json), config, for_all[j]);
      for (guint j = 0; one != NULL && j < G_N_ELEMENTS (for_one); j++)
        lay_over (json_node_get_object (json), one, for_one[j]);
      if (!replace_model (self, i, json, error))
        return FALSE;
    }

  return TRUE;
}

/* The model's own entry, with what it leaves out taken from the vendor's and from @sibling, a model known before. */
static JsonNode *
complete_entry (JsonNode *entry,
                JsonNode *config,
                TauModel *sibling)
{
  static const char * const inherited[] = { "api", "baseUrl" };
  static const char * const merged[] = { "headers", "compat" };
  JsonNode *json = tau_json_copy (entry);
  JsonObject *object = json_node_get_object (json);

  for (guint i = 0; i < G_N_ELEMENTS (inherited); i++)
    {
      const char *text = tau_json_get_string (config, inherited[i], NULL);

      if (text == NULL && sibling != NULL)
        text = i == 0 ? tau_model_get_api (sibling) : tau_model_get_base_url (sibling);
      if (text != NULL && !json_object_has_member (object, inherited[i]))
        json_object_set_string_member (object, inherited[i], text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (merged); i++)
    {
      JsonNode *base = tau_json_get (config, merged[i]);
      JsonNode *own = json_object_get_member (object, merged[i]);

      if (base != NULL && JSON_NODE_HOLDS_OBJECT (base))
        tau_json_object_set (object, merged[i],
                             own != NULL && JSON_NODE_HOLDS_OBJECT (own) ? merge_objects (base, own, TRUE) : tau_json_copy (base));
    }

  return json;
}

static gboolean
add_models (TauModelSet *self,
            const char  *provider,
            JsonNode    *config,
            JsonArray   *entries,
            GError     **error)
{
  TauModel *sibling = tau_model_set_find (self, provider, NULL);

  for (guint i = 0; i < json_array_get_length (entries); i++)
    {
      JsonNode *entry = json_array_get_element (entries, i);
      g_autoptr(JsonNode) json = NULL;
      g_autoptr(TauModel) model = NULL;
      guint position;

      if (!JSON_NODE_HOLDS_OBJECT (entry))
        {
          g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "provider %s: models must be objects", provider);
          return FALSE;
        }

      json = complete_entry (entry, config, sibling);
      model = tau_model_new_from_json (provider, json, error);
      if (model == NULL)
        return FALSE;
      if (find_position (self, provider, tau_model_get_id (model), &position))
        {
          g_object_unref (self->models->pdata[position]);
          self->models->pdata[position] = g_steal_pointer (&model);
        }
      else
        g_ptr_array_add (self->models, g_steal_pointer (&model));
    }

  return TRUE;
}

static gboolean
check_provider (const char *provider,
                JsonNode   *config,
                guint       n_models,
                gboolean    known,
                GError    **error)
{
  static const char * const useful[] = { "baseUrl", "headers", "compat", "modelOverrides" };
  const char *lacks = NULL;

  if (n_models == 0)
    {
      for (guint i = 0; i < G_N_ELEMENTS (useful); i++)
        if (tau_json_get (config, useful[i]) != NULL)
          return TRUE;
      g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID,
                   "provider %s needs models, baseUrl, headers, compat or modelOverrides", provider);
      return FALSE;
    }

  if (!known && tau_json_get_string (config, "baseUrl", NULL) == NULL)
    lacks = "baseUrl";
  else if (!known && tau_json_get_string (config, "apiKey", NULL) == NULL)
    lacks = "apiKey";
  if (lacks != NULL)
    g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "provider %s needs %s", provider, lacks);

  return lacks == NULL;
}

static gboolean
merge_provider (TauModelSet *self,
                const char  *provider,
                JsonNode    *config,
                gboolean     builtin,
                GError     **error)
{
  JsonArray *entries = tau_json_get_array (config, "models");
  guint n_models = entries != NULL ? json_array_get_length (entries) : 0;
  gboolean known = builtin || tau_model_set_find (self, provider, NULL) != NULL;
  const char *name = tau_json_get_string (config, "name", NULL);
  const char *api_key = tau_json_get_string (config, "apiKey", NULL);
  TauProviderConfig *own;

  if (!check_provider (provider, config, n_models, known, error) || !override_known (self, provider, config, error) ||
      (n_models > 0 && !add_models (self, provider, config, entries, error)))
    return FALSE;

  own = ensure_provider (self, provider);
  if (name != NULL)
    {
      g_free (own->name);
      own->name = g_strdup (name);
    }
  if (api_key != NULL)
    {
      g_free (own->api_key);
      own->api_key = g_strdup (api_key);
    }
  own->auth_header = tau_json_get_bool (config, "authHeader", own->auth_header);

  return TRUE;
}

/**
 * tau_model_set_merge:
 * @self: a set; of no use if this fails, so work on a copy
 * @root: a file's JSON
 * @builtin: whether it is our own list, whose vendors need no key in it
 * @error: return location for %TAU_CONFIG_ERROR_INVALID
 *
 * Lays a file over the models that are known. Format: pi's models.json.
 *
 * Returns: whether the file makes sense
 */
gboolean
tau_model_set_merge (TauModelSet *self,
                     JsonNode    *root,
                     gboolean     builtin,
                     GError     **error)
{
  JsonObject *providers = tau_json_get_object (root, "providers");
  JsonObjectIter iter;
  const char *provider;
  JsonNode *config;

  if (providers == NULL)
    {
      g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "there is no object \"providers\" in it");
      return FALSE;
    }

  json_object_iter_init_ordered (&iter, providers);
  while (json_object_iter_next_ordered (&iter, &provider, &config))
    {
      if (!JSON_NODE_HOLDS_OBJECT (config))
        {
          g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "provider %s must be an object", provider);
          return FALSE;
        }
      if (!merge_provider (self, provider, config, builtin, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * tau_model_set_merge_text:
 * @self: a set; of no use if this fails, so work on a copy
 * @text: a file's text: JSON, with // comments and trailing commas
 * @length: bytes of @text, or -1
 * @builtin: see tau_model_set_merge()
 * @error: return location: %TAU_JSON_ERROR_SYNTAX with line and column, or %TAU_CONFIG_ERROR_INVALID
 *
 * Like tau_model_set_merge(), from text.
 *
 * Returns: whether the file makes sense
 */
gboolean
tau_model_set_merge_text (TauModelSet *self,
                          const char  *text,
                          gssize       length,
                          gboolean     builtin,
                          GError     **error)
{
  g_autoptr(JsonNode) root = tau_json_parse_relaxed (text, length, error);

  return root != NULL && tau_model_set_merge (self, root, builtin, error);
}
