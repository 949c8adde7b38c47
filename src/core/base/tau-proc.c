/* SPDX-License-Identifier: MIT */
#include "core/base/tau-proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reading /proc: what runs, since when, with how much memory and with which environment. Any thread; a process may go away
 * between two questions, which is then just an answer. Formats: proc(5). */

/**
 * tau_proc_read:
 * @pid: a process
 * @proc: (out): what is known of it
 *
 * Returns: whether there is such a process
 */
gboolean
tau_proc_read (int      pid,
               TauProc *proc)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;
  const char *rest;
  long pages;
  unsigned long long started;

  /* The name, in parentheses, may hold anything. */
  if (!g_file_get_contents (path, &stat, NULL, NULL) || (rest = strrchr (stat, ')')) == NULL)
    return FALSE;
  if (sscanf (rest + 1, " %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu %*u %ld",
              &proc->state, &proc->parent, &proc->group, &started, &pages) != 5)
    return FALSE;
  proc->pid = pid;
  proc->started = started;
  proc->memory = (gint64) pages * sysconf (_SC_PAGESIZE);
  return TRUE;
}

/**
 * tau_proc_list_own:
 *
 * Lists the processes of our user, but not those that have ended and wait to be collected.
 *
 * Returns: (transfer full) (element-type TauProc): the processes
 */
GArray *
tau_proc_list_own (void)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (TauProc));
  g_autoptr(GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc", name, NULL);
      struct stat owner;
      TauProc proc;

      if (g_ascii_isdigit (*name) && stat (path, &owner) == 0 && owner.st_uid == geteuid ()
          && tau_proc_read (atoi (name), &proc) && proc.state != 'Z')
        g_array_append_val (list, proc);
    }
  return list;
}

/**
 * tau_proc_dup_variable:
 * @pid: a process of our user
 * @name: name of an environment variable
 *
 * Looks into the environment that the process was started with.
 *
 * Returns: (transfer full) (nullable): the value
 */
char *
tau_proc_dup_variable (int         pid,
                       const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/environ", pid);
  g_autofree char *environment = NULL;
  gsize name_length = strlen (name);
  gsize length;

  if (!g_file_get_contents (path, &environment, &length, NULL))
    return NULL;
  /* GLib puts a NUL behind the last one, whatever the process did. */
  for (const char *next = environment; next < environment + length; next += strlen (next) + 1)
    if (strncmp (next, name, name_length) == 0 && next[name_length] == '=')
      return g_strdup (next + name_length + 1);
  return NULL;
}

/**
 * tau_proc_dup_command_line:
 * @pid: a process
 *
 * Returns: (transfer full) (nullable): its arguments with spaces between, bytes as they are; %NULL if it has none
 */
char *
tau_proc_dup_command_line (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/cmdline", pid);
  char *line = NULL;
  gsize length;

  if (!g_file_get_contents (path, &line, &length, NULL))
    return NULL;
  while (length > 0 && line[length - 1] == '\0')
    length--;
  for (gsize i = 0; i < length; i++)
    if (line[i] == '\0')
      line[i] = ' ';
  if (length == 0)
    g_clear_pointer (&line, g_free);
  return line;
}

/**
 * tau_proc_get_age_ms:
 * @proc: a process
 *
 * Returns: milliseconds since it began
 */
gint64
tau_proc_get_age_ms (const TauProc *proc)
{
  g_autofree char *uptime = NULL;

  if (!g_file_get_contents ("/proc/uptime", &uptime, NULL, NULL))
    return 0;
  return MAX (0, (gint64) (g_ascii_strtod (uptime, NULL) * 1000) - (gint64) (proc->started * 1000 / (guint64) sysconf (_SC_CLK_TCK)));
}

/**
 * tau_proc_count_tasks:
 *
 * Returns: how many processes and threads the machine has; 0 if it does not say
 */
guint
tau_proc_count_tasks (void)
{
  g_autofree char *load = NULL;
  const char *slash;

  if (!g_file_get_contents ("/proc/loadavg", &load, NULL, NULL) || (slash = strchr (load, '/')) == NULL)
    return 0;
  return (guint) atoi (slash + 1);
}
