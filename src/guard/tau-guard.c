/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* tau-guard: ends what Tau's commands left, when Tau is gone, however it went.
 *
 * Standard input is one end of a SOCK_SEQPACKET pair whose other end only Tau holds. Each message is a pid_t: the number
 * of a process group that a command is about to begin, sent by its first process before it runs anything. When the other
 * end closes, every group that still lives gets SIGTERM, and SIGKILL a second later. A number that has passed to somebody
 * else's group in the meantime is told by the start time of the group's leader.
 * No library but the C library: a few pages of memory for as long as Tau runs. */

#define TERM_MS 1000   /* how long a group may take to obey */
#define KILL_MS 1500   /* how long we look on after SIGKILL: the dead may wait to be collected */
#define STEP_MS 20

typedef struct
{
  pid_t              id;
  unsigned long long started;   /* of its leader; 0 if that was gone before we could look */
} Group;

static Group *groups;
static size_t n_groups;
static size_t n_allocated;

/* Field 22 of /proc/PID/stat, proc(5); 0 if there is no such process. */
static unsigned long long
read_start_time (pid_t pid)
{
  char path[64];
  char stat[1024];
  char *rest;
  ssize_t length;
  unsigned long long started = 0;
  int fd;

  snprintf (path, sizeof path, "/proc/%d/stat", (int) pid);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  length = read (fd, stat, sizeof stat - 1);
  close (fd);
  if (length <= 0)
    return 0;

  stat[length] = '\0';
  rest = strrchr (stat, ')');
  if (rest != NULL)
    sscanf (rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &started);
  return started;
}

static int
is_ours (const Group *group)
{
  unsigned long long started = read_start_time (group->id);

  if (kill (-group->id, 0) != 0 && errno == ESRCH)
    return 0;
  return started == 0 || started == group->started;
}

static void
forget_ended (void)
{
  size_t kept = 0;

  for (size_t i = 0; i < n_groups; i++)
    if (is_ours (&groups[i]))
      groups[kept++] = groups[i];
  n_groups = kept;
}

static void
add_group (pid_t id)
{
  forget_ended ();
  if (n_groups == n_allocated)
    {
      size_t wanted = n_allocated > 0 ? 2 * n_allocated : 64;
      Group *larger = reallocarray (groups, wanted, sizeof *groups);

      if (larger == NULL)
        return;
      groups = larger;
      n_allocated = wanted;
    }
  groups[n_groups++] = (Group) { id, read_start_time (id) };
}

/* Returns when Tau is gone. */
static void
listen_to_tau (void)
{
  for (;;)
    {
      pid_t id;
      ssize_t length = recv (STDIN_FILENO, &id, sizeof id, 0);

      if (length == sizeof id && id > 1)
        add_group (id);
      else if (length == 0 || (length < 0 && errno != EINTR))
        return;
    }
}

/* Sends a signal to all groups and waits for their end, at most @milliseconds. */
static void
end_groups (int signal_number,
            int milliseconds)
{
  forget_ended ();
  for (size_t i = 0; i < n_groups; i++)
    kill (-groups[i].id, signal_number);

  for (int waited = 0; n_groups > 0 && waited < milliseconds; waited += STEP_MS)
    {
      poll (NULL, 0, STEP_MS);
      forget_ended ();
    }
}

int
main (void)
{
  /* Not in Tau's session nor in its way: a key pressed in its terminal must not end us first. */
  setsid ();
  signal (SIGTERM, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
  signal (SIGINT, SIG_IGN);
  signal (SIGPIPE, SIG_IGN);
  if (chdir ("/") != 0)
    return 1;

  listen_to_tau ();
  end_groups (SIGTERM, TERM_MS);
  end_groups (SIGKILL, KILL_MS);
  return 0;
}
