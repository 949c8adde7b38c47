/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/llm/tau-favourite-models.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Functions only: the list is in the settings, and the models are the catalogue's. The list is pi's, so that both programs
 * step through the same models. */

#define KEY "enabledModels"

static char *
dup_full_name (TauModel *model)
{
  return g_strdup_printf ("%s/%s", tau_model_get_provider (model), tau_model_get_id (model));
}

/* An id may hold colons itself: only the name of a level is one. Returns: (transfer full): the entry without its level */
static char *
split_level (const char       *entry,
             TauThinkingLevel *level,
             gboolean         *has_level)
{
  const char *colon = strrchr (entry, ':');

  *has_level = colon != NULL && tau_thinking_level_from_string (colon + 1, level);
  return *has_level ? g_strndup (entry, colon - entry) : g_strdup (entry);
}

static gboolean
is_pattern (const char *entry)
{
  return strpbrk (entry, "*?") != NULL;
}

static gboolean
entry_matches (const char       *entry,
               TauModel         *model,
               TauThinkingLevel *level,
               gboolean         *has_level)
{
  g_autofree char *full = dup_full_name (model);
  g_autofree char *folded = g_ascii_strdown (full, -1);
  g_autofree char *id = g_ascii_strdown (tau_model_get_id (model), -1);
  g_autofree char *name = split_level (entry, level, has_level);
  g_autofree char *wanted = g_ascii_strdown (name, -1);

  if (is_pattern (wanted))
    return g_pattern_match_simple (wanted, folded) || g_pattern_match_simple (wanted, id);
  return g_str_equal (wanted, folded) || g_str_equal (wanted, id);
}

static const char *
find_entry (char            **entries,
            TauModel         *model,
            TauThinkingLevel *level,
            gboolean         *has_level)
{
  for (gsize i = 0; entries != NULL && entries[i] != NULL; i++)
    if (entry_matches (entries[i], model, level, has_level))
      return entries[i];
  return NULL;
}

/**
 * tau_favourite_models_contain:
 * @settings: the settings
 * @model: a model
 *
 * Returns: whether an entry of the list means the model
 */
gboolean
tau_favourite_models_contain (TauSettings *settings,
                              TauModel    *model)
{
  g_auto(GStrv) entries = NULL;
  TauThinkingLevel level;
  gboolean has_level;

  g_return_val_if_fail (TAU_IS_SETTINGS (settings), FALSE);
  g_return_val_if_fail (TAU_IS_MODEL (model), FALSE);

  entries = tau_settings_dup_strv (settings, KEY);
  return find_entry (entries, model, &level, &has_level) != NULL;
}

static gboolean
holds (GPtrArray *models,
       TauModel  *model)
{
  for (guint i = 0; i < models->len; i++)
    if (tau_model_equal (g_ptr_array_index (models, i), model))
      return TRUE;
  return FALSE;
}

static void
add_matches (GPtrArray  *models,
             GListModel *from,
             const char *entry)
{
  TauThinkingLevel level;
  gboolean has_level;

  for (guint i = 0; i < g_list_model_get_n_items (from); i++)
    {
      g_autoptr(TauModel) model = g_list_model_get_item (from, i);

      if ((entry == NULL || entry_matches (entry, model, &level, &has_level)) && !holds (models, model))
        g_ptr_array_add (models, g_steal_pointer (&model));
    }
}

/**
 * tau_favourite_models_dup:
 * @settings: the settings
 * @catalog: all models
 *
 * The favourites that can be used, in the order of the list.
 *
 * Returns: (transfer full) (element-type TauModel): models
 */
GPtrArray *
tau_favourite_models_dup (TauSettings     *settings,
                          TauModelCatalog *catalog)
{
  GPtrArray *models = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto(GStrv) entries = NULL;

  g_return_val_if_fail (TAU_IS_SETTINGS (settings), models);
  g_return_val_if_fail (TAU_IS_MODEL_CATALOG (catalog), models);

  entries = tau_settings_dup_strv (settings, KEY);
  for (gsize i = 0; entries != NULL && entries[i] != NULL; i++)
    add_matches (models, tau_model_catalog_get_available (catalog), entries[i]);
  return models;
}

