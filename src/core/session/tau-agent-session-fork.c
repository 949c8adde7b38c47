/* SPDX-License-Identifier: MIT */
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/base/tau-task.h"
#include "core/session/tau-session-copy.h"

/* A branch of a session, copied into a file of its own. What goes there is gathered here; writing it needs nothing of the
 * session any more and is done in a thread where somebody waits for it. */

typedef struct
{
  char            *path;      /* of the new file */
  TauSessionEntry *header;
  GPtrArray       *entries;   /* of TauSessionEntry, from the root on */
  GHashTable      *labels;    /* id of an entry → its label */
  char            *text;      /* nullable: for the editor */
} Fork;

static void
fork_free (gpointer data)
{
  Fork *self = data;

  g_clear_pointer (&self->header, tau_session_entry_unref);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->labels, g_hash_table_unref);
  g_free (self->path);
  g_free (self->text);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fork, fork_free)

/* The last label of an entry counts, whatever branch it is on; an empty one takes it away. */
static GHashTable *
find_labels (TauSessionTree *tree)
{
  GPtrArray *entries = tau_session_tree_get_entries (tree);
  GHashTable *labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < entries->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (entries, i);
      g_autoptr(JsonNode) json = tau_session_entry_get_kind (entry) == TAU_ENTRY_LABEL ? tau_session_entry_dup_json (entry) : NULL;
      const char *target = tau_json_get_string (json, "targetId", NULL);
      const char *label = tau_json_get_string (json, "label", "");

      if (target != NULL && *label != '\0')
        g_hash_table_replace (labels, g_strdup (target), g_strdup (label));
      else if (target != NULL)
        g_hash_table_remove (labels, target);
    }
  return labels;
}

static Fork *
fork_new (TauAgentSession *self,
          const char      *entry_id,
          GError         **error)
{
  g_autoptr(Fork) fork = g_new0 (Fork, 1);
  g_autofree char *folder = g_path_get_dirname (tau_agent_session_get_path (self));
  g_autofree char *id = tau_id_new_uuid_v7 ();
  gint64 now = tau_clock_now_ms ();
  TauSessionEntry *leaf = entry_id != NULL ? tau_session_tree_lookup (self->tree, entry_id) : tau_session_tree_get_leaf (self->tree);

  if (leaf == NULL || (entry_id != NULL && !tau_agent_session_is_prompt (leaf)))
    {
      g_set_error_literal (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND,
                           entry_id != NULL ? "Invalid entry ID for forking" : "Cannot clone session: no current entry selected");
      return NULL;
    }
  if (entry_id != NULL)
    leaf = tau_agent_session_place_for (self, leaf, &fork->text);
  fork->entries = tau_session_tree_dup_path (self->tree, leaf);
  fork->labels = find_labels (self->tree);
  fork->path = tau_session_file_build_path (NULL, folder, self->cwd, now, id);
  fork->header = tau_session_entry_new_header (id, now, self->cwd, tau_agent_session_get_path (self));
  return g_steal_pointer (&fork);
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
leaf_id (TauSessionTree *tree)
{
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tree);

  return leaf != NULL ? tau_session_entry_get_id (leaf) : NULL;
}

static void
add_label (TauSessionTree *tree,
           const char     *target,
           const char     *label)
{
  g_autofree char *id = tau_session_tree_make_id (tree);
  g_autoptr(JsonObject) fields = json_object_new ();
  g_autoptr(TauSessionEntry) entry = NULL;

  json_object_set_string_member (fields, "targetId", target);
  json_object_set_string_member (fields, "label", label);
  entry = tau_session_entry_new (TAU_ENTRY_LABEL, id, leaf_id (tree), tau_clock_now_ms (), fields);
  tau_session_tree_append (tree, entry);
}

static gboolean
fork_write (Fork    *self,
            GError **error)
{
  g_autoptr(TauSessionTree) tree = tau_session_tree_new ();

  for (guint i = 0; i < self->entries->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (self->entries, i);
      g_autoptr(TauSessionEntry) copy = NULL;

      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_LABEL)
        continue;
      copy = copy_behind (entry, leaf_id (tree));
      tau_session_tree_append (tree, copy);
    }
  for (guint i = 0; i < self->entries->len; i++)
    {
      const char *id = tau_session_entry_get_id (g_ptr_array_index (self->entries, i));
      const char *label = id != NULL ? g_hash_table_lookup (self->labels, id) : NULL;

      if (label != NULL)
        add_label (tree, id, label);
    }
  return tau_session_copy_write (self->path, self->header, tau_session_tree_get_entries (tree), error);
}

/**
 * tau_agent_session_fork:
 * @self: a session with a file
 * @entry_id: (nullable): a message of the user: the copy ends before it; %NULL: the whole branch that is shown
 * @text: (out) (optional) (nullable) (transfer full): the text of that message, for the editor
 * @error: return location: %TAU_SESSION_ERROR, or why the copy could not be written
 *
 * Copies a branch into a session file of its own, written at once. The ids stay, labels go along. Blocking.
 *
 * Returns: (transfer full) (nullable): the new file's path
 */
char *
tau_agent_session_fork (TauAgentSession *self,
                        const char      *entry_id,
                        char           **text,
                        GError         **error)
{
  g_autoptr(Fork) fork = NULL;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);
  g_return_val_if_fail (tau_agent_session_get_path (self) != NULL, NULL);

  fork = fork_new (self, entry_id, error);
  if (fork == NULL || !fork_write (fork, error))
    return NULL;
  if (text != NULL)
    *text = g_steal_pointer (&fork->text);
  return g_steal_pointer (&fork->path);
}

static void
fork_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  g_autoptr(GError) error = NULL;

  if (fork_write (task_data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * tau_agent_session_fork_async:
 * @self: a session with a file
 * @entry_id: (nullable): a message of the user: the copy ends before it; %NULL: the whole branch that is shown
 * @callback: called when done
 * @user_data: for @callback
 *
 * As tau_agent_session_fork(), but a thread writes the file. What is said meanwhile is not in it.
 */
void
tau_agent_session_fork_async (TauAgentSession     *self,
                              const char          *entry_id,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  g_autoptr(GTask) task = NULL;
  g_autoptr(GError) error = NULL;
  Fork *fork;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));
  g_return_if_fail (tau_agent_session_get_path (self) != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, tau_agent_session_fork_async);
  fork = fork_new (self, entry_id, &error);
  if (fork == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_task_set_task_data (task, fork, fork_free);
  tau_task_run_in_thread (task, fork_thread);
}

/**
 * tau_agent_session_fork_finish:
 * @self: a session
 * @result: what the callback got
 * @text: (out) (optional) (nullable) (transfer full): the text of the message, for the editor
 * @error: return location: %TAU_SESSION_ERROR, or why the copy could not be written
 *
 * Returns: (transfer full) (nullable): the new file's path
 */
char *
tau_agent_session_fork_finish (TauAgentSession *self,
                               GAsyncResult    *result,
                               char           **text,
                               GError         **error)
{
  Fork *fork = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  if (text != NULL)
    *text = g_strdup (fork->text);
  return g_strdup (fork->path);
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
      g_autoptr(TauMessage) message = tau_agent_session_is_prompt (entry) ? tau_session_entry_dup_message (entry) : NULL;
      g_autofree char *text = message != NULL ? tau_message_dup_text (message, "") : NULL;

      if (text != NULL && *text != '\0')
        g_ptr_array_add (points, tau_session_entry_ref (entry));
    }
  return points;
}
