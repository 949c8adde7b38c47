/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-data.h"

#include "core/base/tau-json.h"
#include "core/config/tau-prompt-templates.h"
#include "core/config/tau-skills.h"
#include "core/message/tau-bash-execution-message.h"
#include "core/message/tau-message-json.h"
#include "core/session/tau-session-entry.h"

/* The names of the fields and their order are those of pi's protocol. A field that is not known is left out. */

static void
set_optional_string (JsonObject *object,
                     const char *key,
                     const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, key, value);
}

/**
 * tau_rpc_data_queue_mode:
 * @mode: how a queue is drained
 *
 * Returns: its name in the protocol and in the settings
 */
const char *
tau_rpc_data_queue_mode (TauQueueMode mode)
{
  return mode == TAU_QUEUE_ALL ? "all" : "one-at-a-time";
}

/**
 * tau_rpc_data_state:
 * @session: a session
 *
 * Returns: (transfer full): the data of `get_state`
 */
JsonNode *
tau_rpc_data_state (TauAgentSession *session)
{
  JsonObject *object = json_object_new ();
  TauAgent *agent = tau_agent_session_get_agent (session);
  TauModel *model = tau_agent_session_get_model (session);
  TauSessionState state = tau_agent_session_get_state (session);

  if (model != NULL)
    json_object_set_member (object, "model", tau_model_to_json (model));
  json_object_set_string_member (object, "thinkingLevel",
                                 tau_thinking_level_to_string (tau_agent_session_get_thinking_level (session)));
  json_object_set_boolean_member (object, "isStreaming", state == TAU_SESSION_RUNNING);
  json_object_set_boolean_member (object, "isCompacting", state == TAU_SESSION_COMPACTING);
  json_object_set_string_member (object, "steeringMode", tau_rpc_data_queue_mode (tau_agent_get_steering_mode (agent)));
  json_object_set_string_member (object, "followUpMode", tau_rpc_data_queue_mode (tau_agent_get_follow_up_mode (agent)));
  set_optional_string (object, "sessionFile", tau_agent_session_get_path (session));
  json_object_set_string_member (object, "sessionId", tau_agent_session_get_id (session));
  set_optional_string (object, "sessionName", tau_agent_session_get_name (session));
  json_object_set_boolean_member (object, "autoCompactionEnabled",
                                  tau_settings_get_bool (tau_agent_session_get_settings (session),
                                                         "compaction.enabled", TRUE));
  json_object_set_int_member (object, "messageCount", g_list_model_get_n_items (tau_agent_session_get_messages (session)));
  json_object_set_int_member (object, "pendingMessageCount",
                              g_list_model_get_n_items (tau_agent_session_get_queued (session)));

  return tau_json_node_new_object (object);
}

static JsonObject *
tokens_object (const TauUsage *usage)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "input", usage->input);
  json_object_set_int_member (object, "output", usage->output);
  json_object_set_int_member (object, "cacheRead", usage->cache_read);
  json_object_set_int_member (object, "cacheWrite", usage->cache_write);
  json_object_set_int_member (object, "total", usage->input + usage->output + usage->cache_read + usage->cache_write);

  return object;
}

/* Right after a compaction nobody knows how large the context is. */
static JsonObject *
context_object (const TauSessionUsage *usage)
{
  JsonObject *object = json_object_new ();

  if (usage->tokens >= 0)
    json_object_set_int_member (object, "tokens", usage->tokens);
  else
    json_object_set_null_member (object, "tokens");
  json_object_set_int_member (object, "contextWindow", usage->context_window);
  if (usage->tokens >= 0)
    json_object_set_double_member (object, "percent", (double) usage->tokens / (double) usage->context_window * 100);
  else
    json_object_set_null_member (object, "percent");

  return object;
}

/**
 * tau_rpc_data_stats:
 * @session: a session
 *
 * Returns: (transfer full): the data of `get_session_stats`: sums over the messages that are in memory
 */
JsonNode *
tau_rpc_data_stats (TauAgentSession *session)
{
  JsonObject *object = json_object_new ();
  TauSessionStats stats;
  TauSessionUsage usage;

  tau_agent_session_get_stats (session, &stats);
  tau_agent_session_get_usage (session, &usage);

  set_optional_string (object, "sessionFile", tau_agent_session_get_path (session));
  json_object_set_string_member (object, "sessionId", tau_agent_session_get_id (session));
  json_object_set_int_member (object, "userMessages", stats.n_user);
  json_object_set_int_member (object, "assistantMessages", stats.n_assistant);
  json_object_set_int_member (object, "toolCalls", stats.n_tool_calls);
  json_object_set_int_member (object, "toolResults", stats.n_tool_results);
  json_object_set_int_member (object, "totalMessages", stats.n_messages);
  json_object_set_object_member (object, "tokens", tokens_object (&stats.usage));
  json_object_set_double_member (object, "cost", stats.usage.cost_total);
  if (usage.context_window > 0)
    json_object_set_object_member (object, "contextUsage", context_object (&usage));

  return tau_json_node_new_object (object);
}

