/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-index.h"

#include "core/base/tau-error.h"

/* The list of all sessions on disk. A thread reads the files, only those that changed since the last time; monitors
 * on the folders ask for a new reading, at most one a second. The files are the only truth: the list can be thrown
 * away at any time. */
#define REFRESH_DELAY_MS 1000
#define MAX_MONITORS 200 /* folders watched; the rest is seen with the next refresh */

struct _TauSessionIndex
{
  GObject       parent_instance;

  char         *root;
  GPtrArray    *infos;      /* of TauSessionInfo, newest first */
  GHashTable   *monitors;   /* folder → GFileMonitor */
  GCancellable *cancellable;
  guint         delay_id;
  gboolean      loading;
  gboolean      again;      /* something changed while a thread was reading */
};

enum
{
  PROP_0,
  PROP_LOADING,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static GType
tau_session_index_get_item_type (GListModel *model)
{
  return TAU_TYPE_SESSION_INFO;
}

static guint
tau_session_index_get_n_items (GListModel *model)
{
  return TAU_SESSION_INDEX (model)->infos->len;
}

static gpointer
tau_session_index_get_item (GListModel *model,
                            guint       position)
{
  TauSessionIndex *self = TAU_SESSION_INDEX (model);

  return position < self->infos->len ? g_object_ref (g_ptr_array_index (self->infos, position)) : NULL;
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = tau_session_index_get_item_type;
  iface->get_n_items = tau_session_index_get_n_items;
  iface->get_item = tau_session_index_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TauSessionIndex, tau_session_index, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

/* What the thread gets and gives; it touches nothing else. */
typedef struct
{
  char       *root;
  GHashTable *known;     /* path → TauSessionInfo, as of the last reading */
  GPtrArray  *infos;     /* of TauSessionInfo, newest first */
  GPtrArray  *folders;   /* of char *: what to watch */
} Scan;

static void
scan_free (Scan *scan)
{
  g_free (scan->root);
  g_hash_table_unref (scan->known);
  g_ptr_array_unref (scan->infos);
  g_ptr_array_unref (scan->folders);
  g_free (scan);
}

static int
compare_modified (gconstpointer a,
                  gconstpointer b)
{
  gint64 first = tau_session_info_get_modified (*(TauSessionInfo **) a);
  gint64 second = tau_session_info_get_modified (*(TauSessionInfo **) b);

  return first < second ? 1 : first > second ? -1 : 0;
}

static void
scan_file (Scan       *scan,
           const char *path)
{
  TauSessionInfo *known = g_hash_table_lookup (scan->known, path);
  TauSessionInfo *info;

  if (known != NULL && tau_session_info_is_current (known))
    info = g_object_ref (known);
  else
    info = tau_session_info_read (path);
  if (info != NULL)
    g_ptr_array_add (scan->infos, info);
}

static void
scan_folder (Scan         *scan,
             const char   *folder,
             GCancellable *cancellable)
{
  g_autoptr(GDir) directory = g_dir_open (folder, 0, NULL);
  const char *name;

  g_ptr_array_add (scan->folders, g_strdup (folder));
  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL && !g_cancellable_is_cancelled (cancellable))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_suffix (name, ".jsonl"))
        scan_file (scan, path);
    }
}

static void
scan_root (Scan         *scan,
           GCancellable *cancellable)
{
  g_autoptr(GDir) directory = g_dir_open (scan->root, 0, NULL);
  const char *name;

  scan_folder (scan, scan->root, cancellable);
  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL && !g_cancellable_is_cancelled (cancellable))
    {
      g_autofree char *path = g_build_filename (scan->root, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        scan_folder (scan, path, cancellable);
    }
  g_ptr_array_sort (scan->infos, compare_modified);
}

static void
scan_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  scan_root (task_data, cancellable);
  g_task_return_boolean (task, TRUE);
}

static gboolean
delay_cb (gpointer user_data)
{
  TauSessionIndex *self = user_data;

  self->delay_id = 0;
  tau_session_index_refresh (self);
  return G_SOURCE_REMOVE;
}

static void
folder_changed_cb (TauSessionIndex *self)
{
  if (self->delay_id == 0)
    self->delay_id = g_timeout_add (REFRESH_DELAY_MS, delay_cb, self);
}

