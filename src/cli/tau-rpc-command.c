/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-command.h"

#include "cli/tau-rpc-data.h"
#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/message/tau-block-json.h"

/* One command on its way. Its handler owns it and ends it by succeed() or fail(), at once or later. Texts of errors are
 * part of pi's protocol and not translated. */
typedef struct
{
  TauRpcMode *mode;
  JsonNode   *json;
} Command;

typedef void (*Handler) (Command *command);

static void
command_free (Command *self)
{
  g_object_unref (self->mode);
  json_node_unref (self->json);
  g_free (self);
}

static TauAgentSession *
session_of (Command *self)
{
  return tau_rpc_mode_get_session (self->mode);
}

static const char *
string_of (Command    *self,
           const char *key)
{
  return tau_json_get_string (self->json, key, "");
}

static JsonObject *
begin_answer (JsonNode   *id,
              const char *name,
              gboolean    success)
{
  JsonObject *answer = json_object_new ();

  if (id != NULL)
    json_object_set_member (answer, "id", json_node_ref (id));
  json_object_set_string_member (answer, "type", "response");
  json_object_set_string_member (answer, "command", name);
  json_object_set_boolean_member (answer, "success", success);

  return answer;
}

static void
write_answer (TauRpcMode *mode,
              JsonObject *answer)
{
  g_autoptr(JsonNode) node = tau_json_node_new_object (answer);

  tau_rpc_mode_write (mode, node);
}

/* Takes the command and @data, which may be NULL. */
static void
succeed (Command  *self,
         JsonNode *data)
{
  JsonObject *answer = begin_answer (tau_json_get (self->json, "id"), string_of (self, "type"), TRUE);

  if (data != NULL)
    json_object_set_member (answer, "data", data);
  write_answer (self->mode, answer);
  command_free (self);
}

static void
fail (Command    *self,
      const char *text)
{
  JsonObject *answer = begin_answer (tau_json_get (self->json, "id"), string_of (self, "type"), FALSE);

  json_object_set_string_member (answer, "error", text);
  write_answer (self->mode, answer);
  command_free (self);
}

static void
succeed_with_string (Command    *self,
                     const char *key,
                     const char *value)
{
  JsonObject *data = json_object_new ();

  if (value != NULL)
    json_object_set_string_member (data, key, value);
  succeed (self, tau_json_node_new_object (data));
}

/* Returns: (nullable): pictures of a prompt; NULL with @error set if they cannot be read, without if there are none */
static GPtrArray *
read_images (Command *self,
             GError **error)
{
  JsonNode *images = tau_json_get (self->json, "images");

  if (images == NULL || JSON_NODE_HOLDS_NULL (images))
    return NULL;

  return tau_blocks_from_json (images, error);
}

static void
deliver (Command    *self,
         TauDelivery delivery)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) images = read_images (self, &error);

  if (error == NULL)
    tau_agent_session_prompt (session_of (self), string_of (self, "message"), images, delivery, &error);

  if (error != NULL)
    fail (self, error->message);
  else
    succeed (self, NULL);
}

static void
prompt (Command *self)
{
  const char *behavior = string_of (self, "streamingBehavior");

  if (g_str_equal (behavior, "steer"))
    deliver (self, TAU_DELIVERY_STEER);
  else if (g_str_equal (behavior, "followUp"))
    deliver (self, TAU_DELIVERY_FOLLOW_UP);
  else
    deliver (self, TAU_DELIVERY_PROMPT);
}

static void
steer (Command *self)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) images = read_images (self, &error);

  if (error != NULL)
    {
      fail (self, error->message);
      return;
    }

  tau_agent_session_steer (session_of (self), string_of (self, "message"), images);
  succeed (self, NULL);
}

static void
follow_up (Command *self)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) images = read_images (self, &error);

  if (error != NULL)
    {
      fail (self, error->message);
      return;
    }

  tau_agent_session_follow_up (session_of (self), string_of (self, "message"), images);
  succeed (self, NULL);
}

static void
aborted_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  tau_agent_session_wait_for_idle_finish (TAU_AGENT_SESSION (object), result, NULL);
  succeed (user_data, NULL);
}

static void
abort_run (Command *self)
{
  tau_agent_session_abort (session_of (self));
  tau_agent_session_wait_for_idle_async (session_of (self), NULL, aborted_cb, self);
}

static void
abort_retry (Command *self)
{
  if (tau_agent_session_get_state (session_of (self)) == TAU_SESSION_RETRYING)
    tau_agent_session_abort (session_of (self));
  succeed (self, NULL);
}

