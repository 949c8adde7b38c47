/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-model.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"

/* Record: one model of one vendor. Its JSON form is that of models.json with "provider" in it; "compat" and "headers" stay JSON,
 * since only the encoder of the model's protocol knows what they mean. */

typedef enum
{
  ENTRY_ABSENT,
  ENTRY_UNSUPPORTED,   /* null in the map */
  ENTRY_NAME,
} EntryKind;

struct _TauModel
{
  GObject parent_instance;

  char      *id;
  char      *name;
  char      *api;
  char      *provider;
  char      *base_url;
  gboolean   reasoning;
  EntryKind  level_kinds[TAU_THINKING_N_LEVELS];
  char      *level_names[TAU_THINKING_N_LEVELS];   /* where the kind is ENTRY_NAME */
  gboolean   has_level_map;
  gboolean   accepts_images;
  TauPrices  prices;
  gint64     context_window;
  gint64     max_tokens;
  JsonNode  *headers;   /* nullable */
  JsonNode  *compat;    /* nullable */
};

G_DEFINE_FINAL_TYPE (TauModel, tau_model, G_TYPE_OBJECT)

/* What models.json may leave out (spec of pi's models.json). */
#define DEFAULT_CONTEXT_WINDOW 128000
#define DEFAULT_MAX_TOKENS     16384

static const char * const level_texts[TAU_THINKING_N_LEVELS] = {
  [TAU_THINKING_OFF] = "off",
  [TAU_THINKING_MINIMAL] = "minimal",
  [TAU_THINKING_LOW] = "low",
  [TAU_THINKING_MEDIUM] = "medium",
  [TAU_THINKING_HIGH] = "high",
  [TAU_THINKING_XHIGH] = "xhigh",
};

static void
tau_model_finalize (GObject *object)
{
  TauModel *self = TAU_MODEL (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->api);
  g_free (self->provider);
  g_free (self->base_url);
  for (int level = 0; level < TAU_THINKING_N_LEVELS; level++)
    g_free (self->level_names[level]);
  g_clear_pointer (&self->headers, json_node_unref);
  g_clear_pointer (&self->compat, json_node_unref);

  G_OBJECT_CLASS (tau_model_parent_class)->finalize (object);
}

static void
tau_model_class_init (TauModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_model_finalize;
}

static void
tau_model_init (TauModel *self)
{
}

static void
read_level_map (TauModel *self,
                JsonNode *json)
{
  self->has_level_map = tau_json_get_object (json, "thinkingLevelMap") != NULL;

  for (int level = 0; level < TAU_THINKING_N_LEVELS; level++)
    {
      g_autofree char *path = g_strdup_printf ("thinkingLevelMap.%s", level_texts[level]);
      const char *name = tau_json_get_string (json, path, NULL);

      if (name != NULL)
        self->level_kinds[level] = ENTRY_NAME;
      else if (tau_json_is_null (json, path))
        self->level_kinds[level] = ENTRY_UNSUPPORTED;
      self->level_names[level] = g_strdup (name);
    }
}

static void
read_input (TauModel *self,
            JsonNode *json)
{
  JsonArray *input = tau_json_get_array (json, "input");

  for (guint i = 0; input != NULL && i < json_array_get_length (input); i++)
    if (g_strcmp0 (tau_json_get_string (json_array_get_element (input, i), NULL, NULL), "image") == 0)
      self->accepts_images = TRUE;
}

static JsonNode *
dup_object (JsonNode   *json,
            const char *key)
{
  return tau_json_get_object (json, key) != NULL ? tau_json_copy (tau_json_get (json, key)) : NULL;
}

static gboolean
check (TauModel *self,
       GError  **error)
{
  if (self->id == NULL || self->id[0] == '\0')
    g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "a model of provider %s has no id", self->provider);
  else if (self->api == NULL)
    g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "model %s/%s has no api", self->provider, self->id);
  else if (self->context_window <= 0)
    g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "model %s/%s: contextWindow must be greater than 0",
                 self->provider, self->id);
  else if (self->max_tokens <= 0)
    g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "model %s/%s: maxTokens must be greater than 0",
                 self->provider, self->id);
  else
    return TRUE;

  return FALSE;
}