static void
watch_folder (TauSessionIndex *self,
              const char      *folder)
{
  g_autoptr(GFile) file = g_file_new_for_path (folder);
  GFileMonitor *monitor;

  if (g_hash_table_contains (self->monitors, folder) || g_hash_table_size (self->monitors) >= MAX_MONITORS)
    return;
  monitor = g_file_monitor_directory (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (monitor == NULL)
    return;
  g_signal_connect_swapped (monitor, "changed", G_CALLBACK (folder_changed_cb), self);
  g_hash_table_insert (self->monitors, g_strdup (folder), monitor);
}

static gboolean
same_infos (GPtrArray *a,
            GPtrArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->pdata, b->pdata, a->len * sizeof (gpointer)) == 0);
}

static void
set_loading (TauSessionIndex *self,
             gboolean         loading)
{
  if (self->loading == loading)
    return;
  self->loading = loading;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

static void
scanned_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  TauSessionIndex *self = TAU_SESSION_INDEX (object);
  Scan *scan = g_task_get_task_data (G_TASK (result));
  g_autoptr(GPtrArray) old = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  for (guint i = 0; i < scan->folders->len; i++)
    watch_folder (self, g_ptr_array_index (scan->folders, i));
  if (!same_infos (self->infos, scan->infos))
    {
      old = g_steal_pointer (&self->infos);
      self->infos = g_ptr_array_ref (scan->infos);
      g_list_model_items_changed (G_LIST_MODEL (self), 0, old->len, self->infos->len);
    }
  set_loading (self, FALSE);
  if (self->again)
    {
      self->again = FALSE;
      tau_session_index_refresh (self);
    }
}

