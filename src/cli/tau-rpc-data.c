/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-data.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-bash-execution-message.h"
#include "core/message/tau-message-json.h"

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
  json_object_set_int_member (object, "messageCount", tau_agent_get_messages (agent)->len);
  json_object_set_int_member (object, "pendingMessageCount",
                              g_list_model_get_n_items (tau_agent_session_get_queued (session)));

  return tau_json_node_new_object (object);
}

typedef struct
{
  gint64   users;
  gint64   assistants;
  gint64   calls;
  gint64   results;
  TauUsage usage;
} Counts;

static void
count_answer (Counts              *counts,
              TauAssistantMessage *answer)
{
  counts->assistants++;
  tau_usage_add (&counts->usage, tau_assistant_message_get_usage (answer));
  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (answer)); i++)
    if (tau_block_get_kind (tau_message_get_block (TAU_MESSAGE (answer), i)) == TAU_BLOCK_TOOL_CALL)
      counts->calls++;
}

static void
count_message (Counts     *counts,
               TauMessage *message)
{
  if (TAU_IS_ASSISTANT_MESSAGE (message))
    count_answer (counts, TAU_ASSISTANT_MESSAGE (message));
  else if (tau_message_get_kind (message) == TAU_MESSAGE_KIND_USER)
    counts->users++;
  else if (tau_message_get_kind (message) == TAU_MESSAGE_KIND_TOOL_RESULT)
    counts->results++;
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
  GPtrArray *messages = tau_agent_get_messages (tau_agent_session_get_agent (session));
  JsonObject *object = json_object_new ();
  TauSessionUsage usage;
  Counts counts = { 0 };

  for (guint i = 0; i < messages->len; i++)
    count_message (&counts, g_ptr_array_index (messages, i));
  tau_agent_session_get_usage (session, &usage);

  set_optional_string (object, "sessionFile", tau_agent_session_get_path (session));
  json_object_set_string_member (object, "sessionId", tau_agent_session_get_id (session));
  json_object_set_int_member (object, "userMessages", counts.users);
  json_object_set_int_member (object, "assistantMessages", counts.assistants);
  json_object_set_int_member (object, "toolCalls", counts.calls);
  json_object_set_int_member (object, "toolResults", counts.results);
  json_object_set_int_member (object, "totalMessages", messages->len);
  json_object_set_object_member (object, "tokens", tokens_object (&counts.usage));
  json_object_set_double_member (object, "cost", counts.usage.cost_total);
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

static gboolean
is_aborted_and_empty (TauMessage *message)
{
  return tau_message_get_n_blocks (message) == 0 &&
         tau_assistant_message_get_stop_reason (TAU_ASSISTANT_MESSAGE (message)) == TAU_STOP_REASON_ABORTED;
}

/**
 * tau_rpc_data_last_text:
 * @session: a session
 *
 * Returns: (transfer full) (nullable): the text of the newest answer that says something; %NULL if there is none
 */
char *
tau_rpc_data_last_text (TauAgentSession *session)
{
  GPtrArray *messages = tau_agent_get_messages (tau_agent_session_get_agent (session));

  for (guint i = messages->len; i > 0; i--)
    {
      TauMessage *message = g_ptr_array_index (messages, i - 1);
      g_autofree char *text = NULL;
      g_autofree char *trimmed = NULL;

      if (!TAU_IS_ASSISTANT_MESSAGE (message) || is_aborted_and_empty (message))
        continue;

      text = tau_message_dup_text (message, "");
      trimmed = tau_text_trim (text);

      return *trimmed != '\0' ? g_steal_pointer (&trimmed) : NULL;
    }

  return NULL;
}
