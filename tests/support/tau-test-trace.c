/* SPDX-License-Identifier: MIT */
#include "support/tau-test-trace.h"

static char *
message_name (TauMessage *message,
              gboolean    with_text)
{
  g_autofree char *text = NULL;

  if (TAU_IS_ASSISTANT_MESSAGE (message))
    return g_strdup ("A");
  if (TAU_IS_TOOL_RESULT_MESSAGE (message))
    return g_strdup_printf ("R:%s", tau_tool_result_message_get_call_id (TAU_TOOL_RESULT_MESSAGE (message)));

  text = tau_message_dup_text (message, "");
  return with_text ? g_strdup_printf ("U(%s)", text) : g_strdup ("U");
}

static char *
list_names (GPtrArray *messages,
            gboolean   ids_only)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < messages->len; i++)
    {
      TauMessage *message = g_ptr_array_index (messages, i);
      g_autofree char *name = message_name (message, FALSE);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "",
                              ids_only ? tau_tool_result_message_get_call_id (TAU_TOOL_RESULT_MESSAGE (message)) : name);
    }

  return g_string_free (names, FALSE);
}

static char *
describe_end (TauMessage *message)
{
  g_autofree char *name = message_name (message, TRUE);

  if (TAU_IS_ASSISTANT_MESSAGE (message))
    return g_strdup_printf ("eA(%s)", tau_stop_reason_to_string (
                              tau_assistant_message_get_stop_reason (TAU_ASSISTANT_MESSAGE (message))));

  return g_strdup_printf ("e%s", name);
}

static char *
describe (const TauAgentEvent *event)
{
  g_autofree char *names = NULL;

  switch (event->kind)
    {
    case TAU_AGENT_EVENT_AGENT_START:
    case TAU_AGENT_EVENT_TURN_START:
      return g_strdup (tau_agent_event_kind_to_string (event->kind));

    case TAU_AGENT_EVENT_AGENT_END:
      names = list_names (event->messages, FALSE);
      return g_strdup_printf ("agent_end[%s]", names);

    case TAU_AGENT_EVENT_TURN_END:
      names = list_names (event->tool_results, TRUE);
      return g_strdup_printf ("turn_end[%s]", names);

    case TAU_AGENT_EVENT_MESSAGE_START:
      names = message_name (event->message, TRUE);
      return g_strdup_printf ("s%s", names);

    case TAU_AGENT_EVENT_MESSAGE_UPDATE:
      return g_strdup ("upd");

    case TAU_AGENT_EVENT_MESSAGE_END:
      return describe_end (event->message);

    case TAU_AGENT_EVENT_TOOL_START:
      return g_strdup_printf ("start:%s", tau_tool_run_get_call_id (event->run));

    case TAU_AGENT_EVENT_TOOL_UPDATE:
      return g_strdup_printf ("update:%s", tau_tool_run_get_call_id (event->run));

    case TAU_AGENT_EVENT_TOOL_END:
      return g_strdup_printf ("end:%s%s", tau_tool_run_get_call_id (event->run),
                              tau_tool_outcome_get_is_error (event->outcome) ? "!" : "");

    default:
      g_assert_not_reached ();
    }
}

/**
 * tau_test_trace_event_cb:
 * @event: an event
 * @trace: the `GString` that grows by it
 *
 * A #TauAgentEventFunc; a signal handler must pass the event on.
 */
void
tau_test_trace_event_cb (const TauAgentEvent *event,
                         gpointer             trace)
{
  GString *line = trace;
  g_autofree char *word = describe (event);

  if (event->kind == TAU_AGENT_EVENT_MESSAGE_UPDATE && g_str_has_suffix (line->str, "upd"))
    return;

  g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", word);
}
