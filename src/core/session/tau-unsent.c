/* SPDX-License-Identifier: MIT */
#include "core/session/tau-unsent.h"

#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-task.h"
#include "core/message/tau-message-json.h"
#include "core/session/tau-session-lease.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAVE_DELAY_MS 500

/**
 * TauUnsent:
 *
 * What of a session was typed or queued and not sent yet: ~/.local/state/tau/unsent/SESSION-ID.json, replaced in one
 * step, and not there when there is nothing. Typed text is saved half a second after a change, in a thread.
 *
 * Live, main thread only; owned by the session. Whoever has written the file last holds its lease, so that a file
 * without one was left by a program that is gone; what another program holds is not touched.
 */
struct _TauUnsent
{
  GObject parent_instance;

  char      *path;          /* NULL: nowhere on disk */
  char      *session_path;
  char      *cwd;
  char      *text;
  int        cursor;        /* in characters */
  JsonArray *steering;
  JsonArray *follow_ups;
  JsonArray *left_steering; /* of an earlier owner, not taken yet */
  JsonArray *left_follow_ups;
  guint      save_source;
  gint       ticket;        /* of the newest save */

  GMutex     lock;          /* around the two below, which a thread changes */
  gint       saved_ticket;
  int        fd;            /* holds the lease; -1: there is no file of ours */
};

G_DEFINE_FINAL_TYPE (TauUnsent, tau_unsent, G_TYPE_OBJECT)

/* Text of the file as it was when it was to be saved; NULL: there is nothing. */
typedef struct
{
  char *text;
  gint  ticket;
} Save;

static void
save_free (Save *self)
{
  g_free (self->text);
  g_free (self);
}

static void
tau_unsent_finalize (GObject *object)
{
  TauUnsent *self = TAU_UNSENT (object);

  g_clear_handle_id (&self->save_source, g_source_remove);
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  g_clear_pointer (&self->steering, json_array_unref);
  g_clear_pointer (&self->follow_ups, json_array_unref);
  g_clear_pointer (&self->left_steering, json_array_unref);
  g_clear_pointer (&self->left_follow_ups, json_array_unref);
  g_mutex_clear (&self->lock);
  g_free (self->path);
  g_free (self->session_path);
  g_free (self->cwd);
  g_free (self->text);

  G_OBJECT_CLASS (tau_unsent_parent_class)->finalize (object);
}

static void
tau_unsent_class_init (TauUnsentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tau_unsent_finalize;
}

static void
tau_unsent_init (TauUnsent *self)
{
  self->fd = -1;
  self->text = g_strdup ("");
  self->steering = json_array_new ();
  self->follow_ups = json_array_new ();
  self->left_steering = json_array_new ();
  self->left_follow_ups = json_array_new ();
  g_mutex_init (&self->lock);
}

static char *
dup_folder (void)
{
  g_autofree char *state = tau_paths_state_dir ();

  return g_build_filename (state, "unsent", NULL);
}

