/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-edit-tool.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/tool/tau-builtin-tool.h"
#include "core/tool/tau-edit-diff.h"
#include "core/tool/tau-file-error.h"
#include "core/tool/tau-file-replace.h"
#include "core/tool/tau-tool-text.h"

#include <errno.h>
#include <unistd.h>

/* The edit tool: exact replacements in one file, all or none. What is replaced is tau-edit-match's business, how the
 * file is written tau-file-replace's. Changes to one file wait for each other; see TauFileQueue. */

static const char *const guidelines[] = {
  "With edit, oldText must match the file exactly, blanks and line ends included.",
  "Change several places of one file by one edit call with several entries in edits rather than by several calls.",
  "Each oldText is looked for in the file as it was before the call. Entries must not overlap; merge those that touch.",
  "Keep oldText as short as it can be and still occur only once; do not copy long unchanged stretches into it.",
  NULL,
};

static const char description[] =
  "Change a file by replacing exact pieces of text. Each oldText must occur exactly once in the file. Use one call with "
  "several edits for several places; they must not overlap.";

static const char parameters[] =
  "{\"type\":\"object\",\"required\":[\"path\",\"edits\"],\"properties\":{"
  "\"path\":{\"type\":\"string\",\"description\":\"File to change, absolute or relative to the working directory\"},"
  "\"edits\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"oldText\",\"newText\"],\"properties\":{"
  "\"oldText\":{\"type\":\"string\",\"description\":\"Exact text to replace; occurs once in the file and in no other edit\"},"
  "\"newText\":{\"type\":\"string\",\"description\":\"Text that takes its place\"}},\"additionalProperties\":false},"
  "\"description\":\"One or more replacements, all matched against the file as it is\"}},\"additionalProperties\":false}";

typedef struct
{
  char *given_path; /* as the model wrote it */
  char *path;
  TauEdit *edits;
  guint n_edits;
  char *call_id;
  TauFileRecord *record;
  TauCheckpoints *checkpoints; /* nullable */
} EditJob;

static void
edit_job_free (gpointer data)
{
  EditJob *job = data;

  for (guint i = 0; i < job->n_edits; i++)
    {
      g_free ((char *) job->edits[i].old_text);
      g_free ((char *) job->edits[i].new_text);
    }
  g_free (job->edits);
  g_free (job->given_path);
  g_free (job->path);
  g_free (job->call_id);
  g_object_unref (job->record);
  g_clear_object (&job->checkpoints);
  g_free (job);
}

static const char *
get_own_string (JsonObject *object,
                const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return tau_json_get_string (node, NULL, NULL);
}

/* The edits as an array of our own: given as one, or as JSON text of one; else an empty one. */
static JsonArray *
copy_edits (JsonNode *edits,
            gboolean *known)
{
  g_autoptr(JsonNode) parsed = NULL;
  JsonArray *copy = json_array_new ();
  JsonArray *array;

  if (tau_json_get_string (edits, NULL, NULL) != NULL)
    parsed = tau_json_parse (tau_json_get_string (edits, NULL, NULL), -1, NULL);
  array = tau_json_get_array (parsed != NULL ? parsed : edits, NULL);
  *known = array != NULL;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    json_array_add_element (copy, json_node_ref (json_array_get_element (array, i)));
  return copy;
}

/* Models that learnt older forms of this tool send one oldText and newText beside the path, or the array as text. */
static JsonNode *
prepare (JsonNode *arguments)
{
  JsonObject *given = tau_json_get_object (arguments, NULL);
  const char *old_text, *new_text;
  JsonObject *object;
  JsonArray *edits;
  JsonNode *member;
  JsonObjectIter iter;
  const char *name;
  gboolean legacy, known;

  if (given == NULL)
    return json_node_ref (arguments);

  old_text = get_own_string (given, "oldText");
  new_text = get_own_string (given, "newText");
  legacy = old_text != NULL && new_text != NULL;
  edits = copy_edits (json_object_get_member (given, "edits"), &known);
  object = json_object_new ();
  json_object_iter_init_ordered (&iter, given);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    if (!(legacy && (g_str_equal (name, "oldText") || g_str_equal (name, "newText")))
        && !((legacy || known) && g_str_equal (name, "edits")))
      json_object_set_member (object, name, json_node_ref (member));

  if (legacy)
    {
      JsonObject *edit = json_object_new ();

      json_object_set_string_member (edit, "oldText", old_text);
      json_object_set_string_member (edit, "newText", new_text);
      json_array_add_object_element (edits, edit);
    }
  if (legacy || known)
    json_object_set_array_member (object, "edits", edits);
  else
    json_array_unref (edits);
  return tau_json_node_new_object (object);
}

static gboolean
read_file (EditJob  *job,
           char    **bytes,
           gsize    *length,
           GError  **error)
{
  g_autoptr(GError) local_error = NULL;

  if (access (job->path, R_OK | W_OK) != 0)
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Could not edit file: %s. Error code: %s.",
                   job->given_path, tau_file_error_get_code (errno));
      return FALSE;
    }
  if (g_file_test (job->path, G_FILE_TEST_IS_DIR))
    {
      tau_file_error_set (error, EISDIR, "read", job->path);
      return FALSE;
    }
  /* A pipe would be waited for, a device has no end. */
  if (!g_file_test (job->path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, "Not a regular file: %s", job->path);
      return FALSE;
    }
  if (!g_file_get_contents (job->path, bytes, length, &local_error))
    {
      g_set_error_literal (error, TAU_TOOL_ERROR, TAU_TOOL_ERROR_FAILED, local_error->message);
      return FALSE;
    }
  return TRUE;
}

