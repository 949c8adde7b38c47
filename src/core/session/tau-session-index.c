/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-index.h"

#include "core/base/tau-task.h"
#include "core/session/tau-session-query.h"
#include "core/session/tau-session-sweep.h"

#include <string.h>

/* The list of all sessions on disk. A thread reads the files, only those that changed since the last time; monitors
 * on the folders ask for a new reading, at most one a second. The files are the only truth: the list, and the database
 * that remembers it, can be thrown away at any time. */
#define REFRESH_DELAY_MS 1000
#define MAX_MONITORS     200  /* folders watched; the rest is seen with the next refresh */
#define RATE_TEXT        60   /* a word in what was said: less than anything in the title */

struct _TauSessionIndex
{
  GObject             parent_instance;

  char               *root;
  TauSessionDatabase *database;   /* NULL until the first sweep has opened it */
  GPtrArray          *infos;      /* of TauSessionInfo, newest first; never changed, only replaced */
  GHashTable         *monitors;   /* folder → GFileMonitor */
  GCancellable       *cancellable;
  guint               delay_id;
  gboolean            loading;
  gboolean            again;      /* something changed while a thread was reading */
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
take_infos (TauSessionIndex *self,
            GPtrArray       *infos)
{
  g_autoptr(GPtrArray) old = NULL;

  if (same_infos (self->infos, infos))
    return;
  old = g_steal_pointer (&self->infos);
  self->infos = g_ptr_array_ref (infos);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, old->len, self->infos->len);
}

static void
swept_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  TauSessionIndex *self = TAU_SESSION_INDEX (object);
  TauSessionSweep *sweep = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  if (self->database == NULL)
    self->database = tau_session_database_ref (sweep->database);
  for (guint i = 0; i < sweep->folders->len; i++)
    watch_folder (self, g_ptr_array_index (sweep->folders, i));
  take_infos (self, sweep->infos);
  set_loading (self, FALSE);
  if (self->again)
    {
      self->again = FALSE;
      tau_session_index_refresh (self);
    }
}

/* News of a sweep on their way to the main thread. */
typedef struct
{
  GTask     *task;
  GPtrArray *infos;
} Progress;

static void
progress_free (gpointer data)
{
  Progress *self = data;

  g_object_unref (self->task);
  g_ptr_array_unref (self->infos);
  g_free (self);
}

static gboolean
progress_cb (gpointer user_data)
{
  Progress *progress = user_data;
  TauSessionIndex *self = g_task_get_source_object (progress->task);

  if (!g_task_get_completed (progress->task) && !g_cancellable_is_cancelled (self->cancellable))
    take_infos (self, progress->infos);
  return G_SOURCE_REMOVE;
}

static void
sweep_progress_cb (GPtrArray *infos,
                   gpointer   user_data)
{
  Progress *progress = g_new (Progress, 1);

  progress->task = g_object_ref (user_data);
  progress->infos = g_ptr_array_ref (infos);
  g_idle_add_full (G_PRIORITY_DEFAULT, progress_cb, progress, progress_free);
}

static void
sweep_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  tau_session_sweep_run (task_data, cancellable);
  g_task_return_boolean (task, TRUE);
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
  g_clear_pointer (&self->database, tau_session_database_unref);
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
  TauSessionSweep *sweep;

  g_return_if_fail (TAU_IS_SESSION_INDEX (self));

  if (self->loading)
    {
      self->again = TRUE;
      return;
    }
  set_loading (self, TRUE);
  task = g_task_new (self, self->cancellable, swept_cb, NULL);
  g_task_set_source_tag (task, tau_session_index_refresh);
  sweep = tau_session_sweep_new (self->root, self->database, self->infos);
  sweep->func = sweep_progress_cb;
  sweep->user_data = task;
  g_task_set_task_data (task, sweep, (GDestroyNotify) tau_session_sweep_free);
  tau_task_run_in_thread (task, sweep_thread);
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


/* What the searching thread gets and gives. */
typedef struct
{
  TauSessionQuery    *query;
  TauSessionDatabase *database;   /* nullable */
  GPtrArray          *infos;
} Search;

