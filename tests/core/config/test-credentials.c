/* SPDX-License-Identifier: MIT */
#include "core/config/tau-credentials.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/config/tau-settings.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <glib/gstdio.h>
#include <string.h>

/* Keys: where they come from, in which order, and that writing one leaves everything else in the file as it is. */

/* Members as pi writes them, among them what Tau has no use for. */
#define LOGIN                                                                \
  "  \"anthropic\": {\n    \"type\": \"oauth\",\n    \"refresh\": \"r\\\\e\\\"f\",\n    \"access\": \"sk-ant-oat-é\",\n    \"expires\": 1790000000000\n  }"
#define CODEX                                                                \
  "  \"openai-codex\": {\n    \"type\": \"oauth\",\n    \"access\": \"a\",\n    \"refresh\": \"r\",\n    \"expires\": 1.5,\n    \"accountId\": \"acc\",\n"  \
  "    \"later\": [\n      1,\n      null,\n      {\n        \"x\": true\n      }\n    ]\n  }"

typedef struct
{
  TauTestDir *dir;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->dir = tau_test_dir_new ();
  g_unsetenv ("OPENAI_API_KEY");
  g_unsetenv ("GROQ_API_KEY");
  g_unsetenv ("ANTHROPIC_API_KEY");
  g_unsetenv ("ANTHROPIC_OAUTH_TOKEN");
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  tau_test_dir_free (fixture->dir);
}

static TauCredentials *
credentials_of (Fixture    *fixture,
                const char *json)
{
  if (json != NULL)
    g_free (tau_test_dir_write (fixture->dir, "auth.json", json));

  return tau_credentials_new (tau_test_dir_get_path (fixture->dir));
}

static char *
dup_key (TauCredentials *credentials,
         const char     *provider)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  char *key;

  tau_credentials_resolve_async (credentials, provider, NULL, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  key = tau_credentials_resolve_finish (credentials, result, &error);
  g_assert_no_error (error);

  return key;
}

static void
assert_key (TauCredentials *credentials,
            const char     *provider,
            const char     *expected)
{
  g_autofree char *key = dup_key (credentials, provider);

  g_assert_cmpstr (key, ==, expected);
}

static void
test_order (Fixture      *fixture,
            gconstpointer data)
{
  g_autoptr(TauCredentials) credentials = credentials_of (fixture, "{\"openai\":{\"type\":\"api_key\",\"key\":\"stored\"}}");

  g_assert_false (tau_credentials_has_key (credentials, "groq"));
  assert_key (credentials, "groq", NULL);
  g_setenv ("GROQ_API_KEY", "from the environment", TRUE);
  g_assert_true (tau_credentials_has_key (credentials, "groq"));
  assert_key (credentials, "groq", "from the environment");

  g_setenv ("OPENAI_API_KEY", "from the environment", TRUE);
  assert_key (credentials, "openai", "stored");
  tau_credentials_set_runtime_key (credentials, "openai", "from the command line");
  assert_key (credentials, "openai", "from the command line");
  tau_credentials_set_runtime_key (credentials, "openai", NULL);
  assert_key (credentials, "openai", "stored");
}

/* A key may name a variable or be a command; a command runs once, and if it fails there is no key at all. */
static void
test_values (Fixture      *fixture,
             gconstpointer data)
{
  g_autofree char *count = g_build_filename (tau_test_dir_get_path (fixture->dir), "count", NULL);
  g_autofree char *json = g_strdup_printf ("{\"openai\":{\"type\":\"api_key\",\"key\":\"!echo x >> '%s'; echo ' secret '\"},"
                                           "\"groq\":{\"type\":\"api_key\",\"key\":\"!exit 3\"},"
                                           "\"xai\":{\"type\":\"api_key\",\"key\":\"TAU_TEST_VARIABLE\"}}", count);
  g_autoptr(TauCredentials) credentials = credentials_of (fixture, json);
  g_autofree char *lines = NULL;

  g_assert_true (tau_credentials_has_key (credentials, "openai"));
  g_assert_false (tau_test_dir_has (fixture->dir, "count"));
  assert_key (credentials, "openai", "secret");
  assert_key (credentials, "openai", "secret");
  lines = tau_test_dir_read (fixture->dir, "count");
  g_assert_cmpstr (lines, ==, "x\n");

  g_setenv ("GROQ_API_KEY", "from the environment", TRUE);
  assert_key (credentials, "groq", NULL);

  assert_key (credentials, "xai", "TAU_TEST_VARIABLE");
  g_setenv ("TAU_TEST_VARIABLE", "its value", TRUE);
  assert_key (credentials, "xai", "its value");
  g_unsetenv ("TAU_TEST_VARIABLE");
}

/* A login that pi made is used while it lasts. */
static void
test_login (Fixture      *fixture,
            gconstpointer data)
{
  g_autoptr(TauCredentials) credentials = NULL;
  g_autoptr(TauCredentials) later = NULL;

  credentials = credentials_of (fixture, "{\"anthropic\":{\"type\":\"oauth\",\"access\":\"sk-ant-oat-1\",\"refresh\":\"r\",\"expires\":99999999999999}}");
  assert_key (credentials, "anthropic", "sk-ant-oat-1");
  later = credentials_of (fixture, "{\"anthropic\":{\"type\":\"oauth\",\"access\":\"sk-ant-oat-1\",\"refresh\":\"r\",\"expires\":1000}}");
  g_assert_false (tau_credentials_has_key (later, "anthropic"));
  assert_key (later, "anthropic", NULL);
}

