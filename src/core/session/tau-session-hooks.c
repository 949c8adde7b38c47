/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-hooks.h"

#include "core/message/tau-message-convert.h"
#include "core/session/tau-request-images.h"

/**
 * TauSessionHooks:
 *
 * Where a session steps into the agent's loop: keys come from the catalog at each request, and pictures are made
 * fit for it, or left out if the settings say so. Owned by the agent; does not know the session, so that neither keeps the other alive.
 */
struct _TauSessionHooks
{
  GObject parent_instance;

  TauModelCatalog  *catalog;
  TauSettings      *settings;
  TauRequestImages *images;
};

static void tau_session_hooks_iface_init (TauAgentHooksInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TauSessionHooks, tau_session_hooks, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TAU_TYPE_AGENT_HOOKS, tau_session_hooks_iface_init))

static void
fitted_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  GError *error = NULL;
  GPtrArray *fitted = tau_request_images_fit_finish (result, &error);

  if (fitted != NULL)
    g_task_return_pointer (task, fitted, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
tau_session_hooks_convert_to_llm_async (TauAgentHooks       *hooks,
                                        GPtrArray           *messages,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  TauSessionHooks *self = TAU_SESSION_HOOKS (hooks);
  g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr(GPtrArray) converted = tau_messages_convert_to_llm (messages);

  g_task_set_source_tag (task, tau_session_hooks_convert_to_llm_async);
  if (tau_settings_get_bool (self->settings, "images.blockImages", FALSE))
    {
      GPtrArray *without = tau_messages_block_images (converted);

      g_ptr_array_unref (converted);
      converted = without;
    }
  tau_request_images_fit_async (self->images, converted, cancellable, fitted_cb, g_steal_pointer (&task));
}

static GPtrArray *
tau_session_hooks_convert_to_llm_finish (TauAgentHooks *hooks,
                                         GAsyncResult  *result,
                                         GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

typedef struct
{
  char     *api_key;
  JsonNode *headers;
} Key;

static void
key_free (gpointer data)
{
  Key *key = data;

  g_free (key->api_key);
  g_clear_pointer (&key->headers, json_node_unref);
  g_free (key);
}

static void
resolved_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  g_autoptr(GError) error = NULL;
  Key *key = g_new0 (Key, 1);

  if (tau_model_catalog_resolve_finish (TAU_MODEL_CATALOG (object), result, &key->api_key, &key->headers, &error))
    g_task_return_pointer (task, key, key_free);
  else
    {
      key_free (key);
      g_task_return_error (task, g_steal_pointer (&error));
    }
}

static void
tau_session_hooks_get_api_key_async (TauAgentHooks       *hooks,
                                     TauModel            *model,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  TauSessionHooks *self = TAU_SESSION_HOOKS (hooks);
  g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tau_session_hooks_get_api_key_async);
  tau_model_catalog_resolve_async (self->catalog, model, cancellable, resolved_cb, g_steal_pointer (&task));
}

static gboolean
tau_session_hooks_get_api_key_finish (TauAgentHooks *hooks,
                                      GAsyncResult  *result,
                                      char         **api_key,
                                      JsonNode     **headers,
                                      GError       **error)
{
  Key *key = g_task_propagate_pointer (G_TASK (result), error);

  if (key == NULL)
    return FALSE;
  *api_key = g_steal_pointer (&key->api_key);
  *headers = g_steal_pointer (&key->headers);
  key_free (key);
  return TRUE;
}

static void
tau_session_hooks_iface_init (TauAgentHooksInterface *iface)
{
  iface->convert_to_llm_async = tau_session_hooks_convert_to_llm_async;
  iface->convert_to_llm_finish = tau_session_hooks_convert_to_llm_finish;
  iface->get_api_key_async = tau_session_hooks_get_api_key_async;
  iface->get_api_key_finish = tau_session_hooks_get_api_key_finish;
}

static void
tau_session_hooks_finalize (GObject *object)
{
  TauSessionHooks *self = TAU_SESSION_HOOKS (object);

  g_clear_object (&self->catalog);
  g_clear_object (&self->settings);
  tau_request_images_unref (self->images);

  G_OBJECT_CLASS (tau_session_hooks_parent_class)->finalize (object);
}

static void
tau_session_hooks_class_init (TauSessionHooksClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_session_hooks_finalize;
}

static void
tau_session_hooks_init (TauSessionHooks *self)
{
  self->images = tau_request_images_new ();
}

/**
 * tau_session_hooks_new:
 * @catalog: models and keys
 * @settings: of the session
 *
 * Returns: (transfer full): the hooks
 */
TauSessionHooks *
tau_session_hooks_new (TauModelCatalog *catalog,
                       TauSettings     *settings)
{
  TauSessionHooks *self = g_object_new (TAU_TYPE_SESSION_HOOKS, NULL);

  self->catalog = g_object_ref (catalog);
  self->settings = g_object_ref (settings);
  return self;
}
