/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-models-file.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"

#include <string.h>

/* The rules by which models.json is laid over what is known. */

#define BUILTIN                                                                                                  \
  "{\"providers\":{\"acme\":{\"api\":\"openai-responses\",\"baseUrl\":\"https://acme.example/v1\",\"models\":["      \
  "{\"id\":\"one\",\"name\":\"One\",\"reasoning\":true,\"thinkingLevelMap\":{\"off\":null,\"xhigh\":\"max\"},\"contextWindow\":1000,\"maxTokens\":100,"    \
  "\"cost\":{\"input\":1,\"output\":2,\"cacheRead\":3,\"cacheWrite\":4},\"compat\":{\"a\":1,\"openRouterRouting\":{\"only\":[\"x\"]}}},"                    \
  "{\"id\":\"two\",\"name\":\"Two\",\"contextWindow\":2000,\"maxTokens\":200}]}}}"

static TauModelSet *
merge (const char *file,
       GError    **error)
{
  g_autoptr(TauModelSet) set = tau_model_set_new ();
  g_autoptr(GError) builtin_error = NULL;

  tau_model_set_merge_text (set, BUILTIN, -1, TRUE, &builtin_error);
  g_assert_no_error (builtin_error);
  if (!tau_model_set_merge_text (set, file, -1, FALSE, error))
    return NULL;

  return g_steal_pointer (&set);
}

static TauModel *
get (TauModelSet *set,
     const char  *provider,
     const char  *id)
{
  TauModel *model = tau_model_set_find (set, provider, id);

  g_assert_nonnull (model);
  return model;
}

static void
test_defaults (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauModelSet) set = merge ("// mine\n{\"providers\":{\"mine\":{\"baseUrl\":\"http://h/v1\",\"apiKey\":\"K\",\"api\":\"openai-completions\",\"authHeader\":true,"
                                      "\"models\":[{\"id\":\"m\"},]}}}", &error);
  TauModel *model;

  g_assert_no_error (error);
  model = get (set, "mine", "m");
  g_assert_cmpstr (tau_model_get_name (model), ==, "m");
  g_assert_cmpint (tau_model_get_context_window (model), ==, 128000);
  g_assert_cmpint (tau_model_get_max_tokens (model), ==, 16384);
  g_assert_false (tau_model_get_reasoning (model));
  g_assert_false (tau_model_accepts_images (model));
  g_assert_cmpfloat (tau_model_get_prices (model)->input, ==, 0);
  g_assert_cmpstr (tau_model_set_get_provider (set, "mine")->api_key, ==, "K");
  g_assert_true (tau_model_set_get_provider (set, "mine")->auth_header);
}

static void
test_override (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauModelSet) set = merge ("{\"providers\":{\"acme\":{\"baseUrl\":\"http://proxy/v1\",\"headers\":{\"X-A\":\"1\"},\"modelOverrides\":{"
                                      "\"one\":{\"name\":\"Uno\",\"cost\":{\"output\":20},\"thinkingLevelMap\":{\"low\":\"small\"},\"compat\":{\"b\":2,\"openRouterRouting\":{\"order\":[\"y\"]}},\"headers\":{\"X-B\":\"2\"},\"id\":\"no\",\"api\":\"no\"},"
                                      "\"unknown\":{\"name\":\"?\"}}}}}", &error);
  TauModel *one, *two;

  g_assert_no_error (error);
  one = get (set, "acme", "one");
  two = get (set, "acme", "two");
  g_assert_cmpuint (set->models->len, ==, 2);
  g_assert_cmpstr (tau_model_get_name (one), ==, "Uno");
  g_assert_cmpstr (tau_model_get_api (one), ==, "openai-responses");
  g_assert_cmpstr (tau_model_get_base_url (one), ==, "http://proxy/v1");
  g_assert_cmpstr (tau_model_get_base_url (two), ==, "http://proxy/v1");
  g_assert_cmpfloat (tau_model_get_prices (one)->input, ==, 1);
  g_assert_cmpfloat (tau_model_get_prices (one)->output, ==, 20);
  g_assert_cmpstr (tau_model_map_level (one, TAU_THINKING_LOW), ==, "small");
  g_assert_cmpstr (tau_model_map_level (one, TAU_THINKING_XHIGH), ==, "max");
  g_assert_false (tau_model_supports_level (one, TAU_THINKING_OFF));
  g_assert_cmpint (tau_json_get_int (tau_model_get_compat (one), "a", 0), ==, 1);
  g_assert_cmpint (tau_json_get_int (tau_model_get_compat (one), "b", 0), ==, 2);
  g_assert_nonnull (tau_json_get_array (tau_model_get_compat (one), "openRouterRouting.only"));
  g_assert_nonnull (tau_json_get_array (tau_model_get_compat (one), "openRouterRouting.order"));
  g_assert_cmpstr (tau_json_get_string (tau_model_get_headers (one), "X-A", NULL), ==, "1");
  g_assert_cmpstr (tau_json_get_string (tau_model_get_headers (one), "X-B", NULL), ==, "2");
  g_assert_cmpstr (tau_model_get_name (two), ==, "Two");
}

