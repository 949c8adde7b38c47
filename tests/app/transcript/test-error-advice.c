/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-error-advice.h"

static TauAssistantMessage *
make (const char   *provider,
      TauStopReason reason,
      const char   *text)
{
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  TauAssistantFields fields = { .api = "a", .provider = provider, .model = "m", .stop_reason = reason, .error_message = text };

  return tau_assistant_message_new (none, &fields);
}

/* Each class of failure has its sentence; nobody reads JSON first. */
static void
test_sentences (void)
{
  static const struct { const char *provider; const char *text; const char *sentence; gboolean settings; } cases[] = {
    { "anthropic", "401 {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"invalid x-api-key\"}}",
      "The key was refused by Anthropic (401). Enter another one in the settings.", TRUE },
    { "openai", "429 Rate limit reached for requests", "Too many requests were sent to OpenAI (429). Wait a little, then try again.", FALSE },
    { "anthropic", "529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
      "The service of Anthropic (529) is overloaded or down. Try again in a while.", FALSE },
    { "openai", "429 You exceeded your current quota, please check your plan and billing details.",
      "The account at OpenAI (429) has no credit left. Add some there, or choose another model.", TRUE },
    { "anthropic", "prompt is too long: 210000 tokens > 200000 maximum",
      "The conversation is longer than the model can read. Compact it, or choose a model that reads more.", TRUE },
    { "local", "Connection error.", "The connection to local failed. Check the network, then try again.", TRUE },
    { "local", "something else", "The answer from local failed. The details say more.", FALSE },
    { "local", "half \xED\xA0\xBD", "The answer from local failed. The details say more.", FALSE },
    { "", NULL, "The answer from the provider failed. The details say more.", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(TauAssistantMessage) answer = make (cases[i].provider, TAU_STOP_REASON_ERROR, cases[i].text);
      g_autofree char *sentence = tau_error_advice_dup_sentence (answer);

      g_assert_cmpstr (sentence, ==, cases[i].sentence);
      g_assert_cmpint (tau_error_advice_wants_settings (answer), ==, cases[i].settings);
    }
}

static void
test_stopped (void)
{
  g_autoptr(TauAssistantMessage) answer = make ("openai", TAU_STOP_REASON_ABORTED, "Request was aborted");
  g_autofree char *sentence = tau_error_advice_dup_sentence (answer);

  g_assert_cmpstr (sentence, ==, "You stopped the answer.");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/error-advice/sentences", test_sentences);
  g_test_add_func ("/error-advice/stopped", test_stopped);
  return g_test_run ();
}
