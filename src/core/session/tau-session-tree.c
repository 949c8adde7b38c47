/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-tree.h"

#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/base/tau-text.h"

/**
 * TauSessionTree:
 *
 * What the lines of a session file mean together: each entry hangs on its parent, and the way from the root to the
 * leaf is the conversation that is shown. The leaf is not stored: after loading it is the last entry.
 *
 * Live; owned by the file. Files in the wild have ids twice (the later one counts), parents that do not exist (such an
 * entry is a root) and, after damage, parents in a circle (the walk stops where it would come back).
 */
struct _TauSessionTree
{
  GObject parent_instance;

  GPtrArray       *entries;   /* of TauSessionEntry */
  GHashTable      *by_id;     /* char * of the entry → the entry; both borrowed from @entries */
  TauSessionEntry *leaf;      /* borrowed from @entries */
};

G_DEFINE_FINAL_TYPE (TauSessionTree, tau_session_tree, G_TYPE_OBJECT)

static void
tau_session_tree_finalize (GObject *object)
{
  TauSessionTree *self = TAU_SESSION_TREE (object);

  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->entries);

  G_OBJECT_CLASS (tau_session_tree_parent_class)->finalize (object);
}

static void
tau_session_tree_class_init (TauSessionTreeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_session_tree_finalize;
}

static void
tau_session_tree_init (TauSessionTree *self)
{
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
}

/**
 * tau_session_tree_new:
 *
 * Returns: (transfer full): a tree without entries
 */
TauSessionTree *
tau_session_tree_new (void)
{
  return g_object_new (TAU_TYPE_SESSION_TREE, NULL);
}

/**
 * tau_session_tree_absorb:
 * @self: a tree
 * @entry: an entry that somebody else wrote
 *
 * Adds an entry without going there.
 */
void
tau_session_tree_absorb (TauSessionTree  *self,
                         TauSessionEntry *entry)
{
  const char *id;

  g_return_if_fail (TAU_IS_SESSION_TREE (self));

  g_ptr_array_add (self->entries, tau_session_entry_ref (entry));
  id = tau_session_entry_get_id (entry);
  if (id != NULL)
    g_hash_table_replace (self->by_id, (gpointer) id, entry);
}

/**
 * tau_session_tree_append:
 * @self: a tree
 * @entry: the next entry
 *
 * Adds an entry and makes it the leaf. One without an id cannot be a parent, so it does not become the leaf.
 */
void
tau_session_tree_append (TauSessionTree  *self,
                         TauSessionEntry *entry)
{
  g_return_if_fail (TAU_IS_SESSION_TREE (self));

  tau_session_tree_absorb (self, entry);
  if (tau_session_entry_get_id (entry) != NULL)
    self->leaf = entry;
}

/**
 * tau_session_tree_get_entries:
 * @self: a tree
 *
 * Returns: (transfer none) (element-type TauSessionEntry): all entries in the order of the file
 */
GPtrArray *
tau_session_tree_get_entries (TauSessionTree *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_TREE (self), NULL);

  return self->entries;
}

/**
 * tau_session_tree_lookup:
 * @self: a tree
 * @id: (nullable): an id
 *
 * Returns: (transfer none) (nullable): the last entry with that id
 */
TauSessionEntry *
tau_session_tree_lookup (TauSessionTree *self,
                         const char     *id)
{
  g_return_val_if_fail (TAU_IS_SESSION_TREE (self), NULL);

  return id != NULL ? g_hash_table_lookup (self->by_id, id) : NULL;
}

/**
 * tau_session_tree_get_leaf:
 * @self: a tree
 *
 * Returns: (transfer none) (nullable): where the next entry goes; %NULL: it will be a root
 */
TauSessionEntry *
tau_session_tree_get_leaf (TauSessionTree *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_TREE (self), NULL);

  return self->leaf;
}

/**
 * tau_session_tree_set_leaf:
 * @self: a tree
 * @leaf: (nullable): an entry of this tree, or %NULL to begin at the root again
 *
 * Moves to another place of the conversation. Nothing is written: without a following append it is forgotten.
 */
void
tau_session_tree_set_leaf (TauSessionTree  *self,
                           TauSessionEntry *leaf)
{
  g_return_if_fail (TAU_IS_SESSION_TREE (self));

  self->leaf = leaf;
}

