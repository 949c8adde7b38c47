/* SPDX-License-Identifier: MIT */
#include "cli-fixture.h"

#include <string.h>

/* Exports by the command line and over RPC. */

static const char session[] =
  "{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\"timestamp\":\"2026-01-01T10:00:00.000Z\",\"cwd\":\"/home/u\"}\n"
  "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"2026-01-01T10:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":\"Fix <it>\"}}\n";

static char *
read_project_file (CliFixture *fixture,
                   const char *name)
{
  g_autofree char *path = g_build_filename (fixture->project, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static void
test_command_line (CliFixture   *fixture,
                   gconstpointer data)
{
  g_autofree char *source = tau_test_dir_write (fixture->home, "old.jsonl", session);
  g_autofree char *html = NULL;
  g_autofree char *markdown = NULL;
  g_autofree char *after = NULL;

  cli_fixture_run (fixture, NULL, "--export", source, NULL);
  g_assert_cmpint (fixture->exit_code, ==, 0);
  g_assert_cmpstr (fixture->output->str, ==, "Exported to: pi-session-old.html\n");
  html = read_project_file (fixture, "pi-session-old.html");
  g_assert_nonnull (strstr (html, "<title>Fix &lt;it&gt;</title>"));

  cli_fixture_run (fixture, NULL, "--export", source, "out.md", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 0);
  markdown = read_project_file (fixture, "out.md");
  g_assert_nonnull (strstr (markdown, "## You\n\nFix <it>\n"));

  after = tau_test_dir_read (fixture->home, "old.jsonl");
  g_assert_cmpstr (after, ==, session);
}

/* P65: what has no header can be read, not gone on with; the file stays as it is. */
static void
test_headerless (CliFixture   *fixture,
                 gconstpointer data)
{
  const char *entry = strchr (session, '\n') + 1;
  g_autofree char *source = tau_test_dir_write (fixture->home, "headerless.jsonl", entry);
  g_autofree char *markdown = NULL;
  g_autofree char *jsonl = NULL;
  g_autofree char *after = NULL;

  cli_fixture_run (fixture, NULL, "--export", source, "out.md", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 0);
  markdown = read_project_file (fixture, "out.md");
  g_assert_nonnull (strstr (markdown, "## You\n\nFix <it>\n"));
  cli_fixture_run (fixture, NULL, "--export", source, "out.jsonl", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 0);
  jsonl = read_project_file (fixture, "out.jsonl");
  g_assert_true (g_str_has_prefix (jsonl, "{\"type\":\"session\",\"version\":3,"));
  g_assert_nonnull (strstr (jsonl, "Fix <it>"));

  cli_fixture_run (fixture, NULL, "--session", source, "-p", "Go on", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 1);
  g_assert_nonnull (strstr (fixture->errors, "does not begin with the header of a session"));
  after = tau_test_dir_read (fixture->home, "headerless.jsonl");
  g_assert_cmpstr (after, ==, entry);

  cli_fixture_will_say (fixture, "in the copy");
  cli_fixture_run (fixture, NULL, "--fork", source, "-p", "Go on", "--model", "mock/m1", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 0);
  g_assert_cmpstr (fixture->output->str, ==, "in the copy\n");
}

static void
test_command_line_failures (CliFixture   *fixture,
                            gconstpointer data)
{
  g_autofree char *source = tau_test_dir_write (fixture->home, "garbage.jsonl", "garbage\n");

  cli_fixture_run (fixture, NULL, "--export", source, "out.html", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 1);
  g_assert_nonnull (strstr (fixture->errors, "garbage.jsonl"));
  cli_fixture_run (fixture, NULL, "--export", "missing.jsonl", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 1);
  g_assert_nonnull (strstr (fixture->errors, "missing.jsonl"));
}

static void
test_rpc (CliFixture   *fixture,
          gconstpointer data)
{
  static const char * const arguments[] = { "--mode", "rpc", "--model", "mock/m1", NULL };
  g_autofree char *html = NULL;

  cli_fixture_will_say (fixture, "hello back");
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":\"1\",\"type\":\"export_html\"}\n");
  cli_fixture_wait_for (fixture, "{\"id\":\"1\",\"type\":\"response\",\"command\":\"export_html\",\"success\":false,"
                                 "\"error\":\"Nothing to export yet - start a conversation first\"}\n");
  cli_fixture_send (fixture, "{\"id\":\"2\",\"type\":\"prompt\",\"message\":\"hello\"}\n");
  cli_fixture_wait_for (fixture, "\"type\":\"agent_end\"");
  cli_fixture_send (fixture, "{\"id\":\"3\",\"type\":\"export_html\",\"outputPath\":\"page.html\"}\n");
  cli_fixture_wait_for (fixture, "{\"id\":\"3\",\"type\":\"response\",\"command\":\"export_html\",\"success\":true,\"data\":{\"path\":\"page.html\"}}\n");
  cli_fixture_send (fixture, "{\"id\":\"4\",\"type\":\"export_html\"}\n");
  cli_fixture_wait_for (fixture, "{\"id\":\"4\",\"type\":\"response\",\"command\":\"export_html\",\"success\":true,\"data\":{\"path\":\"pi-session-");
  cli_fixture_end_input (fixture);
  cli_fixture_wait (fixture);
  html = read_project_file (fixture, "page.html");
  g_assert_nonnull (strstr (html, "hello back"));
}

static void
test_rpc_in_memory (CliFixture   *fixture,
                    gconstpointer data)
{
  cli_fixture_run (fixture, "{\"id\":\"1\",\"type\":\"export_html\"}\n", "--mode", "rpc", "--model", "mock/m1", "--no-session", NULL);
  g_assert_nonnull (strstr (fixture->output->str, "\"error\":\"Cannot export in-memory session to HTML\"}\n"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  cli_test ("/cli/export/command-line", test_command_line);
  cli_test ("/cli/export/p65-headerless", test_headerless);
  cli_test ("/cli/export/failures", test_command_line_failures);
  cli_test ("/cli/export/rpc", test_rpc);
  cli_test ("/cli/export/rpc-in-memory", test_rpc_in_memory);
  return g_test_run ();
}
