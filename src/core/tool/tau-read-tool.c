/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-read-tool.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-task.h"
#include "core/base/tau-text.h"
#include "core/tool/tau-builtin-tool.h"
#include "core/tool/tau-file-error.h"
#include "core/tool/tau-image-fit.h"
#include "core/tool/tau-line-window.h"
#include "core/tool/tau-text-decoder.h"
#include "core/tool/tau-tool-text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The read tool: a range of lines of a text file, or a picture. It works on a thread, in bounded memory whatever the
 * size of the file, and never waits for a pipe or a device. Parameters, limits and notices are pi's. */

/* Enough to see what the file is. */
#define HEAD_BYTES ((gsize) 1024 * 1024)
#define SNIFF_BYTES ((gsize) 4100)
#define MAX_IMAGE_BYTES ((goffset) 256 * 1024 * 1024)

static const char *const guidelines[] = {
  "Look at files with read rather than with cat or sed.",
  NULL,
};

static const char description[] =
  "Read a file: text, or a picture (jpg, png, gif, webp), which is attached to the answer. At most 2000 lines or 50KB "
  "of text come at once, whichever is less; use offset and limit to go on in a long file until you have what you need.";

static const char parameters[] =
  "{\"type\":\"object\",\"required\":[\"path\"],\"properties\":{"
  "\"path\":{\"type\":\"string\",\"description\":\"File to read, absolute or relative to the working directory\"},"
  "\"offset\":{\"type\":\"number\",\"description\":\"First line to read, counted from 1\"},"
  "\"limit\":{\"type\":\"number\",\"description\":\"How many lines to read at most\"}}}";

typedef struct
{
  char *given_path; /* as the model wrote it */
  char *path;
  gint64 offset;
  gint64 limit; /* -1: none given */
  gboolean accepts_images;
  gboolean resize;
  TauFileRecord *record;
} ReadJob;

static void
read_job_free (ReadJob *job)
{
  g_free (job->given_path);
  g_free (job->path);
  g_object_unref (job->record);
  g_free (job);
}

/* Opens regular files only. The flag keeps open() from waiting for the other end of a pipe, and read() from waiting
 * for the kernel's next message in some files of /proc. */
static int
open_file (const char   *path,
           struct stat  *status,
           GError      **error)
{
  int fd;

  if (access (path, R_OK) != 0)
    {
      tau_file_error_set (error, errno, "access", path);
      return -1;
    }
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || fstat (fd, status) != 0)
    {
      tau_file_error_set (error, errno, "open", path);
      return fd;
    }
  if (S_ISREG (status->st_mode))
    return fd;

  if (S_ISDIR (status->st_mode))
    tau_file_error_set (error, EISDIR, "read", path);
  else
    g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Not a regular file: %s", path);
  close (fd);
  return -1;
}

/* Reads up to @size bytes; less at the end of the file only. */
static gssize
read_piece (int           fd,
            char         *buffer,
            gsize         size,
            const char   *path,
            GError      **error)
{
  gsize length = 0;

  while (length < size)
    {
      gssize n = read (fd, buffer + length, size - length);

      if (n == 0)
        break;
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          tau_file_error_set (error, errno, "read", path);
          return -1;
        }
      length += n;
    }
  return length;
}

static TauToolOutcome *
image_outcome (ReadJob      *job,
               const guint8 *bytes,
               gsize         length,
               const char   *mime_type)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(TauFittedImage) image = NULL;
  g_autoptr(GString) text = g_string_new (NULL);

  if (job->resize)
    image = tau_image_fit (bytes, length, mime_type);
  else
    {
      image = g_new0 (TauFittedImage, 1);
      image->data = g_base64_encode (bytes, length);
      image->mime_type = mime_type;
    }

  g_string_append_printf (text, "Read image file [%s]", image->mime_type);
  if (image->data == NULL)
    g_string_append (text, "\n[Image omitted: could not be resized below the inline image size limit.]");
  if (image->note != NULL)
    g_string_append_printf (text, "\n%s", image->note);
  if (!job->accepts_images)
    g_string_append (text, "\n[Current model does not support images. The image will be omitted from this request.]");

  g_ptr_array_add (blocks, tau_block_new_text (text->str, NULL));
  if (image->data != NULL)
    g_ptr_array_add (blocks, tau_block_new_image (image->data, image->mime_type));
  return tau_tool_outcome_new (blocks, NULL, FALSE, FALSE);
}

