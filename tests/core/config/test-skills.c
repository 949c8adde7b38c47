/* SPDX-License-Identifier: MIT */
#include "core/config/tau-skills.h"

#include "support/tau-test-dir.h"

#include <string.h>

typedef struct
{
  TauTestDir  *dir;
  char        *agent_dir;
  char        *cwd;
  TauSettings *settings;
  GPtrArray   *problems;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  self->dir = tau_test_dir_new ();
  self->agent_dir = tau_test_dir_mkdir (self->dir, "agent");
  self->cwd = tau_test_dir_mkdir (self->dir, "repo/project");
  g_free (tau_test_dir_mkdir (self->dir, "repo/.git"));
  g_setenv ("HOME", tau_test_dir_get_path (self->dir), TRUE);
  self->settings = tau_settings_new (self->agent_dir, self->cwd);
  self->problems = g_ptr_array_new_with_free_func (g_free);
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  g_object_unref (self->settings);
  g_ptr_array_unref (self->problems);
  g_free (self->agent_dir);
  g_free (self->cwd);
  tau_test_dir_free (self->dir);
}

static void
put (Fixture    *self,
     const char *name,
     const char *contents)
{
  g_free (tau_test_dir_write (self->dir, name, contents));
}

#define SKILL(name) "---\nname: " name "\ndescription: Does " name "\n---\nBody of " name "\n"

static void
test_places (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr(GPtrArray) skills = NULL;
  static const char * const expected[] = { "one", "two", "shared", "three" };

  put (self, "repo/project/.pi/skills/one/SKILL.md", SKILL ("one"));
  put (self, "repo/project/.pi/skills/one/deeper/SKILL.md", SKILL ("hidden-below"));
  put (self, "repo/project/.pi/skills/node_modules/x/SKILL.md", SKILL ("x"));
  put (self, "repo/project/.pi/skills/two.md", SKILL ("two"));
  put (self, "repo/.agents/skills/shared/SKILL.md", SKILL ("shared"));
  put (self, "repo/.agents/skills/plain.md", SKILL ("plain"));
  put (self, ".agents/skills/outside-of-the-repository/SKILL.md", SKILL ("one"));
  put (self, "agent/skills/group/three/SKILL.md", SKILL ("three"));
  skills = tau_skills_load (self->agent_dir, self->cwd, self->settings, self->problems);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (((TauSkill *) g_ptr_array_index (skills, i))->name, ==, expected[i]);
  g_assert_cmpstr (tau_skills_find (skills, "one")->scope, ==, "project");
  g_assert_cmpstr (tau_skills_find (skills, "three")->scope, ==, "user");
  g_assert_null (tau_skills_find (skills, "plain"));
}

static void
test_bad_ones (Fixture       *self,
               gconstpointer  data)
{
  g_autoptr(GPtrArray) skills = NULL;

  put (self, "repo/project/.pi/skills/a/SKILL.md", "---\nname: a\n---\nno description\n");
  put (self, "repo/project/.pi/skills/b/SKILL.md", "---\nname: b\ndescription: \"no end\n---\n");
  put (self, "repo/project/.pi/skills/c/SKILL.md", "---\nname: C--D\ndescription: odd name\n---\n");
  put (self, "agent/skills/again/SKILL.md", "---\nname: C--D\ndescription: twice\n---\n");
  skills = tau_skills_load (self->agent_dir, self->cwd, self->settings, self->problems);
  g_assert_cmpuint (skills->len, ==, 1);
  g_assert_cmpuint (self->problems->len, ==, 4);
}

static void
test_prompt (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr(GPtrArray) skills = NULL;
  g_autofree char *block = NULL;
  g_autofree char *place = g_build_filename (self->cwd, ".pi/skills/my-skill/SKILL.md", NULL);
  g_autofree char *expected = NULL;

  put (self, "repo/project/.pi/skills/my-skill/SKILL.md", "---\r\ndescription: 'Does \"things\" & <stuff>'\r\n---\r\nBody\r\n");
  put (self, "repo/project/.pi/skills/secret/SKILL.md", "---\ndescription: |\n  Secret\n  thing\ndisable-model-invocation: true\n---\nBody\n");
  skills = tau_skills_load (self->agent_dir, self->cwd, self->settings, self->problems);
  block = tau_skills_dup_prompt_block (skills);
  expected = g_strdup_printf ("<available_skills>\n  <skill>\n    <name>my-skill</name>\n"
                              "    <description>Does &quot;things&quot; &amp; &lt;stuff&gt;</description>\n"
                              "    <location>%s</location>\n  </skill>\n</available_skills>", place);
  g_assert_nonnull (strstr (block, expected));
  g_assert_cmpstr (tau_skills_find (skills, "secret")->description, ==, "Secret\nthing");
}

static void
test_expand (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr(GPtrArray) skills = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *with_rest = NULL;

  put (self, "repo/project/.pi/skills/one/SKILL.md", SKILL ("one"));
  skills = tau_skills_load (self->agent_dir, self->cwd, self->settings, self->problems);
  plain = tau_skills_expand (skills, "/skill:one");
  with_rest = tau_skills_expand (skills, "/skill:one  do it ");
  g_assert_true (g_str_has_prefix (plain, "<skill name=\"one\" location=\"/"));
  g_assert_true (g_str_has_suffix (plain, ".\n\nBody of one\n</skill>"));
  g_assert_true (g_str_has_suffix (with_rest, "\n</skill>\n\ndo it"));
  g_assert_null (tau_skills_expand (skills, "/skill:two x"));
  g_assert_null (tau_skills_expand (skills, "say /skill:one"));
}

#define ADD(path, func) g_test_add ("/skills/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("places", test_places);
  ADD ("bad-ones", test_bad_ones);
  ADD ("prompt", test_prompt);
  ADD ("expand", test_expand);
  return g_test_run ();
}
