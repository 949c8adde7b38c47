/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/llm/tau-model-catalog.h"

#include "core/config/tau-credentials.h"
#include "core/llm/scripted/tau-demo.h"
#include "core/llm/tau-extra-trust.h"
#include "core/llm/tau-llm-resources.h"
#include "core/llm/tau-local-servers.h"
#include "core/llm/tau-model-auth.h"
#include "core/llm/tau-model-choice.h"
#include "core/llm/tau-models-file.h"
#include "core/llm/tau-provider.h"

#include <glib/gi18n-lib.h>

/* LIVE, main thread; one for the whole program. Which models there are (tau-models-file), which of them can be used
 * (tau-credentials), which one is meant (tau-model-choice), what a request to it needs (tau-model-auth): each of these is a module
 * of its own, and this is where they meet. Lists are filled anew on each change; models are records and stay valid. */
struct _TauModelCatalog
{
  GObject parent_instance;

  char           *agent_dir;
  TauCredentials *credentials;
  TauModelSet    *known;        /* our list with models.json over it */
  GPtrArray      *local;        /* of TauModel: found on this machine */
  GPtrArray      *problems;     /* of char *, NULL-terminated */
  GListStore     *models;
  GListStore     *available;
};

enum { PROP_0, PROP_MODELS, PROP_AVAILABLE, N_PROPS };
enum { CHANGED, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauModelCatalog, tau_model_catalog, G_TYPE_OBJECT)

/* Servers on this machine answer at once or are not there; nobody waits for those that are not. */
#define LOCAL_PATIENCE_MS 300

#define BUILTIN_PATH "/io/github/tau_agent/Tau/llm/models.json"

static void
add_problem (TauModelCatalog *self,
             char            *problem)
{
  g_ptr_array_insert (self->problems, (int) self->problems->len - 1, problem);
}

static TauModelSet *
load_builtin (void)
{
  TauModelSet *set = tau_model_set_new ();
  static gsize registered;
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GError) error = NULL;

  if (g_once_init_enter (&registered))
    {
      tau_llm_register_resource ();
      g_once_init_leave (&registered, 1);
    }
  bytes = g_resources_lookup_data (BUILTIN_PATH, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  if (bytes == NULL)
    g_error ("the built-in list of models is missing: %s", error->message);
  if (!tau_model_set_merge_text (set, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), TRUE, &error))
    g_error ("the built-in list of models is broken: %s", error->message);

  return set;
}

/* What models.json adds; a file with a fault adds nothing. */
static void
load_models (TauModelCatalog *self)
{
  g_autofree char *path = g_build_filename (self->agent_dir, "models.json", NULL);
  g_autofree char *text = NULL;
  gsize length;
  g_autoptr(GError) error = NULL;
  g_autoptr(TauModelSet) merged = NULL;

  g_clear_pointer (&self->known, tau_model_set_free);
  self->known = load_builtin ();
  if (!g_file_get_contents (path, &text, &length, &error))
    {
      if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        add_problem (self, g_strdup_printf (_("The file %s cannot be read: %s."), path, error->message));
      return;
    }

  merged = tau_model_set_copy (self->known);
  if (tau_model_set_merge_text (merged, text, (gssize) length, FALSE, &error))
    {
      tau_model_set_free (self->known);
      self->known = g_steal_pointer (&merged);
    }
  else
    add_problem (self, g_strdup_printf (_("The file %s cannot be used: %s. Only the built-in models are there."), path,
                                        error->message));
}

/* All models in their order: known ones, those of local servers, the demo. */
static GPtrArray *
collect_models (TauModelCatalog *self)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->known->models->len; i++)
    g_ptr_array_add (all, g_object_ref (self->known->models->pdata[i]));
  for (guint i = 0; i < self->local->len; i++)
    {
      TauModel *model = g_ptr_array_index (self->local, i);

      if (tau_model_set_find (self->known, tau_model_get_provider (model), tau_model_get_id (model)) == NULL)
        g_ptr_array_add (all, g_object_ref (model));
    }
  g_ptr_array_add (all, tau_demo_model_new ());

  return all;
}

static void
fill (TauModelCatalog *self)
{
  g_autoptr(GPtrArray) all = collect_models (self);
  g_autoptr(GPtrArray) usable = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++)
    if (tau_model_catalog_is_available (self, all->pdata[i]))
      g_ptr_array_add (usable, all->pdata[i]);

  g_list_store_splice (self->models, 0, g_list_model_get_n_items (G_LIST_MODEL (self->models)), all->pdata, all->len);
  g_list_store_splice (self->available, 0, g_list_model_get_n_items (G_LIST_MODEL (self->available)), usable->pdata, usable->len);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
