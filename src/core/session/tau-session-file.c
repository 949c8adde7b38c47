/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-session-file-private.h"

#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/base/tau-task.h"
#include "core/session/tau-session-migration.h"
#include "core/session/tau-session-reader.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

/**
 * TauSessionFile:
 *
 * A session on disk: loads what it can, appends strictly. Existing lines are never written again; the one exception is
 * a file of an older version, which is replaced by its migrated copy before the first append.
 *
 * Live, main thread only; owned by the session. As pi does, it creates the file with the first answer. This file reads
 * and tells; everything that writes is in tau-session-file-save.c.
 */

G_DEFINE_FINAL_TYPE (TauSessionFile, tau_session_file, G_TYPE_OBJECT)

enum { PROP_0, PROP_ERROR, PROP_HOLDER, N_PROPS };
static GParamSpec *properties[N_PROPS];

enum { NOTICE, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Keeps a sentence for a person, and tells it to whoever listens already. */
void
tau_session_file_say (TauSessionFile *self,
                      char           *sentence)
{
  g_ptr_array_insert (self->problems, (int) self->problems->len - 1, sentence);
  g_signal_emit (self, signals[NOTICE], 0, sentence);
}

static void
set_one_error (TauSessionFile  *self,
               char           **place,
               const char      *error)
{
  if (g_strcmp0 (*place, error) == 0)
    return;
  g_free (*place);
  *place = g_strdup (error);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ERROR]);
}

void
tau_session_file_set_error (TauSessionFile *self,
                            const char     *error)
{
  set_one_error (self, &self->error, error);
}

void
tau_session_file_set_sync_error (TauSessionFile *self,
                                 const char     *error)
{
  set_one_error (self, &self->sync_error, error);
}

void
tau_session_file_set_holder (TauSessionFile *self,
                             const char     *holder)
{
  if (g_strcmp0 (self->holder, holder) == 0)
    return;
  g_free (self->holder);
  self->holder = g_strdup (holder);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HOLDER]);
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
      g_value_set_string (value, tau_session_file_get_error (self));
      break;
    case PROP_HOLDER:
      g_value_set_string (value, self->holder);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tau_session_file_finalize (GObject *object)
{
  TauSessionFile *self = TAU_SESSION_FILE (object);

  tau_session_file_let_go (self);
  g_clear_handle_id (&self->retry_source, g_source_remove);
  tau_session_file_stop_syncing (self);
  g_ptr_array_unref (self->unsynced);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) tau_session_entry_unref);
  g_clear_pointer (&self->header, tau_session_entry_unref);
  g_clear_object (&self->tree);
  g_clear_pointer (&self->journal, tau_session_journal_free);
  g_ptr_array_unref (self->problems);
  g_free (self->path);
  g_free (self->cwd);
  g_free (self->obstacle);
  g_free (self->error);
  g_free (self->sync_error);
  g_free (self->holder);

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
   * Why entries wait in memory or may not be on the disk, or %NULL when all is well.
   */
  properties[PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL,
                                                G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * TauSessionFile:holder:
   *
   * The program that owns the session meanwhile, so that nothing can be appended here; %NULL if none does.
   */
  properties[PROP_HOLDER] = g_param_spec_string ("holder", NULL, NULL, NULL,
                                                 G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * TauSessionFile::notice:
   * @self: the file
   * @sentence: for a person
   *
   * Something happened to the file that was not to be expected; nothing is lost.
   */
  signals[NOTICE] = g_signal_new ("notice", TAU_TYPE_SESSION_FILE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
tau_session_file_init (TauSessionFile *self)
{
  self->fd = -1;
  self->tree = tau_session_tree_new ();
  g_queue_init (&self->waiting);
  self->unsynced = g_ptr_array_new_with_free_func (tau_session_file_unsynced_free);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->problems, NULL);
}

/* The folder of the first header, wherever that stands. */
static void
take_cwd (TauSessionFile  *self,
          TauSessionEntry *header)
{
  g_autoptr(JsonNode) json = self->cwd == NULL ? tau_session_entry_dup_json (header) : NULL;
  const char *cwd = tau_json_get_string (json, "cwd", "");

  if (*cwd != '\0')
    self->cwd = g_strdup (cwd);
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
  take_cwd (self, header);
  g_queue_push_tail (&self->waiting, tau_session_entry_ref (header));
  return self;
}

static void
report_text (TauSessionFile *self,
             TauSessionText *text)
{
  guint n_broken = text->n_broken - (text->torn_at >= 0 ? 1 : 0);

  if (n_broken > 0)
    tau_session_file_say (self, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u line of %s cannot be read; it is left as it is.",
                                                     "%u lines of %s cannot be read; they are left as they are.", n_broken),
                                        n_broken, self->path));
  if (text->torn_at >= 0)
    tau_session_file_say (self, g_strdup_printf (_("The last line of %s was cut off while it was written and is lost."), self->path));
}

