/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-bash-tool.h"

#include "tool-fixture.h"

#include "core/base/tau-proc.h"
#include "core/tool/tau-bash-runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static ToolResult
run_command (ToolFixture *fixture,
             const char  *command)
{
  g_autoptr(GString) json = g_string_new ("{\"command\":");
  g_autoptr(JsonNode) arguments = NULL;
  g_autoptr(TauToolRun) run = NULL;

  tau_json_append_string (json, command);
  g_string_append_c (json, '}');
  arguments = tau_json_parse (json->str, -1, NULL);
  run = tau_tool_run_new ("call_1", "bash", arguments);
  return tool_fixture_run (fixture, run);
}

static void
check_result (ToolResult *result,
              const char *wanted,
              gboolean    is_error)
{
  g_assert_cmpstr (result->text, ==, wanted);
  g_assert_cmpint (result->is_error, ==, is_error);
}

static void
check_text (ToolFixture *fixture,
            const char  *command,
            const char  *wanted)
{
  g_auto(ToolResult) result = run_command (fixture, command);

  check_result (&result, wanted, FALSE);
}

static void
check_failure (ToolFixture *fixture,
               const char  *command,
               const char  *wanted)
{
  g_auto(ToolResult) result = run_command (fixture, command);

  check_result (&result, wanted, TRUE);
}

static void
check_call (ToolFixture *fixture,
            const char  *arguments,
            const char  *wanted,
            gboolean     is_error)
{
  g_auto(ToolResult) result = tool_fixture_call (fixture, "bash", "%s", arguments);

  check_result (&result, wanted, is_error);
}

static void
test_texts (ToolFixture  *fixture,
            gconstpointer data)
{
  check_text (fixture, "true", "(no output)");
  check_text (fixture, "echo hi", "hi\n");
  check_text (fixture, "echo out; echo err >&2; printf end", "out\nerr\nend");
  check_failure (fixture, "exit 7", "(no output)\n\nCommand exited with code 7");
  check_failure (fixture, "echo hi; exit 7", "hi\n\n\nCommand exited with code 7");
  check_call (fixture, "{'command':'echo before; sleep 30','timeout':0.5}", "before\n\n\nCommand timed out after 0.5 seconds", TRUE);
  check_call (fixture, "{'command':'sleep 30','timeout':'0.25'}", "Command timed out after 0.25 seconds", TRUE);
  check_call (fixture, "{'command':'echo x','timeout':-1}", "x\n", FALSE);
  check_text (fixture, "cat", "(no output)");
}

static void
test_control_characters_stay (ToolFixture  *fixture,
                              gconstpointer data)
{
  check_text (fixture, "printf 'a\\033[31mred\\033[0m\\r\\nb\\000c\\377\\n'", "a\033[31mred\033[0m\r\nb\xc0\x80""c\xef\xbf\xbd\n");
}

static void
test_signal_is_failure (ToolFixture  *fixture,
                        gconstpointer data)
{
  check_failure (fixture, "kill -9 $$", "(no output)\n\nCommand terminated by signal 9 (SIGKILL)");
  check_failure (fixture, "echo x; kill -SEGV $$", "x\n\n\nCommand terminated by signal 11 (SIGSEGV)");
}

static void
test_shell (ToolFixture  *fixture,
            gconstpointer data)
{
  g_object_set (fixture->context, "shell-command-prefix", "greeting=hello", NULL);
  check_text (fixture, "echo $greeting", "hello\n");
  g_object_set (fixture->context, "shell-path", "/nowhere/sh", NULL);
  check_failure (fixture, "true", "Custom shell path not found: /nowhere/sh");
  g_object_set (fixture->context, "shell-path", "/bin/sh", "cwd", "/nowhere/at/all", NULL);
  check_failure (fixture, "true", "Working directory does not exist: /nowhere/at/all\nCannot execute bash commands.");
}

/* The log that a result names; gone when freed. */
static char *
read_log (const char *text,
          gsize      *length)
{
  const char *start = strstr (text, "Full output: ");
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  char *contents;

  g_assert_nonnull (start);
  start += strlen ("Full output: ");
  path = g_strndup (start, strcspn (start, "]"));
  g_assert_true (g_regex_match_simple ("/tau-bash-[0-9a-f]{16}\\.log$", path, 0, 0));
  g_file_get_contents (path, &contents, length, &error);
  g_assert_no_error (error);
  unlink (path);
  return contents;
}

