/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/transcript/tau-transcript-view.h"

#include <time.h>

/* What benchmarks of a window share: an answer of 50 KB that streams with 2,000 deltas a second, and how long frames take. */

#define RATE     2000
#define SECONDS  10
#define LENGTH   (50 * 1024)

typedef struct
{
  GArray   *frames;       /* double: milliseconds */
  gint64    frame_start;
  gboolean  watch;        /* frames count */
} Frames;

typedef struct
{
  GString  *text;
  TauDraft *draft;
  gint64    start;
  guint     n_deltas;
  gsize     fed;
} Stream;

static inline double
cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static inline void
before_paint_cb (GdkFrameClock *clock,
                 Frames        *frames)
{
  frames->frame_start = g_get_monotonic_time ();
}

static inline void
after_paint_cb (GdkFrameClock *clock,
                Frames        *frames)
{
  double milliseconds = (double) (g_get_monotonic_time () - frames->frame_start) / 1000;

  if (frames->watch)
    g_array_append_val (frames->frames, milliseconds);
}

static inline void
frames_begin (Frames    *frames,
              GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);

  frames->frames = g_array_new (FALSE, FALSE, sizeof (double));
  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), frames);
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), frames);
}

static inline void
frames_end (Frames    *frames,
            GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_data (gtk_widget_get_frame_clock (widget), frames);
  g_array_unref (frames->frames);
}

static inline int
compare (gconstpointer a,
         gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static inline double
percentile (GArray *values,
            double  part)
{
  g_array_sort (values, compare);
  return values->len ? g_array_index (values, double, MIN (values->len - 1, (guint) (part * values->len))) : 0;
}

static inline GString *
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

static inline gboolean
stream_feed_cb (gpointer user_data)
{
  Stream *stream = user_data;
  double elapsed = (double) (g_get_monotonic_time () - stream->start) / G_USEC_PER_SEC;
  guint due = (guint) MIN (elapsed * RATE, RATE * SECONDS);

  tau_draft_freeze (stream->draft);
  for (; stream->n_deltas < due; stream->n_deltas++)
    {
      gsize until = (gsize) ((double) stream->text->len * (stream->n_deltas + 1) / (RATE * SECONDS));
      TauDelta delta = { .kind = TAU_DELTA_TEXT, .text = stream->text->str + stream->fed,
                         .length = (gssize) (until - stream->fed) };

      tau_draft_apply (stream->draft, &delta);
      stream->fed = until;
    }
  tau_draft_thaw (stream->draft);
  return stream->n_deltas < RATE * SECONDS;
}

static inline void
stream_begin (Stream            *stream,
              TauTranscriptView *view)
{
  const TauDelta start = { .kind = TAU_DELTA_START }, text = { .kind = TAU_DELTA_TEXT_START };

  *stream = (Stream) { .text = make_document (), .draft = tau_draft_new ("a", "p", "m", 1) };
  tau_transcript_view_set_draft (view, stream->draft);
  tau_draft_apply (stream->draft, &start);
  tau_draft_apply (stream->draft, &text);
  stream->start = g_get_monotonic_time ();
  g_timeout_add (1, stream_feed_cb, stream);
}

static inline void
stream_end (Stream            *stream,
            TauTranscriptView *view)
{
  while (stream->n_deltas < RATE * SECONDS)
    g_main_context_iteration (NULL, TRUE);
  tau_transcript_view_set_draft (view, NULL);
  g_object_unref (stream->draft);
  g_string_free (stream->text, TRUE);
}
