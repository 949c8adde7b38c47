/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"
#include "core/llm/anthropic/tau-anthropic-decoder.h"
#include "core/llm/google/tau-google-decoder.h"
#include "core/llm/mistral/tau-mistral-encoder.h"
#include "core/llm/openai/tau-completions-decoder.h"
#include "core/llm/openai/tau-responses-decoder.h"
#include "core/llm/tau-sse-parser.h"
#include "core/message/tau-draft.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-check.h"

#include "matrix-voices.h"

#include <string.h>

/* A conversation can go on with any other model at any point. The same conversation is had with each model, broken off behind
 * each event, and what follows is asked of each other model: servers as strict as the vendors' own take it. */

static const TauProtocol *(* const protocols[]) (void) = {
  tau_anthropic_protocol, tau_completions_protocol, tau_responses_protocol, tau_azure_responses_protocol, tau_google_protocol,
  tau_mistral_protocol,
};

static const TauProtocol *
find_protocol (const char *api)
{
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    if (g_str_equal (protocols[i] ()->api, api))
      return protocols[i] ();

  g_error ("no protocol %s", api);
}

static TauModel *
make_model (const Voice *voice)
{
  g_autoptr(JsonNode) json = tau_json_parse (voice->model, -1, NULL);
  TauModel *model = tau_model_new_from_json (voice->provider, json, NULL);

  g_assert_nonnull (model);
  return model;
}

static void
event_cb (const char *name,
          const char *data,
          gsize       length,
          gpointer    user_data)
{
  tau_decoder_take (user_data, name, data, length);
}

static void
delta_cb (const TauDelta *delta,
          gpointer        user_data)
{
  tau_draft_apply (user_data, delta);
}

/* @aborted: by the user and not by the network, if it is not complete. */
static TauMessage *
decode (const Voice *voice,
        const char  *bytes,
        gsize        size,
        gboolean     aborted)
{
  g_autoptr(TauModel) model = make_model (voice);
  const char *api = tau_model_get_api (model);
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauDraft) draft = tau_draft_new (api, voice->provider, tau_model_get_id (model), 0);
  g_autoptr(TauRequest) request = NULL;
  g_autoptr(TauDecoder) decoder = NULL;
  const char *error_text;
  TauStopReason reason;
  TauSseParser parser;

  fields.model = model;
  request = tau_request_new (&fields);
  decoder = find_protocol (api)->new_decoder (request, delta_cb, draft);
  tau_draft_apply (draft, &(TauDelta) { .kind = TAU_DELTA_START, .length = -1 });
  tau_sse_parser_init (&parser, TAU_SSE_DEFAULT_LIMIT, event_cb, decoder);
  g_assert_true (tau_sse_parser_push (&parser, bytes, size, NULL));
  tau_sse_parser_finish (&parser);
  tau_sse_parser_clear (&parser);
  reason = tau_decoder_finish (decoder, &error_text);
  if (reason == TAU_STOP_REASON_ERROR && aborted)
    return TAU_MESSAGE (tau_draft_finish (draft, TAU_STOP_REASON_ABORTED, TAU_API_ABORTED_TEXT));

  return TAU_MESSAGE (tau_draft_finish (draft, reason, error_text));
}

static char *
answer_text (const Voice *voice,
             guint        number)
{
  g_auto(GStrv) pieces = g_strsplit (voice->answers[number], "@", -1);

  return g_strjoinv (voice->mark, pieces);
}

static TauMessage *
user (const char *text)
{
  return TAU_MESSAGE (tau_user_message_new_string (text, 0));
}

static TauMessage *
user_with_image (void)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_ptr_array_add (blocks, tau_block_new_text ("\n", NULL));
  g_ptr_array_add (blocks, tau_block_new_image ("aGk=", "image/png"));

  return TAU_MESSAGE (tau_user_message_new_blocks (blocks, 0));
}

/* The result of the answer's @number-th call. */
static TauMessage *
result (TauMessage *answer,
        guint       number,
        const char *text,
        gboolean    image,
        gboolean    error)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  if (text != NULL)
    g_ptr_array_add (blocks, tau_block_new_text (text, NULL));
  if (image)
    g_ptr_array_add (blocks, tau_block_new_image ("aGk=", "image/png"));
  for (guint i = 0; i < tau_message_get_n_blocks (answer); i++)
    {
      TauBlock *block = tau_message_get_block (answer, i);

      if (tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL && number-- == 0)
        return TAU_MESSAGE (tau_tool_result_message_new (tau_block_get_call_id (block), tau_block_get_call_name (block), blocks, NULL, error, 0));
    }

  g_assert_not_reached ();
}