static void
replace_session (Command    *self,
                 const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauAgentSession) session = NULL;
  JsonObject *data;

  session = tau_cli_startup_open_path (tau_rpc_mode_get_startup (self->mode), path, &error);
  if (session == NULL)
    {
      fail (self, error->message);
      return;
    }

  tau_rpc_mode_replace_session (self->mode, session);
  data = json_object_new ();
  json_object_set_boolean_member (data, "cancelled", FALSE);
  succeed (self, tau_json_node_new_object (data));
}

static void
new_session (Command *self)
{
  replace_session (self, NULL);
}

static void
switch_session (Command *self)
{
  const char *path = string_of (self, "sessionPath");

  if (*path == '\0')
    fail (self, "sessionPath is missing");
  else
    replace_session (self, path);
}

static void
get_state (Command *self)
{
  succeed (self, tau_rpc_data_state (session_of (self)));
}

static void
get_messages (Command *self)
{
  succeed (self, tau_rpc_data_messages (session_of (self)));
}

static void
get_session_stats (Command *self)
{
  succeed (self, tau_rpc_data_stats (session_of (self)));
}

static void
get_available_models (Command *self)
{
  succeed (self, tau_rpc_data_models (tau_agent_session_get_catalog (session_of (self))));
}

static void
get_last_assistant_text (Command *self)
{
  g_autofree char *text = tau_rpc_data_last_text (session_of (self));

  succeed_with_string (self, "text", text);
}

static void
set_model (Command *self)
{
  TauModelCatalog *catalog = tau_agent_session_get_catalog (session_of (self));
  const char *provider = string_of (self, "provider");
  const char *id = string_of (self, "modelId");
  TauModel *model = tau_model_catalog_find (catalog, provider, id);
  g_autoptr(GError) error = NULL;

  if (model == NULL || !tau_model_catalog_is_available (catalog, model))
    {
      g_autofree char *text = g_strdup_printf ("Model not found: %s/%s", provider, id);

      fail (self, text);
      return;
    }

  if (!tau_agent_session_set_model (session_of (self), model, &error))
    fail (self, error->message);
  else
    succeed (self, tau_model_to_json (model));
}

static GPtrArray *
dup_models_to_cycle (Command *self)
{
  GPtrArray *scope = tau_cli_startup_get_scope (tau_rpc_mode_get_startup (self->mode));
  GListModel *available;
  GPtrArray *models;

  if (scope != NULL && scope->len > 0)
    return g_ptr_array_ref (scope);

  available = tau_model_catalog_get_available (tau_agent_session_get_catalog (session_of (self)));
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

static void
cycle_model (Command *self)
{
  TauAgentSession *session = session_of (self);
  g_autoptr(GPtrArray) models = dup_models_to_cycle (self);
  g_autoptr(GError) error = NULL;
  JsonObject *data;
  TauModel *next;

  if (models->len <= 1)
    {
      succeed (self, tau_json_node_new_null ());
      return;
    }

  next = g_ptr_array_index (models, (position_of (models, tau_agent_session_get_model (session)) + 1) % models->len);
  if (!tau_agent_session_set_model (session, next, &error))
    {
      fail (self, error->message);
      return;
    }

  data = json_object_new ();
  json_object_set_member (data, "model", tau_model_to_json (next));
  json_object_set_string_member (data, "thinkingLevel",
                                 tau_thinking_level_to_string (tau_agent_session_get_thinking_level (session)));
  json_object_set_boolean_member (data, "isScoped", tau_cli_startup_get_scope (tau_rpc_mode_get_startup (self->mode)) != NULL);
  succeed (self, tau_json_node_new_object (data));
}

static void
set_thinking_level (Command *self)
{
  TauThinkingLevel level;

  if (!tau_thinking_level_from_string (string_of (self, "level"), &level))
    {
      fail (self, "Invalid thinking level");
      return;
    }

  tau_agent_session_set_thinking_level (session_of (self), level);
  succeed (self, NULL);
}

/* The next level that the model knows, in rising order, then the lowest again. */
static void
cycle_thinking_level (Command *self)
{
  TauAgentSession *session = session_of (self);
  TauModel *model = tau_agent_session_get_model (session);
  TauThinkingLevel level = tau_agent_session_get_thinking_level (session);

  if (model == NULL || !tau_model_get_reasoning (model))
    {
      succeed (self, tau_json_node_new_null ());
      return;
    }

  do
    level = (level + 1) % TAU_THINKING_N_LEVELS;
  while (level != TAU_THINKING_OFF && !tau_model_supports_level (model, level));

  tau_agent_session_set_thinking_level (session, level);
  succeed_with_string (self, "level", tau_thinking_level_to_string (level));
}

static void
store_setting (Command    *self,
               const char *path,
               JsonNode   *value)
{
  g_autoptr(JsonNode) owned = value;
  g_autoptr(GError) error = NULL;

  if (!tau_settings_set (tau_agent_session_get_settings (session_of (self)), path, owned, &error))
    fail (self, error->message);
  else
    succeed (self, NULL);
}

static void
set_queue_mode (Command    *self,
                const char *setting,
                void      (*set_mode) (TauAgent *agent, TauQueueMode mode))
{
  TauQueueMode mode = g_str_equal (string_of (self, "mode"), "all") ? TAU_QUEUE_ALL : TAU_QUEUE_ONE_AT_A_TIME;

  set_mode (tau_agent_session_get_agent (session_of (self)), mode);
  store_setting (self, setting, tau_json_node_new_string (tau_rpc_data_queue_mode (mode)));
}

static void
set_steering_mode (Command *self)
{
  set_queue_mode (self, "steeringMode", tau_agent_set_steering_mode);
}

static void
set_follow_up_mode (Command *self)
{
  set_queue_mode (self, "followUpMode", tau_agent_set_follow_up_mode);
}

static void
set_auto_compaction (Command *self)
{
  store_setting (self, "compaction.enabled", tau_json_node_new_bool (tau_json_get_bool (self->json, "enabled", TRUE)));
}

static void
set_auto_retry (Command *self)
{
  store_setting (self, "retry.enabled", tau_json_node_new_bool (tau_json_get_bool (self->json, "enabled", TRUE)));
}

static void
bash_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBashExecutionMessage) message = tau_agent_session_run_bash_finish (TAU_AGENT_SESSION (object), result, &error);

  if (message == NULL)
    fail (user_data, error->message);
  else
    succeed (user_data, tau_rpc_data_bash (message));
}

