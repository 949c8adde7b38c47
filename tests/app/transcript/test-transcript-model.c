/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-message-rows.h"
#include "app/transcript/tau-transcript-model.h"

#include "app/transcript/transcript-fixture.h"
#include "core/session/tau-session-file.h"
#include "core/session/tau-session-messages.h"
#include "support/tau-test-transcript.h"

#include <glib/gstdio.h>
#include <string.h>

static TauTranscriptKind
kind_at (TauTranscriptModel *model,
         guint               position)
{
  g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (model), position);

  g_assert_nonnull (item);
  return tau_transcript_item_get_kind (item);
}

static TauMessage *
make_working_answer (void)
{
  g_autoptr(GPtrArray) blocks = new_blocks ();

  g_ptr_array_add (blocks, tau_block_new_thinking ("hm", NULL, FALSE));
  g_ptr_array_add (blocks, tau_block_new_text ("  \n", NULL));
  g_ptr_array_add (blocks, tau_block_new_text ("Reading.", NULL));
  add_call (blocks, "c1", "read", "{\"path\":\"a\"}");
  return make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL);
}

static void
append (GListStore *messages,
        TauMessage *message)
{
  g_list_store_append (messages, message);
  g_object_unref (message);
}

static void
test_rows (void)
{
  g_autoptr(GListStore) messages = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autoptr(GPtrArray) none = new_blocks ();
  TauTranscriptKind last;

  g_assert_false (tau_transcript_model_get_last_kind (model, &last));
  append (messages, make_user ("hi"));
  tau_transcript_model_set_messages (model, G_LIST_MODEL (messages));
  append (messages, make_working_answer ());
  append (messages, make_result ("c1", "read", "x", NULL, FALSE));
  append (messages, make_answer (none, TAU_STOP_REASON_ERROR, "no"));

  /* The blank text and the result have no rows. */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 5);
  g_assert_cmpint (kind_at (model, 0), ==, TAU_TRANSCRIPT_USER);
  g_assert_cmpint (kind_at (model, 1), ==, TAU_TRANSCRIPT_THINKING);
  g_assert_cmpint (kind_at (model, 2), ==, TAU_TRANSCRIPT_TEXT);
  g_assert_cmpint (kind_at (model, 3), ==, TAU_TRANSCRIPT_TOOL);
  g_assert_cmpint (kind_at (model, 4), ==, TAU_TRANSCRIPT_ERROR);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (model), 5));
  g_assert_true (tau_transcript_model_get_last_kind (model, &last));
  g_assert_cmpint (last, ==, TAU_TRANSCRIPT_ERROR);
}

static void
count_cb (gpointer object,
          guint   *count)
{
  (*count)++;
}

static void
test_result_joins_call (void)
{
  g_autoptr(GListStore) messages = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(GListStore) runs = g_list_store_new (TAU_TYPE_TOOL_RUN);
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autoptr(JsonNode) arguments = tau_json_parse ("{}", -1, NULL);
  g_autoptr(TauToolRun) run = tau_tool_run_new ("c1", "read", arguments);
  g_autoptr(TauTranscriptItem) item = NULL;
  guint n_changed = 0;

  tau_transcript_model_set_messages (model, G_LIST_MODEL (messages));
  tau_transcript_model_set_tool_runs (model, G_LIST_MODEL (runs));
  append (messages, make_working_answer ());
  item = g_list_model_get_item (G_LIST_MODEL (model), 2);
  g_signal_connect (item, "changed", G_CALLBACK (count_cb), &n_changed);
  g_assert_null (tau_transcript_item_get_run (item));

  g_list_store_append (runs, run);
  g_assert_true (tau_transcript_item_get_run (item) == run);
  g_assert_cmpuint (n_changed, ==, 1);
  append (messages, make_result ("c1", "read", "x", NULL, FALSE));
  g_assert_nonnull (tau_transcript_item_get_result (item));
  g_assert_cmpuint (n_changed, ==, 2);
  append (messages, make_result ("other", "read", "x", NULL, FALSE));
  g_assert_cmpuint (n_changed, ==, 2);

  /* An item that is made later finds the result, too. */
  g_clear_object (&item);
  item = g_list_model_get_item (G_LIST_MODEL (model), 2);
  g_assert_nonnull (tau_transcript_item_get_result (item));
}

