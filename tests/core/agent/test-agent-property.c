/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-agent.h"

#include "core/base/tau-json.h"
#include "core/llm/anthropic/tau-anthropic-decoder.h"
#include "core/llm/google/tau-google-decoder.h"
#include "core/llm/mistral/tau-mistral-encoder.h"
#include "core/llm/openai/tau-completions-decoder.h"
#include "core/message/tau-message-convert.h"

#include "agent-fixture.h"

/* Random scripts: answers, tool outcomes, aborts, steering, hooks and their failures. Whatever happens, the run ends, its
 * events nest, each call that was executed has its result, and every provider can be told of it. The seed of a failed
 * run is in its output; `--seed` runs it again. */

#define N_SCRIPTS 400

typedef struct
{
  Fixture     fixture;
  TauTestTool *slow; /* manual */
  guint       abort_at;  /* number of the event */
  guint       steer_at;
  guint       n_events;
  GPtrArray  *said;      /* messages whose message_end came */
  TauMessage *open;      /* between its start and its end; borrowed */
  gboolean    in_run;
  gboolean    in_turn;
  gboolean    answered;  /* in this turn */
  gboolean    streaming;
  gboolean    failed;    /* ended by a run failure */
  GHashTable *runs;      /* of TauToolRun that started and did not end */
  GPtrArray  *results;   /* of this turn */
} Script;

static gboolean
chance (guint one_in)
{
  return g_test_rand_int_range (0, (gint32) one_in) == 0;
}

static const char *
pick (const char * const *words,
      gsize               n_words)
{
  return words[g_test_rand_int_range (0, (gint32) n_words)];
}

/* Text that has hurt before: NUL and a lone surrogate as our JSON reader stores them, beside what is merely unusual. */
static const char *
random_text (void)
{
  static const char * const texts[] = { "plain", "", " ", "a\xC0\x80z", "half \xED\xA0\xBD", "\xF0\x9F\x8C\xB2", "\"\\\n\t</tool>" };

  return pick (texts, G_N_ELEMENTS (texts));
}

static JsonNode *
random_arguments (void)
{
  JsonObject *object = json_object_new ();

  if (chance (2))
    json_object_set_string_member (object, "say", random_text ());
  if (chance (3))
    json_object_set_string_member (object, "update", random_text ());
  if (chance (4))
    json_object_set_string_member (object, "fail", random_text ());
  if (chance (3))
    json_object_set_boolean_member (object, "terminate", TRUE);
  if (chance (8))
    json_object_set_object_member (object, "say", json_object_new ());

  return json_node_init_object (json_node_alloc (), object);
}

static TauBlock *
random_call (guint position)
{
  static const char * const names[] = { "do", "do", "slow", "serial", "gone" };
  static const char * const forms[] = { "t%u", "call_%u|fc_%u", "toolu_%u/+=", "x%u" };
  g_autoptr(JsonNode) arguments = random_arguments ();
  g_autofree char *id = NULL;
  static guint n_ids;

  n_ids++;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  id = g_strdup_printf (pick (forms, G_N_ELEMENTS (forms)), n_ids, position);
#pragma GCC diagnostic pop

  return tau_block_new_tool_call (id, pick (names, G_N_ELEMENTS (names)), arguments, NULL);
}

static void
add_random_answer (Script *script)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  TauTestAnswer answer = { .blocks = blocks };
  guint n_calls = chance (2) ? (guint) g_test_rand_int_range (1, 5) : 0;

  if (chance (3))
    g_ptr_array_add (blocks, tau_block_new_thinking (random_text (), chance (2) ? "sig" : NULL, FALSE));
  if (chance (2))
    g_ptr_array_add (blocks, tau_block_new_text (random_text (), NULL));
  for (guint i = 0; i < n_calls; i++)
    g_ptr_array_add (blocks, random_call (i));

  answer.stop_reason = n_calls > 0 ? TAU_STOP_REASON_TOOL_USE : TAU_STOP_REASON_STOP;
  if (chance (8))
    {
      answer.stop_reason = TAU_STOP_REASON_ERROR;
      answer.error = "server fell over";
      answer.no_start = chance (2);
    }
  answer.hangs = chance (10);

  tau_test_provider_add (script->fixture.provider, &answer);
}

