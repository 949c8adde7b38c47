/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-toolbox.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"

/* Toolbox, specifications, runs and outcomes. */

static void
test_builtin (void)
{
  static const char *const names[] = { "read", "bash", "edit", "write", "grep", "find", "ls" };
  g_autoptr(TauToolContext) context = tau_tool_context_new ("/");
  g_autoptr(TauToolbox) toolbox = tau_toolbox_new_builtin (context);
  g_autoptr(TauToolbox) defaults = tau_toolbox_select (toolbox, tau_toolbox_default_names);
  g_autoptr(GPtrArray) specs = tau_toolbox_dup_specs (toolbox);

  g_assert_cmpuint (tau_toolbox_get_n_tools (toolbox), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      TauToolSpec *spec = g_ptr_array_index (specs, i);
      JsonNode *parameters = tau_tool_spec_get_parameters (spec);

      g_assert_cmpstr (tau_tool_spec_get_name (spec), ==, names[i]);
      g_assert_cmpstr (tau_json_get_string (parameters, "type", NULL), ==, "object");
      g_assert_nonnull (tau_json_get_array (parameters, "required"));
      g_assert_nonnull (tau_tool_spec_get_snippet (spec));
      g_assert_true (tau_toolbox_lookup (toolbox, names[i]) == tau_toolbox_get_tool (toolbox, i));
    }
  g_assert_null (tau_toolbox_lookup (toolbox, "Read"));
  g_assert_cmpuint (tau_toolbox_get_n_tools (defaults), ==, 4);
  g_assert_cmpstr (tau_tool_get_name (tau_toolbox_get_tool (defaults, 1)), ==, "bash");
}

/* A tool with a known name takes the place of the other; the order stays. */
static void
test_replace (void)
{
  g_autoptr(TauToolContext) context = tau_tool_context_new ("/");
  g_autoptr(TauToolbox) toolbox = tau_toolbox_new_builtin (context);
  g_autoptr(TauToolbox) other = tau_toolbox_new_builtin (context);
  TauTool *bash = tau_toolbox_lookup (other, "bash");

  g_assert_true (tau_toolbox_lookup (toolbox, "bash") != bash);
  tau_toolbox_add (toolbox, bash);
  g_assert_true (tau_toolbox_get_tool (toolbox, 1) == bash);
  g_assert_cmpuint (tau_toolbox_get_n_tools (toolbox), ==, 7);
}

static void
test_select (void)
{
  static const char *const names[] = { "ls", "unknown", "read", NULL };
  g_autoptr(TauToolContext) context = tau_tool_context_new ("/");
  g_autoptr(TauToolbox) toolbox = tau_toolbox_new_builtin (context);
  g_autoptr(TauToolbox) selection = tau_toolbox_select (toolbox, names);

  g_assert_cmpuint (tau_toolbox_get_n_tools (selection), ==, 2);
  g_assert_cmpstr (tau_tool_get_name (tau_toolbox_get_tool (selection, 0)), ==, "read");
  g_assert_cmpstr (tau_tool_get_name (tau_toolbox_get_tool (selection, 1)), ==, "ls");
}

static void
count_cb (gpointer object,
          gpointer argument,
          guint   *count)
{
  (*count)++;
}