tau_model_catalog_get_property (GObject    *object,
                                guint       id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  TauModelCatalog *self = TAU_MODEL_CATALOG (object);

  switch (id)
    {
    case PROP_MODELS:
      g_value_set_object (value, self->models);
      break;
    case PROP_AVAILABLE:
      g_value_set_object (value, self->available);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tau_model_catalog_finalize (GObject *object)
{
  TauModelCatalog *self = TAU_MODEL_CATALOG (object);

  g_free (self->agent_dir);
  g_clear_object (&self->credentials);
  g_clear_pointer (&self->known, tau_model_set_free);
  g_ptr_array_unref (self->local);
  g_ptr_array_unref (self->problems);
  g_object_unref (self->models);
  g_object_unref (self->available);

  G_OBJECT_CLASS (tau_model_catalog_parent_class)->finalize (object);
}

static void
tau_model_catalog_class_init (TauModelCatalogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tau_model_catalog_get_property;
  object_class->finalize = tau_model_catalog_finalize;

  /**
   * TauModelCatalog:models:
   *
   * All models, a #GListModel of #TauModel.
   */
  properties[PROP_MODELS] = g_param_spec_object ("models", NULL, NULL, G_TYPE_LIST_MODEL,
                                                 G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  /**
   * TauModelCatalog:available:
   *
   * The models that can be used: a key is there, or none is needed. A #GListModel of #TauModel.
   */
  properties[PROP_AVAILABLE] = g_param_spec_object ("available", NULL, NULL, G_TYPE_LIST_MODEL,
                                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * TauModelCatalog::changed:
   *
   * Models, keys or problems may be others than before.
   */
  signals[CHANGED] = g_signal_new ("changed", TAU_TYPE_MODEL_CATALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tau_model_catalog_init (TauModelCatalog *self)
{
  self->local = g_ptr_array_new_with_free_func (g_object_unref);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->problems, NULL);
  self->models = g_list_store_new (TAU_TYPE_MODEL);
  self->available = g_list_store_new (TAU_TYPE_MODEL);
}

/**
 * tau_model_catalog_new:
 * @agent_dir: folder of models.json and auth.json
 *
 * Returns: (transfer full): the catalogue, both files read
 */
TauModelCatalog *
tau_model_catalog_new (const char *agent_dir)
{
  TauModelCatalog *self = g_object_new (TAU_TYPE_MODEL_CATALOG, NULL);

  self->agent_dir = g_strdup (agent_dir);
  self->credentials = tau_credentials_new (agent_dir);
  tau_model_catalog_reload (self);

  return self;
}

/**
 * tau_model_catalog_reload:
 * @self: the catalogue
 *
 * Reads models.json and auth.json again, and which certificates are trusted.
 */
void
tau_model_catalog_reload (TauModelCatalog *self)
{
  const char *problem;
  char *distrust;

  g_return_if_fail (TAU_IS_MODEL_CATALOG (self));

  g_ptr_array_set_size (self->problems, 0);
  g_ptr_array_add (self->problems, NULL);
  tau_credentials_reload (self->credentials);
  problem = tau_credentials_get_problem (self->credentials);
  if (problem != NULL)
    add_problem (self, g_strdup (problem));
  distrust = tau_extra_trust_load (self->agent_dir);
  if (distrust != NULL)
    add_problem (self, distrust);
  load_models (self);
  fill (self);
}

/**
 * tau_model_catalog_get_problems:
 * @self: the catalogue
 *
 * Returns: (transfer none) (array zero-terminated=1): what is wrong with the files, as sentences for a person
 */
const char * const *
tau_model_catalog_get_problems (TauModelCatalog *self)
{
  g_return_val_if_fail (TAU_IS_MODEL_CATALOG (self), NULL);

  return (const char * const *) self->problems->pdata;
}

/**
 * tau_model_catalog_get_models:
 * @self: the catalogue
 *
 * Returns: (transfer none): all models
 */
GListModel *
tau_model_catalog_get_models (TauModelCatalog *self)
{
  g_return_val_if_fail (TAU_IS_MODEL_CATALOG (self), NULL);

  return G_LIST_MODEL (self->models);
}

/**
 * tau_model_catalog_get_available:
 * @self: the catalogue
 *
 * Returns: (transfer none): the models that can be used
 */
GListModel *
tau_model_catalog_get_available (TauModelCatalog *self)
{
  g_return_val_if_fail (TAU_IS_MODEL_CATALOG (self), NULL);

  return G_LIST_MODEL (self->available);
}

static GPtrArray *
list_to_array (GListStore *list,
               GPtrArray  *array)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    g_ptr_array_add (array, g_list_model_get_item (G_LIST_MODEL (list), i));

  return array;
}

/**
 * tau_model_catalog_find:
 * @self: the catalogue
 * @provider: vendor id
 * @id: model id
 *
 * Returns: (transfer none) (nullable): the model, valid until the next change
 */
TauModel *
tau_model_catalog_find (TauModelCatalog *self,
                        const char      *provider,
                        const char      *id)
{
  g_return_val_if_fail (TAU_IS_MODEL_CATALOG (self), NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->models)); i++)
    {
      g_autoptr(TauModel) model = g_list_model_get_item (G_LIST_MODEL (self->models), i);

      if (g_strcmp0 (tau_model_get_provider (model), provider) == 0 && g_strcmp0 (tau_model_get_id (model), id) == 0)
        return model;   /* the list keeps it */
    }

  return NULL;
}

/* Whether models.json has a key for a vendor. A variable that is not set stands for itself and counts. */
static gboolean
has_configured_key (TauModelCatalog *self,
                    const char      *provider)
{
  TauProviderConfig *config = tau_model_set_get_provider (self->known, provider);

  return config != NULL && config->api_key != NULL && config->api_key[0] != '\0';
}

/* Models of servers on this machine and the demo. */
static gboolean
needs_no_key (TauModelCatalog *self,
              TauModel        *model)
{
  const char *provider = tau_model_get_provider (model);

  return g_str_equal (provider, TAU_DEMO_PROVIDER) ||
         (tau_local_servers_is_local (provider) && tau_model_set_find (self->known, provider, NULL) == NULL);
}

/**
 * tau_model_catalog_is_available:
 * @self: the catalogue
 * @model: a model
 *
 * Returns: whether a request to it can be tried: its protocol is spoken, and a key is configured or none is needed
 */
gboolean
tau_model_catalog_is_available (TauModelCatalog *self,
                                TauModel        *model)
{
  const char *provider;

  g_return_val_if_fail (TAU_IS_MODEL_CATALOG (self), FALSE);
  g_return_val_if_fail (TAU_IS_MODEL (model), FALSE);

  provider = tau_model_get_provider (model);

  return tau_provider_lookup (tau_model_get_api (model)) != NULL &&
         (needs_no_key (self, model) || tau_credentials_has_key (self->credentials, provider) ||
          has_configured_key (self, provider));
}

/**
 * tau_model_catalog_set_runtime_key:
 * @self: the catalogue
 * @provider: vendor id
 * @key: (nullable): a key for this process only
 *
 * Sets the key of the command line, which comes before all others.
 */
void
tau_model_catalog_set_runtime_key (TauModelCatalog *self,
                                   const char      *provider,
                                   const char      *key)
{
  g_return_if_fail (TAU_IS_MODEL_CATALOG (self));

  tau_credentials_set_runtime_key (self->credentials, provider, key);
  fill (self);
}

/**
 * tau_model_catalog_store_key:
 * @self: the catalogue
 * @provider: vendor id
 * @key: (nullable): the key, or %NULL to remove it
 * @error: return location: auth.json cannot be read or written
 *
 * Writes a key to auth.json.
 *
 * Returns: whether it is stored
 */
gboolean
tau_model_catalog_store_key (TauModelCatalog *self,
                             const char      *provider,
                             const char      *key,
                             GError         **error)
{
  g_return_val_if_fail (TAU_IS_MODEL_CATALOG (self), FALSE);

  if (!tau_credentials_store_key (self->credentials, provider, key, error))
    return FALSE;

  fill (self);
  return TRUE;
}

typedef struct
{
  char     *api_key;
  JsonNode *headers;
} Resolved;

static void
resolved_free (gpointer data)
{
  Resolved *resolved = data;

  g_free (resolved->api_key);
  g_clear_pointer (&resolved->headers, json_node_unref);
  g_free (resolved);
}

static void
resolved_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  TauModelCatalog *self = g_task_get_source_object (task);
  Resolved *resolved = g_new0 (Resolved, 1);
  GError *error = NULL;

  if (!tau_model_auth_resolve_finish (result, &resolved->api_key, &resolved->headers, &error))
    {
      resolved_free (resolved);
      g_task_return_error (task, error);
      return;
    }

  /* The protocol wants a key; these servers do not look at it. */
  if (resolved->api_key == NULL && needs_no_key (self, g_task_get_task_data (task)))
    resolved->api_key = g_strdup ("none");
  g_task_return_pointer (task, resolved, resolved_free);
}

/**
 * tau_model_catalog_resolve_async:
 * @self: the catalogue
 * @model: the model that is to be asked
 * @cancellable: (nullable): to stop it
 * @callback: called when all is known
 * @user_data: for @callback
 *
 * Finds key and headers for one request. Commands ("!…") run here.
 */
void
tau_model_catalog_resolve_async (TauModelCatalog    *self,
                                 TauModel           *model,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tau_model_catalog_resolve_async);
  g_task_set_task_data (task, g_object_ref (model), g_object_unref);
  tau_model_auth_resolve_async (self->credentials, tau_model_set_get_provider (self->known, tau_model_get_provider (model)),
                                model, cancellable, resolved_cb, task);
}