static void
set_random_hooks (Script *script)
{
  static const char * const methods[] = { "get_steering", "transform_context", "convert_to_llm", "get_api_key",
                                          "should_stop", "get_follow_up" };
  TauTestHooks *hooks = script->fixture.hooks;

  use_hooks (&script->fixture);
  hooks->heedless = chance (2);
  hooks->stop = chance (6);
  if (chance (4))
    hooks->fail = pick (methods, G_N_ELEMENTS (methods));
  if (chance (6))
    hooks->hang = pick (methods, G_N_ELEMENTS (methods));
  if (chance (4))
    hooks->outcome = tau_tool_outcome_new_error ("replaced");
  if (chance (4))
    hooks->arguments = random_arguments ();
  if (chance (2))
    g_queue_push_tail (&hooks->steering, user ("s"));
  if (chance (2))
    g_queue_push_tail (&hooks->follow_ups, user ("f"));
}

static gboolean
is_answer (TauMessage *message)
{
  return TAU_IS_ASSISTANT_MESSAGE (message);
}

static void
check_message_start (Script              *script,
                     const TauAgentEvent *event)
{
  g_assert_true (script->in_turn);
  g_assert_null (script->open);
  g_assert_cmpuint (g_hash_table_size (script->runs), ==, 0);
  script->open = event->message;
  script->streaming = is_answer (event->message);
}

static void
check_message_end (Script              *script,
                   const TauAgentEvent *event)
{
  g_assert_nonnull (script->open);
  g_assert_cmpint (is_answer (event->message), ==, script->streaming);
  if (is_answer (event->message))
    {
      g_assert_false (script->answered);
      script->answered = TRUE;
    }
  else
    g_assert_true (event->message == script->open);

  if (TAU_IS_TOOL_RESULT_MESSAGE (event->message))
    g_ptr_array_add (script->results, g_object_ref (event->message));
  script->open = NULL;
  script->streaming = FALSE;
  g_ptr_array_add (script->said, g_object_ref (event->message));
}

/* The results are those of the answer's calls, in its order; a failed answer has none. */
static void
check_turn_end (Script              *script,
                const TauAgentEvent *event)
{
  guint n_calls = 0;

  g_assert_true (script->in_turn && script->answered && script->open == NULL);
  g_assert_true (is_answer (event->message));
  g_assert_cmpuint (event->tool_results->len, ==, script->results->len);
  if (!tau_assistant_message_failed (TAU_ASSISTANT_MESSAGE (event->message)))
    for (guint i = 0; i < tau_message_get_n_blocks (event->message); i++)
      {
        TauBlock *block = tau_message_get_block (event->message, i);

        if (tau_block_get_kind (block) == TAU_BLOCK_TOOL_CALL)
          g_assert_cmpstr (tau_block_get_call_id (block), ==, tau_tool_result_message_get_call_id (
                             g_ptr_array_index (event->tool_results, n_calls++)));
      }
  g_assert_cmpuint (event->tool_results->len, ==, n_calls);
  script->in_turn = FALSE;
}

static void
check_agent_end (Script              *script,
                 const TauAgentEvent *event)
{
  TauMessage *last = g_ptr_array_index (event->messages, event->messages->len - 1);

  g_assert_true (script->in_run);
  g_assert_null (script->open);
  script->in_run = FALSE;
  script->failed = event->messages->len == 1 && !g_ptr_array_find (script->said, last, NULL);
  if (script->failed)
    return;

  g_assert_false (script->in_turn);
  g_assert_cmpuint (event->messages->len, ==, script->said->len);
  for (guint i = 0; i < script->said->len; i++)
    g_assert_true (g_ptr_array_index (event->messages, i) == g_ptr_array_index (script->said, i));
}

