/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-change-journal.h"

#include "core/base/tau-json.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Which files the agent changed, and from what to what: one JSON object a line, only ever added to, one file for each
 * session. Paths are written as in a URI, since they need not be UTF-8. Blocking. */

/**
 * tau_change_record_free:
 * @self: (transfer full): a record
 *
 * Frees it.
 */
void
tau_change_record_free (TauChangeRecord *self)
{
  g_free (self->path);
  g_free (self->call_id);
  g_free (self->restore_id);
  g_free (self->before);
  g_free (self->after);
  g_free (self);
}

static void
set_string (JsonObject *object,
            const char *name,
            const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, name, value);
}

static char *
make_line (const TauChangeRecord *record)
{
  JsonObject *object = json_object_new ();
  g_autoptr(JsonNode) node = tau_json_node_new_object (object);
  g_autofree char *path = g_uri_escape_string (record->path, G_URI_RESERVED_CHARS_ALLOWED_IN_PATH, TRUE);
  g_autofree char *text = NULL;

  json_object_set_int_member (object, "time", record->time);
  json_object_set_string_member (object, "path", path);
  set_string (object, "call", record->call_id);
  set_string (object, "restore", record->restore_id);
  set_string (object, "before", record->before);
  set_string (object, "after", record->after);
  json_object_set_int_member (object, "mode", record->mode);
  text = tau_json_to_string (node);
  return g_strconcat (text, "\n", NULL);
}

/* A line that was cut must not swallow the next one. */
static gboolean
ends_within_line (int fd)
{
  struct stat status;
  char last;

  return fstat (fd, &status) == 0 && status.st_size > 0 && pread (fd, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

static gboolean
write_line (int         fd,
            const char *line)
{
  g_autofree char *whole = g_strconcat (ends_within_line (fd) ? "\n" : "", line, NULL);
  gssize length = (gssize) strlen (whole);
  gssize written;

  do
    written = write (fd, whole, (gsize) length);
  while (written < 0 && errno == EINTR);
  if (written >= 0 && written < length)
    errno = ENOSPC;
  return written == length && (fdatasync (fd) == 0 || errno == EINVAL);
}

/**
 * tau_change_journal_append:
 * @path: a journal; made, with its folder, if it is not there
 * @record: a change
 * @error: return location for a %G_IO_ERROR
 *
 * Adds a change, to disk.
 *
 * Returns: whether it was added
 */
gboolean
tau_change_journal_append (const char             *path,
                           const TauChangeRecord  *record,
                           GError                **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *line = make_line (record);
  int fd = g_mkdir_with_parents (folder, 0700) == 0 ? g_open (path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  gboolean done = fd >= 0 && write_line (fd, line);
  int code = errno;

  if (fd >= 0)
    close (fd);
  if (!done)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return done;
}

/* NULL for what is no change. */
static TauChangeRecord *
read_line (const char *line)
{
  g_autoptr(JsonNode) node = tau_json_parse (line, -1, NULL);
  g_autofree char *path = g_uri_unescape_string (tau_json_get_string (node, "path", ""), NULL);
  TauChangeRecord *record;

  if (path == NULL || !g_path_is_absolute (path))
    return NULL;

  record = g_new0 (TauChangeRecord, 1);
  record->time = tau_json_get_int (node, "time", 0);
  record->path = g_steal_pointer (&path);
  record->call_id = g_strdup (tau_json_get_string (node, "call", NULL));
  record->restore_id = g_strdup (tau_json_get_string (node, "restore", NULL));
  record->before = g_strdup (tau_json_get_string (node, "before", NULL));
  record->after = g_strdup (tau_json_get_string (node, "after", NULL));
  record->mode = (guint) tau_json_get_int (node, "mode", 0644) & 07777;
  return record;
}

/**
 * tau_change_journal_load:
 * @path: a journal
 *
 * Reads what there is; lines that are damaged are left out.
 *
 * Returns: (transfer full) (element-type TauChangeRecord): the changes, oldest first
 */
GPtrArray *
tau_change_journal_load (const char *path)
{
  GPtrArray *records = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_change_record_free);
  g_autofree char *text = NULL;
  g_auto(GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return records;

  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      TauChangeRecord *record = *lines[i] != '\0' ? read_line (lines[i]) : NULL;

      if (record != NULL)
        g_ptr_array_add (records, record);
    }
  return records;
}