/* Opens a file that nobody owns, and owns it. */
static int
claim (const char *path)
{
  int fd = g_open (path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
  struct stat named, held;

  if (fd < 0)
    return -1;
  if (tau_session_lease_take (fd, path, NULL) && fstat (fd, &held) == 0 && S_ISREG (held.st_mode)
      && stat (path, &named) == 0 && named.st_ino == held.st_ino)
    return fd;
  g_close (fd, NULL);
  return -1;
}

static JsonNode *
read_json (const char *path)
{
  g_autofree char *text = NULL;
  gsize length;

  return g_file_get_contents (path, &text, &length, NULL) ? tau_json_parse (text, (gssize) length, NULL) : NULL;
}

static void
take_array (JsonArray **array,
            JsonNode   *json,
            const char *key)
{
  JsonArray *found = tau_json_get_array (json, key);

  if (found == NULL)
    return;
  json_array_unref (*array);
  *array = json_array_ref (found);
}

static void
take_json (TauUnsent *self,
           JsonNode  *json)
{
  g_free (self->text);
  self->text = g_strdup (tau_json_get_string (json, "text", ""));
  self->cursor = (int) CLAMP (tau_json_get_int (json, "cursor", 0), 0, G_MAXINT);
  take_array (&self->left_steering, json, "steering");
  take_array (&self->left_follow_ups, json, "followUp");
}

/**
 * tau_unsent_new:
 * @session_id: of the session
 * @session_path: (nullable): its file; %NULL: it is in memory, and so is this
 * @cwd: folder that it works in
 *
 * Reads what an earlier owner left. Blocking.
 *
 * Returns: (transfer full): what is unsent
 */
TauUnsent *
tau_unsent_new (const char *session_id,
                const char *session_path,
                const char *cwd)
{
  TauUnsent *self = g_object_new (TAU_TYPE_UNSENT, NULL);
  g_autofree char *folder = dup_folder ();
  g_autofree char *id = g_strdelimit (g_strdup (session_id), "/", '-');
  g_autofree char *name = g_strconcat (id, ".json", NULL);
  g_autoptr(JsonNode) json = NULL;

  self->cwd = g_strdup (cwd);
  if (session_path == NULL)
    return self;
  self->session_path = g_canonicalize_filename (session_path, NULL);
  self->path = g_build_filename (folder, name, NULL);
  self->fd = claim (self->path);
  if (self->fd >= 0 && (json = read_json (self->path)) != NULL)
    take_json (self, json);
  return self;
}

/* One that belongs to no session on disk, was begun in our folder, and whose program is gone. */
static gboolean
adopt_file (TauUnsent  *self,
            const char *path)
{
  int fd = claim (path);
  g_autoptr(JsonNode) json = fd >= 0 ? read_json (path) : NULL;
  const char *session_path = tau_json_get_string (json, "path", NULL);
  gboolean fits = session_path != NULL && !g_file_test (session_path, G_FILE_TEST_EXISTS)
                  && g_strcmp0 (tau_json_get_string (json, "cwd", NULL), self->cwd) == 0;

  if (fits)
    {
      take_json (self, json);
      tau_unsent_save (self);
      g_unlink (path);
    }
  if (fd >= 0)
    g_close (fd, NULL);
  return fits;
}

/**
 * tau_unsent_adopt:
 * @self: of a new session, with nothing in it
 *
 * What was typed for a session that never came to be goes to the next new one in the same folder. Blocking.
 *
 * Returns: whether there was something
 */
gboolean
tau_unsent_adopt (TauUnsent *self)
{
  g_autofree char *folder = NULL;
  g_autoptr(GDir) dir = NULL;
  const char *name;

  g_return_val_if_fail (TAU_IS_UNSENT (self), FALSE);

  if (self->path == NULL || self->fd >= 0)
    return FALSE;
  folder = dup_folder ();
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_suffix (name, ".json") && adopt_file (self, path))
        return TRUE;
    }
  return FALSE;
}

/**
 * tau_unsent_get_text:
 * @self: what is unsent
 * @cursor: (out) (optional): where the cursor is, in characters
 *
 * Returns: what was typed
 */
const char *
tau_unsent_get_text (TauUnsent *self,
                     int       *cursor)
{
  g_return_val_if_fail (TAU_IS_UNSENT (self), NULL);

  if (cursor != NULL)
    *cursor = self->cursor;
  return self->text;
}

static JsonNode *
join (JsonArray *first,
      JsonArray *second)
{
  JsonArray *all = json_array_new ();

  for (guint i = 0; i < json_array_get_length (first); i++)
    json_array_add_element (all, tau_json_copy (json_array_get_element (first, i)));
  for (guint i = 0; i < json_array_get_length (second); i++)
    json_array_add_element (all, tau_json_copy (json_array_get_element (second, i)));
  return tau_json_node_new_array (all);
}

static char *
dup_contents (TauUnsent *self)
{
  g_autoptr(JsonObject) object = json_object_new ();
  g_autoptr(JsonNode) steering = join (self->left_steering, self->steering);
  g_autoptr(JsonNode) follow_ups = join (self->left_follow_ups, self->follow_ups);
  g_autoptr(JsonNode) json = NULL;

  if (*self->text == '\0' && json_array_get_length (json_node_get_array (steering)) == 0
      && json_array_get_length (json_node_get_array (follow_ups)) == 0)
    return NULL;
  json_object_set_string_member (object, "path", self->session_path);
  json_object_set_string_member (object, "cwd", self->cwd);
  json_object_set_string_member (object, "text", self->text);
  json_object_set_int_member (object, "cursor", self->cursor);
  json_object_set_member (object, "steering", g_steal_pointer (&steering));
  json_object_set_member (object, "followUp", g_steal_pointer (&follow_ups));
  json = tau_json_node_new_object (g_steal_pointer (&object));
  return tau_json_to_string (json);
}

/* The new file has its lease before it gets the name. */
static int
write_file (const char *path,
            const char *text)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *copy = g_strconcat (path, ".new", NULL);
  gsize length = strlen (text);
  int fd;

  g_mkdir_with_parents (folder, 0700);
  fd = g_open (copy, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return -1;
  if (tau_session_lease_take (fd, copy, NULL) && write (fd, text, length) == (gssize) length
      && fdatasync (fd) == 0 && g_rename (copy, path) == 0)
    return fd;
  g_unlink (copy);
  g_close (fd, NULL);
  return -1;
}

