/* SPDX-License-Identifier: MIT */
#include "cli/tau-output.h"

#include "core/base/tau-json.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Standard output belongs to answers and events alone: whoever reads it parses it. tau_output_claim() keeps it under
 * another number and lets 1 point to standard error, where whatever a library prints does no harm. */
static int output = STDOUT_FILENO;

/**
 * tau_output_claim:
 *
 * Takes standard output for this module. Call it once, at the start.
 */
void
tau_output_claim (void)
{
  int copy = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

  if (copy < 0)
    return;

  output = copy;
  dup2 (STDERR_FILENO, STDOUT_FILENO);
}

/* The reader may have made the pipe non-blocking for both of us. */
static gboolean
wait_writable (void)
{
  struct pollfd waiting = { .fd = output, .events = POLLOUT };

  return poll (&waiting, 1, -1) >= 0 || errno == EINTR;
}

/**
 * tau_output_write:
 * @text: what to write
 * @length: bytes of @text, or -1
 *
 * Writes all of @text, waiting for a slow reader. The caller must ignore SIGPIPE.
 *
 * Returns: %FALSE if nobody reads any more or it cannot be written
 */
gboolean
tau_output_write (const char *text,
                  gssize      length)
{
  gsize left = length < 0 ? strlen (text) : (gsize) length;

  while (left > 0)
    {
      gssize written = write (output, text, left);

      if (written >= 0)
        {
          text += written;
          left -= (gsize) written;
        }
      else if (errno == EAGAIN)
        {
          if (!wait_writable ())
            return FALSE;
        }
      else if (errno != EINTR)
        return FALSE;
    }

  return TRUE;
}

/**
 * tau_output_write_json:
 * @node: a JSON value
 *
 * Writes @node as one line.
 *
 * Returns: as tau_output_write()
 */
gboolean
tau_output_write_json (JsonNode *node)
{
  g_autoptr(GString) line = g_string_new (NULL);

  tau_json_append (line, node);
  g_string_append_c (line, '\n');

  return tau_output_write (line->str, (gssize) line->len);
}
