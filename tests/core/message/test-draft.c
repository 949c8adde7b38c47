/* SPDX-License-Identifier: MIT */
#include "core/message/tau-draft.h"

#include "core/base/tau-json.h"
#include "core/message/tau-message-json.h"

static TauDraft *
draft_new (void)
{
  return tau_draft_new ("anthropic-messages", "anthropic", "m1", 1796073736206);
}

static void
apply (TauDraft    *draft,
       TauDeltaKind kind,
       guint        index,
       const char  *text)
{
  tau_draft_apply (draft, &(TauDelta) { .kind = kind, .index = index, .text = text, .length = -1 });
}

static void
start_call (TauDraft   *draft,
            guint       index,
            const char *id,
            const char *name)
{
  tau_draft_apply (draft, &(TauDelta) { .kind = TAU_DELTA_TOOL_CALL_START, .index = index, .id = id, .name = name });
}

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          gpointer    user_data)
{
  guint *count = user_data;

  (*count)++;
}

static void
kinds_cb (TauDraft       *draft,
          const TauDelta *delta,
          gpointer        user_data)
{
  g_array_append_val ((GArray *) user_data, delta->kind);
}

static TauBlock *
block_of (TauAssistantMessage *message,
          guint                position)
{
  return tau_message_get_block (TAU_MESSAGE (message), position);
}

static void
test_new_is_empty (void)
{
  g_autoptr(TauDraft) draft = draft_new ();

  g_assert_false (tau_draft_is_started (draft));
  g_assert_false (tau_draft_is_finished (draft));
  g_assert_cmpuint (tau_draft_get_n_blocks (draft), ==, 0);
  g_assert_cmpuint (tau_draft_get_revision (draft), ==, 0);
  g_assert_cmpint (tau_draft_get_timestamp (draft), ==, 1796073736206);
  g_assert_cmpint (tau_draft_get_usage (draft)->total_tokens, ==, 0);
}

/* One of everything, as it comes in a stream. */
static void
test_whole_stream (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  g_autoptr(TauAssistantMessage) message = NULL;
  const TauUsage usage = { .input = 3, .output = 4, .total_tokens = 7 };

  apply (draft, TAU_DELTA_START, 0, NULL);
  apply (draft, TAU_DELTA_RESPONSE_ID, 0, "r1");
  apply (draft, TAU_DELTA_RESPONSE_MODEL, 0, "m1-0101");
  apply (draft, TAU_DELTA_THINKING_START, 0, NULL);
  apply (draft, TAU_DELTA_THINKING, 0, "hm");
  apply (draft, TAU_DELTA_APPEND_SIGNATURE, 0, "si");
  apply (draft, TAU_DELTA_APPEND_SIGNATURE, 0, "g");
  apply (draft, TAU_DELTA_THINKING_END, 0, NULL);
  apply (draft, TAU_DELTA_TEXT_START, 1, NULL);
  apply (draft, TAU_DELTA_TEXT, 1, "I ");
  apply (draft, TAU_DELTA_TEXT, 1, "look.");
  apply (draft, TAU_DELTA_TEXT_END, 1, NULL);
  start_call (draft, 2, "call_1", "read");
  apply (draft, TAU_DELTA_TOOL_CALL, 2, "{\"path\":");
  apply (draft, TAU_DELTA_TOOL_CALL, 2, "");
  apply (draft, TAU_DELTA_TOOL_CALL, 2, "\"a\"}");
  apply (draft, TAU_DELTA_TOOL_CALL_END, 2, NULL);
  tau_draft_apply (draft, &(TauDelta) { .kind = TAU_DELTA_USAGE, .usage = &usage });
  message = tau_draft_finish (draft, TAU_STOP_REASON_TOOL_USE, NULL);

  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, 3);
  g_assert_cmpstr (tau_block_get_text (block_of (message, 0)), ==, "hm");
  g_assert_cmpstr (tau_block_get_signature (block_of (message, 0)), ==, "sig");
  g_assert_cmpstr (tau_block_get_text (block_of (message, 1)), ==, "I look.");
  g_assert_cmpstr (tau_block_get_call_id (block_of (message, 2)), ==, "call_1");
  g_assert_cmpstr (tau_json_get_string (tau_block_get_arguments (block_of (message, 2)), "path", NULL), ==, "a");
  g_assert_cmpstr (tau_assistant_message_get_api (message), ==, "anthropic-messages");
  g_assert_cmpstr (tau_assistant_message_get_provider (message), ==, "anthropic");
  g_assert_cmpstr (tau_assistant_message_get_model (message), ==, "m1");
  g_assert_cmpstr (tau_assistant_message_get_response_id (message), ==, "r1");
  g_assert_cmpstr (tau_assistant_message_get_response_model (message), ==, "m1-0101");
  g_assert_cmpint (tau_assistant_message_get_usage (message)->total_tokens, ==, 7);
  g_assert_cmpint (tau_assistant_message_get_stop_reason (message), ==, TAU_STOP_REASON_TOOL_USE);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 1796073736206);
}

