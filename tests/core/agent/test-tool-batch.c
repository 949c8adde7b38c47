/* SPDX-License-Identifier: MIT */
#include "core/agent/tau-tool-batch.h"

#include "core/base/tau-json.h"
#include "support/tau-test-hooks.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-tool.h"
#include "support/tau-test-trace.h"

#include <string.h>

/* One batch by itself: modes, preflight, hooks, updates, what the model reads. */

typedef struct
{
  TauTestTool  *tool;   /* "do" */
  TauTestTool  *serial; /* "serial", wants to run alone */
  TauToolbox   *toolbox;
  TauTestHooks *hooks;
  GCancellable *cancellable;
  GString      *trace;
  gboolean      with_hooks;
  gboolean      sequential;
  TauToolRun   *last_run;
  TauToolBatch *batch;
  GAsyncResult *result;
  GPtrArray    *results;
  gboolean      terminate;
} Fixture;

static void
fixture_set_up (Fixture      *fixture,
                gconstpointer data)
{
  fixture->tool = tau_test_tool_new ("do");
  fixture->serial = tau_test_tool_new ("serial");
  tau_test_tool_set_sequential (fixture->serial, TRUE);
  fixture->toolbox = tau_toolbox_new ();
  tau_toolbox_add (fixture->toolbox, TAU_TOOL (fixture->tool));
  tau_toolbox_add (fixture->toolbox, TAU_TOOL (fixture->serial));
  fixture->hooks = tau_test_hooks_new ();
  fixture->cancellable = g_cancellable_new ();
  fixture->trace = g_string_new (NULL);
}

static void
fixture_tear_down (Fixture      *fixture,
                   gconstpointer data)
{
  g_clear_object (&fixture->result);
  g_assert_finalize_object (fixture->batch);
  g_clear_object (&fixture->last_run);
  g_clear_pointer (&fixture->results, g_ptr_array_unref);
  g_assert_finalize_object (fixture->toolbox);
  tau_test_loop_settle ();
  g_assert_finalize_object (fixture->tool);
  g_assert_finalize_object (fixture->serial);
  g_assert_finalize_object (fixture->hooks);
  g_clear_object (&fixture->cancellable);
  g_string_free (fixture->trace, TRUE);
}

static void
sink_cb (const TauAgentEvent *event,
         gpointer             user_data)
{
  Fixture *fixture = user_data;

  tau_test_trace_event_cb (event, fixture->trace);
  if (event->kind == TAU_AGENT_EVENT_TOOL_START)
    g_set_object (&fixture->last_run, event->run);
}

static TauAssistantMessage *
make_reply (const char * const *calls)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  TauAssistantFields fields = { .api = "a", .provider = "p", .model = "m", .stop_reason = TAU_STOP_REASON_TOOL_USE };

  g_ptr_array_add (blocks, tau_block_new_text ("I look", NULL));
  for (gsize i = 0; calls[i] != NULL; i++)
    {
      g_auto(GStrv) parts = g_strsplit (calls[i], ":", 3);
      g_autoptr(JsonNode) arguments = tau_json_parse (parts[2], -1, NULL);

      g_ptr_array_add (blocks, tau_block_new_tool_call (parts[0], parts[1], arguments, NULL));
    }

  return tau_assistant_message_new (blocks, &fields);
}

static void
start (Fixture            *fixture,
       const char * const *calls)
{
  static GPtrArray *messages;
  static TauAgentContext context;
  g_autoptr(TauAssistantMessage) reply = make_reply (calls);

  if (messages == NULL)
    messages = g_ptr_array_new ();
  context.messages = messages;
  fixture->batch = tau_tool_batch_new (&(TauToolBatchFields) {
      .reply = reply,
      .toolbox = fixture->toolbox,
      .hooks = fixture->with_hooks ? TAU_AGENT_HOOKS (fixture->hooks) : NULL,
      .context = &context,
      .sequential = fixture->sequential,
      .sink = sink_cb,
      .sink_data = fixture,
  });
  tau_tool_batch_run_async (fixture->batch, fixture->cancellable, tau_test_loop_result_cb, &fixture->result);
}

