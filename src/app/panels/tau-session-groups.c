/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/panels/tau-session-groups.h"

/* The sidebar's list: pinned sessions, then sessions under the folder they belong to, those that were forked from
 * another one below that. The shown folder comes first, the others by their newest session. While something is searched
 * for it is what was found, the best first, under its folders. It is rebuilt when the index, the marks, the folder or
 * the search change; several changes of one turn of the main loop make one rebuild, and only the rows that differ are
 * said to have changed. */
#define MAX_DEPTH 4   /* how far forks of forks are indented */

struct _TauSessionItem
{
  GObject         parent_instance;

  TauSessionInfo *info;
  char           *folder;   /* NULL: the head of the pinned ones */
  guint           depth;
};

G_DEFINE_FINAL_TYPE (TauSessionItem, tau_session_item, G_TYPE_OBJECT)

static void
tau_session_item_finalize (GObject *object)
{
  TauSessionItem *self = TAU_SESSION_ITEM (object);

  g_clear_object (&self->info);
  g_free (self->folder);

  G_OBJECT_CLASS (tau_session_item_parent_class)->finalize (object);
}

static void
tau_session_item_class_init (TauSessionItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_session_item_finalize;
}

static void
tau_session_item_init (TauSessionItem *self)
{
}

static TauSessionItem *
item_new (TauSessionInfo *info,
          const char     *folder,
          guint           depth)
{
  TauSessionItem *item = g_object_new (TAU_TYPE_SESSION_ITEM, NULL);

  g_set_object (&item->info, info);
  item->folder = g_strdup (folder);
  item->depth = depth;
  return item;
}

static gboolean
item_equal (TauSessionItem *a,
            TauSessionItem *b)
{
  return a->info == b->info && a->depth == b->depth && g_strcmp0 (a->folder, b->folder) == 0;
}

/**
 * tau_session_item_get_info:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): the session, or %NULL for the head of a folder
 */
TauSessionInfo *
tau_session_item_get_info (TauSessionItem *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_ITEM (self), NULL);

  return self->info;
}

/**
 * tau_session_item_get_folder:
 * @self: a row
 *
 * Returns: (nullable): the folder that the row belongs to, "" if its file does not say; %NULL for the pinned ones
 */
const char *
tau_session_item_get_folder (TauSessionItem *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_ITEM (self), NULL);

  return self->folder;
}

/**
 * tau_session_item_get_depth:
 * @self: a row
 *
 * Returns: how many forks lie between the session and the one that the others come from
 */
guint
tau_session_item_get_depth (TauSessionItem *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_ITEM (self), 0);

  return self->depth;
}

struct _TauSessionGroups
{
  GObject          parent_instance;

  TauSessionIndex *index;
  gulong           index_handler;
  TauSessionMarks *marks;
  gulong           marks_handler;
  char            *folder;
  gboolean         all_folders;
  gboolean         show_archived;
  char            *query;         /* nullable */
  GPtrArray       *found;         /* of TauSessionInfo: what the search for it gave; NULL until then */
  GCancellable    *searching;     /* nullable */
  GPtrArray       *items;         /* of TauSessionItem */
  guint            rebuild_id;
};

static GType
tau_session_groups_get_item_type (GListModel *model)
{
  return TAU_TYPE_SESSION_ITEM;
}

static guint
tau_session_groups_get_n_items (GListModel *model)
{
  return TAU_SESSION_GROUPS (model)->items->len;
}

static gpointer
tau_session_groups_get_item (GListModel *model,
                             guint       position)
{
  TauSessionGroups *self = TAU_SESSION_GROUPS (model);

  return position < self->items->len ? g_object_ref (g_ptr_array_index (self->items, position)) : NULL;
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = tau_session_groups_get_item_type;
  iface->get_n_items = tau_session_groups_get_n_items;
  iface->get_item = tau_session_groups_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TauSessionGroups, tau_session_groups, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

static const char *
place_of (TauSessionGroups *self,
          TauSessionInfo   *info)
{
  const char *cwd = tau_session_info_get_cwd (info);

  return self->marks != NULL ? tau_session_marks_get_folder (self->marks, cwd) : cwd;
}

static gboolean
has_mark (TauSessionGroups *self,
          TauSessionInfo   *info,
          TauSessionMark    mark)
{
  return self->marks != NULL && tau_session_marks_get (self->marks, tau_session_info_get_id (info), mark);
}

static gboolean
is_listed (TauSessionGroups *self,
           TauSessionInfo   *info)
{
  if (!self->all_folders && self->folder != NULL && g_strcmp0 (place_of (self, info), self->folder) != 0)
    return FALSE;
  return self->found != NULL || self->show_archived || !has_mark (self, info, TAU_SESSION_MARK_ARCHIVED);
}

static GPtrArray *
list_infos (TauSessionGroups *self)
{
  GPtrArray *infos = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = self->found != NULL ? self->found->len : self->index != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->index)) : 0;

  for (guint i = 0; i < n; i++)
    {
      TauSessionInfo *info = self->found != NULL ? g_object_ref (g_ptr_array_index (self->found, i))
                                                 : g_list_model_get_item (G_LIST_MODEL (self->index), i);

      if (is_listed (self, info))
        g_ptr_array_add (infos, info);
      else
        g_object_unref (info);
    }
  return infos;
}

