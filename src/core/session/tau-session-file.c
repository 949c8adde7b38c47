/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-session-file.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/session/tau-session-migration.h"
#include "core/session/tau-session-reader.h"
#include "core/session/tau-session-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/**
 * TauSessionFile:
 *
 * A session on disk: loads what it can, appends strictly. Existing lines are never written again; the one exception is
 * a file of an older version, which is replaced by its migrated copy before the first append.
 *
 * Live, main thread only; owned by the session. As pi does, it creates the file with the first answer. What cannot be
 * written (disk full, folder gone) waits in memory, is said by #TauSessionFile:error and tried again with the next
 * entry. pi knows no lock, so before each append the file is compared with what we last saw of it, and entries of
 * others are taken into the tree without going there.
 */
struct _TauSessionFile
{
  GObject parent_instance;

  char            *path;         /* NULL: in memory */
  TauSessionEntry *header;       /* NULL for an empty file or one without */
  TauSessionTree  *tree;
  GQueue           waiting;      /* of TauSessionEntry, owned: in the tree and not in the file */
  gboolean         exists;       /* we know the file; entries are written at once */
  gboolean         must_migrate; /* the tree is migrated, the file is not */
  gboolean         read_only;
  TauSessionTail   tail;         /* the file as we know it */
  char            *error;
  GPtrArray       *problems;     /* of char *, NULL-terminated */
};

G_DEFINE_FINAL_TYPE (TauSessionFile, tau_session_file, G_TYPE_OBJECT)

enum { PROP_0, PROP_ERROR, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
add_problem (TauSessionFile *self,
             char           *sentence)
{
  g_ptr_array_insert (self->problems, (int) self->problems->len - 1, sentence);
}

static void
set_error (TauSessionFile *self,
           const char     *error)
{
  if (g_strcmp0 (self->error, error) == 0)
    return;
  g_free (self->error);
  self->error = g_strdup (error);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ERROR]);
}

