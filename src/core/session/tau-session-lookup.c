/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-index.h"

#include "core/base/tau-error.h"
#include "core/session/tau-session-sweep.h"

#include <string.h>

/* Finds one session for the command line. Blocks, and reads no more than the first lines of files. */

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
  g_autoptr(GPtrArray) paths = tau_session_sweep_list_files (directory, FALSE);

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr(TauSessionInfo) info = tau_session_info_read_header (g_ptr_array_index (paths, i));

      if (info != NULL)
        return g_strdup (tau_session_info_get_path (info));
    }
  return NULL;
}

/* The newest of those whose id begins so; only of several is it worth reading which one that is. */
static char *
find_prefix (const char *folder,
             gboolean    with_subfolders,
             const char *prefix)
{
  g_autoptr(GPtrArray) paths = tau_session_sweep_list_files (folder, with_subfolders);
  g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < paths->len; i++)
    {
      TauSessionInfo *info = tau_session_info_read_header (g_ptr_array_index (paths, i));

      if (info != NULL && g_str_has_prefix (tau_session_info_get_id (info), prefix))
        g_ptr_array_add (found, info);
      else
        g_clear_object (&info);
    }
  for (guint i = 0; found->len > 1 && i < found->len; i++)
    {
      TauSessionInfo *whole = tau_session_info_read (tau_session_info_get_path (g_ptr_array_index (found, i)));

      if (whole == NULL)
        continue;
      g_object_unref (g_ptr_array_index (found, i));
      g_ptr_array_index (found, i) = whole;
    }
  tau_session_sweep_sort (found);
  return found->len > 0 ? g_strdup (tau_session_info_get_path (g_ptr_array_index (found, 0))) : NULL;
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
  char *path;

  if (strchr (text, '/') != NULL || strchr (text, '\\') != NULL || g_str_has_suffix (text, ".jsonl"))
    return g_strdup (text);
  path = find_prefix (directory, FALSE, text);
  if (path == NULL)
    path = find_prefix (sessions_root, TRUE, text);
  if (path == NULL)
    g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND, "No session found matching '%s'", text);
  return path;
}
