/* SPDX-License-Identifier: MIT */
#include "core/llm/openai/tau-openai-compat.h"

#include <string.h>

#include "core/base/tau-json.h"

/* What is known of the dialects, by vendor id or by address; a model's own "compat" has the last word. */

typedef enum
{
  VENDOR_XAI = 1 << 0,
  VENDOR_ZAI = 1 << 1,
  VENDOR_MOONSHOT = 1 << 2,
  VENDOR_CLOUDFLARE_WORKERS = 1 << 3,
  VENDOR_CLOUDFLARE_GATEWAY = 1 << 4,
  VENDOR_DEEPSEEK = 1 << 5,
  VENDOR_OPENROUTER = 1 << 6,
  VENDOR_CEREBRAS = 1 << 7,
  VENDOR_CHUTES = 1 << 8,
  VENDOR_OPENCODE = 1 << 9,
  VENDOR_LOCAL = 1 << 10,
} Vendor;

static const struct
{
  Vendor      vendor;
  const char *provider;   /* nullable */
  const char *address;    /* nullable: part of the base URL */
}
vendors[] = {
  { VENDOR_XAI, "xai", "api.x.ai" },
  { VENDOR_ZAI, "zai", "api.z.ai" },
  { VENDOR_MOONSHOT, "moonshotai", "api.moonshot." },
  { VENDOR_MOONSHOT, "moonshotai-cn", NULL },
  { VENDOR_CLOUDFLARE_WORKERS, "cloudflare-workers-ai", "api.cloudflare.com" },
  { VENDOR_CLOUDFLARE_GATEWAY, "cloudflare-ai-gateway", "gateway.ai.cloudflare.com" },
  { VENDOR_DEEPSEEK, "deepseek", "deepseek.com" },
  { VENDOR_OPENROUTER, "openrouter", "openrouter.ai" },
  { VENDOR_CEREBRAS, "cerebras", "cerebras.ai" },
  { VENDOR_CHUTES, NULL, "chutes.ai" },
  { VENDOR_OPENCODE, "opencode", "opencode.ai" },
  { VENDOR_LOCAL, "ollama", ":11434" },
  { VENDOR_LOCAL, "lm-studio", ":1234/" },
  { VENDOR_LOCAL, "lmstudio", NULL },
  { VENDOR_LOCAL, "llama.cpp", NULL },
  { VENDOR_LOCAL, "llama-cpp", NULL },
  { VENDOR_LOCAL, "llamacpp", NULL },
  { VENDOR_LOCAL, "vllm", NULL },
};

static const struct
{
  const char       *name;
  TauThinkingFormat format;
}
thinking_formats[] = {
  { "openai", TAU_THINKING_FORMAT_OPENAI },
  { "openrouter", TAU_THINKING_FORMAT_OPENROUTER },
  { "deepseek", TAU_THINKING_FORMAT_DEEPSEEK },
  { "zai", TAU_THINKING_FORMAT_ZAI },
  { "qwen", TAU_THINKING_FORMAT_QWEN },
  { "qwen-chat-template", TAU_THINKING_FORMAT_QWEN_CHAT_TEMPLATE },
};

static guint
find_vendors (TauModel *model)
{
  const char *provider = tau_model_get_provider (model);
  const char *url = tau_model_get_base_url (model);
  guint found = 0;

  for (guint i = 0; i < G_N_ELEMENTS (vendors); i++)
    if ((vendors[i].provider != NULL && g_str_equal (vendors[i].provider, provider)) ||
        (vendors[i].address != NULL && strstr (url, vendors[i].address) != NULL))
      found |= vendors[i].vendor;

  return found;
}

static TauThinkingFormat
detect_thinking_format (guint found)
{
  if (found & VENDOR_DEEPSEEK)
    return TAU_THINKING_FORMAT_DEEPSEEK;
  if (found & VENDOR_ZAI)
    return TAU_THINKING_FORMAT_ZAI;
  if (found & VENDOR_OPENROUTER)
    return TAU_THINKING_FORMAT_OPENROUTER;

  return TAU_THINKING_FORMAT_OPENAI;
}

/* Mistral's models, wherever they run: their templates take no word of the user right behind a tool's. */
static gboolean
is_mistral_model (TauModel *model)
{
  static const char * const families[] = { "mistral", "ministral", "magistral", "devstral", "codestral", "mixtral", "pixtral" };
  g_autofree char *id = g_ascii_strdown (tau_model_get_id (model), -1);

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    if (strstr (id, families[i]) != NULL)
      return TRUE;

  return FALSE;
}

