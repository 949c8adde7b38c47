/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-model-choice.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"

#include <string.h>

/* Which model a few typed letters mean. */

static const char * const known[] = {
  "anthropic/claude-opus-4-5", "anthropic/claude-opus-4-7", "anthropic/claude-opus-4-5-20251101", "anthropic/claude-sonnet-4-6",
  "openai/gpt-5.4", "openai/gpt-5.4-mini", "openai/o3-20250101", "openai/o3-20250416", "openai/grok-latest",
  "openrouter/anthropic/claude-opus-4.7", "openrouter/openai/gpt-5.4", "openrouter/qwen/qwen3:free", "groq/openai/gpt-oss-120b",
};

static GPtrArray *
make_models (void)
{
  GPtrArray *models = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_auto(GStrv) parts = g_strsplit (known[i], "/", 2);
      g_autoptr(JsonNode) json = tau_json_parse ("{\"api\":\"openai-completions\",\"baseUrl\":\"http://h\",\"reasoning\":true}", -1, NULL);

      json_object_set_string_member (json_node_get_object (json), "id", parts[1]);
      g_ptr_array_add (models, tau_model_new_from_json (parts[0], json, NULL));
    }

  return models;
}

static char *
dup_name (TauModel *model)
{
  return model != NULL ? g_strdup_printf ("%s/%s", tau_model_get_provider (model), tau_model_get_id (model)) : NULL;
}

static void
test_choice (void)
{
  static const struct { const char *provider; const char *pattern; const char *expected; int level; gboolean warns; } cases[] = {
    { NULL, "claude-opus-4-5", "anthropic/claude-opus-4-5", -1, FALSE },
    { NULL, "CLAUDE-OPUS-4-5", "anthropic/claude-opus-4-5", -1, FALSE },
    { NULL, "anthropic/claude-opus-4-7", "anthropic/claude-opus-4-7", -1, FALSE },
    { "anthropic", "claude-opus-4-7", "anthropic/claude-opus-4-7", -1, FALSE },
    { "Anthropic", "opus", "anthropic/claude-opus-4-7", -1, FALSE },
    { NULL, "anthropic/opus", "anthropic/claude-opus-4-7", -1, FALSE },
    { NULL, "sonnet", "anthropic/claude-sonnet-4-6", -1, FALSE },
    { NULL, "o3", "openai/o3-20250416", -1, FALSE },
    { NULL, "sonnet:high", "anthropic/claude-sonnet-4-6", TAU_THINKING_HIGH, FALSE },
    { NULL, "anthropic/sonnet:off", "anthropic/claude-sonnet-4-6", TAU_THINKING_OFF, FALSE },
    { "openai", "gpt-5.4:xhigh", "openai/gpt-5.4", TAU_THINKING_XHIGH, FALSE },
    { NULL, "openrouter/qwen/qwen3:free", "openrouter/qwen/qwen3:free", -1, FALSE },
    { NULL, "qwen3:free:low", "openrouter/qwen/qwen3:free", TAU_THINKING_LOW, FALSE },
    { NULL, "openrouter/anthropic/claude-opus-4.7", "openrouter/anthropic/claude-opus-4.7", -1, FALSE },
    { NULL, "openai/gpt-oss-120b", "groq/openai/gpt-oss-120b", -1, FALSE },
    { "openai", NULL, "openai/gpt-5.4", -1, FALSE },
    { NULL, "openai/gpt-9", "openai/gpt-9", -1, TRUE },
    { "anthropic", "claude-next", "anthropic/claude-next", -1, TRUE },
    { NULL, "nothing-like-it", NULL, -1, FALSE },
    { NULL, "sonnet:extreme", NULL, -1, FALSE },
    { "nobody", "sonnet", NULL, -1, FALSE },
  };
  g_autoptr(GPtrArray) models = make_models ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      TauModelChoice choice;
      gboolean found = tau_model_choice_make (&choice, models, cases[i].provider, cases[i].pattern, &error);
      g_autofree char *name = dup_name (choice.model);

      g_test_message ("%s, %s", cases[i].provider, cases[i].pattern);
      g_assert_cmpint (found, ==, cases[i].expected != NULL);
      g_assert_cmpstr (name, ==, cases[i].expected);
      g_assert_cmpint (choice.has_level, ==, cases[i].level >= 0);
      if (choice.has_level)
        g_assert_cmpint (choice.level, ==, cases[i].level);
      g_assert_cmpint (choice.warning != NULL, ==, cases[i].warns);
      if (!found)
        g_assert_error (error, TAU_CONFIG_ERROR, TAU_CONFIG_ERROR_INVALID);
      tau_model_choice_clear (&choice);
    }
}

static void
test_first (void)
{
  g_autoptr(GPtrArray) models = make_models ();
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  g_autoptr(TauModel) first = tau_model_choice_first (models);
  g_autoptr(TauModel) usual = tau_model_choice_default (models, "openrouter");
  g_autofree char *first_name = dup_name (first);
  g_autofree char *usual_name = dup_name (usual);

  g_assert_cmpstr (first_name, ==, "anthropic/claude-opus-4-7");
  g_assert_cmpstr (usual_name, ==, "openrouter/anthropic/claude-opus-4.7");
  g_assert_null (tau_model_choice_first (none));
  g_assert_null (tau_model_choice_default (models, "nobody"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-choice/choice", test_choice);
  g_test_add_func ("/model-choice/first", test_first);

  return g_test_run ();
}