/* A thread is shown where its newest session would be. */
typedef struct
{
  GHashTable *by_path;    /* path → info, of one folder */
  GHashTable *children;   /* path → GPtrArray of info, newest first */
  GHashTable *shown;      /* of info */
  GPtrArray  *items;
  const char *folder;
} Threads;

static TauSessionInfo *
find_parent (Threads        *self,
             TauSessionInfo *info)
{
  const char *path = tau_session_info_get_parent_path (info);
  TauSessionInfo *parent = path != NULL ? g_hash_table_lookup (self->by_path, path) : NULL;

  return parent != info ? parent : NULL;
}

/* A file may claim anything, also that two sessions come from each other: no more steps than there are sessions. */
static TauSessionInfo *
find_root (Threads        *self,
           TauSessionInfo *info)
{
  guint left = g_hash_table_size (self->by_path);

  for (TauSessionInfo *parent = find_parent (self, info); parent != NULL; parent = find_parent (self, info))
    {
      if (left-- == 0)
        break;
      info = parent;
    }
  return info;
}

static void
add_thread (Threads        *self,
            TauSessionInfo *root)
{
  g_autoptr(GPtrArray) stack = g_ptr_array_new_with_free_func (g_object_unref);   /* of TauSessionItem */

  g_ptr_array_add (stack, item_new (root, self->folder, 0));
  while (stack->len > 0)
    {
      g_autoptr(TauSessionItem) item = g_ptr_array_steal_index (stack, stack->len - 1);
      GPtrArray *children = g_hash_table_lookup (self->children, tau_session_info_get_path (item->info));

      if (!g_hash_table_add (self->shown, item->info))
        continue;
      g_ptr_array_add (self->items, g_object_ref (item));
      for (guint i = children != NULL ? children->len : 0; i > 0; i--)
        g_ptr_array_add (stack, item_new (g_ptr_array_index (children, i - 1), self->folder, MIN (item->depth + 1, MAX_DEPTH)));
    }
}

static void
note_child (Threads        *self,
            TauSessionInfo *info)
{
  TauSessionInfo *parent = find_parent (self, info);
  GPtrArray *children;

  if (parent == NULL)
    return;
  children = g_hash_table_lookup (self->children, tau_session_info_get_path (parent));
  if (children == NULL)
    {
      children = g_ptr_array_new ();
      g_hash_table_insert (self->children, (gpointer) tau_session_info_get_path (parent), children);
    }
  g_ptr_array_add (children, info);
}

static void
add_sessions (TauSessionGroups *self,
              GPtrArray        *infos,
              const char       *folder,
              GPtrArray        *items)
{
  g_autoptr(GHashTable) by_path = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GHashTable) children = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr(GHashTable) shown = g_hash_table_new (NULL, NULL);
  Threads threads = { by_path, children, shown, items, folder };

  for (guint i = 0; self->found == NULL && i < infos->len; i++)
    g_hash_table_insert (by_path, (gpointer) tau_session_info_get_path (g_ptr_array_index (infos, i)), g_ptr_array_index (infos, i));
  for (guint i = 0; i < infos->len; i++)
    note_child (&threads, g_ptr_array_index (infos, i));
  for (guint i = 0; i < infos->len; i++)
    {
      TauSessionInfo *info = g_ptr_array_index (infos, i);

      if (g_hash_table_contains (shown, info))
        continue;
      add_thread (&threads, find_root (&threads, info));
      add_thread (&threads, info);   /* for one in a circle, which has no root */
    }
}