static void
search_free (gpointer data)
{
  Search *self = data;

  tau_session_query_free (self->query);
  g_clear_pointer (&self->database, tau_session_database_unref);
  g_ptr_array_unref (self->infos);
  g_free (self);
}

/* Numbers of the sessions whose texts have all words of a term; NULL if nobody can say. */
static GHashTable *
find_in_texts (Search *self,
               guint   term)
{
  g_auto(GStrv) words = tau_session_query_dup_words (self->query, term);
  GHashTable *numbers = NULL;

  for (gsize i = 0; self->database != NULL && words[i] != NULL; i++)
    {
      g_autoptr(GHashTable) more = tau_session_database_find_word (self->database, words[i]);
      GHashTableIter iter;
      gpointer number;

      if (numbers == NULL)
        {
          numbers = g_steal_pointer (&more);
          continue;
        }
      g_hash_table_iter_init (&iter, numbers);
      while (g_hash_table_iter_next (&iter, &number, NULL))
        if (!g_hash_table_contains (more, number))
          g_hash_table_iter_remove (&iter);
    }
  return numbers;
}

typedef struct
{
  TauSessionInfo *info;
  int             rate;
  guint           position;
} Hit;

static int
compare_hits (gconstpointer a,
              gconstpointer b)
{
  const Hit *first = a;
  const Hit *second = b;

  return first->rate != second->rate ? first->rate - second->rate : (int) first->position - (int) second->position;
}

static void
keep_matching (Search *self,
               guint   term,
               GArray *hits)
{
  g_autoptr(GHashTable) numbers = find_in_texts (self, term);
  guint kept = 0;

  for (guint i = 0; i < hits->len; i++)
    {
      Hit hit = g_array_index (hits, Hit, i);
      int rate = tau_session_query_rate (self->query, term, hit.info);

      if (rate == TAU_SESSION_QUERY_NO_MATCH && numbers != NULL && g_hash_table_contains (numbers, GSIZE_TO_POINTER ((gsize) tau_session_info_get_number (hit.info))))
        rate = RATE_TEXT;
      if (rate == TAU_SESSION_QUERY_NO_MATCH)
        continue;
      hit.rate += rate;
      g_array_index (hits, Hit, kept++) = hit;
    }
  g_array_set_size (hits, kept);
}

static void
search_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  Search *self = task_data;
  g_autoptr(GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->infos->len; i++)
    {
      Hit hit = { g_ptr_array_index (self->infos, i), 0, i };

      g_array_append_val (hits, hit);
    }
  for (guint i = 0; i < tau_session_query_get_n_terms (self->query) && !g_cancellable_is_cancelled (cancellable); i++)
    keep_matching (self, i, hits);
  g_array_sort (hits, compare_hits);
  for (guint i = 0; i < hits->len; i++)
    g_ptr_array_add (found, g_object_ref (g_array_index (hits, Hit, i).info));
  g_task_return_pointer (task, found, (GDestroyNotify) g_ptr_array_unref);
}

/**
 * tau_session_index_search_async:
 * @self: a list
 * @text: what somebody typed
 * @cancellable: (nullable): when something else was typed meanwhile
 * @callback: called when done
 * @user_data: for @callback
 *
 * Looks for sessions by their titles (loosely), folders, ids, and the words of what was said in them. All terms must
 * match; what stands in quotes is one term. Done in a thread.
 */
void
tau_session_index_search_async (TauSessionIndex     *self,
                                const char          *text,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_autoptr(GTask) task = NULL;
  Search *search;

  g_return_if_fail (TAU_IS_SESSION_INDEX (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, tau_session_index_search_async);
  search = g_new0 (Search, 1);
  search->query = tau_session_query_new (text);
  search->database = self->database != NULL ? tau_session_database_ref (self->database) : NULL;
  search->infos = g_ptr_array_ref (self->infos);
  g_task_set_task_data (task, search, search_free);
  tau_task_run_in_thread (task, search_thread);
}

/**
 * tau_session_index_search_finish:
 * @self: a list
 * @result: what the callback got
 * @error: return location: %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (element-type TauSessionInfo) (nullable): what was found, the best first
 */
GPtrArray *
tau_session_index_search_finish (TauSessionIndex *self,
                                 GAsyncResult    *result,
                                 GError         **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