static void
finish (Fixture *fixture)
{
  tau_test_loop_wait_result (&fixture->result);
  fixture->results = tau_tool_batch_run_finish (fixture->batch, fixture->result, &fixture->terminate);
}

#define run(fixture, ...)                                             \
  G_STMT_START                                                        \
  {                                                                   \
    start (fixture, (const char * const[]) { __VA_ARGS__, NULL });    \
    finish (fixture);                                                 \
  }                                                                   \
  G_STMT_END

static TauToolResultMessage *
get_result (Fixture *fixture,
            guint    position)
{
  return g_ptr_array_index (fixture->results, position);
}

static void
assert_result (Fixture    *fixture,
               guint       position,
               const char *text,
               gboolean    is_error)
{
  g_autofree char *actual = tau_message_dup_text (TAU_MESSAGE (get_result (fixture, position)), "");

  g_assert_cmpstr (actual, ==, text);
  g_assert_cmpint (tau_tool_result_message_get_is_error (get_result (fixture, position)), ==, is_error);
}

static void
test_results (Fixture      *fixture,
              gconstpointer data)
{
  run (fixture, "t1:do:{\"say\":\"one\"}", "t2:do:{\"fail\":\"two\"}");

  assert_result (fixture, 0, "one", FALSE);
  assert_result (fixture, 1, "two", TRUE);
  g_assert_cmpstr (tau_tool_result_message_get_call_id (get_result (fixture, 1)), ==, "t2");
  g_assert_cmpstr (tau_tool_result_message_get_tool_name (get_result (fixture, 1)), ==, "do");
  g_assert_false (fixture->terminate);
}

/* What the model reads of a call that never ran, each with details {}. */
static void
test_preflight_texts (Fixture      *fixture,
                      gconstpointer data)
{
  g_autofree char *details = NULL;
  g_autofree char *invalid = NULL;

  run (fixture, "t1:gone:{}", "t2:do:[]");

  assert_result (fixture, 0, "Tool gone not found", TRUE);
  details = tau_json_to_string (tau_tool_result_message_get_details (get_result (fixture, 0)));
  g_assert_cmpstr (details, ==, "{}");
  g_assert_cmpstr (tau_tool_result_message_get_tool_name (get_result (fixture, 0)), ==, "gone");

  invalid = tau_message_dup_text (TAU_MESSAGE (get_result (fixture, 1)), "");
  g_assert_true (g_str_has_prefix (invalid, "Validation failed for tool \"do\":\n  - root: must be object\n"));
  g_assert_cmpstr (tau_test_tool_get_started (fixture->tool), ==, "");
}

/* Trap 2: no tool starts before the last preflight is over. */
static void
test_preflight_is_a_barrier (Fixture      *fixture,
                             gconstpointer data)
{
  fixture->with_hooks = TRUE;
  fixture->hooks->heedless = TRUE;
  fixture->hooks->hang = "before:t3";
  start (fixture, (const char * const[]) { "t1:do:{}", "t2:do:{}", "t3:do:{}", NULL });
  tau_test_wait_until (strstr (fixture->hooks->log->str, "before:t3") != NULL);
  tau_test_loop_settle ();

  g_assert_cmpstr (fixture->trace->str, ==, "start:t1 start:t2 start:t3");
  g_assert_cmpstr (tau_test_tool_get_started (fixture->tool), ==, "");

  g_cancellable_cancel (fixture->cancellable);
  finish (fixture);
  g_assert_cmpstr (tau_test_tool_get_started (fixture->tool), ==, "t1 t2");
  assert_result (fixture, 2, "Operation was cancelled", TRUE);
}

