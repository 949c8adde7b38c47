/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-command-id.h"

#include "core/base/tau-proc.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The mark of a command: all that it starts inherits it, wherever it goes, so that it can be found again, also by another
 * Tau after a crash, and without a file that could be out of date. It reads PID-STARTED-NUMBER: the Tau that ran the
 * command, when that began (so that a number used again is not taken for it), and a count. Any thread. */

static GMutex mutex;
static GHashTable *running;   /* set of ids */

static guint64
own_start (void)
{
  TauProc proc;

  return tau_proc_read (getpid (), &proc) ? proc.started : 0;
}

/**
 * tau_command_id_begin:
 *
 * Makes the mark of a new command, which runs until tau_command_id_end().
 *
 * Returns: (transfer full): value of the variable %TAU_COMMAND_ID_VARIABLE
 */
char *
tau_command_id_begin (void)
{
  static guint count;
  char *id;

  g_mutex_lock (&mutex);
  if (running == NULL)
    running = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  id = g_strdup_printf ("%d-%" G_GUINT64_FORMAT "-%u", getpid (), own_start (), ++count);
  g_hash_table_add (running, g_strdup (id));
  g_mutex_unlock (&mutex);
  return id;
}

/**
 * tau_command_id_end:
 * @id: a mark
 *
 * Says that the command is over. What still bears the mark was left behind.
 */
void
tau_command_id_end (const char *id)
{
  g_mutex_lock (&mutex);
  g_hash_table_remove (running, id);
  g_mutex_unlock (&mutex);
}

/**
 * tau_command_id_judge:
 * @id: (nullable): what a process has in the variable
 *
 * Returns: whose it is
 */
TauCommandOwner
tau_command_id_judge (const char *id)
{
  TauProc owner;
  unsigned long long started;
  gboolean runs;
  guint number;
  int pid;

  if (id == NULL || sscanf (id, "%d-%llu-%u", &pid, &started, &number) != 3)
    return TAU_COMMAND_UNKNOWN;
  if (pid != getpid () || started != own_start ())
    return tau_proc_read (pid, &owner) && owner.started == started ? TAU_COMMAND_ELSEWHERE : TAU_COMMAND_ORPHANED;

  g_mutex_lock (&mutex);
  runs = running != NULL && g_hash_table_contains (running, id);
  g_mutex_unlock (&mutex);
  return runs ? TAU_COMMAND_RUNNING : TAU_COMMAND_LEFT;
}

/* A scope of the name tau-ID.scope; see tau-command-scope.c. */
static char *
dup_from_cgroup (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/cgroup", pid);
  g_autofree char *group = NULL;
  const char *name;
  const char *end;

  if (!g_file_get_contents (path, &group, NULL, NULL) || (name = strstr (group, "/tau-")) == NULL
      || (end = strstr (name, ".scope")) == NULL)
    return NULL;
  name += strlen ("/tau-");
  return g_strndup (name, (gsize) (end - name));
}

/**
 * tau_command_id_dup_of_process:
 * @pid: a process of our user
 *
 * Looks for the mark in the environment, or, if the process has given that up, in the name of its control group.
 *
 * Returns: (transfer full) (nullable): the mark
 */
char *
tau_command_id_dup_of_process (int pid)
{
  char *id = tau_proc_dup_variable (pid, TAU_COMMAND_ID_VARIABLE);

  return id != NULL ? id : dup_from_cgroup (pid);
}
