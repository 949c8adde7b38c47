/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-write-tool.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/tool/tau-builtin-tool.h"
#include "core/tool/tau-file-error.h"
#include "core/tool/tau-file-replace.h"
#include "core/tool/tau-tool-text.h"

#include <errno.h>
#include <string.h>

/* The write tool: a whole file, exactly as given. Changes to one file wait for each other; see TauFileQueue. */

static const char *const guidelines[] = {
  "Use write for new files and complete rewrites only.",
  NULL,
};

static const char description[] =
  "Write a file. It is made if it does not exist, parent directories too, and overwritten if it does.";

static const char parameters[] =
  "{\"type\":\"object\",\"required\":[\"path\",\"content\"],\"properties\":{"
  "\"path\":{\"type\":\"string\",\"description\":\"File to write, absolute or relative to the working directory\"},"
  "\"content\":{\"type\":\"string\",\"description\":\"The whole content of the file\"}}}";

typedef struct
{
  char *given_path; /* as the model wrote it */
  char *path;
  char *content;
  gsize length;
  TauFileRecord *record;
} WriteJob;

static void
write_job_free (gpointer data)
{
  WriteJob *job = data;

  g_free (job->given_path);
  g_free (job->path);
  g_free (job->content);
  g_object_unref (job->record);
  g_free (job);
}

/* A file that somebody changed since the model has read it must not lose those changes. One that the model has never
 * read is replaced: then that is what it wants. */
static gboolean
check_drift (WriteJob  *job,
             GError   **error)
{
  g_autofree char *bytes = NULL;
  gsize length;

  if (!tau_file_record_knows (job->record, job->path) || !g_file_test (job->path, G_FILE_TEST_IS_REGULAR)
      || !g_file_get_contents (job->path, &bytes, &length, NULL)
      || !tau_file_record_has_drifted (job->record, job->path, bytes, length))
    return TRUE;

  g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED,
               "%s has changed since you read it, so it was not written. Read it again, then write.", job->given_path);
  return FALSE;
}

static TauToolOutcome *
write_file (gpointer       data,
            GCancellable  *cancellable,
            GError       **error)
{
  WriteJob *job = data;
  const TauIoPiece piece = { job->content, job->length };
  g_autofree char *folder = g_path_get_dirname (job->path);
  g_autoptr(GString) text = g_string_new (NULL);

  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      tau_file_error_set (error, errno, "mkdir", folder);
      return NULL;
    }
  g_string_append_printf (text, "Successfully wrote %" G_GSIZE_FORMAT " bytes to %s", job->length, job->given_path);
  if (!check_drift (job, error) || !tau_file_replace (job->path, &piece, 1, text, error))
    return NULL;
  tau_file_record_note_bytes (job->record, job->path, job->content, job->length);
  return tau_tool_outcome_new_text (text->str, NULL);
}

static void
written_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  GError *error = NULL;
  TauToolOutcome *outcome = tau_file_queue_run_finish (TAU_FILE_QUEUE (object), result, &error);

  tau_builtin_tool_return_outcome (task, outcome, error);
}

static void
execute (TauToolContext *context,
         TauToolRun     *run,
         GTask          *task)
{
  JsonNode *arguments = tau_tool_run_get_arguments (run);
  WriteJob *job = g_new0 (WriteJob, 1);

  job->given_path = g_strdup (tau_json_get_string (arguments, "path", ""));
  job->path = tau_paths_resolve (tau_tool_context_get_cwd (context), job->given_path);
  job->content = tau_tool_text_to_bytes (tau_json_get_string (arguments, "content", ""), &job->length);
  job->record = g_object_ref (tau_tool_context_get_file_record (context));
  tau_file_queue_run_async (tau_tool_context_get_file_queue (context), job->path, write_file, job, write_job_free,
                            g_task_get_cancellable (task), written_cb, task);
}

static const TauBuiltinToolInfo info = {
  .name = "write",
  .label = "Write",
  .description = description,
  .parameters = parameters,
  .snippet = "Create files or overwrite them whole",
  .guidelines = guidelines,
  .execute = execute,
};

/**
 * tau_write_tool_new:
 * @context: what the tools of a session share
 *
 * Makes the write tool.
 *
 * Returns: (transfer full): the tool
 */
TauTool *
tau_write_tool_new (TauToolContext *context)
{
  return tau_builtin_tool_new (&info, context);
}
