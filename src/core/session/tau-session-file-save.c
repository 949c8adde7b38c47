/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-session-file-private.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/session/tau-session-lease.h"
#include "core/session/tau-session-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* How a session gets to the disk. Entries wait in a queue until the file has them, so nothing is lost by what goes wrong:
 *
 * - The disk is full, the folder is gone: #TauSessionFile:error says so; tried again with the next entry and by a timer.
 * - pi, which knows no lease, appended something: it is taken into the tree, and ours goes on from the shown leaf.
 * - The file was removed: it is written again. It holds something else now: that is left alone, and the session goes on
 *   in a new file with everything. */

#define RETRY_SECONDS 2
#define MAX_TOUCHED   4   /* on some network file systems the time of the last change moves by itself */

/* Gives up the file's descriptor, and the lease with it. */
void
tau_session_file_let_go (TauSessionFile *self)
{
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  self->fd = -1;
}

static void
put_waiting (TauSessionFile  *self,
             TauSessionEntry *entry)
{
  g_queue_push_tail (&self->waiting, tau_session_entry_ref (entry));
}

static void
clear_journal (TauSessionFile *self)
{
  if (self->journal != NULL)
    tau_session_journal_clear (self->journal);
  self->n_journaled = 0;
}

/* Everything is to be written again: what was in the file is not there any more. */
static void
start_over (TauSessionFile *self)
{
  GPtrArray *entries = tau_session_tree_get_entries (self->tree);

  tau_session_file_let_go (self);
  g_ptr_array_set_size (self->unsynced, 0);
  clear_journal (self);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) tau_session_entry_unref);
  put_waiting (self, self->header);
  for (guint i = 0; i < entries->len; i++)
    put_waiting (self, g_ptr_array_index (entries, i));
  self->exists = FALSE;
  self->must_migrate = FALSE;
}

/* Somebody else's file has our name now. */
static void
move_away (TauSessionFile *self)
{
  g_autoptr(JsonNode) header = tau_session_entry_dup_json (self->header);
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autofree char *old_path = g_steal_pointer (&self->path);

  self->path = tau_session_file_build_path (NULL, folder, "", tau_clock_now_ms (), tau_json_get_string (header, "id", "session"));
  start_over (self);
  tau_session_file_say (self, g_strdup_printf (_("Another program changed %s. The session goes on in %s, which holds all of it."),
                                               old_path, self->path));
}

static gboolean
leads_to_ours (TauSessionFile *self)
{
  struct stat named, held;

  return self->fd >= 0 && stat (self->path, &named) == 0 && fstat (self->fd, &held) == 0
         && named.st_ino == held.st_ino && named.st_dev == held.st_dev;
}

static gboolean
is_new (TauSessionFile *self,
        GError        **error)
{
  struct stat info;

  if (fstat (self->fd, &info) == 0 && info.st_size == 0)
    return TRUE;
  g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID, _("%s was made by another program meanwhile"), self->path);
  return FALSE;
}

/* Opens the file, unless it is open, and takes the lease. A file that got a successor under its name between the two is
 * not the one we want. */
static gboolean
hold (TauSessionFile *self,
      GError        **error)
{
  while (!leads_to_ours (self))
    {
      tau_session_file_let_go (self);
      self->fd = tau_session_writer_open (self->path, !self->exists, error);
      if (self->fd < 0)
        return FALSE;
      if (!tau_session_lease_take (self->fd, self->path, error))
        {
          tau_session_file_let_go (self);
          return FALSE;
        }
    }
  return self->exists || is_new (self, error);
}

static gboolean
is_waiting (TauSessionFile  *self,
            TauSessionEntry *entry)
{
  return g_queue_find (&self->waiting, entry) != NULL;
}

