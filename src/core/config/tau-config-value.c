/* SPDX-License-Identifier: MIT */
#include "core/config/tau-config-value.h"

#include "core/base/tau-error.h"

/* Keys and header values as models.json and auth.json write them: "!command" stands for what the command prints, the name of
 * an environment variable for its value, anything else for itself. Values are secrets: no error and no log shows them. */

#define COMMAND_TIMEOUT_MS 10000

typedef struct
{
  GSubprocess *process;
  guint        timer;
  gboolean     timed_out;
} Command;

static void
command_free (gpointer data)
{
  Command *command = data;

  g_clear_handle_id (&command->timer, g_source_remove);
  g_object_unref (command->process);
  g_free (command);
}

/**
 * tau_config_value_is_command:
 * @value: (nullable): a value
 *
 * Returns: whether @value is a command to run
 */
gboolean
tau_config_value_is_command (const char *value)
{
  return value != NULL && value[0] == '!';
}

/**
 * tau_config_value_read:
 * @value: a value that is no command
 *
 * Returns: (transfer full): the environment variable of that name if it is set and not empty, else @value
 */
char *
tau_config_value_read (const char *value)
{
  const char *variable = value[0] != '\0' ? g_getenv (value) : NULL;

  return g_strdup (variable != NULL && variable[0] != '\0' ? variable : value);
}

static gboolean
timeout_cb (gpointer user_data)
{
  Command *command = user_data;

  command->timer = 0;
  command->timed_out = TRUE;
  g_subprocess_force_exit (command->process);

  return G_SOURCE_REMOVE;
}

static void
output_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  Command *command = g_task_get_task_data (task);
  GSubprocess *process = G_SUBPROCESS (object);
  g_autofree char *output = NULL;
  GError *error = NULL;

  if (!g_subprocess_communicate_utf8_finish (process, result, &output, NULL, &error))
    {
      g_subprocess_force_exit (process);
      g_task_return_error (task, error);
      return;
    }

  if (output != NULL)
    g_strstrip (output);
  if (command->timed_out)
    g_task_return_new_error (task, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "the command for the key took longer than %d s",
                             COMMAND_TIMEOUT_MS / 1000);
  else if (!g_subprocess_get_successful (process))
    g_task_return_new_error (task, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "the command for the key failed");
  else if (output == NULL || output[0] == '\0')
    g_task_return_new_error (task, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID, "the command for the key printed nothing");
  else
    g_task_return_pointer (task, g_steal_pointer (&output), g_free);
}

static void
run_command (GTask      *task,
             const char *line)
{
  GError *error = NULL;
  Command *command;
  GSubprocess *process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error,
                                           "/bin/sh", "-c", line, NULL);

  if (process == NULL)
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }

  command = g_new0 (Command, 1);
  command->process = process;
  command->timer = g_timeout_add (COMMAND_TIMEOUT_MS, timeout_cb, command);
  g_task_set_task_data (task, command, command_free);
  g_subprocess_communicate_utf8_async (process, NULL, g_task_get_cancellable (task), output_cb, task);
}

/**
 * tau_config_value_resolve_async:
 * @value: a value
 * @cancellable: (nullable): to stop it
 * @callback: called when the value is known
 * @user_data: for @callback
 *
 * Finds out what a value stands for, running its command if it is one.
 */
void
tau_config_value_resolve_async (const char         *value,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, tau_config_value_resolve_async);
  if (tau_config_value_is_command (value))
    run_command (g_steal_pointer (&task), value + 1);
  else
    g_task_return_pointer (task, tau_config_value_read (value), g_free);
}

/**
 * tau_config_value_resolve_finish:
 * @result: the result
 * @error: return location: the command failed, took too long or printed nothing
 *
 * Returns: (transfer full) (nullable): what the value stands for
 */
char *
tau_config_value_resolve_finish (GAsyncResult *result,
                                 GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