/* Folders in the order of their first session, the shown one before the others. */
static GPtrArray *
collect_folders (TauSessionGroups *self,
                 GPtrArray        *infos,
                 GHashTable       *by_folder,
                 GPtrArray        *pinned)
{
  GPtrArray *folders = g_ptr_array_new ();

  for (guint i = 0; i < infos->len; i++)
    {
      TauSessionInfo *info = g_ptr_array_index (infos, i);
      const char *folder = place_of (self, info);
      GPtrArray *sessions = g_hash_table_lookup (by_folder, folder);

      if (self->found == NULL && has_mark (self, info, TAU_SESSION_MARK_PINNED))
        {
          g_ptr_array_add (pinned, info);
          continue;
        }
      if (sessions == NULL)
        {
          char *key = g_strdup (folder);

          sessions = g_ptr_array_new ();
          g_hash_table_insert (by_folder, key, sessions);
          g_ptr_array_insert (folders, g_strcmp0 (folder, self->folder) == 0 ? 0 : -1, key);
        }
      g_ptr_array_add (sessions, info);
    }
  return folders;
}

static GPtrArray *
build_items (TauSessionGroups *self)
{
  g_autoptr(GHashTable) by_folder = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr(GPtrArray) infos = list_infos (self);
  g_autoptr(GPtrArray) pinned = g_ptr_array_new ();
  g_autoptr(GPtrArray) folders = collect_folders (self, infos, by_folder, pinned);
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  if (pinned->len > 0)
    g_ptr_array_add (items, item_new (NULL, NULL, 0));
  for (guint i = 0; i < pinned->len; i++)
    g_ptr_array_add (items, item_new (g_ptr_array_index (pinned, i), NULL, 0));
  for (guint i = 0; i < folders->len; i++)
    {
      const char *folder = g_ptr_array_index (folders, i);

      g_ptr_array_add (items, item_new (NULL, folder, 0));
      add_sessions (self, g_hash_table_lookup (by_folder, folder), folder, items);
    }
  return items;
}

/* Rows that stay keep their place, their focus and their widgets. */
static void
rebuild (TauSessionGroups *self)
{
  g_autoptr(GPtrArray) old = g_steal_pointer (&self->items);
  guint before = 0, after = 0, shorter;

  self->items = build_items (self);
  shorter = MIN (old->len, self->items->len);
  while (before < shorter && item_equal (g_ptr_array_index (old, before), g_ptr_array_index (self->items, before)))
    before++;
  while (after < shorter - before
         && item_equal (g_ptr_array_index (old, old->len - after - 1), g_ptr_array_index (self->items, self->items->len - after - 1)))
    after++;
  for (guint i = 0; i < before; i++)
    g_set_object ((GObject **) &g_ptr_array_index (self->items, i), g_ptr_array_index (old, i));
  for (guint i = 1; i <= after; i++)
    g_set_object ((GObject **) &g_ptr_array_index (self->items, self->items->len - i), g_ptr_array_index (old, old->len - i));
  if (old->len - before - after > 0 || self->items->len - before - after > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), before, old->len - before - after, self->items->len - before - after);
}

static gboolean
rebuild_cb (gpointer user_data)
{
  TauSessionGroups *self = user_data;

  self->rebuild_id = 0;
  rebuild (self);
  return G_SOURCE_REMOVE;
}

static void
queue_rebuild (TauSessionGroups *self)
{
  if (self->rebuild_id == 0)
    self->rebuild_id = g_idle_add (rebuild_cb, self);
}

static void
found_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(TauSessionGroups) self = user_data;
  GPtrArray *found = tau_session_index_search_finish (TAU_SESSION_INDEX (object), result, NULL);

  if (found == NULL || g_task_get_cancellable (G_TASK (result)) != self->searching)
    {
      g_clear_pointer (&found, g_ptr_array_unref);
      return;
    }
  g_clear_pointer (&self->found, g_ptr_array_unref);
  self->found = found;
  g_clear_object (&self->searching);
  queue_rebuild (self);
}

/* What was found stays until there is something newer to show. */
static void
search (TauSessionGroups *self)
{
  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  if (self->query == NULL || self->index == NULL)
    {
      g_clear_pointer (&self->found, g_ptr_array_unref);
      queue_rebuild (self);
      return;
    }
  self->searching = g_cancellable_new ();
  tau_session_index_search_async (self->index, self->query, self->searching, found_cb, g_object_ref (self));
}