/* The conversation in steps: each is the user's message, an answer, or a result of one. */
static GPtrArray *
hold_conversation (const Voice *voice)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);
  TauMessage *answers[N_ANSWERS];

  for (guint i = 0; i < N_ANSWERS; i++)
    {
      g_autofree char *text = answer_text (voice, i);

      answers[i] = decode (voice, text, strlen (text), FALSE);
      g_assert_false (tau_assistant_message_failed (TAU_ASSISTANT_MESSAGE (answers[i])));
    }

  g_ptr_array_add (steps, user ("Look into it."));
  g_ptr_array_add (steps, answers[0]);
  g_ptr_array_add (steps, result (answers[0], 0, "It says a.", TRUE, FALSE));
  g_ptr_array_add (steps, result (answers[0], 1, "", FALSE, TRUE));
  g_ptr_array_add (steps, answers[1]);
  g_ptr_array_add (steps, result (answers[1], 0, NULL, FALSE, FALSE));
  g_ptr_array_add (steps, answers[2]);
  g_ptr_array_add (steps, user_with_image ());
  g_ptr_array_add (steps, answers[3]);
  g_ptr_array_add (steps, user ("And?"));
  g_ptr_array_add (steps, answers[4]);

  return steps;
}

static gboolean
is_failed (TauMessage *message)
{
  return TAU_IS_ASSISTANT_MESSAGE (message) && tau_assistant_message_failed (TAU_ASSISTANT_MESSAGE (message));
}

/* Whether the model is to speak. */
static gboolean
is_question (GPtrArray *history)
{
  for (guint i = history->len; i-- > 0;)
    if (!is_failed (history->pdata[i]))
      return !TAU_IS_ASSISTANT_MESSAGE (history->pdata[i]);

  return FALSE;
}

static void
ask (const Voice     *voice,
     GPtrArray       *history,
     TauThinkingLevel thinking,
     const char      *what)
{
  g_autoptr(TauModel) model = make_model (voice);
  TauTestTarget target = { tau_model_get_api (model), tau_model_get_id (model), tau_model_accepts_images (model), voice->mark };
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauRequest) request = NULL;
  g_autoptr(TauHttpCall) call = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *fault = NULL;

  fields.model = model;
  fields.messages = history;
  fields.system_prompt = "Be brief.";
  fields.api_key = "key";
  fields.thinking = thinking;
  request = tau_request_new (&fields);
  call = find_protocol (target.api)->encode (request, &error);
  g_assert_no_error (error);

  fault = tau_test_check_request (&target, tau_http_call_get_body (call));
  if (fault != NULL)
    {
      g_autofree char *body = tau_json_to_string (tau_http_call_get_body (call));

      g_test_message ("%s, asked of %s: %s", what, voice->name, fault);
      g_test_message ("%s", body);
      g_test_fail ();
    }
}

/* Asks all models: as it is if the turn is theirs, and with another word of the user. */
static void
ask_all (GPtrArray  *history,
         guint       seed,
         const char *what)
{
  TauThinkingLevel thinking = seed % 2 == 0 ? TAU_THINKING_MEDIUM : TAU_THINKING_OFF;

  if (is_question (history))
    for (guint i = 0; i < G_N_ELEMENTS (voices); i++)
      ask (&voices[i], history, thinking, what);

  g_ptr_array_add (history, user ("Go on."));
  for (guint i = 0; i < G_N_ELEMENTS (voices); i++)
    ask (&voices[i], history, thinking, what);
  g_ptr_array_remove_index (history, history->len - 1);
}

/* Breaks an answer off behind each of its events but the last, in turns by the user and by the network. */
static void
break_answer (const Voice *voice,
              GPtrArray   *history,
              guint        number)
{
  g_autofree char *text = answer_text (voice, number);
  guint n = 0;

  for (const char *end = strstr (text, "\n\n"); end != NULL && end[2] != '\0'; end = strstr (end + 2, "\n\n"), n++)
    {
      g_autofree char *what = g_strdup_printf ("%s, answer %u, event %u", voice->name, number, n);

      g_ptr_array_add (history, decode (voice, text, (gsize) (end + 2 - text), n % 2 == 0));
      ask_all (history, n / 2, what);
      g_ptr_array_remove_index (history, history->len - 1);
    }
}

static void
test_cuts (gconstpointer data)
{
  const Voice *voice = data;
  g_autoptr(GPtrArray) steps = hold_conversation (voice);
  g_autoptr(GPtrArray) history = g_ptr_array_new_with_free_func (g_object_unref);
  guint number = 0;

  for (guint i = 0; i < steps->len && !g_test_failed (); i++)
    {
      g_autofree char *what = g_strdup_printf ("%s, step %u", voice->name, i);

      if (TAU_IS_ASSISTANT_MESSAGE (steps->pdata[i]))
        break_answer (voice, history, number++);
      g_ptr_array_add (history, g_object_ref (steps->pdata[i]));
      ask_all (history, i, what);
    }
  g_assert_true (number == N_ANSWERS || g_test_failed ());
}

