/* SPDX-License-Identifier: MIT */
#include "core/message/tau-tool-result-message.h"

/* TauToolResultMessage: record of what a tool gave for one call. The blocks go to the model; the details are for people
 * and for files, of any JSON shape, and are kept as they came. */

struct _TauToolResultMessage
{
  TauMessage parent_instance;

  char      *call_id;
  char      *tool_name;
  JsonNode  *details; /* nullable */
  gboolean   is_error;
};

G_DEFINE_FINAL_TYPE (TauToolResultMessage, tau_tool_result_message, TAU_TYPE_MESSAGE)

static void
tau_tool_result_message_finalize (GObject *object)
{
  TauToolResultMessage *self = TAU_TOOL_RESULT_MESSAGE (object);

  g_clear_pointer (&self->call_id, g_free);
  g_clear_pointer (&self->tool_name, g_free);
  g_clear_pointer (&self->details, json_node_unref);

  G_OBJECT_CLASS (tau_tool_result_message_parent_class)->finalize (object);
}

static void
tau_tool_result_message_class_init (TauToolResultMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_tool_result_message_finalize;
  TAU_MESSAGE_CLASS (klass)->kind = TAU_MESSAGE_KIND_TOOL_RESULT;
}

static void
tau_tool_result_message_init (TauToolResultMessage *self)
{
}

/**
 * tau_tool_result_message_new:
 * @call_id: id of the tool call that this answers
 * @tool_name: the name that the model used
 * @blocks: (element-type TauBlock): text and image blocks
 * @details: (nullable) (transfer none): anything for people; must not change afterwards
 * @is_error: whether the call failed
 * @timestamp: ms since 1970
 *
 * Returns: (transfer full): a tool result
 */
TauToolResultMessage *
tau_tool_result_message_new (const char *call_id,
                             const char *tool_name,
                             GPtrArray  *blocks,
                             JsonNode   *details,
                             gboolean    is_error,
                             gint64      timestamp)
{
  TauToolResultMessage *self;

  g_return_val_if_fail (call_id != NULL && tool_name != NULL, NULL);

  self = g_object_new (TAU_TYPE_TOOL_RESULT_MESSAGE,
                       "role", tau_message_kind_to_role (TAU_MESSAGE_KIND_TOOL_RESULT),
                       "timestamp", timestamp,
                       "blocks", blocks,
                       NULL);
  self->call_id = g_strdup (call_id);
  self->tool_name = g_strdup (tool_name);
  self->details = details != NULL ? json_node_ref (details) : NULL;
  self->is_error = !!is_error;

  return self;
}

/**
 * tau_tool_result_message_get_call_id:
 * @self: a tool result
 *
 * Returns: id of the tool call that @self answers
 */
const char *
tau_tool_result_message_get_call_id (TauToolResultMessage *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RESULT_MESSAGE (self), NULL);

  return self->call_id;
}

/**
 * tau_tool_result_message_get_tool_name:
 * @self: a tool result
 *
 * Returns: the name that the model used
 */
const char *
tau_tool_result_message_get_tool_name (TauToolResultMessage *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RESULT_MESSAGE (self), NULL);

  return self->tool_name;
}

/**
 * tau_tool_result_message_get_details:
 * @self: a tool result
 *
 * Returns: (nullable) (transfer none): what the tool tells people beside the content; never sent to a model
 */
JsonNode *
tau_tool_result_message_get_details (TauToolResultMessage *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RESULT_MESSAGE (self), NULL);

  return self->details;
}

/**
 * tau_tool_result_message_get_is_error:
 * @self: a tool result
 *
 * Returns: whether the call failed
 */
gboolean
tau_tool_result_message_get_is_error (TauToolResultMessage *self)
{
  g_return_val_if_fail (TAU_IS_TOOL_RESULT_MESSAGE (self), FALSE);

  return self->is_error;
}
