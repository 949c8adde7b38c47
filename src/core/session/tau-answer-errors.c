/* SPDX-License-Identifier: MIT */
#include "core/session/tau-answer-errors.h"

/* What a failed answer is about, read from its text: session files have nothing else, and servers agree on no code.
 * The patterns are pi's, collected from what servers say. */

static const char overflow_pattern[] =
  "prompt is too long|request_too_large|input is too long for requested model|exceeds the context window"
  "|input token count.*exceeds the maximum|maximum prompt length is \\d+|reduce the length of the messages"
  "|maximum context length is \\d+ tokens|exceeds the limit of \\d+|exceeds the available context size"
  "|greater than the context length|context window exceeds limit|exceeded model token limit"
  "|too large for model with \\d+ maximum context length|model_context_window_exceeded"
  "|prompt too long; exceeded (?:max )?context length|context[_ ]length[_ ]exceeded|too many tokens"
  "|token limit exceeded|^4(?:00|13)\\s*(?:status code)?\\s*\\(no body\\)";

static const char not_overflow_pattern[] = "^(?:throttling error|service unavailable):|rate limit|too many requests";

static const char retry_pattern[] =
  "overloaded|provider.?returned.?error|rate.?limit|too many requests|429|500|502|503|504|service.?unavailable"
  "|server.?error|internal.?error|network.?error|connection.?error|connection.?refused|connection.?lost"
  "|websocket.?closed|websocket.?error|other side closed|fetch failed|upstream.?connect|reset before headers"
  "|socket hang up|ended without|http2 request did not get a response|timed? out|timeout|terminated|retry delay";

static gboolean
matches (const char *pattern,
         const char *text)
{
  return text != NULL && g_regex_match_simple (pattern, text, G_REGEX_CASELESS, 0);
}

/**
 * tau_answer_overflowed:
 * @answer: an answer
 * @model: (nullable): that gave it
 *
 * Returns: whether the context was too large: the server said so, or it cut the context silently
 */
gboolean
tau_answer_overflowed (TauAssistantMessage *answer,
                       TauModel            *model)
{
  const TauUsage *usage = tau_assistant_message_get_usage (answer);
  const char *text = tau_assistant_message_get_error_message (answer);
  gint64 window = model != NULL ? tau_model_get_context_window (model) : 0;
  gint64 sent = usage->input + usage->cache_read;

  switch (tau_assistant_message_get_stop_reason (answer))
    {
    case TAU_STOP_REASON_ERROR:
      return matches (overflow_pattern, text) && !matches (not_overflow_pattern, text);
    case TAU_STOP_REASON_STOP:
      return window > 0 && sent > window;
    case TAU_STOP_REASON_LENGTH:
      return window > 0 && usage->output == 0 && sent * 100 >= window * 99;
    case TAU_STOP_REASON_TOOL_USE:
    case TAU_STOP_REASON_ABORTED:
    default:
      return FALSE;
    }
}

/**
 * tau_answer_may_be_retried:
 * @answer: an answer
 * @model: (nullable): that gave it
 *
 * Returns: whether it failed for a reason that may pass by itself
 */
gboolean
tau_answer_may_be_retried (TauAssistantMessage *answer,
                           TauModel            *model)
{
  return tau_assistant_message_get_stop_reason (answer) == TAU_STOP_REASON_ERROR
         && !tau_answer_overflowed (answer, model)
         && matches (retry_pattern, tau_assistant_message_get_error_message (answer));
}