/* From one model to another and back, or on to a third. */
static void
test_two_moves (gconstpointer data)
{
  const Voice *first = data;
  guint own = (guint) (first - voices);

  for (guint i = 0; i < G_N_ELEMENTS (voices) && !g_test_failed (); i++)
    {
      const Voice *second = &voices[i];
      g_autofree char *what = g_strdup_printf ("%s, then %s", first->name, second->name);
      g_autoptr(GPtrArray) beginning = hold_conversation (first);
      g_autoptr(GPtrArray) history = hold_conversation (second);

      if (second == first)
        continue;
      for (guint cut = 2; cut <= beginning->len; cut += 4)
        {
          g_autoptr(GPtrArray) both = g_ptr_array_new_with_free_func (g_object_unref);

          for (guint j = 0; j < cut; j++)
            g_ptr_array_add (both, g_object_ref (beginning->pdata[j]));
          for (guint j = 0; j < history->len; j++)
            g_ptr_array_add (both, g_object_ref (history->pdata[j]));
          g_ptr_array_add (both, user ("Go on."));
          ask (first, both, TAU_THINKING_MEDIUM, what);
          ask (second, both, TAU_THINKING_HIGH, what);
          ask (&voices[(own + i) % G_N_ELEMENTS (voices)], both, TAU_THINKING_OFF, what);
        }
    }
}

/* Results whose answer is gone, as in a conversation that was cut in its middle, and results that came twice. */
static void
test_stray_results (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (voices); i++)
    {
      g_autoptr(GPtrArray) steps = hold_conversation (&voices[i]);
      g_autoptr(GPtrArray) history = g_ptr_array_new_with_free_func (g_object_unref);
      static const guint order[] = { 0, 2, 3, 7, 1, 2, 2, 3, 2, 4, 3, 5, 6, 5, 9 };

      for (guint j = 0; j < G_N_ELEMENTS (order); j++)
        g_ptr_array_add (history, g_object_ref (steps->pdata[order[j]]));
      ask_all (history, i, voices[i].name);
    }
}

/* The checkers do see what is wrong. */
static void
test_checkers (void)
{
  static const struct { const char *api, *body; } bad[] = {
    { "anthropic-messages", "{\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\" \"}]}" },
    { "anthropic-messages", "{\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"ls\",\"input\":{}}]},{\"role\":\"user\",\"content\":\"b\"}]}" },
    { "anthropic-messages", "{\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"x\",\"signature\":\"other\"},{\"type\":\"text\",\"text\":\"b\"}]},{\"role\":\"user\",\"content\":\"b\"}]}" },
    { "openai-completions", "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"tool\",\"content\":\"b\",\"tool_call_id\":\"x\"}]}" },
    { "openai-completions", "{\"messages\":[{\"role\":\"user\",\"content\":[]}]}" },
    { "mistral-conversations", "{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"ls\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"content\":\"b\",\"tool_call_id\":\"a\"}]}" },
    { "mistral-conversations", "{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"aaaaaaaaa\",\"function\":{\"name\":\"ls\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"content\":\"b\",\"tool_call_id\":\"aaaaaaaaa\"},{\"role\":\"user\",\"content\":\"b\"}]}" },
    { "openai-responses", "{\"input\":[{\"role\":\"user\",\"content\":\"a\"},{\"type\":\"reasoning\",\"id\":\"rs_1\",\"encrypted_content\":\"mark\"},{\"role\":\"user\",\"content\":\"a\"}]}" },
    { "openai-responses", "{\"input\":[{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"ls\",\"arguments\":\"{}\"}]}" },
    { "google-generative-ai", "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]},{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"ls\",\"args\":{}}}]},{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]}]}" },
    { "google-generative-ai", "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"aGk=\"}}]}]}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      TauTestTarget target = { bad[i].api, "m", FALSE, "mark" };
      g_autoptr(JsonNode) body = tau_json_parse (bad[i].body, -1, NULL);
      g_autofree char *fault = tau_test_check_request (&target, body);

      g_assert_nonnull (fault);
      g_test_message ("%s", fault);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/request-matrix/checkers", test_checkers);
  for (guint i = 0; i < G_N_ELEMENTS (voices); i++)
    {
      g_autofree char *cuts = g_strconcat ("/request-matrix/p55-p56-p76-cut-at-every-event/", voices[i].name, NULL);
      g_autofree char *moves = g_strconcat ("/request-matrix/p76-two-moves/", voices[i].name, NULL);

      g_test_add_data_func (cuts, &voices[i], test_cuts);
      g_test_add_data_func (moves, &voices[i], test_two_moves);
    }
  g_test_add_func ("/request-matrix/p55-stray-results", test_stray_results);

  return g_test_run ();
}