/* Reads the whole picture behind its @head. */
static TauToolOutcome *
read_image (ReadJob      *job,
            int           fd,
            goffset       size,
            const char   *mime_type,
            GError      **error)
{
  g_autofree char *bytes = NULL;
  gssize length;

  if (size > MAX_IMAGE_BYTES)
    return tau_tool_outcome_new_text ("[Image omitted: could not be resized below the inline image size limit.]", NULL);
  if (lseek (fd, 0, SEEK_SET) != 0)
    {
      tau_file_error_set (error, errno, "read", job->path);
      return NULL;
    }

  bytes = g_malloc (size + 1);
  length = read_piece (fd, bytes, size, job->path, error);
  return length < 0 ? NULL : image_outcome (job, (const guint8 *) bytes, length, mime_type);
}

static JsonNode *
truncation_details (TauTruncation *truncation)
{
  JsonObject *object = json_object_new ();

  json_object_set_member (object, "truncation", tau_truncation_to_json (truncation));
  return tau_json_node_new_object (object);
}

/* What the model must know of the lines that it does not see. */
static void
append_notice (GString             *text,
               ReadJob             *job,
               const TauLineWindow *window,
               TauTruncation       *truncation)
{
  const gint64 first = window->start + 1;
  const gint64 total = window->line + 1;
  const gint64 last = first + truncation->output_lines - 1;

  if (truncation->first_line_exceeds_limit)
    {
      g_autofree char *size = tau_text_format_size (window->first_line_bytes);

      g_string_append_printf (text, "[Line %" G_GINT64_FORMAT " is %s, exceeds 50.0KB limit. Use bash: sed -n '%" G_GINT64_FORMAT "p' %s | head -c %" G_GINT64_FORMAT "]",
                              first, size, first, job->given_path, TAU_TRUNCATE_MAX_BYTES);
    }
  else if (truncation->truncated)
    g_string_append_printf (text, "\n\n[Showing lines %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT "%s. Use offset=%" G_GINT64_FORMAT " to continue.]",
                            first, last, total, truncation->by == TAU_TRUNCATED_BY_LINES ? "" : " (50.0KB limit)", last + 1);
  else if (window->end < total)
    g_string_append_printf (text, "\n\n[%" G_GINT64_FORMAT " more lines in file. Use offset=%" G_GINT64_FORMAT " to continue.]",
                            total - window->end, window->end + 1);
}

static TauToolOutcome *
text_outcome (ReadJob        *job,
              TauLineWindow  *window,
              const char     *encoding,
              GError        **error)
{
  g_autoptr(TauTruncation) truncation = NULL;
  g_autoptr(JsonNode) details = NULL;
  g_autoptr(GString) text = NULL;
  g_autofree char *content = NULL;

  if (window->start > window->line)
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED,
                   "Offset %" G_GINT64_FORMAT " is beyond end of file (%" G_GINT64_FORMAT " lines total)",
                   job->offset, window->line + 1);
      return NULL;
    }

  truncation = tau_line_window_truncate (window);
  content = tau_tool_text_from_bytes (truncation->content, truncation->output_bytes);
  text = g_string_new (content);
  append_notice (text, job, window, truncation);
  if (!g_str_equal (encoding, "UTF-8"))
    g_string_append_printf (text, "\n\n[This file is not UTF-8. It was read as %s.]", encoding);
  if (truncation->truncated)
    details = truncation_details (truncation);
  return tau_tool_outcome_new_text (text->str, details);
}