static void
tau_session_file_get_property (GObject    *object,
                               guint       id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  TauSessionFile *self = TAU_SESSION_FILE (object);

  switch (id)
    {
    case PROP_ERROR:
      g_value_set_string (value, self->error);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tau_session_file_finalize (GObject *object)
{
  TauSessionFile *self = TAU_SESSION_FILE (object);

  g_queue_clear_full (&self->waiting, (GDestroyNotify) tau_session_entry_unref);
  g_clear_pointer (&self->header, tau_session_entry_unref);
  g_clear_object (&self->tree);
  g_ptr_array_unref (self->problems);
  g_free (self->path);
  g_free (self->error);

  G_OBJECT_CLASS (tau_session_file_parent_class)->finalize (object);
}

static void
tau_session_file_class_init (TauSessionFileClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tau_session_file_get_property;
  object_class->finalize = tau_session_file_finalize;

  /**
   * TauSessionFile:error:
   *
   * Why entries wait in memory, or %NULL when all is written.
   */
  properties[PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL,
                                                G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tau_session_file_init (TauSessionFile *self)
{
  self->tree = tau_session_tree_new ();
  g_queue_init (&self->waiting);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->problems, NULL);
}

static void
put_waiting (TauSessionFile  *self,
             TauSessionEntry *entry)
{
  g_queue_push_tail (&self->waiting, tau_session_entry_ref (entry));
}

/**
 * tau_session_file_new:
 * @path: (nullable): where it will be written; %NULL: nowhere
 * @header: its first line
 *
 * Returns: (transfer full): a session without entries; nothing is written yet
 */
TauSessionFile *
tau_session_file_new (const char      *path,
                      TauSessionEntry *header)
{
  TauSessionFile *self = g_object_new (TAU_TYPE_SESSION_FILE, NULL);

  self->path = g_strdup (path);
  self->header = tau_session_entry_ref (header);
  put_waiting (self, header);
  return self;
}

static void
report_text (TauSessionFile *self,
             TauSessionText *text)
{
  guint n_broken = text->n_broken - (text->torn_at >= 0 ? 1 : 0);

  if (n_broken > 0)
    add_problem (self, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u line of %s cannot be read; it is left as it is.",
                                                     "%u lines of %s cannot be read; they are left as they are.", n_broken),
                                        n_broken, self->path));
  if (text->torn_at >= 0)
    add_problem (self, g_strdup_printf (_("The last line of %s was cut off while it was written and is lost."), self->path));
}

static void
take_text (TauSessionFile *self,
           TauSessionText *text)
{
  g_autoptr(GPtrArray) lines = g_ptr_array_ref (text->lines);

  self->tail = tau_session_tail_of (text);
  self->exists = TRUE;
  if (tau_session_text_has_header (text))
    {
      self->must_migrate = tau_session_migration_get_version (g_ptr_array_index (lines, 0)) < TAU_SESSION_VERSION;
      if (self->must_migrate)
        {
          g_ptr_array_unref (lines);
          lines = tau_session_migration_run (text->lines);
        }
      self->header = tau_session_entry_ref (g_ptr_array_index (lines, 0));
    }
  for (guint i = 0; i < lines->len; i++)
    if (tau_session_entry_get_kind (g_ptr_array_index (lines, i)) != TAU_ENTRY_SESSION)
      tau_session_tree_append (self->tree, g_ptr_array_index (lines, i));
}

/**
 * tau_session_file_load:
 * @path: an existing file
 * @error: return location: %G_IO_ERROR
 *
 * Reads a file and takes what it can. A file without a header as its first object is no session: it can be looked at,
 * nothing is ever written to it. An empty file has nothing to lose and gets a header from the caller's
 * tau_session_file_new(). Blocking.
 *
 * Returns: (transfer full) (nullable): the session
 */
TauSessionFile *
tau_session_file_load (const char *path,
                       GError    **error)
{
  g_autoptr(TauSessionText) text = tau_session_text_read (path, error);
  TauSessionFile *self;

  if (text == NULL)
    return NULL;

  self = g_object_new (TAU_TYPE_SESSION_FILE, NULL);
  self->path = g_strdup (path);
  take_text (self, text);
  report_text (self, text);
  if (self->header == NULL)
    {
      self->read_only = TRUE;
      add_problem (self, g_strdup_printf (_("%s is not a session: it does not begin with a header. It is not changed."), path));
    }
  else if (g_access (path, W_OK) != 0)
    {
      self->read_only = TRUE;
      add_problem (self, g_strdup_printf (_("%s can be read but not written."), path));
    }
  return self;
}

/**
 * tau_session_file_get_tree:
 * @self: a session file
 *
 * Returns: (transfer none): its entries
 */
TauSessionTree *
tau_session_file_get_tree (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return self->tree;
}

/**
 * tau_session_file_get_header:
 * @self: a session file
 *
 * Returns: (transfer none) (nullable): its first line
 */
TauSessionEntry *
tau_session_file_get_header (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return self->header;
}

/**
 * tau_session_file_get_path:
 * @self: a session file
 *
 * Returns: (nullable): where it is or will be
 */
const char *
tau_session_file_get_path (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return self->path;
}

/**
 * tau_session_file_is_read_only:
 * @self: a session file
 *
 * Returns: whether nothing may be appended
 */
gboolean
tau_session_file_is_read_only (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), TRUE);

  return self->read_only;
}

/**
 * tau_session_file_is_empty:
 * @self: a session file
 *
 * Returns: whether the file exists and holds nothing that could be lost
 */
gboolean
tau_session_file_is_empty (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), FALSE);

  return self->exists && self->tail.size == 0;
}

/**
 * tau_session_file_is_saved:
 * @self: a session file
 *
 * Returns: whether the file holds every entry of the tree
 */
gboolean
tau_session_file_is_saved (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), FALSE);

  return self->exists && g_queue_is_empty (&self->waiting);
}

/**
 * tau_session_file_get_error:
 * @self: a session file
 *
 * Returns: (nullable): why entries wait in memory
 */
const char *
tau_session_file_get_error (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return self->error;
}

