/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-bash-shell.h"

#include "core/base/tau-error.h"
#include "core/base/tau-paths.h"
#include "core/tool/tau-login-environment.h"

/* Which shell runs commands, and in which surroundings. Nobody sits at a terminal, so whatever would ask or wait
 * there is made to fail at once, and to say so. */

/* An editor that does nothing would let `git rebase -i` or `git commit` go through with what nobody wrote. */
#define NO_EDITOR "sh -c 'echo \"There is no editor here: pass the text on the command line.\" >&2; exit 1' no-editor"

/**
 * tau_bash_shell_find:
 * @setting: (nullable): the shell that the settings name
 * @error: return location for an error whose message is meant for the model
 *
 * Chooses the shell: the one of the settings, else bash, else sh. The order is pi's.
 *
 * Returns: (transfer full) (nullable): path of a shell that takes `-c`
 */
char *
tau_bash_shell_find (const char  *setting,
                     GError     **error)
{
  char *found;

  if (setting != NULL && *setting != '\0')
    {
      g_autofree char *path = tau_paths_expand_home (setting);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Custom shell path not found: %s", setting);
      return NULL;
    }

  if (g_file_test ("/bin/bash", G_FILE_TEST_IS_EXECUTABLE))
    return g_strdup ("/bin/bash");
  found = g_find_program_in_path ("bash");
  return found != NULL ? found : g_strdup ("sh");
}

/* The agent's own programs come first, unless the user has put them elsewhere. */
static char **
add_agent_programs (char **environment)
{
  g_autofree char *agent_dir = tau_paths_agent_dir ();
  g_autofree char *programs = g_build_filename (agent_dir, "bin", NULL);
  const char *path = g_environ_getenv (environment, "PATH");
  g_auto(GStrv) folders = g_strsplit (path != NULL ? path : "", ":", -1);
  g_autofree char *longer = NULL;

  if (g_strv_contains ((const char * const *) folders, programs))
    return environment;

  longer = path != NULL && *path != '\0' ? g_strdup_printf ("%s:%s", programs, path) : g_strdup (programs);
  return g_environ_setenv (environment, "PATH", longer, TRUE);
}

/**
 * tau_bash_shell_new_environment:
 *
 * Makes the environment of commands: ours, with what the login shell has said over it, the agent's programs, no editors, no pagers, no password prompts of git.
 *
 * Returns: (transfer full): an environment
 */
char **
tau_bash_shell_new_environment (void)
{
  static const struct
  {
    const char *name;
    const char *value;
  } settings[] = {
    { "EDITOR", NO_EDITOR },
    { "VISUAL", NO_EDITOR },
    { "GIT_EDITOR", NO_EDITOR },
    { "GIT_SEQUENCE_EDITOR", NO_EDITOR },
    { "GIT_TERMINAL_PROMPT", "0" },
    { "GIT_PAGER", "cat" },
    { "PAGER", "cat" },
    { "MANPAGER", "cat" },
  };
  char **environment = add_agent_programs (tau_login_environment_apply (g_get_environ ()));

  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    environment = g_environ_setenv (environment, settings[i].name, settings[i].value, TRUE);
  return environment;
}