static void
test_cut_by_lines (ToolFixture  *fixture,
                   gconstpointer data)
{
  g_auto(ToolResult) result = run_command (fixture, "seq 1 3000");
  g_autofree char *log = NULL;
  JsonNode *details = tau_tool_outcome_get_details (result.outcome);
  gsize length;

  g_assert_true (g_str_has_prefix (result.text, "1002\n1003\n"));
  g_assert_nonnull (strstr (result.text, "\n3000\n\n\n[Showing lines 1002-3001 of 3001. Full output: "));
  log = read_log (result.text, &length);
  g_assert_cmpuint (length, ==, 13893);
  g_assert_true (g_str_has_prefix (log, "1\n2\n3\n"));
  g_assert_cmpstr (tau_json_get_string (details, "truncation.truncatedBy", NULL), ==, "lines");
  g_assert_cmpint (tau_json_get_int (details, "truncation.totalLines", 0), ==, 3001);
  g_assert_nonnull (tau_json_get_string (details, "fullOutputPath", NULL));
}

static void
test_cut_by_bytes (ToolFixture  *fixture,
                   gconstpointer data)
{
  g_auto(ToolResult) lines = run_command (fixture, "for i in $(seq 100); do printf %01000d $i; echo; done");
  g_auto(ToolResult) line = run_command (fixture, "printf %060000d 7");
  g_autofree char *first = NULL, *second = NULL;
  gsize length;

  g_assert_nonnull (strstr (lines.text, "\n\n[Showing lines 50-101 of 101 (50.0KB limit). Full output: "));
  first = read_log (lines.text, &length);
  g_assert_cmpuint (length, ==, 100100);
  g_assert_nonnull (strstr (line.text, "7\n\n[Showing last 50.0KB of line 1 (line is 58.6KB). Full output: "));
  second = read_log (line.text, &length);
  g_assert_cmpuint (length, ==, 60000);
}

static void
count_update_cb (TauToolRun     *run,
                 TauToolOutcome *partial,
                 GPtrArray      *texts)
{
  GPtrArray *blocks = tau_tool_outcome_get_blocks (partial);

  g_ptr_array_add (texts, g_strdup (blocks->len > 0 ? tau_block_get_text (g_ptr_array_index (blocks, 0)) : "nothing"));
  g_assert_true (blocks->len == 0 || JSON_NODE_HOLDS_OBJECT (tau_tool_outcome_get_details (partial)));
}

static void
test_updates (ToolFixture  *fixture,
              gconstpointer data)
{
  g_autoptr(JsonNode) arguments = tau_json_parse ("{\"command\":\"for i in 1 2 3 4 5 6; do echo $i; sleep 0.05; done\"}", -1, NULL);
  g_autoptr(TauToolRun) run = tau_tool_run_new ("c", "bash", arguments);
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_auto(ToolResult) result = { 0 };

  g_signal_connect (run, "update", G_CALLBACK (count_update_cb), texts);
  result = tool_fixture_run (fixture, run);
  g_assert_cmpstr (result.text, ==, "1\n2\n3\n4\n5\n6\n");
  g_assert_cmpstr (g_ptr_array_index (texts, 0), ==, "nothing");
  g_assert_true (g_str_has_prefix (g_ptr_array_index (texts, 1), "1\n"));
  g_assert_cmpstr (g_ptr_array_index (texts, texts->len - 1), ==, "1\n2\n3\n4\n5\n6\n");
  g_assert_cmpuint (texts->len, >=, 3);
  g_assert_cmpint (tau_tool_run_get_pid (run), >, 0);
}

static gboolean
is_gone (int pid)
{
  return kill (-pid, 0) != 0 && errno == ESRCH;
}

static void
cancel_at_output_cb (TauToolRun     *run,
                     TauToolOutcome *partial,
                     GCancellable   *cancellable)
{
  if (tau_tool_outcome_get_blocks (partial)->len > 0)
    g_cancellable_cancel (cancellable);
}

