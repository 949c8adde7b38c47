/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-rename.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-task.h"
#include "core/base/tau-text.h"
#include "core/session/tau-session-file.h"

#include <glib/gi18n-lib.h>

/* Gives a session a name as pi does: by one more entry at its end. */

static TauSessionEntry *
make_entry (TauSessionTree *tree,
            const char     *name)
{
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tree);
  g_autofree char *id = tau_session_tree_make_id (tree);
  g_autofree char *trimmed = tau_text_trim (name);
  g_autoptr(JsonObject) fields = json_object_new ();

  json_object_set_string_member (fields, "name", trimmed);
  return tau_session_entry_new (TAU_ENTRY_SESSION_INFO, id, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL,
                                tau_clock_now_ms (), fields);
}

/**
 * tau_session_rename:
 * @path: a session file
 * @name: its new name; "" takes the name away
 * @error: return location: %TAU_SESSION_ERROR_READ_ONLY, or why the file cannot be read or written
 *
 * Names a session that is not open here. Blocks.
 *
 * Returns: whether the name is in the file
 */
gboolean
tau_session_rename (const char  *path,
                    const char  *name,
                    GError     **error)
{
  g_autoptr(TauSessionFile) file = tau_session_file_load (path, error);
  g_autoptr(TauSessionEntry) entry = NULL;
  const char *failure;

  if (file == NULL)
    return FALSE;
  if (tau_session_file_get_header (file) == NULL || !tau_session_file_take_lease (file) || tau_session_file_is_read_only (file))
    {
      const char *holder = tau_session_file_get_holder (file);

      if (holder != NULL)
        g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_LOCKED, _("The session is in use by %s."), holder);
      else
        g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_READ_ONLY, _("%s can be read but not written."), path);
      return FALSE;
    }
  entry = make_entry (tau_session_file_get_tree (file), name);
  tau_session_file_append (file, entry);
  failure = tau_session_file_get_error (file);
  if (failure != NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, failure);
  tau_session_file_close (file);
  return failure == NULL;
}

static void
rename_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  char **arguments = task_data;
  g_autoptr(GError) error = NULL;

  if (tau_session_rename (arguments[0], arguments[1], &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * tau_session_rename_async:
 * @path: a session file
 * @name: its new name
 * @callback: called when done
 * @user_data: for @callback
 *
 * Does in a thread what tau_session_rename() does.
 */
void
tau_session_rename_async (const char          *path,
                          const char          *name,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, NULL, callback, user_data);
  const char * const arguments[] = { path, name, NULL };

  g_task_set_source_tag (task, tau_session_rename_async);
  g_task_set_task_data (task, g_strdupv ((char **) arguments), (GDestroyNotify) g_strfreev);
  tau_task_run_in_thread (task, rename_thread);
}

/**
 * tau_session_rename_finish:
 * @result: what the callback got
 * @error: return location
 *
 * Returns: whether the name is in the file
 */
gboolean
tau_session_rename_finish (GAsyncResult  *result,
                           GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
