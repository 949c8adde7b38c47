/* SPDX-License-Identifier: MIT */
#include "core/session/tau-system-prompt.h"

#include "core/base/tau-text.h"
#include "core/message/tau-tool-spec.h"
#include "core/session/tau-context-files.h"

#include <string.h>

/* What the model is told before anything else. Order and headings are pi's, so that people's own prompts and context
 * files find the surroundings that they were written for; the words are ours. */

static const char role[] =
  "You are a coding agent at work in a person's project. You read files, run commands, change files and create new ones "
  "with the tools you are given, and you say what you did.";

static const char more_tools[] =
  "A project may bring further tools of its own; they are described where they are offered.";

static gboolean
has_tool (GPtrArray  *specs,
          const char *name)
{
  for (guint i = 0; i < specs->len; i++)
    if (g_str_equal (tau_tool_spec_get_name (g_ptr_array_index (specs, i)), name))
      return TRUE;
  return FALSE;
}

static void
append_tools (GString   *out,
              GPtrArray *specs)
{
  gsize before;

  g_string_append (out, "\n\nAvailable tools:\n");
  before = out->len;
  for (guint i = 0; i < specs->len; i++)
    {
      TauToolSpec *spec = g_ptr_array_index (specs, i);
      const char *snippet = tau_tool_spec_get_snippet (spec);

      if (snippet != NULL && *snippet != '\0')
        g_string_append_printf (out, "- %s: %s\n", tau_tool_spec_get_name (spec), snippet);
    }
  if (out->len == before)
    g_string_append (out, "(none)\n");
  g_string_append_printf (out, "\n%s", more_tools);
}

static void
append_guideline (GString    *out,
                  GHashTable *seen,
                  const char *text)
{
  if (g_hash_table_add (seen, (gpointer) text))
    g_string_append_printf (out, "- %s\n", text);
}

static void
append_guidelines (GString   *out,
                   GPtrArray *specs)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean finders = has_tool (specs, "grep") || has_tool (specs, "find") || has_tool (specs, "ls");

  g_string_append (out, "\n\nGuidelines:\n");
  if (has_tool (specs, "bash"))
    append_guideline (out, seen,
                      finders ? "Look for files and text with grep, find and ls rather than with bash: they are faster and leave out ignored files"
                              : "Look for files and text with bash (ls, rg, find)");
  for (guint i = 0; i < specs->len; i++)
    for (const char * const *line = tau_tool_spec_get_guidelines (g_ptr_array_index (specs, i)); *line != NULL; line++)
      append_guideline (out, seen, *line);
  append_guideline (out, seen, "Keep answers short");
  append_guideline (out, seen, "Name files by their paths");
  g_string_truncate (out, out->len - 1);
}

static void
append_context_files (GString   *out,
                      GPtrArray *files)
{
  if (files->len == 0)
    return;
  /* The words of pi: a session that goes on in the other program then finds its prompt in the provider's cache. */
  g_string_append (out, "\n\n# Project Context\n\nProject-specific instructions and guidelines:\n\n");
  for (guint i = 0; i < files->len; i++)
    {
      TauContextFile *file = g_ptr_array_index (files, i);

      g_string_append_printf (out, "## %s\n\n%s\n\n", file->path, file->text);
    }
}

/**
 * tau_system_prompt_build:
 * @parts: what it is made of
 *
 * Returns: (transfer full): the prompt
 */
char *
tau_system_prompt_build (const TauSystemPromptParts *parts)
{
  g_autoptr(GString) out = g_string_new (parts->custom != NULL ? parts->custom : role);
  g_autofree char *cwd = g_strdelimit (g_strdup (parts->cwd), "\\", '/');

  if (parts->custom == NULL)
    {
      append_tools (out, parts->specs);
      append_guidelines (out, parts->specs);
    }
  if (parts->append != NULL && *parts->append != '\0')
    g_string_append_printf (out, "\n\n%s", parts->append);
  append_context_files (out, parts->context_files);
  if (parts->skills != NULL && has_tool (parts->specs, "read"))
    g_string_append_printf (out, "\n\n%s", parts->skills);
  g_string_append_printf (out, "\nCurrent date: %s", parts->date);
  g_string_append_printf (out, "\nCurrent working directory: %s", cwd);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
read_file (const char *path)
{
  g_autofree char *contents = NULL;
  gsize length;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents (path, &contents, &length, NULL))
    return NULL;
  return tau_text_make_valid (contents, (gssize) length);
}

/* A value that is the path of a file stands for its contents. */
static char *
value_or_file (const char *value)
{
  char *contents = read_file (value);

  return contents != NULL ? contents : g_strdup (value);
}

static char *
read_project_or_global (const char *agent_dir,
                        const char *cwd,
                        const char *name)
{
  g_autofree char *project = g_build_filename (cwd, ".pi", name, NULL);
  g_autofree char *global = g_build_filename (agent_dir, name, NULL);
  char *text = read_file (project);

  return text != NULL ? text : read_file (global);
}

/**
 * tau_system_prompt_find_custom:
 * @agent_dir: pi's folder
 * @cwd: folder of work
 * @given: (nullable): the command line's, text or path
 *
 * Returns: (transfer full) (nullable): what replaces the default prompt: @given, else the project's SYSTEM.md, else the
 *   global one
 */
char *
tau_system_prompt_find_custom (const char *agent_dir,
                               const char *cwd,
                               const char *given)
{
  return given != NULL ? value_or_file (given) : read_project_or_global (agent_dir, cwd, "SYSTEM.md");
}

/**
 * tau_system_prompt_find_append:
 * @agent_dir: pi's folder
 * @cwd: folder of work
 * @given: (nullable) (array zero-terminated=1): the command line's, texts or paths
 *
 * Returns: (transfer full) (nullable): what is added to the prompt: all of @given, else the project's APPEND_SYSTEM.md,
 *   else the global one
 */
char *
tau_system_prompt_find_append (const char         *agent_dir,
                               const char         *cwd,
                               const char * const *given)
{
  g_autoptr(GString) out = NULL;

  if (given == NULL || *given == NULL)
    return read_project_or_global (agent_dir, cwd, "APPEND_SYSTEM.md");

  out = g_string_new (NULL);
  for (; *given != NULL; given++)
    {
      g_autofree char *text = value_or_file (*given);

      if (out->len > 0)
        g_string_append (out, "\n\n");
      g_string_append (out, text);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}
