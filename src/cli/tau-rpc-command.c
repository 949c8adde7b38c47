/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-command.h"

#include "cli/tau-rpc-handlers.h"
#include "core/base/tau-json.h"

typedef void (*Handler) (TauRpcCall *call);

typedef struct
{
  const char *name;
  Handler     handler;
  const char *needs[2];   /* parameters that must be strings */
} Command;

static const Command commands[] = {
  { "prompt", tau_rpc_prompt, { "message" } },
  { "steer", tau_rpc_steer, { "message" } },
  { "follow_up", tau_rpc_follow_up, { "message" } },
  { "abort", tau_rpc_abort },
  { "abort_retry", tau_rpc_abort_retry },
  { "new_session", tau_rpc_new_session },
  { "switch_session", tau_rpc_switch_session, { "sessionPath" } },
  { "fork", tau_rpc_fork, { "entryId" } },
  { "clone", tau_rpc_clone },
  { "get_fork_messages", tau_rpc_get_fork_messages },
  { "compact", tau_rpc_compact },
  { "get_commands", tau_rpc_get_commands },
  { "get_state", tau_rpc_get_state },
  { "get_messages", tau_rpc_get_messages },
  { "get_session_stats", tau_rpc_get_session_stats },
  { "get_available_models", tau_rpc_get_available_models },
  { "get_last_assistant_text", tau_rpc_get_last_assistant_text },
  { "set_model", tau_rpc_set_model, { "provider", "modelId" } },
  { "cycle_model", tau_rpc_cycle_model },
  { "set_thinking_level", tau_rpc_set_thinking_level, { "level" } },
  { "cycle_thinking_level", tau_rpc_cycle_thinking_level },
  { "set_steering_mode", tau_rpc_set_steering_mode, { "mode" } },
  { "set_follow_up_mode", tau_rpc_set_follow_up_mode, { "mode" } },
  { "set_auto_compaction", tau_rpc_set_auto_compaction },
  { "set_auto_retry", tau_rpc_set_auto_retry },
  { "bash", tau_rpc_bash, { "command" } },
  { "abort_bash", tau_rpc_abort_bash },
  { "set_session_name", tau_rpc_set_session_name, { "name" } },
  { "export_html", tau_rpc_export_html },
};

static const Command *
find_command (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, name))
      return &commands[i];

  return NULL;
}

/* Returns: (nullable): a parameter that @command needs and @json lacks */
static const char *
find_missing (const Command *command,
              JsonNode      *json)
{
  for (gsize i = 0; i < G_N_ELEMENTS (command->needs) && command->needs[i] != NULL; i++)
    if (tau_json_get_string (json, command->needs[i], NULL) == NULL)
      return command->needs[i];

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
  const Command *command;
  const char *name, *missing;

  if (json == NULL)
    {
      text = g_strdup_printf ("Failed to parse command: %s", error->message);
      tau_rpc_refuse (mode, "parse", text);
      return;
    }

  name = tau_json_get_string (json, "type", "undefined");
  command = find_command (name);
  if (command == NULL)
    {
      text = g_strdup_printf ("Unknown command: %s", name);
      tau_rpc_refuse (mode, name, text);
      return;
    }

  missing = find_missing (command, json);
  if (missing != NULL)
    {
      text = g_strdup_printf ("%s: \"%s\" must be a string", name, missing);
      tau_rpc_call_fail (tau_rpc_call_new (mode, json), text);
      return;
    }

  command->handler (tau_rpc_call_new (mode, json));
}
