/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/config/tau-credentials.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-io.h"
#include "core/base/tau-json.h"
#include "core/config/tau-config-value.h"
#include "core/config/tau-lock-dir.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

/* Keys of providers: given on the command line, stored in auth.json (shared with pi), or in the environment; in this order.
 * LIVE, main thread, owned by the model catalogue. Entries that Tau does not use, such as subscription logins of
 * other vendors, stay in the file as they are. A file that cannot be read is never written. No key is ever logged. */
struct _TauCredentials
{
  GObject parent_instance;

  char       *path;
  JsonNode   *stored;         /* object; what the file held when it was last readable */
  gboolean    broken;         /* the file is there and is not what it should be */
  char       *problem;
  GHashTable *runtime_keys;   /* provider → key */
  GHashTable *command_keys;   /* provider → what its command printed; "" if it failed */
};

G_DEFINE_FINAL_TYPE (TauCredentials, tau_credentials, G_TYPE_OBJECT)

/* First one that is set and not empty counts. */
static const struct
{
  const char *provider;
  const char *variables[4];
}
environment[] = {
  { "anthropic", { "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY" } },
  { "openai", { "OPENAI_API_KEY" } },
  { "azure-openai-responses", { "AZURE_OPENAI_API_KEY" } },
  { "github-copilot", { "COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN" } },
  { "google", { "GEMINI_API_KEY" } },
  { "deepseek", { "DEEPSEEK_API_KEY" } },
  { "groq", { "GROQ_API_KEY" } },
  { "cerebras", { "CEREBRAS_API_KEY" } },
  { "xai", { "XAI_API_KEY" } },
  { "openrouter", { "OPENROUTER_API_KEY" } },
  { "vercel-ai-gateway", { "AI_GATEWAY_API_KEY" } },
  { "zai", { "ZAI_API_KEY" } },
  { "mistral", { "MISTRAL_API_KEY" } },
  { "minimax", { "MINIMAX_API_KEY" } },
  { "minimax-cn", { "MINIMAX_CN_API_KEY" } },
  { "moonshotai", { "MOONSHOT_API_KEY" } },
  { "moonshotai-cn", { "MOONSHOT_API_KEY" } },
  { "huggingface", { "HF_TOKEN" } },
  { "fireworks", { "FIREWORKS_API_KEY" } },
  { "opencode", { "OPENCODE_API_KEY" } },
  { "opencode-go", { "OPENCODE_API_KEY" } },
  { "kimi-coding", { "KIMI_API_KEY" } },
  { "cloudflare-workers-ai", { "CLOUDFLARE_API_KEY" } },
  { "cloudflare-ai-gateway", { "CLOUDFLARE_API_KEY" } },
  { "xiaomi", { "XIAOMI_API_KEY" } },
  { "xiaomi-token-plan-cn", { "XIAOMI_TOKEN_PLAN_CN_API_KEY" } },
  { "xiaomi-token-plan-ams", { "XIAOMI_TOKEN_PLAN_AMS_API_KEY" } },
  { "xiaomi-token-plan-sgp", { "XIAOMI_TOKEN_PLAN_SGP_API_KEY" } },
};

static void
tau_credentials_finalize (GObject *object)
{
  TauCredentials *self = TAU_CREDENTIALS (object);

  g_free (self->path);
  g_clear_pointer (&self->stored, json_node_unref);
  g_free (self->problem);
  g_hash_table_unref (self->runtime_keys);
  g_hash_table_unref (self->command_keys);

  G_OBJECT_CLASS (tau_credentials_parent_class)->finalize (object);
}

static void
tau_credentials_class_init (TauCredentialsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_credentials_finalize;
}

static void
tau_credentials_init (TauCredentials *self)
{
  self->runtime_keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->command_keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->stored = tau_json_node_new_object (json_object_new ());
}

/**
 * tau_credentials_new:
 * @agent_dir: folder of auth.json
 *
 * Returns: (transfer full): the credentials, read from there
 */
TauCredentials *
tau_credentials_new (const char *agent_dir)
{
  TauCredentials *self = g_object_new (TAU_TYPE_CREDENTIALS, NULL);

  self->path = g_build_filename (agent_dir, "auth.json", NULL);
  tau_credentials_reload (self);

  return self;
}

