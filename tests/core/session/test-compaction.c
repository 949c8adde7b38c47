/* SPDX-License-Identifier: MIT */
#include "core/session/tau-compaction.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"
#include "core/session/tau-token-count.h"

#include <string.h>

/* A branch written as "u10 a10 t100 model": messages of so many tokens, and settings. */

static TauMessage *
message_of (char  kind,
            guint tokens)
{
  g_autofree char *text = g_strnfill (tokens * 4, kind);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  const TauAssistantFields fields = { .api = "a", .provider = "p", .model = "m", .stop_reason = TAU_STOP_REASON_STOP };

  g_ptr_array_add (blocks, tau_block_new_text (text, NULL));
  if (kind == 'a')
    return TAU_MESSAGE (tau_assistant_message_new (blocks, &fields));
  if (kind == 't')
    return TAU_MESSAGE (tau_tool_result_message_new ("c", "read", blocks, NULL, FALSE, 1));
  return TAU_MESSAGE (tau_user_message_new_blocks (blocks, 1));
}

static GPtrArray *
branch_of (const char *description)
{
  g_auto(GStrv) words = g_strsplit (description, " ", -1);
  GPtrArray *path = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *id = g_strdup_printf ("e%u", i);
      g_autofree char *parent = i > 0 ? g_strdup_printf ("e%u", i - 1) : NULL;
      g_autoptr(JsonObject) fields = json_object_new ();

      if (g_str_equal (words[i], "model"))
        g_ptr_array_add (path, tau_session_entry_new (TAU_ENTRY_MODEL_CHANGE, id, parent, 1, fields));
      else if (g_str_equal (words[i], "label"))
        g_ptr_array_add (path, tau_session_entry_new (TAU_ENTRY_LABEL, id, parent, 1, fields));
      else if (g_str_has_prefix (words[i], "compact:"))
        {
          json_object_set_string_member (fields, "summary", "earlier");
          json_object_set_string_member (fields, "firstKeptEntryId", words[i] + strlen ("compact:"));
          g_ptr_array_add (path, tau_session_entry_new (TAU_ENTRY_COMPACTION, id, parent, 1, fields));
        }
      else
        {
          g_autoptr(TauMessage) message = message_of (words[i][0], (guint) g_ascii_strtoull (words[i] + 1, NULL, 10));

          g_ptr_array_add (path, tau_session_entry_new_message (id, parent, 1, message));
        }
    }
  return path;
}

static void
check (const char *description,
       gint64      keep,
       guint       first_kept,
       gboolean    split,
       guint       n_history,
       guint       n_prefix)
{
  g_autoptr(GPtrArray) path = branch_of (description);
  g_autoptr(TauCompactionPlan) plan = tau_compaction_plan_new (path, keep, NULL);

  g_assert_cmpuint (plan->first_kept, ==, first_kept);
  g_assert_cmpint (plan->split_turn, ==, split);
  g_assert_cmpuint (plan->history->len, ==, n_history);
  g_assert_cmpuint (plan->turn_prefix->len, ==, n_prefix);
  g_assert_cmpstr (plan->first_kept_id, ==, tau_session_entry_get_id (g_ptr_array_index (path, first_kept)));
}

static void
test_cuts (void)
{
  check ("u10 a10 u10 a10 u10 a10", 25, 3, TRUE, 2, 1);
  check ("u10 a10 u10 a10", 20, 2, FALSE, 2, 0);
  check ("u10 a11 t100", 50, 0, FALSE, 0, 0);
  check ("model model u10 a10 model label u10 a10", 15, 4, TRUE, 0, 2);
  check ("u10", 20000, 0, FALSE, 0, 0);
}

static void
test_after_a_compaction (void)
{
  g_autoptr(GPtrArray) path = branch_of ("u10 a10 u10 a10 compact:e2 u10 a10 u10 a10");
  g_autoptr(TauCompactionPlan) plan = tau_compaction_plan_new (path, 20, NULL);

  g_assert_cmpstr (plan->previous_summary, ==, "earlier");
  g_assert_cmpuint (plan->first_kept, ==, 7);
  g_assert_cmpuint (plan->history->len, ==, 4);
}

static void
test_nothing_to_do (void)
{
  g_autoptr(GPtrArray) empty = g_ptr_array_new ();
  g_autoptr(GPtrArray) done = branch_of ("u10 compact:e0");
  g_autoptr(GError) error = NULL;

  g_assert_null (tau_compaction_plan_new (empty, 10, &error));
  g_assert_cmpstr (error->message, ==, "Nothing to compact (session too small)");
  g_clear_error (&error);
  g_assert_null (tau_compaction_plan_new (done, 10, &error));
  g_assert_cmpstr (error->message, ==, "Already compacted");
}

static void
test_files (void)
{
  TauFileCollector *collector = tau_file_collector_new ();
  g_autoptr(JsonNode) details = tau_json_parse ("{\"details\":{\"readFiles\":[\"z\",\"b\"],\"modifiedFiles\":[\"old\"]}}", -1, NULL);
  g_autoptr(JsonNode) of_hook = tau_json_parse ("{\"fromHook\":true,\"details\":{\"readFiles\":[\"no\"]}}", -1, NULL);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  const TauAssistantFields fields = { .api = "a", .provider = "p", .model = "m" };
  static const char * const calls[][2] = { { "read", "a" }, { "read", "b" }, { "edit", "b" }, { "write", "c" }, { "bash", "no" } };
  g_autofree char *text = NULL;
  TauFileList list;

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *json = g_strdup_printf ("{\"path\":\"%s\"}", calls[i][1]);
      g_autoptr(JsonNode) arguments = tau_json_parse (json, -1, NULL);

      g_ptr_array_add (blocks, tau_block_new_tool_call ("c", calls[i][0], arguments, NULL));
    }
  g_ptr_array_add (messages, tau_assistant_message_new (blocks, &fields));
  tau_file_collector_add_details (collector, details);
  tau_file_collector_add_details (collector, of_hook);
  tau_file_collector_add_messages (collector, messages);
  list = tau_file_collector_finish (collector);
  text = tau_file_list_append_to (&list, "S");
  g_assert_cmpstr (text, ==, "S\n\n<read-files>\na\nz\n</read-files>\n\n<modified-files>\nb\nc\nold\n</modified-files>");
  tau_file_list_clear (&list);
}

