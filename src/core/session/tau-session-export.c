/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-export.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-io.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-task.h"
#include "core/base/tau-text.h"
#include "core/session/tau-session-export-private.h"
#include "core/session/tau-session-redact.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Writes the shown branch of a session for others to read. The session's file is only read, and keys are taken out of
 * whatever is written. */
#define TITLE_MAX 120

static const char * const endings[] = { "html", "md", "jsonl" };

/**
 * tau_session_export_guess_format:
 * @output: a file's name
 *
 * Returns: what its ending asks for, HTML if that is no other
 */
TauExportFormat
tau_session_export_guess_format (const char *output)
{
  g_autofree char *lower = g_ascii_strdown (output, -1);

  if (g_str_has_suffix (lower, ".jsonl"))
    return TAU_EXPORT_JSONL;
  if (g_str_has_suffix (lower, ".md") || g_str_has_suffix (lower, ".markdown"))
    return TAU_EXPORT_MARKDOWN;
  return TAU_EXPORT_HTML;
}

/**
 * tau_session_export_default_name:
 * @path: a session file
 * @format: what it is written as
 *
 * Returns: (transfer full): the name that pi gives to an export: "pi-session-NAME.html"
 */
char *
tau_session_export_default_name (const char      *path,
                                 TauExportFormat  format)
{
  g_autofree char *name = g_path_get_basename (path);

  if (g_str_has_suffix (name, ".jsonl"))
    name[strlen (name) - strlen (".jsonl")] = '\0';
  return g_strdup_printf ("pi-session-%s.%s", name, endings[format]);
}

static char *
dup_title (TauSessionTree *tree,
           GPtrArray      *parts)
{
  g_autofree char *title = tau_session_tree_dup_name (tree);
  g_autofree char *valid = NULL;

  for (guint i = 0; title == NULL && i < parts->len; i++)
    {
      TauExportPart *part = g_ptr_array_index (parts, i);

      if (part->kind == TAU_EXPORT_PART_USER)
        title = g_strdup (part->text);
    }
  valid = tau_text_make_valid (title != NULL ? title : _("Session"), -1);
  g_strdelimit (g_strstrip (valid), "\n\r\t", ' ');
  return g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), TITLE_MAX));
}

static GString *
make_document (TauSessionFile  *file,
               GPtrArray       *path,
               TauExportFormat  format)
{
  TauSessionTree *tree = tau_session_file_get_tree (file);
  TauSessionEntry *header = tau_session_file_get_header (file);
  const char *named = tau_session_file_get_cwd (file);
  g_autoptr(GPtrArray) parts = tau_session_export_collect (path);
  g_autofree char *title = dup_title (tree, parts);
  g_autofree char *cwd = tau_text_make_valid (named != NULL ? named : "", -1);
  g_autofree char *folder = tau_paths_shorten (cwd);
  TauExportHead head = {
    .title = title,
    .folder = folder,
    .created_ms = header != NULL ? tau_session_entry_get_time (header) : 0,
    .n_hidden = tau_session_tree_get_entries (tree)->len - MIN (path->len, tau_session_tree_get_entries (tree)->len),
  };

  return format == TAU_EXPORT_HTML ? tau_session_export_html (&head, parts) : tau_session_export_markdown (&head, parts);
}

static void
append_line (GString    *out,
             JsonObject *object)
{
  g_autoptr(JsonNode) node = tau_json_node_new_object (json_object_ref (object));

  tau_json_append (out, node);
  g_string_append_c (out, '\n');
}

/* That of the file, or a new one. */
static JsonNode *
make_header (TauSessionFile *file)
{
  TauSessionEntry *header = tau_session_file_get_header (file);
  const char *cwd = tau_session_file_get_cwd (file);
  g_autofree char *id = header == NULL ? tau_id_new_uuid_v7 () : NULL;
  g_autoptr(TauSessionEntry) made = NULL;

  if (header == NULL)
    header = made = tau_session_entry_new_header (id, tau_clock_now_ms (), cwd != NULL ? cwd : "", NULL);
  return tau_session_entry_dup_json (header);
}

