/* SPDX-License-Identifier: MIT */
#include "session-fixture.h"

#include "core/base/tau-error.h"

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  fixture_set_up (self, data);
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  fixture_answer (self, ANSWER ("1."));
  fixture_prompt (self, "First");
  fixture_wait (self);
  fixture_answer (self, ANSWER ("2."));
  fixture_prompt (self, "Second");
  fixture_wait (self);
}

/* Id of the n-th user message, counted from 0. */
static const char *
user_id (Fixture *self,
         guint    n)
{
  g_autoptr(GPtrArray) points = tau_agent_session_dup_fork_points (self->session);

  g_assert_cmpuint (n, <, points->len);
  return tau_session_entry_get_id (g_ptr_array_index (points, n));
}

static char *
navigate (Fixture                    *self,
          const char                 *id,
          const TauNavigationOptions *options)
{
  GAsyncResult *result = NULL;
  g_autoptr(GError) error = NULL;
  char *text = NULL;
  gboolean ok;

  tau_agent_session_navigate_async (self->session, id, options, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  ok = tau_agent_session_navigate_finish (self->session, result, &text, &error);
  g_object_unref (result);
  g_assert_no_error (error);
  g_assert_true (ok);
  return text;
}

static void
test_navigate (Fixture       *self,
               gconstpointer  data)
{
  const TauNavigationOptions plain = { 0 };
  g_autofree char *text = navigate (self, user_id (self, 1), &plain);
  g_autofree char *entries = NULL;

  g_assert_cmpstr (text, ==, "Second");
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 2);
  fixture_answer (self, ANSWER ("2b."));
  fixture_prompt (self, "Second, another way");
  fixture_wait (self);
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 4);
  g_assert_null (strstr (tau_test_server_get_body (self->server, 2), "2."));
  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change user assistant user assistant user assistant");
}

static void
test_to_the_root (Fixture       *self,
                  gconstpointer  data)
{
  TauSessionTree *tree = tau_agent_session_get_tree (self->session);
  TauSessionEntry *first = g_ptr_array_index (tau_session_tree_get_entries (tree), 0);
  const TauNavigationOptions plain = { 0 };
  g_autofree char *text = navigate (self, tau_session_entry_get_id (first), &plain);

  g_assert_null (text);
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 0);
  g_assert_true (tau_session_tree_get_leaf (tree) == first);
}

static void
test_summary (Fixture       *self,
              gconstpointer  data)
{
  const TauNavigationOptions options = { .summarize = TRUE, .instructions = "names", .label = "here" };
  g_autofree char *text = NULL;
  g_autofree char *entries = NULL;
  g_autofree char *label = NULL;
  g_autoptr(JsonNode) json = NULL;
  TauSessionTree *tree = tau_agent_session_get_tree (self->session);
  TauSessionEntry *summary;
  const char *request;

  fixture_answer (self, ANSWER ("## Goal\\nExplored."));
  text = navigate (self, user_id (self, 1), &options);
  g_assert_cmpstr (text, ==, "Second");
  fixture_wait (self);
  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change user assistant user assistant branch_summary label");

  summary = g_ptr_array_index (tau_session_tree_get_entries (tree), 6);
  json = tau_session_entry_dup_json (summary);
  g_assert_cmpstr (tau_json_get_string (json, "summary", NULL), ==,
                   "The user explored a different conversation branch before returning here.\nSummary of that exploration:\n\n## Goal\nExplored.");
  g_assert_cmpstr (tau_json_get_string (json, "fromId", NULL), ==, tau_session_entry_get_parent_id (summary));
  label = tau_session_tree_dup_label (tree, tau_session_entry_get_id (summary));
  g_assert_cmpstr (label, ==, "here");
  request = tau_test_server_get_body (self->server, 2);
  g_assert_nonnull (strstr (request, "<conversation>\\n[Assistant]: 2.\\n</conversation>"));
  g_assert_nonnull (strstr (request, "Additional focus: names"));
  g_assert_null (strstr (request, "First"));
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 3);
}

static void
test_summary_aborted (Fixture       *self,
                      gconstpointer  data)
{
  const TauNavigationOptions options = { .summarize = TRUE };
  GAsyncResult *result = NULL;
  g_autoptr(GError) error = NULL;
  TauSessionTree *tree = tau_agent_session_get_tree (self->session);
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tree);

  tau_test_server_push (self->server, &(TauTestResponse) { .ending = TAU_TEST_ENDING_SILENT });
  tau_agent_session_navigate_async (self->session, user_id (self, 1), &options, tau_test_loop_result_cb, &result);
  tau_test_wait_until (tau_test_server_get_n_requests (self->server) == 3);
  tau_agent_session_abort (self->session);
  tau_test_loop_wait_result (&result);
  g_assert_false (tau_agent_session_navigate_finish (self->session, result, NULL, &error));
  g_object_unref (result);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (tau_session_tree_get_leaf (tree) == leaf);
  fixture_wait (self);
}

static void
test_unknown (Fixture       *self,
              gconstpointer  data)
{
  const TauNavigationOptions plain = { 0 };
  GAsyncResult *result = NULL;
  g_autoptr(GError) error = NULL;

  tau_agent_session_navigate_async (self->session, "nope", &plain, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  g_assert_false (tau_agent_session_navigate_finish (self->session, result, NULL, &error));
  g_object_unref (result);
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_false (tau_agent_session_set_label (self->session, "nope", "x", &error));
  g_assert_cmpstr (error->message, ==, "Entry nope not found");
}

#define ADD(path, func) g_test_add ("/agent-session-branching/" path, Fixture, NULL, set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("navigate", test_navigate);
  ADD ("to-the-root", test_to_the_root);
  ADD ("summary", test_summary);
  ADD ("summary-aborted", test_summary_aborted);
  ADD ("unknown", test_unknown);
  return g_test_run ();
}
