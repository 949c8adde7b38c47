/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-command.h"

#include "cli/tau-rpc-handlers.h"
#include "core/base/tau-json.h"

typedef void (*Handler) (TauRpcCall *call);

static const struct
{
  const char *name;
  Handler     handler;
} handlers[] = {
  { "prompt", tau_rpc_prompt },
  { "steer", tau_rpc_steer },
  { "follow_up", tau_rpc_follow_up },
  { "abort", tau_rpc_abort },
  { "abort_retry", tau_rpc_abort_retry },
  { "new_session", tau_rpc_new_session },
  { "switch_session", tau_rpc_switch_session },
  { "fork", tau_rpc_fork },
  { "clone", tau_rpc_clone },
  { "get_fork_messages", tau_rpc_get_fork_messages },
  { "compact", tau_rpc_compact },
  { "get_commands", tau_rpc_get_commands },
  { "get_state", tau_rpc_get_state },
  { "get_messages", tau_rpc_get_messages },
  { "get_session_stats", tau_rpc_get_session_stats },
  { "get_available_models", tau_rpc_get_available_models },
  { "get_last_assistant_text", tau_rpc_get_last_assistant_text },
  { "set_model", tau_rpc_set_model },
  { "cycle_model", tau_rpc_cycle_model },
  { "set_thinking_level", tau_rpc_set_thinking_level },
  { "cycle_thinking_level", tau_rpc_cycle_thinking_level },
  { "set_steering_mode", tau_rpc_set_steering_mode },
  { "set_follow_up_mode", tau_rpc_set_follow_up_mode },
  { "set_auto_compaction", tau_rpc_set_auto_compaction },
  { "set_auto_retry", tau_rpc_set_auto_retry },
  { "bash", tau_rpc_bash },
  { "abort_bash", tau_rpc_abort_bash },
  { "set_session_name", tau_rpc_set_session_name },
};

static Handler
find_handler (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (handlers); i++)
    if (g_str_equal (handlers[i].name, name))
      return handlers[i].handler;

  return NULL;
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
  g_autofree char *text = NULL;
  const char *name;
  Handler handler;

  if (json == NULL)
    {
      text = g_strdup_printf ("Failed to parse command: %s", error->message);
      tau_rpc_refuse (mode, "parse", text);
      return;
    }

  name = tau_json_get_string (json, "type", "undefined");
  handler = find_handler (name);
  if (handler == NULL)
    {
      text = g_strdup_printf ("Unknown command: %s", name);
      tau_rpc_refuse (mode, name, text);
      return;
    }

  handler (tau_rpc_call_new (mode, json));
}