static void
test_serialise (void)
{
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(GPtrArray) result = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(JsonNode) arguments = tau_json_parse ("{\"path\":\"a\",\"n\":1}", -1, NULL);
  const TauAssistantFields fields = { .api = "a", .provider = "p", .model = "m" };
  g_autofree char *long_text = g_strnfill (1999, 'x');
  g_autofree char *long_result = g_strconcat (long_text, "\xF0\x9F\x99\x82yz", NULL);
  g_autofree char *text = NULL;
  g_autofree char *expected = NULL;

  g_ptr_array_add (messages, tau_user_message_new ("hello", NULL, 1));
  g_ptr_array_add (messages, tau_user_message_new ("", NULL, 1));
  g_ptr_array_add (blocks, tau_block_new_text ("said", NULL));
  g_ptr_array_add (blocks, tau_block_new_thinking ("thought", NULL, FALSE));
  g_ptr_array_add (blocks, tau_block_new_tool_call ("c", "read", arguments, NULL));
  g_ptr_array_add (blocks, tau_block_new_tool_call ("c", "ls", arguments, NULL));
  g_ptr_array_add (messages, tau_assistant_message_new (blocks, &fields));
  g_ptr_array_add (result, tau_block_new_text (long_result, NULL));
  g_ptr_array_add (messages, tau_tool_result_message_new ("c", "read", result, NULL, FALSE, 1));
  text = tau_summary_serialise (messages);
  /* A pair of UTF-16 that the limit would cut in two stays out. */
  expected = g_strconcat ("[User]: hello\n\n[Assistant thinking]: thought\n\n[Assistant]: said\n\n"
                          "[Assistant tool calls]: read(path=\"a\", n=1); ls(path=\"a\", n=1)\n\n[Tool result]: ", long_text,
                          "\n\n[... 3 more characters truncated]", NULL);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_prompt (void)
{
  g_autoptr(GPtrArray) messages = g_ptr_array_new ();
  g_autofree char *first = tau_summary_build_prompt (TAU_SUMMARY_HISTORY, messages, NULL, NULL, NULL);
  g_autofree char *next = tau_summary_build_prompt (TAU_SUMMARY_HISTORY, messages, "before", "names", NULL);
  g_autofree char *branch = tau_summary_build_prompt (TAU_SUMMARY_BRANCH, messages, NULL, NULL, "only this");
  static const char * const headings[] = { "## Goal", "## Constraints & Preferences", "## Progress", "### Done", "### In Progress", "### Blocked",
                                           "## Key Decisions", "## Next Steps", "## Critical Context" };

  g_assert_true (g_str_has_prefix (first, "<conversation>\n\n</conversation>\n\n"));
  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    g_assert_nonnull (strstr (first, headings[i]));
  g_assert_nonnull (strstr (next, "</conversation>\n\n<previous-summary>\nbefore\n</previous-summary>\n\n"));
  g_assert_true (g_str_has_suffix (next, "\n\nAdditional focus: names"));
  g_assert_cmpstr (branch, ==, "<conversation>\n\n</conversation>\n\nonly this");
}

static void
test_tokens (void)
{
  g_autoptr(TauMessage) five = TAU_MESSAGE (tau_user_message_new ("abcde", NULL, 1));
  g_autoptr(TauMessage) emoji = TAU_MESSAGE (tau_user_message_new ("\xF0\x9F\x99\x82\xF0\x9F\x99\x82", NULL, 1));
  g_autoptr(GPtrArray) images = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(TauMessage) user_image = NULL;
  g_autoptr(TauMessage) tool_image = NULL;
  const TauBashExecutionFields fields = { .command = "ls", .output = "12", .exclude_from_context = TRUE };
  g_autoptr(TauMessage) bash = TAU_MESSAGE (tau_bash_execution_message_new (&fields));

  g_ptr_array_add (images, tau_block_new_image ("AAAA", "image/png"));
  user_image = TAU_MESSAGE (tau_user_message_new_blocks (images, 1));
  tool_image = TAU_MESSAGE (tau_tool_result_message_new ("c", "read", images, NULL, FALSE, 1));
  g_assert_cmpint (tau_token_count_message (five), ==, 2);
  g_assert_cmpint (tau_token_count_message (emoji), ==, 1);
  g_assert_cmpint (tau_token_count_message (user_image), ==, 0);
  g_assert_cmpint (tau_token_count_message (tool_image), ==, 1200);
  g_assert_cmpint (tau_token_count_message (bash), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compaction/cuts", test_cuts);
  g_test_add_func ("/compaction/after-a-compaction", test_after_a_compaction);
  g_test_add_func ("/compaction/nothing-to-do", test_nothing_to_do);
  g_test_add_func ("/compaction/files", test_files);
  g_test_add_func ("/compaction/serialise", test_serialise);
  g_test_add_func ("/compaction/prompt", test_prompt);
  g_test_add_func ("/compaction/tokens", test_tokens);
  return g_test_run ();
}
