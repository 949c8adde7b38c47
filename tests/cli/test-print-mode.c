/* SPDX-License-Identifier: MIT */
#include "cli-fixture.h"

#include <signal.h>
#include <string.h>

static void
assert_has (const char *text,
            const char *part)
{
  if (text == NULL || strstr (text, part) == NULL)
    g_error ("\"%s\" is not in: %s", part, text != NULL ? text : "(nothing)");
}

static void
test_last_answer (CliFixture   *fixture,
                  gconstpointer data)
{
  cli_fixture_will_say (fixture, "first");
  cli_fixture_will_say (fixture, "second");
  cli_fixture_run (fixture, NULL, "-p", "one", "two", "--model", "mock/m1", NULL);

  g_assert_cmpstr (fixture->errors, ==, "");
  g_assert_cmpstr (fixture->output->str, ==, "second\n");
  g_assert_cmpint (fixture->exit_code, ==, 0);
  g_assert_cmpuint (tau_test_server_get_n_requests (fixture->server), ==, 2);
}

static void
test_session_is_saved (CliFixture   *fixture,
                       gconstpointer data)
{
  g_autofree char *session = NULL;

  cli_fixture_will_say (fixture, "hello back");
  cli_fixture_run (fixture, NULL, "-p", "hello", "--model", "mock/m1", NULL);
  session = cli_fixture_session (fixture);

  assert_has (session, "\"type\":\"session\",\"version\":3");
  assert_has (session, "\"text\":\"hello\"");
  assert_has (session, "\"text\":\"hello back\"");
}

static void
test_no_session (CliFixture   *fixture,
                 gconstpointer data)
{
  cli_fixture_will_say (fixture, "hi");
  cli_fixture_run (fixture, NULL, "--no-session", "-p", "hello", "--model", "mock/m1", NULL);

  g_assert_cmpint (fixture->exit_code, ==, 0);
  g_assert_null (cli_fixture_session (fixture));
}

/* The answer is printed, but who relies on the session must see that it is not there. */
static void
test_not_saved (CliFixture   *fixture,
                gconstpointer data)
{
  cli_fixture_will_say (fixture, "hi");
  cli_fixture_run (fixture, NULL, "--session-dir", "/proc/none", "-p", "hello", "--model", "mock/m1", NULL);

  g_assert_cmpstr (fixture->output->str, ==, "hi\n");
  g_assert_cmpint (fixture->exit_code, ==, 1);
  assert_has (fixture->errors, "/proc/none");
}

static void
test_verbose (CliFixture   *fixture,
              gconstpointer data)
{
  cli_fixture_will_say (fixture, "hi");
  cli_fixture_run (fixture, NULL, "--verbose", "-p", "hello", "--model", "m1", NULL);

  g_assert_cmpstr (fixture->output->str, ==, "hi\n");
  assert_has (fixture->errors, "Model: mock/m1\nSession: /");
}

static void
test_continue (CliFixture   *fixture,
               gconstpointer data)
{
  cli_fixture_will_say (fixture, "I keep it.");
  cli_fixture_will_say (fixture, "It was 42.");
  cli_fixture_run (fixture, NULL, "-p", "Remember 42", "--model", "mock/m1", NULL);
  cli_fixture_run (fixture, NULL, "-c", "-p", "What was it?", "--model", "mock/m1", NULL);

  g_assert_cmpstr (fixture->output->str, ==, "It was 42.\n");
  assert_has (tau_test_server_get_body (fixture->server, 1), "Remember 42");
  assert_has (tau_test_server_get_body (fixture->server, 1), "I keep it.");
}

static char *
session_id (CliFixture *fixture)
{
  g_autofree char *session = cli_fixture_session (fixture);

  return g_strndup (strstr (session, "\"id\":\"") + strlen ("\"id\":\""), 36);
}

