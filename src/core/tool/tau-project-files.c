/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-project-files.h"

#include "core/base/tau-fuzzy.h"
#include "core/base/tau-task.h"
#include "core/tool/tau-ripgrep.h"

#include <string.h>

/* TauProjectFiles: live, owned by who completes names. It lists the files that ripgrep would search, hidden ones too, and
 * the folders that they are in, in a thread; what is ignored is not there. The list is made when somebody wants to
 * complete, and again when it is some seconds old: nothing is watched. */

#define FRESH_SECONDS 3
#define MAX_PATHS     500000
#define IN_NAME       100000   /* more than any path scores */

struct _TauProjectFiles
{
  GObject       parent_instance;

  char         *folder;
  GPtrArray    *paths;        /* of char *, sorted; folders end with a slash */
  GCancellable *cancellable;  /* owned while loading */
  gint64        loaded_at;    /* monotonic, 0: never */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauProjectFiles, tau_project_files, G_TYPE_OBJECT)

typedef struct
{
  GPtrArray  *paths;
  GHashTable *folders;   /* set of those in @paths */
} Listing;

static void
add_folders (Listing    *listing,
             const char *path)
{
  for (const char *slash = strchr (path, '/'); slash != NULL; slash = strchr (slash + 1, '/'))
    {
      g_autofree char *folder = g_strndup (path, (gsize) (slash + 1 - path));

      if (g_hash_table_contains (listing->folders, folder))
        continue;
      g_ptr_array_add (listing->paths, folder);
      g_hash_table_add (listing->folders, g_steal_pointer (&folder));
    }
}

/* A name that is no text cannot be typed. */
static gboolean
take_path (const char *line,
           gsize       length,
           gpointer    user_data)
{
  Listing *listing = user_data;

  if (length == 0 || !g_utf8_validate_len (line, length, NULL))
    return TRUE;
  g_ptr_array_add (listing->paths, g_strndup (line, length));
  add_folders (listing, g_ptr_array_index (listing->paths, listing->paths->len - 1));
  return listing->paths->len < MAX_PATHS;
}

static int
compare_paths (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

static void
list_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  static const char * const arguments[] = { "--files", "--hidden", "--no-require-git", "--color=never", "--null", "--glob=!.git", NULL };
  g_autoptr(GHashTable) folders = g_hash_table_new (g_str_hash, g_str_equal);
  Listing listing = { g_ptr_array_new_with_free_func (g_free), folders };
  GError *error = NULL;

  if (!tau_ripgrep_run (arguments, task_data, '\0', take_path, &listing, cancellable, &error))
    {
      g_ptr_array_unref (listing.paths);
      g_task_return_error (task, error);
      return;
    }
  g_ptr_array_sort (listing.paths, compare_paths);
  g_task_return_pointer (task, listing.paths, (GDestroyNotify) g_ptr_array_unref);
}

/* Without ripgrep there is nothing to complete; what can be done about that is said by the tools. */
static void
listed_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  TauProjectFiles *self = TAU_PROJECT_FILES (object);
  g_autoptr(GPtrArray) paths = g_task_propagate_pointer (G_TASK (result), NULL);

  g_clear_object (&self->cancellable);
  self->loaded_at = g_get_monotonic_time ();
  if (paths == NULL)
    return;
  g_ptr_array_unref (self->paths);
  self->paths = g_steal_pointer (&paths);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
tau_project_files_finalize (GObject *object)
{
  TauProjectFiles *self = TAU_PROJECT_FILES (object);

  g_ptr_array_unref (self->paths);
  g_free (self->folder);

  G_OBJECT_CLASS (tau_project_files_parent_class)->finalize (object);
}