static void
test_run (void)
{
  g_autoptr(JsonNode) raw = tau_json_parse ("{\"a\":\"1\"}", -1, NULL);
  g_autoptr(JsonNode) checked = tau_json_parse ("{\"a\":1}", -1, NULL);
  g_autoptr(TauToolOutcome) partial = tau_tool_outcome_new_text ("par", NULL);
  g_autoptr(TauToolOutcome) outcome = tau_tool_outcome_new_error ("bad");
  g_autoptr(TauToolResultMessage) message = NULL;
  TauToolRun *run = tau_tool_run_new ("c1", "t", raw);
  guint n_states = 0, n_updates = 0;

  g_signal_connect (run, "notify::state", G_CALLBACK (count_cb), &n_states);
  g_signal_connect (run, "update", G_CALLBACK (count_cb), &n_updates);
  g_assert_true (tau_tool_run_get_arguments (run) == raw);
  tau_tool_run_set_arguments (run, checked);
  g_assert_true (tau_tool_run_get_arguments (run) == checked);
  g_assert_true (tau_tool_run_get_raw_arguments (run) == raw);
  g_assert_cmpint (tau_tool_run_get_started (run), ==, 0);

  tau_tool_run_start (run);
  g_assert_cmpint (tau_tool_run_get_state (run), ==, TAU_TOOL_RUN_RUNNING);
  tau_tool_run_update (run, partial);
  g_assert_true (tau_tool_run_get_partial (run) == partial);
  tau_tool_run_end (run, outcome);
  tau_tool_run_update (run, partial);
  g_assert_cmpuint (n_updates, ==, 1);
  g_assert_cmpuint (n_states, ==, 2);
  g_assert_cmpint (tau_tool_run_get_state (run), ==, TAU_TOOL_RUN_FAILED);
  g_assert_cmpint (tau_tool_run_get_ended (run), >=, tau_tool_run_get_started (run));

  message = tau_tool_run_make_message (run, 42);
  g_assert_cmpstr (tau_tool_result_message_get_call_id (message), ==, "c1");
  g_assert_true (tau_tool_result_message_get_is_error (message));
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 42);
  g_assert_finalize_object (run);
}

/* A hook replaces whole fields and keeps the others. */
static void
test_merge (void)
{
  const gboolean yes = TRUE, no = FALSE;
  g_autoptr(JsonNode) details = tau_json_parse ("{\"x\":1}", -1, NULL);
  g_autoptr(TauToolOutcome) failed = tau_tool_outcome_new_error ("text");
  g_autoptr(TauToolOutcome) same = tau_tool_outcome_merge (failed, NULL, NULL, NULL, NULL);
  g_autoptr(TauToolOutcome) other = tau_tool_outcome_merge (failed, NULL, details, &yes, &no);
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  g_autoptr(TauToolOutcome) empty = tau_tool_outcome_merge (other, none, NULL, &no, NULL);
  g_autoptr(JsonNode) json = tau_tool_outcome_to_json (other);
  g_autofree char *text = tau_json_to_string (json);

  g_assert_true (tau_tool_outcome_get_is_error (same));
  g_assert_cmpuint (tau_tool_outcome_get_blocks (same)->len, ==, 1);
  g_assert_false (tau_tool_outcome_get_is_error (other));
  g_assert_cmpstr (text, ==, "{\"content\":[{\"type\":\"text\",\"text\":\"text\"}],\"details\":{\"x\":1},\"terminate\":true}");
  g_assert_cmpuint (tau_tool_outcome_get_blocks (empty)->len, ==, 0);
  g_assert_true (tau_tool_outcome_get_details (empty) == details);
  g_assert_false (tau_tool_outcome_get_terminate (empty));
}

static void
test_check_arguments (void)
{
  g_autoptr(TauToolContext) context = tau_tool_context_new ("/");
  g_autoptr(TauToolbox) toolbox = tau_toolbox_new_builtin (context);
  TauTool *edit = tau_toolbox_lookup (toolbox, "edit");
  g_autoptr(JsonNode) legacy = tau_json_parse ("{\"path\":\"x\",\"edits\":[{\"oldText\":\"p\",\"newText\":\"q\"}],\"oldText\":\"a\",\"newText\":\"b\"}", -1, NULL);
  g_autoptr(JsonNode) list = tau_json_parse ("[]", -1, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) checked = tau_tool_check_arguments (edit, legacy, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = tau_json_to_string (checked);
  g_assert_cmpstr (text, ==, "{\"path\":\"x\",\"edits\":[{\"oldText\":\"p\",\"newText\":\"q\"},{\"oldText\":\"a\",\"newText\":\"b\"}]}");
  g_assert_null (tau_tool_check_arguments (edit, list, &error));
  g_assert_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_INVALID_ARGUMENTS);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/toolbox/builtin", test_builtin);
  g_test_add_func ("/toolbox/replace", test_replace);
  g_test_add_func ("/toolbox/select", test_select);
  g_test_add_func ("/toolbox/run", test_run);
  g_test_add_func ("/toolbox/merge", test_merge);
  g_test_add_func ("/toolbox/check-arguments", test_check_arguments);

  return g_test_run ();
}