/* P30: Stop ends a shell that ignores SIGTERM; nobody waits for it, and in the end it is gone. */
static void
test_p30_stop (ToolFixture  *fixture,
               gconstpointer data)
{
  static const char *const commands[] = {
    "{\"command\":\"echo started; sleep 300\"}",
    "{\"command\":\"trap '' TERM; echo started; while true; do sleep 0.1; done\"}",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr(JsonNode) arguments = tau_json_parse (commands[i], -1, NULL);
      g_autoptr(TauToolRun) run = tau_tool_run_new ("c", "bash", arguments);
      g_auto(ToolResult) result = { 0 };
      guint look_again;
      int pid;

      g_cancellable_reset (fixture->cancellable);
      g_signal_connect (run, "update", G_CALLBACK (cancel_at_output_cb), fixture->cancellable);
      result = tool_fixture_run (fixture, run);
      g_assert_cmpstr (result.text, ==, "started\n\n\nCommand aborted");
      g_assert_true (result.is_error);
      pid = tau_tool_run_get_pid (run);
      /* The one that does not listen is still there when its result is. */
      g_assert_true (i == 0 || !is_gone (pid));
      /* Nobody tells of the end of a group. */
      look_again = g_timeout_add (20, look_again_cb, NULL);
      tau_test_wait_until (is_gone (pid));
      g_source_remove (look_again);
    }
}

static void
test_cancelled_before (ToolFixture  *fixture,
                       gconstpointer data)
{
  g_cancellable_cancel (fixture->cancellable);
  check_failure (fixture, "touch made", "Command aborted");
  g_assert_false (tau_test_dir_has (fixture->dir, "made"));
}

/* P27: a child that holds the pipe does not hold the result. */
static void
test_p27_background_child (ToolFixture  *fixture,
                           gconstpointer data)
{
  gint64 start = g_get_monotonic_time ();
  g_auto(ToolResult) result = run_command (fixture, "sleep 60 & echo $!");
  int child = atoi (result.text);

  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
  g_assert_cmpint (child, >, 1);
  g_assert_cmpint (kill (child, 0), ==, 0);
  kill (child, SIGKILL);
}

/* P28: nothing waits at a terminal that nobody sees. */
static void
test_p28_no_terminal (ToolFixture  *fixture,
                      gconstpointer data)
{
  check_failure (fixture, "eval $EDITOR x", "There is no editor here: pass the text on the command line.\n\n\nCommand exited with code 1");
  check_text (fixture, "test -t 0 || (true < /dev/tty) 2>/dev/null || echo none", "none\n");
  check_text (fixture, "git init -q . && git -c user.name=a -c user.email=b commit --allow-empty >/dev/null 2>&1 || echo refused; git log 2>&1 | head -c 6",
              "refused\nfatal:");
}

/* P34: a flood is bounded in memory and in the result. */
static void
test_p34_flood (ToolFixture  *fixture,
                gconstpointer data)
{
  g_autoptr(TauOutputLog) log = tau_output_log_new (FALSE);
  g_autoptr(TauTruncation) truncation = NULL;
  g_autofree char *piece = g_strnfill (65536, 'y');

  for (int i = 0; i < 65536; i += 2)
    piece[i] = '\n';
  for (int i = 0; i < 800; i++)
    tau_output_log_push (log, piece, 65536);
  tau_output_log_finish (log);
  truncation = tau_output_log_truncate (log);
  g_assert_cmpint (truncation->total_bytes, ==, 800 * 65536);
  g_assert_cmpint (truncation->total_lines, ==, 800 * 32768 + 1);
  g_assert_cmpint (truncation->output_lines, ==, 2000);
  unlink (tau_output_log_get_path (log));
}

/* What happens while a command floods us. */
typedef struct
{
  gint64 last_turn;
  gint64 longest_turn; /* µs between two turns of the main loop */
  guint n_updates;
} Watch;

static gboolean
turn_cb (gpointer user_data)
{
  Watch *watch = user_data;
  gint64 now = g_get_monotonic_time ();

  watch->longest_turn = MAX (watch->longest_turn, now - watch->last_turn);
  watch->last_turn = now;
  return G_SOURCE_CONTINUE;
}

static void
flood_update_cb (TauToolRun     *run,
                 TauToolOutcome *partial,
                 Watch          *watch)
{
  watch->n_updates++;
}

/* The most memory that this process has had, in KiB. */
static gint64
peak_memory (void)
{
  g_autofree char *status = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  line = strstr (status, "VmHWM:");
  g_assert_nonnull (line);
  return g_ascii_strtoll (line + strlen ("VmHWM:"), NULL, 10);
}

