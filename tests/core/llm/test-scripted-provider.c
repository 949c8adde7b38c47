/* SPDX-License-Identifier: MIT */
#include "core/llm/scripted/tau-scripted-provider.h"

#include "core/base/tau-json.h"
#include "core/llm/tau-api-error.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-loop.h"

#include <string.h>

/* What a scripted provider says, at which pace, and what a cancel leaves of it. */

typedef struct
{
  TauScriptedProvider *provider;
  TauRequest          *request;
  TauDraft            *draft;
  GCancellable        *cancellable;
  GString             *deltas;        /* kinds and texts, as they came */
  GAsyncResult        *result;
} Fixture;

static TauRequest *
make_request (void)
{
  g_autoptr(JsonNode) json = tau_json_parse ("{\"id\":\"m\",\"api\":\"tau-scripted\",\"baseUrl\":\"\",\"cost\":{\"input\":1000000,\"output\":2000000}}", -1, NULL);
  g_autoptr(TauModel) model = tau_model_new_from_json ("demo", json, NULL);
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;

  g_ptr_array_add (messages, tau_user_message_new_string ("12345678", 1));
  fields.model = model;
  fields.messages = messages;
  fields.system_prompt = "1234";

  return tau_request_new (&fields);
}

static void
delta_cb (TauDraft       *draft,
          const TauDelta *delta,
          gpointer        user_data)
{
  static const char * const names[] = {
    [TAU_DELTA_START] = "start", [TAU_DELTA_TEXT_START] = "text", [TAU_DELTA_TEXT_END] = "end", [TAU_DELTA_THINKING_START] = "thinking",
    [TAU_DELTA_THINKING_END] = "end", [TAU_DELTA_TOOL_CALL_START] = "call", [TAU_DELTA_TOOL_CALL_END] = "end",
  };
  GString *out = ((Fixture *) user_data)->deltas;

  if (delta->kind == TAU_DELTA_TEXT || delta->kind == TAU_DELTA_THINKING || delta->kind == TAU_DELTA_TOOL_CALL)
    g_string_append_printf (out, "'%.*s' ", (int) delta->length, delta->text);
  else
    g_string_append_printf (out, "%s ", names[delta->kind]);
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->provider = tau_scripted_provider_new (NULL);
  fixture->request = make_request ();
  fixture->draft = tau_draft_new ("tau-scripted", "demo", "m", 1);
  fixture->cancellable = g_cancellable_new ();
  fixture->deltas = g_string_new (NULL);
  g_signal_connect (fixture->draft, "delta", G_CALLBACK (delta_cb), fixture);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_assert_finalize_object (fixture->provider);
  g_assert_finalize_object (fixture->request);
  g_assert_finalize_object (fixture->draft);
  g_assert_finalize_object (fixture->cancellable);
  g_string_free (fixture->deltas, TRUE);
}

static void
start (Fixture *fixture)
{
  tau_provider_stream_async (TAU_PROVIDER (fixture->provider), fixture->request, fixture->draft, fixture->cancellable,
                             tau_test_loop_result_cb, &fixture->result);
}

static TauAssistantMessage *
finish (Fixture *fixture)
{
  g_autoptr(GAsyncResult) result = tau_test_loop_wait_result (&fixture->result);

  return tau_provider_stream_finish (TAU_PROVIDER (fixture->provider), result);
}

static TauScriptedAnswer *
make_answer (void)
{
  TauScriptedAnswer *answer = tau_scripted_answer_new (TAU_STOP_REASON_STOP, NULL);

  tau_scripted_answer_thinking (answer, "Hm");
  tau_scripted_answer_text (answer, "Gr\303\274\303\237e");
  tau_scripted_answer_call (answer, "c1", "read", tau_json_parse ("{\"path\":\"a\"}", -1, NULL));

  return answer;
}

static void
test_answer (Fixture      *fixture,
             gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;
  const TauUsage *usage;

  tau_scripted_provider_push (fixture->provider, make_answer ());
  start (fixture);
  message = finish (fixture);

  g_assert_cmpstr (fixture->deltas->str, ==, "start thinking 'Hm' end text 'Gr\303\274\303\237e' end call '{\"path\":\"a\"}' end ");
  g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, TAU_STOP_REASON_TOOL_USE);
  g_assert_cmpstr (tau_block_get_call_id (tau_message_get_block (TAU_MESSAGE (message), 2)), ==, "c1");
  g_assert_cmpstr (tau_json_get_string (tau_block_get_arguments (tau_message_get_block (TAU_MESSAGE (message), 2)), "path", NULL), ==, "a");

  /* Four letters make a token: 12 were asked, 2 + 5 + 12 said. */
  usage = tau_assistant_message_get_usage (message);
  g_assert_cmpint (usage->input, ==, 3);
  g_assert_cmpint (usage->output, ==, 5);
  g_assert_cmpint (usage->total_tokens, ==, 8);
  g_assert_cmpfloat_with_epsilon (usage->cost_total, 13, 1e-9);
}

/* Pieces are counted in characters, not bytes. */
static void
test_pace (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_scripted_provider_push_text (fixture->provider, "Gr\303\274\303\237e dich");
  tau_scripted_provider_set_pace (fixture->provider, 3, 1);
  start (fixture);
  message = finish (fixture);

  g_assert_cmpstr (fixture->deltas->str, ==, "start text 'Gr\303\274' '\303\237e ' 'dic' 'h' end ");
  g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, TAU_STOP_REASON_STOP);
}

static void
test_empty_text (Fixture      *fixture,
                 gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_scripted_provider_push_text (fixture->provider, "");
  start (fixture);
  message = finish (fixture);

  g_assert_cmpstr (fixture->deltas->str, ==, "start text '' end ");
}