/* From @leaf to the root. Without @seen a circle is noticed only by its length; returns whether there is none. */
static gboolean
walk_up (TauSessionTree  *self,
         TauSessionEntry *leaf,
         GPtrArray       *path,
         GHashTable      *seen)
{
  for (TauSessionEntry *entry = leaf; entry != NULL && (seen == NULL || g_hash_table_add (seen, entry));)
    {
      if (path->len > self->entries->len)
        return FALSE;
      g_ptr_array_add (path, tau_session_entry_ref (entry));
      entry = tau_session_tree_lookup (self, tau_session_entry_get_parent_id (entry));
    }
  return TRUE;
}

/**
 * tau_session_tree_get_parent:
 * @self: a tree
 * @entry: an entry of it
 *
 * For a look at the last few entries of a branch. Whoever goes further may come to a circle, which
 * tau_session_tree_dup_path() leaves.
 *
 * Returns: (transfer none) (nullable): what @entry hangs on
 */
TauSessionEntry *
tau_session_tree_get_parent (TauSessionTree  *self,
                             TauSessionEntry *entry)
{
  g_return_val_if_fail (TAU_IS_SESSION_TREE (self), NULL);

  return tau_session_tree_lookup (self, tau_session_entry_get_parent_id (entry));
}

/**
 * tau_session_tree_dup_path:
 * @self: a tree
 * @leaf: (nullable): an entry of this tree
 *
 * Returns: (transfer full) (element-type TauSessionEntry): the entries from the root to @leaf; empty without a leaf
 */
GPtrArray *
tau_session_tree_dup_path (TauSessionTree  *self,
                           TauSessionEntry *leaf)
{
  GPtrArray *path;

  g_return_val_if_fail (TAU_IS_SESSION_TREE (self), NULL);

  path = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_session_entry_unref);
  if (!walk_up (self, leaf, path, NULL))
    {
      g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);

      g_ptr_array_set_size (path, 0);
      walk_up (self, leaf, path, seen);
    }
  for (guint i = 0; i < path->len / 2; i++)
    {
      gpointer swapped = path->pdata[i];

      path->pdata[i] = path->pdata[path->len - 1 - i];
      path->pdata[path->len - 1 - i] = swapped;
    }
  return path;
}

/**
 * tau_session_tree_dup_name:
 * @self: a tree
 *
 * Returns: (transfer full) (nullable): the name that the user gave last, on whichever branch; %NULL if there is none
 */
char *
tau_session_tree_dup_name (TauSessionTree *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_TREE (self), NULL);

  for (guint i = self->entries->len; i > 0; i--)
    {
      TauSessionEntry *entry = g_ptr_array_index (self->entries, i - 1);
      g_autoptr(JsonNode) json = NULL;
      g_autofree char *name = NULL;

      if (tau_session_entry_get_kind (entry) != TAU_ENTRY_SESSION_INFO)
        continue;
      json = tau_session_entry_dup_json (entry);
      name = tau_text_trim (tau_json_get_string (json, "name", ""));
      return *name != '\0' ? g_steal_pointer (&name) : NULL;
    }
  return NULL;
}

/**
 * tau_session_tree_dup_label:
 * @self: a tree
 * @id: an entry's id
 *
 * Returns: (transfer full) (nullable): the label that it got last, on whichever branch; %NULL if it has none
 */
char *
tau_session_tree_dup_label (TauSessionTree *self,
                            const char     *id)
{
  g_return_val_if_fail (TAU_IS_SESSION_TREE (self), NULL);

  for (guint i = self->entries->len; i > 0; i--)
    {
      TauSessionEntry *entry = g_ptr_array_index (self->entries, i - 1);
      g_autoptr(JsonNode) json = NULL;
      const char *label;

      if (tau_session_entry_get_kind (entry) != TAU_ENTRY_LABEL)
        continue;
      json = tau_session_entry_dup_json (entry);
      if (g_strcmp0 (tau_json_get_string (json, "targetId", NULL), id) != 0)
        continue;
      label = tau_json_get_string (json, "label", "");
      return *label != '\0' ? g_strdup (label) : NULL;
    }
  return NULL;
}

static gboolean
is_taken (const char *id,
          gpointer    user_data)
{
  TauSessionTree *self = user_data;

  return g_hash_table_contains (self->by_id, id);
}

/**
 * tau_session_tree_make_id:
 * @self: a tree
 *
 * Returns: (transfer full): an id that no entry has
 */
char *
tau_session_tree_make_id (TauSessionTree *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_TREE (self), NULL);

  return tau_id_new_entry (is_taken, self);
}