static void
check_nesting (Script              *script,
               const TauAgentEvent *event)
{
  switch (event->kind)
    {
    case TAU_AGENT_EVENT_AGENT_START:
      g_assert_false (script->in_run);
      g_assert_cmpuint (script->n_events, ==, 1);
      script->in_run = TRUE;
      break;

    case TAU_AGENT_EVENT_AGENT_END:
      check_agent_end (script, event);
      break;

    case TAU_AGENT_EVENT_TURN_START:
      g_assert_true (script->in_run && !script->in_turn);
      script->in_turn = TRUE;
      script->answered = FALSE;
      g_ptr_array_set_size (script->results, 0);
      break;

    case TAU_AGENT_EVENT_TURN_END:
      check_turn_end (script, event);
      break;

    case TAU_AGENT_EVENT_MESSAGE_START:
      check_message_start (script, event);
      break;

    case TAU_AGENT_EVENT_MESSAGE_UPDATE:
      g_assert_true (script->streaming);
      break;

    case TAU_AGENT_EVENT_MESSAGE_END:
      check_message_end (script, event);
      break;

    case TAU_AGENT_EVENT_TOOL_START:
      g_assert_true (script->in_turn && script->answered && script->open == NULL);
      g_assert_true (g_hash_table_add (script->runs, event->run));
      break;

    case TAU_AGENT_EVENT_TOOL_UPDATE:
      g_assert_true (g_hash_table_contains (script->runs, event->run));
      break;

    case TAU_AGENT_EVENT_TOOL_END:
      g_assert_true (g_hash_table_remove (script->runs, event->run));
      break;

    default:
      g_assert_not_reached ();
    }
}

static void
script_event_cb (TauAgent            *agent,
                 const TauAgentEvent *event,
                 gpointer             user_data)
{
  Script *script = user_data;
  g_autoptr(JsonNode) json = tau_agent_event_to_json (event);

  script->n_events++;
  check_nesting (script, event);
  g_assert_cmpstr (tau_json_get_string (json, "type", NULL), ==, tau_agent_event_kind_to_string (event->kind));

  if (script->n_events == script->steer_at)
    steer (&script->fixture, random_text ());
  if (script->n_events == script->abort_at)
    tau_agent_abort (agent);
}

/* Ends one call of the slow tool. Returns: whether there was one */
static gboolean
release_one (Script *script)
{
  GPtrArray *runs = tau_agent_get_tool_runs (script->fixture.agent);

  for (guint i = 0; i < runs->len; i++)
    {
      const char *id = tau_tool_run_get_call_id (g_ptr_array_index (runs, i));

      if (tau_test_tool_is_at_work (script->slow, id))
        {
          tau_test_tool_release (script->slow, id);
          return TRUE;
        }
    }

  return FALSE;
}

/* Nothing here waits for time: when the main loop has nothing to do, the run waits for a tool of ours or for an abort. */
static void
drive (Script *script)
{
  gboolean aborted = FALSE;

  while (tau_agent_is_running (script->fixture.agent))
    {
      if (g_main_context_iteration (NULL, FALSE) || release_one (script))
        continue;

      g_assert_false (aborted);
      aborted = TRUE;
      tau_agent_abort (script->fixture.agent);
    }
}

static void
assert_encodes (GPtrArray         *messages,
                const TauProtocol *protocol)
{
  g_autofree char *text = g_strdup_printf ("{\"id\":\"m\",\"api\":\"%s\",\"baseUrl\":\"http://127.0.0.1\","
                                           "\"input\":[\"text\"],\"maxTokens\":100}",
                                           protocol->api);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
  g_autoptr(GPtrArray) converted = tau_messages_convert_to_llm (messages);
  g_autoptr(TauModel) model = tau_model_new_from_json ("other", json, NULL);
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauRequest) request = NULL;
  g_autoptr(TauHttpCall) call = NULL;
  g_autoptr(JsonNode) parsed = NULL;
  g_autofree char *body = NULL;
  g_autoptr(GError) error = NULL;

  fields.model = model;
  fields.messages = converted;
  fields.api_key = "key";
  request = tau_request_new (&fields);
  call = protocol->encode (request, &error);
  g_assert_no_error (error);

  body = tau_json_to_string (tau_http_call_get_body (call));
  g_assert_true (g_utf8_validate (body, -1, NULL));
  parsed = tau_json_parse (body, -1, &error);
  g_assert_no_error (error);
}

