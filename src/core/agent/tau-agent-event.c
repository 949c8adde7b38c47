/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent-event.h"

#include "core/base/tau-json.h"
#include "core/message/tau-message-json.h"

/* The events of a run as the lines that `--mode json` and RPC print. Building a line costs a copy of the message so far,
 * which is why nobody does it but those two. */

/**
 * tau_agent_event_kind_to_string:
 * @kind: a kind
 *
 * Returns: its name in JSON, for instance "message_update"
 */
const char *
tau_agent_event_kind_to_string (TauAgentEventKind kind)
{
  switch (kind)
    {
    case TAU_AGENT_EVENT_AGENT_START:
      return "agent_start";
    case TAU_AGENT_EVENT_AGENT_END:
      return "agent_end";
    case TAU_AGENT_EVENT_TURN_START:
      return "turn_start";
    case TAU_AGENT_EVENT_TURN_END:
      return "turn_end";
    case TAU_AGENT_EVENT_MESSAGE_START:
      return "message_start";
    case TAU_AGENT_EVENT_MESSAGE_UPDATE:
      return "message_update";
    case TAU_AGENT_EVENT_MESSAGE_END:
      return "message_end";
    case TAU_AGENT_EVENT_TOOL_START:
      return "tool_execution_start";
    case TAU_AGENT_EVENT_TOOL_UPDATE:
      return "tool_execution_update";
    case TAU_AGENT_EVENT_TOOL_END:
      return "tool_execution_end";
    default:
      g_return_val_if_reached ("");
    }
}

static void
set_messages (JsonObject *object,
              const char *key,
              GPtrArray  *messages)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < messages->len; i++)
    json_array_add_element (array, tau_message_to_json (g_ptr_array_index (messages, i)));

  json_object_set_array_member (object, key, array);
}

static const char *
delta_type (TauDeltaKind kind)
{
  static const char * const types[] = {
    [TAU_DELTA_TEXT_START] = "text_start",
    [TAU_DELTA_TEXT] = "text_delta",
    [TAU_DELTA_TEXT_END] = "text_end",
    [TAU_DELTA_THINKING_START] = "thinking_start",
    [TAU_DELTA_THINKING] = "thinking_delta",
    [TAU_DELTA_THINKING_END] = "thinking_end",
    [TAU_DELTA_TOOL_CALL_START] = "toolcall_start",
    [TAU_DELTA_TOOL_CALL] = "toolcall_delta",
    [TAU_DELTA_TOOL_CALL_END] = "toolcall_end",
  };

  g_return_val_if_fail (kind < G_N_ELEMENTS (types) && types[kind] != NULL, "");

  return types[kind];
}

static gboolean
is_end (TauDeltaKind kind)
{
  return kind == TAU_DELTA_TEXT_END || kind == TAU_DELTA_THINKING_END || kind == TAU_DELTA_TOOL_CALL_END;
}

static void
set_delta_text (JsonObject     *object,
                const TauDelta *delta)
{
  g_autofree char *text = NULL;

  if (delta->text != NULL)
    text = delta->length < 0 ? g_strdup (delta->text) : g_strndup (delta->text, (gsize) delta->length);

  json_object_set_string_member (object, "delta", text != NULL ? text : "");
}

/* What an end event repeats in full: the tool call, or the text. */
static void
set_whole_block (JsonObject     *object,
                 TauDraft       *draft,
                 const TauDelta *delta)
{
  g_autoptr(TauBlock) block = tau_draft_dup_block (draft, delta->index);

  if (delta->kind == TAU_DELTA_TOOL_CALL_END)
    json_object_set_member (object, "toolCall", tau_block_to_json (block));
  else
    json_object_set_string_member (object, "content", tau_block_get_text (block));
}

static JsonObject *
delta_to_json (TauDraft       *draft,
               const TauDelta *delta)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "type", delta_type (delta->kind));
  json_object_set_int_member (object, "contentIndex", delta->index);
  if (is_end (delta->kind))
    set_whole_block (object, draft, delta);
  else if (delta->kind == TAU_DELTA_TEXT || delta->kind == TAU_DELTA_THINKING || delta->kind == TAU_DELTA_TOOL_CALL)
    set_delta_text (object, delta);

  return object;
}

static void
set_update (JsonObject          *object,
            const TauAgentEvent *event)
{
  g_autoptr(TauAssistantMessage) snapshot = tau_draft_snapshot (event->draft);
  JsonNode *message = tau_message_to_json (TAU_MESSAGE (snapshot));
  JsonObject *stream_event = delta_to_json (event->draft, event->delta);

  json_object_set_member (stream_event, "partial", json_node_ref (message));
  json_object_set_object_member (object, "assistantMessageEvent", stream_event);
  json_object_set_member (object, "message", message);
}

static void
set_run (JsonObject *object,
         TauToolRun *run)
{
  json_object_set_string_member (object, "toolCallId", tau_tool_run_get_call_id (run));
  json_object_set_string_member (object, "toolName", tau_tool_run_get_tool_name (run));
}

static void
set_arguments (JsonObject *object,
               TauToolRun *run)
{
  json_object_set_member (object, "args", json_node_ref (tau_tool_run_get_raw_arguments (run)));
}

static void
set_payload (JsonObject          *object,
             const TauAgentEvent *event)
{
  switch (event->kind)
    {
    case TAU_AGENT_EVENT_AGENT_START:
    case TAU_AGENT_EVENT_TURN_START:
      break;

    case TAU_AGENT_EVENT_AGENT_END:
      set_messages (object, "messages", event->messages);
      break;

    case TAU_AGENT_EVENT_TURN_END:
      json_object_set_member (object, "message", tau_message_to_json (event->message));
      set_messages (object, "toolResults", event->tool_results);
      break;

    case TAU_AGENT_EVENT_MESSAGE_START:
    case TAU_AGENT_EVENT_MESSAGE_END:
      json_object_set_member (object, "message", tau_message_to_json (event->message));
      break;

    case TAU_AGENT_EVENT_MESSAGE_UPDATE:
      set_update (object, event);
      break;

    case TAU_AGENT_EVENT_TOOL_START:
      set_run (object, event->run);
      set_arguments (object, event->run);
      break;

    case TAU_AGENT_EVENT_TOOL_UPDATE:
      set_run (object, event->run);
      set_arguments (object, event->run);
      json_object_set_member (object, "partialResult", tau_tool_outcome_to_json (event->outcome));
      break;

    case TAU_AGENT_EVENT_TOOL_END:
      set_run (object, event->run);
      json_object_set_member (object, "result", tau_tool_outcome_to_json (event->outcome));
      json_object_set_boolean_member (object, "isError", tau_tool_outcome_get_is_error (event->outcome));
      break;

    default:
      g_return_if_reached ();
    }
}

/**
 * tau_agent_event_to_json:
 * @event: an event, during its emission
 *
 * The object that pi prints for it; an update carries the message so far twice, as there ("message" and "partial").
 *
 * Returns: (transfer full): an object
 */
JsonNode *
tau_agent_event_to_json (const TauAgentEvent *event)
{
  JsonObject *object;

  g_return_val_if_fail (event != NULL, NULL);

  object = json_object_new ();
  json_object_set_string_member (object, "type", tau_agent_event_kind_to_string (event->kind));
  set_payload (object, event);

  return tau_json_node_new_object (object);
}
