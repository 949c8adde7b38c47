/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "core/base/tau-error.h"
#include "core/message/tau-assistant-message.h"

G_BEGIN_DECLS

/**
 * TauApiStyle:
 * @TAU_API_STYLE_OPENAI: chat completions and responses
 * @TAU_API_STYLE_ANTHROPIC: anthropic messages
 * @TAU_API_STYLE_GOOGLE: google generative AI
 * @TAU_API_STYLE_MISTRAL: mistral conversations
 *
 * Whose way of wording failures.
 */
typedef enum
{
  TAU_API_STYLE_OPENAI,
  TAU_API_STYLE_ANTHROPIC,
  TAU_API_STYLE_GOOGLE,
  TAU_API_STYLE_MISTRAL,
} TauApiStyle;

#define TAU_API_ABORTED_TEXT "Request was aborted"
#define TAU_API_UNKNOWN_TEXT "An unknown error occurred"

char       *tau_api_error_text_for_response (TauApiStyle style, guint status, const char *reason, const char *body, gssize length);
char       *tau_api_error_text_for_open     (TauApiStyle style, const GError *error, const char *url);
char       *tau_api_error_text_for_read     (const GError *error, const char *url);
char       *tau_api_error_text_for_object   (JsonNode *error);

TauApiError tau_api_error_classify          (const char *text);
const char *tau_api_error_get_title         (TauApiError kind);
gboolean    tau_api_error_is_overflow       (TauAssistantMessage *message, gint64 context_window);   /* window 0: unknown */
gboolean    tau_api_error_is_overflow_text  (const char *text);
gboolean    tau_api_error_is_retryable      (TauAssistantMessage *message, gint64 context_window);

G_END_DECLS
