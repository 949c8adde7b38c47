/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tau-json.h"
#include "core/tool/tau-toolbox.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

/* A folder, the built-in tools in it, and a way to call them as an agent does. */
typedef struct
{
  TauTestDir *dir;
  TauToolContext *context;
  TauToolbox *toolbox;
  GCancellable *cancellable;
} ToolFixture;

/* What a call gave: an outcome or the text of an error. */
typedef struct
{
  TauToolOutcome *outcome;
  char *text;
  gboolean is_error;
} ToolResult;

static inline void
tool_fixture_set_up (ToolFixture  *fixture,
                     gconstpointer data)
{
  fixture->dir = tau_test_dir_new ();
  fixture->context = tau_tool_context_new (tau_test_dir_get_path (fixture->dir));
  fixture->toolbox = tau_toolbox_new_builtin (fixture->context);
  fixture->cancellable = g_cancellable_new ();
}

static inline gboolean
look_again_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static inline void
tool_fixture_tear_down (ToolFixture  *fixture,
                        gconstpointer data)
{
  guint look_again = g_timeout_add (5, look_again_cb, NULL);

  g_clear_object (&fixture->toolbox);
  /* The thread of a tool, or a command that was left, may hold it a moment longer. */
  tau_test_wait_until (g_atomic_int_get (&G_OBJECT (fixture->context)->ref_count) == 1);
  g_source_remove (look_again);
  g_assert_finalize_object (fixture->context);
  g_clear_object (&fixture->cancellable);
  tau_test_dir_free (fixture->dir);
}

static inline void
tool_result_clear (ToolResult *result)
{
  g_clear_pointer (&result->outcome, tau_tool_outcome_unref);
  g_clear_pointer (&result->text, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ToolResult, tool_result_clear)

static inline void
tool_result_take_error (ToolResult *result,
                        GError     *error)
{
  result->is_error = TRUE;
  result->text = g_strdup (error->message);
}

/* Runs @run; its arguments are checked as an agent would. */
static inline ToolResult
tool_fixture_run (ToolFixture *fixture,
                  TauToolRun  *run)
{
  TauTool *tool = tau_toolbox_lookup (fixture->toolbox, tau_tool_run_get_tool_name (run));
  g_autoptr(JsonNode) checked = NULL;
  g_autoptr(GAsyncResult) answer = NULL;
  g_autoptr(GError) error = NULL;
  ToolResult result = { 0 };

  g_assert_nonnull (tool);
  checked = tau_tool_check_arguments (tool, tau_tool_run_get_raw_arguments (run), &error);
  if (checked == NULL)
    {
      tool_result_take_error (&result, error);
      return result;
    }

  tau_tool_run_set_arguments (run, checked);
  tau_tool_run_start (run);
  tau_tool_execute_async (tool, run, fixture->cancellable, tau_test_loop_result_cb, &answer);
  tau_test_loop_wait_result (&answer);
  result.outcome = tau_tool_execute_finish (tool, answer, &error);
  if (result.outcome == NULL)
    tool_result_take_error (&result, error);
  else
    {
      GPtrArray *blocks = tau_tool_outcome_get_blocks (result.outcome);

      result.is_error = tau_tool_outcome_get_is_error (result.outcome);
      result.text = g_strdup (blocks->len > 0 ? tau_block_get_text (g_ptr_array_index (blocks, 0)) : "");
    }
  return result;
}

/* Calls tool @name with @arguments, JSON in which ' stands for ". */
static inline ToolResult G_GNUC_PRINTF (3, 4)
tool_fixture_call (ToolFixture *fixture,
                   const char  *name,
                   const char  *arguments,
                   ...)
{
  g_autofree char *json = NULL;
  g_autoptr(JsonNode) node = NULL;
  g_autoptr(TauToolRun) run = NULL;
  g_autoptr(GError) error = NULL;
  va_list args;

  va_start (args, arguments);
  json = g_strdup_vprintf (arguments, args);
  va_end (args);
  g_strdelimit (json, "'", '"');
  node = tau_json_parse (json, -1, &error);
  g_assert_no_error (error);
  run = tau_tool_run_new ("call_1", name, node);
  return tool_fixture_run (fixture, run);
}