/**
 * tau_model_new_from_json:
 * @provider: vendor id
 * @json: the model's object as in models.json, with "api" and "baseUrl"
 * @error: return location for %TAU_CONFIG_ERROR_INVALID
 *
 * Returns: (transfer full) (nullable): the model, or %NULL if its object lacks something
 */
TauModel *
tau_model_new_from_json (const char *provider,
                         JsonNode   *json,
                         GError    **error)
{
  g_autoptr(TauModel) self = g_object_new (TAU_TYPE_MODEL, NULL);

  self->provider = g_strdup (provider);
  self->id = g_strdup (tau_json_get_string (json, "id", NULL));
  self->name = g_strdup (tau_json_get_string (json, "name", self->id));
  self->api = g_strdup (tau_json_get_string (json, "api", NULL));
  self->base_url = g_strdup (tau_json_get_string (json, "baseUrl", ""));
  self->reasoning = tau_json_get_bool (json, "reasoning", FALSE);
  read_level_map (self, json);
  read_input (self, json);
  self->prices = (TauPrices) {
    .input = tau_json_get_double (json, "cost.input", 0),
    .output = tau_json_get_double (json, "cost.output", 0),
    .cache_read = tau_json_get_double (json, "cost.cacheRead", 0),
    .cache_write = tau_json_get_double (json, "cost.cacheWrite", 0),
  };
  self->context_window = tau_json_get_int (json, "contextWindow", DEFAULT_CONTEXT_WINDOW);
  self->max_tokens = tau_json_get_int (json, "maxTokens", DEFAULT_MAX_TOKENS);
  self->headers = dup_object (json, "headers");
  self->compat = dup_object (json, "compat");

  return check (self, error) ? g_steal_pointer (&self) : NULL;
}

static JsonNode *
level_map_to_json (TauModel *self)
{
  JsonObject *object = json_object_new ();

  for (int level = 0; level < TAU_THINKING_N_LEVELS; level++)
    if (self->level_kinds[level] == ENTRY_NAME)
      tau_json_object_set (object, level_texts[level], tau_json_node_new_string (self->level_names[level]));
    else if (self->level_kinds[level] == ENTRY_UNSUPPORTED)
      tau_json_object_set (object, level_texts[level], tau_json_node_new_null ());

  return tau_json_node_new_object (object);
}

static JsonNode *
prices_to_json (const TauPrices *prices)
{
  JsonObject *object = json_object_new ();

  tau_json_object_set (object, "input", tau_json_node_new_double (prices->input));
  tau_json_object_set (object, "output", tau_json_node_new_double (prices->output));
  tau_json_object_set (object, "cacheRead", tau_json_node_new_double (prices->cache_read));
  tau_json_object_set (object, "cacheWrite", tau_json_node_new_double (prices->cache_write));

  return tau_json_node_new_object (object);
}

/**
 * tau_model_to_json:
 * @self: a model
 *
 * Returns: (transfer full): its JSON object, keys in the order that pi's RPC has
 */
JsonNode *
tau_model_to_json (TauModel *self)
{
  JsonObject *object = json_object_new ();
  JsonArray *input = json_array_new ();

  json_array_add_string_element (input, "text");
  if (self->accepts_images)
    json_array_add_string_element (input, "image");

  tau_json_object_set (object, "id", tau_json_node_new_string (self->id));
  tau_json_object_set (object, "name", tau_json_node_new_string (self->name));
  tau_json_object_set (object, "api", tau_json_node_new_string (self->api));
  tau_json_object_set (object, "provider", tau_json_node_new_string (self->provider));
  tau_json_object_set (object, "baseUrl", tau_json_node_new_string (self->base_url));
  tau_json_object_set (object, "reasoning", tau_json_node_new_bool (self->reasoning));
  if (self->has_level_map)
    tau_json_object_set (object, "thinkingLevelMap", level_map_to_json (self));
  tau_json_object_set (object, "input", tau_json_node_new_array (input));
  tau_json_object_set (object, "cost", prices_to_json (&self->prices));
  tau_json_object_set (object, "contextWindow", tau_json_node_new_int (self->context_window));
  tau_json_object_set (object, "maxTokens", tau_json_node_new_int (self->max_tokens));
  if (self->headers != NULL)
    tau_json_object_set (object, "headers", tau_json_copy (self->headers));
  if (self->compat != NULL)
    tau_json_object_set (object, "compat", tau_json_copy (self->compat));

  return tau_json_node_new_object (object);
}