static void
tau_session_groups_dispose (GObject *object)
{
  TauSessionGroups *self = TAU_SESSION_GROUPS (object);

  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  if (self->marks != NULL)
    g_clear_signal_handler (&self->marks_handler, self->marks);
  g_clear_object (&self->marks);

  g_clear_handle_id (&self->rebuild_id, g_source_remove);
  if (self->index != NULL)
    g_clear_signal_handler (&self->index_handler, self->index);
  g_clear_object (&self->index);

  G_OBJECT_CLASS (tau_session_groups_parent_class)->dispose (object);
}

static void
tau_session_groups_finalize (GObject *object)
{
  TauSessionGroups *self = TAU_SESSION_GROUPS (object);

  g_ptr_array_unref (self->items);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  g_free (self->folder);
  g_free (self->query);

  G_OBJECT_CLASS (tau_session_groups_parent_class)->finalize (object);
}

static void
tau_session_groups_class_init (TauSessionGroupsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_session_groups_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_session_groups_finalize;
}

static void
tau_session_groups_init (TauSessionGroups *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->all_folders = TRUE;
}

/**
 * tau_session_groups_new:
 *
 * Makes an empty list.
 *
 * Returns: (transfer full): the list, of #TauSessionItem
 */
TauSessionGroups *
tau_session_groups_new (void)
{
  return g_object_new (TAU_TYPE_SESSION_GROUPS, NULL);
}

/**
 * tau_session_groups_set_index:
 * @self: a list
 * @index: (nullable): all sessions, newest first
 *
 * Says which sessions are grouped, and follows their changes.
 */
void
tau_session_groups_set_index (TauSessionGroups *self,
                              TauSessionIndex  *index)
{
  g_return_if_fail (TAU_IS_SESSION_GROUPS (self));

  if (self->index == index)
    return;
  if (self->index != NULL)
    g_clear_signal_handler (&self->index_handler, self->index);
  g_set_object (&self->index, index);
  if (index != NULL)
    self->index_handler = g_signal_connect_swapped (index, "items-changed", G_CALLBACK (search), self);
  search (self);
}

/**
 * tau_session_groups_set_folder:
 * @self: a list
 * @folder: (nullable): path of the folder whose sessions come first
 *
 * Puts a folder at the top.
 */
void
tau_session_groups_set_folder (TauSessionGroups *self,
                               const char       *folder)
{
  g_return_if_fail (TAU_IS_SESSION_GROUPS (self));

  if (g_strcmp0 (self->folder, folder) == 0)
    return;
  g_free (self->folder);
  self->folder = g_strdup (folder);
  queue_rebuild (self);
}

/**
 * tau_session_groups_set_marks:
 * @self: a list
 * @marks: what is remembered about sessions
 *
 * Says what is pinned and archived, and where folders have gone, and follows the changes.
 */
void
tau_session_groups_set_marks (TauSessionGroups *self,
                              TauSessionMarks  *marks)
{
  g_return_if_fail (TAU_IS_SESSION_GROUPS (self));

  if (self->marks == marks)
    return;
  if (self->marks != NULL)
    g_clear_signal_handler (&self->marks_handler, self->marks);
  g_set_object (&self->marks, marks);
  self->marks_handler = g_signal_connect_swapped (marks, "changed", G_CALLBACK (queue_rebuild), self);
  queue_rebuild (self);
}

/**
 * tau_session_groups_show:
 * @self: a list
 * @all_folders: list the sessions of all folders, not only of the shown one
 * @archived: list archived sessions too; a search always does
 *
 * Says how much is listed.
 */
void
tau_session_groups_show (TauSessionGroups *self,
                         gboolean          all_folders,
                         gboolean          archived)
{
  g_return_if_fail (TAU_IS_SESSION_GROUPS (self));

  self->all_folders = all_folders;
  self->show_archived = archived;
  queue_rebuild (self);
}

/**
 * tau_session_groups_set_query:
 * @self: a list
 * @query: what to search for, see tau_session_index_search_async(); "" shows all
 *
 * Narrows the list, as soon as the search is done.
 */
void
tau_session_groups_set_query (TauSessionGroups *self,
                              const char       *query)
{
  g_return_if_fail (TAU_IS_SESSION_GROUPS (self));

  g_free (self->query);
  self->query = *query != '\0' ? g_strdup (query) : NULL;
  search (self);
}