/**
 * tau_rpc_data_messages:
 * @session: a session
 *
 * Returns: (transfer full): the data of `get_messages`
 */
JsonNode *
tau_rpc_data_messages (TauAgentSession *session)
{
  GPtrArray *messages = tau_agent_get_messages (tau_agent_session_get_agent (session));
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < messages->len; i++)
    json_array_add_element (array, tau_message_to_json (g_ptr_array_index (messages, i)));
  json_object_set_array_member (object, "messages", array);

  return tau_json_node_new_object (object);
}

/**
 * tau_rpc_data_models:
 * @catalog: a catalogue
 *
 * Returns: (transfer full): the data of `get_available_models`
 */
JsonNode *
tau_rpc_data_models (TauModelCatalog *catalog)
{
  GListModel *models = tau_model_catalog_get_available (catalog);
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      g_autoptr(TauModel) model = g_list_model_get_item (models, i);

      json_array_add_element (array, tau_model_to_json (model));
    }
  json_object_set_array_member (object, "models", array);

  return tau_json_node_new_object (object);
}

/**
 * tau_rpc_data_bash:
 * @message: a command that was run
 *
 * Returns: (transfer full): the data of `bash`
 */
JsonNode *
tau_rpc_data_bash (TauBashExecutionMessage *message)
{
  const TauBashExecutionFields *fields = tau_bash_execution_message_get_fields (message);
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "output", fields->output);
  if (fields->has_exit_code)
    json_object_set_int_member (object, "exitCode", fields->exit_code);
  json_object_set_boolean_member (object, "cancelled", fields->cancelled);
  json_object_set_boolean_member (object, "truncated", fields->truncated);
  set_optional_string (object, "fullOutputPath", fields->full_output_path);

  return tau_json_node_new_object (object);
}

/**
 * tau_rpc_data_fork_points:
 * @session: a session
 *
 * Returns: (transfer full): the data of `get_fork_messages`
 */
JsonNode *
tau_rpc_data_fork_points (TauAgentSession *session)
{
  g_autoptr(GPtrArray) points = tau_agent_session_dup_fork_points (session);
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < points->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (points, i);
      g_autoptr(TauMessage) message = tau_session_entry_dup_message (entry);
      g_autofree char *text = message != NULL ? tau_message_dup_text (message, "") : g_strdup ("");
      JsonObject *point = json_object_new ();

      set_optional_string (point, "entryId", tau_session_entry_get_id (entry));
      json_object_set_string_member (point, "text", text);
      json_array_add_object_element (array, point);
    }
  json_object_set_array_member (object, "messages", array);

  return tau_json_node_new_object (object);
}

static void
add_command (JsonArray  *commands,
             const char *source,
             const char *name,
             const char *description,
             const char *path,
             const char *found,
             const char *scope,
             const char *base_dir)
{
  JsonObject *command = json_object_new ();
  JsonObject *info = json_object_new ();

  json_object_set_string_member (command, "name", name);
  set_optional_string (command, "description", description);
  json_object_set_string_member (command, "source", source);
  json_object_set_string_member (info, "path", path);
  json_object_set_string_member (info, "source", found);
  json_object_set_string_member (info, "scope", scope);
  json_object_set_string_member (info, "origin", "top-level");
  set_optional_string (info, "baseDir", base_dir);
  json_object_set_object_member (command, "sourceInfo", info);
  json_array_add_object_element (commands, command);
}

/**
 * tau_rpc_data_commands:
 * @templates: (element-type TauPromptTemplate): prompts that the user can call
 * @skills: (element-type TauSkill): skills that the user can call
 * @added: (nullable) (element-type TauSessionCommand): commands of an application
 *
 * Returns: (transfer full): the data of `get_commands`
 */
JsonNode *
tau_rpc_data_commands (GPtrArray *templates,
                       GPtrArray *skills,
                       GPtrArray *added)
{
  JsonObject *object = json_object_new ();
  JsonArray *commands = json_array_new ();

  for (guint i = 0; added != NULL && i < added->len; i++)
    {
      const TauSessionCommand *command = g_ptr_array_index (added, i);

      add_command (commands, "extension", command->name, command->description, "", "application", "temporary", NULL);
    }
  for (guint i = 0; i < templates->len; i++)
    {
      const TauPromptTemplate *template = g_ptr_array_index (templates, i);

      add_command (commands, "prompt", template->name, template->description, template->path, "auto", template->scope, NULL);
    }
  for (guint i = 0; i < skills->len; i++)
    {
      const TauSkill *skill = g_ptr_array_index (skills, i);
      g_autofree char *name = g_strconcat ("skill:", skill->name, NULL);

      add_command (commands, "skill", name, skill->description, skill->path, "auto", skill->scope, skill->base_dir);
    }
  json_object_set_array_member (object, "commands", commands);

  return tau_json_node_new_object (object);
}
