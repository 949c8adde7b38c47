/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-favourite-models.h"

#include "support/tau-test-dir.h"

/* The list of models to step through, in a real settings file beside a real models file. */

static const char models_json[] =
  "{\"providers\":{\"near\":{\"baseUrl\":\"http://h\",\"apiKey\":\"k\",\"api\":\"openai-completions\",\"models\":["
  "{\"id\":\"a\",\"reasoning\":true},{\"id\":\"b\"},{\"id\":\"c:free\"}]}}}";

typedef struct
{
  TauTestDir      *dir;
  TauModelCatalog *catalog;
  TauSettings     *settings;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autofree char *home = NULL;

  fixture->dir = tau_test_dir_new ();
  home = tau_test_dir_mkdir (fixture->dir, "home");
  g_setenv ("HOME", home, TRUE);
  g_free (tau_test_dir_write (fixture->dir, "models.json", models_json));
  g_free (tau_test_dir_write (fixture->dir, "settings.json", data != NULL ? data : "{\"theme\":\"dark\"}"));
  fixture->catalog = tau_model_catalog_new (tau_test_dir_get_path (fixture->dir));
  fixture->settings = tau_settings_new (tau_test_dir_get_path (fixture->dir), NULL);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_object_unref (fixture->settings);
  g_object_unref (fixture->catalog);
  tau_test_dir_free (fixture->dir);
}

static TauModel *
find (Fixture    *fixture,
      const char *id)
{
  TauModel *model = tau_model_catalog_find (fixture->catalog, "near", id);

  g_assert_nonnull (model);
  return model;
}

static void
set (Fixture    *fixture,
     const char *id,
     gboolean    favourite)
{
  g_autoptr(GError) error = NULL;

  g_assert_true (tau_favourite_models_set (fixture->settings, fixture->catalog, find (fixture, id), favourite, &error));
  g_assert_no_error (error);
  g_assert_cmpint (tau_favourite_models_contain (fixture->settings, find (fixture, id)), ==, favourite);
}

static void
assert_list (Fixture    *fixture,
             const char *expected)
{
  g_auto(GStrv) entries = tau_settings_dup_strv (fixture->settings, "enabledModels");
  g_autofree char *joined = entries != NULL ? g_strjoinv (" ", entries) : g_strdup ("");

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_set (Fixture      *fixture,
          gconstpointer data)
{
  g_autoptr(GPtrArray) favourites = NULL;

  set (fixture, "c:free", TRUE);
  set (fixture, "a", TRUE);
  set (fixture, "a", TRUE);
  assert_list (fixture, "near/c:free near/a");
  tau_settings_reload (fixture->settings);
  assert_list (fixture, "near/c:free near/a");
  favourites = tau_favourite_models_dup (fixture->settings, fixture->catalog);
  g_assert_cmpuint (favourites->len, ==, 2);
  g_assert_true (tau_model_equal (favourites->pdata[0], find (fixture, "c:free")));

  set (fixture, "c:free", FALSE);
  set (fixture, "a", FALSE);
  assert_list (fixture, "");
  g_assert_null (tau_settings_get_node (fixture->settings, "enabledModels"));
  g_assert_cmpstr (tau_settings_get_string (fixture->settings, "theme", NULL), ==, "dark");
}

/* One model out of a pattern: the others stay. */
static void
test_pattern (Fixture      *fixture,
              gconstpointer data)
{
  set (fixture, "b", FALSE);
  assert_list (fixture, "near/a near/c:free gone/model");
}

static void
assert_step (Fixture    *fixture,
             const char *from,
             int         step,
             const char *to,
             int         level)
{
  TauThinkingLevel wanted = TAU_THINKING_OFF;
  gboolean has_level;
  g_autoptr(TauModel) next = tau_favourite_models_step (fixture->settings, fixture->catalog, find (fixture, from), step, &wanted, &has_level);

  g_assert_nonnull (next);
  g_assert_cmpstr (tau_model_get_id (next), ==, to);
  g_assert_cmpint (has_level ? (int) wanted : -1, ==, level);
}

static void
test_step (Fixture      *fixture,
           gconstpointer data)
{
  assert_step (fixture, "b", 1, "a", TAU_THINKING_HIGH);
  assert_step (fixture, "a", 1, "b", -1);
  assert_step (fixture, "b", -1, "a", TAU_THINKING_HIGH);
}

static void
test_broken (Fixture      *fixture,
             gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  g_assert_false (tau_favourite_models_set (fixture->settings, fixture->catalog, find (fixture, "a"), TRUE, &error));
  g_assert_nonnull (error);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/favourite-models/set", Fixture, NULL, set_up, test_set, tear_down);
  g_test_add ("/favourite-models/pattern", Fixture, "{\"enabledModels\":[\"near/*\",\"gone/model\"]}", set_up, test_pattern, tear_down);
  g_test_add ("/favourite-models/step", Fixture, "{\"enabledModels\":[\"near/a:high\",\"NEAR/B\"]}", set_up, test_step, tear_down);
  g_test_add ("/favourite-models/broken", Fixture, "{\"enabledModels\":", set_up, test_broken, tear_down);
  return g_test_run ();
}
