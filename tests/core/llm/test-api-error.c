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

/* P70: each kind of failure by texts that vendors really send. */
static void
test_kinds (void)
{
  static const struct { const char *text; TauApiError kind; gboolean retry; } cases[] = {
    { "401 Incorrect API key provided: sk-x.", TAU_API_ERROR_AUTH, FALSE },
    { "401 {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"invalid x-api-key\"}}", TAU_API_ERROR_AUTH, FALSE },
    { "403 status code (no body)", TAU_API_ERROR_AUTH, FALSE },
    { "No API key for provider: openai", TAU_API_ERROR_AUTH, FALSE },
    { "429 Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 20000, Requested 12000.", TAU_API_ERROR_RATE_LIMIT, TRUE },
    { "429 Request too large: too many tokens. Please reduce the length of the messages.", TAU_API_ERROR_RATE_LIMIT, TRUE },
    { "429 {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"prompt is too long for your rate limit\"}}", TAU_API_ERROR_RATE_LIMIT, TRUE },
    { "Mistral API error (429): {\"message\":\"Requests rate limit exceeded\"}", TAU_API_ERROR_RATE_LIMIT, TRUE },
    { "429 status code (no body)", TAU_API_ERROR_RATE_LIMIT, TRUE },
    { "429 You exceeded your current quota, please check your plan and billing details.", TAU_API_ERROR_QUOTA, FALSE },
    { "{\"error\":{\"code\":429,\"message\":\"You exceeded your current quota\",\"details\":[{\"retryDelay\":\"34s\"}]}}", TAU_API_ERROR_QUOTA, TRUE },
    { "402 Insufficient Balance", TAU_API_ERROR_QUOTA, FALSE },
    { "400 {\"error\":{\"message\":\"Your credit balance is too low to access the Anthropic API.\"}}", TAU_API_ERROR_QUOTA, FALSE },
    { "529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}", TAU_API_ERROR_OVERLOADED, TRUE },
    { "503 Service unavailable", TAU_API_ERROR_OVERLOADED, TRUE },
    { "{\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\"}}", TAU_API_ERROR_OVERLOADED, TRUE },
    { "400 This model's maximum context length is 8192 tokens.", TAU_API_ERROR_CONTEXT_OVERFLOW, FALSE },
    { "400 the request exceeds the available context size", TAU_API_ERROR_CONTEXT_OVERFLOW, FALSE },
    { "400 Invalid value for 'temperature'", TAU_API_ERROR_INVALID, FALSE },
    { "404 model not found", TAU_API_ERROR_INVALID, FALSE },
    { "Connection error. (could not resolve api.example.com)", TAU_API_ERROR_NETWORK, TRUE },
    { "fetch failed (proxy: 403)", TAU_API_ERROR_NETWORK, TRUE },
    { "Request timed out.", TAU_API_ERROR_NETWORK, TRUE },
    { "terminated (timeout: h sent nothing for too long)", TAU_API_ERROR_NETWORK, TRUE },
    { "Stream ended without a finish reason", TAU_API_ERROR_PROTOCOL, TRUE },
    { "Stream ended without an answer (the server sent text/html instead of an event stream)", TAU_API_ERROR_PROTOCOL, TRUE },
    { "", TAU_API_ERROR_PROTOCOL, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (tau_api_error_classify (cases[i].text), ==, cases[i].kind);
      check (cases[i].text, cases[i].kind == TAU_API_ERROR_CONTEXT_OVERFLOW, cases[i].retry);
      g_assert_cmpstr (tau_api_error_get_title (cases[i].kind), !=, "");
    }
}

/* The cause in brackets, for each way in which there is no response. */
static void
test_causes (void)
{
  const struct { GQuark domain; int code; const char *text; } cases[] = {
    { G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND, "Connection error. (could not resolve api.example.com)" },
    { G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE, "Connection error. (TLS with api.example.com: why)" },
    { G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED, "Connection error. (api.example.com refused the connection)" },
    { G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED, "Connection error. (api.example.com closed the connection)" },
    { G_IO_ERROR, G_IO_ERROR_PROXY_FAILED, "Connection error. (proxy: why)" },
    { G_IO_ERROR, G_IO_ERROR_PROXY_NEED_AUTH, "Connection error. (proxy: why)" },
    { G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "Request timed out." },
    { G_IO_ERROR, G_IO_ERROR_CANCELLED, "Request was aborted" },
    { G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE, "Connection error. (why)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = g_error_new_literal (cases[i].domain, cases[i].code, "why");
      g_autofree char *text = tau_api_error_text_for_open (TAU_API_STYLE_OPENAI, error, "https://api.example.com/v1");

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/api-error/texts", test_texts);
  g_test_add_func ("/api-error/silent", test_silent);
  g_test_add_func ("/api-error/p70-kinds", test_kinds);
  g_test_add_func ("/api-error/causes", test_causes);
  return g_test_run ();
}
