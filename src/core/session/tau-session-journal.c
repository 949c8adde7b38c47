/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-journal.h"

#include "core/base/tau-io.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/session/tau-session-lease.h"
#include "core/session/tau-session-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As pi does, a session file is begun with the first answer, and a full disk may keep it from growing. What was said
 * until then is here: ~/.local/state/tau/journal/SESSION-ID.jsonl, a line that names the session file, then the entries
 * as they are to stand there. The journal is gone as soon as the file holds them. Its owner holds its lease, so what has
 * no owner was left by a program that was killed. */

struct _TauSessionJournal
{
  char *path;
  char *session_path;
  int   fd;           /* -1: not begun */
};

static char *
dup_folder (void)
{
  g_autofree char *state = tau_paths_state_dir ();

  return g_build_filename (state, "journal", NULL);
}

/**
 * tau_session_journal_new:
 * @session_id: of the session
 * @session_path: its file
 *
 * Writes nothing yet.
 *
 * Returns: (transfer full): the journal of a session
 */
TauSessionJournal *
tau_session_journal_new (const char *session_id,
                         const char *session_path)
{
  TauSessionJournal *self = g_new0 (TauSessionJournal, 1);
  g_autofree char *folder = dup_folder ();
  g_autofree char *id = g_strdelimit (g_strdup (session_id), "/", '-');
  g_autofree char *name = g_strconcat (id, ".jsonl", NULL);

  self->path = g_build_filename (folder, name, NULL);
  self->session_path = g_canonicalize_filename (session_path, NULL);
  self->fd = -1;
  return self;
}

static void
let_go (TauSessionJournal *self)
{
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  self->fd = -1;
}

/**
 * tau_session_journal_free:
 * @self: (transfer full): a journal
 *
 * Lets go of it. What stands in it stays on the disk.
 */
void
tau_session_journal_free (TauSessionJournal *self)
{
  let_go (self);
  g_free (self->path);
  g_free (self->session_path);
  g_free (self);
}

/**
 * tau_session_journal_get_path:
 * @self: a journal
 *
 * Returns: its file
 */
const char *
tau_session_journal_get_path (TauSessionJournal *self)
{
  return self->path;
}

/**
 * tau_session_journal_is_begun:
 * @self: a journal
 *
 * Returns: whether it holds what this program put there
 */
gboolean
tau_session_journal_is_begun (TauSessionJournal *self)
{
  return self->fd >= 0;
}

static gboolean
fail (TauSessionJournal *self,
      GError           **error)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", self->path, g_strerror (code));
  return FALSE;
}

/* One line is one write, so that a kill leaves it whole or not at all. */
static gboolean
write_line (TauSessionJournal *self,
            const char        *text,
            gsize              length,
            GError           **error)
{
  g_autoptr(GString) line = g_string_new_len (text, (gssize) length);
  off_t before = lseek (self->fd, 0, SEEK_END);
  gssize written;

  g_string_append_c (line, '\n');
  do
    written = write (self->fd, line->str, line->len);
  while (written < 0 && errno == EINTR);
  if (written == (gssize) line->len)
    return TRUE;
  if (written >= 0)
    errno = ftruncate (self->fd, before) == 0 ? ENOSPC : errno;
  return fail (self, error);
}

