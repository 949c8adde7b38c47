/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message-json.h"

#include "core/base/tau-json.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-message-role.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

#include <gio/gio.h>

/* Writing keeps pi's order of keys and its habit to leave out what is unknown: two programs that share a file should
 * write the same line. Reading is tolerant, because a session is worth more than its odd parts: a missing or mistyped
 * field gets its empty value, a content block of a kind from the future is skipped. */

static void
set_string (JsonObject *object,
            const char *key,
            const char *value)
{
  json_object_set_string_member (object, key, value != NULL ? value : "");
}

static void
set_optional_string (JsonObject *object,
                     const char *key,
                     const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, key, value);
}

/* The node is shared, not copied: records never change theirs. */
static void
set_optional_node (JsonObject *object,
                   const char *key,
                   JsonNode   *node)
{
  if (node != NULL)
    json_object_set_member (object, key, json_node_ref (node));
}

static void
write_content (JsonObject *object,
               TauMessage *message,
               gboolean    is_string)
{
  g_autoptr(GPtrArray) blocks = NULL;

  if (is_string && tau_message_get_n_blocks (message) == 1)
    {
      set_string (object, "content", tau_block_get_text (tau_message_get_block (message, 0)));
      return;
    }

  blocks = tau_message_dup_blocks (message);
  json_object_set_member (object, "content", tau_blocks_to_json (blocks));
}

static GPtrArray *
read_content (JsonNode *json,
              gboolean *is_string)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  const char *text = tau_json_get_string (json, "content", NULL);
  JsonNode *content = tau_json_get (json, "content");
  JsonArray *array;

  if (is_string != NULL)
    *is_string = text != NULL;
  if (text != NULL)
    g_ptr_array_add (blocks, tau_block_new_text (text, NULL));
  if (content == NULL || !JSON_NODE_HOLDS_ARRAY (content))
    return blocks;

  array = json_node_get_array (content);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      TauBlock *block = tau_block_from_json (json_array_get_element (array, i), NULL);

      if (block != NULL)
        g_ptr_array_add (blocks, block);
    }

  return blocks;
}

static gint64
read_timestamp (JsonNode *json)
{
  return tau_json_get_int (json, "timestamp", 0);
}

static void
write_assistant (JsonObject          *object,
                 TauAssistantMessage *message)
{
  write_content (object, TAU_MESSAGE (message), FALSE);
  set_string (object, "api", tau_assistant_message_get_api (message));
  set_string (object, "provider", tau_assistant_message_get_provider (message));
  set_string (object, "model", tau_assistant_message_get_model (message));
  json_object_set_member (object, "usage", tau_usage_to_json (tau_assistant_message_get_usage (message)));
  set_string (object, "stopReason",
              tau_stop_reason_to_string (tau_assistant_message_get_stop_reason (message)));
  json_object_set_int_member (object, "timestamp", tau_message_get_timestamp (TAU_MESSAGE (message)));
  set_optional_string (object, "responseId", tau_assistant_message_get_response_id (message));
  set_optional_string (object, "responseModel", tau_assistant_message_get_response_model (message));
  set_optional_node (object, "diagnostics", tau_assistant_message_get_diagnostics (message));
  set_optional_string (object, "errorMessage", tau_assistant_message_get_error_message (message));
}

static TauMessage *
read_assistant (JsonNode *json)
{
  g_autoptr(GPtrArray) blocks = read_content (json, NULL);
  TauAssistantFields fields = {
    .api = tau_json_get_string (json, "api", ""),
    .provider = tau_json_get_string (json, "provider", ""),
    .model = tau_json_get_string (json, "model", ""),
    .response_model = tau_json_get_string (json, "responseModel", NULL),
    .response_id = tau_json_get_string (json, "responseId", NULL),
    .diagnostics = tau_json_get (json, "diagnostics"),
    .stop_reason = TAU_STOP_REASON_STOP,
    .error_message = tau_json_get_string (json, "errorMessage", NULL),
    .timestamp = read_timestamp (json),
  };

  tau_usage_from_json (&fields.usage, tau_json_get (json, "usage"));
  tau_stop_reason_from_string (tau_json_get_string (json, "stopReason", NULL), &fields.stop_reason);

  return TAU_MESSAGE (tau_assistant_message_new (blocks, &fields));
}

