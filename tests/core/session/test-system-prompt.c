/* SPDX-License-Identifier: MIT */
#include "core/session/tau-system-prompt.h"

#include "core/base/tau-json.h"
#include "core/message/tau-tool-spec.h"
#include "core/session/tau-context-files.h"
#include "support/tau-test-dir.h"

#include <string.h>

static GPtrArray *
specs_of (const char * const *names)
{
  GPtrArray *specs = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_tool_spec_unref);
  static const char * const guidelines[] = { "Shared guideline", NULL };

  for (; *names != NULL; names++)
    {
      g_autoptr(JsonNode) schema = tau_json_parse ("{}", -1, NULL);

      g_ptr_array_add (specs, tau_tool_spec_new (*names, *names, "d", schema, g_str_equal (*names, "silent") ? NULL : "does it", guidelines));
    }
  return specs;
}

/* Asserts that @pieces stand in @text in this order. */
static void
check_order (const char         *text,
             const char * const *pieces)
{
  const char *at = text;

  for (; *pieces != NULL; pieces++)
    {
      at = strstr (at, *pieces);
      if (at == NULL)
        g_error ("“%s” is missing or in the wrong place in:\n%s", *pieces, text);
      at += strlen (*pieces);
    }
}

static void
test_default (void)
{
  static const char * const names[] = { "read", "bash", "silent", NULL };
  g_autoptr(GPtrArray) specs = specs_of (names);
  g_autoptr(GPtrArray) files = g_ptr_array_new ();
  TauContextFile file = { (char *) "/p/AGENTS.md", (char *) "Use tabs." };
  const TauSystemPromptParts parts = { .append = "Appended.", .specs = specs, .context_files = files, .skills = "SKILLS", .date = "2026-12-01", .cwd = "/p" };
  g_autofree char *text = NULL;
  static const char * const pieces[] = {
    "\n\nAvailable tools:\n- read: does it\n- bash: does it\n", "\n\nGuidelines:\n- Look for files and text with bash", "\n- Shared guideline\n",
    "\n\nAppended.\n\n# Project Context\n\n", "## /p/AGENTS.md\n\nUse tabs.\n\n", "\n\nSKILLS\nCurrent date: 2026-12-01\nCurrent working directory: /p", NULL,
  };

  g_ptr_array_add (files, &file);
  text = tau_system_prompt_build (&parts);
  check_order (text, pieces);
  g_assert_null (strstr (text, "silent"));
  /* A guideline of two tools is said once. */
  g_assert_null (strstr (strstr (text, "Shared guideline") + 1, "Shared guideline"));
}

static void
test_custom (void)
{
  static const char * const names[] = { "bash", NULL };
  g_autoptr(GPtrArray) specs = specs_of (names);
  g_autoptr(GPtrArray) files = g_ptr_array_new ();
  const TauSystemPromptParts parts = { .custom = "You are a parrot.", .specs = specs, .context_files = files, .skills = "SKILLS", .date = "D", .cwd = "C:\\x" };
  g_autofree char *text = tau_system_prompt_build (&parts);

  /* Without the read tool a skill could not be loaded. */
  g_assert_cmpstr (text, ==, "You are a parrot.\nCurrent date: D\nCurrent working directory: C:/x");
}

static void
test_finders (void)
{
  static const char * const names[] = { "bash", "grep", NULL };
  g_autoptr(GPtrArray) specs = specs_of (names);
  g_autoptr(GPtrArray) files = g_ptr_array_new ();
  const TauSystemPromptParts parts = { .specs = specs, .context_files = files, .date = "D", .cwd = "/" };
  g_autofree char *text = tau_system_prompt_build (&parts);

  g_assert_nonnull (strstr (text, "with grep, find and ls rather than with bash"));
}

static void
test_sources (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *agent_dir = tau_test_dir_mkdir (dir, "agent");
  g_autofree char *cwd = tau_test_dir_mkdir (dir, "project");
  g_autofree char *file = tau_test_dir_write (dir, "prompt.txt", "from a file");
  const char * const given[] = { "one", file, NULL };
  g_autofree char *none = tau_system_prompt_find_custom (agent_dir, cwd, NULL);
  g_autofree char *of_file = tau_system_prompt_find_custom (agent_dir, cwd, file);
  g_autofree char *joined = tau_system_prompt_find_append (agent_dir, cwd, given);
  g_autofree char *global = NULL, *project = NULL, *append = NULL;

  g_assert_null (none);
  g_assert_cmpstr (of_file, ==, "from a file");
  g_assert_cmpstr (joined, ==, "one\n\nfrom a file");
  g_free (tau_test_dir_write (dir, "agent/SYSTEM.md", "global"));
  global = tau_system_prompt_find_custom (agent_dir, cwd, NULL);
  g_assert_cmpstr (global, ==, "global");
  g_free (tau_test_dir_write (dir, "project/.pi/SYSTEM.md", "project"));
  project = tau_system_prompt_find_custom (agent_dir, cwd, NULL);
  g_assert_cmpstr (project, ==, "project");
  g_free (tau_test_dir_write (dir, "project/.pi/APPEND_SYSTEM.md", "appended"));
  append = tau_system_prompt_find_append (agent_dir, cwd, NULL);
  g_assert_cmpstr (append, ==, "appended");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system-prompt/default", test_default);
  g_test_add_func ("/system-prompt/custom", test_custom);
  g_test_add_func ("/system-prompt/finders", test_finders);
  g_test_add_func ("/system-prompt/sources", test_sources);
  return g_test_run ();
}
