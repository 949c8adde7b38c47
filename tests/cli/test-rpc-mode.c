/* SPDX-License-Identifier: MIT */
#include "cli-fixture.h"

#include <signal.h>
#include <string.h>

static const char * const arguments[] = { "--mode", "rpc", "--model", "mock/m1", NULL };

static void
assert_has (const char *text,
            const char *part)
{
  if (text == NULL || strstr (text, part) == NULL)
    g_error ("\"%s\" is not in: %s", part, text != NULL ? text : "(nothing)");
}

static void
end (CliFixture *fixture)
{
  cli_fixture_end_input (fixture);
  cli_fixture_wait (fixture);
  g_assert_cmpint (fixture->exit_code, ==, 0);
}

static void
test_prompt (CliFixture   *fixture,
             gconstpointer data)
{
  cli_fixture_will_say (fixture, "hello back");
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":\"1\",\"type\":\"prompt\",\"message\":\"hello\"}\r\n");
  cli_fixture_wait_for (fixture, "\"type\":\"agent_end\"");
  cli_fixture_send (fixture, "{\"id\":\"2\",\"type\":\"get_last_assistant_text\"}\n{\"id\":\"3\",\"type\":\"get_messages\"}\n");
  cli_fixture_wait_for (fixture, "\"id\":\"3\"");
  end (fixture);

  assert_has (fixture->output->str, "{\"id\":\"1\",\"type\":\"response\",\"command\":\"prompt\",\"success\":true}\n");
  assert_has (fixture->output->str, "{\"id\":\"2\",\"type\":\"response\",\"command\":\"get_last_assistant_text\","
                                    "\"success\":true,\"data\":{\"text\":\"hello back\"}}\n");
  assert_has (fixture->output->str, "\"data\":{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]");
}

static void
test_nonsense (CliFixture   *fixture,
               gconstpointer data)
{
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "not json\n\n{\"id\":\"9\",\"type\":\"dance\"}\n[1]\n");
  cli_fixture_wait_for (fixture, "undefined");
  end (fixture);

  assert_has (fixture->output->str, "{\"type\":\"response\",\"command\":\"parse\",\"success\":false,\"error\":\"Failed to parse command: ");
  assert_has (fixture->output->str, "{\"type\":\"response\",\"command\":\"dance\",\"success\":false,\"error\":\"Unknown command: dance\"}\n");
}

/* A command without what it needs does nothing, and says what it needs. */
static void
test_parameters (CliFixture   *fixture,
                 gconstpointer data)
{
  static const struct { const char *command, *error; } cases[] = {
    { "{\"id\":\"a\",\"type\":\"prompt\"}\n", "prompt: \\\"message\\\" must be a string" },
    { "{\"id\":\"a\",\"type\":\"steer\",\"message\":7}\n", "steer: \\\"message\\\" must be a string" },
    { "{\"id\":\"a\",\"type\":\"set_model\",\"provider\":\"mock\"}\n", "set_model: \\\"modelId\\\" must be a string" },
    { "{\"id\":\"a\",\"type\":\"bash\",\"command\":[]}\n", "bash: \\\"command\\\" must be a string" },
    { "{\"id\":\"a\",\"type\":\"set_steering_mode\",\"mode\":\"x\"}\n", "The mode must be \\\"all\\\" or \\\"one-at-a-time\\\"" },
  };

  cli_fixture_start (fixture, arguments);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      cli_fixture_send (fixture, cases[i].command);
      cli_fixture_wait_for (fixture, cases[i].error);
    }
  end (fixture);

  assert_has (fixture->output->str, "{\"id\":\"a\",\"type\":\"response\",\"command\":\"steer\",\"success\":false,");
  g_assert_null (strstr (fixture->output->str, "\"success\":true"));
  g_assert_null (strstr (fixture->output->str, "agent_start"));
}

/* U+2028 ends a line for some readers, but not here. */
static void
test_only_line_feeds_end_lines (CliFixture   *fixture,
                                gconstpointer data)
{
  cli_fixture_will_say (fixture, "ok");
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"type\":\"prompt\",\"message\":\"a\xE2\x80\xA8" "b\"}\n");
  cli_fixture_wait_for (fixture, "\"type\":\"agent_end\"");
  end (fixture);

  assert_has (tau_test_server_get_body (fixture->server, 0), "a\xE2\x80\xA8" "b");
}

