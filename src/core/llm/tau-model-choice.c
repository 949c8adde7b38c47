/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/llm/tau-model-choice.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Which model is meant by a few typed letters, and which one to take when nothing was said. Pure: works on a list of models.
 * The rules are pi's, so that the same command line chooses the same model. */

/* Where there are keys of several vendors, the first one counts. */
static const struct
{
  const char *provider;
  const char *id;
}
defaults[] = {
  { "anthropic", "claude-opus-4-7" },
  { "openai", "gpt-5.4" },
  { "google", "gemini-3.1-pro-preview" },
  { "deepseek", "deepseek-v4-pro" },
  { "openrouter", "anthropic/claude-opus-4.7" },
  { "xai", "grok-4.20-0309-reasoning" },
  { "groq", "openai/gpt-oss-120b" },
  { "cerebras", "zai-glm-4.7" },
  { "zai", "glm-5.1" },
  { "mistral", "devstral-medium-latest" },
  { "minimax", "MiniMax-M2.7" },
  { "minimax-cn", "MiniMax-M2.7" },
  { "moonshotai", "kimi-k2.6" },
  { "moonshotai-cn", "kimi-k2.6" },
  { "kimi-coding", "kimi-for-coding" },
  { "xiaomi", "mimo-v2.5-pro" },
  { "xiaomi-token-plan-cn", "mimo-v2.5-pro" },
  { "xiaomi-token-plan-ams", "mimo-v2.5-pro" },
  { "xiaomi-token-plan-sgp", "mimo-v2.5-pro" },
};

/**
 * tau_model_choice_clear:
 * @self: a choice
 *
 * Frees what a choice holds.
 */
void
tau_model_choice_clear (TauModelChoice *self)
{
  g_clear_object (&self->model);
  g_clear_pointer (&self->warning, g_free);
}

/* The provider's id in its own spelling; NULL if there is none of that name. */
static const char *
find_provider (GPtrArray  *models,
               const char *name)
{
  for (guint i = 0; i < models->len; i++)
    {
      const char *provider = tau_model_get_provider (g_ptr_array_index (models, i));

      if (g_ascii_strcasecmp (provider, name) == 0)
        return provider;
    }

  return NULL;
}

static gboolean
belongs_to (TauModel   *model,
            const char *provider)
{
  return provider == NULL || g_str_equal (tau_model_get_provider (model), provider);
}

/* By id, or by "provider/id". */
static TauModel *
find_exact (GPtrArray  *models,
            const char *provider,
            const char *pattern)
{
  for (guint i = 0; i < models->len; i++)
    {
      TauModel *model = g_ptr_array_index (models, i);
      g_autofree char *full = g_strdup_printf ("%s/%s", tau_model_get_provider (model), tau_model_get_id (model));

      if (belongs_to (model, provider) &&
          (g_ascii_strcasecmp (tau_model_get_id (model), pattern) == 0 || g_ascii_strcasecmp (full, pattern) == 0))
        return model;
    }

  return NULL;
}

/* Ids that move along with the vendor's newest model rather than naming a day. */
static gboolean
is_undated (const char *id)
{
  gsize length = strlen (id);

  if (g_str_has_suffix (id, "-latest") || length < 9 || id[length - 9] != '-')
    return TRUE;
  for (gsize i = length - 8; i < length; i++)
    if (!g_ascii_isdigit (id[i]))
      return TRUE;

  return FALSE;
}

static gboolean
contains (const char *text,
          const char *lower_part)
{
  g_autofree char *lower = g_utf8_strdown (text, -1);

  return strstr (lower, lower_part) != NULL;
}

/* Among those that contain the pattern: undated before dated, then the highest id. */
static TauModel *
find_partial (GPtrArray  *models,
              const char *provider,
              const char *pattern)
{
  g_autofree char *lower = g_utf8_strdown (pattern, -1);
  TauModel *best = NULL;

  for (guint i = 0; i < models->len; i++)
    {
      TauModel *model = g_ptr_array_index (models, i);
      const char *id = tau_model_get_id (model);

      if (!belongs_to (model, provider) || (!contains (id, lower) && !contains (tau_model_get_name (model), lower)))
        continue;
      if (best == NULL || is_undated (id) > is_undated (tau_model_get_id (best)) ||
          (is_undated (id) == is_undated (tau_model_get_id (best)) && strcmp (id, tau_model_get_id (best)) > 0))
        best = model;
    }

  return best;
}

/* Tries the pattern as it stands, then without a thinking level behind its last colon. */
static TauModel *
match (TauModelChoice *self,
       GPtrArray      *models,
       const char     *provider,
       const char     *pattern)
{
  TauModel *model = find_exact (models, provider, pattern);
  const char *colon = strrchr (pattern, ':');

  if (model == NULL && pattern[0] != '\0')
    model = find_partial (models, provider, pattern);
  if (model == NULL && colon != NULL && tau_thinking_level_from_string (colon + 1, &self->level))
    {
      g_autofree char *head = g_strndup (pattern, (gsize) (colon - pattern));

      self->has_level = TRUE;
      model = match (self, models, provider, head);
      self->has_level = model != NULL;
    }

  return model;
}

