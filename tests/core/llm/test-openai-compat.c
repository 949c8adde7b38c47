/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-openai-compat.h"

#include "core/base/tau-json.h"

/* The dialect that is found for a model's server, and what its own "compat" changes. */

static TauOpenaiCompat
find (const char *provider,
      const char *base_url,
      const char *id,
      const char *compat)
{
  g_autofree char *text = g_strdup_printf ("{\"id\":\"%s\",\"api\":\"openai-completions\",\"baseUrl\":\"%s\",\"compat\":%s}", id, base_url, compat);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
  g_autoptr(TauModel) model = tau_model_new_from_json (provider, json, NULL);
  TauOpenaiCompat found;

  tau_openai_compat_init (&found, model);

  return found;
}

/* Letters for what is on: Store, Developer role, reasoning Effort, max_Completion_tokens, sTrict mode, Long retention, reasoning
 * cOntent, Answer after tools, cacHe control of Anthropic. */
static char *
describe (const TauOpenaiCompat *compat)
{
  static const char letters[] = "SDECTLOAH";
  const gboolean flags[] = {
    compat->supports_store, compat->supports_developer_role, compat->supports_reasoning_effort, compat->uses_max_completion_tokens,
    compat->supports_strict_mode, compat->supports_long_retention, compat->requires_reasoning_content,
    compat->requires_assistant_after_tool_result, compat->anthropic_cache_control,
  };
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    if (flags[i])
      g_string_append_c (out, letters[i]);

  return g_string_free (out, FALSE);
}

static void
test_detection (void)
{
  static const struct { const char *provider, *base_url, *id, *expected; TauThinkingFormat format; } cases[] = {
    { "openai", "https://api.openai.com/v1", "gpt-4o", "SDECTL", TAU_THINKING_FORMAT_OPENAI },
    { "mine", "http://10.0.0.7/v1", "m", "SDECTL", TAU_THINKING_FORMAT_OPENAI },
    { "groq", "https://api.groq.com/openai/v1", "m", "SDECTL", TAU_THINKING_FORMAT_OPENAI },
    { "xai", "https://x", "m", "CTL", TAU_THINKING_FORMAT_OPENAI },
    { "mine", "https://api.x.ai/v1", "m", "CTL", TAU_THINKING_FORMAT_OPENAI },
    { "zai", "https://api.z.ai/v4", "glm", "CTL", TAU_THINKING_FORMAT_ZAI },
    { "moonshotai", "https://api.moonshot.ai/v1", "kimi", "L", TAU_THINKING_FORMAT_OPENAI },
    { "moonshotai-cn", "https://x", "kimi", "L", TAU_THINKING_FORMAT_OPENAI },
    { "cerebras", "https://api.cerebras.ai/v1", "m", "ECTL", TAU_THINKING_FORMAT_OPENAI },
    { "mine", "https://llm.chutes.ai/v1", "m", "ETL", TAU_THINKING_FORMAT_OPENAI },
    { "deepseek", "https://api.deepseek.com", "m", "ECTLO", TAU_THINKING_FORMAT_DEEPSEEK },
    { "deepseek", "https://elsewhere", "m", "SDECTLO", TAU_THINKING_FORMAT_DEEPSEEK },
    { "opencode", "https://opencode.ai/zen/v1", "m", "ECTL", TAU_THINKING_FORMAT_OPENAI },
    { "openrouter", "https://openrouter.ai/api/v1", "anthropic/claude", "SDECTLH", TAU_THINKING_FORMAT_OPENROUTER },
    { "openrouter", "https://openrouter.ai/api/v1", "openai/gpt", "SDECTL", TAU_THINKING_FORMAT_OPENROUTER },
    { "openrouter", "https://openrouter.ai/api/v1", "mistralai/Devstral-2", "SDECTLA", TAU_THINKING_FORMAT_OPENROUTER },
    { "cloudflare-workers-ai", "https://x", "m", "ECT", TAU_THINKING_FORMAT_OPENAI },
    { "cloudflare-ai-gateway", "https://x", "m", "", TAU_THINKING_FORMAT_OPENAI },

    /* Servers on one's own machine do not know what is only OpenAI's. */
    { "ollama", "http://127.0.0.1:11434/v1", "m", "EL", TAU_THINKING_FORMAT_OPENAI },
    { "mine", "http://nas.local:11434/v1", "m", "EL", TAU_THINKING_FORMAT_OPENAI },
    { "mine", "http://localhost:1234/v1", "m", "EL", TAU_THINKING_FORMAT_OPENAI },
    { "mine", "http://localhost:12345/v1", "m", "SDECTL", TAU_THINKING_FORMAT_OPENAI },
    { "llama.cpp", "http://localhost:9000/v1", "m", "EL", TAU_THINKING_FORMAT_OPENAI },
    { "vllm", "http://gpu:8000/v1", "mistralai/Mistral-Small", "ELA", TAU_THINKING_FORMAT_OPENAI },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TauOpenaiCompat compat = find (cases[i].provider, cases[i].base_url, cases[i].id, "{}");
      g_autofree char *got = describe (&compat);

      g_test_message ("%s at %s", cases[i].provider, cases[i].base_url);
      g_assert_cmpstr (got, ==, cases[i].expected);
      g_assert_cmpint (compat.thinking_format, ==, cases[i].format);
      g_assert_true (compat.supports_usage_in_streaming);
    }
}

static void
test_overrides (void)
{
  TauOpenaiCompat compat = find ("ollama", "http://127.0.0.1:11434/v1", "mistral",
                                 "{\"supportsStore\":true,\"supportsDeveloperRole\":true,\"supportsReasoningEffort\":false,\"maxTokensField\":\"max_completion_tokens\","
                                 "\"supportsStrictMode\":true,\"supportsLongCacheRetention\":false,\"requiresReasoningContentOnAssistantMessages\":true,"
                                 "\"requiresAssistantAfterToolResult\":false,\"cacheControlFormat\":\"anthropic\",\"thinkingFormat\":\"qwen\",\"supportsUsageInStreaming\":false}");
  g_autofree char *got = describe (&compat);

  g_assert_cmpstr (got, ==, "SDCTOH");
  g_assert_cmpint (compat.thinking_format, ==, TAU_THINKING_FORMAT_QWEN);
  g_assert_false (compat.supports_usage_in_streaming);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/openai-compat/detection", test_detection);
  g_test_add_func ("/openai-compat/overrides", test_overrides);

  return g_test_run ();
}
