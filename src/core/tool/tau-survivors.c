/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-survivors.h"

#include "core/base/tau-task.h"
#include <signal.h>

/* The list of what commands have left behind, one for the program; main thread only. It is looked after by a thread that
 * reads /proc: when a command is over, and every few seconds while there is something. A program that never asks for
 * the list pays nothing for it. */

#define SETTLE_MS 300      /* what is dying when its command ends need not be shown */
#define ONCE_MORE_MS 1500  /* a process that just then became another program could not be read */
#define AGAIN_MS 4000
#define STOPPING_MS 500    /* how often we look while something is being stopped … */
#define KILL_AFTER_MS 2000 /* … and how long that may take */

static GListStore *list;
static GHashTable *doomed;    /* process group → when it was told to end, monotonic ms */
static guint       timer;
static gboolean    looking;
static gboolean    once_more;

static gboolean look_cb (gpointer user_data);

static void
look_after (guint milliseconds)
{
  g_clear_handle_id (&timer, g_source_remove);
  timer = g_timeout_add (milliseconds, look_cb, NULL);
}

static TauSurvivor *
find_same (GPtrArray   *found,
           TauSurvivor *survivor)
{
  for (guint i = 0; i < found->len; i++)
    if (tau_survivor_is_same (survivor, g_ptr_array_index (found, i)))
      return g_ptr_array_index (found, i);
  return NULL;
}

/* The list's objects stay as long as what they stand for, so that a row that is looked at does not change its place. */
static void
update_list (GPtrArray *found)
{
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (list)); i-- > 0;)
    {
      g_autoptr(TauSurvivor) known = g_list_model_get_item (G_LIST_MODEL (list), i);
      TauSurvivor *newer = find_same (found, known);

      if (newer == NULL)
        {
          g_list_store_remove (list, i);
          continue;
        }
      tau_survivor_take_figures (known, newer);
      g_ptr_array_remove (found, newer);
    }
  for (guint i = 0; i < found->len; i++)
    g_list_store_append (list, g_ptr_array_index (found, i));
}

static gboolean
is_there (int group)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      g_autoptr(TauSurvivor) survivor = g_list_model_get_item (G_LIST_MODEL (list), i);

      if (tau_survivor_get_group (survivor) == group)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_gone_cb (gpointer key,
            gpointer value,
            gpointer user_data)
{
  return !is_there (GPOINTER_TO_INT (key));
}

/* What does not obey is killed; whoever stands for its group by now. */
static void
kill_the_deaf (void)
{
  gint64 now = g_get_monotonic_time () / 1000;

  g_hash_table_foreach_remove (doomed, is_gone_cb, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      g_autoptr(TauSurvivor) survivor = g_list_model_get_item (G_LIST_MODEL (list), i);
      gint64 *told = g_hash_table_lookup (doomed, GINT_TO_POINTER (tau_survivor_get_group (survivor)));

      if (told != NULL && now - *told >= KILL_AFTER_MS)
        tau_survivor_signal (survivor, SIGKILL);
    }
}

static void
found_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GPtrArray) found = g_task_propagate_pointer (G_TASK (result), NULL);

  looking = FALSE;
  update_list (found);
  kill_the_deaf ();
  if (timer == 0 && g_hash_table_size (doomed) > 0)
    look_after (STOPPING_MS);
  else if (timer == 0 && once_more)
    {
      once_more = FALSE;
      look_after (ONCE_MORE_MS);
    }
  else if (timer == 0 && g_list_model_get_n_items (G_LIST_MODEL (list)) > 0)
    look_after (AGAIN_MS);
}

static void
find_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_task_return_pointer (task, tau_survivor_find_all (), (GDestroyNotify) g_ptr_array_unref);
}

static gboolean
look_cb (gpointer user_data)
{
  g_autoptr(GTask) task = NULL;

  if (looking)
    return G_SOURCE_CONTINUE;
  timer = 0;
  looking = TRUE;
  task = g_task_new (NULL, NULL, found_cb, NULL);
  g_task_set_source_tag (task, look_cb);
  tau_task_run_in_thread (task, find_thread);
  return G_SOURCE_REMOVE;
}

/**
 * tau_survivors_get:
 *
 * The list, which is kept up from the first call on. Right after it what an earlier Tau has left, if that crashed, comes in.
 *
 * Returns: (transfer none): of #TauSurvivor
 */
GListModel *
tau_survivors_get (void)
{
  if (list == NULL)
    {
      list = g_list_store_new (TAU_TYPE_SURVIVOR);
      doomed = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      look_after (0);
    }
  return G_LIST_MODEL (list);
}

/**
 * tau_survivors_look:
 *
 * Says that a command is over. Nothing happens if nobody has asked for the list.
 */
void
tau_survivors_look (void)
{
  if (list == NULL)
    return;
  once_more = TRUE;
  look_after (SETTLE_MS);
}

/**
 * tau_survivors_stop:
 * @survivor: one of the list
 *
 * Ends a survivor: SIGTERM, two seconds later SIGKILL. It leaves the list when it is gone.
 */
void
tau_survivors_stop (TauSurvivor *survivor)
{
  gint64 now = g_get_monotonic_time () / 1000;

  g_return_if_fail (TAU_IS_SURVIVOR (survivor));
  g_return_if_fail (list != NULL);

  g_hash_table_insert (doomed, GINT_TO_POINTER (tau_survivor_get_group (survivor)), g_memdup2 (&now, sizeof now));
  tau_survivor_signal (survivor, SIGTERM);
  look_after (STOPPING_MS / 5);
}
