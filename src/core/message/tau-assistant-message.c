/* SPDX-License-Identifier: MIT */
#include "core/message/tau-assistant-message.h"

/* TauAssistantMessage: record of one answer of a model, whole or cut short: its blocks, who gave it, why it ended and
 * what it cost. A failed request is such a message too, with stop reason error or aborted and a text. */

struct _TauAssistantMessage
{
  TauMessage    parent_instance;

  char         *api;
  char         *provider;
  char         *model;
  char         *response_model;
  char         *response_id;
  JsonNode     *diagnostics; /* nullable */
  TauUsage      usage;
  TauStopReason stop_reason;
  char         *error_message;
};

G_DEFINE_FINAL_TYPE (TauAssistantMessage, tau_assistant_message, TAU_TYPE_MESSAGE)

static const char * const stop_reasons[] = {
  [TAU_STOP_REASON_STOP] = "stop",
  [TAU_STOP_REASON_LENGTH] = "length",
  [TAU_STOP_REASON_TOOL_USE] = "toolUse",
  [TAU_STOP_REASON_ERROR] = "error",
  [TAU_STOP_REASON_ABORTED] = "aborted",
};

/**
 * tau_stop_reason_to_string:
 * @reason: a stop reason
 *
 * Returns: the string of session files
 */
const char *
tau_stop_reason_to_string (TauStopReason reason)
{
  g_return_val_if_fail ((gsize) reason < G_N_ELEMENTS (stop_reasons), "stop");

  return stop_reasons[reason];
}

/**
 * tau_stop_reason_from_string:
 * @text: (nullable): a string of a session file
 * @reason: (out): set if @text is known
 *
 * Returns: whether @text is one of the five
 */
gboolean
tau_stop_reason_from_string (const char    *text,
                             TauStopReason *reason)
{
  g_return_val_if_fail (reason != NULL, FALSE);

  for (gsize i = 0; i < G_N_ELEMENTS (stop_reasons); i++)
    if (g_strcmp0 (text, stop_reasons[i]) == 0)
      {
        *reason = (TauStopReason) i;
        return TRUE;
      }

  return FALSE;
}

static void
tau_assistant_message_finalize (GObject *object)
{
  TauAssistantMessage *self = TAU_ASSISTANT_MESSAGE (object);

  g_clear_pointer (&self->api, g_free);
  g_clear_pointer (&self->provider, g_free);
  g_clear_pointer (&self->model, g_free);
  g_clear_pointer (&self->response_model, g_free);
  g_clear_pointer (&self->response_id, g_free);
  g_clear_pointer (&self->diagnostics, json_node_unref);
  g_clear_pointer (&self->error_message, g_free);

  G_OBJECT_CLASS (tau_assistant_message_parent_class)->finalize (object);
}

static void
tau_assistant_message_class_init (TauAssistantMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_assistant_message_finalize;
  TAU_MESSAGE_CLASS (klass)->kind = TAU_MESSAGE_KIND_ASSISTANT;
}

static void
tau_assistant_message_init (TauAssistantMessage *self)
{
}

/**
 * tau_assistant_message_new:
 * @blocks: (element-type TauBlock): text, thinking and tool call blocks in the order of the stream
 * @fields: all else; copied. @api, @provider and @model of it may be %NULL for ""
 *
 * Returns: (transfer full): an assistant message
 */
TauAssistantMessage *
tau_assistant_message_new (GPtrArray                *blocks,
                           const TauAssistantFields *fields)
{
  TauAssistantMessage *self;

  g_return_val_if_fail (fields != NULL, NULL);

  self = g_object_new (TAU_TYPE_ASSISTANT_MESSAGE,
                       "role", tau_message_kind_to_role (TAU_MESSAGE_KIND_ASSISTANT),
                       "timestamp", fields->timestamp,
                       "blocks", blocks,
                       NULL);
  self->api = g_strdup (fields->api != NULL ? fields->api : "");
  self->provider = g_strdup (fields->provider != NULL ? fields->provider : "");
  self->model = g_strdup (fields->model != NULL ? fields->model : "");
  self->response_model = g_strdup (fields->response_model);
  self->response_id = g_strdup (fields->response_id);
  self->diagnostics = fields->diagnostics != NULL ? json_node_ref (fields->diagnostics) : NULL;
  self->usage = fields->usage;
  self->stop_reason = fields->stop_reason;
  self->error_message = g_strdup (fields->error_message);

  return self;
}

