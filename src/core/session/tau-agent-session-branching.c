/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/session/tau-branch-summary.h"
#include "core/session/tau-summarizer.h"

#include <glib/gi18n-lib.h>

/* The session as a tree: going to another place of it, labels, and copies of a branch as sessions of their own. */

#define DEFAULT_WINDOW     128000
#define RESERVE_TOKENS     16384
#define SUMMARY_MAX_TOKENS 2048

typedef struct
{
  TauSessionEntry  *target;       /* borrowed from the tree */
  char             *label;        /* nullable */
  char             *editor_text;  /* nullable: the message that is to be written anew */
  TauBranchSummary *branch;       /* nullable: what is left and to be summarised */
} Navigation;

static void
navigation_free (gpointer data)
{
  Navigation *self = data;

  g_free (self->label);
  g_free (self->editor_text);
  g_clear_pointer (&self->branch, tau_branch_summary_free);
  g_free (self);
}

static TauSessionEntry *
find_entry (TauAgentSession *self,
            const char      *id,
            GError         **error)
{
  TauSessionEntry *entry = tau_session_tree_lookup (self->tree, id);

  if (entry == NULL)
    g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, "Entry %s not found", id);
  return entry;
}

static gboolean
is_user_message (TauSessionEntry *entry)
{
  g_autoptr(TauMessage) message = tau_session_entry_get_kind (entry) == TAU_ENTRY_MESSAGE ? tau_session_entry_dup_message (entry) : NULL;

  return message != NULL && TAU_IS_USER_MESSAGE (message);
}

/* A message that a person wrote is not gone to but written anew: the place is before it. */
static TauSessionEntry *
place_for (TauAgentSession *self,
           TauSessionEntry *target,
           char           **editor_text)
{
  g_autoptr(TauMessage) message = NULL;

  if (!is_user_message (target) && tau_session_entry_get_kind (target) != TAU_ENTRY_CUSTOM_MESSAGE)
    return target;
  message = tau_session_entry_dup_message (target);
  *editor_text = message != NULL ? tau_message_dup_text (message, "") : g_strdup ("");
  return tau_session_tree_lookup (self->tree, tau_session_entry_get_parent_id (target));
}

static TauSessionEntry *
record_summary (TauAgentSession  *self,
                TauBranchSummary *branch,
                const char       *text)
{
  TauSessionEntry *leaf = tau_session_tree_get_leaf (self->tree);
  g_autofree char *summary = tau_branch_summary_build (branch, text);
  JsonObject *fields = json_object_new ();

  json_object_set_string_member (fields, "fromId", leaf != NULL ? tau_session_entry_get_id (leaf) : "root");
  json_object_set_string_member (fields, "summary", summary);
  json_object_set_member (fields, "details", tau_file_list_to_json (&branch->files));
  json_object_set_boolean_member (fields, "fromHook", FALSE);
  return tau_agent_session_record (self, TAU_ENTRY_BRANCH_SUMMARY, fields);
}

/* Moves, with what the model said about the branch that is left, if it was asked. */
static void
move (TauAgentSession *self,
      Navigation      *navigation,
      const char      *summary)
{
  TauSessionEntry *labelled = navigation->target;

  tau_session_tree_set_leaf (self->tree, place_for (self, navigation->target, &navigation->editor_text));
  if (summary != NULL)
    labelled = record_summary (self, navigation->branch, summary);
  if (navigation->label != NULL)
    tau_agent_session_set_label (self, tau_session_entry_get_id (labelled), navigation->label, NULL);
  tau_agent_session_rebuild (self);
}

static void
summarised_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  TauAgentSession *self = g_task_get_source_object (task);
  g_autoptr(GError) error = NULL;
  g_autofree char *summary = tau_summarizer_ask_finish (result, &error);

  if (summary != NULL && !self->closed)
    move (self, g_task_get_task_data (task), summary);
  g_clear_object (&self->summary_cancellable);
  tau_agent_session_after_compaction (self, FALSE);
  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_boolean (task, TRUE);
}

static void
summarise (TauAgentSession *self,
           const char      *instructions,
           gboolean         replace,
           GTask           *task)
{
  Navigation *navigation = g_task_get_task_data (task);
  g_autofree char *prompt = tau_branch_summary_build_prompt (navigation->branch, instructions, replace);

  self->summary_cancellable = g_cancellable_new ();
  tau_agent_session_set_state (self, TAU_SESSION_COMPACTING);
  tau_summarizer_ask_async (self->catalog, self->model, TAU_THINKING_OFF, prompt, SUMMARY_MAX_TOKENS,
                            self->summary_cancellable, summarised_cb, task);
}

