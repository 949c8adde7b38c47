/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-model-catalog.h"

#include "core/base/tau-json.h"
#include "core/llm/tau-model-choice.h"
#include "core/message/tau-assistant-message.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <string.h>

/* The catalogue as a whole: our own list is sound, the user's files are laid over it, keys decide what can be used. */

typedef struct
{
  TauTestDir *dir;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autofree char *home = NULL;

  fixture->dir = tau_test_dir_new ();
  home = tau_test_dir_mkdir (fixture->dir, "home");
  g_setenv ("HOME", home, TRUE);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  tau_test_dir_free (fixture->dir);
}

static TauModelCatalog *
catalog_of (Fixture    *fixture,
            const char *models,
            const char *auth)
{
  if (models != NULL)
    g_free (tau_test_dir_write (fixture->dir, "models.json", models));
  if (auth != NULL)
    g_free (tau_test_dir_write (fixture->dir, "auth.json", auth));

  return tau_model_catalog_new (tau_test_dir_get_path (fixture->dir));
}

/* Ids are unique, numbers make sense, each vendor's usual model is there, and every API is one that we speak. */
static void
test_own_list (Fixture      *fixture,
               gconstpointer data)
{
  static const char * const apis[] = { "anthropic-messages", "openai-completions", "openai-responses", "azure-openai-responses",
                                       "google-generative-ai", "mistral-conversations", "demo", NULL };
  g_autoptr(TauModelCatalog) catalog = catalog_of (fixture, NULL, NULL);
  GListModel *models = tau_model_catalog_get_models (catalog);
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_assert_cmpuint (g_list_model_get_n_items (models), >, 100);
  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      g_autoptr(TauModel) model = g_list_model_get_item (models, i);
      const char *provider = tau_model_get_provider (model);
      const char *usual = tau_model_choice_default_id (provider);
      const TauPrices *prices = tau_model_get_prices (model);

      g_test_message ("%s/%s", provider, tau_model_get_id (model));
      g_assert_true (g_hash_table_add (seen, g_strdup_printf ("%s/%s", provider, tau_model_get_id (model))));
      g_assert_cmpint (tau_model_get_context_window (model), >=, 4096);
      g_assert_cmpint (tau_model_get_max_tokens (model), >, 0);
      g_assert_cmpfloat (prices->input, >=, 0);
      g_assert_cmpfloat (prices->output, >=, 0);
      if (!g_str_equal (provider, "demo"))
        g_assert_true (g_strv_contains (apis, tau_model_get_api (model)));
      if (usual != NULL)
        g_assert_nonnull (tau_model_catalog_find (catalog, provider, usual));
    }
  g_assert_null (tau_model_catalog_get_problems (catalog)[0]);
}

static void
test_broken_file (Fixture      *fixture,
                  gconstpointer data)
{
  g_autoptr(TauModelCatalog) catalog = catalog_of (fixture, "{\n  \"providers\": oops\n}", NULL);
  const char * const *problems = tau_model_catalog_get_problems (catalog);

  g_assert_nonnull (problems[0]);
  g_assert_nonnull (strstr (problems[0], "models.json"));
  g_assert_nonnull (strstr (problems[0], "line 2"));
  g_assert_nonnull (tau_model_catalog_find (catalog, "anthropic", "claude-opus-4-7"));

  g_free (tau_test_dir_write (fixture->dir, "models.json", "{\"providers\":{\"mine\":{\"baseUrl\":\"http://h\",\"apiKey\":\"k\",\"api\":\"openai-completions\",\"models\":[{\"id\":\"m\"}]}}}"));
  tau_model_catalog_reload (catalog);
  g_assert_null (tau_model_catalog_get_problems (catalog)[0]);
  g_assert_nonnull (tau_model_catalog_find (catalog, "mine", "m"));
}

static void
test_available (Fixture      *fixture,
                gconstpointer data)
{
  g_autoptr(TauModelCatalog) catalog = catalog_of (fixture, "{\"providers\":{\"mine\":{\"baseUrl\":\"http://h\",\"apiKey\":\"!exit 1\",\"api\":\"openai-completions\",\"models\":[{\"id\":\"m\"}]}}}",
                                                   "{\"openai\":{\"type\":\"api_key\",\"key\":\"sk\"},\"openai-codex\":{\"type\":\"oauth\",\"access\":\"a\"}}");
  TauModel *openai = tau_model_catalog_find (catalog, "openai", "gpt-5.4");
  TauModel *anthropic = tau_model_catalog_find (catalog, "anthropic", "claude-opus-4-7");

  g_assert_true (tau_model_catalog_is_available (catalog, openai));
  g_assert_true (tau_model_catalog_is_available (catalog, tau_model_catalog_find (catalog, "mine", "m")));
  g_assert_false (tau_model_catalog_is_available (catalog, anthropic));
  tau_model_catalog_set_runtime_key (catalog, "anthropic", "k");
  g_assert_true (tau_model_catalog_is_available (catalog, tau_model_catalog_find (catalog, "anthropic", "claude-opus-4-7")));
}