static void
test_fork (CliFixture   *fixture,
           gconstpointer data)
{
  g_autofree char *id = NULL;

  cli_fixture_will_say (fixture, "I keep it.");
  cli_fixture_will_say (fixture, "It was 42.");
  cli_fixture_run (fixture, NULL, "-p", "Remember 42", "--model", "mock/m1", NULL);
  id = session_id (fixture);
  cli_fixture_run (fixture, NULL, "--fork", id, "--mode", "json", "What was it?", "--model", "mock/m1", NULL);

  g_assert_cmpint (fixture->exit_code, ==, 0);
  assert_has (fixture->output->str, "\"parentSession\":\"/");
  assert_has (tau_test_server_get_body (fixture->server, 1), "Remember 42");

  cli_fixture_run (fixture, NULL, "--fork", id, "-c", "-p", "x", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 1);
  assert_has (fixture->errors, "--fork cannot be combined");
}

/* The session knows its folder; without it there is nothing to work in. */
static void
test_folder_is_gone (CliFixture   *fixture,
                     gconstpointer data)
{
  g_autofree char *path = tau_test_dir_write (fixture->home, "old.jsonl",
                                              "{\"type\":\"session\",\"version\":3,\"id\":\"x\",\"timestamp\":"
                                              "\"2026-11-30T21:21:00.458Z\",\"cwd\":\"/nowhere/at/all\"}\n");
  g_autofree char *expected = g_strdup_printf ("Stored session working directory does not exist: /nowhere/at/all\n"
                                               "Session file: %s\nCurrent working directory: %s\n", path, fixture->project);

  cli_fixture_run (fixture, NULL, "--session", path, "-p", "hi", "--model", "mock/m1", NULL);

  g_assert_cmpint (fixture->exit_code, ==, 1);
  g_assert_cmpstr (fixture->errors, ==, expected);
}

/* Standard input, files and the message are joined without anything between them. */
static void
test_input_and_files (CliFixture   *fixture,
                      gconstpointer data)
{
  g_autofree char *file = tau_test_dir_write (fixture->home, "project/a.txt", "line\n");
  g_autofree char *empty = tau_test_dir_write (fixture->home, "project/empty.txt", "");
  g_autofree char *expected = g_strdup_printf ("piped<file name=\\\"%s\\\">\\nline\\n\\n</file>\\nand say", file);

  cli_fixture_will_say (fixture, "ok");
  cli_fixture_run (fixture, "  piped\n\n", "@a.txt", "@empty.txt", "and say", "--model", "mock/m1", NULL);

  g_assert_cmpstr (fixture->errors, ==, "");
  assert_has (tau_test_server_get_body (fixture->server, 0), expected);
}

static void
test_missing_file (CliFixture   *fixture,
                   gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->project, "none.txt", NULL);
  g_autofree char *expected = g_strdup_printf ("Error: File not found: %s\n", path);

  cli_fixture_run (fixture, NULL, "-p", "hi", "@none.txt", "--model", "mock/m1", NULL);

  g_assert_cmpint (fixture->exit_code, ==, 1);
  g_assert_cmpstr (fixture->errors, ==, expected);
  g_assert_cmpstr (fixture->output->str, ==, "");
}

static void
test_picture (CliFixture   *fixture,
              gconstpointer data)
{
  static const char png[] = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/wc53yE8AAAAASUVORK5CYII=";
  g_autofree char *path = g_build_filename (fixture->project, "red.png", NULL);
  gsize length;
  g_autofree guchar *bytes = g_base64_decode (png, &length);

  g_assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) length, NULL));
  cli_fixture_will_say (fixture, "red");
  cli_fixture_run (fixture, NULL, "@red.png", "-p", "What?", "--model", "mock/m1", NULL);

  g_assert_cmpstr (fixture->output->str, ==, "red\n");
  assert_has (tau_test_server_get_body (fixture->server, 0), png);
  assert_has (tau_test_server_get_body (fixture->server, 0), "red.png\\\"></file>\\nWhat?");
}