static void
tau_session_index_get_property (GObject    *object,
                                guint       property_id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  switch (property_id)
    {
    case PROP_LOADING:
      g_value_set_boolean (value, TAU_SESSION_INDEX (object)->loading);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
disconnect_monitor (gpointer key,
                    gpointer value,
                    gpointer user_data)
{
  g_signal_handlers_disconnect_by_data (value, user_data);
  g_file_monitor_cancel (value);
}

static void
tau_session_index_dispose (GObject *object)
{
  TauSessionIndex *self = TAU_SESSION_INDEX (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->delay_id, g_source_remove);
  g_hash_table_foreach (self->monitors, disconnect_monitor, self);
  g_hash_table_remove_all (self->monitors);

  G_OBJECT_CLASS (tau_session_index_parent_class)->dispose (object);
}

static void
tau_session_index_finalize (GObject *object)
{
  TauSessionIndex *self = TAU_SESSION_INDEX (object);

  g_object_unref (self->cancellable);
  g_hash_table_unref (self->monitors);
  g_ptr_array_unref (self->infos);
  g_free (self->root);

  G_OBJECT_CLASS (tau_session_index_parent_class)->finalize (object);
}

static void
tau_session_index_class_init (TauSessionIndexClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tau_session_index_get_property;
  object_class->dispose = tau_session_index_dispose;
  object_class->finalize = tau_session_index_finalize;

  /**
   * TauSessionIndex:loading:
   *
   * Whether files are being read.
   */
  properties[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tau_session_index_init (TauSessionIndex *self)
{
  self->infos = g_ptr_array_new_with_free_func (g_object_unref);
  self->monitors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->cancellable = g_cancellable_new ();
}

/**
 * tau_session_index_new:
 * @sessions_root: folder whose subfolders hold session files; it need not exist
 *
 * Makes a list and starts to read.
 *
 * Returns: (transfer full): the list
 */
TauSessionIndex *
tau_session_index_new (const char *sessions_root)
{
  TauSessionIndex *self = g_object_new (TAU_TYPE_SESSION_INDEX, NULL);

  self->root = g_strdup (sessions_root);
  tau_session_index_refresh (self);
  return self;
}

static Scan *
scan_new (TauSessionIndex *self)
{
  Scan *scan = g_new0 (Scan, 1);

  scan->root = g_strdup (self->root);
  scan->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  scan->infos = g_ptr_array_new_with_free_func (g_object_unref);
  scan->folders = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < self->infos->len; i++)
    {
      TauSessionInfo *info = g_ptr_array_index (self->infos, i);

      g_hash_table_insert (scan->known, g_strdup (tau_session_info_get_path (info)), g_object_ref (info));
    }
  return scan;
}

/**
 * tau_session_index_refresh:
 * @self: a list
 *
 * Reads what has changed on disk. While a reading is on, another one follows it.
 */
void
tau_session_index_refresh (TauSessionIndex *self)
{
  g_autoptr(GTask) task = NULL;

  g_return_if_fail (TAU_IS_SESSION_INDEX (self));

  if (self->loading)
    {
      self->again = TRUE;
      return;
    }
  set_loading (self, TRUE);
  task = g_task_new (self, self->cancellable, scanned_cb, NULL);
  g_task_set_source_tag (task, tau_session_index_refresh);
  g_task_set_task_data (task, scan_new (self), (GDestroyNotify) scan_free);
  g_task_run_in_thread (task, scan_thread);
}

/**
 * tau_session_index_is_loading:
 * @self: a list
 *
 * Returns: whether files are being read
 */
gboolean
tau_session_index_is_loading (TauSessionIndex *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_INDEX (self), FALSE);

  return self->loading;
}

/**
 * tau_session_index_find:
 * @self: a list
 * @path: a session file
 *
 * Returns: (transfer none) (nullable): the record of that file
 */
TauSessionInfo *
tau_session_index_find (TauSessionIndex *self,
                        const char      *path)
{
  g_return_val_if_fail (TAU_IS_SESSION_INDEX (self), NULL);

  for (guint i = 0; i < self->infos->len; i++)
    if (g_strcmp0 (tau_session_info_get_path (g_ptr_array_index (self->infos, i)), path) == 0)
      return g_ptr_array_index (self->infos, i);
  return NULL;
}

static Scan *
scan_now (const char *folder,
          gboolean    with_subfolders)
{
  Scan *scan = g_new0 (Scan, 1);

  scan->root = g_strdup (folder);
  scan->known = g_hash_table_new (g_str_hash, g_str_equal);
  scan->infos = g_ptr_array_new_with_free_func (g_object_unref);
  scan->folders = g_ptr_array_new_with_free_func (g_free);
  if (with_subfolders)
    scan_root (scan, NULL);
  else
    scan_folder (scan, folder, NULL);
  g_ptr_array_sort (scan->infos, compare_modified);
  return scan;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scan, scan_free)

/* Modification time of a file in µs, 0 if it is gone. */
static gint64
file_time (const char *path)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(GFileInfo) info = g_file_query_info (file, "time::modified,time::modified-usec", G_FILE_QUERY_INFO_NONE, NULL, NULL);
  g_autoptr(GDateTime) date = info != NULL ? g_file_info_get_modification_date_time (info) : NULL;

  return date != NULL ? g_date_time_to_unix (date) * G_USEC_PER_SEC + g_date_time_get_microsecond (date) : 0;
}

/**
 * tau_session_index_find_most_recent:
 * @directory: a folder of session files
 *
 * Looks for the session to continue: the file that was written last. Blocks.
 *
 * Returns: (transfer full) (nullable): its path, or %NULL if there is none
 */
char *
tau_session_index_find_most_recent (const char *directory)
{
  g_autoptr(Scan) scan = scan_now (directory, FALSE);
  const char *newest = NULL;
  gint64 newest_time = -1;

  for (guint i = 0; i < scan->infos->len; i++)
    {
      const char *path = tau_session_info_get_path (g_ptr_array_index (scan->infos, i));
      gint64 time = file_time (path);

      if (time > newest_time)
        {
          newest = path;
          newest_time = time;
        }
    }
  return g_strdup (newest);
}

static char *
find_prefix (Scan       *scan,
             const char *prefix)
{
  for (guint i = 0; i < scan->infos->len; i++)
    {
      TauSessionInfo *info = g_ptr_array_index (scan->infos, i);

      if (g_str_has_prefix (tau_session_info_get_id (info), prefix))
        return g_strdup (tau_session_info_get_path (info));
    }
  return NULL;
}

/**
 * tau_session_index_resolve:
 * @sessions_root: folder whose subfolders hold session files
 * @directory: folder of the current project's session files
 * @text: what the user gave: a path, or the beginning of an id
 * @error: %TAU_SESSION_ERROR_NOT_FOUND
 *
 * Finds the session that is meant: something with a slash or the ending .jsonl is a path and taken as it is; else the
 * newest session of the project, then of all projects, whose id begins with the text. Blocks.
 *
 * Returns: (transfer full) (nullable): the path
 */
char *
tau_session_index_resolve (const char  *sessions_root,
                           const char  *directory,
                           const char  *text,
                           GError     **error)
{
  g_autoptr(Scan) here = NULL;
  g_autoptr(Scan) everywhere = NULL;
  char *path;

  if (strchr (text, '/') != NULL || strchr (text, '\\') != NULL || g_str_has_suffix (text, ".jsonl"))
    return g_strdup (text);
  here = scan_now (directory, FALSE);
  path = find_prefix (here, text);
  if (path == NULL)
    {
      everywhere = scan_now (sessions_root, TRUE);
      path = find_prefix (everywhere, text);
    }
  if (path == NULL)
    g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, "No session found matching '%s'", text);
  return path;
}
