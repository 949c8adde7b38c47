/* SPDX-License-Identifier: MIT */
#include "cli/tau-cli-arguments.h"

#include <string.h>

static TauCliArguments *
parse (const char *first,
       ...) G_GNUC_NULL_TERMINATED;

static TauCliArguments *
try_parse (GError    **error,
           const char *first,
           va_list     rest)
{
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (gpointer) "tau-agent");
  for (const char *word = first; word != NULL; word = va_arg (rest, const char *))
    g_ptr_array_add (argv, (gpointer) word);
  g_ptr_array_add (argv, NULL);

  return tau_cli_arguments_parse ((const char * const *) argv->pdata, error);
}

static TauCliArguments *
parse (const char *first,
       ...)
{
  g_autoptr(GError) error = NULL;
  TauCliArguments *arguments;
  va_list rest;

  va_start (rest, first);
  arguments = try_parse (&error, first, rest);
  va_end (rest);
  g_assert_no_error (error);

  return arguments;
}

static void
assert_refused (int         code,
                const char *named,
                const char *first,
                ...) G_GNUC_NULL_TERMINATED;

static void
assert_refused (int         code,
                const char *named,
                const char *first,
                ...)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauCliArguments) arguments = NULL;
  va_list rest;

  va_start (rest, first);
  arguments = try_parse (&error, first, rest);
  va_end (rest);

  g_assert_null (arguments);
  g_assert_error (error, G_OPTION_ERROR, code);
  g_assert_nonnull (strstr (error->message, named));
}

static void
assert_list (char      **list,
             const char *joined)
{
  g_autofree char *seen = NULL;

  g_assert_nonnull (list);
  seen = g_strjoinv ("|", list);
  g_assert_cmpstr (seen, ==, joined);
}

static void
test_nothing (void)
{
  g_autoptr(TauCliArguments) arguments = parse (NULL, NULL);

  g_assert_null (arguments->messages);
  g_assert_null (arguments->files);
  g_assert_null (arguments->model);
  g_assert_null (arguments->tools);
  g_assert_cmpint (arguments->mode, ==, TAU_CLI_MODE_TEXT);
  g_assert_false (arguments->print || arguments->help || arguments->version || arguments->list_models);
}

static void
test_words_are_mixed (void)
{
  g_autoptr(TauCliArguments) arguments = parse ("one", "--model", "m", "@a.txt", "two words", "-c", "@b", NULL);

  assert_list (arguments->messages, "one|two words");
  assert_list (arguments->files, "a.txt|b");
  g_assert_cmpstr (arguments->model, ==, "m");
  g_assert_true (arguments->continue_recent);
}

static void
test_values (void)
{
  g_autoptr(TauCliArguments) arguments = parse ("--provider", "p", "--api-key", "-k", "--thinking=high", "--session-dir", "",
                                                "--append-system-prompt", "a", "--append-system-prompt", "b", NULL);

  g_assert_cmpstr (arguments->provider, ==, "p");
  g_assert_cmpstr (arguments->api_key, ==, "-k");
  g_assert_cmpstr (arguments->thinking, ==, "high");
  g_assert_cmpstr (arguments->session_dir, ==, "");
  assert_list (arguments->append_system_prompt, "a|b");
}

static void
test_last_value_wins (void)
{
  g_autoptr(TauCliArguments) arguments = parse ("--model", "a", "--model=b", "-t", "read", "--tools", "ls, grep,,", NULL);

  g_assert_cmpstr (arguments->model, ==, "b");
  assert_list (arguments->tools, "ls|grep");
}

static void
test_short_flags (void)
{
  g_autoptr(TauCliArguments) arguments = parse ("-nt", "-nbt", "-ne", "-ns", "-np", "-nc", "-r", NULL);

  g_assert_true (arguments->no_tools);
  g_assert_true (arguments->no_builtin_tools);
  g_assert_true (arguments->no_extensions);
  g_assert_true (arguments->no_skills);
  g_assert_true (arguments->no_prompt_templates);
  g_assert_true (arguments->no_context_files);
  g_assert_true (arguments->resume);
  g_assert_false (arguments->no_themes);
}

static void
test_modes (void)
{
  g_autoptr(TauCliArguments) json = parse ("--mode", "json", NULL);
  g_autoptr(TauCliArguments) rpc = parse ("--mode=rpc", NULL);
  g_autoptr(TauCliArguments) text = parse ("--mode", "text", NULL);
  g_autoptr(TauCliArguments) other = parse ("--mode", "xml", "hi", NULL);

  g_assert_cmpint (json->mode, ==, TAU_CLI_MODE_JSON);
  g_assert_cmpint (rpc->mode, ==, TAU_CLI_MODE_RPC);
  g_assert_cmpint (text->mode, ==, TAU_CLI_MODE_TEXT);
  g_assert_cmpint (other->mode, ==, TAU_CLI_MODE_TEXT);
  assert_list (other->messages, "hi");
  g_assert_true (tau_cli_arguments_mode_is_known (json));
  g_assert_true (tau_cli_arguments_mode_is_known (text));
  g_assert_false (tau_cli_arguments_mode_is_known (other));
}