/**
 * tau_model_get_id:
 * @self: a model
 *
 * Returns: (transfer none): the id that the protocol uses
 */
const char *
tau_model_get_id (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), NULL);

  return self->id;
}

/**
 * tau_model_get_name:
 * @self: a model
 *
 * Returns: (transfer none): the name that people see
 */
const char *
tau_model_get_name (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), NULL);

  return self->name;
}

/**
 * tau_model_get_api:
 * @self: a model
 *
 * Returns: (transfer none): protocol, e.g. "anthropic-messages"
 */
const char *
tau_model_get_api (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), NULL);

  return self->api;
}

/**
 * tau_model_get_provider:
 * @self: a model
 *
 * Returns: (transfer none): vendor id
 */
const char *
tau_model_get_provider (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), NULL);

  return self->provider;
}

/**
 * tau_model_get_base_url:
 * @self: a model
 *
 * Returns: (transfer none): where its server is; "" if the protocol knows
 */
const char *
tau_model_get_base_url (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), NULL);

  return self->base_url;
}

static gboolean
is_near_address (GInetAddress *address)
{
  const guint8 *bytes = g_inet_address_to_bytes (address);

  return g_inet_address_get_is_loopback (address) || g_inet_address_get_is_site_local (address)
         || g_inet_address_get_is_link_local (address)
         || (g_inet_address_get_family (address) == G_SOCKET_FAMILY_IPV6 && (bytes[0] & 0xfe) == 0xfc);   /* RFC 4193 */
}

/**
 * tau_model_is_near:
 * @self: a model
 *
 * Such servers may be slow, since people run them on what they have; nothing is looked up for the answer.
 *
 * Returns: whether the address of its server is one of loopback, of a private network, or a name without a domain,
 *   under "localhost" or under "local"
 */
gboolean
tau_model_is_near (TauModel *self)
{
  g_autoptr(GUri) uri = NULL;
  g_autoptr(GInetAddress) address = NULL;
  const char *host;

  g_return_val_if_fail (TAU_IS_MODEL (self), FALSE);

  uri = g_uri_parse (self->base_url, G_URI_FLAGS_NONE, NULL);
  host = uri != NULL ? g_uri_get_host (uri) : NULL;
  if (host == NULL || *host == '\0')
    return FALSE;
  address = g_inet_address_new_from_string (host);
  if (address != NULL)
    return is_near_address (address);

  return strchr (host, '.') == NULL || g_str_has_suffix (host, ".localhost") || g_str_has_suffix (host, ".local");
}

/**
 * tau_model_get_reasoning:
 * @self: a model
 *
 * Returns: whether it can think before it answers
 */
gboolean
tau_model_get_reasoning (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), 0);

  return self->reasoning;
}

/**
 * tau_model_get_prices:
 * @self: a model
 *
 * Returns: (transfer none): USD per million tokens
 */
const TauPrices *
tau_model_get_prices (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), NULL);

  return &self->prices;
}

/**
 * tau_model_get_context_window:
 * @self: a model
 *
 * Returns: tokens that it can read
 */
gint64
tau_model_get_context_window (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), 0);

  return self->context_window;
}

/**
 * tau_model_get_max_tokens:
 * @self: a model
 *
 * Returns: tokens that it can write at once
 */
gint64
tau_model_get_max_tokens (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), 0);

  return self->max_tokens;
}

/**
 * tau_model_get_headers:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): object of header values, as they stand in the file
 */
JsonNode *
tau_model_get_headers (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), NULL);

  return self->headers;
}

/**
 * tau_model_get_compat:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): object of the protocol's switches
 */
JsonNode *
tau_model_get_compat (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), NULL);

  return self->compat;
}