static TauToolOutcome *
read_text (ReadJob       *job,
           int            fd,
           char          *buffer,
           gssize         length,
           GCancellable  *cancellable,
           GError       **error)
{
  const gint64 start = MAX (0, job->offset - 1);
  const char *encoding = tau_text_decoder_guess (buffer, length, (gsize) length < HEAD_BYTES);
  g_autoptr(TauTextDecoder) decoder = tau_text_decoder_new (encoding);
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GChecksum) checksum = g_checksum_new (TAU_CONTENT_CHECKSUM);
  g_auto(TauLineWindow) window = { 0 };

  tau_line_window_init (&window, start, job->limit < 0 ? G_MAXINT64 : start + job->limit);
  while (length > 0)
    {
      if (g_cancellable_is_cancelled (cancellable))
        {
          g_set_error_literal (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_ABORTED, "Operation aborted");
          return NULL;
        }
      g_checksum_update (checksum, (const guchar *) buffer, length);
      tau_text_decoder_push (decoder, buffer, length, text);
      tau_line_window_push (&window, text->str, text->len);
      g_string_truncate (text, 0);
      length = read_piece (fd, buffer, HEAD_BYTES, job->path, error);
    }
  if (length < 0)
    return NULL;

  tau_text_decoder_finish (decoder, text);
  tau_line_window_push (&window, text->str, text->len);
  tau_file_record_note (job->record, job->path, g_checksum_get_string (checksum));
  return text_outcome (job, &window, encoding, error);
}

static TauToolOutcome *
read_file (ReadJob       *job,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autofree char *buffer = g_malloc (HEAD_BYTES);
  TauToolOutcome *outcome = NULL;
  struct stat status;
  const char *mime_type;
  gssize length;
  int fd = open_file (job->path, &status, error);

  if (fd < 0)
    return NULL;

  length = read_piece (fd, buffer, HEAD_BYTES, job->path, error);
  if (length >= 0)
    {
      mime_type = tau_image_sniff_type ((const guint8 *) buffer, MIN ((gsize) length, SNIFF_BYTES));
      outcome = mime_type != NULL ? read_image (job, fd, status.st_size, mime_type, error)
                                  : read_text (job, fd, buffer, length, cancellable, error);
    }
  close (fd);
  return outcome;
}

static void
read_in_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  GError *error = NULL;
  TauToolOutcome *outcome = read_file (task_data, cancellable, &error);

  tau_builtin_tool_return_outcome (task, outcome, error);
}

/* A number of lines from what may be any JSON number. */
static gint64
get_lines (JsonNode   *arguments,
           const char *name,
           gint64      fallback)
{
  double number = tau_json_get_double (arguments, name, fallback);

  return (gint64) CLAMP (number, -1e15, 1e15);
}

static void
execute (TauToolContext *context,
         TauToolRun     *run,
         GTask          *task)
{
  g_autoptr(GTask) owned = task;
  JsonNode *arguments = tau_tool_run_get_arguments (run);
  ReadJob *job = g_new0 (ReadJob, 1);

  job->given_path = g_strdup (tau_json_get_string (arguments, "path", ""));
  job->path = tau_paths_resolve_existing (tau_tool_context_get_cwd (context), job->given_path);
  job->offset = get_lines (arguments, "offset", 0);
  job->limit = tau_json_get (arguments, "limit") != NULL ? MAX (0, get_lines (arguments, "limit", 0)) : -1;
  job->accepts_images = tau_tool_context_get_accepts_images (context);
  job->record = g_object_ref (tau_tool_context_get_file_record (context));
  job->resize = tau_tool_context_get_auto_resize_images (context);
  g_task_set_task_data (task, job, (GDestroyNotify) read_job_free);
  tau_task_run_in_thread (task, read_in_thread);
}

static const TauBuiltinToolInfo info = {
  .name = "read",
  .label = "Read",
  .description = description,
  .parameters = parameters,
  .snippet = "Read text files and pictures",
  .guidelines = guidelines,
  .execute = execute,
};

/**
 * tau_read_tool_new:
 * @context: what the tools of a session share
 *
 * Makes the read tool.
 *
 * Returns: (transfer full): the tool
 */
TauTool *
tau_read_tool_new (TauToolContext *context)
{
  return tau_builtin_tool_new (&info, context);
}