/* -p takes the next word as a message, so that `-p "text" --model m` works. */
static void
test_print_takes_a_word (void)
{
  g_autoptr(TauCliArguments) word = parse ("-p", "hello", "--model", "m", NULL);
  g_autoptr(TauCliArguments) flag = parse ("-p", "--model", "m", NULL);
  g_autoptr(TauCliArguments) file = parse ("-p", "@a.txt", NULL);
  g_autoptr(TauCliArguments) rule = parse ("--print", "---\nfront matter", NULL);
  g_autoptr(TauCliArguments) last = parse ("-p", NULL);

  assert_list (word->messages, "hello");
  g_assert_null (flag->messages);
  g_assert_cmpstr (flag->model, ==, "m");
  g_assert_null (file->messages);
  assert_list (file->files, "a.txt");
  assert_list (rule->messages, "---\nfront matter");
  g_assert_null (last->messages);
  g_assert_true (word->print && flag->print && file->print && rule->print && last->print);
}

static void
test_list_models (void)
{
  g_autoptr(TauCliArguments) all = parse ("--list-models", NULL);
  g_autoptr(TauCliArguments) some = parse ("--list-models", "opus", NULL);
  g_autoptr(TauCliArguments) flag = parse ("--list-models", "--offline", NULL);

  g_assert_true (all->list_models && some->list_models && flag->list_models && flag->offline);
  g_assert_null (all->list_models_search);
  g_assert_cmpstr (some->list_models_search, ==, "opus");
  g_assert_null (flag->list_models_search);
  g_assert_null (some->messages);
}

static void
test_end_of_options (void)
{
  g_autoptr(TauCliArguments) arguments = parse ("--", "--model", "@a", "-x", NULL);

  assert_list (arguments->messages, "--model|@a|-x");
  g_assert_null (arguments->model);
}

static void
test_unknown_options (void)
{
  assert_refused (G_OPTION_ERROR_UNKNOWN_OPTION, "--bogus", "hi", "--bogus", "value", NULL);
  assert_refused (G_OPTION_ERROR_UNKNOWN_OPTION, "--bogus", "--bogus=value", NULL);
  assert_refused (G_OPTION_ERROR_UNKNOWN_OPTION, "-x", "-x", NULL);
  assert_refused (G_OPTION_ERROR_UNKNOWN_OPTION, "-", "-", NULL);
  assert_refused (G_OPTION_ERROR_UNKNOWN_OPTION, "--help", "--help=yes", NULL);
  assert_refused (G_OPTION_ERROR_UNKNOWN_OPTION, "--t", "--t", "read", NULL);
  assert_refused (G_OPTION_ERROR_UNKNOWN_OPTION, "-model", "-model", "m", NULL);
}

static void
test_missing_values (void)
{
  assert_refused (G_OPTION_ERROR_BAD_VALUE, "--model", "hi", "--model", NULL);
  assert_refused (G_OPTION_ERROR_BAD_VALUE, "--tools", "--tools", NULL);
  assert_refused (G_OPTION_ERROR_BAD_VALUE, "-t", "-t", NULL);
  assert_refused (G_OPTION_ERROR_BAD_VALUE, "--append-system-prompt", "--append-system-prompt", NULL);
  assert_refused (G_OPTION_ERROR_BAD_VALUE, "--mode", "--mode", NULL);
}

static void
test_help_names_all (void)
{
  const char * const some[] = { "-nbt, --no-builtin-tools", "--model PATTERN", "--list-models [SEARCH]", "-h, --help" };
  g_autofree char *help = tau_cli_arguments_dup_help ();

  for (guint i = 0; i < G_N_ELEMENTS (some); i++)
    g_assert_nonnull (strstr (help, some[i]));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/arguments/nothing", test_nothing);
  g_test_add_func ("/arguments/words-are-mixed", test_words_are_mixed);
  g_test_add_func ("/arguments/values", test_values);
  g_test_add_func ("/arguments/last-value-wins", test_last_value_wins);
  g_test_add_func ("/arguments/short-flags", test_short_flags);
  g_test_add_func ("/arguments/modes", test_modes);
  g_test_add_func ("/arguments/print-takes-a-word", test_print_takes_a_word);
  g_test_add_func ("/arguments/list-models", test_list_models);
  g_test_add_func ("/arguments/end-of-options", test_end_of_options);
  g_test_add_func ("/arguments/unknown-options", test_unknown_options);
  g_test_add_func ("/arguments/missing-values", test_missing_values);
  g_test_add_func ("/arguments/help-names-all", test_help_names_all);

  return g_test_run ();
}
