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
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The write tool: a whole file, exactly as given. Changes to one file wait for each other; see TauFileQueue. */

/* Larger contents are not kept for undo. */
#define MAX_KEPT_BYTES ((goffset) 256 * 1024 * 1024)
#define PIECE_BYTES ((gsize) 1024 * 1024)

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
  char *call_id;
  TauFileRecord *record;
  TauCheckpoints *checkpoints; /* nullable */
} WriteJob;

static void
write_job_free (gpointer data)
{
  WriteJob *job = data;

  g_free (job->given_path);
  g_free (job->path);
  g_free (job->content);
  g_free (job->call_id);
  g_object_unref (job->record);
  g_clear_object (&job->checkpoints);
  g_free (job);
}

/* Digest of a file that is too large to be held in memory for its old content's sake; NULL if it cannot be read. */
static char *
digest_file (const char *path)
{
  g_autoptr(GChecksum) checksum = g_checksum_new (TAU_CONTENT_CHECKSUM);
  g_autofree char *buffer = g_malloc (PIECE_BYTES);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  gssize n = fd < 0 ? -1 : 1;

  while (n > 0 || (n < 0 && fd >= 0 && errno == EINTR))
    {
      n = read (fd, buffer, PIECE_BYTES);
      if (n > 0)
        g_checksum_update (checksum, (const guchar *) buffer, n);
    }
  if (fd >= 0)
    close (fd);
  return n == 0 ? g_strdup (g_checksum_get_string (checksum)) : NULL;
}

/* What is there now, if it is a file that can be read. */
static void
read_old (const char          *path,
          TauFileReplacement  *replacement,
          char               **bytes,
          char               **digest)
{
  struct stat status;

  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return;
  if (status.st_size > MAX_KEPT_BYTES)
    *digest = digest_file (path);
  else if (g_file_get_contents (path, bytes, &replacement->length, NULL))
    *digest = g_compute_checksum_for_data (TAU_CONTENT_CHECKSUM, (const guchar *) *bytes, replacement->length);
  replacement->data = *bytes;
  replacement->before = *digest != NULL ? *digest : "unknown";
}

/* A file that somebody changed since the model has read it must not lose those changes. One that the model has never
 * read is replaced: then that is what it wants. */
static TauToolOutcome *
write_file (gpointer       data,
            GCancellable  *cancellable,
            GError       **error)
{
  WriteJob *job = data;
  const TauIoPiece piece = { job->content, job->length };
  TauFileReplacement replacement = { .path = job->path, .call_id = job->call_id, .pieces = &piece, .n_pieces = 1 };
  g_autofree char *folder = g_path_get_dirname (job->path);
  g_autofree char *bytes = NULL;
  g_autofree char *digest = NULL;
  g_autoptr(GString) text = g_string_new (NULL);

  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      tau_file_error_set (error, errno, "mkdir", folder);
      return NULL;
    }
  read_old (job->path, &replacement, &bytes, &digest);
  if (digest != NULL && tau_file_record_has_drifted (job->record, job->path, digest))
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED,
                   "%s has changed since you read it, so it was not written. Read it again, then write.", job->given_path);
      return NULL;
    }

  g_string_append_printf (text, "Successfully wrote %" G_GSIZE_FORMAT " bytes to %s", job->length, job->given_path);
  if (!tau_file_replace (&replacement, job->record, job->checkpoints, text, error))
    return NULL;
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
  job->call_id = g_strdup (tau_tool_run_get_call_id (run));
  job->record = g_object_ref (tau_tool_context_get_file_record (context));
  g_set_object (&job->checkpoints, tau_tool_context_get_checkpoints (context));
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
