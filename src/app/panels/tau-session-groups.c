/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/panels/tau-session-groups.h"

/* The sidebar's list: sessions under the folder they belong to. The shown folder comes first, the others by their
 * newest session; within a folder the newest is first. It is rebuilt in one go when the index, the folder or the
 * search changes; several changes of one turn of the main loop make one rebuild. */
struct _TauSessionItem
{
  GObject         parent_instance;

  TauSessionInfo *info;
  char           *folder;
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
          const char     *folder)
{
  TauSessionItem *item = g_object_new (TAU_TYPE_SESSION_ITEM, NULL);

  g_set_object (&item->info, info);
  item->folder = g_strdup (folder);
  return item;
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
 * Returns: the folder that the row belongs to, "" if its file does not say
 */
const char *
tau_session_item_get_folder (TauSessionItem *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_ITEM (self), NULL);

  return self->folder;
}

struct _TauSessionGroups
{
  GObject          parent_instance;

  TauSessionIndex *index;
  gulong           index_handler;
  char            *folder;
  char            *query;   /* casefolded, nullable */
  GPtrArray       *items;   /* of TauSessionItem */
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

static gboolean
matches_query (TauSessionGroups *self,
               TauSessionInfo   *info)
{
  g_autofree char *title = NULL;
  g_autofree char *haystack = NULL;
  g_autofree char *folded = NULL;

  if (self->query == NULL)
    return TRUE;
  title = tau_session_info_dup_title (info);
  haystack = g_strconcat (title, " ", tau_session_info_get_first_message (info), " ", tau_session_info_get_cwd (info), NULL);
  folded = g_utf8_casefold (haystack, -1);
  return strstr (folded, self->query) != NULL;
}

/* Folders in the order of their newest session, each with its sessions; the index is sorted already. */
static GPtrArray *
collect_folders (TauSessionGroups *self,
                 GHashTable       *by_folder)
{
  GPtrArray *folders = g_ptr_array_new ();
  guint n = self->index != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->index)) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(TauSessionInfo) info = g_list_model_get_item (G_LIST_MODEL (self->index), i);
      const char *folder = tau_session_info_get_cwd (info);
      GPtrArray *sessions;

      if (!matches_query (self, info))
        continue;
      sessions = g_hash_table_lookup (by_folder, folder);
      if (sessions == NULL)
        {
          char *key = g_strdup (folder);

          sessions = g_ptr_array_new_with_free_func (g_object_unref);
          g_hash_table_insert (by_folder, key, sessions);
          g_ptr_array_insert (folders, g_strcmp0 (folder, self->folder) == 0 ? 0 : -1, key);
        }
      g_ptr_array_add (sessions, g_object_ref (info));
    }
  return folders;
}

static void
rebuild (TauSessionGroups *self)
{
  g_autoptr(GHashTable) by_folder = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr(GPtrArray) folders = collect_folders (self, by_folder);
  guint removed = self->items->len;

  g_ptr_array_set_size (self->items, 0);
  for (guint i = 0; i < folders->len; i++)
    {
      const char *folder = g_ptr_array_index (folders, i);
      GPtrArray *sessions = g_hash_table_lookup (by_folder, folder);

      g_ptr_array_add (self->items, item_new (NULL, folder));
      for (guint j = 0; j < sessions->len; j++)
        g_ptr_array_add (self->items, item_new (g_ptr_array_index (sessions, j), folder));
    }
  g_list_model_items_changed (G_LIST_MODEL (self), 0, removed, self->items->len);
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
tau_session_groups_dispose (GObject *object)
{
  TauSessionGroups *self = TAU_SESSION_GROUPS (object);

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
    self->index_handler = g_signal_connect_swapped (index, "items-changed", G_CALLBACK (queue_rebuild), self);
  queue_rebuild (self);
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
 * tau_session_groups_set_query:
 * @self: a list
 * @query: text that a session's title, first message or folder must contain; case does not matter; "" shows all
 *
 * Narrows the list.
 */
void
tau_session_groups_set_query (TauSessionGroups *self,
                              const char       *query)
{
  g_return_if_fail (TAU_IS_SESSION_GROUPS (self));

  g_free (self->query);
  self->query = *query != '\0' ? g_utf8_casefold (query, -1) : NULL;
  queue_rebuild (self);
}