/* Whether it is still this session, and all that we wrote or read is there. */
static gboolean
holds_ours (TauSessionFile *self,
            TauSessionText *text)
{
  GPtrArray *entries = tau_session_tree_get_entries (self->tree);
  g_autoptr(GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  if (!tau_session_text_has_header (text)
      || g_strcmp0 (tau_session_entry_get_id (g_ptr_array_index (text->lines, 0)), tau_session_entry_get_id (self->header)) != 0)
    return FALSE;
  for (guint i = 0; i < text->lines->len; i++)
    {
      const char *id = tau_session_entry_get_id (g_ptr_array_index (text->lines, i));

      if (id != NULL)
        g_hash_table_add (ids, (gpointer) id);
    }
  for (guint i = 0; i < entries->len; i++)
    {
      const char *id = tau_session_entry_get_id (g_ptr_array_index (entries, i));

      if (id != NULL && !g_hash_table_contains (ids, id) && !is_waiting (self, g_ptr_array_index (entries, i)))
        return FALSE;
    }
  return TRUE;
}

/* Takes in what we do not have; @follow: and goes there, past what was only noted while the file was not ours. */
static void
absorb (TauSessionFile *self,
        TauSessionText *text,
        gboolean        follow)
{
  guint n_new = 0;

  for (guint i = 0; i < text->lines->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (text->lines, i);
      const char *id = tau_session_entry_get_id (entry);

      TauSessionEntry *known = tau_session_tree_lookup (self->tree, id);

      if (known != NULL)
        tau_session_entry_move (known, entry);
      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_SESSION || id == NULL || known != NULL)
        continue;
      tau_session_file_count (self, entry);
      if (follow)
        tau_session_tree_append (self->tree, entry);
      else
        tau_session_tree_absorb (self->tree, entry);
      n_new++;
    }
  if (n_new > 0 && follow)
    {
      g_queue_clear_full (&self->waiting, (GDestroyNotify) tau_session_entry_unref);
      self->n_journaled = 0;
    }
  else if (n_new > 0)
    tau_session_file_say (self, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Another program wrote %u entry to %s.",
                                                              "Another program wrote %u entries to %s.", n_new),
                                                 n_new, self->path));
}

static gint64
new_part (TauSessionFile *self)
{
  return self->tail.torn_at >= 0 ? self->tail.torn_at : self->tail.size;
}

/* Looks whether somebody else wrote. Only what is behind the end that we know is read, unless that end is gone. An error
 * of TAU_SESSION_ERROR says that the file is not ours any more. */
static gboolean
catch_up (TauSessionFile *self,
          gboolean        follow,
          GError        **error)
{
  TauSessionChange change = tau_session_tail_compare (&self->tail, self->fd);
  g_autoptr(TauSessionText) text = NULL;

  if (change == TAU_SESSION_CHANGE_NONE || (change == TAU_SESSION_CHANGE_TOUCHED && self->n_touched >= MAX_TOUCHED))
    return TRUE;
  self->n_touched += change == TAU_SESSION_CHANGE_TOUCHED;
  text = tau_session_text_read_from (self->path, change == TAU_SESSION_CHANGE_GREW ? new_part (self) : 0, NULL, error);
  if (text == NULL)
    return FALSE;
  if (self->must_migrate || (change != TAU_SESSION_CHANGE_GREW && !holds_ours (self, text)))
    {
      g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID, _("another program changed %s"), self->path);
      return FALSE;
    }
  absorb (self, text, follow);
  self->tail = tau_session_tail_of (text);
  tau_session_tail_update (&self->tail, self->fd);
  if (self->tail.torn_at < 0)
    return TRUE;
  /* Cut off now or being written at this moment? If it is the same the next time it is cut off. */
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY, _("another program is writing to %s"), self->path);
  return FALSE;
}

static gboolean
migrate (TauSessionFile *self,
         GError        **error)
{
  GPtrArray *entries = tau_session_tree_get_entries (self->tree);
  g_autoptr(GPtrArray) lines = g_ptr_array_new ();
  g_autofree char *target = realpath (self->path, NULL);
  int fd;

  g_ptr_array_add (lines, self->header);
  for (guint i = 0; i < entries->len; i++)
    if (!is_waiting (self, g_ptr_array_index (entries, i)))
      g_ptr_array_add (lines, g_ptr_array_index (entries, i));
  /* A link stays one. */
  fd = tau_session_writer_replace (target != NULL ? target : self->path, self->fd, lines, &self->tail, error);
  if (fd < 0)
    return FALSE;
  tau_session_file_let_go (self);
  self->fd = fd;
  self->must_migrate = FALSE;
  return TRUE;
}

static gboolean
write_waiting (TauSessionFile *self,
               GError        **error)
{
  TauSessionEntry *entry;
  guint n_lost = 0;

  while ((entry = g_queue_peek_head (&self->waiting)) != NULL)
    {
      gint64 size = self->tail.size;

      if (!tau_session_writer_append (self->fd, &self->tail, entry, error))
        return FALSE;
      n_lost += self->tail.size == size;
      tau_session_file_note_written (self, g_queue_pop_head (&self->waiting));
      self->n_journaled -= MIN (self->n_journaled, 1);
    }
  if (n_lost > 0)
    tau_session_file_say (self, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u entry cannot be had any more: another program wrote over it.",
                                                              "%u entries cannot be had any more: another program wrote over them.", n_lost),
                                                 n_lost));
  return TRUE;
}

