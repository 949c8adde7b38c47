/* SPDX-License-Identifier: MIT */
#include "core/config/tau-prompt-templates.h"

#include "core/base/tau-text.h"
#include "core/config/tau-front-matter.h"

#include <string.h>

/* "/review main.c" becomes the text of review.md with main.c in its places. The places and the splitting of arguments
 * are pi's, so that people's templates mean the same here. One difference: an argument is never expanded again. */

#define DESCRIPTION_LENGTH 60

static void
template_free (gpointer data)
{
  TauPromptTemplate *self = data;

  g_free (self->name);
  g_free (self->description);
  g_free (self->argument_hint);
  g_free (self->path);
  g_free (self->body);
  g_free (self);
}

static TauPromptTemplate *
find (GPtrArray  *templates,
      const char *name)
{
  for (guint i = 0; i < templates->len; i++)
    {
      TauPromptTemplate *template = g_ptr_array_index (templates, i);

      if (g_str_equal (template->name, name))
        return template;
    }
  return NULL;
}

/* Without a description the first line that says something stands in. */
static char *
describe (TauFrontMatter *matter)
{
  const char *description = tau_front_matter_get (matter, "description");
  g_auto(GStrv) lines = NULL;

  if (description != NULL && *description != '\0')
    return g_strdup (description);
  lines = g_strsplit (matter->body, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (!tau_text_is_blank (*line))
      {
        g_autofree char *cut = g_utf8_substring (*line, 0, MIN (g_utf8_strlen (*line, -1), DESCRIPTION_LENGTH));

        return g_strconcat (cut, strlen (cut) < strlen (*line) ? "..." : "", NULL);
      }
  return g_strdup ("");
}

static void
add_file (GPtrArray  *templates,
          const char *path,
          const char *scope,
          GPtrArray  *problems)
{
  g_autofree char *contents = NULL, *text = NULL, *base = g_path_get_basename (path);
  g_autofree char *name = g_strndup (base, strlen (base) - strlen (".md"));
  g_autoptr(GError) error = NULL;
  g_autoptr(TauFrontMatter) matter = NULL;
  TauPromptTemplate *template;
  gsize length;

  if (find (templates, name) != NULL)
    return;
  if (g_file_get_contents (path, &contents, &length, &error))
    {
      text = tau_text_make_valid (contents, (gssize) length);
      matter = tau_front_matter_parse (text, &error);
    }
  if (matter == NULL)
    {
      g_ptr_array_add (problems, g_strdup_printf ("%s: %s", path, error->message));
      return;
    }

  template = g_new0 (TauPromptTemplate, 1);
  template->name = g_steal_pointer (&name);
  template->description = describe (matter);
  template->argument_hint = g_strdup (tau_front_matter_get (matter, "argument-hint"));
  template->path = g_strdup (path);
  template->scope = scope;
  template->body = g_steal_pointer (&matter->body);
  g_ptr_array_add (templates, template);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

static void
add_folder (GPtrArray  *templates,
            const char *folder,
            const char *scope,
            GPtrArray  *problems)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".md"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_names);
  for (guint i = 0; i < paths->len; i++)
    if (g_file_test (g_ptr_array_index (paths, i), G_FILE_TEST_IS_REGULAR))
      add_file (templates, g_ptr_array_index (paths, i), scope, problems);
}

static void
add_settings (GPtrArray   *templates,
              TauSettings *settings,
              gboolean     project,
              GPtrArray   *problems)
{
  g_auto(GStrv) paths = tau_settings_dup_resource_paths (settings, "prompts", project);
  const char *scope = project ? "project" : "user";

  for (char **path = paths; *path != NULL; path++)
    if (g_file_test (*path, G_FILE_TEST_IS_DIR))
      add_folder (templates, *path, scope, problems);
    else if (g_str_has_suffix (*path, ".md"))
      add_file (templates, *path, scope, problems);
}

/**
 * tau_prompt_templates_load:
 * @agent_dir: pi's folder
 * @cwd: folder of the project
 * @settings: settings of both, which may name more folders
 * @problems: (element-type utf8): takes a sentence for each file that cannot be used
 *
 * Reads the templates; the first of a name wins, the project's before the user's. Blocking; two small folders.
 *
 * Returns: (transfer full) (element-type TauPromptTemplate): the templates
 */