/* NULL with an error if it is there but cannot be used. An absent file is an empty object. */
static JsonNode *
read_file (TauCredentials *self,
           GError        **error)
{
  g_autofree char *text = NULL;
  gsize length;
  g_autoptr(GError) local = NULL;
  g_autoptr(JsonNode) node = NULL;

  if (!g_file_get_contents (self->path, &text, &length, &local))
    {
      if (g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return tau_json_node_new_object (json_object_new ());
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }

  node = tau_json_parse (text, (gssize) length, error);
  if (node != NULL && !JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_SYNTAX, "not an object at line 1, column 1");
      return NULL;
    }

  return g_steal_pointer (&node);
}

/**
 * tau_credentials_reload:
 * @self: the credentials
 *
 * Reads auth.json again. If it cannot be read, what was known before stays.
 */
void
tau_credentials_reload (TauCredentials *self)
{
  g_autoptr(GError) error = NULL;
  JsonNode *node;

  g_return_if_fail (TAU_IS_CREDENTIALS (self));

  node = read_file (self, &error);
  g_clear_pointer (&self->problem, g_free);
  self->broken = node == NULL;
  if (node != NULL)
    {
      json_node_unref (self->stored);
      self->stored = node;
    }
  else
    self->problem = g_strdup_printf (_("The file %s cannot be used: %s. Stored keys are not available."), self->path,
                                     error->message);
}

/**
 * tau_credentials_get_problem:
 * @self: the credentials
 *
 * Returns: (transfer none) (nullable): what is wrong with auth.json, for a person
 */
const char *
tau_credentials_get_problem (TauCredentials *self)
{
  g_return_val_if_fail (TAU_IS_CREDENTIALS (self), NULL);

  return self->problem;
}

/**
 * tau_credentials_set_runtime_key:
 * @self: the credentials
 * @provider: vendor id
 * @key: (nullable): a key for this process only, or %NULL to forget it
 *
 * Sets a key that comes before all others and is stored nowhere.
 */
void
tau_credentials_set_runtime_key (TauCredentials *self,
                                 const char     *provider,
                                 const char     *key)
{
  g_return_if_fail (TAU_IS_CREDENTIALS (self));

  if (key != NULL)
    g_hash_table_replace (self->runtime_keys, g_strdup (provider), g_strdup (key));
  else
    g_hash_table_remove (self->runtime_keys, provider);
}

/**
 * tau_credentials_get_variables:
 * @provider: vendor id
 *
 * Returns: (transfer none): the environment variables that may hold its key, in order
 */
const char * const *
tau_credentials_get_variables (const char *provider)
{
  static const char * const none[] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (environment); i++)
    if (g_str_equal (environment[i].provider, provider))
      return environment[i].variables;

  return none;
}

static const char *
find_in_environment (const char *provider)
{
  for (const char * const *name = tau_credentials_get_variables (provider); *name != NULL; name++)
    {
      const char *value = g_getenv (*name);

      if (value != NULL && value[0] != '\0')
        return value;
    }

  return NULL;
}

/* Member of a provider's entry. Provider ids may hold dots, so no path is used. */
static JsonNode *
get_entry (TauCredentials *self,
           const char     *provider)
{
  JsonNode *entry = json_object_get_member (json_node_get_object (self->stored), provider);

  return entry != NULL && JSON_NODE_HOLDS_OBJECT (entry) ? entry : NULL;
}

static const char *
get_stored_key (TauCredentials *self,
                const char     *provider)
{
  JsonNode *entry = get_entry (self, provider);

  return g_strcmp0 (tau_json_get_string (entry, "type", NULL), "api_key") == 0 ? tau_json_get_string (entry, "key", NULL) : NULL;
}

/* A login that pi made; Tau uses it until it expires and leaves renewing to pi. */
static const char *
get_login (TauCredentials *self,
           const char     *provider)
{
  JsonNode *entry = get_entry (self, provider);

  if (!g_str_equal (provider, "anthropic") || g_strcmp0 (tau_json_get_string (entry, "type", NULL), "oauth") != 0 ||
      tau_json_get_int (entry, "expires", 0) <= tau_clock_now_ms ())
    return NULL;

  return tau_json_get_string (entry, "access", NULL);
}

/**
 * tau_credentials_has_key:
 * @self: the credentials
 * @provider: vendor id
 *
 * Returns: whether a key is configured; a command counts as one without being run
 */
gboolean
tau_credentials_has_key (TauCredentials *self,
                         const char     *provider)
{
  g_return_val_if_fail (TAU_IS_CREDENTIALS (self), FALSE);

  return g_hash_table_contains (self->runtime_keys, provider) || get_stored_key (self, provider) != NULL ||
         get_login (self, provider) != NULL || find_in_environment (provider) != NULL;
}