/* Custom models of a known vendor inherit where they speak and how; one with a known id takes its place, without overrides. */
static void
test_known_vendor (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauModelSet) set = merge ("{\"providers\":{\"acme\":{\"compat\":{\"c\":3},\"models\":[{\"id\":\"three\",\"compat\":{\"d\":4}},{\"id\":\"one\",\"contextWindow\":7}],"
                                      "\"modelOverrides\":{\"one\":{\"contextWindow\":9}}}}}", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (set->models->len, ==, 3);
  g_assert_cmpstr (tau_model_get_api (get (set, "acme", "three")), ==, "openai-responses");
  g_assert_cmpstr (tau_model_get_base_url (get (set, "acme", "three")), ==, "https://acme.example/v1");
  g_assert_cmpint (tau_json_get_int (tau_model_get_compat (get (set, "acme", "three")), "c", 0), ==, 3);
  g_assert_cmpint (tau_json_get_int (tau_model_get_compat (get (set, "acme", "three")), "d", 0), ==, 4);
  g_assert_cmpint (tau_model_get_context_window (get (set, "acme", "one")), ==, 7);
  g_assert_cmpstr (tau_model_get_name (get (set, "acme", "one")), ==, "one");
}

static void
test_faults (void)
{
  static const struct { const char *file; const char *word; } cases[] = {
    { "{", "line 1" },
    { "[]", "providers" },
    { "{\"providers\":[]}", "providers" },
    { "{\"providers\":{\"x\":7}}", "x" },
    { "{\"providers\":{\"x\":{}}}", "needs models, baseUrl, headers, compat or modelOverrides" },
    { "{\"providers\":{\"x\":{\"models\":[{\"id\":\"m\",\"api\":\"openai-completions\"}],\"apiKey\":\"k\"}}}", "baseUrl" },
    { "{\"providers\":{\"x\":{\"models\":[{\"id\":\"m\",\"api\":\"openai-completions\"}],\"baseUrl\":\"http://h\"}}}", "apiKey" },
    { "{\"providers\":{\"x\":{\"models\":[{\"id\":\"m\"}],\"baseUrl\":\"http://h\",\"apiKey\":\"k\"}}}", "api" },
    { "{\"providers\":{\"x\":{\"models\":[{}],\"baseUrl\":\"http://h\",\"apiKey\":\"k\",\"api\":\"a\"}}}", "id" },
    { "{\"providers\":{\"acme\":{\"models\":[7]}}}", "models" },
    { "{\"providers\":{\"acme\":{\"models\":[{\"id\":\"m\",\"contextWindow\":0}]}}}", "contextWindow" },
    { "{\"providers\":{\"acme\":{\"models\":[{\"id\":\"m\",\"maxTokens\":-1}]}}}", "maxTokens" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (merge (cases[i].file, &error));
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].word));
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/models-file/defaults", test_defaults);
  g_test_add_func ("/models-file/override", test_override);
  g_test_add_func ("/models-file/known-vendor", test_known_vendor);
  g_test_add_func ("/models-file/faults", test_faults);

  return g_test_run ();
}