/**
 * tau_assistant_message_get_api:
 * @self: an assistant message
 *
 * Returns: the protocol, for instance "anthropic-messages"
 */
const char *
tau_assistant_message_get_api (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), "");

  return self->api;
}

/**
 * tau_assistant_message_get_provider:
 * @self: an assistant message
 *
 * Returns: the vendor's id
 */
const char *
tau_assistant_message_get_provider (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), "");

  return self->provider;
}

/**
 * tau_assistant_message_get_model:
 * @self: an assistant message
 *
 * Returns: id of the model that was asked
 */
const char *
tau_assistant_message_get_model (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), "");

  return self->model;
}

/**
 * tau_assistant_message_get_response_model:
 * @self: an assistant message
 *
 * Returns: (nullable): the model that answered, where it differs from the one that was asked
 */
const char *
tau_assistant_message_get_response_model (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), NULL);

  return self->response_model;
}

/**
 * tau_assistant_message_get_response_id:
 * @self: an assistant message
 *
 * Returns: (nullable): the server's id of the answer
 */
const char *
tau_assistant_message_get_response_id (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), NULL);

  return self->response_id;
}

/**
 * tau_assistant_message_get_diagnostics:
 * @self: an assistant message
 *
 * Returns: (nullable) (transfer none): notes on how the answer came about, kept as they stood in the file
 */
JsonNode *
tau_assistant_message_get_diagnostics (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), NULL);

  return self->diagnostics;
}

/**
 * tau_assistant_message_get_usage:
 * @self: an assistant message
 *
 * Returns: (transfer none): tokens and cost, zeros if unknown
 */
const TauUsage *
tau_assistant_message_get_usage (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), NULL);

  return &self->usage;
}

/**
 * tau_assistant_message_get_stop_reason:
 * @self: an assistant message
 *
 * Returns: why it ended
 */
TauStopReason
tau_assistant_message_get_stop_reason (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), TAU_STOP_REASON_ERROR);

  return self->stop_reason;
}

/**
 * tau_assistant_message_get_error_message:
 * @self: an assistant message
 *
 * Returns: (nullable): what went wrong, for error and aborted
 */
const char *
tau_assistant_message_get_error_message (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), NULL);

  return self->error_message;
}

/**
 * tau_assistant_message_failed:
 * @self: an assistant message
 *
 * Returns: whether it ended by an error or was aborted
 */
gboolean
tau_assistant_message_failed (TauAssistantMessage *self)
{
  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), FALSE);

  return self->stop_reason == TAU_STOP_REASON_ERROR || self->stop_reason == TAU_STOP_REASON_ABORTED;
}

/**
 * tau_assistant_message_has_tool_calls:
 * @self: an assistant message
 *
 * Whether tools are to run is decided by their calls, not by the stop reason: a cut answer may hold calls too.
 *
 * Returns: whether a block is a tool call
 */
gboolean
tau_assistant_message_has_tool_calls (TauAssistantMessage *self)
{
  TauMessage *message = TAU_MESSAGE (self);

  g_return_val_if_fail (TAU_IS_ASSISTANT_MESSAGE (self), FALSE);

  for (guint i = 0; i < tau_message_get_n_blocks (message); i++)
    if (tau_block_get_kind (tau_message_get_block (message, i)) == TAU_BLOCK_TOOL_CALL)
      return TRUE;

  return FALSE;
}