static void
test_state_and_settings (CliFixture   *fixture,
                         gconstpointer data)
{
  g_autofree char *settings = NULL;

  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":\"1\",\"type\":\"set_session_name\",\"name\":\"  My name \"}\n"
                             "{\"id\":\"2\",\"type\":\"set_session_name\",\"name\":\" \"}\n"
                             "{\"id\":\"3\",\"type\":\"set_steering_mode\",\"mode\":\"all\"}\n"
                             "{\"id\":\"4\",\"type\":\"set_auto_compaction\",\"enabled\":false}\n"
                             "{\"id\":\"5\",\"type\":\"set_model\",\"provider\":\"mock\",\"modelId\":\"m9\"}\n"
                             "{\"id\":\"6\",\"type\":\"cycle_thinking_level\"}\n"
                             "{\"id\":\"7\",\"type\":\"get_state\"}\n");
  cli_fixture_wait_for (fixture, "\"id\":\"7\"");
  end (fixture);
  settings = tau_test_dir_read (fixture->home, "agent/settings.json");

  assert_has (fixture->output->str, "{\"id\":\"2\",\"type\":\"response\",\"command\":\"set_session_name\",\"success\":false,"
                                    "\"error\":\"Session name cannot be empty\"}\n");
  assert_has (fixture->output->str, "\"error\":\"Model not found: mock/m9\"");
  assert_has (fixture->output->str, "{\"id\":\"6\",\"type\":\"response\",\"command\":\"cycle_thinking_level\",\"success\":true,\"data\":null}\n");
  assert_has (fixture->output->str, "\"thinkingLevel\":\"off\",\"isStreaming\":false,\"isCompacting\":false,"
                                    "\"steeringMode\":\"all\",\"followUpMode\":\"one-at-a-time\",\"sessionFile\":\"");
  assert_has (fixture->output->str, "\"sessionName\":\"My name\",\"autoCompactionEnabled\":false,\"messageCount\":0,"
                                    "\"pendingMessageCount\":0}");
  assert_has (settings, "\"steeringMode\"");
}

static void
test_bash (CliFixture   *fixture,
           gconstpointer data)
{
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":1,\"type\":\"bash\",\"command\":\"echo out; exit 3\"}\n");
  cli_fixture_wait_for (fixture, "\"id\":1");
  end (fixture);

  assert_has (fixture->output->str, "{\"id\":1,\"type\":\"response\",\"command\":\"bash\",\"success\":true,\"data\":"
                                    "{\"output\":\"out\\n\",\"exitCode\":3,\"cancelled\":false,\"truncated\":false}}\n");
}

/* A command that runs does not keep others from being answered. */
static void
test_commands_do_not_wait (CliFixture   *fixture,
                           gconstpointer data)
{
  g_autofree char *body = cli_fixture_answer ("Once upon");
  g_autofree char *session = NULL;

  tau_test_server_push (fixture->server, &(TauTestResponse) { .body = body, .ending = TAU_TEST_ENDING_HANG,
                                                              .cut_after = (gsize) (strstr (body, "\n\n") + 2 - body) });
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":\"1\",\"type\":\"prompt\",\"message\":\"Tell\"}\n");
  cli_fixture_wait_for (fixture, "text_delta");
  cli_fixture_send (fixture, "{\"id\":\"2\",\"type\":\"get_state\"}\n{\"id\":\"3\",\"type\":\"prompt\",\"message\":\"no\"}\n");
  cli_fixture_wait_for (fixture, "\"id\":\"3\"");
  cli_fixture_send (fixture, "{\"id\":\"4\",\"type\":\"abort\"}\n");
  cli_fixture_wait_for (fixture, "\"id\":\"4\"");
  end (fixture);
  session = cli_fixture_session (fixture);

  assert_has (fixture->output->str, "\"isStreaming\":true");
  assert_has (fixture->output->str, "{\"id\":\"3\",\"type\":\"response\",\"command\":\"prompt\",\"success\":false,\"error\":");
  assert_has (fixture->output->str, "{\"id\":\"4\",\"type\":\"response\",\"command\":\"abort\",\"success\":true}\n");
  assert_has (session, "\"stopReason\":\"aborted\"");
}

static void
test_new_session_with_parent (CliFixture   *fixture,
                              gconstpointer data)
{
  g_autofree char *session = NULL;

  cli_fixture_will_say (fixture, "one");
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":\"1\",\"type\":\"new_session\",\"parentSession\":\"/sessions/first.jsonl\"}\n"
                             "{\"id\":\"2\",\"type\":\"prompt\",\"message\":\"hello\"}\n");
  cli_fixture_wait_for (fixture, "\"type\":\"agent_end\"");
  end (fixture);
  session = cli_fixture_session (fixture);

  assert_has (session, "\"parentSession\":\"/sessions/first.jsonl\"}\n");
}

static void
test_new_session (CliFixture   *fixture,
                  gconstpointer data)
{
  cli_fixture_will_say (fixture, "one");
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":\"1\",\"type\":\"prompt\",\"message\":\"hello\"}\n");
  cli_fixture_wait_for (fixture, "\"type\":\"agent_end\"");
  cli_fixture_send (fixture, "{\"id\":\"2\",\"type\":\"new_session\"}\n{\"id\":\"3\",\"type\":\"get_state\"}\n");
  cli_fixture_wait_for (fixture, "\"id\":\"3\"");
  end (fixture);

  assert_has (fixture->output->str, "{\"id\":\"2\",\"type\":\"response\",\"command\":\"new_session\",\"success\":true,\"data\":{\"cancelled\":false}}\n");
  assert_has (fixture->output->str, "\"messageCount\":0");
}

