/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/config/tau-skills.h"

#include "core/base/tau-text.h"
#include "core/config/tau-front-matter.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Folders with a SKILL.md, as pi and other agents look for them: what is nearer to the work wins. The same folders may
 * be seen on several ways, also through links, so real files are counted once. */

#define MAX_DEPTH 16   /* links may go round in circles */
#define MAX_NAME 64
#define MAX_DESCRIPTION 1024

typedef struct
{
  GPtrArray  *skills;
  GPtrArray  *problems;
  GHashTable *seen;     /* real paths of files */
  const char *scope;
} Search;

static void
skill_free (gpointer data)
{
  TauSkill *self = data;

  g_free (self->name);
  g_free (self->description);
  g_free (self->path);
  g_free (self->base_dir);
  g_free (self);
}

static void
add_problem (Search     *search,
             const char *path,
             const char *what)
{
  g_ptr_array_add (search->problems, g_strdup_printf ("%s: %s", path, what));
}

static gboolean
is_good_name (const char *name)
{
  gsize length = strlen (name);

  return length > 0 && length <= MAX_NAME && strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length
         && *name != '-' && name[length - 1] != '-' && strstr (name, "--") == NULL;
}

/* What is odd about a skill that works all the same. */
static void
check_skill (Search   *search,
             TauSkill *skill)
{
  if (!is_good_name (skill->name))
    add_problem (search, skill->path, _("the name should be at most 64 small letters, digits and single hyphens"));
  if (g_utf8_strlen (skill->description, -1) > MAX_DESCRIPTION)
    add_problem (search, skill->path, _("the description is longer than 1024 characters"));
}

static TauSkill *
read_skill (Search     *search,
            const char *path)
{
  g_autofree char *contents = NULL, *text = NULL, *folder = g_path_get_dirname (path);
  g_autofree char *folder_name = g_path_get_basename (folder);
  g_autoptr(GError) error = NULL;
  g_autoptr(TauFrontMatter) matter = NULL;
  const char *description, *name;
  TauSkill *skill;
  gsize length;

  if (!g_file_get_contents (path, &contents, &length, &error))
    {
      add_problem (search, path, error->message);
      return NULL;
    }
  text = tau_text_make_valid (contents, (gssize) length);
  matter = tau_front_matter_parse (text, &error);
  if (matter == NULL)
    {
      add_problem (search, path, error->message);
      return NULL;
    }
  description = tau_front_matter_get (matter, "description");
  if (description == NULL || tau_text_is_blank (description))
    {
      add_problem (search, path, _("a skill needs a description"));
      return NULL;
    }

  name = tau_front_matter_get (matter, "name");
  skill = g_new0 (TauSkill, 1);
  skill->name = g_strdup (name != NULL && *name != '\0' ? name : folder_name);
  skill->description = g_strdup (description);
  skill->path = g_strdup (path);
  skill->base_dir = g_steal_pointer (&folder);
  skill->scope = search->scope;
  skill->hidden = g_strcmp0 (tau_front_matter_get (matter, "disable-model-invocation"), "true") == 0;
  return skill;
}

static void
add_skill (Search     *search,
           const char *path)
{
  g_autofree char *real = realpath (path, NULL);
  TauSkill *skill, *other;

  if (real == NULL || !g_hash_table_add (search->seen, g_strdup (real)))
    return;
  skill = read_skill (search, path);
  if (skill == NULL)
    return;

  other = tau_skills_find (search->skills, skill->name);
  if (other != NULL)
    {
      g_autofree char *what = g_strdup_printf (_("there is a skill “%s” already in %s"), skill->name, other->path);

      add_problem (search, path, what);
      skill_free (skill);
      return;
    }
  check_skill (search, skill);
  g_ptr_array_add (search->skills, skill);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

static GPtrArray *
list_folder (const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

static void
search_folder (Search     *search,
               const char *folder,
               gboolean    plain_files,
               guint       depth)
{
  g_autofree char *own = g_build_filename (folder, "SKILL.md", NULL);
  g_autoptr(GPtrArray) names = NULL;

  if (depth > MAX_DEPTH)
    return;
  if (g_file_test (own, G_FILE_TEST_IS_REGULAR))
    {
      add_skill (search, own);
      return;
    }

  names = list_folder (folder);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (*name == '.' || g_str_equal (name, "node_modules"))
        continue;
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        search_folder (search, path, FALSE, depth + 1);
      else if (plain_files && g_str_has_suffix (name, ".md"))
        add_skill (search, path);
    }
}

static void
search_settings (Search      *search,
                 TauSettings *settings,
                 gboolean     project)
{
  g_auto(GStrv) paths = tau_settings_dup_resource_paths (settings, "skills", project);

  for (char **path = paths; *path != NULL; path++)
    if (g_file_test (*path, G_FILE_TEST_IS_DIR))
      search_folder (search, *path, TRUE, 0);
    else
      add_skill (search, *path);
}

/* .agents/skills is shared with other agents: from the folder up to the root of its repository. */
static void
search_agents_folders (Search     *search,
                       const char *cwd)
{
  g_autofree char *folder = g_strdup (cwd);

  while (TRUE)
    {
      g_autofree char *skills = g_build_filename (folder, ".agents", "skills", NULL);
      g_autofree char *git = g_build_filename (folder, ".git", NULL);
      g_autofree char *parent = g_path_get_dirname (folder);

      search_folder (search, skills, FALSE, 0);
      if (g_file_test (git, G_FILE_TEST_EXISTS) || g_str_equal (parent, folder))
        return;
      g_free (folder);
      folder = g_steal_pointer (&parent);
    }
}

/**
 * tau_skills_load:
 * @agent_dir: pi's folder
 * @cwd: folder of the project, absolute
 * @settings: settings of both, which may name more folders
 * @problems: (element-type utf8): takes a sentence for each skill that was left out or is odd
 *
 * Looks for skills; the first of a name wins. Blocking; a few small folders.
 *
 * Returns: (transfer full) (element-type TauSkill): in the order found
 */
GPtrArray *
tau_skills_load (const char  *agent_dir,
                 const char  *cwd,
                 TauSettings *settings,
                 GPtrArray   *problems)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *project = g_build_filename (cwd, ".pi", "skills", NULL);
  g_autofree char *global = g_build_filename (agent_dir, "skills", NULL);
  g_autofree char *shared = g_build_filename (g_get_home_dir (), ".agents", "skills", NULL);
  Search search = { g_ptr_array_new_with_free_func (skill_free), problems, seen, "project" };

  search_settings (&search, settings, TRUE);
  search_folder (&search, project, TRUE, 0);
  search_agents_folders (&search, cwd);
  search.scope = "user";
  search_settings (&search, settings, FALSE);
  search_folder (&search, global, TRUE, 0);
  search_folder (&search, shared, FALSE, 0);
  return search.skills;
}

