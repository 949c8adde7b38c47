/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-toolbox.h"

#include "tool-fixture.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* grep, find and ls. */

static void G_GNUC_PRINTF (4, 5)
check (ToolFixture *fixture,
       const char  *name,
       const char  *wanted,
       const char  *format,
       ...)
{
  g_auto(ToolResult) result = { 0 };
  g_autofree char *arguments = NULL;
  va_list args;

  va_start (args, format);
  arguments = g_strdup_vprintf (format, args);
  va_end (args);
  result = tool_fixture_call (fixture, name, "%s", arguments);
  g_assert_cmpstr (result.text, ==, wanted);
}

static void
write_file (ToolFixture *fixture,
            const char  *name,
            const char  *contents)
{
  g_autofree char *path = tau_test_dir_write (fixture->dir, name, contents);

  g_assert_nonnull (path);
}

static void
make_project (ToolFixture *fixture)
{
  g_autofree char *src = tau_test_dir_mkdir (fixture->dir, "src");
  g_autofree char *git = tau_test_dir_mkdir (fixture->dir, ".git");
  g_autofree char *deep = tau_test_dir_mkdir (fixture->dir, "src/deep");

  write_file (fixture, "src/a.c", "int alpha;\nint beta;\n");
  write_file (fixture, "src/b.c", "int gamma;\n");
  write_file (fixture, "src/deep/Beta.c", "no such word\r\nBETA alpha\r\n");
  write_file (fixture, "README.md", "alpha\n");
  write_file (fixture, ".git/config", "alpha\n");
  write_file (fixture, ".hidden", "alpha\n");
  write_file (fixture, ".gitignore", "*.o\n");
  write_file (fixture, "x.o", "alpha\n");
}

static void
test_grep (ToolFixture  *fixture,
           gconstpointer data)
{
  make_project (fixture);
  check (fixture, "grep", ".hidden:1: alpha\nREADME.md:1: alpha\nsrc/a.c:1: int alpha;\nsrc/deep/Beta.c:2: BETA alpha", "{'pattern':'alpha'}");
  check (fixture, "grep", "a.c-1- int alpha;\na.c:2: int beta;\na.c-3- ", "{'pattern':'beta','path':'src','context':1}");
  check (fixture, "grep", "a.c:2: int beta;\ndeep/Beta.c:2: BETA alpha", "{'pattern':'beta','path':'src','ignoreCase':true}");
  check (fixture, "grep", "b.c:1: int gamma;", "{'pattern':'int','path':'src/b.c'}");
  check (fixture, "grep", "deep/Beta.c:2: BETA alpha", "{'pattern':'alpha','path':'src','glob':'deep/**'}");
  check (fixture, "grep", "No matches found", "{'pattern':'a.pha','literal':true}");
  check (fixture, "grep", "No matches found", "{'pattern':'nothing-like-this'}");
  check (fixture, "grep", "No matches found", "{'pattern':'--version'}");
  check (fixture, "grep", ".hidden:1: alpha\n\n[1 matches limit reached. Use limit=2 for more, or refine pattern]", "{'pattern':'alpha','limit':1}");
}

static void
test_grep_refusals (ToolFixture  *fixture,
                    gconstpointer data)
{
  g_auto(ToolResult) bad = tool_fixture_call (fixture, "grep", "{'pattern':'('}");
  g_auto(ToolResult) missing = tool_fixture_call (fixture, "grep", "{'pattern':'x','path':'nope'}");

  g_assert_true (bad.is_error);
  g_assert_nonnull (strstr (bad.text, "regex parse error"));
  g_assert_true (missing.is_error);
  g_assert_true (g_str_has_prefix (missing.text, "Path not found: /"));
  g_assert_true (g_str_has_suffix (missing.text, "/nope"));
}

/* A pipe that nobody writes into does not hold the search up, named or met on the way. */
static void
test_grep_pipes (ToolFixture  *fixture,
                 gconstpointer data)
{
  g_autofree char *fifo = tau_test_dir_build (fixture->dir, "fifo");
  g_autofree char *refusal = g_strdup_printf ("Not a regular file: %s", fifo);

  write_file (fixture, "a", "alpha\n");
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  check (fixture, "grep", refusal, "{'pattern':'alpha','path':'fifo'}");
  check (fixture, "grep", "Not a regular file: /dev/zero", "{'pattern':'alpha','path':'/dev/zero'}");
  check (fixture, "grep", "a:1: alpha", "{'pattern':'alpha'}");
}

static void
test_grep_long_lines (ToolFixture  *fixture,
                      gconstpointer data)
{
  g_autofree char *xs = g_strnfill (600, 'x');
  g_autofree char *cut = g_strnfill (500, 'x');
  g_autofree char *wanted = g_strdup_printf ("long:1: %s... [truncated]\n\n[Some lines truncated to 500 chars. Use read tool to see full lines]", cut);
  g_auto(ToolResult) result = { 0 };

  write_file (fixture, "long", xs);
  result = tool_fixture_call (fixture, "grep", "{'pattern':'x'}");
  g_assert_cmpstr (result.text, ==, wanted);
  g_assert_true (tau_json_get_bool (tau_tool_outcome_get_details (result.outcome), "linesTruncated", FALSE));
}

