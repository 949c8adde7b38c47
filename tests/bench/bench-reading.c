/* SPDX-License-Identifier: MIT */
#include "app/composer/tau-composer.h"
#include "app/tau-window.h"

#include "app/find-widget.h"
#include "bench/bench-frames.h"

#include <glib/gstdio.h>
#include <stdlib.h>

/* What a person feels in a window with a long session: a key while an answer streams, turning pages, a touchpad, opening
 * all steps; and what the window does when nobody does anything. With a path as argument that session file is read,
 * else one of our own. */

#define MESSAGES     10000
#define KEYS         40
#define PAGES        50
#define REST_SECONDS 60

typedef struct
{
  TauApplication    *application;
  TauWindow         *window;
  TauTranscriptView *view;
  GtkTextBuffer     *typed;
  Frames             frames;
} Bench;

static char *
write_session (const char *folder,
               guint       n_messages)
{
  static const char * const turn[] = {
    "{\"role\":\"user\",\"content\":\"A question of some words?\",\"timestamp\":1}",
    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Some **words**.\\n\\n```c\\nint v = 1;\\n```\\n\"},"
    "{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"read\",\"arguments\":{\"path\":\"a.c\"}}],\"api\":\"a\",\"provider\":\"p\","
    "\"model\":\"m\",\"usage\":{\"input\":1,\"output\":1,\"cacheRead\":0,\"cacheWrite\":0,\"totalTokens\":2,"
    "\"cost\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0}},\"stopReason\":\"toolUse\",\"timestamp\":1}",
    "{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"read\",\"content\":[{\"type\":\"text\",\"text\":\"int a;\\nint b;\\n\"}],"
    "\"isError\":false,\"timestamp\":1}",
    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"An answer with enough words for a line or two, which is "
    "what most answers of a model have, and a list:\\n\\n- one\\n- two\\n\"}],\"api\":\"a\",\"provider\":\"p\",\"model\":\"m\","
    "\"usage\":{\"input\":1,\"output\":1,\"cacheRead\":0,\"cacheWrite\":0,\"totalTokens\":2,\"cost\":{\"input\":0,\"output\":0,"
    "\"cacheRead\":0,\"cacheWrite\":0,\"total\":0}},\"stopReason\":\"stop\",\"timestamp\":1}",
  };
  g_autofree char *name = g_strdup_printf ("%u.jsonl", n_messages);
  g_autoptr(GString) text = g_string_new (NULL);
  char *path = g_build_filename (folder, name, NULL);

  g_string_append_printf (text, "{\"type\":\"session\",\"version\":3,\"id\":\"s%u\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"%s\"}\n",
                          n_messages, folder);
  for (guint i = 0; i < n_messages; i++)
    {
      g_autofree char *parent = i > 0 ? g_strdup_printf ("\"%08x\"", i - 1) : g_strdup ("null");

      g_string_append_printf (text, "{\"type\":\"message\",\"id\":\"%08x\",\"parentId\":%s,\"timestamp\":\"2026-01-01T00:00:00.000Z\","
                              "\"message\":%s}\n", i, parent, turn[i % G_N_ELEMENTS (turn)]);
    }
  g_file_set_contents (path, text->str, (gssize) text->len, NULL);
  return path;
}

static void
wait_seconds (double seconds)
{
  gint64 end = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);

  while (g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (200);
    }
}

static void
wait_frame (Bench *bench)
{
  guint before = bench->frames.frames->len;

  while (bench->frames.frames->len == before)
    g_main_context_iteration (NULL, TRUE);
}

static void
open_session (Bench      *bench,
              const char *path)
{
  TauAgentSession *session;

  tau_window_open_session (bench->window, path);
  do
    {
      g_main_context_iteration (NULL, TRUE);
      session = tau_window_get_session (bench->window);
    }
  while (session == NULL || g_strcmp0 (tau_agent_session_get_path (session), path) != 0);
  wait_seconds (2);
}

/* Handling the key, and the frame that shows it. */
static void
measure_keys (Bench      *bench,
              const char *what)
{
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  Stream stream;

  stream_begin (&stream, bench->view);
  bench->frames.watch = TRUE;
  wait_seconds (1);
  for (guint i = 0; i < KEYS; i++)
    {
      gint64 start = g_get_monotonic_time ();
      double milliseconds;

      gtk_text_buffer_insert_at_cursor (bench->typed, i % 8 == 7 ? " " : "x", 1);
      milliseconds = (double) (g_get_monotonic_time () - start) / 1000;
      wait_frame (bench);
      milliseconds += g_array_index (bench->frames.frames, double, bench->frames.frames->len - 1);
      g_array_append_val (times, milliseconds);
      wait_seconds (0.1);
    }
  g_print ("%s: a key while an answer streams, handled and painted: p50 %.1f p95 %.1f ms\n",
           what, percentile (times, 0.5), percentile (times, 0.95));
  stream_end (&stream, bench->view);
  gtk_text_buffer_set_text (bench->typed, "", 0);
  wait_seconds (0.5);
}