/* P34: a real flood: memory, updates and turns of the main loop are bounded, and all of it is in the file. */
static void
test_p34_real_flood (ToolFixture  *fixture,
                     gconstpointer data)
{
  g_autoptr(JsonNode) arguments = tau_json_parse ("{\"command\":\"yes | head -c 200M\"}", -1, NULL);
  g_autoptr(TauToolRun) run = tau_tool_run_new ("c", "bash", arguments);
  g_auto(ToolResult) result = { 0 };
  Watch watch = { g_get_monotonic_time (), 0, 0 };
  const gint64 start = watch.last_turn;
  const gint64 memory = peak_memory ();
  guint turns = g_timeout_add (5, turn_cb, &watch);
  g_autofree char *path = NULL;
  const char *name;
  struct stat status;
  gint64 took;

  g_signal_connect (run, "update", G_CALLBACK (flood_update_cb), &watch);
  result = tool_fixture_run (fixture, run);
  took = g_get_monotonic_time () - start;
  g_source_remove (turns);
  g_assert_nonnull (strstr (result.text, "[Showing lines 104855602-104857601 of 104857601. Full output: "));
  name = strstr (result.text, "Full output: ") + strlen ("Full output: ");
  path = g_strndup (name, strcspn (name, "]"));
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_size, ==, 200 * 1024 * 1024);
  unlink (path);
  g_test_message ("%.2f s, %u updates, longest turn %.1f ms, %" G_GINT64_FORMAT " KiB more", took / 1e6, watch.n_updates,
                  watch.longest_turn / 1e3, peak_memory () - memory);
  /* One at the start, one at the first output, one at the end. */
  g_assert_cmpint (watch.n_updates, <=, took / (100 * 1000) + 3);
  /* AddressSanitizer is slow, and keeps what was freed. */
#ifdef __SANITIZE_ADDRESS__
  g_assert_cmpint (watch.longest_turn, <, 3 * G_USEC_PER_SEC);
#else
  g_assert_cmpint (watch.longest_turn, <, G_USEC_PER_SEC / 2);
  g_assert_cmpint (peak_memory () - memory, <, 32 * 1024);
#endif
}

/* P35: one endless line. */
static void
test_p35_long_line (ToolFixture  *fixture,
                    gconstpointer data)
{
  g_auto(ToolResult) result = run_command (fixture, "head -c 50000000 /dev/zero | tr '\\0' x");
  g_autofree char *log = NULL;
  gsize length;

  g_assert_nonnull (strstr (result.text, "x\n\n[Showing last 50.0KB of line 1 (line is 47.7MB). Full output: "));
  g_assert_cmpuint (strlen (result.text), <, 52000);
  log = read_log (result.text, &length);
  g_assert_cmpuint (length, ==, 50000000);
}

/* P37: bytes that are no UTF-8 are kept in the file and never reach the text. */
static void
test_p37_bytes (ToolFixture  *fixture,
                gconstpointer data)
{
  g_auto(ToolResult) result = run_command (fixture, "head -c 60000 /dev/zero | tr '\\0' '\\351'");
  g_autofree char *log = NULL;
  gsize length;

  g_assert_true (g_utf8_validate (result.text, -1, NULL));
  log = read_log (result.text, &length);
  g_assert_cmpuint (length, ==, 60000);
  g_assert_cmphex ((guint8) log[0], ==, 0xe9);
}

/* P37: what is no UTF-8 is read in the locale's encoding, also where a read cuts a character; the file has the bytes. GLib
 * asks for the locale once, so this is a process of its own. */
