/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-bash-tool.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/tool/tau-bash-runner.h"
#include "core/tool/tau-builtin-tool.h"
#include "core/tool/tau-tool-text.h"

#include <signal.h>
#include <string.h>

/* The bash tool: a shell command in the session's folder. What the model gets is the end of the output; a status
 * other than zero, a signal, the timeout and an abort are errors with the output in their text. */

static const char description[] =
  "Run a shell command in the working directory and get its output, standard output and standard error together. "
  "Output over 2000 lines or 50 KB is cut to its end; the whole is then in a file that the result names. "
  "Nothing can be typed in: editors, pagers and prompts fail.";

static const char parameters[] =
  "{\"type\":\"object\",\"required\":[\"command\"],\"properties\":{"
  "\"command\":{\"type\":\"string\",\"description\":\"Shell command\"},"
  "\"timeout\":{\"type\":\"number\",\"description\":\"Seconds after which the command is ended; without it there is no limit\"}}}";

static void G_GNUC_PRINTF (2, 3)
append_paragraph (GString    *text,
                  const char *format,
                  ...)
{
  va_list args;

  if (text->len > 0)
    g_string_append (text, "\n\n");
  va_start (args, format);
  g_string_append_vprintf (text, format, args);
  va_end (args);
}

/* Says which part of the output this is; the wording is one that models know. */
static void
append_notice (GString             *text,
               const TauTruncation *truncation,
               TauOutputLog        *log)
{
  const char *path = tau_output_log_get_path (log);
  g_autofree char *limit = tau_text_format_size (truncation->max_bytes);
  g_autofree char *shown = tau_text_format_size (truncation->output_bytes);
  g_autofree char *line = tau_text_format_size (tau_output_log_get_last_line_bytes (log));
  g_autofree char *where = path != NULL ? g_strconcat (" Full output: ", path, NULL) : g_strdup ("");

  if (truncation->last_line_partial)
    g_string_append_printf (text, "\n\n[Showing last %s of line %" G_GINT64_FORMAT " (line is %s).%s]",
                            shown, truncation->total_lines, line, where);
  else
    g_string_append_printf (text, "\n\n[Showing lines %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT "%s%s%s.%s]",
                            truncation->total_lines - truncation->output_lines + 1, truncation->total_lines, truncation->total_lines,
                            truncation->by == TAU_TRUNCATED_BY_BYTES ? " (" : "",
                            truncation->by == TAU_TRUNCATED_BY_BYTES ? limit : "",
                            truncation->by == TAU_TRUNCATED_BY_BYTES ? " limit)" : "", where);
}

static GString *
output_text (const TauTruncation *truncation,
             TauOutputLog        *log)
{
  g_autofree char *content = tau_tool_text_from_bytes (truncation->content, truncation->output_bytes);
  GString *text = g_string_new (content);

  if (truncation->truncated)
    append_notice (text, truncation, log);
  return text;
}

static JsonNode *
truncation_details (const TauTruncation *truncation,
                    TauOutputLog        *log)
{
  JsonObject *details = json_object_new ();
  const char *path = tau_output_log_get_path (log);

  if (truncation->truncated)
    tau_json_object_set (details, "truncation", tau_truncation_to_json (truncation));
  if (truncation->truncated && path != NULL)
    tau_json_object_set (details, "fullOutputPath", tau_json_node_new_string (path));
  return tau_json_node_new_object (details);
}

static void
progress_cb (TauProcess          *process,
             TauOutputLog        *log,
             const TauScopeUsage *usage,
             gpointer             user_data)
{
  TauToolRun *run = user_data;
  g_autoptr(TauTruncation) truncation = NULL;
  g_autoptr(TauToolOutcome) partial = NULL;
  g_autoptr(JsonNode) details = NULL;

  tau_tool_run_set_pid (run, tau_process_get_pid (process));
  if (usage != NULL)
    {
      tau_tool_run_set_usage (run, usage->memory, usage->cpu_time);
      return;
    }
  if (tau_output_log_is_empty (log))
    {
      g_autoptr(GPtrArray) none = g_ptr_array_new ();

      partial = tau_tool_outcome_new (none, NULL, FALSE, FALSE);
    }
  else
    {
      g_autofree char *content = NULL;

      truncation = tau_output_log_truncate (log);
      content = tau_tool_text_from_bytes (truncation->content, truncation->output_bytes);
      details = truncation_details (truncation, log);
      partial = tau_tool_outcome_new_text (content, details);
    }
  tau_tool_run_update (run, partial);
}

/* Appends why the command failed. FALSE if it did not. */
static gboolean
append_failure (GString                *text,
                const TauProcessResult *ended,
                double                  timeout)
{
  g_autoptr(GString) seconds = g_string_new (NULL);

  tau_json_append_double (seconds, timeout);
  if (ended->cancelled)
    append_paragraph (text, "Command aborted");
  else if (ended->timed_out)
    append_paragraph (text, "Command timed out after %s seconds", seconds->str);
  else if (ended->term_signal != 0)
    append_paragraph (text, "Command terminated by signal %d (SIG%s)", ended->term_signal,
                      sigabbrev_np (ended->term_signal) != NULL ? sigabbrev_np (ended->term_signal) : "?");
  else if (ended->exit_status != 0)
    append_paragraph (text, "Command exited with code %d", ended->exit_status);
  else
    return FALSE;
  return TRUE;
}

static void
ended_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  TauToolRun *run = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr(TauBashResult) bash = tau_bash_run_finish (result, &error);
  g_autoptr(TauTruncation) truncation = NULL;
  g_autoptr(GString) text = NULL;
  g_autoptr(JsonNode) details = NULL;

  if (bash == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  truncation = tau_output_log_truncate (bash->log);
  text = output_text (truncation, bash->log);
  if (text->len == 0 && !bash->ended.cancelled && !bash->ended.timed_out)
    g_string_append (text, "(no output)");
  if (append_failure (text, &bash->ended, tau_json_get_double (tau_tool_run_get_arguments (run), "timeout", 0)))
    {
      g_task_return_new_error (task, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "%s", text->str);
      return;
    }
  if (truncation->truncated)
    details = truncation_details (truncation, bash->log);
  tau_builtin_tool_return_outcome (task, tau_tool_outcome_new_text (text->str, details), NULL);
}

static void
execute (TauToolContext *context,
         TauToolRun     *run,
         GTask          *task)
{
  JsonNode *arguments = tau_tool_run_get_arguments (run);
  double timeout = tau_json_get_double (arguments, "timeout", 0);
  gint64 timeout_ms = timeout > 0 ? (gint64) MIN (timeout * 1000, (double) G_MAXINT32) : 0;

  g_task_set_task_data (task, g_object_ref (run), g_object_unref);
  tau_bash_run_async (context, tau_json_get_string (arguments, "command", ""), timeout_ms, FALSE,
                      progress_cb, run, g_task_get_cancellable (task), ended_cb, task);
}

static const TauBuiltinToolInfo info = {
  .name = "bash",
  .label = "Bash",
  .description = description,
  .parameters = parameters,
  .snippet = "Run shell commands: build, test, git, look around",
  .execute = execute,
};

/**
 * tau_bash_tool_new:
 * @context: what the tools of a session share
 *
 * Makes the bash tool.
 *
 * Returns: (transfer full): the tool
 */
TauTool *
tau_bash_tool_new (TauToolContext *context)
{
  return tau_builtin_tool_new (&info, context);
}