static TauBranchSummary *
collect_branch (TauAgentSession *self,
                TauSessionEntry *target)
{
  g_autoptr(GPtrArray) from = tau_session_tree_dup_path (self->tree, tau_session_tree_get_leaf (self->tree));
  g_autoptr(GPtrArray) to = tau_session_tree_dup_path (self->tree, target);
  gint64 window = self->model != NULL ? tau_model_get_context_window (self->model) : 0;
  gint64 reserve = tau_settings_get_int (self->settings, "branchSummary.reserveTokens", RESERVE_TOKENS);

  return tau_branch_summary_new (from, to, (window > 0 ? window : DEFAULT_WINDOW) - reserve);
}

static gboolean
check_navigation (TauAgentSession            *self,
                  const TauNavigationOptions *options,
                  GError                    **error)
{
  if (self->state != TAU_SESSION_IDLE)
    g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_BUSY, _("The agent is at work."));
  else if (options->summarize && self->model == NULL)
    g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, _("There is no model that could summarise."));
  else
    return TRUE;
  return FALSE;
}

/**
 * tau_agent_session_navigate_async:
 * @self: a session
 * @entry_id: where to go
 * @options: what happens on the way
 * @callback: called when there
 * @user_data: for @callback
 *
 * Goes to another place of the tree. At a message of the user the place is before it, and its text is given back for the
 * editor. With a summary the model is asked first; tau_agent_session_abort() stops that, and nothing has changed then.
 */
void
tau_agent_session_navigate_async (TauAgentSession            *self,
                                  const char                 *entry_id,
                                  const TauNavigationOptions *options,
                                  GAsyncReadyCallback         callback,
                                  gpointer                    user_data)
{
  g_autoptr(GTask) task = NULL;
  g_autoptr(GError) error = NULL;
  Navigation *navigation;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));
  g_return_if_fail (options != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, tau_agent_session_navigate_async);
  navigation = g_new0 (Navigation, 1);
  navigation->label = g_strdup (options->label);
  g_task_set_task_data (task, navigation, navigation_free);
  navigation->target = check_navigation (self, options, &error) ? find_entry (self, entry_id, &error) : NULL;
  if (navigation->target == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (options->summarize)
    navigation->branch = collect_branch (self, navigation->target);

  if (navigation->target == tau_session_tree_get_leaf (self->tree))
    g_task_return_boolean (task, TRUE);
  else if (navigation->branch != NULL && navigation->branch->n_entries > 0)
    summarise (self, options->instructions, options->replace_instructions, g_steal_pointer (&task));
  else
    {
      move (self, navigation, NULL);
      g_task_return_boolean (task, TRUE);
    }
}

/**
 * tau_agent_session_navigate_finish:
 * @self: a session
 * @result: what the callback got
 * @editor_text: (out) (optional) (nullable) (transfer full): text of the message to be written anew
 * @error: return location: %G_IO_ERROR_CANCELLED if the summary was stopped
 *
 * Returns: whether the session is there
 */
gboolean
tau_agent_session_navigate_finish (TauAgentSession *self,
                                   GAsyncResult    *result,
                                   char           **editor_text,
                                   GError         **error)
{
  Navigation *navigation = g_task_get_task_data (G_TASK (result));

  if (editor_text != NULL)
    *editor_text = g_steal_pointer (&navigation->editor_text);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * tau_agent_session_set_label:
 * @self: a session
 * @entry_id: an entry
 * @label: (nullable): a bookmark; %NULL or "" takes it away
 * @error: return location: %TAU_SESSION_ERROR_NOT_FOUND
 *
 * Puts a bookmark on an entry. It is an entry itself and becomes the leaf.
 *
 * Returns: whether the entry exists
 */
gboolean
tau_agent_session_set_label (TauAgentSession *self,
                             const char      *entry_id,
                             const char      *label,
                             GError         **error)
{
  JsonObject *fields;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), FALSE);

  if (find_entry (self, entry_id, error) == NULL || !tau_agent_session_check_writable (self, error))
    return FALSE;
  fields = json_object_new ();
  json_object_set_string_member (fields, "targetId", entry_id);
  if (label != NULL && *label != '\0')
    json_object_set_string_member (fields, "label", label);
  tau_agent_session_record (self, TAU_ENTRY_LABEL, fields);
  return TRUE;
}

/* A copy whose parent is the last copied entry: labels are left out, and what hung on them must hang on what was before. */
static TauSessionEntry *
copy_behind (TauSessionEntry *entry,
             const char      *parent_id)
{
  g_autoptr(JsonNode) json = NULL;

  if (g_strcmp0 (tau_session_entry_get_parent_id (entry), parent_id) == 0)
    return tau_session_entry_ref (entry);
  json = tau_session_entry_dup_json (entry);
  if (json == NULL)
    return tau_session_entry_ref (entry);
  if (parent_id != NULL)
    json_object_set_string_member (json_node_get_object (json), "parentId", parent_id);
  else
    json_object_set_null_member (json_node_get_object (json), "parentId");
  return tau_session_entry_new_from_json (json);
}

