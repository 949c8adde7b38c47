/* SPDX-License-Identifier: MIT */
#include "core/llm/tau-api-error.h"

static TauAssistantMessage *
answer_of (TauStopReason  reason,
           const char    *text,
           gint64         input,
           gint64         output)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new ();
  const TauAssistantFields fields = {
    .api = "a", .provider = "p", .model = "m", .stop_reason = reason, .error_message = text, .usage = { .input = input, .output = output },
  };

  return tau_assistant_message_new (blocks, &fields);
}

static void
check (const char *text,
       gboolean    overflow,
       gboolean    retry)
{
  g_autoptr(TauAssistantMessage) answer = answer_of (TAU_STOP_REASON_ERROR, text, 0, 0);

  g_assert_cmpint (tau_api_error_is_overflow (answer, 0), ==, overflow);
  g_assert_cmpint (tau_api_error_is_retryable (answer, 0), ==, retry);
}

static void
test_texts (void)
{
  check ("400 {\"message\":\"prompt is too long: 210000 tokens > 200000 maximum\"}", TRUE, FALSE);
  check ("This model's maximum context length is 8192 tokens. However…", TRUE, FALSE);
  check ("The input token count (1048576) exceeds the maximum number of tokens allowed", TRUE, FALSE);
  check ("413 (no body)", TRUE, FALSE);
  check ("400 status code (no body)", TRUE, FALSE);
  check ("Throttling error: too many tokens, please wait", FALSE, FALSE);
  check ("Rate limit reached: too many tokens per minute", FALSE, TRUE);
  check ("503 Service unavailable", FALSE, TRUE);
  check ("{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}", FALSE, TRUE);
  check ("terminated (connection reset)", FALSE, TRUE);
  check ("Connection error. (refused)", FALSE, TRUE);
  check ("ReadTimeout", FALSE, TRUE);
  check ("401 Incorrect key", FALSE, FALSE);
  check (NULL, FALSE, FALSE);
}

/* A server that cuts the context silently is found by its own count. */
static void
test_silent (void)
{
  g_autoptr(TauAssistantMessage) over = answer_of (TAU_STOP_REASON_STOP, NULL, 1001, 5);
  g_autoptr(TauAssistantMessage) full = answer_of (TAU_STOP_REASON_STOP, NULL, 1000, 5);
  g_autoptr(TauAssistantMessage) cut = answer_of (TAU_STOP_REASON_LENGTH, NULL, 990, 0);
  g_autoptr(TauAssistantMessage) less = answer_of (TAU_STOP_REASON_LENGTH, NULL, 989, 0);
  g_autoptr(TauAssistantMessage) said = answer_of (TAU_STOP_REASON_LENGTH, NULL, 990, 1);

  g_assert_true (tau_api_error_is_overflow (over, 1000));
  g_assert_false (tau_api_error_is_overflow (over, 0));
  g_assert_false (tau_api_error_is_overflow (full, 1000));
  g_assert_true (tau_api_error_is_overflow (cut, 1000));
  g_assert_false (tau_api_error_is_overflow (less, 1000));
  g_assert_false (tau_api_error_is_overflow (said, 1000));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/api-error/texts", test_texts);
  g_test_add_func ("/api-error/silent", test_silent);
  return g_test_run ();
}
