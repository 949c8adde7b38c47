/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-import.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-io.h"
#include "core/base/tau-json.h"
#include "core/base/tau-task.h"
#include "core/session/tau-session-entry.h"
#include "core/session/tau-session-file.h"
#include "core/session/tau-session-info.h"
#include "core/session/tau-session-lines.h"
#include "core/session/tau-session-sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Takes a session file from elsewhere among ours: a copy, line by line, whatever stands in them. Only the header
 * changes, and only if the session's id is taken or could not be a file's name. */

static void
header_cb (const TauSessionEnvelope *envelope,
           gpointer                  user_data)
{
  JsonNode **header = user_data;

  if (*header == NULL)
    *header = tau_json_parse (envelope->object.text, (gssize) envelope->object.length, NULL);
}

/* Reads up to the first object, which must be the header. */
static JsonNode *
read_header (TauSessionLines *lines)
{
  g_autoptr(JsonNode) header = NULL;
  const char *line;
  gsize length;

  while (header == NULL && tau_session_lines_next (lines, &line, &length))
    tau_session_scan_line (line, length, header_cb, &header);
  return header != NULL && g_str_equal (tau_json_get_string (header, "type", ""), "session")
         && tau_json_get_string (header, "id", NULL) != NULL ? g_steal_pointer (&header) : NULL;
}

static gboolean
is_taken (const char *sessions_root,
          const char *id)
{
  g_autoptr(GPtrArray) paths = tau_session_sweep_list_files (sessions_root, TRUE);

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr(TauSessionInfo) info = tau_session_info_read_header (g_ptr_array_index (paths, i));

      if (info != NULL && g_str_equal (tau_session_info_get_id (info), id))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_usable_id (const char *id)
{
  gsize length = strlen (id);

  return length > 0 && length <= 64 && strspn (id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == length;
}

static char *
choose_path (JsonNode   *header,
             const char *sessions_root)
{
  const char *id = tau_json_get_string (header, "id", "");
  gint64 created = tau_clock_now_ms ();
  g_autofree char *cwd = g_strdup (tau_json_get_string (header, "cwd", "/"));
  g_autofree char *folder = NULL;

  if (!is_usable_id (id) || is_taken (sessions_root, id))
    {
      g_autofree char *new_id = tau_id_new_uuid_v7 ();

      json_object_set_string_member (json_node_get_object (header), "id", new_id);
      id = tau_json_get_string (header, "id", "");
    }
  tau_clock_parse_iso (tau_json_get_string (header, "timestamp", ""), &created);
  folder = tau_session_file_encode_cwd (cwd);
  if (strlen (folder) > 255)
    g_strlcpy (folder, "--imported--", strlen (folder));
  g_free (cwd);
  cwd = g_build_filename (sessions_root, folder, NULL);
  return tau_session_file_build_path (NULL, cwd, "", created, id);
}

static gboolean
write_all (int         fd,
           const char *bytes,
           gsize       length)
{
  while (length > 0)
    {
      gssize n = write (fd, bytes, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      bytes += n;
      length -= (gsize) n;
    }
  return TRUE;
}

static gboolean
write_copy (int              fd,
            JsonNode        *header,
            TauSessionLines *lines)
{
  g_autofree char *text = tau_json_to_string (header);
  const char *line;
  gsize length;

  if (!write_all (fd, text, strlen (text)) || !write_all (fd, "\n", 1))
    return FALSE;
  while (tau_session_lines_next (lines, &line, &length))
    if (!write_all (fd, line, length) || !write_all (fd, "\n", 1))
      return FALSE;
  /* A copy that lacks something is none. */
  errno = tau_session_lines_get_n_passed_over (lines) > 0 ? EFBIG : tau_session_lines_get_error (lines);
  if (errno == 0)
    errno = tau_io_sync (fd);
  return errno == 0;
}

/**
 * tau_session_import:
 * @source: a session file
 * @sessions_root: folder of all sessions
 * @error: return location: %TAU_SESSION_ERROR_INVALID if it is no session, %G_IO_ERROR
 *
 * Copies a session among the others, into the folder of its project. If there is one with its id, the copy gets an id
 * of its own. Blocks.
 *
 * Returns: (transfer full) (nullable): the copy
 */
char *
tau_session_import (const char  *source,
                    const char  *sessions_root,
                    GError     **error)
{
  g_autoptr(TauSessionLines) lines = tau_session_lines_open (source, 0, TAU_SESSION_LINE_MAX, error);
  g_autoptr(JsonNode) header = lines != NULL ? read_header (lines) : NULL;
  g_autofree char *path = NULL;
  g_autofree char *temporary = NULL;
  g_autofree char *folder = NULL;
  gboolean ok;
  int fd;

  if (lines == NULL)
    return NULL;
  if (header == NULL)
    {
      g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID, _("%s is not a session: it does not begin with a header."), source);
      return NULL;
    }
  path = choose_path (header, sessions_root);
  folder = g_path_get_dirname (path);
  g_mkdir_with_parents (folder, 0700);
  temporary = g_strdup_printf ("%s.part", path);
  fd = g_open (temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  ok = fd >= 0 && write_copy (fd, header, lines) && g_rename (temporary, path) == 0;
  if (!ok)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  if (fd >= 0)
    g_close (fd, NULL);
  if (!ok)
    g_unlink (temporary);
  return ok ? g_steal_pointer (&path) : NULL;
}

static void
import_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  char **arguments = task_data;
  g_autoptr(GError) error = NULL;
  char *path = tau_session_import (arguments[0], arguments[1], &error);

  if (path != NULL)
    g_task_return_pointer (task, path, g_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * tau_session_import_async:
 * @source: a session file
 * @sessions_root: folder of all sessions
 * @callback: called when done
 * @user_data: for @callback
 *
 * Does in a thread what tau_session_import() does.
 */
void
tau_session_import_async (const char          *source,
                          const char          *sessions_root,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, NULL, callback, user_data);
  const char * const arguments[] = { source, sessions_root, NULL };

  g_task_set_source_tag (task, tau_session_import_async);
  g_task_set_task_data (task, g_strdupv ((char **) arguments), (GDestroyNotify) g_strfreev);
  tau_task_run_in_thread (task, import_thread);
}

/**
 * tau_session_import_finish:
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the copy
 */
char *
tau_session_import_finish (GAsyncResult  *result,
                           GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
