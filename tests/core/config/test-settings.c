/* SPDX-License-Identifier: MIT */
#include "core/config/tau-settings.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "support/tau-test-dir.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

typedef struct
{
  TauTestDir *dir;
  char       *agent_dir;
  char       *cwd;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  self->dir = tau_test_dir_new ();
  self->agent_dir = tau_test_dir_build (self->dir, "agent");
  self->cwd = tau_test_dir_mkdir (self->dir, "project");
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  g_free (self->agent_dir);
  g_free (self->cwd);
  tau_test_dir_free (self->dir);
}

static TauSettings *
settings_of (Fixture    *self,
             const char *global,
             const char *project)
{
  if (global != NULL)
    g_free (tau_test_dir_write (self->dir, "agent/settings.json", global));
  if (project != NULL)
    g_free (tau_test_dir_write (self->dir, "project/.pi/settings.json", project));
  return tau_settings_new (self->agent_dir, self->cwd);
}

static void
test_defaults (Fixture       *self,
               gconstpointer  data)
{
  g_autoptr(TauSettings) settings = settings_of (self, NULL, NULL);

  g_assert_cmpint (tau_settings_get_int (settings, "retry.maxRetries", 3), ==, 3);
  g_assert_true (tau_settings_get_bool (settings, "retry.enabled", TRUE));
  g_assert_null (tau_settings_get_string (settings, "defaultModel", NULL));
  g_assert_null (tau_settings_dup_strv (settings, "enabledModels"));
  g_assert_null (tau_settings_get_problems (settings)[0]);
}

/* One level deep: retry's members merge, retry.provider is replaced. */
static void
test_merge (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr(TauSettings) settings =
    settings_of (self, "{\"a\":1,\"list\":[\"x\",\"y\"],\"retry\":{\"maxRetries\":5,\"baseDelayMs\":7,\"provider\":{\"maxRetryDelayMs\":1}}}",
                 "{\"a\":2,\"list\":[\"z\"],\"retry\":{\"baseDelayMs\":8,\"provider\":{\"timeoutMs\":9}}}");
  g_auto(GStrv) list = tau_settings_dup_strv (settings, "list");

  g_assert_cmpint (tau_settings_get_int (settings, "a", 0), ==, 2);
  g_assert_cmpint (tau_settings_get_int (settings, "retry.maxRetries", 0), ==, 5);
  g_assert_cmpint (tau_settings_get_int (settings, "retry.baseDelayMs", 0), ==, 8);
  g_assert_cmpint (tau_settings_get_int (settings, "retry.provider.timeoutMs", 0), ==, 9);
  g_assert_cmpint (tau_settings_get_int (settings, "retry.provider.maxRetryDelayMs", 60000), ==, 60000);
  g_assert_cmpstr (list[0], ==, "z");
  g_assert_null (list[1]);
}

static void
test_old_names (Fixture       *self,
                gconstpointer  data)
{
  g_autoptr(TauSettings) settings =
    settings_of (self, "{\"queueMode\":\"all\",\"websockets\":true,\"retry\":{\"maxDelayMs\":11},"
                       "\"skills\":{\"enableSkillCommands\":false,\"customDirectories\":[\"/s\"]}}", NULL);
  g_auto(GStrv) skills = tau_settings_dup_strv (settings, "skills");

  g_assert_cmpstr (tau_settings_get_string (settings, "steeringMode", NULL), ==, "all");
  g_assert_cmpstr (tau_settings_get_string (settings, "transport", NULL), ==, "websocket");
  g_assert_cmpint (tau_settings_get_int (settings, "retry.provider.maxRetryDelayMs", 0), ==, 11);
  g_assert_false (tau_settings_get_bool (settings, "enableSkillCommands", TRUE));
  g_assert_cmpstr (skills[0], ==, "/s");
}

static void
changed_cb (TauSettings *settings,
            const char  *path,
            char       **last)
{
  g_free (*last);
  *last = g_strdup (path);
}