/* Parts of a long text join to the text, and are those that a growing text is cut into. */
static void
test_long_text (void)
{
  g_autoptr(GListStore) messages = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GString) joined = g_string_new (NULL);
  TauTextCutter cutter = TAU_TEXT_CUTTER_INIT;
  guint n_rows, n_cuts = 0;

  for (guint i = 0; text->len < 40000; i++)
    g_string_append_printf (text, "Paragraph %u.\n\n- a list\n\n  with a loose item\n\n```\nfence\n\n%u\n```\n", i, i);
  tau_transcript_model_set_messages (model, G_LIST_MODEL (messages));
  append (messages, make_text_answer (text->str));
  n_rows = g_list_model_get_n_items (G_LIST_MODEL (model));
  g_assert_cmpuint (n_rows, >, 8);
  for (guint i = 0; i < n_rows; i++)
    {
      g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (model), i);
      gsize length;
      const char *part = tau_transcript_item_get_text (item, &length);

      g_string_append_len (joined, part, (gssize) length);
    }
  g_assert_cmpstr (joined->str, ==, text->str);
  for (gsize length = 1; length <= text->len; length++)
    while (tau_text_cutter_next (&cutter, text->str, length))
      n_cuts++;
  g_assert_cmpuint (n_cuts + 1, ==, n_rows);
}

static void
test_removal (void)
{
  g_autoptr(GListStore) messages = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autoptr(TauTranscriptItem) first = NULL;
  g_autoptr(TauTranscriptItem) second = NULL;

  tau_transcript_model_set_messages (model, G_LIST_MODEL (messages));
  append (messages, make_user ("one"));
  append (messages, make_working_answer ());
  append (messages, make_user ("two"));
  first = g_list_model_get_item (G_LIST_MODEL (model), 4);
  g_list_store_remove (messages, 1);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 2);
  second = g_list_model_get_item (G_LIST_MODEL (model), 1);
  /* Keys belong to messages, not to positions. */
  g_assert_cmpuint (tau_transcript_item_get_key (first), ==, tau_transcript_item_get_key (second));
  tau_transcript_model_set_messages (model, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 0);
}

static void
test_lazy (void)
{
  g_autoptr(GListStore) messages = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autoptr(GPtrArray) many = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 start;

  for (guint i = 0; i < 100000; i++)
    g_ptr_array_add (many, make_user ("a message"));
  g_list_store_splice (messages, 0, 0, many->pdata, many->len);
  start = g_get_monotonic_time ();
  tau_transcript_model_set_messages (model, G_LIST_MODEL (messages));
  g_test_message ("100,000 messages: %.1f ms", (g_get_monotonic_time () - start) / 1000.0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 100000);
  g_assert_cmpint (g_get_monotonic_time () - start, <, G_USEC_PER_SEC);
}

/* Rows counted by outlines are those that the parsed messages have. */
static void
test_unparsed (void)
{
  g_autoptr(GPtrArray) messages = tau_test_random_transcript (400);
  g_autoptr(TauSessionFile) file = NULL;
  g_autoptr(TauSessionMessages) unparsed = NULL;
  g_autoptr(GListStore) parsed = g_list_store_new (TAU_TYPE_MESSAGE);
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autoptr(TauTranscriptModel) expected = tau_transcript_model_new ();
  g_autoptr(GString) words = g_string_new (NULL);

  for (guint i = 0; i < 400; i++)
    g_string_append_printf (words, "Paragraph %u with some words.\n\n", i);
  g_ptr_array_add (messages, make_text_answer (words->str));
  g_ptr_array_add (messages, make_working_answer ());
  g_ptr_array_add (messages, make_result ("c1", "read", "x", NULL, FALSE));
  unparsed = read_back (messages, &file);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (unparsed)); i++)
    {
      g_autoptr(TauMessage) message = tau_session_entry_dup_message (tau_session_messages_get_entry (unparsed, i));

      g_list_store_append (parsed, message);
    }
  tau_transcript_model_set_messages (expected, G_LIST_MODEL (parsed));
  tau_transcript_model_set_messages (model, G_LIST_MODEL (unparsed));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, g_list_model_get_n_items (G_LIST_MODEL (expected)));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++)
    {
      g_autoptr(TauTranscriptItem) ours = g_list_model_get_item (G_LIST_MODEL (model), i);
      g_autoptr(TauTranscriptItem) theirs = g_list_model_get_item (G_LIST_MODEL (expected), i);
      g_autofree char *summary = tau_transcript_item_dup_summary (ours, 4000);
      g_autofree char *wanted = tau_transcript_item_dup_summary (theirs, 4000);

      g_assert_cmpint (tau_transcript_item_get_kind (ours), ==, tau_transcript_item_get_kind (theirs));
      g_assert_cmpint (tau_transcript_item_get_gap (ours), ==, tau_transcript_item_get_gap (theirs));
      g_assert_cmpstr (summary, ==, wanted);
      if (i + 1 == g_list_model_get_n_items (G_LIST_MODEL (model)))
        g_assert_nonnull (tau_transcript_item_get_result (ours));
    }
}