static void
detect (TauOpenaiCompat *self,
        TauModel        *model)
{
  const char *provider = tau_model_get_provider (model);
  guint found = find_vendors (model);
  guint special = VENDOR_CEREBRAS | VENDOR_XAI | VENDOR_CHUTES | VENDOR_ZAI | VENDOR_MOONSHOT | VENDOR_OPENCODE | VENDOR_LOCAL |
                  VENDOR_CLOUDFLARE_WORKERS | VENDOR_CLOUDFLARE_GATEWAY;
  /* For these two flags DeepSeek counts by its address only. */
  gboolean standard = !(found & special) && strstr (tau_model_get_base_url (model), "deepseek.com") == NULL;

  *self = (TauOpenaiCompat) {
    .supports_store = standard,
    .supports_developer_role = standard,
    .supports_reasoning_effort = !(found & (VENDOR_XAI | VENDOR_ZAI | VENDOR_MOONSHOT | VENDOR_CLOUDFLARE_GATEWAY)),
    .supports_usage_in_streaming = TRUE,
    .uses_max_completion_tokens = !(found & (VENDOR_CHUTES | VENDOR_MOONSHOT | VENDOR_CLOUDFLARE_GATEWAY | VENDOR_LOCAL)),
    .requires_assistant_after_tool_result = is_mistral_model (model),
    .requires_reasoning_content = (found & VENDOR_DEEPSEEK) != 0,
    .thinking_format = detect_thinking_format (found),
    .supports_strict_mode = !(found & (VENDOR_MOONSHOT | VENDOR_CLOUDFLARE_GATEWAY | VENDOR_LOCAL)),
    .anthropic_cache_control = g_str_equal (provider, "openrouter") && g_str_has_prefix (tau_model_get_id (model), "anthropic/"),
    .supports_long_retention = !(found & (VENDOR_CLOUDFLARE_WORKERS | VENDOR_CLOUDFLARE_GATEWAY)),
  };
}

static void
override_flag (JsonNode   *compat,
               const char *name,
               gboolean   *flag)
{
  *flag = tau_json_get_bool (compat, name, *flag);
}

/**
 * tau_openai_compat_init:
 * @self: (out caller-allocates): the flags
 * @model: a model of the API "openai-completions"
 *
 * Finds the dialect of a model's server.
 */
void
tau_openai_compat_init (TauOpenaiCompat *self,
                        TauModel        *model)
{
  JsonNode *compat = tau_model_get_compat (model);
  const char *text;

  detect (self, model);
  override_flag (compat, "supportsStore", &self->supports_store);
  override_flag (compat, "supportsDeveloperRole", &self->supports_developer_role);
  override_flag (compat, "supportsReasoningEffort", &self->supports_reasoning_effort);
  override_flag (compat, "supportsUsageInStreaming", &self->supports_usage_in_streaming);
  override_flag (compat, "requiresToolResultName", &self->requires_tool_result_name);
  override_flag (compat, "requiresAssistantAfterToolResult", &self->requires_assistant_after_tool_result);
  override_flag (compat, "requiresThinkingAsText", &self->requires_thinking_as_text);
  override_flag (compat, "requiresReasoningContentOnAssistantMessages", &self->requires_reasoning_content);
  override_flag (compat, "supportsStrictMode", &self->supports_strict_mode);
  override_flag (compat, "sendSessionAffinityHeaders", &self->send_session_affinity);
  override_flag (compat, "supportsLongCacheRetention", &self->supports_long_retention);
  override_flag (compat, "zaiToolStream", &self->zai_tool_stream);

  if ((text = tau_json_get_string (compat, "maxTokensField", NULL)) != NULL)
    self->uses_max_completion_tokens = g_str_equal (text, "max_completion_tokens");
  if ((text = tau_json_get_string (compat, "cacheControlFormat", NULL)) != NULL)
    self->anthropic_cache_control = g_str_equal (text, "anthropic");
  text = tau_json_get_string (compat, "thinkingFormat", "");
  for (guint i = 0; i < G_N_ELEMENTS (thinking_formats); i++)
    if (g_str_equal (thinking_formats[i].name, text))
      self->thinking_format = thinking_formats[i].format;
}