static void
take_text (TauSessionFile *self,
           TauSessionText *text)
{
  g_autoptr(GPtrArray) lines = g_ptr_array_ref (text->lines);

  self->usage = text->usage;
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
    if (tau_session_entry_get_kind (g_ptr_array_index (lines, i)) == TAU_ENTRY_SESSION)
      take_cwd (self, g_ptr_array_index (lines, i));
    else
      tau_session_tree_append (self->tree, g_ptr_array_index (lines, i));
}

static TauSessionFile *
load (const char   *path,
      GCancellable *cancellable,
      GError      **error)
{
  g_autoptr(TauSessionText) text = tau_session_text_read (path, cancellable, error);
  TauSessionFile *self;

  if (text == NULL)
    return NULL;

  self = g_object_new (TAU_TYPE_SESSION_FILE, NULL);
  self->path = g_strdup (path);
  take_text (self, text);
  report_text (self, text);
  if (self->header == NULL)
    self->obstacle = g_strdup (_("The file does not begin with the header of a session. What can be read of it is shown; it is never written to."));
  else if (g_access (path, W_OK) != 0)
    self->obstacle = g_strdup (_("The file can be read but not written."));
  return self;
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
  return load (path, NULL, error);
}

static void
load_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  g_autoptr(GError) error = NULL;
  TauSessionFile *file = load (task_data, cancellable, &error);

  if (file != NULL)
    g_task_return_pointer (task, file, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * tau_session_file_load_async:
 * @path: an existing file
 * @cancellable: (nullable): stops it
 * @callback: called when done
 * @user_data: for @callback
 *
 * Does in a thread what tau_session_file_load() does, and hands the object over.
 */
void
tau_session_file_load_async (const char          *path,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, tau_session_file_load_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  tau_task_run_in_thread (task, load_thread);
}

/**
 * tau_session_file_load_finish:
 * @result: what the callback got
 * @error: return location: %G_IO_ERROR, also %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (nullable): the session
 */
TauSessionFile *
tau_session_file_load_finish (GAsyncResult  *result,
                              GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
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

  return self->obstacle != NULL || self->holder != NULL;
}

/**
 * tau_session_file_get_cwd:
 * @self: a session file
 *
 * Returns: (nullable): the folder that the file says it belongs to
 */
const char *
tau_session_file_get_cwd (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return self->cwd;
}

/**
 * tau_session_file_get_obstacle:
 * @self: a session file
 *
 * Returns: (nullable): a sentence: why nothing can be appended, now or later
 */
const char *
tau_session_file_get_obstacle (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return self->obstacle;
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
 * Returns: (nullable): why entries wait in memory or may not be on the disk
 */
const char *
tau_session_file_get_error (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return self->error != NULL ? self->error : self->sync_error;
}

/**
 * tau_session_file_get_holder:
 * @self: a session file
 *
 * Returns: (nullable): the program that owns the session, so that it can only be read here
 */
const char *
tau_session_file_get_holder (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return self->holder;
}

/* An answer came that was not in the file when it was loaded. */
void
tau_session_file_count (TauSessionFile  *self,
                        TauSessionEntry *entry)
{
  g_autoptr(TauMessage) message = tau_session_entry_get_kind (entry) == TAU_ENTRY_MESSAGE ? tau_session_entry_dup_message (entry) : NULL;

  if (message != NULL && TAU_IS_ASSISTANT_MESSAGE (message))
    tau_usage_add (&self->usage, tau_assistant_message_get_usage (TAU_ASSISTANT_MESSAGE (message)));
}

/**
 * tau_session_file_get_usage:
 * @self: a session file
 *
 * Every answer counts, on whichever branch and however it ended: all were paid for.
 *
 * Returns: (transfer none): what all answers in it used
 */
const TauUsage *
tau_session_file_get_usage (TauSessionFile *self)
{
  g_return_val_if_fail (TAU_IS_SESSION_FILE (self), NULL);

  return &self->usage;
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