static void
tau_project_files_class_init (TauProjectFilesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_project_files_finalize;

  /**
   * TauProjectFiles::changed:
   *
   * There is a newer list.
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tau_project_files_init (TauProjectFiles *self)
{
  self->paths = g_ptr_array_new_with_free_func (g_free);
}

/**
 * tau_project_files_new:
 * @folder: absolute path of a project
 *
 * Nothing is listed before tau_project_files_refresh().
 *
 * Returns: (transfer full): an empty list
 */
TauProjectFiles *
tau_project_files_new (const char *folder)
{
  TauProjectFiles *self = g_object_new (TAU_TYPE_PROJECT_FILES, NULL);

  self->folder = g_strdup (folder);
  return self;
}

/**
 * tau_project_files_get_folder:
 * @self: files
 *
 * Returns: the project
 */
const char *
tau_project_files_get_folder (TauProjectFiles *self)
{
  g_return_val_if_fail (TAU_IS_PROJECT_FILES (self), NULL);

  return self->folder;
}

/**
 * tau_project_files_refresh:
 * @self: files
 *
 * Lists them anew, in a thread, unless that is going on or was done seconds ago.
 */
void
tau_project_files_refresh (TauProjectFiles *self)
{
  g_autoptr(GTask) task = NULL;

  g_return_if_fail (TAU_IS_PROJECT_FILES (self));

  if (self->cancellable != NULL
      || (self->loaded_at != 0 && g_get_monotonic_time () - self->loaded_at < FRESH_SECONDS * G_USEC_PER_SEC))
    return;
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, listed_cb, NULL);
  g_task_set_source_tag (task, tau_project_files_refresh);
  g_task_set_task_data (task, g_strdup (self->folder), g_free);
  tau_task_run_in_thread (task, list_thread);
}

/**
 * tau_project_files_cancel:
 * @self: files
 *
 * Nobody waits for the list that is being made.
 */
void
tau_project_files_cancel (TauProjectFiles *self)
{
  g_return_if_fail (TAU_IS_PROJECT_FILES (self));

  g_cancellable_cancel (self->cancellable);
}

/**
 * tau_project_files_is_loading:
 * @self: files
 *
 * Returns: whether a list is being made
 */
gboolean
tau_project_files_is_loading (TauProjectFiles *self)
{
  g_return_val_if_fail (TAU_IS_PROJECT_FILES (self), FALSE);

  return self->cancellable != NULL;
}

typedef struct
{
  const char *path;
  int         score;
} Hit;

/* Puts a hit among the best. The shorter of two equal ones is meant more often; then the list's order counts. */
static void
put (GArray *hits,
     Hit     hit,
     guint   max)
{
  guint place = hits->len;

  while (place > 0)
    {
      const Hit *other = &g_array_index (hits, Hit, place - 1);

      if (other->score > hit.score || (other->score == hit.score && strlen (other->path) <= strlen (hit.path)))
        break;
      place--;
    }
  if (place >= max)
    return;
  g_array_insert_val (hits, place, hit);
  if (hits->len > max)
    g_array_set_size (hits, max);
}

/* A name that fits comes before a path that does; a folder before a file. */
static int
score_path (const TauFuzzy *wanted,
            const char     *path)
{
  gsize length = strlen (path);
  gboolean folder = path[length - 1] == '/';
  const char *slash = memrchr (path, '/', length - (folder ? 1 : 0));
  int in_name = tau_fuzzy_score (wanted, slash != NULL ? slash + 1 : path);

  if (in_name >= 0)
    return IN_NAME + in_name + (folder ? 1 : 0);
  return slash != NULL ? tau_fuzzy_score (wanted, path) : TAU_FUZZY_NO_MATCH;
}

/**
 * tau_project_files_match:
 * @self: files
 * @needle: what was typed, "" for anything
 * @max: how many are wanted
 *
 * Looks for files and folders in the newest list there is.
 *
 * Returns: (transfer full) (element-type utf8): paths relative to the project, the best first; those of folders end with a slash
 */
GPtrArray *
tau_project_files_match (TauProjectFiles *self,
                         const char      *needle,
                         guint            max)
{
  g_autoptr(GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  g_autoptr(TauFuzzy) wanted = tau_fuzzy_new (needle);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (TAU_IS_PROJECT_FILES (self), paths);

  for (guint i = 0; i < self->paths->len; i++)
    {
      const char *path = g_ptr_array_index (self->paths, i);
      int score = score_path (wanted, path);

      if (score >= 0 && (hits->len < max || score >= g_array_index (hits, Hit, hits->len - 1).score))
        put (hits, (Hit) { path, score }, max);
    }
  for (guint i = 0; i < hits->len; i++)
    g_ptr_array_add (paths, g_strdup (g_array_index (hits, Hit, i).path));
  return paths;
}