static void
test_others_survive (Fixture      *fixture,
                     gconstpointer data)
{
  g_autoptr(TauCredentials) credentials = credentials_of (fixture, "{\n" LOGIN ",\n" CODEX "\n}");
  g_autoptr(GError) error = NULL;
  g_autofree char *with = NULL;
  g_autofree char *without = NULL;
  g_autofree char *path = NULL;
  GStatBuf info;

  g_assert_true (tau_credentials_store_key (credentials, "openai", "sk-1", &error));
  g_assert_no_error (error);
  with = tau_test_dir_read (fixture->dir, "auth.json");
  g_assert_cmpstr (with, ==, "{\n" LOGIN ",\n" CODEX ",\n  \"openai\": {\n    \"type\": \"api_key\",\n    \"key\": \"sk-1\"\n  }\n}");
  assert_key (credentials, "openai", "sk-1");
  g_assert_true (tau_credentials_store_key (credentials, "openai", NULL, &error));
  without = tau_test_dir_read (fixture->dir, "auth.json");
  g_assert_cmpstr (without, ==, "{\n" LOGIN ",\n" CODEX "\n}");

  path = tau_test_dir_build (fixture->dir, "auth.json");
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
}

static void
test_broken (Fixture      *fixture,
             gconstpointer data)
{
  const char *contents = "{\"openai\": oops";
  g_autoptr(TauCredentials) credentials = credentials_of (fixture, contents);
  g_autoptr(GError) error = NULL;
  g_autofree char *after = NULL;

  g_assert_nonnull (tau_credentials_get_problem (credentials));
  g_assert_false (tau_credentials_store_key (credentials, "openai", "sk-1", &error));
  g_assert_nonnull (error);
  after = tau_test_dir_read (fixture->dir, "auth.json");
  g_assert_cmpstr (after, ==, contents);
  g_assert_false (tau_test_dir_has (fixture->dir, "auth.json.lock"));
}

static void
test_locked (Fixture      *fixture,
             gconstpointer data)
{
  g_autoptr(TauCredentials) credentials = credentials_of (fixture, "{}");
  g_autoptr(GError) error = NULL;

  g_free (tau_test_dir_mkdir (fixture->dir, "auth.json.lock"));
  g_assert_false (tau_credentials_store_key (credentials, "openai", "sk-1", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
}

/* P67: programs that write at the same time. Each thread has objects of its own, as each program would. */
enum { N_WRITERS = 6, N_WRITES = 8 };

typedef struct
{
  const char *agent_dir;
  guint       number;
} Writer;

static gpointer
writer_thread (gpointer data)
{
  Writer *writer = data;
  g_autoptr(TauCredentials) credentials = tau_credentials_new (writer->agent_dir);
  g_autoptr(TauSettings) settings = tau_settings_new (writer->agent_dir, NULL);

  for (guint i = 0; i < N_WRITES; i++)
    {
      g_autofree char *name = g_strdup_printf ("p%u-%u", writer->number, i);
      g_autoptr(GError) error = NULL;

      g_assert_true (tau_credentials_store_key (credentials, name, name, &error));
      g_assert_no_error (error);
      g_assert_true (tau_settings_set_string (settings, name, name, &error));
      g_assert_no_error (error);
    }

  return NULL;
}

static void
test_many_writers (Fixture      *fixture,
                   gconstpointer data)
{
  GThread *threads[N_WRITERS];
  Writer writers[N_WRITERS];
  g_autoptr(TauCredentials) credentials = NULL;
  g_autoptr(TauSettings) settings = NULL;
  g_autofree char *text = NULL;

  g_free (tau_test_dir_write (fixture->dir, "auth.json", "{\n" CODEX "\n}"));
  g_free (tau_test_dir_write (fixture->dir, "settings.json", "{\"unknown\":{\"kept\":[1]}}"));
  for (guint i = 0; i < N_WRITERS; i++)
    {
      writers[i] = (Writer) { tau_test_dir_get_path (fixture->dir), i };
      threads[i] = g_thread_new ("writer", writer_thread, &writers[i]);
    }
  for (guint i = 0; i < N_WRITERS; i++)
    g_thread_join (threads[i]);

  credentials = tau_credentials_new (tau_test_dir_get_path (fixture->dir));
  settings = tau_settings_new (tau_test_dir_get_path (fixture->dir), NULL);
  for (guint i = 0; i < N_WRITERS * N_WRITES; i++)
    {
      g_autofree char *name = g_strdup_printf ("p%u-%u", i / N_WRITES, i % N_WRITES);

      assert_key (credentials, name, name);
      g_assert_cmpstr (tau_settings_get_string (settings, name, NULL), ==, name);
    }
  g_assert_nonnull (tau_settings_get_node (settings, "unknown.kept"));
  text = tau_test_dir_read (fixture->dir, "auth.json");
  g_assert_nonnull (strstr (text, CODEX));
}

#define ADD(path, function) g_test_add ("/credentials/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("order", test_order);
  ADD ("values", test_values);
  ADD ("login", test_login);
  ADD ("others-survive", test_others_survive);
  ADD ("broken", test_broken);
  ADD ("locked", test_locked);
  ADD ("p67-many-writers", test_many_writers);

  return g_test_run ();
}