/**
 * tau_model_catalog_resolve_finish:
 * @self: the catalogue
 * @result: the result
 * @api_key: (out) (transfer full) (nullable): the key
 * @headers: (out) (transfer full) (nullable): JSON object of headers
 * @error: return location
 *
 * Returns: whether everything could be found out; without a key and without an error there is none
 */
gboolean
tau_model_catalog_resolve_finish (TauModelCatalog *self,
                                  GAsyncResult    *result,
                                  char           **api_key,
                                  JsonNode       **headers,
                                  GError         **error)
{
  Resolved *resolved = g_task_propagate_pointer (G_TASK (result), error);

  *api_key = resolved != NULL ? g_steal_pointer (&resolved->api_key) : NULL;
  *headers = resolved != NULL ? g_steal_pointer (&resolved->headers) : NULL;
  if (resolved == NULL)
    return FALSE;

  resolved_free (resolved);
  return TRUE;
}

/**
 * tau_model_catalog_choose:
 * @self: the catalogue
 * @provider: (nullable): vendor id, as typed
 * @pattern: (nullable): what was typed for the model
 * @level: (inout): thinking level; changed only if the pattern has one
 * @has_level: (out): whether it has one
 * @warning: (out) (transfer full) (nullable): a sentence for a person
 * @error: return location
 *
 * Finds the model that a person means; among equals, one that can be used.
 *
 * Returns: (transfer full) (nullable): the model
 */
