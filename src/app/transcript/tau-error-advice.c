/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-error-advice.h"

#include "core/llm/tau-api-error.h"

#include <glib/gi18n.h>
#include <string.h>

/* From the error text of an answer to a sentence that helps: what happened and what to do. The text itself, which
 * may be a server's JSON, is for those who open the details. */

/**
 * tau_provider_name:
 * @id: a provider
 *
 * Returns: how people call it; @id if that is not known
 */
const char *
tau_provider_name (const char *id)
{
  static const struct { const char *id; const char *name; } names[] = {
    { "anthropic", "Anthropic" }, { "openai", "OpenAI" },         { "google", "Google" },
    { "mistral", "Mistral" },     { "openrouter", "OpenRouter" }, { "groq", "Groq" },
    { "xai", "xAI" },             { "deepseek", "DeepSeek" },     { "ollama", "Ollama" },
    { "demo", N_("the demo") },
  };

  for (gsize i = 0; id && i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i].id, id))
      return _(names[i].name);
  return id && *id ? id : _("the provider");
}

/* An answer's error often begins with the status of the response, or has it in brackets. */
static int
find_status (const char *text)
{
  g_autoptr(GRegex) regex = g_regex_new ("(?:^|\\()([45][0-9]{2})\\b", 0, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  g_autofree char *digits = NULL;

  if (!text || !g_utf8_validate (text, -1, NULL) || !g_regex_match (regex, text, 0, &match))
    return 0;
  digits = g_match_info_fetch (match, 1);
  return (int) g_ascii_strtoll (digits, NULL, 10);
}

static TauApiError
classify (TauAssistantMessage *answer)
{
  const char *text = tau_assistant_message_get_error_message (answer);

  /* Whatever a server says beside it. */
  if (find_status (text) == 401)
    return TAU_API_ERROR_AUTH;
  return tau_api_error_classify (text ? text : "");
}

static char *
dup_sentence (TauApiError  code,
              const char  *provider)
{
  switch (code)
    {
    case TAU_API_ERROR_AUTH:
      return g_strdup_printf (_("The key was refused by %s. Enter another one in the settings."), provider);
    case TAU_API_ERROR_RATE_LIMIT:
      return g_strdup_printf (_("Too many requests were sent to %s. Wait a little, then try again."), provider);
    case TAU_API_ERROR_QUOTA:
      return g_strdup_printf (_("The account at %s has no credit left. Add some there, or choose another model."), provider);
    case TAU_API_ERROR_OVERLOADED:
      return g_strdup_printf (_("The service of %s is overloaded or down. Try again in a while."), provider);
    case TAU_API_ERROR_CONTEXT_OVERFLOW:
      return g_strdup (_("The conversation is longer than the model can read. Compact it, or choose a model that reads more."));
    case TAU_API_ERROR_INVALID:
      return g_strdup_printf (_("The request was refused by %s. The details say why."), provider);
    case TAU_API_ERROR_NETWORK:
      return g_strdup_printf (_("The connection to %s failed. Check the network, then try again."), provider);
    case TAU_API_ERROR_PROTOCOL:
    default:
      return g_strdup_printf (_("The answer from %s failed. The details say more."), provider);
    }
}

/**
 * tau_error_advice_dup_sentence:
 * @answer: an answer that failed or was stopped
 *
 * Returns: (transfer full): what happened and what to do, in one or two sentences
 */
char *
tau_error_advice_dup_sentence (TauAssistantMessage *answer)
{
  const char *provider = tau_provider_name (tau_assistant_message_get_provider (answer));
  int status = find_status (tau_assistant_message_get_error_message (answer));
  g_autofree char *name = NULL;

  if (tau_assistant_message_get_stop_reason (answer) == TAU_STOP_REASON_ABORTED)
    return g_strdup (_("You stopped the answer."));
  /* Translators: a provider and the status of its response, e.g. "Anthropic (401)". */
  name = status > 0 ? g_strdup_printf (_("%s (%d)"), provider, status) : g_strdup (provider);
  return dup_sentence (classify (answer), name);
}

/**
 * tau_error_advice_wants_settings:
 * @answer: an answer that failed
 *
 * Returns: whether keys, servers or models are what has to be looked at
 */
gboolean
tau_error_advice_wants_settings (TauAssistantMessage *answer)
{
  switch (classify (answer))
    {
    case TAU_API_ERROR_AUTH:
    case TAU_API_ERROR_QUOTA:
    case TAU_API_ERROR_CONTEXT_OVERFLOW:
    case TAU_API_ERROR_INVALID:
    case TAU_API_ERROR_NETWORK:
      return TRUE;
    case TAU_API_ERROR_RATE_LIMIT:
    case TAU_API_ERROR_OVERLOADED:
    case TAU_API_ERROR_PROTOCOL:
    default:
      return FALSE;
    }
}