static void
test_p37_locale (ToolFixture  *fixture,
                 gconstpointer data)
{
  if (g_test_subprocess ())
    {
      g_auto(ToolResult) big = { 0 };
      g_autofree char *log = NULL;
      gsize length;

      check_text (fixture, "printf 'plain \\344\\270\\255\\n'; sleep 0.1; printf '\\326'; sleep 0.1; printf '\\320\\316\\304'", "plain 中\n中文");
      big = run_command (fixture, "for i in $(seq 30000); do printf '\\326\\320'; done");
      g_assert_nonnull (strstr (big.text, "中中中"));
      g_assert_null (strstr (big.text, "\xef\xbf\xbd"));
      log = read_log (big.text, &length);
      g_assert_cmpuint (length, ==, 60000);
      g_assert_cmpmem (log, 4, "\xd6\xd0\xd6\xd0", 4);
      return;
    }
  g_setenv ("CHARSET", "GBK", TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_unsetenv ("CHARSET");
  g_test_trap_assert_passed ();
}

/* P38: a character that two reads share is one character. */
static void
test_p38_cut_character (ToolFixture  *fixture,
                        gconstpointer data)
{
  check_text (fixture, "printf '\\303'; sleep 0.1; printf '\\251\\360\\237'; sleep 0.1; printf '\\230\\200'", "é😀");
}

static TauBashResult *
run_for_user (ToolFixture *fixture,
              const char  *command)
{
  g_autoptr(GAsyncResult) answer = NULL;
  g_autoptr(GError) error = NULL;
  TauBashResult *result;

  tau_bash_run_async (fixture->context, command, 0, TRUE, NULL, NULL, fixture->cancellable, tau_test_loop_result_cb, &answer);
  tau_test_loop_wait_result (&answer);
  result = tau_bash_run_finish (answer, &error);
  g_assert_no_error (error);
  return result;
}

static void
test_user_command (ToolFixture  *fixture,
                   gconstpointer data)
{
  g_autoptr(TauBashResult) clean = run_for_user (fixture, "printf 'a\\033[31'; sleep 0.1; printf 'mred\\033[0m\\r\\nb\\000c\\377\\177\\n'; exit 3");
  g_autoptr(TauBashResult) coloured = run_for_user (fixture, "for i in $(seq 9000); do printf '\\033[31mx\\033[0m'; done");
  g_autoptr(TauTruncation) truncation = tau_output_log_truncate (clean->log);
  g_autoptr(TauTruncation) colourless = tau_output_log_truncate (coloured->log);
  g_autofree char *saved = NULL;

  g_assert_cmpstr (truncation->content, ==, "ared\nbc\xef\xbf\xbd\x7f\n");
  g_assert_cmpint (clean->ended.exit_status, ==, 3);
  g_assert_null (tau_output_log_get_path (clean->log));

  /* More than the limit was written; what is left when it is clean is less, in the file too. */
  g_assert_false (colourless->truncated);
  g_assert_cmpint (colourless->output_bytes, ==, 9000);
  g_assert_true (g_file_get_contents (tau_output_log_get_path (coloured->log), &saved, NULL, NULL));
  g_assert_cmpstr (saved, ==, colourless->content);
  unlink (tau_output_log_get_path (coloured->log));
}

/* P32: whatever the end, there is one result, and no report after it. */
static void
test_p32_ends (ToolFixture  *fixture,
               gconstpointer data)
{
  static const struct
  {
    const char *arguments;
    gboolean is_error;
  } ends[] = {
    { "{\"command\":\"echo x\"}", FALSE },
    { "{\"command\":\"echo x; exit 3\"}", TRUE },
    { "{\"command\":\"kill -9 $$\"}", TRUE },
    { "{\"command\":\"sleep 60\",\"timeout\":0.1}", TRUE },
    { "{\"command\":\"trap '' TERM; while :; do echo x; sleep 0.01; done\",\"timeout\":0.2}", TRUE },
    { "{\"command\":\"(sleep 0.3; echo late) & echo x\"}", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr(JsonNode) arguments = tau_json_parse (ends[i].arguments, -1, NULL);
      g_autoptr(TauToolRun) run = tau_tool_run_new ("c", "bash", arguments);
      g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
      g_auto(ToolResult) result = { 0 };
      gint64 end;
      guint look_again = g_timeout_add (20, look_again_cb, NULL);
      guint n_reports;

      g_signal_connect (run, "update", G_CALLBACK (count_update_cb), texts);
      result = tool_fixture_run (fixture, run);
      g_assert_cmpint (result.is_error, ==, ends[i].is_error);
      g_assert_null (strstr (result.text, "late"));
      n_reports = texts->len;
      end = g_get_monotonic_time ();
      tau_test_wait_until (g_get_monotonic_time () - end > 400 * 1000);
      g_assert_cmpuint (texts->len, ==, n_reports);
      g_source_remove (look_again);
    }
}

/* A shell that cannot be started is an error with a reason. */
static void
test_cannot_start (ToolFixture  *fixture,
                   gconstpointer data)
{
  g_autofree char *shell = tau_test_dir_write (fixture->dir, "shell", "no program");
  g_auto(ToolResult) result = { 0 };

  g_object_set (fixture->context, "shell-path", shell, NULL);
  result = run_command (fixture, "true");
  g_assert_true (result.is_error);
  g_assert_nonnull (strstr (result.text, "Permission denied"));
}

static void
test_folder_goes (ToolFixture  *fixture,
                  gconstpointer data)
{
  g_autofree char *folder = tau_test_dir_mkdir (fixture->dir, "soon-gone");
  g_autofree char *text = g_strdup_printf ("Working directory does not exist: %s\nCannot execute bash commands.", folder);

  g_object_set (fixture->context, "cwd", folder, NULL);
  check_text (fixture, "rmdir \"$PWD\"; echo still here", "still here\n");
  check_failure (fixture, "echo x", text);
}

/* Ten thousand open files are neither handed down nor in the way; none left is an error. */
static void
test_many_files (ToolFixture  *fixture,
                 gconstpointer data)
{
  struct rlimit before, limit;
  g_autoptr(GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));
  g_auto(ToolResult) none_left = { 0 };
  int fd;

  getrlimit (RLIMIT_NOFILE, &before);
  limit = before;
  limit.rlim_cur = MIN (before.rlim_max, 10100);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  while (fds->len < 10000 && (fd = open ("/dev/null", O_RDONLY)) >= 0)
    g_array_append_val (fds, fd);

  check_text (fixture, "ls /proc/self/fd | wc -l", "4\n");
  while ((fd = open ("/dev/null", O_RDONLY)) >= 0)
    g_array_append_val (fds, fd);
  none_left = run_command (fixture, "true");
  g_assert_true (none_left.is_error);

  for (guint i = 0; i < fds->len; i++)
    close (g_array_index (fds, int, i));
  setrlimit (RLIMIT_NOFILE, &before);
  check_text (fixture, "echo again", "again\n");
}

static void
test_hundred_at_once (ToolFixture  *fixture,
                      gconstpointer data)
{
  GAsyncResult *answers[100] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *command = g_strdup_printf ("sleep 0.%u; echo %u; exit %u", i % 10, i, i);

      tau_bash_run_async (fixture->context, command, 0, FALSE, NULL, NULL, NULL, tau_test_loop_result_cb, &answers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr(TauBashResult) result = NULL;
      g_autoptr(TauTruncation) output = NULL;
      g_autofree char *wanted = g_strdup_printf ("%u\n", i);

      tau_test_loop_wait_result (&answers[i]);
      result = tau_bash_run_finish (answers[i], NULL);
      g_object_unref (answers[i]);
      output = tau_output_log_truncate (result->log);
      g_assert_cmpstr (output->content, ==, wanted);
      g_assert_cmpint (result->ended.exit_status, ==, (int) i);
    }
}

/* P36: a fork bomb ends at a limit of its own. Without a bomb: the limit is there, and it is not far off. */
static void
test_p36_task_limit (ToolFixture  *fixture,
                     gconstpointer data)
{
  g_auto(ToolResult) result = run_command (fixture, "ulimit -u");
  int limit = atoi (result.text);

  g_assert_cmpint (limit, >, 0);
  g_assert_cmpint (limit, <=, (int) tau_proc_count_tasks () + 3 * 8192);
}

#define add(path, func) g_test_add (path, ToolFixture, NULL, tool_fixture_set_up, func, tool_fixture_tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("/bash-tool/texts", test_texts);
  add ("/bash-tool/control-characters-stay", test_control_characters_stay);
  add ("/bash-tool/signal-is-failure", test_signal_is_failure);
  add ("/bash-tool/shell", test_shell);
  add ("/bash-tool/cut-by-lines", test_cut_by_lines);
  add ("/bash-tool/cut-by-bytes", test_cut_by_bytes);
  add ("/bash-tool/updates", test_updates);
  add ("/bash-tool/cancelled-before", test_cancelled_before);
  add ("/bash-tool/p27-background-child", test_p27_background_child);
  add ("/bash-tool/p28-no-terminal", test_p28_no_terminal);
  add ("/bash-tool/p32-ends", test_p32_ends);
  add ("/bash-tool/cannot-start", test_cannot_start);
  add ("/bash-tool/folder-goes", test_folder_goes);
  add ("/bash-tool/many-files", test_many_files);
  add ("/bash-tool/hundred-at-once", test_hundred_at_once);
  add ("/bash-tool/p36-task-limit", test_p36_task_limit);
  add ("/bash-tool/p30-stop", test_p30_stop);
  add ("/bash-tool/p34-flood", test_p34_flood);
  add ("/bash-tool/p34-real-flood", test_p34_real_flood);
  add ("/bash-tool/p35-long-line", test_p35_long_line);
  add ("/bash-tool/p37-bytes", test_p37_bytes);
  add ("/bash-tool/p37-locale", test_p37_locale);
  add ("/bash-tool/p38-cut-character", test_p38_cut_character);
  add ("/bash-tool/user-command", test_user_command);

  return g_test_run ();
}