static void
write_user (JsonObject     *object,
            TauUserMessage *message)
{
  write_content (object, TAU_MESSAGE (message), tau_user_message_is_string (message));
  json_object_set_int_member (object, "timestamp", tau_message_get_timestamp (TAU_MESSAGE (message)));
}

static TauMessage *
read_user (JsonNode *json)
{
  gboolean is_string;
  g_autoptr(GPtrArray) blocks = read_content (json, &is_string);

  if (is_string)
    return TAU_MESSAGE (tau_user_message_new_string (tau_json_get_string (json, "content", ""),
                                                     read_timestamp (json)));

  return TAU_MESSAGE (tau_user_message_new_blocks (blocks, read_timestamp (json)));
}

static void
write_tool_result (JsonObject           *object,
                   TauToolResultMessage *message)
{
  set_string (object, "toolCallId", tau_tool_result_message_get_call_id (message));
  set_string (object, "toolName", tau_tool_result_message_get_tool_name (message));
  write_content (object, TAU_MESSAGE (message), FALSE);
  set_optional_node (object, "details", tau_tool_result_message_get_details (message));
  json_object_set_boolean_member (object, "isError", tau_tool_result_message_get_is_error (message));
  json_object_set_int_member (object, "timestamp", tau_message_get_timestamp (TAU_MESSAGE (message)));
}

static TauMessage *
read_tool_result (JsonNode *json)
{
  g_autoptr(GPtrArray) blocks = read_content (json, NULL);

  return TAU_MESSAGE (tau_tool_result_message_new (tau_json_get_string (json, "toolCallId", ""),
                                                   tau_json_get_string (json, "toolName", ""),
                                                   blocks,
                                                   tau_json_get (json, "details"),
                                                   tau_json_get_bool (json, "isError", FALSE),
                                                   read_timestamp (json)));
}

static void
write_bash_execution (JsonObject              *object,
                      TauBashExecutionMessage *message)
{
  const TauBashExecutionFields *fields = tau_bash_execution_message_get_fields (message);

  set_string (object, "command", fields->command);
  set_string (object, "output", fields->output);
  if (fields->has_exit_code)
    json_object_set_int_member (object, "exitCode", fields->exit_code);
  json_object_set_boolean_member (object, "cancelled", fields->cancelled);
  json_object_set_boolean_member (object, "truncated", fields->truncated);
  set_optional_string (object, "fullOutputPath", fields->full_output_path);
  json_object_set_int_member (object, "timestamp", fields->timestamp);
  if (fields->has_exclude)
    json_object_set_boolean_member (object, "excludeFromContext", fields->exclude_from_context);
}

static TauMessage *
read_bash_execution (JsonNode *json)
{
  JsonNode *exit_code = tau_json_get (json, "exitCode");
  TauBashExecutionFields fields = {
    .command = tau_json_get_string (json, "command", ""),
    .output = tau_json_get_string (json, "output", ""),
    .has_exit_code = exit_code != NULL && !JSON_NODE_HOLDS_NULL (exit_code),
    .exit_code = (int) tau_json_get_int (json, "exitCode", 0),
    .cancelled = tau_json_get_bool (json, "cancelled", FALSE),
    .truncated = tau_json_get_bool (json, "truncated", FALSE),
    .full_output_path = tau_json_get_string (json, "fullOutputPath", NULL),
    .has_exclude = tau_json_get (json, "excludeFromContext") != NULL,
    .exclude_from_context = tau_json_get_bool (json, "excludeFromContext", FALSE),
    .timestamp = read_timestamp (json),
  };

  return TAU_MESSAGE (tau_bash_execution_message_new (&fields));
}