static void
test_order_with_hooks (Fixture      *fixture,
                       gconstpointer data)
{
  fixture->with_hooks = TRUE;
  tau_test_tool_set_manual (fixture->tool, TRUE);
  start (fixture, (const char * const[]) { "t1:do:{}", "t2:do:{}", NULL });
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t2"));
  g_assert_cmpstr (tau_test_tool_get_started (fixture->tool), ==, "t1 t2");
  tau_test_tool_release (fixture->tool, "t2");
  tau_test_wait_until (strstr (fixture->trace->str, "end:t2") != NULL);
  tau_test_tool_release (fixture->tool, "t1");
  finish (fixture);

  g_assert_cmpstr (fixture->hooks->log->str, ==, "before:t1 before:t2 after:t2 after:t1");
  g_assert_cmpstr (fixture->trace->str, ==, "start:t1 start:t2 end:t2 end:t1 sR:t1 eR:t1 sR:t2 eR:t2");
}

/* Trap 3: one sequential tool makes the whole batch sequential, in the order of the answer. */
static void
test_one_sequential_tool (Fixture      *fixture,
                          gconstpointer data)
{
  run (fixture, "t1:do:{}", "t2:serial:{}", "t3:do:{}");

  g_assert_cmpstr (fixture->trace->str, ==,
                   "start:t1 end:t1 sR:t1 eR:t1 start:t2 end:t2 sR:t2 eR:t2 start:t3 end:t3 sR:t3 eR:t3");
}

static void
test_sequential_setting (Fixture      *fixture,
                         gconstpointer data)
{
  fixture->sequential = TRUE;
  run (fixture, "t1:do:{}", "t2:gone:{}", "t3:do:{}");

  g_assert_cmpstr (fixture->trace->str, ==,
                   "start:t1 end:t1 sR:t1 eR:t1 start:t2 end:t2! sR:t2 eR:t2 start:t3 end:t3 sR:t3 eR:t3");
}

static void
test_unknown_tool_stays_parallel (Fixture      *fixture,
                                  gconstpointer data)
{
  run (fixture, "t1:gone:{}", "t2:do:{}");

  g_assert_cmpstr (fixture->trace->str, ==, "start:t1 end:t1! start:t2 end:t2 sR:t1 eR:t1 sR:t2 eR:t2");
}

static void
test_only_failed_preflights (Fixture      *fixture,
                             gconstpointer data)
{
  run (fixture, "t1:gone:{}", "t2:gone:{}");

  g_assert_cmpstr (fixture->trace->str, ==, "start:t1 end:t1! start:t2 end:t2! sR:t1 eR:t1 sR:t2 eR:t2");
}

static void
test_block_with_reason (Fixture      *fixture,
                        gconstpointer data)
{
  fixture->with_hooks = TRUE;
  fixture->hooks->blocked = "t1";
  fixture->hooks->reason = "not today";
  run (fixture, "t1:do:{}", "t2:do:{}");

  assert_result (fixture, 0, "not today", TRUE);
  /* Trap 13: after_tool_call is not asked about a call that did not run. */
  g_assert_cmpstr (fixture->hooks->log->str, ==, "before:t1 before:t2 after:t2");
  g_assert_cmpstr (tau_test_tool_get_started (fixture->tool), ==, "t2");
}

static void
test_block_without_reason (Fixture      *fixture,
                           gconstpointer data)
{
  fixture->with_hooks = TRUE;
  fixture->hooks->blocked = "t1";
  fixture->hooks->reason = "";
  run (fixture, "t1:do:{}");

  assert_result (fixture, 0, "Tool execution was blocked", TRUE);
}

static void
test_before_fails (Fixture      *fixture,
                   gconstpointer data)
{
  fixture->with_hooks = TRUE;
  fixture->hooks->fail = "before:t1";
  run (fixture, "t1:do:{}", "t2:do:{}");

  assert_result (fixture, 0, "before:t1 failed", TRUE);
  assert_result (fixture, 1, "", FALSE);
}