/**
 * tau_session_file_get_problems:
 * @self: a session file
 *
 * Returns: (transfer none) (array zero-terminated=1): sentences about what could not be read and what others wrote
 */
const char * const *
tau_session_file_get_problems (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return (const char * const *) self->problems->pdata;
}

/* Everything is to be written again: the file vanished under us. */
static void
start_over (TauSessionFile *self)
{
  GPtrArray *entries = tau_session_tree_get_entries (self->tree);

  add_problem (self, g_strdup_printf (_("%s was removed by another program; it is written again."), self->path));
  g_queue_clear_full (&self->waiting, (GDestroyNotify) tau_session_entry_unref);
  put_waiting (self, self->header);
  for (guint i = 0; i < entries->len; i++)
    put_waiting (self, g_ptr_array_index (entries, i));
  self->exists = FALSE;
  self->must_migrate = FALSE;
}

/* Another program wrote: take in what we do not have, and go on behind it. */
static gboolean
absorb_others (TauSessionFile *self,
               GError        **error)
{
  g_autoptr(TauSessionText) text = tau_session_text_read (self->path, error);
  guint n_new = 0;

  if (text == NULL)
    return FALSE;
  if (!tau_session_text_has_header (text))
    {
      g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID,
                   _("another program changed %s: it is no session any more"), self->path);
      return FALSE;
    }
  for (guint i = 0; i < text->lines->len; i++)
    {
      TauSessionEntry *entry = g_ptr_array_index (text->lines, i);
      const char *id = tau_session_entry_get_id (entry);

      if (tau_session_entry_get_kind (entry) == TAU_ENTRY_SESSION || id == NULL
          || tau_session_tree_lookup (self->tree, id) != NULL)
        continue;
      tau_session_tree_absorb (self->tree, entry);
      n_new++;
    }
  self->tail = tau_session_tail_of (text);
  if (n_new == 0)
    return TRUE;
  add_problem (self, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Another program wrote %u entry to %s.",
                                                   "Another program wrote %u entries to %s.", n_new),
                                      n_new, self->path));
  return TRUE;
}

static gboolean
write_waiting (TauSessionFile *self,
               int             fd,
               GError        **error)
{
  TauSessionEntry *entry;

  while ((entry = g_queue_peek_head (&self->waiting)) != NULL)
    {
      if (!tau_session_writer_append (fd, &self->tail, entry, error))
        return FALSE;
      tau_session_entry_unref (g_queue_pop_head (&self->waiting));
    }
  return TRUE;
}

/* The copy that replaces the file must not undo what another program, which may have migrated it too, wrote meanwhile. */
static gboolean
migrate_file (TauSessionFile *self,
              GError        **error)
{
  GPtrArray *entries = tau_session_tree_get_entries (self->tree);
  g_autoptr(GPtrArray) lines = g_ptr_array_new ();
  int fd = tau_session_writer_open (self->path, FALSE, error);
  gboolean ours = fd >= 0 && tau_session_tail_matches (&self->tail, fd);

  if (fd < 0)
    return FALSE;
  g_close (fd, NULL);
  if (!ours)
    {
      g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_LOCKED,
                   _("another program changed %s; open it again to go on"), self->path);
      return FALSE;
    }
  g_ptr_array_add (lines, self->header);
  for (guint i = 0; i < entries->len; i++)
    if (g_queue_find (&self->waiting, g_ptr_array_index (entries, i)) == NULL)
      g_ptr_array_add (lines, g_ptr_array_index (entries, i));
  if (!tau_session_writer_replace (self->path, lines, &self->tail, error))
    return FALSE;
  self->must_migrate = FALSE;
  return TRUE;
}