/* The copy ends before the message, whose text goes back into the editor of whoever asked. */
static void
test_fork (CliFixture   *fixture,
           gconstpointer data)
{
  g_autofree char *command = NULL;
  const char *id;

  cli_fixture_will_say (fixture, "one");
  cli_fixture_will_say (fixture, "two");
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":\"1\",\"type\":\"prompt\",\"message\":\"first\"}\n");
  cli_fixture_wait_for (fixture, "\"type\":\"agent_end\"");
  g_string_truncate (fixture->output, 0);
  cli_fixture_send (fixture, "{\"id\":\"2\",\"type\":\"prompt\",\"message\":\"second\"}\n");
  cli_fixture_wait_for (fixture, "\"type\":\"agent_end\"");
  cli_fixture_send (fixture, "{\"id\":\"3\",\"type\":\"get_fork_messages\"}\n");
  cli_fixture_wait_for (fixture, "\"text\":\"second\"}]}}\n");
  id = g_strrstr (fixture->output->str, "\"entryId\":\"") + strlen ("\"entryId\":\"");
  command = g_strdup_printf ("{\"id\":\"4\",\"type\":\"fork\",\"entryId\":\"%.8s\"}\n{\"id\":\"5\",\"type\":\"get_messages\"}\n"
                             "{\"id\":\"6\",\"type\":\"fork\",\"entryId\":\"nobody\"}\n", id);
  cli_fixture_send (fixture, command);
  cli_fixture_wait_for (fixture, "\"id\":\"6\"");
  end (fixture);

  assert_has (fixture->output->str, "\"command\":\"fork\",\"success\":true,\"data\":{\"text\":\"second\",\"cancelled\":false}}\n");
  assert_has (fixture->output->str, "{\"id\":\"6\",\"type\":\"response\",\"command\":\"fork\",\"success\":false,\"error\":\"Invalid entry ID for forking\"}\n");
  assert_has (strstr (fixture->output->str, "{\"id\":\"5\""), "\"text\":\"one\"");
  g_assert_null (strstr (strstr (fixture->output->str, "{\"id\":\"5\""), "\"text\":\"two\""));
}

static void
test_commands (CliFixture   *fixture,
               gconstpointer data)
{
  g_autofree char *template = tau_test_dir_write (fixture->home, "project/.pi/prompts/review.md",
                                                  "---\ndescription: Review a file\n---\nReview $1.\n");

  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":\"1\",\"type\":\"get_commands\"}\n");
  cli_fixture_wait_for (fixture, "\"id\":\"1\"");
  end (fixture);

  assert_has (fixture->output->str, "{\"name\":\"review\",\"description\":\"Review a file\",\"source\":\"prompt\",\"sourceInfo\":{\"path\":\"/");
}

static void
test_end_of_input_saves (CliFixture   *fixture,
                         gconstpointer data)
{
  g_autofree char *body = cli_fixture_answer ("Once upon");
  g_autofree char *session = NULL;

  tau_test_server_push (fixture->server, &(TauTestResponse) { .body = body, .ending = TAU_TEST_ENDING_HANG,
                                                              .cut_after = (gsize) (strstr (body, "\n\n") + 2 - body) });
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"type\":\"prompt\",\"message\":\"Tell\"}\n");
  cli_fixture_wait_for (fixture, "text_delta");
  end (fixture);
  session = cli_fixture_session (fixture);

  assert_has (session, "Once upon");
}

static void
test_sigterm (CliFixture   *fixture,
              gconstpointer data)
{
  cli_fixture_start (fixture, arguments);
  cli_fixture_send (fixture, "{\"id\":\"1\",\"type\":\"get_state\"}\n");
  cli_fixture_wait_for (fixture, "\"id\":\"1\"");
  g_subprocess_send_signal (fixture->process, SIGTERM);
  cli_fixture_wait (fixture);

  g_assert_cmpint (fixture->exit_code, ==, 143);
}

static void
test_files_are_refused (CliFixture   *fixture,
                        gconstpointer data)
{
  cli_fixture_run (fixture, NULL, "--mode", "rpc", "--model", "mock/m1", "@a.txt", NULL);

  g_assert_cmpint (fixture->exit_code, ==, 1);
  assert_has (fixture->errors, "@file");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  cli_test ("/rpc-mode/prompt", test_prompt);
  cli_test ("/rpc-mode/nonsense", test_nonsense);
  cli_test ("/rpc-mode/parameters", test_parameters);
  cli_test ("/rpc-mode/only-line-feeds-end-lines", test_only_line_feeds_end_lines);
  cli_test ("/rpc-mode/state-and-settings", test_state_and_settings);
  cli_test ("/rpc-mode/bash", test_bash);
  cli_test ("/rpc-mode/commands-do-not-wait", test_commands_do_not_wait);
  cli_test ("/rpc-mode/new-session", test_new_session);
  cli_test ("/rpc-mode/new-session-with-parent", test_new_session_with_parent);
  cli_test ("/rpc-mode/fork", test_fork);
  cli_test ("/rpc-mode/commands", test_commands);
  cli_test ("/rpc-mode/end-of-input-saves", test_end_of_input_saves);
  cli_test ("/rpc-mode/sigterm", test_sigterm);
  cli_test ("/rpc-mode/files-are-refused", test_files_are_refused);

  return g_test_run ();
}