static gboolean
write_to_file (TauSessionFile *self,
               GError        **error)
{
  gboolean ok;

  if (!hold (self, error))
    return FALSE;
  if (!self->exists)
    self->tail = (TauSessionTail) { .torn_at = -1 };
  else if (!catch_up (self, FALSE, error))
    return FALSE;
  if (self->must_migrate && !migrate (self, error))
    return FALSE;
  self->exists = TRUE;
  ok = tau_session_tail_mend (&self->tail, self->fd, error) && write_waiting (self, error);
  tau_session_tail_update (&self->tail, self->fd);
  return ok;
}

static gboolean
try_write (TauSessionFile *self,
           GError        **error)
{
  g_autoptr(GError) mine = NULL;

  if (self->exists && !g_file_test (self->path, G_FILE_TEST_EXISTS))
    {
      tau_session_file_say (self, g_strdup_printf (_("%s was removed by another program; it is written again."), self->path));
      start_over (self);
    }
  if (write_to_file (self, &mine))
    return TRUE;
  if (mine->domain == TAU_SESSION_ERROR)
    {
      move_away (self);
      return write_to_file (self, error);
    }
  g_propagate_error (error, g_steal_pointer (&mine));
  return FALSE;
}

static gboolean
put_into_journal (TauSessionFile  *self,
                  TauSessionEntry *entry)
{
  g_autoptr(GError) error = NULL;

  if (tau_session_journal_append (self->journal, entry, &error))
    return TRUE;
  if (!self->journal_failed)
    tau_session_file_say (self, g_strdup_printf (_("What is said cannot be kept on the disk until the session is saved: %s"),
                                                 error->message));
  self->journal_failed = TRUE;
  return FALSE;
}

/* What waits is on the disk all the same. A model that was chosen is not worth a journal; words are. An entry without
 * the one before it would hang in the air, and all that was said earlier with it: what does not fit holds up the rest. */
static void
keep_in_journal (TauSessionFile  *self,
                 TauSessionEntry *newest)
{
  if (self->journal == NULL
      || (!tau_session_journal_is_begun (self->journal)
          && self->error == NULL && tau_session_entry_get_kind (newest) != TAU_ENTRY_MESSAGE))
    return;
  for (GList *link = g_queue_peek_nth_link (&self->waiting, self->n_journaled);
       link != NULL && put_into_journal (self, link->data); link = link->next)
    self->n_journaled++;
}

static gboolean
retry_cb (gpointer user_data)
{
  TauSessionFile *self = user_data;

  if (!tau_session_file_create (self))
    {
      keep_in_journal (self, g_queue_peek_tail (&self->waiting));
      return G_SOURCE_CONTINUE;
    }
  self->retry_source = 0;
  return G_SOURCE_REMOVE;
}

static void
retry_later (TauSessionFile *self,
             gboolean        retry)
{
  if (!retry)
    g_clear_handle_id (&self->retry_source, g_source_remove);
  else if (self->retry_source == 0)
    self->retry_source = g_timeout_add_seconds (RETRY_SECONDS, retry_cb, self);
}

/**
 * tau_session_file_create:
 * @self: a session file
 *
 * Writes what waits, and with it the file if there is none yet. Sets #TauSessionFile:error. What fails is tried again
 * every two seconds as long as the object lives.
 *
 * Returns: whether nothing waits any more
 */
gboolean
tau_session_file_create (TauSessionFile *self)
{
  g_autoptr(GError) error = NULL;
  gboolean ok;

  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), FALSE);

  if (self->path == NULL || tau_session_file_is_read_only (self) || g_queue_is_empty (&self->waiting))
    return TRUE;
  ok = try_write (self, &error);
  if (ok)
    clear_journal (self);
  retry_later (self, !ok);
  tau_session_file_set_error (self, ok ? NULL : error->message);
  return ok;
}

/**
 * tau_session_file_flush:
 * @self: a session file
 *
 * Tries again what could not be written. A session that has no file yet gets none.
 *
 * Returns: whether nothing waits any more
 */
gboolean
tau_session_file_flush (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), FALSE);

  if (!self->exists && self->error == NULL)
    return g_queue_is_empty (&self->waiting);
  return tau_session_file_create (self);
}

/* As pi does: a session in which nobody answered leaves no file. */
static gboolean
is_answer (TauSessionEntry *entry)
{
  g_autoptr(TauMessage) message = tau_session_entry_get_kind (entry) == TAU_ENTRY_MESSAGE ? tau_session_entry_dup_message (entry) : NULL;

  return message != NULL && g_str_equal (tau_message_get_role (message), "assistant");
}

/**
 * tau_session_file_add:
 * @self: a session file
 * @entry: the next entry, a child of the leaf
 *
 * Adds one of many entries to the tree, all of which tau_session_file_create() writes.
 */
