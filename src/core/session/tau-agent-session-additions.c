/* SPDX-License-Identifier: MIT */
#include "core/session/tau-agent-session-private.h"

#include <string.h>

/* What an application adds to a session beside prompts: entries and messages of its own, tools, commands. */

static void
command_free (gpointer data)
{
  TauSessionCommand *command = data;

  if (command->destroy != NULL)
    command->destroy (command->user_data);
  g_free (command->name);
  g_free (command->description);
  g_free (command);
}

static TauSessionCommand *
find_command (TauAgentSession *self,
              const char      *name,
              gsize            length)
{
  for (guint i = 0; self->commands != NULL && i < self->commands->len; i++)
    {
      TauSessionCommand *command = g_ptr_array_index (self->commands, i);

      if (strlen (command->name) == length && strncmp (command->name, name, length) == 0)
        return command;
    }
  return NULL;
}

gboolean
tau_agent_session_run_command (TauAgentSession *self,
                               const char      *text)
{
  gsize length = text[0] == '/' ? strcspn (text + 1, " ") : 0;
  TauSessionCommand *command = find_command (self, text + 1, length);

  if (length == 0 || command == NULL)
    return FALSE;
  command->func (self, text + 1 + length + (text[1 + length] == ' ' ? 1 : 0), command->user_data);
  return TRUE;
}

/**
 * tau_agent_session_add_command:
 * @self: a session
 * @name: what is typed behind the slash, without spaces; an earlier command of that name is replaced
 * @description: for a person who looks for a command
 * @func: (scope notified): what it does
 * @user_data: for @func
 * @destroy: (nullable): frees @user_data
 *
 * Adds a command: a prompt "/NAME …" runs @func and does not reach the model. It comes before skills and templates.
 */
void
tau_agent_session_add_command (TauAgentSession       *self,
                               const char            *name,
                               const char            *description,
                               TauSessionCommandFunc  func,
                               gpointer               user_data,
                               GDestroyNotify         destroy)
{
  TauSessionCommand *command;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));
  g_return_if_fail (name != NULL && *name != '\0' && strchr (name, ' ') == NULL);
  g_return_if_fail (func != NULL);

  if (self->commands == NULL)
    self->commands = g_ptr_array_new_with_free_func (command_free);
  command = find_command (self, name, strlen (name));
  if (command != NULL)
    g_ptr_array_remove (self->commands, command);

  command = g_new0 (TauSessionCommand, 1);
  *command = (TauSessionCommand) { g_strdup (name), g_strdup (description), func, user_data, destroy };
  g_ptr_array_add (self->commands, command);
}

/**
 * tau_agent_session_get_commands:
 * @self: a session
 *
 * Returns: (transfer none) (nullable) (element-type TauSessionCommand): the commands that were added; %NULL if none
 */
GPtrArray *
tau_agent_session_get_commands (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->commands;
}

/**
 * tau_agent_session_add_tool:
 * @self: a session
 * @tool: what the agent can do from its next run on
 *
 * Adds a tool and makes it known to the model. One of the same name is replaced.
 */
void
tau_agent_session_add_tool (TauAgentSession *self,
                            TauTool         *tool)
{
  g_autoptr(TauToolbox) all = NULL;
  TauToolbox *old;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));
  g_return_if_fail (TAU_IS_TOOL (tool));

  all = tau_toolbox_new ();
  old = tau_agent_get_toolbox (self->agent);
  /* A run that is on keeps the box that it began with. */
  for (guint i = 0; i < tau_toolbox_get_n_tools (old); i++)
    tau_toolbox_add (all, tau_toolbox_get_tool (old, i));
  tau_toolbox_add (all, tool);
  tau_agent_set_toolbox (self->agent, all);
  tau_agent_session_tell_model (self);
}

/**
 * tau_agent_session_append_custom:
 * @self: a session
 * @custom_type: whose it is
 * @data: (nullable): what to keep
 *
 * Keeps something of an application's own in the session file, at the leaf. It is neither shown nor sent.
 */
void
tau_agent_session_append_custom (TauAgentSession *self,
                                 const char      *custom_type,
                                 JsonNode        *data)
{
  JsonObject *fields;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));
  g_return_if_fail (custom_type != NULL);

  fields = json_object_new ();
  json_object_set_string_member (fields, "customType", custom_type);
  if (data != NULL)
    json_object_set_member (fields, "data", json_node_copy (data));
  tau_agent_session_record (self, TAU_ENTRY_CUSTOM, fields);
}

static void
emit (TauAgentSession   *self,
      TauAgentEventKind  kind,
      TauMessage        *message)
{
  const TauAgentEvent event = { .kind = kind, .message = message };

  tau_agent_session_emit (self, &(TauSessionEvent) { .kind = TAU_SESSION_EVENT_AGENT, .agent = &event });
}

static void
append (TauAgentSession *self,
        TauMessage      *message)
{
  emit (self, TAU_AGENT_EVENT_MESSAGE_START, message);
  tau_agent_session_append_message (self, message);
  emit (self, TAU_AGENT_EVENT_MESSAGE_END, message);
}

/**
 * tau_agent_session_add_message:
 * @self: a session
 * @message: (transfer none): most often a #TauCustomMessage
 * @place: where it goes
 * @error: return location: %TAU_SESSION_ERROR; only for %TAU_MESSAGE_PLACE_PROMPT
 *
 * Adds a message that no user typed.
 *
 * Returns: whether it was accepted
 */
gboolean
tau_agent_session_add_message (TauAgentSession  *self,
                               TauMessage       *message,
                               TauMessagePlace   place,
                               GError          **error)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), FALSE);
  g_return_val_if_fail (TAU_IS_MESSAGE (message), FALSE);

  if (place == TAU_MESSAGE_PLACE_PROMPT)
    return tau_agent_session_begin_run (self, message, error);
  if (place == TAU_MESSAGE_PLACE_NEXT_PROMPT)
    g_ptr_array_add (self->companions, g_object_ref (message));
  else if (self->state == TAU_SESSION_IDLE)
    append (self, message);
  else
    tau_agent_session_enqueue (self, g_object_ref (message),
                               place == TAU_MESSAGE_PLACE_END ? TAU_DELIVERY_STEER : TAU_DELIVERY_FOLLOW_UP);
  return TRUE;
}