static void
print_frames (Bench      *bench,
              const char *what,
              guint       n_built)
{
  GArray *frames = bench->frames.frames;

  g_print ("%s: %u frames, p50 %.1f p95 %.1f p99 %.1f worst %.1f ms, %u rows built\n", what, frames->len, percentile (frames, 0.5),
           percentile (frames, 0.95), percentile (frames, 0.99), percentile (frames, 1),
           tau_transcript_view_get_n_built (bench->view) - n_built);
}

static void
measure_pages (Bench *bench)
{
  GtkAdjustment *adjustment = tau_transcript_view_get_adjustment (bench->view);
  guint n_built = tau_transcript_view_get_n_built (bench->view);

  g_array_set_size (bench->frames.frames, 0);
  for (guint i = 0; i < PAGES; i++)
    {
      tau_transcript_view_scroll_by (bench->view, -gtk_adjustment_get_page_size (adjustment));
      wait_seconds (0.2);
    }
  print_frames (bench, "page by page from the end, 5 a second", n_built);
}

/* A flick: large steps at first, then smaller ones. */
static void
measure_touchpad (Bench *bench)
{
  guint n_built = tau_transcript_view_get_n_built (bench->view);

  g_array_set_size (bench->frames.frames, 0);
  for (guint flick = 0; flick < 10; flick++)
    for (double step = 120; step > 1; step *= 0.93)
      {
        tau_transcript_view_scroll_by (bench->view, -step);
        wait_frame (bench);
      }
  print_frames (bench, "flicks of a touchpad", n_built);
}

static void
measure_expand (Bench *bench)
{
  gint64 start;

  tau_transcript_view_scroll_to_end (bench->view);
  wait_seconds (0.5);
  start = g_get_monotonic_time ();
  tau_transcript_view_expand_all (bench->view, TRUE);
  wait_frame (bench);
  g_print ("all steps opened and painted after %.1f ms\n", (double) (g_get_monotonic_time () - start) / 1000);
  tau_transcript_view_expand_all (bench->view, FALSE);
}

static guint n_wakes;

static gint
counting_poll (GPollFD *fds,
               guint    n_fds,
               gint     timeout)
{
  gint n = g_poll (fds, n_fds, timeout);

  if (timeout != 0)
    n_wakes++;
  return n;
}

static gboolean
end_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
measure_rest (Bench *bench)
{
  gboolean over = FALSE;
  double cpu;
  guint n_frames;

  wait_seconds (13);   /* GTK's caret blinks for ten seconds, and scroll bars fade */
  n_frames = bench->frames.frames->len;
  g_main_context_set_poll_func (NULL, counting_poll);
  n_wakes = 0;
  cpu = cpu_seconds ();
  g_timeout_add_seconds (REST_SECONDS, end_cb, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
  /* The end of the wait is one itself. */
  g_print ("at rest for %u s: %u wake-ups, %u frames, %.3f s of a core\n", REST_SECONDS, n_wakes - 1,
           bench->frames.frames->len - n_frames, cpu_seconds () - cpu);
}

int
main (int   argc,
      char *argv[])
{
  g_autofree char *folder = g_dir_make_tmp ("tau-bench-XXXXXX", NULL);
  g_autofree char *few = write_session (folder, 4);
  g_autofree char *many = argc > 1 ? g_canonicalize_filename (argv[1], NULL) : write_session (folder, MESSAGES);
  Bench bench = { 0 };

  g_setenv ("TAU_AGENT_DIR", folder, TRUE);
  bench.application = tau_application_new ();
  g_application_set_flags (G_APPLICATION (bench.application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (bench.application), NULL, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  bench.window = tau_window_new (bench.application);
  tau_window_open_folder (bench.window, folder);
  gtk_window_present (GTK_WINDOW (bench.window));
  bench.view = TAU_TRANSCRIPT_VIEW (find_widget (GTK_WIDGET (bench.window), TAU_TYPE_TRANSCRIPT_VIEW));
  bench.typed = gtk_text_view_get_buffer (GTK_TEXT_VIEW (find_widget (find_widget (GTK_WIDGET (bench.window), TAU_TYPE_COMPOSER),
                                                                     GTK_TYPE_TEXT_VIEW)));
  frames_begin (&bench.frames, GTK_WIDGET (bench.window));
  bench.frames.watch = TRUE;
  open_session (&bench, few);
  measure_keys (&bench, "4 messages above");
  open_session (&bench, many);
  measure_keys (&bench, "the long session above");
  measure_pages (&bench);
  measure_touchpad (&bench);
  measure_expand (&bench);
  measure_rest (&bench);
  frames_end (&bench.frames, GTK_WIDGET (bench.window));
  return EXIT_SUCCESS;
}