static void
test_grep_many (ToolFixture  *fixture,
                gconstpointer data)
{
  g_autoptr(GString) lines = g_string_new (NULL);
  g_auto(ToolResult) result = { 0 };

  for (int i = 0; i < 3000; i++)
    g_string_append_printf (lines, "some text that is found in each line %d\n", i);
  write_file (fixture, "many", lines->str);
  result = tool_fixture_call (fixture, "grep", "{'pattern':'text','limit':9999}");
  g_assert_true (g_str_has_suffix (result.text, "\n\n[50.0KB limit reached]"));
  g_assert_cmpuint (strlen (result.text), <, 51300);
  g_assert_cmpint (tau_json_get_int (tau_tool_outcome_get_details (result.outcome), "truncation.totalLines", 0), ==, 3000);
}

static void
test_find (ToolFixture  *fixture,
           gconstpointer data)
{
  make_project (fixture);
  check (fixture, "find", "src/a.c\nsrc/b.c\nsrc/deep/Beta.c", "{'pattern':'*.c'}");
  check (fixture, "find", "a.c\nb.c\ndeep/Beta.c", "{'pattern':'*.c','path':'src'}");
  check (fixture, "find", "src/deep/Beta.c", "{'pattern':'beta.{c,h}'}");
  check (fixture, "find", "No files found matching pattern", "{'pattern':'BETA.c'}");
  check (fixture, "find", "src/a.c\nsrc/b.c", "{'pattern':'src/*.c'}");
  check (fixture, "find", "src/a.c\nsrc/b.c\nsrc/deep/Beta.c", "{'pattern':'src/**/*.c'}");
  check (fixture, "find", "src/deep/", "{'pattern':'de[a-f]p'}");
  check (fixture, "find", "src/\nsrc/deep/", "{'pattern':'{sr?,de*p}','limit':50}");
  check (fixture, "find", ".hidden", "{'pattern':'.hid*'}");
  check (fixture, "find", "No files found matching pattern", "{'pattern':'*.o'}");
  check (fixture, "find", "No files found matching pattern", "{'pattern':'config'}");
  check (fixture, "find", "src/a.c\nsrc/b.c\n\n[2 results limit reached. Use limit=4 for more, or refine pattern]", "{'pattern':'*.c','limit':2}");
  check (fixture, "find", "src/deep/Beta.c", "{'pattern':'%s/src/*/*'}", tau_test_dir_get_path (fixture->dir));
  check (fixture, "find", "Unclosed bracket in glob pattern: a{b", "{'pattern':'a{b'}");
}

/* What the rows of find must be: every file that a plain walk sees, and its folders. */
static void
test_find_many (ToolFixture  *fixture,
                gconstpointer data)
{
  g_auto(ToolResult) result = { 0 };
  g_auto(GStrv) rows = NULL;

  for (int i = 0; i < 20; i++)
    {
      g_autofree char *folder = g_strdup_printf ("d%02d", i);
      g_autofree char *made = tau_test_dir_mkdir (fixture->dir, folder);

      for (int j = 0; j < 10; j++)
        {
          g_autofree char *name = g_strdup_printf ("d%02d/f%d", i, j);

          write_file (fixture, name, "");
        }
    }
  result = tool_fixture_call (fixture, "find", "{'pattern':'**'}");
  rows = g_strsplit (result.text, "\n", -1);
  g_assert_cmpuint (g_strv_length (rows), ==, 220);
  g_assert_cmpstr (rows[0], ==, "d00/");
  g_assert_cmpstr (rows[1], ==, "d00/f0");
  g_assert_cmpstr (rows[219], ==, "d19/f9");
}

static void
test_ls (ToolFixture  *fixture,
         gconstpointer data)
{
  static const char *const names[] = { "Z", "a.txt", "10", ".hid", "_u", "é", "b.txt", "9", "A.txt" };
  g_autofree char *folder = tau_test_dir_mkdir (fixture->dir, "Bdir");
  g_autofree char *link = tau_test_dir_build (fixture->dir, "lnk");
  g_autofree char *broken = tau_test_dir_build (fixture->dir, "broken");

  check (fixture, "ls", "(empty directory)", "{'path':'Bdir'}");
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    write_file (fixture, names[i], "");
  g_assert_cmpint (symlink ("Bdir", link), ==, 0);
  g_assert_cmpint (symlink ("nowhere", broken), ==, 0);
  check (fixture, "ls", "_u\n.hid\n10\n9\nA.txt\na.txt\nb.txt\nBdir/\né\nlnk/\nZ", "{}");
  check (fixture, "ls", "_u\n.hid\n\n[2 entries limit reached. Use limit=4 for more]", "{'limit':2}");
  check (fixture, "ls", "_u\n.hid\n10\n9\nA.txt\na.txt\nb.txt\nBdir/\né\nlnk/\nZ", "{'limit':11}");
}