static char *
dup_rows (TauTranscriptModel *model)
{
  g_autoptr(GString) rows = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++)
    {
      g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (model), i);
      g_autofree char *text = tau_transcript_item_dup_summary (item, 100);

      g_string_append_printf (rows, "%s[%s]", i > 0 ? " " : "", text);
    }
  return g_string_free (g_steal_pointer (&rows), FALSE);
}

static void
add_entry (TauSessionTree     *tree,
           TauSessionMessages *list,
           const char         *fields)
{
  guint n = tau_session_tree_get_entries (tree)->len;
  g_autofree char *parent = n > 0 ? g_strdup_printf ("\"%u\"", n - 1) : g_strdup ("null");
  g_autofree char *text = g_strdup_printf ("{%s,\"id\":\"%u\",\"parentId\":%s,\"timestamp\":\"2026-01-01T00:00:00.000Z\"}",
                                           fields, n, parent);
  g_autoptr(JsonNode) json = tau_json_parse (text, -1, NULL);
  g_autoptr(TauSessionEntry) entry = tau_session_entry_new_from_json (json);

  tau_session_tree_append (tree, entry);
  if (tau_session_entry_has_message (entry))
    tau_session_messages_append (list, entry);
}

#define USER(text) "\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"" text "\",\"timestamp\":1}"

/* Where model or level were switched there is a line above the message; it is found again, and prompts are found past it. */
static void
test_separators (void)
{
  g_autoptr(TauSessionTree) tree = tau_session_tree_new ();
  g_autoptr(TauSessionMessages) list = tau_session_messages_new ();
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  g_autofree char *rows = NULL;
  guint row;

  tau_session_messages_set_tree (list, tree);
  tau_transcript_model_set_messages (model, G_LIST_MODEL (list));
  add_entry (tree, list, "\"type\":\"model_change\",\"provider\":\"p\",\"modelId\":\"one\"");
  add_entry (tree, list, "\"type\":\"thinking_level_change\",\"thinkingLevel\":\"low\"");
  add_entry (tree, list, USER ("A"));
  add_entry (tree, list, "\"type\":\"model_change\",\"provider\":\"p\",\"modelId\":\"two\"");
  add_entry (tree, list, "\"type\":\"thinking_level_change\",\"thinkingLevel\":\"high\"");
  add_entry (tree, list, USER ("B"));
  add_entry (tree, list, USER ("C"));
  rows = dup_rows (model);
  g_assert_cmpstr (rows, ==, "[A] [Model: two · Thinking: high] [B] [C]");
  g_assert_cmpint (kind_at (model, 1), ==, TAU_TRANSCRIPT_SEPARATOR);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr(TauTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (model), i);

      g_assert_true (tau_transcript_model_find_row (model, tau_transcript_item_get_key (item), &row));
      g_assert_cmpuint (row, ==, i);
    }
  g_assert_true (tau_transcript_model_find_prompt (model, 3, FALSE, &row));
  g_assert_cmpuint (row, ==, 2);
  g_assert_true (tau_transcript_model_find_prompt (model, 2, FALSE, &row));
  g_assert_cmpuint (row, ==, 0);
  g_assert_true (tau_transcript_model_find_prompt (model, 1, TRUE, &row));
  g_assert_cmpuint (row, ==, 2);
  g_assert_true (tau_transcript_model_find_prompt (model, 0, TRUE, &row));
  g_assert_cmpuint (row, ==, 2);
  g_assert_true (tau_transcript_model_find_prompt (model, 2, TRUE, &row));
  g_assert_cmpuint (row, ==, 3);

  tau_session_messages_remove_last (list);
  tau_session_messages_remove_last (list);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transcript-model/rows", test_rows);
  g_test_add_func ("/transcript-model/result-joins-call", test_result_joins_call);
  g_test_add_func ("/transcript-model/long-text", test_long_text);
  g_test_add_func ("/transcript-model/removal", test_removal);
  g_test_add_func ("/transcript-model/lazy", test_lazy);
  g_test_add_func ("/transcript-model/unparsed", test_unparsed);
  g_test_add_func ("/transcript-model/separators", test_separators);
  return g_test_run ();
}
