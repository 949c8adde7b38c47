/* SPDX-License-Identifier: MIT */
#include "core/config/tau-prompt-templates.h"

#include "support/tau-test-dir.h"

static void
check_fill (const char *body,
            const char *text,
            const char *expected)
{
  g_auto(GStrv) arguments = tau_prompt_template_split (text);
  g_autofree char *filled = tau_prompt_template_fill (body, (const char * const *) arguments);

  g_assert_cmpstr (filled, ==, expected);
}

static void
test_fill (void)
{
  check_fill ("1=$1 2=$2 all=$@ slice=${@:2} s2=${@:1:1} ten=$10 zero=$0", "\"a b\" 'c $1' d",
              "1=a b 2=c $1 all=a b c $1 d slice=c $1 d s2=a b ten= zero=");
  check_fill ("$ARGUMENTS", "a  b\tc", "a b c");
  check_fill ("cost $ 5, ${x}, ${@:}, $", "a", "cost $ 5, ${x}, ${@:}, $");
  check_fill ("${@:0}", "a b", "a b");
  check_fill ("${@:9:2}$99999999999999999999", "a b", "");
  check_fill ("$1", "$@ x", "$@");
  check_fill ("[$1]", "'' \"\"", "[]");
  check_fill ("[$1]", "'unfinished quote", "[unfinished quote]");
}

static void
test_load_and_expand (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *agent_dir = tau_test_dir_mkdir (dir, "agent");
  g_autofree char *cwd = tau_test_dir_mkdir (dir, "project");
  g_autoptr(TauSettings) settings = tau_settings_new (agent_dir, cwd);
  g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GPtrArray) templates = NULL;
  g_autofree char *text = NULL;
  TauPromptTemplate *first;

  g_free (tau_test_dir_write (dir, "project/.pi/prompts/review.md", "---\ndescription: Review a file\nargument-hint: FILE\n---\nReview $1.\n"));
  g_free (tau_test_dir_write (dir, "agent/prompts/review.md", "Another $1"));
  g_free (tau_test_dir_write (dir, "agent/prompts/plain.md", "\n\nThis first line is much longer than sixty characters, so it is cut somewhere\n"));
  g_free (tau_test_dir_write (dir, "agent/prompts/no-template.txt", "x"));
  templates = tau_prompt_templates_load (agent_dir, cwd, settings, problems);
  g_assert_cmpuint (templates->len, ==, 2);
  g_assert_cmpuint (problems->len, ==, 0);
  first = g_ptr_array_index (templates, 0);
  g_assert_cmpstr (first->name, ==, "review");
  g_assert_cmpstr (first->description, ==, "Review a file");
  g_assert_cmpstr (first->argument_hint, ==, "FILE");
  g_assert_cmpstr (first->scope, ==, "project");
  g_assert_cmpstr (((TauPromptTemplate *) g_ptr_array_index (templates, 1))->description, ==,
                   "This first line is much longer than sixty characters, so it ...");

  text = tau_prompt_templates_expand (templates, "/review main.c");
  g_assert_cmpstr (text, ==, "Review main.c.");
  g_assert_null (tau_prompt_templates_expand (templates, "/review\nmain.c"));
  g_assert_null (tau_prompt_templates_expand (templates, "/unknown x"));
  g_assert_null (tau_prompt_templates_expand (templates, "review x"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/prompt-templates/fill", test_fill);
  g_test_add_func ("/prompt-templates/load-and-expand", test_load_and_expand);
  return g_test_run ();
}