/* Between the reading and the writing nobody else may write. */
static gboolean
change_file (TauCredentials *self,
             const char     *provider,
             const char     *key,
             GError        **error)
{
  g_autoptr(JsonNode) node = read_file (self, error);
  g_autofree char *text = NULL;

  if (node == NULL)
    return FALSE;

  if (key != NULL)
    {
      JsonObject *entry = json_object_new ();

      json_object_set_string_member (entry, "type", "api_key");
      json_object_set_string_member (entry, "key", key);
      tau_json_object_set (json_node_get_object (node), provider, tau_json_node_new_object (entry));
    }
  else
    json_object_remove_member (json_node_get_object (node), provider);

  text = tau_json_to_pretty_string (node);
  if (!tau_io_write_atomic (self->path, text, (gssize) strlen (text), 0600, error))
    return FALSE;

  g_chmod (self->path, 0600);
  return TRUE;
}

/**
 * tau_credentials_store_key:
 * @self: the credentials
 * @provider: vendor id
 * @key: (nullable): the key, or %NULL to remove the entry
 * @error: return location: the file cannot be locked, read or written
 *
 * Writes a key to auth.json, readable by its owner only. All other entries stay, also those that other programs write
 * meanwhile: they and we take turns by the same lock.
 *
 * Returns: whether the key is stored
 */
gboolean
tau_credentials_store_key (TauCredentials *self,
                           const char     *provider,
                           const char     *key,
                           GError        **error)
{
  g_autofree char *folder = NULL;
  TauLockDir *lock;
  gboolean stored;

  g_return_val_if_fail (TAU_IS_CREDENTIALS (self), FALSE);

  folder = g_path_get_dirname (self->path);
  g_mkdir_with_parents (folder, 0700);
  lock = tau_lock_dir_acquire (self->path, error);
  if (lock == NULL)
    return FALSE;
  stored = change_file (self, provider, key, error);
  tau_lock_dir_release (lock);
  if (!stored)
    return FALSE;

  g_hash_table_remove (self->command_keys, provider);
  tau_credentials_reload (self);

  return TRUE;
}

static void
command_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  TauCredentials *self = g_task_get_source_object (task);
  const char *provider = g_task_get_task_data (task);
  g_autoptr(GError) error = NULL;
  g_autofree char *key = tau_config_value_resolve_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  /* A command runs once for the process, also when it fails: it may ask the user something. */
  g_hash_table_replace (self->command_keys, g_strdup (provider), g_strdup (key != NULL ? key : ""));
  g_task_return_pointer (task, g_steal_pointer (&key), g_free);
}

static void
resolve_stored (GTask      *task,
                const char *stored)
{
  TauCredentials *self = g_task_get_source_object (task);
  const char *provider = g_task_get_task_data (task);
  const char *known = g_hash_table_lookup (self->command_keys, provider);

  if (!tau_config_value_is_command (stored))
    g_task_return_pointer (task, tau_config_value_read (stored), g_free);
  else if (known != NULL)
    g_task_return_pointer (task, known[0] != '\0' ? g_strdup (known) : NULL, g_free);
  else
    tau_config_value_resolve_async (stored, g_task_get_cancellable (task), command_cb, g_object_ref (task));
}

/**
 * tau_credentials_resolve_async:
 * @self: the credentials
 * @provider: vendor id
 * @cancellable: (nullable): to stop it
 * @callback: called when the key is known
 * @user_data: for @callback
 *
 * Finds the key of a provider. A stored key that resolves to nothing is no key, even if the environment has one.
 */
void
tau_credentials_resolve_async (TauCredentials     *self,
                               const char         *provider,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);
  const char *key = g_hash_table_lookup (self->runtime_keys, provider);
  const char *stored = get_stored_key (self, provider);

  g_task_set_source_tag (task, tau_credentials_resolve_async);
  g_task_set_task_data (task, g_strdup (provider), g_free);
  if (key == NULL && stored != NULL)
    {
      resolve_stored (task, stored);
      return;
    }
  if (key == NULL)
    key = get_login (self, provider);
  if (key == NULL)
    key = find_in_environment (provider);
  g_task_return_pointer (task, g_strdup (key), g_free);
}

/**
 * tau_credentials_resolve_finish:
 * @self: the credentials
 * @result: the result
 * @error: return location for %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (nullable): the key, %NULL without an error if there is none
 */
char *
tau_credentials_resolve_finish (TauCredentials *self,
                                GAsyncResult   *result,
                                GError        **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