static JsonNode *
make_details (const char          *bytes,
              gsize                length,
              const TauEditResult *result)
{
  JsonObject *object = json_object_new ();
  g_autoptr(GString) diff = NULL;
  g_autofree char *text = NULL;
  gint64 first_changed_line;

  diff = tau_edit_diff (bytes, length, result, &first_changed_line);
  text = tau_tool_text_from_bytes (diff->str, diff->len);
  json_object_set_string_member (object, "diff", text);
  if (first_changed_line > 0)
    json_object_set_int_member (object, "firstChangedLine", first_changed_line);
  return tau_json_node_new_object (object);
}

/* The new content: what stays and what comes, one after another; nothing is copied. */
static GArray *
make_pieces (const char          *bytes,
             gsize                length,
             const TauEditResult *result)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (TauIoPiece));
  TauIoPiece piece;
  gsize done = 0;

  for (guint i = 0; i < result->hunks->len; i++)
    {
      const TauEditHunk *hunk = &g_array_index (result->hunks, TauEditHunk, i);

      piece = (TauIoPiece) { bytes + done, hunk->start - done };
      g_array_append_val (pieces, piece);
      piece = (TauIoPiece) { hunk->bytes->str, hunk->bytes->len };
      g_array_append_val (pieces, piece);
      done = hunk->end;
    }
  piece = (TauIoPiece) { bytes + done, length - done };
  g_array_append_val (pieces, piece);
  return pieces;
}

static TauToolOutcome *
edit_file (gpointer       data,
           GCancellable  *cancellable,
           GError       **error)
{
  EditJob *job = data;
  g_autofree char *bytes = NULL;
  g_autofree char *digest = NULL;
  g_autoptr(TauEditResult) result = NULL;
  g_autoptr(JsonNode) details = NULL;
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GArray) pieces = NULL;
  TauFileReplacement replacement = { .path = job->path, .call_id = job->call_id };

  if (!read_file (job, &bytes, &replacement.length, error))
    return NULL;
  result = tau_edit_apply (job->given_path, bytes, replacement.length, job->edits, job->n_edits, error);
  if (result == NULL)
    return NULL;

  g_string_append_printf (text, "Successfully replaced %u block(s) in %s.", job->n_edits, job->given_path);
  digest = g_compute_checksum_for_data (TAU_CONTENT_CHECKSUM, (const guchar *) bytes, replacement.length);
  pieces = make_pieces (bytes, replacement.length, result);
  replacement.before = digest;
  replacement.data = bytes;
  replacement.pieces = (const TauIoPiece *) pieces->data;
  replacement.n_pieces = pieces->len;
  replacement.drifted = tau_file_record_has_drifted (job->record, job->path, digest);
  if (!tau_file_replace (&replacement, job->record, job->checkpoints, text, error))
    return NULL;

  details = make_details (bytes, replacement.length, result);
  if (result->inexact)
    g_string_append (text, "\n[Not every oldText matched exactly; differences of quotes, dashes, spaces and Unicode forms were ignored.]");
  if (replacement.drifted)
    g_string_append (text, "\n[The file had changed since you read it. Read it again to see the other changes.]");
  return tau_tool_outcome_new_text (text->str, details);
}

static void
edited_cb (GObject      *object,
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
  JsonArray *edits = tau_json_get_array (arguments, "edits");
  EditJob *job = g_new0 (EditJob, 1);

  job->given_path = g_strdup (tau_json_get_string (arguments, "path", ""));
  job->path = tau_paths_resolve (tau_tool_context_get_cwd (context), job->given_path);
  job->n_edits = edits != NULL ? json_array_get_length (edits) : 0;
  job->edits = g_new0 (TauEdit, job->n_edits);
  for (guint i = 0; i < job->n_edits; i++)
    {
      JsonNode *edit = json_array_get_element (edits, i);
      TauEdit *to = &job->edits[i];

      to->old_text = tau_tool_text_to_bytes (tau_json_get_string (edit, "oldText", ""), &to->old_length);
      to->new_text = tau_tool_text_to_bytes (tau_json_get_string (edit, "newText", ""), &to->new_length);
    }
  job->call_id = g_strdup (tau_tool_run_get_call_id (run));
  job->record = g_object_ref (tau_tool_context_get_file_record (context));
  g_set_object (&job->checkpoints, tau_tool_context_get_checkpoints (context));
  tau_file_queue_run_async (tau_tool_context_get_file_queue (context), job->path, edit_file, job, edit_job_free,
                            g_task_get_cancellable (task), edited_cb, task);
}

static const TauBuiltinToolInfo info = {
  .name = "edit",
  .label = "Edit",
  .description = description,
  .parameters = parameters,
  .snippet = "Replace exact text in a file, several places in one call",
  .guidelines = guidelines,
  .prepare = prepare,
  .execute = execute,
};

/**
 * tau_edit_tool_new:
 * @context: what the tools of a session share
 *
 * Makes the edit tool.
 *
 * Returns: (transfer full): the tool
 */
TauTool *
tau_edit_tool_new (TauToolContext *context)
{
  return tau_builtin_tool_new (&info, context);
}
