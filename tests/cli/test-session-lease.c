/* SPDX-License-Identifier: MIT */
#include "cli-fixture.h"

#include "core/base/tau-json.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

/* Two real processes at one session file. */

static void
assert_has (const char *text,
            const char *part)
{
  if (text == NULL || strstr (text, part) == NULL)
    g_error ("\"%s\" is not in: %s", part, text != NULL ? text : "(nothing)");
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

static char *
make_session (CliFixture *fixture)
{
  char *path = tau_test_dir_build (fixture->home, "s.jsonl");

  cli_fixture_will_say (fixture, "first answer");
  cli_fixture_run (fixture, NULL, "-p", "first", "--model", "mock/m1", "--session", path, NULL);
  g_assert_cmpint (fixture->exit_code, ==, 0);
  return path;
}

/* A second program beside the fixture's. */
static void
second_set_up (CliFixture *second,
               CliFixture *first)
{
  *second = (CliFixture) { .home = first->home, .server = first->server, .project = first->project, .output = g_string_new (NULL) };
}

static void
second_tear_down (CliFixture *second)
{
  g_clear_object (&second->process);
  g_string_free (second->output, TRUE);
  g_free (second->errors);
}

static void
own (CliFixture *fixture,
     const char *path)
{
  cli_fixture_start (fixture, (const char * const []) { "--mode", "rpc", "--session", path, "--model", "mock/m1", NULL });
  cli_fixture_send (fixture, "{\"id\":\"a\",\"type\":\"get_state\"}\n");
  cli_fixture_wait_for (fixture, "\"id\":\"a\"");
}

/* P58: while one program has the session another says so and writes nothing; a copy it may make. */
static void
test_second_opener (CliFixture    *fixture,
                    gconstpointer  data)
{
  g_autofree char *path = make_session (fixture);
  g_autofree char *before = NULL, *after = NULL, *copied = NULL;
  CliFixture second;

  g_file_get_contents (path, &before, NULL, NULL);
  own (fixture, path);
  second_set_up (&second, fixture);
  cli_fixture_run (&second, NULL, "-p", "intruder", "--model", "mock/m1", "--session", path, NULL);
  g_assert_cmpint (second.exit_code, ==, 1);
  assert_has (second.errors, "is in use by tau-agent (process ");
  assert_has (second.errors, "--fork");

  cli_fixture_will_say (fixture, "in the copy");
  cli_fixture_run (&second, NULL, "-p", "more", "--model", "mock/m1", "--fork", path, NULL);
  g_assert_cmpint (second.exit_code, ==, 0);
  copied = cli_fixture_session (fixture);
  assert_has (copied, "first answer");
  assert_has (copied, "in the copy");

  g_file_get_contents (path, &after, NULL, NULL);
  g_assert_cmpstr (after, ==, before);
  cli_fixture_end_input (fixture);
  cli_fixture_wait (fixture);
  second_tear_down (&second);
}

/* The lease ends with the program, however that ends. */
static void
test_free_after_kill (CliFixture    *fixture,
                      gconstpointer  data)
{
  g_autofree char *path = make_session (fixture);
  g_autofree char *after = NULL;

  own (fixture, path);
  g_subprocess_send_signal (fixture->process, SIGKILL);
  cli_fixture_wait (fixture);
  cli_fixture_will_say (fixture, "second answer");
  cli_fixture_run (fixture, NULL, "-p", "second", "--model", "mock/m1", "--session", path, NULL);
  g_assert_cmpint (fixture->exit_code, ==, 0);
  g_file_get_contents (path, &after, NULL, NULL);
  assert_has (after, "second answer");
}

static void
test_switch_to_itself (CliFixture    *fixture,
                       gconstpointer  data)
{
  g_autofree char *path = make_session (fixture);
  g_autofree char *again = g_strdup_printf ("{\"id\":\"b\",\"type\":\"switch_session\",\"sessionPath\":\"%s\"}\n", path);
  g_autofree char *after = NULL;

  own (fixture, path);
  cli_fixture_send (fixture, again);
  cli_fixture_wait_for (fixture, "\"id\":\"b\"");
  cli_fixture_will_say (fixture, "after the switch");
  cli_fixture_send (fixture, "{\"id\":\"c\",\"type\":\"prompt\",\"message\":\"go on\"}\n");
  cli_fixture_wait_for (fixture, "\"agent_end\"");
  cli_fixture_end_input (fixture);
  cli_fixture_wait (fixture);
  g_file_get_contents (path, &after, NULL, NULL);
  assert_has (after, "after the switch");
}

/* P58: two programs that both want to write all the time. Each of them gets in or is told; no line is torn or mixed. */
static void
test_never_interleave (CliFixture    *fixture,
                       gconstpointer  data)
{
  g_autofree char *path = make_session (fixture);
  g_autofree char *before = NULL, *text = NULL;
  g_auto(GStrv) lines = NULL;
  guint n_accepted = 0, n_refused = 0;
  CliFixture second;

  g_file_get_contents (path, &before, NULL, NULL);
  second_set_up (&second, fixture);
  for (guint i = 0; i < 8; i++)
    {
      const char * const words[] = { "-p", "again", "--model", "mock/m1", "--session", path, NULL };

      cli_fixture_will_say (fixture, "answer");
      cli_fixture_will_say (fixture, "answer");
      cli_fixture_start (fixture, words);
      cli_fixture_end_input (fixture);
      cli_fixture_start (&second, words);
      cli_fixture_end_input (&second);
      cli_fixture_wait (fixture);
      cli_fixture_wait (&second);
      n_accepted += (fixture->exit_code == 0) + (second.exit_code == 0);
      n_refused += (fixture->exit_code != 0) + (second.exit_code != 0);
    }
  g_assert_cmpuint (n_accepted, >=, 8);
  g_assert_cmpuint (n_accepted + n_refused, ==, 16);

  g_file_get_contents (path, &text, NULL, NULL);
  g_assert_cmpuint (count_lines (text), ==, count_lines (before) + 2 * n_accepted);
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines + 2; **line != '\0'; line++)
    {
      g_autoptr(JsonNode) json = tau_json_parse (*line, -1, NULL);
      g_autoptr(JsonNode) former = tau_json_parse (*(line - 1), -1, NULL);

      g_assert_nonnull (json);
      g_assert_cmpstr (tau_json_get_string (json, "parentId", NULL), ==, tau_json_get_string (former, "id", NULL));
    }
  second_tear_down (&second);
}

#define ADD(path, func) \
  g_test_add ("/cli/session-lease/" path, CliFixture, NULL, cli_fixture_set_up, func, cli_fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("p58-second-opener", test_second_opener);
  ADD ("p58-never-interleave", test_never_interleave);
  ADD ("free-after-kill", test_free_after_kill);
  ADD ("switch-to-itself", test_switch_to_itself);

  return g_test_run ();
}