/* Any thread. A save that was overtaken by a newer one does nothing; what somebody else owns is left alone. */
static void
run_save (TauUnsent  *self,
          const Save *save)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  int fd = -1;

  if (save->ticket < self->saved_ticket)
    return;
  self->saved_ticket = save->ticket;
  if (self->fd < 0)
    self->fd = claim (self->path);
  if (self->fd < 0 && (save->text == NULL || g_file_test (self->path, G_FILE_TEST_EXISTS)))
    return;
  if (save->text == NULL)
    g_unlink (self->path);
  else
    {
      fd = write_file (self->path, save->text);
      if (fd < 0)
        return;
    }
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  self->fd = fd;
}

static void
save_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  run_save (source, task_data);
  g_task_return_boolean (task, TRUE);
}

static Save *
begin_save (TauUnsent *self)
{
  Save *save = g_new0 (Save, 1);

  g_clear_handle_id (&self->save_source, g_source_remove);
  save->ticket = ++self->ticket;
  save->text = dup_contents (self);
  return save;
}

static gboolean
save_cb (gpointer user_data)
{
  TauUnsent *self = user_data;
  g_autoptr(GTask) task = g_task_new (self, NULL, NULL, NULL);

  self->save_source = 0;
  g_task_set_source_tag (task, save_cb);
  g_task_set_task_data (task, begin_save (self), (GDestroyNotify) save_free);
  tau_task_run_in_thread (task, save_thread);
  return G_SOURCE_REMOVE;
}

/**
 * tau_unsent_save_soon:
 * @self: what is unsent
 *
 * Saves it in a thread, half a second after the first change.
 */
void
tau_unsent_save_soon (TauUnsent *self)
{
  g_return_if_fail (TAU_IS_UNSENT (self));

  if (self->path != NULL && self->save_source == 0)
    self->save_source = g_timeout_add (SAVE_DELAY_MS, save_cb, self);
}

/**
 * tau_unsent_save:
 * @self: what is unsent
 *
 * Saves it now. Blocking.
 */
void
tau_unsent_save (TauUnsent *self)
{
  Save *save;

  g_return_if_fail (TAU_IS_UNSENT (self));

  if (self->path == NULL)
    return;
  save = begin_save (self);
  run_save (self, save);
  save_free (save);
}

/**
 * tau_unsent_set_text:
 * @self: what is unsent
 * @text: what is typed
 * @cursor: where the cursor is, in characters
 *
 * Keeps what is typed; on disk within half a second or so.
 */
void
tau_unsent_set_text (TauUnsent  *self,
                     const char *text,
                     int         cursor)
{
  g_return_if_fail (TAU_IS_UNSENT (self));

  if (self->cursor == cursor && g_str_equal (self->text, text))
    return;
  g_free (self->text);
  self->text = g_strdup (text);
  self->cursor = cursor;
  tau_unsent_save_soon (self);
}

/**
 * tau_unsent_take_queue:
 * @self: what is unsent
 * @steering: the steering messages, not the follow-ups
 *
 * Hands over what was in a queue when the earlier owner ended. It is kept until tau_unsent_set_queue().
 *
 * Returns: (transfer full) (element-type TauMessage): messages, each given once
 */
GPtrArray *
tau_unsent_take_queue (TauUnsent *self,
                       gboolean   steering)
{
  JsonArray **left = steering ? &self->left_steering : &self->left_follow_ups;
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (TAU_IS_UNSENT (self), messages);

  for (guint i = 0; i < json_array_get_length (*left); i++)
    {
      TauMessage *message = tau_message_from_json (json_array_get_element (*left, i), NULL);

      if (message != NULL)
        g_ptr_array_add (messages, message);
    }
  json_array_unref (*left);
  *left = json_array_new ();
  return messages;
}

static void
fill (JsonArray **array,
      GPtrArray  *messages)
{
  json_array_unref (*array);
  *array = json_array_new ();
  for (guint i = 0; i < messages->len; i++)
    json_array_add_element (*array, tau_message_to_json (g_ptr_array_index (messages, i)));
}

/**
 * tau_unsent_set_queue:
 * @self: what is unsent
 * @steering: (element-type TauMessage): what waits for the end of the turn
 * @follow_ups: (element-type TauMessage): what waits for the end of the run
 *
 * Keeps the queues; the caller saves.
 */
void
tau_unsent_set_queue (TauUnsent *self,
                      GPtrArray *steering,
                      GPtrArray *follow_ups)
{
  g_return_if_fail (TAU_IS_UNSENT (self));

  fill (&self->steering, steering);
  fill (&self->follow_ups, follow_ups);
}