static gboolean
begin (TauSessionJournal *self,
       GError           **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autoptr(GString) line = g_string_new ("{\"type\":\"journal\",\"path\":");

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return fail (self, error);
  self->fd = g_open (self->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (self->fd < 0)
    return fail (self, error);
  if (!tau_session_lease_take (self->fd, self->path, error))
    {
      let_go (self);
      return FALSE;
    }
  if (lseek (self->fd, 0, SEEK_END) > 0)
    return TRUE;
  tau_json_append_string (line, self->session_path);
  g_string_append_c (line, '}');
  if (write_line (self, line->str, line->len, error))
    return TRUE;
  tau_session_journal_clear (self);
  return FALSE;
}

/**
 * tau_session_journal_append:
 * @self: a journal
 * @entry: an entry that waits for its file
 * @error: return location
 *
 * Begins the journal if need be. It is on the disk as far as a write gets it there; the caller syncs.
 *
 * Returns: whether it holds @entry now
 */
gboolean
tau_session_journal_append (TauSessionJournal *self,
                            TauSessionEntry   *entry,
                            GError           **error)
{
  g_autoptr(GBytes) text = tau_session_entry_dup_text (entry);

  /* What cannot be read any more can be kept nowhere. */
  return text == NULL || ((self->fd >= 0 || begin (self, error))
                          && write_line (self, g_bytes_get_data (text, NULL), g_bytes_get_size (text), error));
}

/**
 * tau_session_journal_clear:
 * @self: a journal
 *
 * The session file holds everything: the journal goes.
 */
void
tau_session_journal_clear (TauSessionJournal *self)
{
  if (self->fd < 0)
    return;
  g_unlink (self->path);
  let_go (self);
}

/* The file, if nobody else has it; the caller closes it. */
static int
claim (const char *path)
{
  int fd = g_open (path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0);
  struct stat named, held;

  if (fd < 0)
    return -1;
  if (tau_session_lease_take (fd, path, NULL) && fstat (fd, &held) == 0 && S_ISREG (held.st_mode)
      && stat (path, &named) == 0 && named.st_ino == held.st_ino)
    return fd;
  g_close (fd, NULL);
  return -1;
}

/* What comes next shall not be part of a line that its writer could not finish. */
static gboolean
end_line (TauSessionJournal *self,
          TauSessionText    *text)
{
  if (text->torn_at >= 0)
    return ftruncate (self->fd, text->torn_at) == 0;
  return !text->lacks_newline || write (self->fd, "\n", 1) == 1;
}

/**
 * tau_session_journal_read:
 * @self: a journal that is not begun
 *
 * Makes the journal that a former owner left ours.
 *
 * Returns: (transfer full) (element-type TauSessionEntry): what it holds, the header too; nothing if there is none, or
 *   somebody has it
 */
GPtrArray *
tau_session_journal_read (TauSessionJournal *self)
{
  g_autoptr(TauSessionText) text = NULL;

  if (self->fd < 0)
    self->fd = claim (self->path);
  if (self->fd >= 0)
    text = tau_session_text_read (self->path, NULL, NULL);
  if (text == NULL || !end_line (self, text))
    {
      /* It stays as it is. */
      let_go (self);
      return g_ptr_array_new ();
    }
  if (text->lines->len == 0)
    return g_ptr_array_new ();
  g_ptr_array_remove_index (text->lines, 0);
  return g_ptr_array_ref (text->lines);
}

/* The session file may have been begun: it is completed if all that stands there is the beginning of what belongs there. */
static gboolean
complete (const char *path,
          const char *text)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *begun = NULL;
  gsize n_begun = 0, length = strlen (text);
  gboolean done;
  int fd;

  if (g_mkdir_with_parents (folder, 0777) != 0)
    return FALSE;
  fd = g_open (path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0)
    return FALSE;
  done = tau_session_lease_take (fd, path, NULL)
         && g_file_get_contents (path, &begun, &n_begun, NULL)
         && n_begun < length && memcmp (begun, text, n_begun) == 0
         && write (fd, text + n_begun, length - n_begun) == (gssize) (length - n_begun)
         && tau_io_sync (fd) == 0;
  g_close (fd, NULL);
  return done;
}

static gboolean
recover_one (const char *path)
{
  int fd = claim (path);
  g_autofree char *text = NULL;
  g_autoptr(JsonNode) head = NULL;
  char *rest;
  gboolean done = FALSE;

  if (fd < 0)
    return FALSE;
  if (g_file_get_contents (path, &text, NULL, NULL) && (rest = strchr (text, '\n')) != NULL)
    {
      const char *session_path;
      char *last = strrchr (text, '\n');

      last[1] = '\0';
      head = tau_json_parse (text, rest - text, NULL);
      session_path = tau_json_get_string (head, "path", NULL);
      done = session_path != NULL && g_path_is_absolute (session_path)
             && g_str_has_prefix (rest + 1, "{\"type\":\"session\"") && complete (session_path, rest + 1);
      if (done)
        g_unlink (path);
    }
  g_close (fd, NULL);
  return done;
}

/**
 * tau_session_journal_recover:
 *
 * Makes the files of sessions that had none when their program was killed, from what their journals hold. For sessions
 * that have a file see tau_session_journal_read(). Blocking; any thread.
 *
 * Returns: how many sessions there are now that were not there before
 */
guint
tau_session_journal_recover (void)
{
  g_autofree char *folder = dup_folder ();
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_suffix (name, ".jsonl") && recover_one (path))
        n++;
    }
  return n;
}