static void
bash (Command *self)
{
  tau_agent_session_run_bash_async (session_of (self), string_of (self, "command"),
                                    tau_json_get_bool (self->json, "excludeFromContext", FALSE), bash_cb, self);
}

static void
abort_bash (Command *self)
{
  tau_agent_session_abort_bash (session_of (self));
  succeed (self, NULL);
}

static void
set_session_name (Command *self)
{
  g_autofree char *name = tau_text_trim (string_of (self, "name"));

  if (*name == '\0')
    {
      fail (self, "Session name cannot be empty");
      return;
    }

  tau_agent_session_set_name (session_of (self), name);
  succeed (self, NULL);
}

static const struct
{
  const char *name;
  Handler     handler;
} handlers[] = {
  { "prompt", prompt },
  { "steer", steer },
  { "follow_up", follow_up },
  { "abort", abort_run },
  { "abort_retry", abort_retry },
  { "new_session", new_session },
  { "switch_session", switch_session },
  { "get_state", get_state },
  { "get_messages", get_messages },
  { "get_session_stats", get_session_stats },
  { "get_available_models", get_available_models },
  { "get_last_assistant_text", get_last_assistant_text },
  { "set_model", set_model },
  { "cycle_model", cycle_model },
  { "set_thinking_level", set_thinking_level },
  { "cycle_thinking_level", cycle_thinking_level },
  { "set_steering_mode", set_steering_mode },
  { "set_follow_up_mode", set_follow_up_mode },
  { "set_auto_compaction", set_auto_compaction },
  { "set_auto_retry", set_auto_retry },
  { "bash", bash },
  { "abort_bash", abort_bash },
  { "set_session_name", set_session_name },
};

static Handler
find_handler (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (handlers); i++)
    if (g_str_equal (handlers[i].name, name))
      return handlers[i].handler;

  return NULL;
}

/* Neither answer has an id: pi gives none. */
static void
refuse (TauRpcMode *mode,
        const char *name,
        char       *text)
{
  g_autofree char *owned = text;
  JsonObject *answer = begin_answer (NULL, name, FALSE);

  json_object_set_string_member (answer, "error", owned);
  write_answer (mode, answer);
}

/**
 * tau_rpc_command_run:
 * @mode: who answers
 * @line: a command as JSON
 * @length: bytes of @line
 *
 * Carries out one command. It is answered exactly once, now or when it is done; what cannot be read or is not known is
 * answered with an error.
 */
void
tau_rpc_command_run (TauRpcMode *mode,
                     const char *line,
                     gsize       length)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) json = tau_json_parse (line, (gssize) length, &error);
  const char *name;
  Handler handler;
  Command *command;

  if (json == NULL)
    {
      refuse (mode, "parse", g_strdup_printf ("Failed to parse command: %s", error->message));
      return;
    }

  name = tau_json_get_string (json, "type", "undefined");
  handler = find_handler (name);
  if (handler == NULL)
    {
      refuse (mode, name, g_strdup_printf ("Unknown command: %s", name));
      return;
    }

  command = g_new0 (Command, 1);
  command->mode = g_object_ref (mode);
  command->json = g_steal_pointer (&json);
  handler (command);
}
