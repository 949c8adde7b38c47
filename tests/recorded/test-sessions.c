/* SPDX-License-Identifier: MIT */
#include "core/base/tau-json.h"
#include "core/message/tau-bash-execution-message.h"
#include "core/message/tau-branch-summary-message.h"
#include "core/message/tau-compaction-summary-message.h"
#include "core/message/tau-message-convert.h"
#include "core/session/tau-compaction.h"
#include "core/session/tau-session-context.h"
#include "core/session/tau-session-file.h"
#include "core/session/tau-token-count.h"

#include <string.h>

/* Session files that pi wrote, and odd ones, with what pi itself makes of them: entries, branch, context, what the model
 * gets, estimates, and where it would cut. Where pi would destroy the file ours opens it read-only. */

typedef struct
{
  char     *path;
  JsonNode *expected;
} Recording;

static char *
digest_of (GString *text)
{
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text->str, text->len);
}

static char *
dup_text (TauMessage *message)
{
  if (TAU_IS_COMPACTION_SUMMARY_MESSAGE (message))
    return g_strdup (tau_compaction_summary_message_get_summary (TAU_COMPACTION_SUMMARY_MESSAGE (message)));
  if (TAU_IS_BRANCH_SUMMARY_MESSAGE (message))
    return g_strdup (tau_branch_summary_message_get_summary (TAU_BRANCH_SUMMARY_MESSAGE (message)));
  if (TAU_IS_BASH_EXECUTION_MESSAGE (message))
    {
      const TauBashExecutionFields *fields = tau_bash_execution_message_get_fields (TAU_BASH_EXECUTION_MESSAGE (message));

      return g_strconcat (fields->command, "\n", fields->output, NULL);
    }
  return tau_message_dup_text (message, "");
}

/* Roles, and a checksum over role NUL text LF of each message. */
static void
check_messages (GPtrArray *messages,
                JsonNode  *expected)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autofree char *digest = NULL;
  JsonArray *roles = tau_json_get_array (expected, "roles");
  guint at = 0;

  g_assert_cmpint (messages->len, ==, tau_json_get_int (expected, "messages", -1));
  for (guint i = 0; i < json_array_get_length (roles); i++)
    {
      g_auto(GStrv) role = g_strsplit (json_array_get_string_element (roles, i), "*", 2);
      guint n = role[1] != NULL ? (guint) g_ascii_strtoull (role[1], NULL, 10) : 1;

      for (guint j = 0; j < n && at < messages->len; j++)
        g_assert_cmpstr (tau_message_get_role (g_ptr_array_index (messages, at++)), ==, role[0]);
    }
  for (guint i = 0; i < messages->len; i++)
    {
      g_autofree char *one = dup_text (g_ptr_array_index (messages, i));

      g_string_append (text, tau_message_get_role (g_ptr_array_index (messages, i)));
      g_string_append_c (text, '\0');
      g_string_append (text, one);
      g_string_append_c (text, '\n');
    }
  digest = digest_of (text);
  g_assert_cmpstr (digest, ==, tau_json_get_string (expected, "textDigest", NULL));
}

static void
check_tree (TauSessionTree *tree,
            GPtrArray      *path,
            JsonNode       *expected)
{
  GPtrArray *entries = tau_session_tree_get_entries (tree);
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tree);
  const char *leaf_id = tau_json_get_string (expected, "leafId", NULL);
  JsonArray *ids = tau_json_get_array (expected, "branchIds");
  JsonObject *labels = tau_json_get_object (expected, "labels");
  g_autofree char *name = tau_session_tree_dup_name (tree);
  JsonObjectIter iter;
  const char *id;
  JsonNode *label;

  g_assert_cmpint (entries->len, ==, tau_json_get_int (expected, "entryCount", -1));
  g_assert_cmpint (path->len, ==, tau_json_get_int (expected, "branchLength", -1));
  g_assert_true (leaf == g_ptr_array_index (entries, tau_json_get_int (expected, "leafIndex", 0)));
  if (leaf_id != NULL)
    g_assert_cmpstr (tau_session_entry_get_id (leaf), ==, leaf_id);
  for (guint i = 0; ids != NULL && i < json_array_get_length (ids) && i < path->len; i++)
    g_assert_cmpstr (tau_session_entry_get_id (g_ptr_array_index (path, i)), ==, json_array_get_string_element (ids, i));
  g_assert_cmpstr (name, ==, tau_json_get_string (expected, "sessionName", NULL));
  json_object_iter_init (&iter, labels);
  while (json_object_iter_next (&iter, &id, &label))
    {
      g_autofree char *ours = tau_session_tree_dup_label (tree, id);

      g_assert_cmpstr (ours, ==, tau_json_get_string (label, NULL, NULL));
    }
}

static void
check_context (GPtrArray *path,
               JsonNode  *expected)
{
  g_autoptr(TauSessionContext) context = tau_session_context_new (path);
  g_autoptr(GPtrArray) messages = tau_session_context_dup_messages (context);
  g_autoptr(GPtrArray) converted = tau_messages_convert_to_llm (messages);
  TauTokenEstimate estimate = tau_token_count_context (messages);
  gint64 sum = 0;

  check_messages (messages, tau_json_get (expected, "context"));
  check_messages (converted, tau_json_get (expected, "llm"));
  g_assert_cmpstr (tau_thinking_level_to_string (context->level), ==, tau_json_get_string (expected, "context.thinkingLevel", NULL));
  g_assert_cmpstr (context->provider, ==, tau_json_get_string (expected, "context.model.provider", NULL));
  g_assert_cmpstr (context->model_id, ==, tau_json_get_string (expected, "context.model.modelId", NULL));
  for (guint i = 0; i < messages->len; i++)
    sum += tau_token_count_message (g_ptr_array_index (messages, i));
  g_assert_cmpint (estimate.tokens, ==, tau_json_get_int (expected, "estimate.context.tokens", -1));
  g_assert_cmpint (estimate.usage_index, ==, tau_json_get_int (expected, "estimate.context.lastUsageIndex", -1));
  g_assert_cmpint (sum, ==, tau_json_get_int (expected, "estimate.sumOfMessageEstimates", -1));
}

