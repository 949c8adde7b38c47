/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-handlers.h"

#include "cli/tau-rpc-data.h"
#include "core/base/tau-json.h"

/* Commands about the model and about how the session works. */

/**
 * tau_rpc_get_available_models:
 * @self: (transfer full): the call
 *
 * Lists the models that can be used.
 */
void
tau_rpc_get_available_models (TauRpcCall *self)
{
  tau_rpc_call_succeed (self, tau_rpc_data_models (tau_agent_session_get_catalog (tau_rpc_call_get_session (self))));
}

/**
 * tau_rpc_set_model:
 * @self: (transfer full): the call
 *
 * Changes the model.
 */
void
tau_rpc_set_model (TauRpcCall *self)
{
  TauModelCatalog *catalog = tau_agent_session_get_catalog (tau_rpc_call_get_session (self));
  const char *provider = tau_rpc_call_get_string (self, "provider");
  const char *id = tau_rpc_call_get_string (self, "modelId");
  TauModel *model = tau_model_catalog_find (catalog, provider, id);
  g_autoptr(GError) error = NULL;

  if (model == NULL || !tau_model_catalog_is_available (catalog, model))
    {
      g_autofree char *text = g_strdup_printf ("Model not found: %s/%s", provider, id);

      tau_rpc_call_fail (self, text);
      return;
    }

  if (!tau_agent_session_set_model (tau_rpc_call_get_session (self), model, &error))
    tau_rpc_call_fail (self, error->message);
  else
    tau_rpc_call_succeed (self, tau_model_to_json (model));
}

static GPtrArray *
dup_models_to_cycle (TauRpcCall *self)
{
  GPtrArray *scope = tau_cli_startup_get_scope (tau_rpc_mode_get_startup (self->mode));
  GListModel *available;
  GPtrArray *models;

  if (scope != NULL && scope->len > 0)
    return g_ptr_array_ref (scope);

  available = tau_model_catalog_get_available (tau_agent_session_get_catalog (tau_rpc_call_get_session (self)));
  models = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items (available); i++)
    g_ptr_array_add (models, g_list_model_get_item (available, i));

  return models;
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
 * tau_rpc_cycle_model:
 * @self: (transfer full): the call
 *
 * Changes to the next model, of those on the command line or of all.
 */
void
tau_rpc_cycle_model (TauRpcCall *self)
{
  TauAgentSession *session = tau_rpc_call_get_session (self);
  g_autoptr(GPtrArray) models = dup_models_to_cycle (self);
  g_autoptr(GError) error = NULL;
  JsonObject *data;
  TauModel *next;

  if (models->len <= 1)
    {
      tau_rpc_call_succeed (self, tau_json_node_new_null ());
      return;
    }

  next = g_ptr_array_index (models, (position_of (models, tau_agent_session_get_model (session)) + 1) % models->len);
  if (!tau_agent_session_set_model (session, next, &error))
    {
      tau_rpc_call_fail (self, error->message);
      return;
    }

  data = json_object_new ();
  json_object_set_member (data, "model", tau_model_to_json (next));
  json_object_set_string_member (data, "thinkingLevel",
                                 tau_thinking_level_to_string (tau_agent_session_get_thinking_level (session)));
  json_object_set_boolean_member (data, "isScoped", tau_cli_startup_get_scope (tau_rpc_mode_get_startup (self->mode)) != NULL);
  tau_rpc_call_succeed (self, tau_json_node_new_object (data));
}

/**
 * tau_rpc_set_thinking_level:
 * @self: (transfer full): the call
 *
 * Changes how much the model is to reason.
 */
void
tau_rpc_set_thinking_level (TauRpcCall *self)
{
  TauThinkingLevel level;

  if (!tau_thinking_level_from_string (tau_rpc_call_get_string (self, "level"), &level))
    {
      tau_rpc_call_fail (self, "Invalid thinking level");
      return;
    }

  tau_agent_session_set_thinking_level (tau_rpc_call_get_session (self), level);
  tau_rpc_call_succeed (self, NULL);
}

/**
 * tau_rpc_cycle_thinking_level:
 * @self: (transfer full): the call
 *
 * Changes to the next level that the model knows, in rising order, then the lowest again.
 */
void
tau_rpc_cycle_thinking_level (TauRpcCall *self)
{
  TauAgentSession *session = tau_rpc_call_get_session (self);
  TauModel *model = tau_agent_session_get_model (session);
  TauThinkingLevel level = tau_agent_session_get_thinking_level (session);

  if (model == NULL || !tau_model_get_reasoning (model))
    {
      tau_rpc_call_succeed (self, tau_json_node_new_null ());
      return;
    }

  do
    level = (level + 1) % TAU_THINKING_N_LEVELS;
  while (level != TAU_THINKING_OFF && !tau_model_supports_level (model, level));

  tau_agent_session_set_thinking_level (session, level);
  tau_rpc_call_succeed_with_string (self, "level", tau_thinking_level_to_string (level));
}

static void
store_setting (TauRpcCall *self,
               const char *path,
               JsonNode   *value)
{
  g_autoptr(JsonNode) owned = value;
  g_autoptr(GError) error = NULL;

  if (!tau_settings_set (tau_agent_session_get_settings (tau_rpc_call_get_session (self)), path, owned, &error))
    tau_rpc_call_fail (self, error->message);
  else
    tau_rpc_call_succeed (self, NULL);
}

static void
set_queue_mode (TauRpcCall *self,
                const char *setting,
                void      (*set_mode) (TauAgent *agent, TauQueueMode mode))
{
  const char *name = tau_rpc_call_get_string (self, "mode");
  TauQueueMode mode = g_str_equal (name, "all") ? TAU_QUEUE_ALL : TAU_QUEUE_ONE_AT_A_TIME;

  if (!g_str_equal (name, tau_rpc_data_queue_mode (mode)))
    {
      tau_rpc_call_fail (self, "The mode must be \"all\" or \"one-at-a-time\"");
      return;
    }
  set_mode (tau_agent_session_get_agent (tau_rpc_call_get_session (self)), mode);
  store_setting (self, setting, tau_json_node_new_string (tau_rpc_data_queue_mode (mode)));
}

/**
 * tau_rpc_set_steering_mode:
 * @self: (transfer full): the call
 *
 * Tells how steering messages are taken from their queue; kept in the settings.
 */
void
tau_rpc_set_steering_mode (TauRpcCall *self)
{
  set_queue_mode (self, "steeringMode", tau_agent_set_steering_mode);
}

/**
 * tau_rpc_set_follow_up_mode:
 * @self: (transfer full): the call
 *
 * Tells how follow-ups are taken from their queue; kept in the settings.
 */
void
tau_rpc_set_follow_up_mode (TauRpcCall *self)
{
  set_queue_mode (self, "followUpMode", tau_agent_set_follow_up_mode);
}

/**
 * tau_rpc_set_auto_compaction:
 * @self: (transfer full): the call
 *
 * Tells whether a session is compacted by itself; kept in the settings.
 */
void
tau_rpc_set_auto_compaction (TauRpcCall *self)
{
  store_setting (self, "compaction.enabled", tau_json_node_new_bool (tau_json_get_bool (self->json, "enabled", TRUE)));
}

/**
 * tau_rpc_set_auto_retry:
 * @self: (transfer full): the call
 *
 * Tells whether a failed answer is tried again; kept in the settings.
 */
void
tau_rpc_set_auto_retry (TauRpcCall *self)
{
  store_setting (self, "retry.enabled", tau_json_node_new_bool (tau_json_get_bool (self->json, "enabled", TRUE)));
}