static void
write_custom (JsonObject       *object,
              TauCustomMessage *message)
{
  set_string (object, "customType", tau_custom_message_get_custom_type (message));
  write_content (object, TAU_MESSAGE (message), tau_custom_message_is_string (message));
  json_object_set_boolean_member (object, "display", tau_custom_message_get_display (message));
  set_optional_node (object, "details", tau_custom_message_get_details (message));
  json_object_set_int_member (object, "timestamp", tau_message_get_timestamp (TAU_MESSAGE (message)));
}

static TauMessage *
read_custom (JsonNode *json)
{
  gboolean is_string;
  g_autoptr(GPtrArray) blocks = read_content (json, &is_string);

  return TAU_MESSAGE (tau_custom_message_new (tau_json_get_string (json, "customType", ""),
                                              blocks, is_string,
                                              tau_json_get_bool (json, "display", FALSE),
                                              tau_json_get (json, "details"),
                                              read_timestamp (json)));
}

static void
write_branch_summary (JsonObject              *object,
                      TauBranchSummaryMessage *message)
{
  set_string (object, "summary", tau_branch_summary_message_get_summary (message));
  set_string (object, "fromId", tau_branch_summary_message_get_from_id (message));
  json_object_set_int_member (object, "timestamp", tau_message_get_timestamp (TAU_MESSAGE (message)));
}

static void
write_compaction_summary (JsonObject                  *object,
                          TauCompactionSummaryMessage *message)
{
  set_string (object, "summary", tau_compaction_summary_message_get_summary (message));
  json_object_set_int_member (object, "tokensBefore", tau_compaction_summary_message_get_tokens_before (message));
  json_object_set_int_member (object, "timestamp", tau_message_get_timestamp (TAU_MESSAGE (message)));
}

static void
write_user_attachments (JsonObject                *object,
                        TauUserAttachmentsMessage *message)
{
  write_content (object, TAU_MESSAGE (message), tau_user_attachments_message_is_string (message));
  set_optional_node (object, "attachments", tau_user_attachments_message_get_attachments (message));
  json_object_set_int_member (object, "timestamp", tau_message_get_timestamp (TAU_MESSAGE (message)));
}

static TauMessage *
read_user_attachments (JsonNode *json)
{
  gboolean is_string;
  g_autoptr(GPtrArray) blocks = read_content (json, &is_string);

  return TAU_MESSAGE (tau_user_attachments_message_new (blocks, is_string,
                                                        tau_json_get (json, "attachments"),
                                                        read_timestamp (json)));
}

static JsonNode *
other_to_json (TauMessage *message)
{
  const TauMessageRoleClass *role_class = tau_message_role_lookup (tau_message_get_role (message));
  JsonObject *object;

  if (TAU_IS_UNKNOWN_MESSAGE (message))
    return json_node_ref (tau_unknown_message_get_json (TAU_UNKNOWN_MESSAGE (message)));
  if (role_class != NULL)
    return role_class->to_json (message);

  /* Its role was unregistered meanwhile: what every message has is better than nothing. */
  object = json_object_new ();
  set_string (object, "role", tau_message_get_role (message));
  write_content (object, message, FALSE);
  json_object_set_int_member (object, "timestamp", tau_message_get_timestamp (message));

  return tau_json_node_new_object (object);
}

/**
 * tau_message_to_json:
 * @message: a message
 *
 * Returns: (transfer full): its JSON object, as it stands in session files and in the event stream. Parts of it are
 *   shared with @message and must not be changed; tau_json_copy() makes a free copy
 */