static void
test_nothing_to_say (CliFixture   *fixture,
                     gconstpointer data)
{
  cli_fixture_run (fixture, NULL, "-p", "--model", "mock/m1", NULL);

  g_assert_cmpint (fixture->exit_code, ==, 0);
  g_assert_cmpstr (fixture->output->str, ==, "");
  g_assert_cmpuint (tau_test_server_get_n_requests (fixture->server), ==, 0);
}

static void
test_failed_answer (CliFixture   *fixture,
                    gconstpointer data)
{
  tau_test_server_push (fixture->server, &(TauTestResponse) { .status = 401, .content_type = "application/json",
                                                              .body = "{\"error\":{\"message\":\"bad key\"}}" });
  cli_fixture_run (fixture, NULL, "-p", "hi", "--model", "mock/m1", NULL);

  g_assert_cmpint (fixture->exit_code, ==, 1);
  g_assert_cmpstr (fixture->output->str, ==, "");
  assert_has (fixture->errors, "401");
  assert_has (fixture->errors, "bad key");
}

static void
test_wrong_words (CliFixture   *fixture,
                  gconstpointer data)
{
  cli_fixture_run (fixture, NULL, "--bogus", "hi", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 1);
  g_assert_cmpstr (fixture->errors, ==, "Unknown option: --bogus\n");

  cli_fixture_run (fixture, NULL, "hi", "--model", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 1);
  assert_has (fixture->errors, "--model");

  cli_fixture_run (fixture, NULL, "-p", "hi", "--model", "mock/none", "--provider", "nobody", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 1);
  g_assert_cmpstr (fixture->output->str, ==, "");
  g_assert_cmpstr (fixture->errors, !=, "");

  cli_fixture_run (fixture, NULL, "-p", "hi", "--session", "0123456789", "--model", "mock/m1", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 1);
  assert_has (fixture->errors, "0123456789");
}

static void
test_version_and_help (CliFixture   *fixture,
                       gconstpointer data)
{
  cli_fixture_run (fixture, NULL, "--version", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 0);
  g_assert_true (g_regex_match_simple ("^[0-9]+\\.[0-9]+\\.[0-9]+\\n$", fixture->output->str, 0, 0));

  cli_fixture_run (fixture, NULL, "-h", NULL);
  g_assert_cmpint (fixture->exit_code, ==, 0);
  assert_has (fixture->output->str, "--list-models");
}

static void
test_list_models (CliFixture   *fixture,
                  gconstpointer data)
{
  cli_fixture_run (fixture, NULL, "--list-models", "mock", NULL);

  g_assert_cmpint (fixture->exit_code, ==, 0);
  g_assert_cmpstr (fixture->output->str, ==,
                   "provider  model  context  max-out  thinking  images\n"
                   "mock      m1     200K     8.2K     no        yes\n");
}

/* The header of the session, then each event, and nothing else. */
static void
test_json (CliFixture   *fixture,
           gconstpointer data)
{
  g_auto(GStrv) lines = NULL;

  cli_fixture_will_say (fixture, "hi");
  cli_fixture_run (fixture, NULL, "--mode", "json", "hello", "--model", "mock/m1", NULL);
  lines = g_strsplit (fixture->output->str, "\n", -1);

  g_assert_cmpint (fixture->exit_code, ==, 0);
  assert_has (lines[0], "{\"type\":\"session\",\"version\":3,\"id\":");
  g_assert_cmpstr (lines[1], ==, "{\"type\":\"agent_start\"}");
  g_assert_cmpstr (lines[2], ==, "{\"type\":\"turn_start\"}");
  assert_has (fixture->output->str, "\"type\":\"text_delta\",\"contentIndex\":0,\"delta\":\"hi\"");
  assert_has (lines[g_strv_length (lines) - 2], "{\"type\":\"agent_end\",\"messages\":[");
  g_assert_cmpstr (lines[g_strv_length (lines) - 1], ==, "");
}