static void
check_transcript (Script *script)
{
  static const TauProtocol *(* const protocols[]) (void) = {
    tau_anthropic_protocol, tau_completions_protocol, tau_google_protocol, tau_mistral_protocol,
  };
  GPtrArray *messages = tau_agent_get_messages (script->fixture.agent);

  g_assert_cmpuint (messages->len, ==, script->said->len + (script->failed ? 1 : 0));
  for (gsize i = 0; i < G_N_ELEMENTS (protocols); i++)
    assert_encodes (messages, protocols[i] ());
}

static void
script_set_up (Script *script)
{
  g_autoptr(TauTestTool) serial = tau_test_tool_new ("serial");
  TauToolbox *toolbox;

  fixture_set_up (&script->fixture, NULL);
  toolbox = tau_agent_get_toolbox (script->fixture.agent);
  script->slow = tau_test_tool_new ("slow");
  tau_test_tool_set_manual (script->slow, TRUE);
  tau_test_tool_set_sequential (serial, TRUE);
  tau_toolbox_add (toolbox, TAU_TOOL (script->slow));
  tau_toolbox_add (toolbox, TAU_TOOL (serial));
  script->said = g_ptr_array_new_with_free_func (g_object_unref);
  script->results = g_ptr_array_new_with_free_func (g_object_unref);
  script->runs = g_hash_table_new (NULL, NULL);
  g_signal_connect (script->fixture.agent, "event", G_CALLBACK (script_event_cb), script);

  for (gint32 i = g_test_rand_int_range (1, 6); i > 0; i--)
    add_random_answer (script);
  if (chance (2))
    set_random_hooks (script);
  if (chance (3))
    script->abort_at = (guint) g_test_rand_int_range (1, 40);
  if (chance (2))
    script->steer_at = (guint) g_test_rand_int_range (1, 40);
  if (chance (3))
    follow_up (&script->fixture, random_text ());
  if (chance (2))
    tau_agent_set_steering_mode (script->fixture.agent, TAU_QUEUE_ALL);
  tau_agent_set_sequential (script->fixture.agent, chance (4));
}

static void
script_tear_down (Script *script)
{
  g_ptr_array_unref (script->said);
  g_ptr_array_unref (script->results);
  g_hash_table_unref (script->runs);
  fixture_tear_down (&script->fixture, NULL);
  g_assert_finalize_object (script->slow);
}

static void
test_random_scripts (void)
{
  guint n_failed = 0;
  guint n_events = 0;

  for (guint i = 0; i < N_SCRIPTS; i++)
    {
      Script script = { 0 };

      script_set_up (&script);
      g_assert_true (tau_agent_prompt (script.fixture.agent, random_text (), NULL, NULL));
      drive (&script);
      g_assert_false (script.in_run);
      g_assert_null (tau_agent_get_draft (script.fixture.agent));
      g_assert_cmpuint (tau_agent_get_tool_runs (script.fixture.agent)->len, ==, 0);
      check_transcript (&script);
      n_failed += script.failed;
      n_events += script.n_events;
      script_tear_down (&script);
    }

  /* The scripts are worth something: some fail, many are long. */
  g_assert_cmpuint (n_failed, >, 0);
  g_assert_cmpuint (n_events, >, N_SCRIPTS * 10);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent-property/random-scripts", test_random_scripts);

  return g_test_run ();
}