/* What a request gets: key and headers, from the credentials before models.json, with variables and commands resolved. */
static void
check_resolved (TauModelCatalog *catalog,
                const char      *provider,
                const char      *expected_key,
                const char      *expected_headers)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *key = NULL;
  g_autoptr(JsonNode) headers = NULL;
  g_autofree char *text = NULL;

  tau_model_catalog_resolve_async (catalog, tau_model_catalog_find (catalog, provider, "m"), NULL, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  tau_model_catalog_resolve_finish (catalog, result, &key, &headers, &error);
  g_assert_no_error (error);
  text = headers != NULL ? tau_json_to_string (headers) : NULL;
  g_assert_cmpstr (key, ==, expected_key);
  g_assert_cmpstr (text, ==, expected_headers);
}

static void
test_resolve (Fixture      *fixture,
              gconstpointer data)
{
  g_autoptr(TauModelCatalog) catalog = catalog_of (fixture,
    "{\"providers\":{"
    "\"a\":{\"baseUrl\":\"http://h\",\"apiKey\":\"file\",\"api\":\"openai-completions\",\"authHeader\":true,\"headers\":{\"X-A\":\"!echo printed\",\"X-B\":\"plain\"},\"models\":[{\"id\":\"m\"}]},"
    "\"b\":{\"baseUrl\":\"http://h\",\"apiKey\":\"!echo from-file\",\"api\":\"openai-completions\",\"models\":[{\"id\":\"m\"}]},"
    "\"c\":{\"baseUrl\":\"http://h\",\"apiKey\":\"file\",\"api\":\"openai-completions\",\"models\":[{\"id\":\"m\"}]}}}",
    "{\"c\":{\"type\":\"api_key\",\"key\":\"stored\"}}");

  check_resolved (catalog, "a", "file", "{\"Authorization\":\"Bearer file\",\"X-A\":\"printed\",\"X-B\":\"plain\"}");
  check_resolved (catalog, "b", "from-file", NULL);
  check_resolved (catalog, "c", "stored", NULL);
}

/* Prices are per million tokens, of each kind. */
static void
test_cost (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr(TauModelCatalog) catalog = catalog_of (fixture, NULL, NULL);
  const TauPrices *prices = tau_model_get_prices (tau_model_catalog_find (catalog, "anthropic", "claude-opus-4-5"));
  TauUsage usage = { .input = 1000000, .output = 200000, .cache_read = 400000, .cache_write = 80000 };

  g_assert_cmpfloat (prices->input, ==, 5);
  g_assert_cmpfloat (prices->output, ==, 25);
  g_assert_cmpfloat (prices->cache_read, ==, 0.5);
  g_assert_cmpfloat (prices->cache_write, ==, 6.25);
  tau_usage_set_cost (&usage, prices);
  g_assert_cmpfloat_with_epsilon (usage.cost_input, 5, 1e-12);
  g_assert_cmpfloat_with_epsilon (usage.cost_output, 5, 1e-12);
  g_assert_cmpfloat_with_epsilon (usage.cost_cache_read, 0.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (usage.cost_cache_write, 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (usage.cost_total, 10.7, 1e-12);
}

static void
test_default (Fixture      *fixture,
              gconstpointer data)
{
  g_autoptr(TauModelCatalog) catalog = catalog_of (fixture, NULL, "{\"groq\":{\"type\":\"api_key\",\"key\":\"k\"}}");
  g_autoptr(TauModel) set = tau_model_catalog_choose_default (catalog, "openai", "gpt-5.4");
  g_autoptr(TauModel) usual = tau_model_catalog_choose_default (catalog, "openai", "gone");

  g_assert_cmpstr (tau_model_get_id (set), ==, "gpt-5.4");
  g_assert_cmpstr (tau_model_get_provider (usual), ==, "groq");
}

#define ADD(path, function) g_test_add ("/model-catalog/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int   argc,
      char *argv[])
{
  static const char * const variables[] = { "ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "OPENAI_API_KEY", "GROQ_API_KEY", "GEMINI_API_KEY",
                                            "DEEPSEEK_API_KEY", "OPENROUTER_API_KEY", "XAI_API_KEY", "NODE_EXTRA_CA_CERTS" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_unsetenv (variables[i]);
  ADD ("own-list", test_own_list);
  ADD ("broken-file", test_broken_file);
  ADD ("available", test_available);
  ADD ("resolve", test_resolve);
  ADD ("cost", test_cost);
  ADD ("default", test_default);

  return g_test_run ();
}