static const char *
leaf_id (TauSessionFile *file)
{
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tau_session_file_get_tree (file));

  return leaf != NULL ? tau_session_entry_get_id (leaf) : NULL;
}

static void
copy_labels (TauAgentSession *self,
             TauSessionFile  *file,
             GPtrArray       *path)
{
  TauSessionTree *tree = tau_session_file_get_tree (file);

  for (guint i = 0; i < path->len; i++)
    {
      const char *target = tau_session_entry_get_id (g_ptr_array_index (path, i));
      g_autofree char *label = target != NULL ? tau_session_tree_dup_label (self->tree, target) : NULL;
      g_autofree char *id = NULL;
      g_autoptr(JsonObject) fields = NULL;
      g_autoptr(TauSessionEntry) entry = NULL;

      if (label == NULL)
        continue;
      id = tau_session_tree_make_id (tree);
      fields = json_object_new ();
      json_object_set_string_member (fields, "targetId", target);
      json_object_set_string_member (fields, "label", label);
      entry = tau_session_entry_new (TAU_ENTRY_LABEL, id, leaf_id (file), tau_clock_now_ms (), fields);
      tau_session_file_append (file, entry);
    }
}

static TauSessionFile *
copy_path (TauAgentSession *self,
           TauSessionEntry *leaf)
{
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (self->tree, leaf);
  g_autofree char *folder = g_path_get_dirname (tau_agent_session_get_path (self));
  g_autofree char *id = tau_id_new_uuid_v7 ();
  gint64 now = tau_clock_now_ms ();
  g_autofree char *new_path = tau_session_file_build_path (NULL, folder, self->cwd, now, id);
  g_autoptr(TauSessionEntry) header = tau_session_entry_new_header (id, now, self->cwd, tau_agent_session_get_path (self));
  TauSessionFile *file = tau_session_file_new (new_path, header);

  for (guint i = 0; i < path->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (path, i);
      g_autoptr(TauSessionEntry) copy = NULL;

      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_LABEL)
        continue;
      copy = copy_behind (entry, leaf_id (file));
      tau_session_file_append (file, copy);
    }
  copy_labels (self, file, path);
  return file;
}

/**
 * tau_agent_session_fork:
 * @self: a session with a file
 * @entry_id: (nullable): a message of the user: the copy ends before it; %NULL: the whole branch that is shown
 * @text: (out) (optional) (nullable) (transfer full): the text of that message, for the editor
 * @error: return location: %TAU_SESSION_ERROR, or why the copy could not be written
 *
 * Copies a branch into a session file of its own, written at once. The ids stay, labels go along.
 *
 * Returns: (transfer full) (nullable): the new file's path
 */
char *
tau_agent_session_fork (TauAgentSession *self,
                        const char      *entry_id,
                        char           **text,
                        GError         **error)
{
  g_autoptr(TauSessionFile) file = NULL;
  g_autofree char *taken = NULL;
  TauSessionEntry *leaf;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);
  g_return_val_if_fail (tau_agent_session_get_path (self) != NULL, NULL);

  leaf = entry_id != NULL ? tau_session_tree_lookup (self->tree, entry_id) : tau_session_tree_get_leaf (self->tree);
  if (leaf == NULL || (entry_id != NULL && !is_user_message (leaf)))
    {
      g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND,
                           entry_id != NULL ? "Invalid entry ID for forking" : "Cannot clone session: no current entry selected");
      return NULL;
    }
  if (entry_id != NULL)
    leaf = place_for (self, leaf, &taken);

  file = copy_path (self, leaf);
  if (!tau_session_file_create (file))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, tau_session_file_get_error (file));
      return NULL;
    }
  if (text != NULL)
    *text = g_steal_pointer (&taken);
  return g_strdup (tau_session_file_get_path (file));
}

/**
 * tau_agent_session_dup_fork_points:
 * @self: a session
 *
 * Returns: (transfer full) (element-type TauSessionEntry): messages of the user with a text, in the order of the file, of
 *   all branches
 */
GPtrArray *
tau_agent_session_dup_fork_points (TauAgentSession *self)
{
  GPtrArray *entries, *points;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  entries = tau_session_tree_get_entries (self->tree);
  points = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);
  for (guint i = 0; i < entries->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (entries, i);
      g_autoptr(TauMessage) message = is_user_message (entry) ? tau_session_entry_dup_message (entry) : NULL;
      g_autofree char *text = message != NULL ? tau_message_dup_text (message, "") : NULL;

      if (text != NULL && *text != '\0')
        g_ptr_array_add (points, tau_session_entry_ref (entry));
    }
  return points;
}