static void
test_ls_refusals (ToolFixture  *fixture,
                  gconstpointer data)
{
  g_auto(ToolResult) missing = tool_fixture_call (fixture, "ls", "{'path':'nope'}");
  g_auto(ToolResult) file = { 0 };

  write_file (fixture, "file", "");
  file = tool_fixture_call (fixture, "ls", "{'path':'file'}");
  g_assert_true (g_str_has_prefix (missing.text, "Path not found: /"));
  g_assert_true (g_str_has_prefix (file.text, "Not a directory: /"));
}

/* Names need be neither UTF-8 nor of one line. */
static void
test_odd_names (ToolFixture  *fixture,
                gconstpointer data)
{
  write_file (fixture, "a\xff.c", "x\n");
  write_file (fixture, "b\nc.c", "x\n");
  check (fixture, "ls", "a\ufffd.c\nb\nc.c", "{}");
  check (fixture, "find", "a\ufffd.c\nb\nc.c", "{'pattern':'*.c'}");
  check (fixture, "grep", "a\ufffd.c:1: x\nb\nc.c:1: x", "{'pattern':'x'}");
}

static void
test_missing_ripgrep (ToolFixture  *fixture,
                      gconstpointer data)
{
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_auto(ToolResult) result = { 0 };

  g_setenv ("PATH", "/nowhere", TRUE);
  result = tool_fixture_call (fixture, "grep", "{'pattern':'x'}");
  g_setenv ("PATH", path, TRUE);
  g_assert_true (result.is_error);
  g_assert_cmpstr (result.text, ==, "ripgrep (rg) is not available. It is in the Debian package ripgrep: apt install ripgrep");
}

static void
test_cancelled (ToolFixture  *fixture,
                gconstpointer data)
{
  g_auto(ToolResult) result = { 0 };

  g_cancellable_cancel (fixture->cancellable);
  result = tool_fixture_call (fixture, "find", "{'pattern':'*'}");
  g_assert_true (result.is_error);
  g_assert_cmpstr (result.text, ==, "Operation aborted");
}

static void
test_ls_cancelled (ToolFixture  *fixture,
                   gconstpointer data)
{
  g_auto(ToolResult) result = { 0 };

  write_file (fixture, "a", "");
  g_cancellable_cancel (fixture->cancellable);
  result = tool_fixture_call (fixture, "ls", "{}");
  g_assert_true (result.is_error);
  g_assert_cmpstr (result.text, ==, "Operation aborted");
}

/* Ends the search as soon as it runs. */
static gboolean
cancel_when_started_cb (gpointer user_data)
{
  ToolFixture *fixture = user_data;

  if (!tau_test_dir_has (fixture->dir, "started"))
    return G_SOURCE_CONTINUE;
  g_cancellable_cancel (fixture->cancellable);
  return G_SOURCE_REMOVE;
}

/* A search that would take for ever is ended, and so is its process. */
static void
test_cancelled_while_running (ToolFixture  *fixture,
                              gconstpointer data)
{
  g_autofree char *bin = tau_test_dir_mkdir (fixture->dir, "bin");
  g_autofree char *program = tau_test_dir_write (fixture->dir, "bin/rg", "#!/bin/sh\necho $$ > pid; mv pid started; exec sleep 300\n");
  g_autofree char *agent_dir = g_strdup (g_getenv ("TAU_AGENT_DIR"));
  g_autofree char *pid = NULL;
  g_auto(ToolResult) result = { 0 };

  g_assert_cmpint (chmod (program, 0755), ==, 0);
  g_setenv ("TAU_AGENT_DIR", tau_test_dir_get_path (fixture->dir), TRUE);
  g_timeout_add (5, cancel_when_started_cb, fixture);
  result = tool_fixture_call (fixture, "grep", "{'pattern':'x'}");
  if (agent_dir != NULL)
    g_setenv ("TAU_AGENT_DIR", agent_dir, TRUE);
  else
    g_unsetenv ("TAU_AGENT_DIR");
  g_assert_true (result.is_error);
  g_assert_cmpstr (result.text, ==, "Operation aborted");
  pid = tau_test_dir_read (fixture->dir, "started");
  g_assert_cmpint (atoi (pid), >, 1);
  g_assert_true (kill (atoi (pid), 0) != 0 && errno == ESRCH);
}

#define add(path, func) g_test_add (path, ToolFixture, NULL, tool_fixture_set_up, func, tool_fixture_tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("/search-tools/grep", test_grep);
  add ("/search-tools/grep-refusals", test_grep_refusals);
  add ("/search-tools/grep-pipes", test_grep_pipes);
  add ("/search-tools/grep-long-lines", test_grep_long_lines);
  add ("/search-tools/grep-many", test_grep_many);
  add ("/search-tools/find", test_find);
  add ("/search-tools/find-many", test_find_many);
  add ("/search-tools/ls", test_ls);
  add ("/search-tools/ls-refusals", test_ls_refusals);
  add ("/search-tools/odd-names", test_odd_names);
  add ("/search-tools/missing-ripgrep", test_missing_ripgrep);
  add ("/search-tools/cancelled", test_cancelled);
  add ("/search-tools/ls-cancelled", test_ls_cancelled);
  add ("/search-tools/cancelled-while-running", test_cancelled_while_running);

  return g_test_run ();
}