JsonNode *
tau_message_to_json (TauMessage *message)
{
  g_autoptr(JsonObject) object = json_object_new ();

  g_return_val_if_fail (TAU_IS_MESSAGE (message), NULL);

  set_string (object, "role", tau_message_get_role (message));

  switch (tau_message_get_kind (message))
    {
    case TAU_MESSAGE_KIND_USER:
      write_user (object, TAU_USER_MESSAGE (message));
      break;

    case TAU_MESSAGE_KIND_ASSISTANT:
      write_assistant (object, TAU_ASSISTANT_MESSAGE (message));
      break;

    case TAU_MESSAGE_KIND_TOOL_RESULT:
      write_tool_result (object, TAU_TOOL_RESULT_MESSAGE (message));
      break;

    case TAU_MESSAGE_KIND_BASH_EXECUTION:
      write_bash_execution (object, TAU_BASH_EXECUTION_MESSAGE (message));
      break;

    case TAU_MESSAGE_KIND_CUSTOM:
      write_custom (object, TAU_CUSTOM_MESSAGE (message));
      break;

    case TAU_MESSAGE_KIND_BRANCH_SUMMARY:
      write_branch_summary (object, TAU_BRANCH_SUMMARY_MESSAGE (message));
      break;

    case TAU_MESSAGE_KIND_COMPACTION_SUMMARY:
      write_compaction_summary (object, TAU_COMPACTION_SUMMARY_MESSAGE (message));
      break;

    case TAU_MESSAGE_KIND_USER_ATTACHMENTS:
      write_user_attachments (object, TAU_USER_ATTACHMENTS_MESSAGE (message));
      break;

    case TAU_MESSAGE_KIND_ARTIFACT:
      return json_node_ref (tau_artifact_message_get_json (TAU_ARTIFACT_MESSAGE (message)));

    case TAU_MESSAGE_KIND_OTHER:
      return other_to_json (message);

    default:
      g_assert_not_reached ();
    }

  return tau_json_node_new_object (g_steal_pointer (&object));
}

static TauMessage *
other_from_json (JsonNode   *json,
                 const char *role,
                 GError    **error)
{
  const TauMessageRoleClass *role_class = tau_message_role_lookup (role);

  if (role_class != NULL)
    return role_class->from_json (json, error);

  return TAU_MESSAGE (tau_unknown_message_new (json));
}

/**
 * tau_message_from_json:
 * @json: a message of a session file
 * @error: return location for %G_IO_ERROR_INVALID_DATA if @json is no object or has no role, or for what a registered
 *   role says
 *
 * Returns: (transfer full) (nullable): the message; parts of @json are shared with it, so @json must not change
 */
TauMessage *
tau_message_from_json (JsonNode *json,
                       GError  **error)
{
  const char *role;

  g_return_val_if_fail (json != NULL, NULL);

  role = JSON_NODE_HOLDS_OBJECT (json) ? tau_json_get_string (json, "role", NULL) : NULL;
  if (role == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "a message must be a JSON object with a role");
      return NULL;
    }

  switch (tau_message_kind_from_role (role))
    {
    case TAU_MESSAGE_KIND_USER:
      return read_user (json);

    case TAU_MESSAGE_KIND_ASSISTANT:
      return read_assistant (json);

    case TAU_MESSAGE_KIND_TOOL_RESULT:
      return read_tool_result (json);

    case TAU_MESSAGE_KIND_BASH_EXECUTION:
      return read_bash_execution (json);

    case TAU_MESSAGE_KIND_CUSTOM:
      return read_custom (json);

    case TAU_MESSAGE_KIND_BRANCH_SUMMARY:
      return TAU_MESSAGE (tau_branch_summary_message_new (tau_json_get_string (json, "summary", ""),
                                                          tau_json_get_string (json, "fromId", ""),
                                                          read_timestamp (json)));

    case TAU_MESSAGE_KIND_COMPACTION_SUMMARY:
      return TAU_MESSAGE (tau_compaction_summary_message_new (tau_json_get_string (json, "summary", ""),
                                                              tau_json_get_int (json, "tokensBefore", 0),
                                                              read_timestamp (json)));

    case TAU_MESSAGE_KIND_USER_ATTACHMENTS:
      return read_user_attachments (json);

    case TAU_MESSAGE_KIND_ARTIFACT:
      return TAU_MESSAGE (tau_artifact_message_new (json));

    case TAU_MESSAGE_KIND_OTHER:
      return other_from_json (json, role, error);

    default:
      g_return_val_if_reached (NULL);
    }
}
