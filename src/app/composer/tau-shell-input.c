/* SPDX-License-Identifier: MIT */
#include "app/composer/tau-shell-input.h"

#include <string.h>

/* Tells the user's own shell commands from prompts, as pi does: "!" or "!!" before the first word. */

/**
 * tau_shell_input_parse:
 * @text: what is typed
 * @command: (out) (optional) (transfer full): the command without the marks, not empty; %NULL for a prompt
 *
 * Marks with nothing behind them are no command: they count as %TAU_SHELL_INPUT_SHOWN or %TAU_SHELL_INPUT_HIDDEN, since a
 * command is about to be typed, with @command %NULL.
 *
 * Returns: what the text asks for
 */
TauShellInput
tau_shell_input_parse (const char  *text,
                       char       **command)
{
  g_autofree char *rest = g_strstrip (g_strdup (text));
  TauShellInput kind = !g_str_has_prefix (rest, "!") ? TAU_SHELL_INPUT_NONE
                       : g_str_has_prefix (rest, "!!") ? TAU_SHELL_INPUT_HIDDEN : TAU_SHELL_INPUT_SHOWN;

  if (command == NULL)
    return kind;
  *command = NULL;
  if (kind != TAU_SHELL_INPUT_NONE)
    *command = g_strstrip (g_strdup (rest + (kind == TAU_SHELL_INPUT_HIDDEN ? 2 : 1)));
  if (*command != NULL && **command == '\0')
    g_clear_pointer (command, g_free);
  return kind;
}
