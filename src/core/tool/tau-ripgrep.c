/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-ripgrep.h"

#include "core/base/tau-error.h"
#include "core/base/tau-paths.h"

#include <string.h>

/* Runs ripgrep and hands out its output line by line. Blocking; meant for a thread. */

static char *
find_program (GError **error)
{
  g_autofree char *agent_dir = tau_paths_agent_dir ();
  g_autofree char *own = g_build_filename (agent_dir, "bin", "rg", NULL);
  char *program;

  if (g_file_test (own, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&own);
  program = g_find_program_in_path ("rg");
  if (program == NULL)
    g_set_error_literal (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED,
                         "ripgrep (rg) is not available. It is in the Debian package ripgrep: apt install ripgrep");
  return program;
}

static GSubprocess *
start (const char * const  *arguments,
       const char          *folder,
       GError             **error)
{
  g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *program = find_program (error);

  if (program == NULL)
    return NULL;

  g_subprocess_launcher_set_cwd (launcher, folder);
  g_ptr_array_add (argv, program);
  g_ptr_array_add (argv, (char *) "--no-config");
  /* Files that cannot be read are left out; what is wrong with the pattern is still said. */
  g_ptr_array_add (argv, (char *) "--no-messages");
  g_ptr_array_add (argv, (char *) "--hidden");
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (argv, (char *) *arguments);
  g_ptr_array_add (argv, NULL);
  return g_subprocess_launcher_spawnv (launcher, (const char * const *) argv->pdata, error);
}

/* FALSE if reading was ended before the end of the output, by @func or by @cancellable. */
static gboolean
read_lines (GInputStream       *output,
            char                separator,
            TauRipgrepLineFunc  func,
            gpointer            user_data,
            GCancellable       *cancellable)
{
  g_autoptr(GString) rest = g_string_new (NULL);
  char buffer[65536];

  for (;;)
    {
      gssize n = g_input_stream_read (output, buffer, sizeof buffer, cancellable, NULL);
      gsize line = 0, seen = rest->len;
      const char *end;

      if (n <= 0)
        return n == 0;

      /* A line can be as long as a file; what was looked at is not looked at again. */
      g_string_append_len (rest, buffer, n);
      while ((end = memchr (rest->str + seen, separator, rest->len - seen)) != NULL)
        {
          if (!func (rest->str + line, end - rest->str - line, user_data))
            return FALSE;
          line = seen = end - rest->str + 1;
        }
      g_string_erase (rest, 0, line);
    }
}

/* What ripgrep said of its arguments, if that is why it ended. */
static gboolean
check_end (GSubprocess  *process,
           GError      **error)
{
  char text[4096];
  gsize length;

  g_subprocess_wait (process, NULL, NULL);
  if (g_subprocess_get_if_exited (process) && g_subprocess_get_exit_status (process) <= 1)
    return TRUE;

  g_input_stream_read_all (g_subprocess_get_stderr_pipe (process), text, sizeof text - 1, &length, NULL, NULL);
  text[length] = '\0';
  g_strstrip (text);
  if (*text == '\0')
    return TRUE;
  g_set_error_literal (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, text);
  return FALSE;
}

/**
 * tau_ripgrep_run:
 * @arguments: (array zero-terminated=1): arguments beside the program and those that are always given
 * @folder: where it runs
 * @separator: what ends a line
 * @func: gets the lines
 * @user_data: for @func
 * @cancellable: (nullable): ends the search
 * @error: return location for an error whose message is meant for the model
 *
 * Runs ripgrep until it is done or @func has enough.
 *
 * Returns: %FALSE if ripgrep is not there, did not like its arguments, or was cancelled
 */
gboolean
tau_ripgrep_run (const char * const  *arguments,
                 const char          *folder,
                 char                 separator,
                 TauRipgrepLineFunc   func,
                 gpointer             user_data,
                 GCancellable        *cancellable,
                 GError             **error)
{
  g_autoptr(GSubprocess) process = start (arguments, folder, error);

  if (process == NULL)
    return FALSE;
  if (read_lines (g_subprocess_get_stdout_pipe (process), separator, func, user_data, cancellable))
    return check_end (process, error);

  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
  if (!g_cancellable_is_cancelled (cancellable))
    return TRUE;
  g_set_error_literal (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_ABORTED, "Operation aborted");
  return FALSE;
}