/* A model that our list does not have yet: like the vendor's usual one, with another id. */
static TauModel *
clone_for_id (GPtrArray  *models,
              const char *provider,
              const char *id)
{
  g_autoptr(TauModel) like = tau_model_choice_default (models, provider);
  g_autoptr(JsonNode) json = NULL;

  if (like == NULL)
    return NULL;

  json = tau_model_to_json (like);
  json_object_set_string_member (json_node_get_object (json), "id", id);
  json_object_set_string_member (json_node_get_object (json), "name", id);

  return tau_model_new_from_json (provider, json, NULL);
}

static gboolean
choose_by_pattern (TauModelChoice *self,
                   GPtrArray      *models,
                   const char     *provider,
                   const char     *pattern,
                   const char     *whole,
                   GError        **error)
{
  TauModel *model = match (self, models, provider, pattern);

  /* "vendor/…" may also be the beginning of an id of a vendor who resells others' models. */
  if (model == NULL && whole != pattern)
    model = match (self, models, NULL, whole);
  if (model != NULL)
    self->model = g_object_ref (model);
  else if (provider != NULL && pattern[0] != '\0')
    {
      self->model = clone_for_id (models, provider, pattern);
      if (self->model != NULL)
        self->warning = g_strdup_printf (_("Model \"%s\" is not known for provider \"%s\". Trying it as it is."), pattern, provider);
    }
  if (self->model == NULL)
    g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID,
                 _("Model \"%s\" not found. Use --list-models to see available models."), whole);

  return self->model != NULL;
}

/**
 * tau_model_choice_make:
 * @self: (out caller-allocates): the choice
 * @models: (element-type TauModel): all models; where several fit, usable ones should come first
 * @provider: (nullable): vendor id, as typed
 * @pattern: (nullable): part of an id or name, "provider/id", each with or without ":level"
 * @error: return location for %TAU_CONFIG_ERROR_INVALID
 *
 * Finds the model that a person means.
 *
 * Returns: whether one was found
 */
gboolean
tau_model_choice_make (TauModelChoice *self,
                       GPtrArray      *models,
                       const char     *provider,
                       const char     *pattern,
                       GError        **error)
{
  const char *known = provider != NULL ? find_provider (models, provider) : NULL;
  const char *slash = pattern != NULL ? strchr (pattern, '/') : NULL;
  const char *rest = pattern;

  *self = (TauModelChoice) { 0 };
  if (provider != NULL && known == NULL)
    {
      g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID,
                   _("Unknown provider \"%s\". Use --list-models to see available providers/models."), provider);
      return FALSE;
    }
  if (pattern == NULL)
    {
      self->model = known != NULL ? tau_model_choice_default (models, known) : NULL;
      return self->model != NULL;
    }

  if (slash != NULL)
    {
      g_autofree char *prefix = g_strndup (pattern, (gsize) (slash - pattern));
      const char *named = find_provider (models, prefix);

      if (named != NULL && (known == NULL || g_str_equal (named, known)))
        {
          known = named;
          rest = slash + 1;
        }
    }

  return choose_by_pattern (self, models, known, rest, pattern, error);
}

/**
 * tau_model_choice_default_id:
 * @provider: vendor id
 *
 * Returns: (transfer none) (nullable): id of the model that is taken when only the vendor is known
 */
const char *
tau_model_choice_default_id (const char *provider)
{
  for (guint i = 0; i < G_N_ELEMENTS (defaults); i++)
    if (g_str_equal (defaults[i].provider, provider))
      return defaults[i].id;

  return NULL;
}

/**
 * tau_model_choice_default:
 * @models: (element-type TauModel): models
 * @provider: vendor id
 *
 * Returns: (transfer full) (nullable): the vendor's usual model, else its first one
 */
TauModel *
tau_model_choice_default (GPtrArray  *models,
                          const char *provider)
{
  const char *id = tau_model_choice_default_id (provider);
  TauModel *first = NULL;

  for (guint i = 0; i < models->len; i++)
    {
      TauModel *model = g_ptr_array_index (models, i);

      if (!belongs_to (model, provider))
        continue;
      if (id != NULL && g_str_equal (tau_model_get_id (model), id))
        return g_object_ref (model);
      if (first == NULL)
        first = model;
    }

  return first != NULL ? g_object_ref (first) : NULL;
}

/**
 * tau_model_choice_first:
 * @available: (element-type TauModel): models that can be used
 *
 * Returns: (transfer full) (nullable): the usual model of the first vendor that has one here, else the first of all
 */
TauModel *
tau_model_choice_first (GPtrArray *available)
{
  for (guint i = 0; i < G_N_ELEMENTS (defaults); i++)
    {
      TauModel *model = find_exact (available, defaults[i].provider, defaults[i].id);

      if (model != NULL)
        return g_object_ref (model);
    }

  return available->len > 0 ? g_object_ref (available->pdata[0]) : NULL;
}
