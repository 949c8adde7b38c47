/* SPDX-License-Identifier: MIT */
#include "core/message/tau-bash-execution-message.h"

static void
assert_llm_text (const TauBashExecutionFields *fields,
                 const char                   *expected)
{
  g_autoptr(TauBashExecutionMessage) message = tau_bash_execution_message_new (fields);
  g_autofree char *text = tau_bash_execution_message_dup_llm_text (message);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_fields_are_copied (void)
{
  char command[] = "ls";
  TauBashExecutionFields fields = {
    .command = command, .output = "a\n", .has_exit_code = TRUE, .exit_code = 2, .truncated = TRUE,
    .full_output_path = "/tmp/log", .timestamp = 3,
  };
  g_autoptr(TauBashExecutionMessage) message = tau_bash_execution_message_new (&fields);
  const TauBashExecutionFields *kept = tau_bash_execution_message_get_fields (message);

  command[0] = 'p';

  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "bashExecution");
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 3);
  g_assert_cmpstr (kept->command, ==, "ls");
  g_assert_cmpstr (kept->output, ==, "a\n");
  g_assert_cmpstr (kept->full_output_path, ==, "/tmp/log");
  g_assert_cmpint (kept->exit_code, ==, 2);
  g_assert_true (kept->has_exit_code && kept->truncated && !kept->cancelled && !kept->has_exclude);
}

/* The expected texts were seen in requests of pi. */
static void
test_output_is_fenced (void)
{
  assert_llm_text (&(TauBashExecutionFields) { .command = "ls -la", .output = "a\nb\n", .has_exit_code = TRUE },
                   "Ran `ls -la`\n```\na\nb\n\n```");
}

static void
test_failure_without_output (void)
{
  assert_llm_text (&(TauBashExecutionFields) { .command = "false", .output = "", .has_exit_code = TRUE, .exit_code = 1 },
                   "Ran `false`\n(no output)\n\nCommand exited with code 1");
}

static void
test_cancelled_and_truncated (void)
{
  assert_llm_text (&(TauBashExecutionFields) { .command = "x", .output = "p", .cancelled = TRUE, .truncated = TRUE,
                                               .full_output_path = "/tmp/f" },
                   "Ran `x`\n```\np\n```\n\n(command cancelled)\n\n[Output truncated. Full output: /tmp/f]");
}

static void
test_truncated_without_path (void)
{
  assert_llm_text (&(TauBashExecutionFields) { .command = "x", .output = "p", .truncated = TRUE },
                   "Ran `x`\n```\np\n```");
}

static void
test_excluded (void)
{
  assert_llm_text (&(TauBashExecutionFields) { .command = "env", .output = "SECRET=1", .has_exclude = TRUE,
                                               .exclude_from_context = TRUE },
                   NULL);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/bash-execution-message/fields-are-copied", test_fields_are_copied);
  g_test_add_func ("/bash-execution-message/output-is-fenced", test_output_is_fenced);
  g_test_add_func ("/bash-execution-message/failure-without-output", test_failure_without_output);
  g_test_add_func ("/bash-execution-message/cancelled-and-truncated", test_cancelled_and_truncated);
  g_test_add_func ("/bash-execution-message/truncated-without-path", test_truncated_without_path);
  g_test_add_func ("/bash-execution-message/excluded", test_excluded);

  return g_test_run ();
}
