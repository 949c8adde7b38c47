/* SPDX-License-Identifier: MIT */
#include "core/base/tau-output-sink.h"

/* Where the output of processes goes that a command has left behind: read and dropped, until the last of them closes the
 * pipe. A pipe that nobody reads would end a server that was started with "&" at its next line. One that floods is read
 * slowly, so that it waits for us rather than we for it. */

#define PIECE_SIZE (64 * 1024)
#define PAUSE_MS 20   /* between two pieces: at most 3 MB/s for each pipe */

static gboolean readable_cb (GObject *stream, gpointer user_data);

static void
wait_for_output (GPollableInputStream *stream)
{
  GSource *source = g_pollable_input_stream_create_source (stream, NULL);

  g_source_set_priority (source, G_PRIORITY_LOW);
  g_source_set_callback (source, G_SOURCE_FUNC (readable_cb), NULL, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  g_source_unref (source);
}

static gboolean
pause_over_cb (gpointer user_data)
{
  wait_for_output (user_data);
  return G_SOURCE_REMOVE;
}

static gboolean
readable_cb (GObject *stream,
             gpointer user_data)
{
  static char piece[PIECE_SIZE];
  g_autoptr(GError) error = NULL;
  gssize length = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (stream), piece, sizeof piece, NULL, &error);
  GSource *source;

  if (length <= 0 && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return G_SOURCE_REMOVE;
  /* The timeout holds the stream until the next source does. */
  source = g_timeout_source_new (PAUSE_MS);
  g_source_set_priority (source, G_PRIORITY_LOW);
  g_source_set_callback (source, pause_over_cb, g_object_ref (stream), g_object_unref);
  g_source_attach (source, g_main_context_get_thread_default ());
  g_source_unref (source);
  return G_SOURCE_REMOVE;
}

/**
 * tau_output_sink_adopt:
 * @stream: a pollable stream; a reference is held until it ends
 *
 * Reads and drops what comes, in the main context of the caller.
 */
void
tau_output_sink_adopt (GInputStream *stream)
{
  g_return_if_fail (G_IS_POLLABLE_INPUT_STREAM (stream));

  wait_for_output (G_POLLABLE_INPUT_STREAM (stream));
}
