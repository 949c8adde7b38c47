/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-bash-runner.h"
#include "support/tau-test-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What a shell command costs: a flood of 1 GiB of short lines (wanted: 200 MB/s, 32 MB of memory), one line of 50 MB, and
 * the time from the call to the first byte (wanted: 20 ms). Beside each stands what the same costs without us: a pipe into
 * cat, and GLib waiting for the same shell. Ends with 1 if it is memory that is missed, or the time to the first byte by far. */
#define FLOOD_MIB 1024
#define N_STARTS 50

typedef struct
{
  gint64 started;
  gint64 first_byte;   /* µs after the start; 0 until then */
} Clock;

static void
progress_cb (TauProcess          *process,
             TauOutputLog        *log,
             const TauScopeUsage *usage,
             gpointer             user_data)
{
  Clock *clock = user_data;

  if (clock->first_byte == 0 && !tau_output_log_is_empty (log))
    clock->first_byte = g_get_monotonic_time () - clock->started;
}

static TauBashResult *
run (TauToolContext *context,
     const char     *command,
     Clock          *clock)
{
  g_autoptr(GAsyncResult) answer = NULL;
  g_autoptr(GError) error = NULL;
  TauBashResult *result;

  *clock = (Clock) { .started = g_get_monotonic_time () };
  tau_bash_run_async (context, command, 0, FALSE, progress_cb, clock, NULL, tau_test_loop_result_cb, &answer);
  /* As long as it takes. */
  while (answer == NULL)
    g_main_context_iteration (NULL, TRUE);
  result = tau_bash_run_finish (answer, &error);
  g_assert_no_error (error);
  return result;
}

/* A line of /proc/self/status, in KiB. */
static gint64
read_status (const char *name)
{
  g_autofree char *status = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  line = strstr (status, name);
  g_assert_nonnull (line);
  return g_ascii_strtoll (line + strlen (name), NULL, 10);
}

static double
cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Seconds for the same command with nobody but cat to read it. */
static double
time_alone (const char *command)
{
  g_autofree char *script = g_strconcat (command, " | cat > /dev/null", NULL);
  gint64 start = g_get_monotonic_time ();

  g_assert_true (g_spawn_sync (NULL, (char *[]) { (char *) "/bin/bash", (char *) "-c", script, NULL }, NULL, 0, NULL, NULL,
                               NULL, NULL, NULL, NULL));
  return (g_get_monotonic_time () - start) / 1e6;
}

static gboolean
measure_output (TauToolContext *context,
                const char     *what,
                const char     *command,
                gint64          bytes)
{
  gint64 idle = read_status ("VmRSS:");
  double cpu = cpu_seconds ();
  Clock clock;
  g_autoptr(TauBashResult) result = run (context, command, &clock);
  double seconds = (g_get_monotonic_time () - clock.started) / 1e6;
  double more = (read_status ("VmHWM:") - idle) / 1024.0;

  g_assert_nonnull (tau_output_log_get_path (result->log));
  unlink (tau_output_log_get_path (result->log));
  cpu = cpu_seconds () - cpu;
  printf ("%s: %.0f MB/s (%.2f s, %.2f s of our processor time), into cat %.0f MB/s; %.1f MB more memory\n", what,
          bytes / seconds / 1e6, seconds, cpu, bytes / time_alone (command) / 1e6, more);
  return more <= 32;
}

static int
compare_times (gconstpointer a,
               gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

static gboolean
measure_starts (TauToolContext *context)
{
  gint64 times[N_STARTS], alone[N_STARTS];

  for (guint i = 0; i < N_STARTS; i++)
    {
      Clock clock;
      g_autoptr(TauBashResult) result = run (context, "echo x", &clock);

      times[i] = clock.first_byte;
      alone[i] = (gint64) (time_alone ("echo x") * G_USEC_PER_SEC);
    }
  qsort (times, N_STARTS, sizeof *times, compare_times);
  qsort (alone, N_STARTS, sizeof *alone, compare_times);
  printf ("first byte: %.1f ms (median), %.1f ms (slowest of %d); a shell and cat alone: %.1f ms\n",
          times[N_STARTS / 2] / 1e3, times[N_STARTS - 1] / 1e3, N_STARTS, alone[N_STARTS / 2] / 1e3);
  return times[N_STARTS / 2] < 100 * 1000;
}

int
main (int    argc,
      char **argv)
{
  g_autoptr(TauToolContext) context = tau_tool_context_new (g_get_tmp_dir ());
  g_autofree char *flood = g_strdup_printf ("yes | head -c %dM", FLOOD_MIB);
  gboolean good = TRUE;

  setvbuf (stdout, NULL, _IOLBF, 0);
  good &= measure_starts (context);
  good &= measure_output (context, "flood of 1 GiB", flood, (gint64) FLOOD_MIB * 1024 * 1024);
  good &= measure_output (context, "one line of 50 MB", "head -c 50000000 /dev/zero | tr '\\0' x", 50000000);
  return good ? 0 : 1;
}