/* Nothing of the stream's own making may come into a session file. */
static void
test_no_scratch_in_the_record (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  g_autoptr(TauAssistantMessage) message = NULL;
  g_autoptr(JsonNode) json = NULL;
  g_autofree char *text = NULL;

  start_call (draft, 0, "c", "read");
  apply (draft, TAU_DELTA_TOOL_CALL, 0, "{\"path\":\"a");
  message = tau_draft_finish (draft, TAU_STOP_REASON_ABORTED, "Request was aborted");
  json = tau_message_to_json (TAU_MESSAGE (message));
  text = tau_json_to_string (tau_json_get (json, "content"));

  g_assert_cmpstr (text, ==, "[{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"read\",\"arguments\":{\"path\":\"a\"}}]");
}

static void
test_blocks_interleave (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  gsize length;

  apply (draft, TAU_DELTA_TEXT_START, 0, NULL);
  apply (draft, TAU_DELTA_THINKING_START, 1, NULL);
  apply (draft, TAU_DELTA_TEXT, 0, "t");
  apply (draft, TAU_DELTA_THINKING, 1, "h");
  apply (draft, TAU_DELTA_TEXT, 0, "t");
  apply (draft, TAU_DELTA_TEXT_END, 0, NULL);

  g_assert_cmpint (tau_draft_get_block_kind (draft, 1), ==, TAU_BLOCK_THINKING);
  g_assert_cmpstr (tau_draft_get_block_text (draft, 0, &length), ==, "tt");
  g_assert_cmpuint (length, ==, 2);
  g_assert_cmpstr (tau_draft_get_block_text (draft, 1, NULL), ==, "h");
  g_assert_false (tau_draft_is_block_open (draft, 0));
  g_assert_true (tau_draft_is_block_open (draft, 1));
}

static void
test_silent_changes (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  g_autoptr(TauBlock) thinking = NULL;

  apply (draft, TAU_DELTA_THINKING_START, 0, "[Reasoning redacted]");
  apply (draft, TAU_DELTA_SET_SIGNATURE, 0, "old");
  apply (draft, TAU_DELTA_SET_SIGNATURE, 0, "opaque");
  apply (draft, TAU_DELTA_SET_REDACTED, 0, NULL);
  start_call (draft, 1, NULL, NULL);
  g_assert_cmpstr (tau_draft_get_call_id (draft, 1), ==, "");
  tau_draft_apply (draft, &(TauDelta) { .kind = TAU_DELTA_SET_CALL, .index = 1, .id = "c", .name = "ls" });
  apply (draft, TAU_DELTA_SET_TEXT, 1, "{\"path\":\"b\"}");
  thinking = tau_draft_dup_block (draft, 0);

  g_assert_cmpstr (tau_block_get_text (thinking), ==, "[Reasoning redacted]");
  g_assert_cmpstr (tau_block_get_signature (thinking), ==, "opaque");
  g_assert_true (tau_block_is_redacted (thinking));
  g_assert_cmpstr (tau_draft_get_call_id (draft, 1), ==, "c");
  g_assert_cmpstr (tau_draft_get_call_name (draft, 1), ==, "ls");
  g_assert_cmpstr (tau_draft_get_block_text (draft, 1, NULL), ==, "{\"path\":\"b\"}");
}

static void
test_events_are_signalled (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  g_autoptr(GArray) kinds = g_array_new (FALSE, FALSE, sizeof (TauDeltaKind));
  const TauDeltaKind expected[] = { TAU_DELTA_START, TAU_DELTA_TEXT_START, TAU_DELTA_TEXT, TAU_DELTA_TEXT_END };

  g_signal_connect (draft, "delta", G_CALLBACK (kinds_cb), kinds);
  apply (draft, TAU_DELTA_START, 0, NULL);
  apply (draft, TAU_DELTA_RESPONSE_ID, 0, "r");
  apply (draft, TAU_DELTA_TEXT_START, 0, NULL);
  apply (draft, TAU_DELTA_TEXT, 0, "a");
  apply (draft, TAU_DELTA_SET_SIGNATURE, 0, "s");
  apply (draft, TAU_DELTA_TEXT_END, 0, NULL);
  apply (draft, TAU_DELTA_SET_TEXT, 0, "b");

  g_assert_cmpmem (kinds->data, kinds->len * sizeof (TauDeltaKind), expected, sizeof expected);
}

static void
test_one_notify_a_chunk (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  guint count = 0;
  guint revision;

  g_signal_connect (draft, "notify::revision", G_CALLBACK (count_cb), &count);
  apply (draft, TAU_DELTA_TEXT_START, 0, NULL);
  g_assert_cmpuint (count, ==, 1);

  revision = tau_draft_get_revision (draft);
  tau_draft_freeze (draft);
  for (int i = 0; i < 20; i++)
    apply (draft, TAU_DELTA_TEXT, 0, "x");
  g_assert_cmpuint (count, ==, 1);
  tau_draft_thaw (draft);

  g_assert_cmpuint (count, ==, 2);
  g_assert_cmpuint (tau_draft_get_revision (draft), ==, revision + 20);
  tau_draft_freeze (draft);
  tau_draft_thaw (draft);
  g_assert_cmpuint (count, ==, 2);
}

