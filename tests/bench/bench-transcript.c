/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

#include "app/transcript/tau-step-groups.h"
#include "bench/bench-frames.h"

#include <stdlib.h>
#include <string.h>

/* Streams below a long conversation and says how many frames were painted, how long they took, and how often the draft
 * was looked at. */

#define MESSAGES 10000

static void
fill (Fixture *fixture,
      guint    n_messages)
{
  for (guint i = 0; i < n_messages; i++)
    {
      g_autofree char *text = g_strdup_printf ("Message %u with enough words for a line.\n\n```c\nint v = %u;\n```\n", i, i);

      take_message (fixture, i % 2 ? make_text_answer (text) : make_user (text));
    }
}

static void
measure (guint n_messages)
{
  Fixture fixture;
  Frames frames = { 0 };
  Stream stream;
  double cpu, wall;
  guint renders, n_built;

  fixture_open (&fixture, 900, 800);
  fill (&fixture, n_messages);
  run_frames (&fixture, 60);
  frames_begin (&frames, fixture.window);
  frames.watch = TRUE;
  renders = tau_transcript_view_get_n_renders (fixture.view);
  n_built = tau_transcript_view_get_n_built (fixture.view);
  cpu = cpu_seconds ();
  fixture.watch_end = TRUE;
  stream_begin (&stream, fixture.view);
  while (stream.n_deltas < RATE * SECONDS)
    g_main_context_iteration (NULL, TRUE);
  wall = (double) (g_get_monotonic_time () - stream.start) / G_USEC_PER_SEC;
  cpu = cpu_seconds () - cpu;
  renders = tau_transcript_view_get_n_renders (fixture.view) - renders;

  g_print ("%u messages above: %u deltas, %.1f renders/s, %.1f frames/s, frame p50 %.1f p95 %.1f p99 %.1f ms, "
           "%.0f %% of a core, %u rows built, %u frames off the end (worst %.0f px)\n",
           n_messages, stream.n_deltas, renders / wall, frames.frames->len / wall, percentile (frames.frames, 0.5),
           percentile (frames.frames, 0.95), percentile (frames.frames, 0.99), 100 * cpu / wall,
           tau_transcript_view_get_n_built (fixture.view) - n_built, fixture.n_off_end, fixture.worst);

  frames_end (&frames, fixture.window);
  stream_end (&stream, fixture.view);
  fixture_close (&fixture);
}

static void
take_step (GListStore *messages,
           guint       number)
{
  g_autofree char *id = g_strdup_printf ("c%u", number);
  g_autoptr(GPtrArray) blocks = new_blocks ();
  g_autoptr(TauMessage) answer = NULL;
  g_autoptr(TauMessage) result = make_result (id, "read", "text", NULL, FALSE);

  add_call (blocks, id, "read", "{\"path\":\"a.c\"}");
  answer = make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL);
  g_list_store_append (messages, answer);
  g_list_store_append (messages, result);
}

/* Steps without a word between them, of which each may belong to the group of all before. */
static void
measure_groups (guint n_steps)
{
  g_autoptr(GListStore) messages = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(TauTranscriptModel) rows = tau_transcript_model_new ();
  g_autoptr(TauStepGroups) groups = tau_step_groups_new (rows);
  gint64 start;
  double all;

  for (guint i = 0; i < n_steps; i++)
    take_step (messages, i);
  start = g_get_monotonic_time ();
  tau_transcript_model_set_messages (rows, G_LIST_MODEL (messages));
  all = (double) (g_get_monotonic_time () - start) / 1000;
  start = g_get_monotonic_time ();
  take_step (messages, n_steps);
  g_print ("%u steps in one group: %.1f ms to find them, %.2f ms for one more\n", n_steps, all,
           (double) (g_get_monotonic_time () - start) / 1000);
}

int
main (int   argc,
      char *argv[])
{
  gtk_init ();
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  measure_groups (100);
  measure_groups (10000);
  measure (0);
  measure (MESSAGES);
  return EXIT_SUCCESS;
}
