/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-event.h"

#include "core/base/tau-json.h"

/* Events of a session as lines of JSON: pi's --mode json and RPC. */

static const char * const kind_names[] = {
  [TAU_SESSION_EVENT_AGENT] = "",
  [TAU_SESSION_EVENT_QUEUE_UPDATE] = "queue_update",
  [TAU_SESSION_EVENT_COMPACTION_START] = "compaction_start",
  [TAU_SESSION_EVENT_COMPACTION_END] = "compaction_end",
  [TAU_SESSION_EVENT_RETRY_START] = "auto_retry_start",
  [TAU_SESSION_EVENT_RETRY_END] = "auto_retry_end",
  [TAU_SESSION_EVENT_INFO_CHANGED] = "session_info_changed",
  [TAU_SESSION_EVENT_THINKING_LEVEL_CHANGED] = "thinking_level_changed",
};

static void
set_strings (JsonObject         *object,
             const char         *key,
             const char * const *texts)
{
  JsonArray *array = json_array_new ();

  for (; texts != NULL && *texts != NULL; texts++)
    json_array_add_string_element (array, *texts);
  json_object_set_array_member (object, key, array);
}

static void
set_optional (JsonObject *object,
              const char *key,
              const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, key, text);
}

static void
set_compaction_end (JsonObject            *object,
                    const TauSessionEvent *event)
{
  json_object_set_string_member (object, "reason", event->reason);
  if (event->result != NULL)
    json_object_set_member (object, "result", tau_json_copy (event->result));
  json_object_set_boolean_member (object, "aborted", event->aborted);
  json_object_set_boolean_member (object, "willRetry", event->will_retry);
  set_optional (object, "errorMessage", event->error_message);
}

static void
set_fields (JsonObject            *object,
            const TauSessionEvent *event)
{
  switch (event->kind)
    {
    case TAU_SESSION_EVENT_QUEUE_UPDATE:
      set_strings (object, "steering", event->steering);
      set_strings (object, "followUp", event->follow_up);
      break;
    case TAU_SESSION_EVENT_COMPACTION_START:
      json_object_set_string_member (object, "reason", event->reason);
      break;
    case TAU_SESSION_EVENT_COMPACTION_END:
      set_compaction_end (object, event);
      break;
    case TAU_SESSION_EVENT_RETRY_START:
      json_object_set_int_member (object, "attempt", event->attempt);
      json_object_set_int_member (object, "maxAttempts", event->max_attempts);
      json_object_set_int_member (object, "delayMs", event->delay_ms);
      set_optional (object, "errorMessage", event->error_message);
      break;
    case TAU_SESSION_EVENT_RETRY_END:
      json_object_set_boolean_member (object, "success", event->success);
      json_object_set_int_member (object, "attempt", event->attempt);
      set_optional (object, "finalError", event->error_message);
      break;
    case TAU_SESSION_EVENT_INFO_CHANGED:
      set_optional (object, "name", event->name);
      break;
    case TAU_SESSION_EVENT_THINKING_LEVEL_CHANGED:
      json_object_set_string_member (object, "level", event->level);
      break;
    case TAU_SESSION_EVENT_AGENT:
    default:
      break;
    }
}

/**
 * tau_session_event_to_json:
 * @event: an event
 *
 * Returns: (transfer full): its line in pi's event stream
 */
JsonNode *
tau_session_event_to_json (const TauSessionEvent *event)
{
  g_autoptr(JsonObject) object = NULL;

  if (event->kind == TAU_SESSION_EVENT_AGENT)
    return tau_agent_event_to_json (event->agent);

  object = json_object_new ();
  json_object_set_string_member (object, "type", kind_names[event->kind]);
  set_fields (object, event);
  return tau_json_node_new_object (g_steal_pointer (&object));
}