static void
hang_after_text (CliFixture *fixture)
{
  g_autofree char *body = cli_fixture_answer ("Once upon");

  tau_test_server_push (fixture->server, &(TauTestResponse) { .body = body, .ending = TAU_TEST_ENDING_HANG,
                                                              .cut_after = (gsize) (strstr (body, "\n\n") + 2 - body) });
}

static void
check_signal (CliFixture *fixture,
              int         number)
{
  const char * const arguments[] = { "--mode", "json", "Tell", "--model", "mock/m1", NULL };
  g_autofree char *session = NULL;

  hang_after_text (fixture);
  cli_fixture_start (fixture, arguments);
  cli_fixture_end_input (fixture);
  cli_fixture_wait_for (fixture, "Once upon");
  g_subprocess_send_signal (fixture->process, number);
  cli_fixture_wait (fixture);
  session = cli_fixture_session (fixture);

  g_assert_cmpint (fixture->exit_code, ==, 128 + number);
  assert_has (session, "Once upon");
  assert_has (session, "\"stopReason\":\"aborted\"");
}

static void
test_sigterm (CliFixture   *fixture,
              gconstpointer data)
{
  check_signal (fixture, SIGTERM);
}

static void
test_sighup (CliFixture   *fixture,
             gconstpointer data)
{
  check_signal (fixture, SIGHUP);
}

/* A reader that goes away, as head does, ends the program; what came is saved. */
static void
test_broken_pipe (CliFixture   *fixture,
                  gconstpointer data)
{
  g_autofree char *script = g_strdup_printf ("%s --mode json hello --model mock/m1 </dev/null | head -n 1 >/dev/null",
                                             g_getenv ("TAU_AGENT_PROGRAM"));
  g_autofree char *program = g_strdup (g_getenv ("TAU_AGENT_PROGRAM"));
  const char * const arguments[] = { "-c", script, NULL };
  g_autofree char *session = NULL;

  cli_fixture_will_say (fixture, "hi");
  g_setenv ("TAU_AGENT_PROGRAM", "/bin/sh", TRUE);
  cli_fixture_start (fixture, arguments);
  g_setenv ("TAU_AGENT_PROGRAM", program, TRUE);
  cli_fixture_end_input (fixture);
  cli_fixture_wait (fixture);
  session = cli_fixture_session (fixture);

  g_assert_cmpstr (fixture->errors, ==, "");
  assert_has (session, "\"role\":\"assistant\"");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  cli_test ("/print-mode/last-answer", test_last_answer);
  cli_test ("/print-mode/session-is-saved", test_session_is_saved);
  cli_test ("/print-mode/no-session", test_no_session);
  cli_test ("/print-mode/not-saved", test_not_saved);
  cli_test ("/print-mode/verbose", test_verbose);
  cli_test ("/print-mode/continue", test_continue);
  cli_test ("/print-mode/fork", test_fork);
  cli_test ("/print-mode/folder-is-gone", test_folder_is_gone);
  cli_test ("/print-mode/input-and-files", test_input_and_files);
  cli_test ("/print-mode/missing-file", test_missing_file);
  cli_test ("/print-mode/picture", test_picture);
  cli_test ("/print-mode/nothing-to-say", test_nothing_to_say);
  cli_test ("/print-mode/failed-answer", test_failed_answer);
  cli_test ("/print-mode/wrong-words", test_wrong_words);
  cli_test ("/print-mode/version-and-help", test_version_and_help);
  cli_test ("/print-mode/list-models", test_list_models);
  cli_test ("/print-mode/json", test_json);
  cli_test ("/print-mode/sigterm", test_sigterm);
  cli_test ("/print-mode/sighup", test_sighup);
  cli_test ("/print-mode/broken-pipe", test_broken_pipe);

  return g_test_run ();
}