static gboolean
try_write (TauSessionFile *self,
           GError        **error)
{
  int fd;
  gboolean ok;

  if (self->exists && !g_file_test (self->path, G_FILE_TEST_EXISTS))
    start_over (self);
  if (self->must_migrate && !migrate_file (self, error))
    return FALSE;

  fd = tau_session_writer_open (self->path, !self->exists, error);
  if (fd < 0)
    return FALSE;
  ok = !self->exists || tau_session_tail_matches (&self->tail, fd) || absorb_others (self, error);
  if (ok && !self->exists)
    self->tail = (TauSessionTail) { .torn_at = -1 };
  self->exists = TRUE;
  ok = ok && tau_session_tail_mend (&self->tail, fd, error) && write_waiting (self, fd, error);
  tau_session_tail_update (&self->tail, fd);
  g_close (fd, NULL);
  return ok;
}

/**
 * tau_session_file_create:
 * @self: a session file
 *
 * Writes what waits, and with it the file if there is none yet. Sets #TauSessionFile:error.
 *
 * Returns: whether nothing waits any more
 */
gboolean
tau_session_file_create (TauSessionFile *self)
{
  g_autoptr(GError) error = NULL;
  gboolean ok;

  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), FALSE);

  if (self->path == NULL || self->read_only || g_queue_is_empty (&self->waiting))
    return TRUE;
  ok = try_write (self, &error);
  set_error (self, ok ? NULL : error->message);
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
  TauMessage *message = tau_session_entry_get_kind (entry) == TAU_ENTRY_MESSAGE ? tau_session_entry_get_message (entry) : NULL;

  return message != NULL && g_str_equal (tau_message_get_role (message), "assistant");
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
  if (self->path == NULL || self->read_only)
    return;
  put_waiting (self, entry);
  if (self->exists || self->error != NULL || is_answer (entry))
    tau_session_file_create (self);
}

static void
sync_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  const char *path = task_data;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);

  if (fd >= 0 && fsync (fd) == 0)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (task, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  if (fd >= 0)
    g_close (fd, NULL);
}

/**
 * tau_session_file_sync_async:
 * @self: a session file
 * @callback: (nullable): called when done
 * @user_data: for @callback
 *
 * Makes sure, in a thread, that what was written is on the disk itself. A session without a file is done at once.
 */
void
tau_session_file_sync_async (TauSessionFile      *self,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(GTask) task = NULL;

  g_return_if_fail (TAU_IS_SESSION_FILE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, tau_session_file_sync_async);
  if (self->path == NULL || !self->exists)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  g_task_set_task_data (task, g_strdup (self->path), g_free);
  g_task_run_in_thread (task, sync_thread);
}

/**
 * tau_session_file_sync_finish:
 * @self: a session file
 * @result: what the callback got
 * @error: return location
 *
 * Returns: whether the disk has it
 */
gboolean
tau_session_file_sync_finish (TauSessionFile *self,
                              GAsyncResult   *result,
                              GError        **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * tau_session_file_encode_cwd:
 * @cwd: a folder
 *
 * Returns: (transfer full): the name of the folder that pi keeps its sessions in
 */
char *
tau_session_file_encode_cwd (const char *cwd)
{
  const char *rest = *cwd == '/' || *cwd == '\\' ? cwd + 1 : cwd;
  g_autofree char *flat = g_strdelimit (g_strdup (rest), "/\\:", '-');

  return g_strdup_printf ("--%s--", flat);
}

/**
 * tau_session_file_build_path:
 * @sessions_root: folder of all sessions
 * @folder: (nullable): folder to use instead, for sessions of all projects
 * @cwd: folder that the session belongs to
 * @time_ms: when it begins, ms since 1970
 * @id: of the session
 *
 * Returns: (transfer full): path of a new session file
 */
char *
tau_session_file_build_path (const char *sessions_root,
                             const char *folder,
                             const char *cwd,
                             gint64      time_ms,
                             const char *id)
{
  g_autofree char *iso = tau_clock_iso (time_ms);
  g_autofree char *name = NULL;
  g_autofree char *encoded = NULL;

  g_strdelimit (iso, ":.", '-');
  name = g_strdup_printf ("%s_%s.jsonl", iso, id);
  if (folder != NULL)
    return g_build_filename (folder, name, NULL);
  encoded = tau_session_file_encode_cwd (cwd);
  return g_build_filename (sessions_root, encoded, name, NULL);
}
