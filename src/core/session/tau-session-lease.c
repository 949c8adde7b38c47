/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-session-lease.h"

#include "core/base/tau-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Who may append to a session file. The lease is an advisory lock on the file itself, bound to the open file: it ends
 * with the descriptor, also when the program is killed, so there is nothing to tidy up, and it goes unnoticed by pi. */

/* "1: FLOCK  ADVISORY  WRITE 4711 08:01:131117 0 EOF". The device is not compared: some file systems tell two. */
static long
parse_lock (const char *line,
            guint64     inode)
{
  unsigned long long locked = 0;
  long pid = 0;

  if (sscanf (line, "%*d: FLOCK %*s %*s %ld %*x:%*x:%llu", &pid, &locked) == 2 && locked == inode)
    return pid;
  return 0;
}

static long
find_process (guint64 inode)
{
  g_autofree char *table = NULL;
  g_auto(GStrv) lines = NULL;

  if (!g_file_get_contents ("/proc/locks", &table, NULL, NULL))
    return 0;
  lines = g_strsplit (table, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      long pid = parse_lock (*line, inode);

      if (pid > 0)
        return pid;
    }
  return 0;
}

/**
 * tau_session_lease_dup_holder:
 * @fd: a file whose lease somebody else has
 *
 * Asks the kernel's list of locks (proc(5), /proc/locks).
 *
 * Returns: (transfer full): the program as a person knows it, "tau-agent (process 4711)", or words for an unknown one
 */
char *
tau_session_lease_dup_holder (int fd)
{
  g_autofree char *file = NULL;
  g_autofree char *name = NULL;
  struct stat info;
  long pid = fstat (fd, &info) == 0 ? find_process (info.st_ino) : 0;

  if (pid == getpid ())
    return g_strdup (_("this program"));
  file = g_strdup_printf ("/proc/%ld/comm", pid);
  if (pid == 0 || !g_file_get_contents (file, &name, NULL, NULL))
    return g_strdup (_("another program"));
  /* Translators: name of a program and its process number. */
  return g_strdup_printf (_("%s (process %ld)"), g_strstrip (name), pid);
}

/**
 * tau_session_lease_take:
 * @fd: a session file, open for writing
 * @path: its name, for the error
 * @error: return location: %TAU_SESSION_ERROR_LOCKED
 *
 * Takes the lease; it is given back when @fd is closed. Where the file system knows no locks there is no lease either,
 * and everybody gets it. Does not wait.
 *
 * Returns: whether nobody else has it
 */
gboolean
tau_session_lease_take (int          fd,
                        const char  *path,
                        GError     **error)
{
  g_autofree char *holder = NULL;

  if (flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return TRUE;
  holder = tau_session_lease_dup_holder (fd);
  /* Translators: the first %s is a file, the second a program. */
  g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_LOCKED, _("%s is in use by %s"), path, holder);
  return FALSE;
}