/**
 * tau_skills_find:
 * @skills: (element-type TauSkill): skills
 * @name: a name
 *
 * Returns: (transfer none) (nullable): the skill of that name
 */
TauSkill *
tau_skills_find (GPtrArray  *skills,
                 const char *name)
{
  for (guint i = 0; i < skills->len; i++)
    {
      TauSkill *skill = g_ptr_array_index (skills, i);

      if (g_str_equal (skill->name, name))
        return skill;
    }
  return NULL;
}

static void
append_xml (GString    *out,
            const char *tag,
            const char *text)
{
  g_string_append_printf (out, "    <%s>", tag);
  for (const char *at = text; *at != '\0'; at++)
    switch (*at)
      {
      case '&':
        g_string_append (out, "&amp;");
        break;
      case '<':
        g_string_append (out, "&lt;");
        break;
      case '>':
        g_string_append (out, "&gt;");
        break;
      case '"':
        g_string_append (out, "&quot;");
        break;
      case '\'':
        g_string_append (out, "&apos;");
        break;
      default:
        g_string_append_c (out, *at);
      }
  g_string_append_printf (out, "</%s>\n", tag);
}

/**
 * tau_skills_dup_prompt_block:
 * @skills: (element-type TauSkill): skills
 *
 * What the model is told of the skills that it may use, in the XML that pi sends too.
 *
 * Returns: (transfer full) (nullable): the text without line ends around it; %NULL if there is nothing to tell
 */
char *
tau_skills_dup_prompt_block (GPtrArray *skills)
{
  g_autoptr(GString) out = g_string_new (
    "Skills are files with instructions for special tasks. "
    "When a task matches the description of one of them, load its file with the read tool before you begin. "
    "A relative path in a skill's file is relative to the folder of that file; use absolute paths in tool calls.\n\n"
    "<available_skills>\n");
  guint n_told = 0;

  for (guint i = 0; i < skills->len; i++)
    {
      TauSkill *skill = g_ptr_array_index (skills, i);

      if (skill->hidden)
        continue;
      n_told++;
      g_string_append (out, "  <skill>\n");
      append_xml (out, "name", skill->name);
      append_xml (out, "description", skill->description);
      append_xml (out, "location", skill->path);
      g_string_append (out, "  </skill>\n");
    }
  g_string_append (out, "</available_skills>");
  return n_told > 0 ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

/**
 * tau_skills_expand:
 * @skills: (element-type TauSkill): skills
 * @text: what the user sends
 *
 * Replaces "/skill:NAME rest" by the skill's text in the wrapping that pi writes into session files.
 *
 * Returns: (transfer full) (nullable): the text to send; %NULL if @text calls no skill that is known and readable
 */
char *
tau_skills_expand (GPtrArray  *skills,
                   const char *text)
{
  g_autofree char *name = NULL, *contents = NULL, *valid = NULL, *rest = NULL;
  g_autoptr(TauFrontMatter) matter = NULL;
  const char *end;
  TauSkill *skill;
  gsize length;

  if (!g_str_has_prefix (text, "/skill:"))
    return NULL;
  end = strchrnul (text, ' ');
  name = g_strndup (text + strlen ("/skill:"), (gsize) (end - text) - strlen ("/skill:"));
  skill = tau_skills_find (skills, name);
  if (skill == NULL || !g_file_get_contents (skill->path, &contents, &length, NULL))
    return NULL;
  valid = tau_text_make_valid (contents, (gssize) length);
  matter = tau_front_matter_parse (valid, NULL);
  if (matter == NULL)
    return NULL;

  rest = tau_text_trim (end);
  return g_strdup_printf ("<skill name=\"%s\" location=\"%s\">\nReferences are relative to %s.\n\n%s\n</skill>%s%s",
                          skill->name, skill->path, skill->base_dir, matter->body, *rest != '\0' ? "\n\n" : "", rest);
}