static void
test_no_blocks (Fixture      *fixture,
                gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_scripted_provider_push (fixture->provider, tau_scripted_answer_new (TAU_STOP_REASON_STOP, NULL));
  start (fixture);
  message = finish (fixture);

  g_assert_cmpstr (fixture->deltas->str, ==, "start ");
  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, 0);
}

static void
test_error (Fixture      *fixture,
            gconstpointer data)
{
  TauScriptedAnswer *answer = tau_scripted_answer_new (TAU_STOP_REASON_ERROR, "overloaded");
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_scripted_answer_text (answer, "Ha");
  tau_scripted_answer_call (answer, "c1", "ls", tau_json_parse ("{}", -1, NULL));
  tau_scripted_provider_push (fixture->provider, answer);
  start (fixture);
  message = finish (fixture);

  /* A call does not turn a failure into a success. */
  g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, TAU_STOP_REASON_ERROR);
  g_assert_cmpstr (tau_assistant_message_get_error_message (message), ==, "overloaded");
  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, 2);
}

static void
test_nothing_left (Fixture      *fixture,
                   gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  start (fixture);
  message = finish (fixture);

  g_assert_cmpstr (tau_assistant_message_get_error_message (message), ==, "No more scripted answers");
}

/* Each moment of an answer can be the last; what was said stays. */
static void
test_cancel (Fixture      *fixture,
             gconstpointer data)
{
  guint moment = GPOINTER_TO_UINT (data);
  g_autoptr(TauAssistantMessage) message = NULL;
  g_autofree char *text = NULL;

  tau_scripted_provider_push_text (fixture->provider, "abcd");
  tau_scripted_provider_set_pace (fixture->provider, 1, 1);
  start (fixture);
  if (moment > 0)
    tau_test_wait_until (tau_draft_get_n_blocks (fixture->draft) > 0 && strlen (tau_draft_get_block_text (fixture->draft, 0, NULL)) >= moment);
  g_cancellable_cancel (fixture->cancellable);
  message = finish (fixture);

  text = tau_message_dup_text (TAU_MESSAGE (message), "");
  g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, TAU_STOP_REASON_ABORTED);
  g_assert_cmpstr (tau_assistant_message_get_error_message (message), ==, TAU_API_ABORTED_TEXT);
  g_assert_cmpuint (strlen (text), >=, moment);
  g_assert_true (g_str_has_prefix ("abcd", text));
}

/* A cancel does not wait for the pause between two pieces. */
static void
test_cancel_wakes (Fixture      *fixture,
                   gconstpointer data)
{
  g_autoptr(TauAssistantMessage) message = NULL;

  tau_scripted_provider_push_text (fixture->provider, "abcd");
  tau_scripted_provider_set_pace (fixture->provider, 1, 24 * 3600 * 1000);
  start (fixture);
  g_cancellable_cancel (fixture->cancellable);
  message = finish (fixture);

  g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, TAU_STOP_REASON_ABORTED);
}

static TauScriptedAnswer *
count_messages (TauRequest *request)
{
  TauScriptedAnswer *answer = tau_scripted_answer_new (TAU_STOP_REASON_STOP, NULL);
  g_autofree char *text = g_strdup_printf ("%u messages", tau_request_get_fields (request)->messages->len);

  tau_scripted_answer_text (answer, text);

  return answer;
}

static void
test_script (void)
{
  g_autoptr(TauScriptedProvider) provider = tau_scripted_provider_new (count_messages);
  g_autoptr(TauRequest) request = make_request ();

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(TauDraft) draft = tau_draft_new ("tau-scripted", "demo", "m", 1);
      g_autoptr(TauAssistantMessage) message = NULL;
      g_autoptr(GAsyncResult) result = NULL;
      g_autofree char *text = NULL;
      GAsyncResult *pending = NULL;

      tau_provider_stream_async (TAU_PROVIDER (provider), request, draft, NULL, tau_test_loop_result_cb, &pending);
      result = tau_test_loop_wait_result (&pending);
      message = tau_provider_stream_finish (TAU_PROVIDER (provider), result);
      text = tau_message_dup_text (TAU_MESSAGE (message), "");
      g_assert_cmpstr (text, ==, "1 messages");
    }
  g_assert_cmpuint (tau_scripted_provider_get_n_requests (provider), ==, 2);
  g_assert_true (tau_scripted_provider_get_request (provider, 1) == request);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/scripted-provider/answer", Fixture, NULL, set_up, test_answer, tear_down);
  g_test_add ("/scripted-provider/pace", Fixture, NULL, set_up, test_pace, tear_down);
  g_test_add ("/scripted-provider/empty-text", Fixture, NULL, set_up, test_empty_text, tear_down);
  g_test_add ("/scripted-provider/no-blocks", Fixture, NULL, set_up, test_no_blocks, tear_down);
  g_test_add ("/scripted-provider/error", Fixture, NULL, set_up, test_error, tear_down);
  g_test_add ("/scripted-provider/nothing-left", Fixture, NULL, set_up, test_nothing_left, tear_down);
  g_test_add ("/scripted-provider/cancel/before", Fixture, GUINT_TO_POINTER (0), set_up, test_cancel, tear_down);
  g_test_add ("/scripted-provider/cancel/in-the-middle", Fixture, GUINT_TO_POINTER (2), set_up, test_cancel, tear_down);
  g_test_add ("/scripted-provider/cancel-wakes", Fixture, NULL, set_up, test_cancel_wakes, tear_down);
  g_test_add_func ("/scripted-provider/script", test_script);

  return g_test_run ();
}