static void
test_strangers_are_ignored (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  guint count = 0;

  g_signal_connect (draft, "notify::revision", G_CALLBACK (count_cb), &count);
  apply (draft, TAU_DELTA_TEXT, 0, "no block");
  apply (draft, TAU_DELTA_TEXT_END, 7, NULL);
  apply (draft, TAU_DELTA_SET_SIGNATURE, 1, "s");

  g_assert_cmpuint (count, ==, 0);
  g_assert_cmpuint (tau_draft_get_n_blocks (draft), ==, 0);
}

static void
test_snapshot (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  g_autoptr(TauAssistantMessage) before = NULL;
  g_autoptr(TauAssistantMessage) after = NULL;

  apply (draft, TAU_DELTA_TEXT_START, 0, NULL);
  apply (draft, TAU_DELTA_TEXT, 0, "one");
  before = tau_draft_snapshot (draft);
  apply (draft, TAU_DELTA_TEXT, 0, " two");
  after = tau_draft_snapshot (draft);

  g_assert_cmpstr (tau_block_get_text (block_of (before, 0)), ==, "one");
  g_assert_cmpstr (tau_block_get_text (block_of (after, 0)), ==, "one two");
  g_assert_cmpint (tau_assistant_message_get_stop_reason (after), ==, TAU_STOP_REASON_STOP);
  g_assert_false (tau_draft_is_finished (draft));
}

static void
test_finish_is_final (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  g_autoptr(TauAssistantMessage) first = NULL;
  g_autoptr(TauAssistantMessage) second = NULL;
  g_autoptr(TauAssistantMessage) snapshot = NULL;
  guint count = 0;

  apply (draft, TAU_DELTA_TEXT_START, 0, NULL);
  g_signal_connect (draft, "notify::revision", G_CALLBACK (count_cb), &count);
  first = tau_draft_finish (draft, TAU_STOP_REASON_ERROR, "terminated");
  second = tau_draft_finish (draft, TAU_STOP_REASON_STOP, NULL);
  apply (draft, TAU_DELTA_TEXT, 0, "late");
  snapshot = tau_draft_snapshot (draft);

  g_assert_true (first == second);
  g_assert_true (first == snapshot);
  g_assert_cmpint (tau_assistant_message_get_stop_reason (first), ==, TAU_STOP_REASON_ERROR);
  g_assert_cmpstr (tau_assistant_message_get_error_message (first), ==, "terminated");
  g_assert_true (tau_draft_is_finished (draft));
  g_assert_false (tau_draft_is_block_open (draft, 0));
  g_assert_cmpstr (tau_draft_get_block_text (draft, 0, NULL), ==, "");
  g_assert_cmpuint (count, ==, 1);
}

static void
test_usage_with_costs (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  TauUsage usage = { .input = 1000000 };

  tau_usage_set_cost (&usage, &(TauPrices) { .input = 3 });
  tau_draft_set_usage (draft, &usage);

  g_assert_true (tau_draft_get_usage (draft)->cost_total == 3);
}

/* A megabyte in small deltas must take time in proportion to it. With one copy of the text a delta this would move
 * 25 gigabytes, which no machine does within the time limit of a test. */
static void
test_many_deltas (void)
{
  g_autoptr(TauDraft) draft = draft_new ();
  gsize length;

  start_call (draft, 0, "c", "write");
  for (int i = 0; i < 200000; i++)
    apply (draft, TAU_DELTA_TOOL_CALL, 0, "12345");

  tau_draft_get_block_text (draft, 0, &length);
  g_assert_cmpuint (length, ==, 1000000);
}

static void
test_finalized (void)
{
  TauDraft *draft = draft_new ();
  g_autoptr(TauAssistantMessage) message = NULL;

  apply (draft, TAU_DELTA_TEXT_START, 0, NULL);
  message = tau_draft_finish (draft, TAU_STOP_REASON_STOP, NULL);
  g_assert_finalize_object (draft);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/draft/new-is-empty", test_new_is_empty);
  g_test_add_func ("/draft/whole-stream", test_whole_stream);
  g_test_add_func ("/draft/no-scratch-in-the-record", test_no_scratch_in_the_record);
  g_test_add_func ("/draft/blocks-interleave", test_blocks_interleave);
  g_test_add_func ("/draft/silent-changes", test_silent_changes);
  g_test_add_func ("/draft/events-are-signalled", test_events_are_signalled);
  g_test_add_func ("/draft/one-notify-a-chunk", test_one_notify_a_chunk);
  g_test_add_func ("/draft/strangers-are-ignored", test_strangers_are_ignored);
  g_test_add_func ("/draft/snapshot", test_snapshot);
  g_test_add_func ("/draft/finish-is-final", test_finish_is_final);
  g_test_add_func ("/draft/usage-with-costs", test_usage_with_costs);
  g_test_add_func ("/draft/many-deltas", test_many_deltas);
  g_test_add_func ("/draft/finalized", test_finalized);

  return g_test_run ();
}