/* Trap 12: the hook sees prepared arguments, the events raw ones; what the hook puts in place is not checked again. */
static void
test_arguments (Fixture      *fixture,
                gconstpointer data)
{
  g_autofree char *raw = NULL;

  fixture->with_hooks = TRUE;
  fixture->hooks->arguments = tau_json_parse ("{\"say\":\"replaced\",\"fail\":7}", -1, NULL);
  run (fixture, "t1:do:{\"say\":12}");

  g_assert_cmpstr (fixture->hooks->seen_arguments, ==, "{\"say\":\"12\"}");
  assert_result (fixture, 0, "replaced", FALSE);
  raw = tau_json_to_string (tau_tool_run_get_raw_arguments (fixture->last_run));
  g_assert_cmpstr (raw, ==, "{\"say\":12}");
}

/* Trap 13: after_tool_call sees failed executions too and may turn them into successes. */
static void
test_after_replaces (Fixture      *fixture,
                     gconstpointer data)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_ptr_array_add (blocks, tau_block_new_text ("all is well", NULL));
  fixture->with_hooks = TRUE;
  fixture->hooks->outcome = tau_tool_outcome_new (blocks, NULL, TRUE, FALSE);
  run (fixture, "t1:do:{\"fail\":\"broken\"}");

  g_assert_true (fixture->hooks->seen_failure);
  assert_result (fixture, 0, "all is well", FALSE);
  g_assert_true (fixture->terminate);
  g_assert_cmpstr (fixture->trace->str, ==, "start:t1 end:t1 sR:t1 eR:t1");
}

static void
test_after_fails (Fixture      *fixture,
                  gconstpointer data)
{
  fixture->with_hooks = TRUE;
  fixture->hooks->fail = "after:t1";
  run (fixture, "t1:do:{\"say\":\"one\",\"terminate\":true}");

  assert_result (fixture, 0, "after:t1 failed", TRUE);
  g_assert_false (fixture->terminate);
}

/* Results of the batch in progress are not in the context that hooks see. */
static void
test_context_of_hooks (Fixture      *fixture,
                       gconstpointer data)
{
  fixture->with_hooks = TRUE;
  fixture->sequential = TRUE;
  fixture->hooks->seen_messages = 99;
  run (fixture, "t1:do:{}", "t2:do:{}");

  g_assert_cmpuint (fixture->hooks->seen_messages, ==, 0);
}

static void
test_terminate_needs_all (Fixture      *fixture,
                          gconstpointer data)
{
  run (fixture, "t1:do:{\"terminate\":true}", "t2:do:{\"terminate\":true}", "t3:do:{}");

  g_assert_false (fixture->terminate);
}

static void
test_terminate_if_all (Fixture      *fixture,
                       gconstpointer data)
{
  run (fixture, "t1:do:{\"terminate\":true}", "t2:do:{\"terminate\":true}");

  g_assert_true (fixture->terminate);
}

static void
test_terminate_not_with_unknown (Fixture      *fixture,
                                 gconstpointer data)
{
  run (fixture, "t1:do:{\"terminate\":true}", "t2:gone:{}");

  g_assert_false (fixture->terminate);
}

static void
test_updates (Fixture      *fixture,
              gconstpointer data)
{
  g_autoptr(TauToolOutcome) late = tau_tool_outcome_new_text ("late", NULL);

  run (fixture, "t1:do:{\"update\":\"half\",\"say\":\"whole\"}");
  g_assert_cmpstr (fixture->trace->str, ==, "start:t1 update:t1 end:t1 sR:t1 eR:t1");

  /* What a tool says after its end is dropped. */
  tau_tool_run_update (fixture->last_run, late);
  tau_test_loop_settle ();
  g_assert_cmpstr (fixture->trace->str, ==, "start:t1 update:t1 end:t1 sR:t1 eR:t1");
}

/* Also while after_tool_call still thinks: the tool has ended. */
static void
test_update_during_after (Fixture      *fixture,
                          gconstpointer data)
{
  g_autoptr(TauToolOutcome) late = tau_tool_outcome_new_text ("late", NULL);

  fixture->with_hooks = TRUE;
  fixture->hooks->hang = "after:t1";
  start (fixture, (const char * const[]) { "t1:do:{}", NULL });
  tau_test_wait_until (strstr (fixture->hooks->log->str, "after:t1") != NULL);
  tau_tool_run_update (fixture->last_run, late);
  g_cancellable_cancel (fixture->cancellable);
  finish (fixture);

  g_assert_cmpstr (fixture->trace->str, ==, "start:t1 end:t1! sR:t1 eR:t1");
}