GPtrArray *
tau_prompt_templates_load (const char  *agent_dir,
                           const char  *cwd,
                           TauSettings *settings,
                           GPtrArray   *problems)
{
  g_autofree char *project = g_build_filename (cwd, ".pi", "prompts", NULL);
  g_autofree char *global = g_build_filename (agent_dir, "prompts", NULL);
  GPtrArray *templates = g_ptr_array_new_with_free_func (template_free);

  add_settings (templates, settings, TRUE, problems);
  add_folder (templates, project, "project", problems);
  add_settings (templates, settings, FALSE, problems);
  add_folder (templates, global, "user", problems);
  return templates;
}

/**
 * tau_prompt_template_split:
 * @text: what follows the command
 *
 * Splits at blanks and tabs; quotes of both kinds keep blanks, there are no escapes, and an argument without any
 * character vanishes.
 *
 * Returns: (transfer full): the arguments
 */
char **
tau_prompt_template_split (const char *text)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr(GString) word = g_string_new (NULL);
  char quote = '\0';

  for (const char *at = text;; at++)
    {
      if (*at == '\0' || (quote == '\0' && (*at == ' ' || *at == '\t')))
        {
          if (word->len > 0)
            g_strv_builder_add (builder, word->str);
          g_string_truncate (word, 0);
          if (*at == '\0')
            return g_strv_builder_end (builder);
        }
      else if (quote != '\0' ? *at == quote : *at == '"' || *at == '\'')
        quote = quote != '\0' ? '\0' : *at;
      else
        g_string_append_c (word, *at);
    }
}

static void
append_range (GString            *out,
              const char * const *arguments,
              guint64             first,
              guint64             length)
{
  guint64 count = g_strv_length ((char **) arguments);

  for (guint64 i = first; i < count && i - first < length; i++)
    {
      if (i > first)
        g_string_append_c (out, ' ');
      g_string_append (out, arguments[i]);
    }
}

/* "${@:2}" and "${@:2:1}"; the first argument is 1, and 0 means 1 too. Returns what follows, or %NULL. */
static const char *
take_slice (GString            *out,
            const char         *at,
            const char * const *arguments)
{
  guint64 first, length = G_MAXUINT64;
  char *end;

  if (!g_str_has_prefix (at, "${@:") || !g_ascii_isdigit (at[4]))
    return NULL;
  first = g_ascii_strtoull (at + 4, &end, 10);
  if (*end == ':' && g_ascii_isdigit (end[1]))
    length = g_ascii_strtoull (end + 1, &end, 10);
  if (*end != '}')
    return NULL;
  append_range (out, arguments, MAX (first, 1) - 1, length);
  return end + 1;
}

static const char *
take_place (GString            *out,
            const char         *at,
            const char * const *arguments)
{
  if (g_ascii_isdigit (at[1]))
    {
      char *end;
      guint64 number = g_ascii_strtoull (at + 1, &end, 10);

      if (number > 0)
        append_range (out, arguments, number - 1, 1);
      return end;
    }
  if (g_str_has_prefix (at, "$ARGUMENTS") || g_str_has_prefix (at, "$@"))
    {
      append_range (out, arguments, 0, G_MAXUINT64);
      return at + (at[1] == '@' ? strlen ("$@") : strlen ("$ARGUMENTS"));
    }
  return take_slice (out, at, arguments);
}

/**
 * tau_prompt_template_fill:
 * @body: text with $1, $@, $ARGUMENTS, ${@:2} and ${@:2:1}
 * @arguments: (array zero-terminated=1): the arguments
 *
 * Returns: (transfer full): @body with the arguments in their places; missing ones are empty
 */
char *
tau_prompt_template_fill (const char         *body,
                          const char * const *arguments)
{
  g_autoptr(GString) out = g_string_new (NULL);
  const char *at = body;

  while (*at != '\0')
    {
      const char *after = *at == '$' ? take_place (out, at, arguments) : NULL;

      if (after == NULL)
        g_string_append_c (out, *at++);
      else
        at = after;
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/**
 * tau_prompt_templates_expand:
 * @templates: (element-type TauPromptTemplate): templates
 * @text: what the user sends
 *
 * Returns: (transfer full) (nullable): the template's text if @text is "/NAME arguments" with a known name
 */
char *
tau_prompt_templates_expand (GPtrArray  *templates,
                             const char *text)
{
  g_autofree char *name = NULL;
  g_auto(GStrv) arguments = NULL;
  TauPromptTemplate *template;
  const char *end;

  if (*text != '/')
    return NULL;
  end = strchrnul (text, ' ');
  name = g_strndup (text + 1, (gsize) (end - text) - 1);
  template = find (templates, name);
  if (template == NULL)
    return NULL;
  arguments = tau_prompt_template_split (end);
  return tau_prompt_template_fill (template->body, (const char * const *) arguments);
}
