/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"
#include "core/tool/tau-project-files.h"
#include "core/tool/tau-toolbox.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Large files and large trees: how long the tools take, and how much memory. Each measurement is a process of its own. */

#define FILE_BYTES ((gsize) 200 * 1024 * 1024)
#define N_FILES 100000

/* VmHWM or VmRSS of this process, in bytes. */
static gsize
read_memory (const char *name)
{
  g_autofree char *status = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  line = strstr (status, name);
  g_assert_nonnull (line);
  return (gsize) g_ascii_strtoull (line + strlen (name), NULL, 10) * 1024;
}

static void
call (TauTestDir *dir,
      const char *name,
      const char *arguments)
{
  g_autoptr(TauToolContext) context = tau_tool_context_new (tau_test_dir_get_path (dir));
  g_autoptr(TauCheckpoints) checkpoints = tau_checkpoints_new_default ("bench");
  g_autoptr(TauToolbox) toolbox = tau_toolbox_new_builtin (context);
  TauTool *tool = tau_toolbox_lookup (toolbox, name);
  g_autoptr(JsonNode) json = tau_json_parse (arguments, -1, NULL);
  g_autoptr(TauToolRun) run = tau_tool_run_new ("call", name, json);
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(TauToolOutcome) outcome = NULL;

  tau_tool_context_set_checkpoints (context, checkpoints);
  tau_tool_run_start (run);
  tau_tool_execute_async (tool, run, NULL, tau_test_loop_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  outcome = tau_tool_execute_finish (tool, result, &error);
  g_assert_no_error (error);
}

/* Calls a tool in a child and says what it took; returns the peak of memory above the beginning. */
static void
measure (TauTestDir *dir,
         const char *title,
         const char *name,
         const char *arguments,
         gsize       most_memory)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    {
      gsize before = read_memory ("VmRSS:");
      gint64 start = g_get_monotonic_time ();
      gsize used;

      call (dir, name, arguments);
      used = read_memory ("VmHWM:") - before;
      g_print ("%-36s %7.0f ms %6.0f MiB\n", title, (g_get_monotonic_time () - start) / 1000.0, used / 1048576.0);
      _exit (most_memory > 0 && used > most_memory ? 1 : 0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

static void
make_file (TauTestDir *dir,
           const char *name,
           const char *ending)
{
  g_autofree char *path = tau_test_dir_build (dir, name);
  FILE *file = fopen (path, "w");
  gsize length = 0;

  g_assert_nonnull (file);
  for (guint i = 0; length < FILE_BYTES; i++)
    length += (gsize) fprintf (file, "line %08u of a large file with some text\xc3\xa9 in it%s", i, ending);
  fprintf (file, "the last line%s", ending);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
make_tree (TauTestDir *dir)
{
  for (int i = 0; i < N_FILES; i++)
    {
      g_autofree char *folder = g_strdup_printf ("tree/%03d/%d", i / 100 % 1000, i % 10);
      g_autofree char *full = tau_test_dir_build (dir, folder);
      g_autofree char *path = g_strdup_printf ("%s/file-%d.txt", full, i);
      FILE *file;

      g_assert_cmpint (g_mkdir_with_parents (full, 0755), ==, 0);
      file = fopen (path, "w");
      g_assert_nonnull (file);
      fclose (file);
    }
}

/* What "@" does in the composer. */
static void
measure_completion (TauTestDir *dir)
{
  static const char * const needles[] = { "", "f", "file-77", "tree/1f7t", "nothing of the kind" };
  g_autofree char *folder = tau_test_dir_build (dir, "tree");
  g_autoptr(TauProjectFiles) files = tau_project_files_new (folder);
  gint64 start = g_get_monotonic_time ();

  tau_project_files_refresh (files);
  while (tau_project_files_is_loading (files))
    g_main_context_iteration (NULL, TRUE);
  g_print ("names of 100,000 files listed in %.0f ms, in a thread\n", (double) (g_get_monotonic_time () - start) / 1000);
  for (guint i = 0; i < G_N_ELEMENTS (needles); i++)
    {
      g_autoptr(GPtrArray) paths = NULL;

      start = g_get_monotonic_time ();
      paths = tau_project_files_match (files, needles[i], 20);
      g_print ("the best 20 for \"%s\": %u found in %.1f ms\n", needles[i], paths->len,
               (double) (g_get_monotonic_time () - start) / 1000);
    }
}

int
main (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *data = tau_test_dir_build (dir, "data");

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  make_file (dir, "lf", "\n");
  make_file (dir, "crlf", "\r\n");
  measure (dir, "edit, 200 MiB, LF", "edit", "{\"path\":\"lf\",\"edits\":[{\"oldText\":\"line 00012345 of\",\"newText\":\"changed\"}]}", 2 * FILE_BYTES);
  measure (dir, "edit, 200 MiB, LF, two ends", "edit",
           "{\"path\":\"lf\",\"edits\":[{\"oldText\":\"line 00000000 of\",\"newText\":\"first\"},{\"oldText\":\"the last line\",\"newText\":\"end\"}]}",
           2 * FILE_BYTES);
  measure (dir, "edit, 200 MiB, CRLF, inexact", "edit",
           "{\"path\":\"crlf\",\"edits\":[{\"oldText\":\"line 00012345 of a large file with some texte\xcc\x81 in it \",\"newText\":\"changed\"}]}", 2 * FILE_BYTES);
  measure (dir, "write over 200 MiB", "write", "{\"path\":\"crlf\",\"content\":\"short\"}", 2 * FILE_BYTES);
  measure (dir, "read, 200 MiB, last lines", "read", "{\"path\":\"lf\",\"offset\":3000000}", 0);
  make_tree (dir);
  measure (dir, "find, 100,000 files, few found", "find", "{\"path\":\"tree\",\"pattern\":\"file-77*.txt\"}", 0);
  measure (dir, "find, 100,000 files, all found", "find", "{\"path\":\"tree\",\"pattern\":\"**\",\"limit\":1000000}", 0);
  measure_completion (dir);
  measure (dir, "grep, 100,000 files, none found", "grep", "{\"path\":\"tree\",\"pattern\":\"nothing\"}", 0);
  return 0;
}