/* What others wrote meanwhile, and what we do not know, stays. */
static void
test_set (Fixture       *self,
          gconstpointer  data)
{
  g_autoptr(TauSettings) settings = settings_of (self, "{\"unknown\":{\"x\":[1]},\"retry\":{\"maxRetries\":5}}", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) number = tau_json_node_new_int (9);
  g_autofree char *text = NULL;
  g_autofree char *last = NULL;

  g_signal_connect (settings, "changed", G_CALLBACK (changed_cb), &last);
  g_free (tau_test_dir_write (self->dir, "agent/settings.json", "{\"unknown\":{\"x\":[1]},\"retry\":{\"maxRetries\":5},\"other\":\"new\"}"));
  g_assert_true (tau_settings_set (settings, "retry.baseDelayMs", number, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (last, ==, "retry.baseDelayMs");
  g_assert_true (tau_settings_set_string (settings, "theme", "dark", NULL));
  text = tau_test_dir_read (self->dir, "agent/settings.json");
  g_assert_cmpstr (text, ==,
                   "{\n  \"unknown\": {\n    \"x\": [\n      1\n    ]\n  },\n  \"retry\": {\n    \"maxRetries\": 5,\n    \"baseDelayMs\": 9\n  },\n"
                   "  \"other\": \"new\",\n  \"theme\": \"dark\"\n}");
  g_assert_cmpstr (tau_settings_get_string (settings, "other", NULL), ==, "new");
  g_assert_true (tau_settings_set_string (settings, "theme", NULL, NULL));
  g_assert_null (tau_settings_get_string (settings, "theme", NULL));
  g_assert_false (tau_test_dir_has (self->dir, "agent/settings.json.lock"));
}

static void
test_set_without_file (Fixture       *self,
                       gconstpointer  data)
{
  g_autoptr(TauSettings) settings = settings_of (self, NULL, NULL);
  g_autofree char *text = NULL;

  g_assert_true (tau_settings_set_string (settings, "a", "b", NULL));
  text = tau_test_dir_read (self->dir, "agent/settings.json");
  g_assert_cmpstr (text, ==, "{\n  \"a\": \"b\"\n}");
}

static void
test_broken (Fixture       *self,
             gconstpointer  data)
{
  const char *contents = "{\n  \"a\": 1,\n  oops\n}";
  g_autoptr(TauSettings) settings = settings_of (self, contents, "{\"b\":2}");
  g_autoptr(GError) error = NULL;
  g_autofree char *after = NULL;

  g_assert_nonnull (tau_settings_get_problems (settings)[0]);
  g_assert_null (tau_settings_get_problems (settings)[1]);
  g_assert_nonnull (strstr (tau_settings_get_problems (settings)[0], "settings.json"));
  g_assert_nonnull (strstr (tau_settings_get_problems (settings)[0], "3"));
  g_assert_cmpint (tau_settings_get_int (settings, "a", 7), ==, 7);
  g_assert_cmpint (tau_settings_get_int (settings, "b", 0), ==, 2);
  g_assert_false (tau_settings_set_string (settings, "theme", "dark", &error));
  g_assert_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_SYNTAX);
  g_assert_cmpstr (tau_settings_get_string (settings, "theme", NULL), ==, "dark");
  after = tau_test_dir_read (self->dir, "agent/settings.json");
  g_assert_cmpstr (after, ==, contents);
}

/* A lock that its holder left long ago is taken over; a fresh one is respected. */
static void
test_lock (Fixture       *self,
           gconstpointer  data)
{
  g_autoptr(TauSettings) settings = settings_of (self, "{}", NULL);
  g_autofree char *lock = tau_test_dir_mkdir (self->dir, "agent/settings.json.lock");
  const struct utimbuf long_ago = { 1000, 1000 };
  g_autoptr(GError) error = NULL;

  g_assert_false (tau_settings_set_string (settings, "a", "b", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_assert_true (tau_test_dir_has (self->dir, "agent/settings.json.lock"));
  g_assert_cmpint (utime (lock, &long_ago), ==, 0);
  g_assert_true (tau_settings_set_string (settings, "a", "b", NULL));
  g_assert_false (tau_test_dir_has (self->dir, "agent/settings.json.lock"));
}

static void
test_resource_paths (Fixture       *self,
                     gconstpointer  data)
{
  g_autoptr(TauSettings) settings = settings_of (self, "{\"skills\":[\"/abs\",\"!not\",\"mine\"]}", "{\"skills\":[\"ours\"]}");
  g_auto(GStrv) global = tau_settings_dup_resource_paths (settings, "skills", FALSE);
  g_auto(GStrv) project = tau_settings_dup_resource_paths (settings, "skills", TRUE);
  g_autofree char *mine = g_build_filename (self->agent_dir, "mine", NULL);
  g_autofree char *ours = g_build_filename (self->cwd, ".pi", "ours", NULL);

  g_assert_cmpuint (g_strv_length (global), ==, 2);
  g_assert_cmpstr (global[0], ==, "/abs");
  g_assert_cmpstr (global[1], ==, mine);
  g_assert_cmpuint (g_strv_length (project), ==, 1);
  g_assert_cmpstr (project[0], ==, ours);
}

#define ADD(path, func) g_test_add ("/settings/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("defaults", test_defaults);
  ADD ("merge", test_merge);
  ADD ("old-names", test_old_names);
  ADD ("set", test_set);
  ADD ("set-without-file", test_set_without_file);
  ADD ("broken", test_broken);
  ADD ("lock", test_lock);
  ADD ("resource-paths", test_resource_paths);
  return g_test_run ();
}