static void
check_cut (GPtrArray *path,
           JsonNode  *expected)
{
  g_autoptr(TauCompactionPlan) plan = tau_compaction_plan_new (path, tau_json_get_int (expected, "keepRecentTokens", 0), NULL);
  g_autofree char *text = NULL;
  g_autofree char *digest = NULL;

  if (tau_json_is_null (expected, "prepared"))
    {
      g_assert_null (plan);
      return;
    }
  g_assert_nonnull (plan);
  if (plan == NULL)
    return;
  text = tau_summary_serialise (plan->history);
  digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_assert_cmpint (plan->first_kept, ==, tau_json_get_int (expected, "firstKeptBranchIndex", -1));
  g_assert_cmpint (plan->split_turn, ==, tau_json_get_bool (expected, "isSplitTurn", FALSE));
  g_assert_cmpint (plan->history->len, ==, tau_json_get_int (expected, "messagesToSummarize", -1));
  g_assert_cmpint (plan->turn_prefix->len, ==, tau_json_get_int (expected, "turnPrefixMessages", -1));
  g_assert_cmpint (plan->tokens_before, ==, tau_json_get_int (expected, "tokensBefore", -1));
  g_assert_cmpint (plan->previous_summary != NULL, ==, tau_json_get_bool (expected, "hasPreviousSummary", FALSE));
  g_assert_cmpint (g_strv_length (plan->files.read), ==, tau_json_get_int (expected, "readFiles", -1));
  g_assert_cmpint (g_strv_length (plan->files.modified), ==, tau_json_get_int (expected, "modifiedFiles", -1));
  g_assert_cmpstr (digest, ==, tau_json_get_string (expected, "serialisedSha256", NULL));
}

static gboolean
pi_destroys (JsonNode *expected)
{
  return tau_json_get (expected, "header.note") != NULL;
}

/* pi drops a line with two objects, of which there is one in a person's file; we read both, and so have another end. */
static gboolean
pi_loses_entries (TauSessionTree *tree,
                  JsonNode       *expected)
{
  gint64 n_of_pi = tau_json_get_int (expected, "entryCount", -1);

  return tau_json_get_int (expected, "lines.malformedSkipped", 0) > 0 && tau_session_tree_get_entries (tree)->len > n_of_pi;
}

static void
check_recording (gconstpointer data)
{
  const Recording *recording = data;
  JsonNode *expected = recording->expected;
  g_autoptr(GError) error = NULL;
  g_autoptr(TauSessionFile) file = tau_session_file_load (recording->path, &error);
  g_autoptr(GPtrArray) path = NULL;
  JsonArray *cuts = tau_json_get_array (expected, "compaction");
  TauSessionTree *tree;

  g_assert_no_error (error);
  if (pi_destroys (expected))
    {
      g_assert_true (tau_session_file_is_empty (file) || tau_session_file_is_read_only (file));
      return;
    }
  g_assert_nonnull (tau_session_file_get_header (file));
  g_assert_cmpstr (tau_session_entry_get_id (tau_session_file_get_header (file)), ==, tau_json_get_string (expected, "header.id", NULL));
  tree = tau_session_file_get_tree (file);
  path = tau_session_tree_dup_path (tree, tau_session_tree_get_leaf (tree));
  if (pi_loses_entries (tree, expected))
    {
      g_assert_true (g_str_has_suffix (recording->path, "/v1-compact.jsonl"));
      g_assert_cmpuint (path->len, ==, tau_json_get_int (expected, "branchLength", 0) + 2);
      return;
    }
  check_tree (tree, path, expected);
  check_context (path, expected);
  for (guint i = 0; i < json_array_get_length (cuts); i++)
    check_cut (path, json_array_get_element (cuts, i));
}

static void
add_folder (const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL, *base = NULL, *test = NULL;
      Recording *recording;

      if (!g_str_has_suffix (name, ".expected.json") || !g_file_get_contents (file, &text, NULL, NULL))
        continue;
      base = g_strndup (name, strlen (name) - strlen (".expected.json"));
      test = g_strdup_printf ("/sessions/%s", base);
      recording = g_new0 (Recording, 1);
      recording->path = g_strdup_printf ("%s/%s.jsonl", folder, base);
      recording->expected = tau_json_parse (text, -1, NULL);
      g_assert_nonnull (recording->expected);
      g_test_add_data_func (test, recording, check_recording);
    }
}

int
main (int    argc,
      char **argv)
{
  const char *recorded = g_getenv ("TAU_RECORDED");
  g_autofree char *folder = NULL;

  if (recorded == NULL || recorded[0] == '\0')
    {
      g_print ("1..0 # SKIP not run: recorded\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();   /* one bad file is not to hide the others */
  folder = g_build_filename (recorded, "fixtures", "sessions", NULL);
  add_folder (folder);
  return g_test_run ();
}