void
tau_session_file_add (TauSessionFile  *self,
                      TauSessionEntry *entry)
{
  g_return_if_fail (TAU_IS_SESSION_FILE (self));

  tau_session_tree_append (self->tree, entry);
  tau_session_file_count (self, entry);
  put_waiting (self, entry);
}

/**
 * tau_session_file_append:
 * @self: a session file
 * @entry: the next entry, a child of the leaf
 *
 * Adds an entry to the tree and to the file. Before the first answer the file does not exist and entries wait for it.
 */
void
tau_session_file_append (TauSessionFile  *self,
                         TauSessionEntry *entry)
{
  g_return_if_fail (TAU_IS_SESSION_FILE (self));

  tau_session_tree_append (self->tree, entry);
  tau_session_file_count (self, entry);
  if (self->path == NULL || self->obstacle != NULL)
    return;
  put_waiting (self, entry);
  if (self->exists || self->error != NULL || is_answer (entry))
    tau_session_file_create (self);
  if (!g_queue_is_empty (&self->waiting))
    keep_in_journal (self, entry);
}

/**
 * tau_session_file_use_journal:
 * @self: a session file
 *
 * From now on what cannot be written yet is kept on the disk elsewhere, and tau_session_file_take_lease() takes in what
 * an earlier owner could not write.
 */
void
tau_session_file_use_journal (TauSessionFile *self)
{
  const char *id;

  g_return_if_fail (TAU_IS_SESSION_FILE (self));

  id = self->header != NULL ? tau_session_entry_get_id (self->header) : NULL;
  if (self->path != NULL && id != NULL && self->journal == NULL)
    self->journal = tau_session_journal_new (id, self->path);
}

/* What an earlier owner said and could not write before it ended. */
static void
recover (TauSessionFile *self)
{
  g_autoptr(GPtrArray) entries = tau_session_journal_read (self->journal);
  for (guint i = 0; i < entries->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (entries, i);
      const char *id = tau_session_entry_get_id (entry);

      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_SESSION || id == NULL
          || tau_session_tree_lookup (self->tree, id) != NULL)
        continue;
      tau_session_tree_append (self->tree, entry);
      g_queue_push_nth (&self->waiting, tau_session_entry_ref (entry), (int) self->n_journaled++);
    }
  if (self->n_journaled == 0)
    {
      clear_journal (self);
      return;
    }
  tau_session_file_say (self, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u entry that was not saved the last time is back.",
                                                            "%u entries that were not saved the last time are back.",
                                                            self->n_journaled), self->n_journaled));
  if (!self->must_migrate)
    tau_session_file_create (self);
}

/**
 * tau_session_file_take_lease:
 * @self: a session file
 *
 * Makes this object the only one that may append to the file, until tau_session_file_close() or the end of the program.
 * If another program owns it, #TauSessionFile:holder says which, and the session can only be read. Otherwise what was
 * written since it was read is taken in, and the leaf is the last entry. A file that does not exist yet is taken when
 * it is made.
 *
 * Returns: whether nobody else owns it
 */
gboolean
tau_session_file_take_lease (TauSessionFile *self)
{
  g_autoptr(GError) error = NULL;
  gboolean locked;

  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), FALSE);

  if (self->path == NULL || self->obstacle != NULL || !self->exists || self->fd >= 0)
    return TRUE;
  locked = !hold (self, &error) && g_error_matches (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_LOCKED);
  if (locked)
    {
      int fd = g_open (self->path, O_RDONLY | O_CLOEXEC, 0);
      g_autofree char *holder = tau_session_lease_dup_holder (fd);

      if (fd >= 0)
        g_close (fd, NULL);
      tau_session_file_set_holder (self, holder);
      return FALSE;
    }
  /* What else is wrong shows when something is to be written. */
  if (self->fd >= 0 && catch_up (self, TRUE, NULL))
    tau_session_tail_update (&self->tail, self->fd);
  tau_session_file_set_holder (self, NULL);
  if (self->journal != NULL)
    recover (self);
  return TRUE;
}

/**
 * tau_session_file_close:
 * @self: a session file
 *
 * Tries once more to write what waits, sees to it that the disk has all, and gives up the lease. An entry that comes
 * later takes it again. Blocking.
 */
void
tau_session_file_close (TauSessionFile *self)
{
  g_return_if_fail (TAU_IS_SESSION_FILE (self));

  tau_session_file_flush (self);
  retry_later (self, FALSE);
  tau_session_file_end_syncing (self);
  tau_session_file_let_go (self);
  g_clear_pointer (&self->journal, tau_session_journal_free);
}
