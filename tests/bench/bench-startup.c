/* SPDX-License-Identifier: MIT */
#include "app/tau-window.h"

#include <stdio.h>
#include <unistd.h>

/* From process start to the first drawn frame of a usable window. Prints, in milliseconds since the process was
 * started: when main() began, when the window was presented, and when its first frame had been painted. The start is
 * given in $TAU_BENCH_START (CLOCK_MONOTONIC, µs) by startup.py, which runs this program several times. The session file
 * in $TAU_BENCH_SESSION is opened before that frame. Resident memory is that of the moment, in MB. */

static gint64 start;
static double in_main;
static double presented;

static double
since_start (void)
{
  return (g_get_monotonic_time () - start) / 1000.0;
}

static double
resident_mb (void)
{
  g_autofree char *text = NULL;
  g_auto(GStrv) numbers = NULL;

  g_file_get_contents ("/proc/self/statm", &text, NULL, NULL);
  numbers = g_strsplit (text, " ", 3);
  return g_ascii_strtod (numbers[1], NULL) * (double) sysconf (_SC_PAGESIZE) / 1e6;
}

/* The frame that counts is the first one with the session in it. */
static gboolean
shows (GtkApplication *application,
       const char     *session)
{
  TauAgentSession *shown = tau_window_get_session (TAU_WINDOW (gtk_application_get_active_window (application)));

  return session == NULL || (shown != NULL && g_strcmp0 (tau_agent_session_get_path (shown), session) == 0);
}

static gboolean
report_cb (gpointer application)
{
  printf ("memory %.1f\n", resident_mb ());
  fflush (stdout);
  g_application_quit (application);
  return G_SOURCE_REMOVE;
}

static void
painted_cb (GdkFrameClock *clock,
            gpointer       user_data)
{
  if (!shows (user_data, g_getenv ("TAU_BENCH_SESSION")))
    return;
  printf ("main %.1f presented %.1f frame %.1f ", in_main, presented, since_start ());
  g_signal_handlers_disconnect_by_func (clock, painted_cb, user_data);
  /* What is drawn in the first second belongs to the session, too. */
  g_timeout_add (1000, report_cb, user_data);
}

static void
mapped_cb (GtkWidget *window,
           gpointer   application)
{
  const char *session = g_getenv ("TAU_BENCH_SESSION");

  presented = since_start ();
  if (session != NULL)
    tau_window_open_session (TAU_WINDOW (window), session);
  g_signal_connect (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (painted_cb), application);
}

static void
window_added_cb (GtkApplication *application,
                 GtkWindow      *window)
{
  g_signal_connect (window, "map", G_CALLBACK (mapped_cb), application);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr(TauApplication) application = NULL;
  const char *given = g_getenv ("TAU_BENCH_START");

  start = given != NULL ? g_ascii_strtoll (given, NULL, 10) : g_get_monotonic_time ();
  in_main = since_start ();
  application = tau_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_NON_UNIQUE);
  g_signal_connect (application, "window-added", G_CALLBACK (window_added_cb), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