/* The cancel matrix: whenever the abort comes, each call has a result and the batch ends. */
static void
test_cancelled_before_start (Fixture      *fixture,
                             gconstpointer data)
{
  tau_test_tool_set_manual (fixture->tool, TRUE);
  g_cancellable_cancel (fixture->cancellable);
  run (fixture, "t1:do:{}", "t2:do:{}");

  assert_result (fixture, 0, "Aborted", TRUE);
  assert_result (fixture, 1, "Aborted", TRUE);
}

static void
test_cancelled_at_once (Fixture      *fixture,
                        gconstpointer data)
{
  tau_test_tool_set_manual (fixture->tool, TRUE);
  start (fixture, (const char * const[]) { "t1:do:{}", "t2:do:{}", NULL });
  g_cancellable_cancel (fixture->cancellable);
  finish (fixture);

  g_assert_cmpuint (fixture->results->len, ==, 2);
}

static void
test_cancelled_in_the_middle (Fixture      *fixture,
                              gconstpointer data)
{
  tau_test_tool_set_manual (fixture->tool, TRUE);
  start (fixture, (const char * const[]) { "t1:do:{\"say\":\"one\"}", "t2:do:{}", NULL });
  tau_test_wait_until (tau_test_tool_is_at_work (fixture->tool, "t2"));
  tau_test_tool_release (fixture->tool, "t1");
  tau_test_wait_until (strstr (fixture->trace->str, "end:t1") != NULL);
  g_cancellable_cancel (fixture->cancellable);
  finish (fixture);

  assert_result (fixture, 0, "one", FALSE);
  assert_result (fixture, 1, "Aborted", TRUE);
}

static void
test_cancelled_after_end (Fixture      *fixture,
                          gconstpointer data)
{
  run (fixture, "t1:do:{\"say\":\"one\"}");
  g_cancellable_cancel (fixture->cancellable);
  tau_test_loop_settle ();

  assert_result (fixture, 0, "one", FALSE);
}

#define batch_test(path, function) \
  g_test_add ("/tool-batch/" path, Fixture, NULL, fixture_set_up, function, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  batch_test ("results", test_results);
  batch_test ("preflight-texts", test_preflight_texts);
  batch_test ("preflight-is-a-barrier", test_preflight_is_a_barrier);
  batch_test ("order-with-hooks", test_order_with_hooks);
  batch_test ("one-sequential-tool", test_one_sequential_tool);
  batch_test ("sequential-setting", test_sequential_setting);
  batch_test ("unknown-tool-stays-parallel", test_unknown_tool_stays_parallel);
  batch_test ("only-failed-preflights", test_only_failed_preflights);
  batch_test ("block-with-reason", test_block_with_reason);
  batch_test ("block-without-reason", test_block_without_reason);
  batch_test ("before-fails", test_before_fails);
  batch_test ("arguments", test_arguments);
  batch_test ("after-replaces", test_after_replaces);
  batch_test ("after-fails", test_after_fails);
  batch_test ("context-of-hooks", test_context_of_hooks);
  batch_test ("terminate-needs-all", test_terminate_needs_all);
  batch_test ("terminate-if-all", test_terminate_if_all);
  batch_test ("terminate-not-with-unknown", test_terminate_not_with_unknown);
  batch_test ("updates", test_updates);
  batch_test ("update-during-after", test_update_during_after);
  batch_test ("cancelled-before-start", test_cancelled_before_start);
  batch_test ("cancelled-at-once", test_cancelled_at_once);
  batch_test ("cancelled-in-the-middle", test_cancelled_in_the_middle);
  batch_test ("cancelled-after-end", test_cancelled_after_end);

  return g_test_run ();
}