/* As pi does: the branch alone, one entry after the other, with a header of now that names no parent. */
static GString *
make_jsonl (TauSessionFile *file,
            GPtrArray      *path)
{
  g_autoptr(JsonNode) header = make_header (file);
  g_autofree char *now = tau_clock_iso (tau_clock_now_ms ());
  g_autofree char *parent = NULL;
  GString *out = g_string_new (NULL);

  json_object_set_string_member (json_node_get_object (header), "timestamp", now);
  if (json_object_has_member (json_node_get_object (header), "parentSession"))
    json_object_remove_member (json_node_get_object (header), "parentSession");
  append_line (out, json_node_get_object (header));
  for (guint i = 0; i < path->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (path, i);
      g_autoptr(JsonNode) json = tau_session_entry_dup_json (entry);

      if (json == NULL)
        continue;
      tau_json_object_set (json_node_get_object (json), "parentId", parent != NULL ? tau_json_node_new_string (parent) : tau_json_node_new_null ());
      append_line (out, json_node_get_object (json));
      g_free (parent);
      parent = g_strdup (tau_session_entry_get_id (entry));
    }
  return out;
}

/**
 * tau_session_export:
 * @path: a session file
 * @leaf_id: (nullable): the last entry of the branch; %NULL: of the file
 * @format: what to write
 * @output: where; a file that is there is replaced
 * @error: return location: %TAU_SESSION_ERROR_INVALID, %G_IO_ERROR
 *
 * Writes a session for others. Blocks.
 *
 * Returns: whether it is there
 */
gboolean
tau_session_export (const char       *path,
                    const char       *leaf_id,
                    TauExportFormat   format,
                    const char       *output,
                    GError          **error)
{
  g_autoptr(TauSessionFile) file = tau_session_file_load (path, error);
  g_autofree char *agent_dir = tau_paths_agent_dir ();
  g_auto(GStrv) secrets = NULL;
  g_autoptr(GPtrArray) branch = NULL;
  TauSessionEntry *leaf;
  GString *text;
  gboolean ok;

  if (file == NULL)
    return FALSE;
  if (tau_session_file_get_header (file) == NULL && tau_session_tree_get_entries (tau_session_file_get_tree (file))->len == 0)
    {
      g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID, _("%s is not a session: nothing in it can be read."), path);
      return FALSE;
    }
  leaf = leaf_id != NULL ? tau_session_tree_lookup (tau_session_file_get_tree (file), leaf_id) : NULL;
  if (leaf == NULL)
    leaf = tau_session_tree_get_leaf (tau_session_file_get_tree (file));
  branch = tau_session_tree_dup_path (tau_session_file_get_tree (file), leaf);
  text = format == TAU_EXPORT_JSONL ? make_jsonl (file, branch) : make_document (file, branch, format);
  secrets = tau_session_redact_dup_secrets (agent_dir);
  tau_session_redact (text, (const char * const *) secrets);
  ok = tau_io_write_atomic (output, text->str, text->len, 0644, error);
  g_string_free (text, TRUE);
  return ok;
}

typedef struct
{
  char            *path;
  char            *leaf_id;
  char            *output;
  TauExportFormat  format;
} Export;

static void
export_free (gpointer data)
{
  Export *self = data;

  g_free (self->path);
  g_free (self->leaf_id);
  g_free (self->output);
  g_free (self);
}

static void
export_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  Export *self = task_data;
  g_autoptr(GError) error = NULL;

  if (tau_session_export (self->path, self->leaf_id, self->format, self->output, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * tau_session_export_async:
 * @path: a session file
 * @leaf_id: (nullable): the last entry of the branch
 * @format: what to write
 * @output: where
 * @callback: called when done
 * @user_data: for @callback
 *
 * Does in a thread what tau_session_export() does.
 */
void
tau_session_export_async (const char          *path,
                          const char          *leaf_id,
                          TauExportFormat      format,
                          const char          *output,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Export *self = g_new (Export, 1);

  g_task_set_source_tag (task, tau_session_export_async);
  *self = (Export) { g_strdup (path), g_strdup (leaf_id), g_strdup (output), format };
  g_task_set_task_data (task, self, export_free);
  tau_task_run_in_thread (task, export_thread);
}

/**
 * tau_session_export_finish:
 * @result: what the callback got
 * @error: return location
 *
 * Returns: whether the file is there
 */
gboolean
tau_session_export_finish (GAsyncResult  *result,
                           GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