TauModel *
tau_model_catalog_choose (TauModelCatalog  *self,
                          const char       *provider,
                          const char       *pattern,
                          TauThinkingLevel *level,
                          gboolean         *has_level,
                          char            **warning,
                          GError          **error)
{
  g_autoptr(GPtrArray) models = g_ptr_array_new_with_free_func (g_object_unref);
  TauModelChoice choice;

  g_return_val_if_fail (TAU_IS_MODEL_CATALOG (self), NULL);

  list_to_array (self->models, list_to_array (self->available, models));
  *has_level = FALSE;
  *warning = NULL;
  if (!tau_model_choice_make (&choice, models, provider, pattern, error))
    return NULL;

  *has_level = choice.has_level;
  if (choice.has_level)
    *level = choice.level;
  *warning = choice.warning;

  return choice.model;
}

/**
 * tau_model_catalog_choose_default:
 * @self: the catalogue
 * @settings_provider: (nullable): the settings' "defaultProvider"
 * @settings_model: (nullable): the settings' "defaultModel"
 *
 * Returns: (transfer full) (nullable): the settings' model if it exists, else one that can be used; the demo comes last
 */
TauModel *
tau_model_catalog_choose_default (TauModelCatalog *self,
                                  const char      *settings_provider,
                                  const char      *settings_model)
{
  g_autoptr(GPtrArray) available = g_ptr_array_new_with_free_func (g_object_unref);
  TauModel *model = tau_model_catalog_find (self, settings_provider, settings_model);

  if (model != NULL)
    return g_object_ref (model);

  return tau_model_choice_first (list_to_array (self->available, available));
}

static void
discovered_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  TauModelCatalog *self = g_task_get_source_object (task);

  g_ptr_array_unref (self->local);
  self->local = tau_local_servers_discover_finish (result);
  fill (self);
  g_task_return_int (task, self->local->len);
}

/**
 * tau_model_catalog_discover_async:
 * @self: the catalogue
 * @cancellable: (nullable): to stop it
 * @callback: called when all usual servers have answered or are late
 * @user_data: for @callback
 *
 * Looks for model servers on this machine and adds what they have.
 */
void
tau_model_catalog_discover_async (TauModelCatalog    *self,
                                  GCancellable       *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer            user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  guint n_servers;
  const TauLocalServer *servers = tau_local_servers_get_usual (&n_servers);

  g_task_set_source_tag (task, tau_model_catalog_discover_async);
  g_task_set_check_cancellable (task, FALSE);
  tau_local_servers_discover_async (servers, n_servers, LOCAL_PATIENCE_MS, cancellable, discovered_cb, task);
}

/**
 * tau_model_catalog_discover_finish:
 * @self: the catalogue
 * @result: the result
 *
 * Returns: how many models were found
 */
guint
tau_model_catalog_discover_finish (TauModelCatalog *self,
                                   GAsyncResult    *result)
{
  gssize n_found;

  n_found = g_task_propagate_int (G_TASK (result), NULL);
  return (guint) MAX (0, n_found);
}
