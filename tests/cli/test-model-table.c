/* SPDX-License-Identifier: MIT */
#include "cli/tau-model-table.h"

#include "core/base/tau-json.h"

static void
add_model (GListStore *store,
           const char *provider,
           const char *json)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) node = tau_json_parse (json, -1, &error);
  g_autoptr(TauModel) model = NULL;

  g_assert_no_error (error);
  model = tau_model_new_from_json (provider, node, &error);
  g_assert_no_error (error);
  g_list_store_append (store, model);
}

static GListModel *
some_models (void)
{
  GListStore *store = g_list_store_new (TAU_TYPE_MODEL);

  add_model (store, "zeta", "{\"id\":\"large\",\"api\":\"openai-completions\",\"baseUrl\":\"http://h\",\"reasoning\":true,"
                            "\"input\":[\"text\",\"image\"],\"contextWindow\":1048576,\"maxTokens\":65536}");
  add_model (store, "alpha", "{\"id\":\"small-1\",\"api\":\"openai-completions\",\"baseUrl\":\"http://h\","
                             "\"contextWindow\":2000000,\"maxTokens\":999}");
  add_model (store, "alpha", "{\"id\":\"Big\",\"api\":\"openai-completions\",\"baseUrl\":\"http://h\","
                             "\"contextWindow\":128000,\"maxTokens\":16384}");

  return G_LIST_MODEL (store);
}

static void
test_sorted_and_aligned (void)
{
  g_autoptr(GListModel) models = some_models ();
  g_autofree char *table = tau_model_table_format (models, NULL);

  g_assert_cmpstr (table, ==,
                   "provider  model    context  max-out  thinking  images\n"
                   "alpha     Big      128K     16.4K    no        no\n"
                   "alpha     small-1  2M       999      no        no\n"
                   "zeta      large    1.0M     65.5K    yes       yes\n");
}

static void
test_search (void)
{
  g_autoptr(GListModel) models = some_models ();
  g_autofree char *by_case = tau_model_table_format (models, "BIG");
  g_autofree char *by_words = tau_model_table_format (models, "small alp");
  g_autofree char *by_slash = tau_model_table_format (models, "zeta/lar");
  g_autofree char *none = tau_model_table_format (models, "nobody");

  g_assert_nonnull (g_strstr_len (by_case, -1, "\nalpha     Big "));
  g_assert_null (g_strstr_len (by_case, -1, "large"));
  g_assert_nonnull (g_strstr_len (by_words, -1, "small-1"));
  g_assert_null (g_strstr_len (by_words, -1, "Big"));
  g_assert_nonnull (g_strstr_len (by_slash, -1, "large"));
  g_assert_cmpstr (none, ==, "");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/model-table/sorted-and-aligned", test_sorted_and_aligned);
  g_test_add_func ("/model-table/search", test_search);

  return g_test_run ();
}
