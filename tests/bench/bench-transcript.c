/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Streams 2,000 deltas a second for ten seconds below a long conversation and says how many frames were painted, how
 * long they took, and how often the draft was looked at. */

#define RATE     2000
#define SECONDS  10
#define LENGTH   (50 * 1024)
#define MESSAGES 10000

typedef struct
{
  Fixture  fixture;
  GArray  *frames;      /* double: milliseconds */
  gint64   frame_start;
  gint64   start;
  GString *text;
  TauDraft *draft;
  guint    n_deltas;
  gsize    fed;
} Bench;

static double
cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void
before_paint_cb (GdkFrameClock *clock,
                 Bench         *bench)
{
  bench->frame_start = g_get_monotonic_time ();
}

static void
after_paint_cb (GdkFrameClock *clock,
                Bench         *bench)
{
  double milliseconds = (double) (g_get_monotonic_time () - bench->frame_start) / 1000;

  if (bench->start)
    g_array_append_val (bench->frames, milliseconds);
}

static gboolean
feed_cb (gpointer user_data)
{
  Bench *bench = user_data;
  double elapsed = (double) (g_get_monotonic_time () - bench->start) / G_USEC_PER_SEC;
  guint due = (guint) MIN (elapsed * RATE, RATE * SECONDS);

  tau_draft_freeze (bench->draft);
  for (; bench->n_deltas < due; bench->n_deltas++)
    {
      gsize until = (gsize) ((double) bench->text->len * (bench->n_deltas + 1) / (RATE * SECONDS));
      TauDelta delta = { .kind = TAU_DELTA_TEXT, .text = bench->text->str + bench->fed,
                         .length = (gssize) (until - bench->fed) };

      tau_draft_apply (bench->draft, &delta);
      bench->fed = until;
    }
  tau_draft_thaw (bench->draft);
  return bench->n_deltas < RATE * SECONDS;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
percentile (GArray *values,
            double  part)
{
  g_array_sort (values, compare);
  return values->len ? g_array_index (values, double, MIN (values->len - 1, (guint) (part * values->len))) : 0;
}

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

static GString *
make_document (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; text->len < LENGTH; i++)
    {
      g_string_append_printf (text, "Paragraph %u has **bold** words, `code`, a [link](http://x.y/%u) and enough words to "
                              "fill some lines in a column of the usual width, as answers do.\n\n", i, i);
      if (i % 3 == 1)
        {
          g_string_append (text, "```c\n");
          for (guint n = 0; n < 5 + i % 50; n++)
            g_string_append_printf (text, "    int value_%u = function (%u); /* words about it */\n", n, n);
          g_string_append (text, "```\n\n");
        }
      if (i % 5 == 2)
        g_string_append (text, "- an item\n- another one\n- and a third\n\n");
      if (i % 6 == 3)
        g_string_append (text, "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n\n");
    }
  g_string_truncate (text, LENGTH);
  return text;
}

static void
begin (Bench *bench)
{
  const TauDelta start = { .kind = TAU_DELTA_START }, text = { .kind = TAU_DELTA_TEXT_START };

  bench->draft = tau_draft_new ("a", "p", "m", 1);
  tau_transcript_view_set_draft (bench->fixture.view, bench->draft);
  tau_draft_apply (bench->draft, &start);
  tau_draft_apply (bench->draft, &text);
  bench->start = g_get_monotonic_time ();
}

static void
measure (guint n_messages)
{
  Bench bench = { .frames = g_array_new (FALSE, FALSE, sizeof (double)), .text = make_document () };
  double cpu, wall;
  guint renders;

  fixture_open (&bench.fixture, 900, 800);
  fill (&bench.fixture, n_messages);
  run_frames (&bench.fixture, 60);
  g_signal_connect (gtk_widget_get_frame_clock (bench.fixture.window), "before-paint", G_CALLBACK (before_paint_cb), &bench);
  g_signal_connect (gtk_widget_get_frame_clock (bench.fixture.window), "after-paint", G_CALLBACK (after_paint_cb), &bench);
  renders = tau_transcript_view_get_n_renders (bench.fixture.view);
  cpu = cpu_seconds ();
  begin (&bench);
  bench.fixture.watch_end = TRUE;
  g_timeout_add (1, feed_cb, &bench);
  while (bench.n_deltas < RATE * SECONDS)
    g_main_context_iteration (NULL, TRUE);
  wall = (double) (g_get_monotonic_time () - bench.start) / G_USEC_PER_SEC;
  cpu = cpu_seconds () - cpu;
  renders = tau_transcript_view_get_n_renders (bench.fixture.view) - renders;

  g_print ("%u messages above: %u deltas, %.1f renders/s, %.1f frames/s, frame p50 %.1f p95 %.1f p99 %.1f ms, "
           "%.0f %% of a core, %u frames off the end (worst %.0f px)\n",
           n_messages, bench.n_deltas, renders / wall, bench.frames->len / wall, percentile (bench.frames, 0.5),
           percentile (bench.frames, 0.95), percentile (bench.frames, 0.99), 100 * cpu / wall,
           bench.fixture.n_off_end, bench.fixture.worst);

  bench.start = 0;
  g_signal_handlers_disconnect_by_data (gtk_widget_get_frame_clock (bench.fixture.window), &bench);
  tau_transcript_view_set_draft (bench.fixture.view, NULL);
  fixture_close (&bench.fixture);
  g_object_unref (bench.draft);
  g_array_unref (bench.frames);
  g_string_free (bench.text, TRUE);
}

int
main (int   argc,
      char *argv[])
{
  gtk_init ();
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  measure (0);
  measure (MESSAGES);
  return EXIT_SUCCESS;
}
