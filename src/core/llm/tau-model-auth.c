/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-model-auth.h"

#include "core/base/tau-json.h"
#include "core/config/tau-config-value.h"

/* Key and headers of one request: the key from the credentials, else from models.json; the headers' values, each of which may be
 * a command, one after the other. What comes out is secret and is handed to the request only. */

typedef struct
{
  char       *fallback;      /* nullable: models.json's key, unresolved */
  gboolean    auth_header;
  JsonNode   *headers;       /* nullable: unresolved object */
  GList      *names;         /* of those that are left; borrowed from headers */
  char       *api_key;
  JsonObject *resolved;
} Auth;

static void
auth_free (gpointer data)
{
  Auth *auth = data;

  g_free (auth->fallback);
  g_list_free (auth->names);
  g_clear_pointer (&auth->headers, json_node_unref);
  g_free (auth->api_key);
  json_object_unref (auth->resolved);
  g_free (auth);
}

static void resolve_next_header (GTask *task);

static void
header_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  Auth *auth = g_task_get_task_data (task);
  GError *error = NULL;
  g_autofree char *value = tau_config_value_resolve_finish (result, &error);

  if (value == NULL)
    {
      g_prefix_error (&error, "header %s: ", (const char *) auth->names->data);
      g_task_return_error (task, error);
      return;
    }

  json_object_set_string_member (auth->resolved, auth->names->data, value);
  auth->names = g_list_delete_link (auth->names, auth->names);
  resolve_next_header (g_steal_pointer (&task));
}

/* Takes over the task. */
static void
resolve_next_header (GTask *task)
{
  Auth *auth = g_task_get_task_data (task);
  const char *value;

  if (auth->names == NULL)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }

  value = json_object_get_string_member_with_default (json_node_get_object (auth->headers), auth->names->data, "");
  tau_config_value_resolve_async (value, g_task_get_cancellable (task), header_cb, task);
}

/* Takes over the task. */
static void
take_key (GTask *task,
          char  *key)
{
  Auth *auth = g_task_get_task_data (task);

  auth->api_key = key;
  if (auth->auth_header && key != NULL)
    {
      g_autofree char *bearer = g_strconcat ("Bearer ", key, NULL);

      json_object_set_string_member (auth->resolved, "Authorization", bearer);
    }
  resolve_next_header (task);
}

static void
fallback_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  GError *error = NULL;
  char *key = tau_config_value_resolve_finish (result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    take_key (g_steal_pointer (&task), key);
}

static void
credentials_cb (GObject      *object,
                GAsyncResult *result,
                gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  Auth *auth = g_task_get_task_data (task);
  GError *error = NULL;
  char *key = tau_credentials_resolve_finish (TAU_CREDENTIALS (object), result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else if (key == NULL && auth->fallback != NULL)
    tau_config_value_resolve_async (auth->fallback, g_task_get_cancellable (task), fallback_cb, g_object_ref (task));
  else
    take_key (g_steal_pointer (&task), key);
}

/**
 * tau_model_auth_resolve_async:
 * @credentials: where keys are
 * @config: (nullable): what models.json says of the model's vendor
 * @model: the model that is to be asked
 * @cancellable: (nullable): to stop it
 * @callback: called when all is known
 * @user_data: for @callback
 *
 * Finds the key and the headers for one request, running commands where they are asked for.
 */
void
tau_model_auth_resolve_async (TauCredentials          *credentials,
                              const TauProviderConfig *config,
                              TauModel                *model,
                              GCancellable            *cancellable,
                              GAsyncReadyCallback      callback,
                              gpointer                 user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Auth *auth = g_new0 (Auth, 1);
  JsonNode *headers = tau_model_get_headers (model);

  auth->resolved = json_object_new ();
  if (headers != NULL)
    {
      auth->headers = tau_json_copy (headers);
      auth->names = json_object_get_members (json_node_get_object (auth->headers));
    }
  if (config != NULL)
    {
      auth->fallback = g_strdup (config->api_key);
      auth->auth_header = config->auth_header;
    }
  g_task_set_source_tag (task, tau_model_auth_resolve_async);
  g_task_set_task_data (task, auth, auth_free);
  tau_credentials_resolve_async (credentials, tau_model_get_provider (model), cancellable, credentials_cb,
                                 g_steal_pointer (&task));
}

/**
 * tau_model_auth_resolve_finish:
 * @result: the result
 * @api_key: (out) (transfer full) (nullable): the key, %NULL if there is none
 * @headers: (out) (transfer full) (nullable): object of headers, %NULL if there are none
 * @error: return location: a command failed, or %G_IO_ERROR_CANCELLED
 *
 * Returns: whether everything could be found out
 */
gboolean
tau_model_auth_resolve_finish (GAsyncResult *result,
                               char        **api_key,
                               JsonNode    **headers,
                               GError      **error)
{
  Auth *auth = g_task_get_task_data (G_TASK (result));

  *api_key = NULL;
  *headers = NULL;
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;

  *api_key = g_steal_pointer (&auth->api_key);
  if (json_object_get_size (auth->resolved) > 0)
    *headers = tau_json_node_new_object (json_object_ref (auth->resolved));

  return TRUE;
}
