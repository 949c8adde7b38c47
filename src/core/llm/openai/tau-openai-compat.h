/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-model.h"

G_BEGIN_DECLS

typedef enum
{
  TAU_THINKING_FORMAT_OPENAI,
  TAU_THINKING_FORMAT_OPENROUTER,
  TAU_THINKING_FORMAT_DEEPSEEK,
  TAU_THINKING_FORMAT_ZAI,
  TAU_THINKING_FORMAT_QWEN,
  TAU_THINKING_FORMAT_QWEN_CHAT_TEMPLATE,
} TauThinkingFormat;

/* How a server's dialect of chat completions differs. Plain value; the names are those of models.json's "compat". */
typedef struct
{
  gboolean          supports_store;
  gboolean          supports_developer_role;
  gboolean          supports_reasoning_effort;
  gboolean          supports_usage_in_streaming;
  gboolean          uses_max_completion_tokens;
  gboolean          requires_tool_result_name;
  gboolean          requires_assistant_after_tool_result;
  gboolean          requires_thinking_as_text;
  gboolean          requires_reasoning_content;
  TauThinkingFormat thinking_format;
  gboolean          supports_strict_mode;
  gboolean          anthropic_cache_control;
  gboolean          send_session_affinity;
  gboolean          supports_long_retention;
  gboolean          zai_tool_stream;
} TauOpenaiCompat;

void tau_openai_compat_init (TauOpenaiCompat *self, TauModel *model);

G_END_DECLS