static void
add_name (JsonArray *array,
          TauModel  *model)
{
  g_autofree char *name = dup_full_name (model);

  json_array_add_string_element (array, name);
}

/* A pattern that means the model gives way to the names of the others that it means. */
static void
add_others (JsonArray       *array,
            TauModelCatalog *catalog,
            const char      *entry,
            TauModel        *model)
{
  g_autoptr(GPtrArray) meant = g_ptr_array_new_with_free_func (g_object_unref);

  if (!is_pattern (entry))
    return;
  add_matches (meant, tau_model_catalog_get_models (catalog), entry);
  for (guint i = 0; i < meant->len; i++)
    if (!tau_model_equal (g_ptr_array_index (meant, i), model))
      add_name (array, g_ptr_array_index (meant, i));
}

/**
 * tau_favourite_models_set:
 * @settings: the settings
 * @catalog: all models
 * @model: a model
 * @favourite: whether it shall be one of the favourites
 * @error: return location
 *
 * Adds a model at the end of the list in the global settings file, or takes it out.
 *
 * Returns: whether it is now as asked
 */
gboolean
tau_favourite_models_set (TauSettings      *settings,
                          TauModelCatalog  *catalog,
                          TauModel         *model,
                          gboolean          favourite,
                          GError          **error)
{
  g_auto(GStrv) entries = NULL;
  g_autoptr(JsonNode) node = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();
  TauThinkingLevel level;
  gboolean has_level;

  g_return_val_if_fail (TAU_IS_SETTINGS (settings), FALSE);
  g_return_val_if_fail (TAU_IS_MODEL (model), FALSE);

  json_node_take_array (node, array);
  if (tau_favourite_models_contain (settings, model) == favourite)
    return TRUE;

  entries = tau_settings_dup_strv (settings, KEY);
  for (gsize i = 0; entries != NULL && entries[i] != NULL; i++)
    if (!favourite && entry_matches (entries[i], model, &level, &has_level))
      add_others (array, catalog, entries[i], model);
    else
      json_array_add_string_element (array, entries[i]);
  if (favourite)
    add_name (array, model);

  if (!tau_settings_set (settings, KEY, json_array_get_length (array) > 0 ? node : NULL, error))
    return FALSE;
  if (tau_favourite_models_contain (settings, model) == favourite)
    return TRUE;
  g_set_error_literal (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_SYNTAX,
                       _("The settings of this folder name its favourite models themselves."));
  return FALSE;
}

static guint
position_of (GPtrArray *models,
             TauModel  *current)
{
  for (guint i = 0; current != NULL && i < models->len; i++)
    if (tau_model_equal (g_ptr_array_index (models, i), current))
      return i;
  return 0;
}

/**
 * tau_favourite_models_step:
 * @settings: the settings
 * @catalog: all models
 * @current: (nullable): the model that answers now; one outside of the list counts as its first
 * @step: 1 for the next, -1 for the one before
 * @level: (out): the thinking level that the list asks for
 * @has_level: (out): whether it asks for one
 *
 * Which model comes next: of the favourites, or of all that can be used where there are none.
 *
 * Returns: (transfer full) (nullable): a model; %NULL if there is no other
 */
TauModel *
tau_favourite_models_step (TauSettings      *settings,
                           TauModelCatalog  *catalog,
                           TauModel         *current,
                           int               step,
                           TauThinkingLevel *level,
                           gboolean         *has_level)
{
  g_autoptr(GPtrArray) models = tau_favourite_models_dup (settings, catalog);
  g_auto(GStrv) entries = tau_settings_dup_strv (settings, KEY);
  TauModel *next;

  *has_level = FALSE;
  if (models->len == 0)
    add_matches (models, tau_model_catalog_get_available (catalog), NULL);
  if (models->len == 0 || (models->len == 1 && current != NULL && tau_model_equal (g_ptr_array_index (models, 0), current)))
    return NULL;

  next = g_ptr_array_index (models, (position_of (models, current) + models->len + step) % models->len);
  find_entry (entries, next, level, has_level);
  return g_object_ref (next);
}