/**
 * tau_model_accepts_images:
 * @self: a model
 *
 * Returns: whether pictures may be sent to it
 */
gboolean
tau_model_accepts_images (TauModel *self)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), FALSE);

  return self->accepts_images;
}

/**
 * tau_model_supports_level:
 * @self: a model
 * @level: a thinking level
 *
 * A model that cannot think has only "off"; one that can has all levels but those its map forbids, and "xhigh" only if
 * its map names it.
 *
 * Returns: whether @level may be asked for
 */
gboolean
tau_model_supports_level (TauModel        *self,
                          TauThinkingLevel level)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), FALSE);

  if (!self->reasoning)
    return level == TAU_THINKING_OFF;
  if (level >= TAU_THINKING_N_LEVELS || self->level_kinds[level] == ENTRY_UNSUPPORTED)
    return FALSE;

  return level != TAU_THINKING_XHIGH || self->level_kinds[level] == ENTRY_NAME;
}

/**
 * tau_model_clamp_level:
 * @self: a model
 * @level: a wish
 *
 * Returns: @level if supported, else the nearest level above that is, else the nearest below
 */
TauThinkingLevel
tau_model_clamp_level (TauModel        *self,
                       TauThinkingLevel level)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), TAU_THINKING_OFF);

  for (int above = (int) level; above < TAU_THINKING_N_LEVELS; above++)
    if (tau_model_supports_level (self, (TauThinkingLevel) above))
      return (TauThinkingLevel) above;
  for (int below = (int) level - 1; below >= 0; below--)
    if (tau_model_supports_level (self, (TauThinkingLevel) below))
      return (TauThinkingLevel) below;

  return TAU_THINKING_OFF;
}

/**
 * tau_model_map_level:
 * @self: a model
 * @level: a thinking level
 *
 * Returns: (transfer none) (nullable): what the model's protocol calls @level; %NULL if the model lacks it
 */
const char *
tau_model_map_level (TauModel        *self,
                     TauThinkingLevel level)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), NULL);
  g_return_val_if_fail (level < TAU_THINKING_N_LEVELS, NULL);

  switch (self->level_kinds[level])
    {
    case ENTRY_NAME:
      return self->level_names[level];
    case ENTRY_UNSUPPORTED:
      return NULL;
    case ENTRY_ABSENT:
    default:
      return level_texts[level];
    }
}

/**
 * tau_model_has_level_entry:
 * @self: a model
 * @level: a thinking level
 *
 * Returns: whether the model's map has a name for @level
 */
gboolean
tau_model_has_level_entry (TauModel        *self,
                           TauThinkingLevel level)
{
  g_return_val_if_fail (TAU_IS_MODEL (self), FALSE);

  return level < TAU_THINKING_N_LEVELS && self->level_kinds[level] == ENTRY_NAME;
}

/**
 * tau_model_equal:
 * @self: a model
 * @other: another
 *
 * Returns: whether both are the same model of the same vendor
 */
gboolean
tau_model_equal (TauModel *self,
                 TauModel *other)
{
  g_return_val_if_fail (TAU_IS_MODEL (self) && TAU_IS_MODEL (other), FALSE);

  return g_str_equal (self->provider, other->provider) && g_str_equal (self->id, other->id);
}

/**
 * tau_thinking_level_to_string:
 * @level: a level
 *
 * Returns: (transfer none): its name in settings and session files
 */
const char *
tau_thinking_level_to_string (TauThinkingLevel level)
{
  g_return_val_if_fail (level < TAU_THINKING_N_LEVELS, "off");

  return level_texts[level];
}

/**
 * tau_thinking_level_from_string:
 * @text: (nullable): a name
 * @level: (out): the level
 *
 * Returns: whether there is a level of that name
 */
gboolean
tau_thinking_level_from_string (const char       *text,
                                TauThinkingLevel *level)
{
  for (int i = 0; i < TAU_THINKING_N_LEVELS; i++)
    if (g_strcmp0 (text, level_texts[i]) == 0)
      {
        *level = (TauThinkingLevel) i;
        return TRUE;
      }

  return FALSE;
}
