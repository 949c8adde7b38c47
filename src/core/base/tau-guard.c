/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/base/tau-guard.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Our side of the program tau-guard, which ends the process groups of commands when we are gone: one per process, begun
 * with the first command, told of each group by the group's first process, so that no moment is left in which a group is
 * not known. Without it (not installed, ended by somebody) commands run all the same; then only the shell itself dies
 * with us. */

#define PROGRAM "tau-guard"
/* The guard only ever reads; should it be stopped, a command must not wait for it. */
#define SEND_TIMEOUT_MS 200

/**
 * tau_guard_find_program:
 *
 * Looks for the program: in the folder that TAU_LIBEXEC_DIR names, beside our own program or above it (a build folder),
 * where it was installed.
 *
 * Returns: (transfer full) (nullable): its path
 */
char *
tau_guard_find_program (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (self != NULL ? self : ".");
  g_autofree char *above = g_path_get_dirname (folder);
  const char *named = g_getenv ("TAU_LIBEXEC_DIR");
  char *places[] = {
    g_build_filename (named != NULL ? named : "", PROGRAM, NULL),
    g_build_filename (folder, "guard", PROGRAM, NULL),
    g_build_filename (above, "guard", PROGRAM, NULL),
    g_build_filename (above, "libexec", "tau", PROGRAM, NULL),
    g_build_filename (TAU_LIBEXECDIR, PROGRAM, NULL),
  };
  char *found = NULL;

  for (gsize i = named != NULL ? 0 : 1; i < G_N_ELEMENTS (places) && found == NULL; i++)
    if (g_file_test (places[i], G_FILE_TEST_IS_EXECUTABLE))
      found = g_strdup (places[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    g_free (places[i]);
  return found;
}

static int
start (void)
{
  g_autofree char *program = tau_guard_find_program ();
  const struct timeval patience = { .tv_usec = SEND_TIMEOUT_MS * 1000 };
  int ends[2];
  gboolean started;

  if (program == NULL || socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return -1;
  /* GLib forks twice unless told otherwise: nobody has to collect the guard. */
  started = g_spawn_async_with_pipes_and_fds ("/", (const char * const[]) { program, NULL }, NULL,
                                              G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                                              ends[1], -1, -1, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL);
  close (ends[1]);
  if (!started)
    {
      close (ends[0]);
      return -1;
    }
  setsockopt (ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return ends[0];
}

/**
 * tau_guard_get_socket:
 *
 * Starts the guard if it does not run. Main thread only.
 *
 * Returns: the socket for tau_guard_register(); -1 if there is no guard
 */
int
tau_guard_get_socket (void)
{
  static int guard_socket = -1;
  struct pollfd state = { .fd = guard_socket };

  if (guard_socket >= 0 && poll (&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR)) != 0)
    {
      close (guard_socket);
      guard_socket = -1;
    }
  if (guard_socket < 0)
    guard_socket = start ();
  return guard_socket;
}

/**
 * tau_guard_register:
 * @socket: what tau_guard_get_socket() gave to our parent
 *
 * For a process between fork and exec that has just begun its own group: puts the group under guard. Makes only calls
 * that are safe there.
 */
void
tau_guard_register (int socket)
{
  pid_t id = getpid ();

  if (socket >= 0)
    send (socket, &id, sizeof id, MSG_NOSIGNAL);
}
