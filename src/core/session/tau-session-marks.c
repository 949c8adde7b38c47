/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session/tau-session-marks.h"

#include "core/base/tau-io.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>

/* Pins and the like, by the session's id, and where the folders of sessions have gone. A small JSON file in the user's
 * data: {"sessions":{ID:{"pinned":true,…}},"folders":{OLD:NEW},"projects":{FOLDER:IDENTITY}}. It is no cache: what is
 * lost here is lost. So a file that cannot be understood is never written, and under a lock each change goes into what
 * the file holds by then, since another Tau may write it too; what we do not know stays in it. */
struct _TauSessionMarks
{
  GObject     parent_instance;

  char       *path;
  JsonNode   *state;      /* an object: the file, with our changes */
  gboolean    unreadable;
  GPtrArray  *changes;    /* of Change: not written yet */
  guint       save_id;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TauSessionMarks, tau_session_marks, G_TYPE_OBJECT)

static const char * const mark_names[] = { "pinned", "archived", "unread" };

typedef struct
{
  char     *section;
  char     *key;
  char     *field;   /* nullable: the value is the key's own */
  JsonNode *value;   /* nullable: to be taken away */
} Change;

static void
change_free (gpointer data)
{
  Change *self = data;

  g_free (self->section);
  g_free (self->key);
  g_free (self->field);
  g_clear_pointer (&self->value, json_node_unref);
  g_free (self);
}

static JsonObject *
ensure_object (JsonObject *parent,
               const char *name)
{
  JsonNode *node = json_object_get_member (parent, name);

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    json_object_set_object_member (parent, name, json_object_new ());
  return json_object_get_object_member (parent, name);
}

static void
put (JsonObject *object,
     const char *name,
     JsonNode   *value)
{
  if (value != NULL)
    json_object_set_member (object, name, tau_json_copy (value));
  else if (json_object_has_member (object, name))
    json_object_remove_member (object, name);
}

static void
apply (JsonNode     *state,
       const Change *change)
{
  JsonObject *section = ensure_object (json_node_get_object (state), change->section);

  if (change->field == NULL)
    {
      put (section, change->key, change->value);
      return;
    }
  put (ensure_object (section, change->key), change->field, change->value);
  if (json_object_get_size (ensure_object (section, change->key)) == 0)
    json_object_remove_member (section, change->key);
}

/* Returns: %NULL if there is a file that cannot be understood */
static JsonNode *
read_state (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) node = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error))
    return g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT) ? tau_json_node_new_object (json_object_new ()) : NULL;
  node = tau_json_parse (text, -1, NULL);
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? g_steal_pointer (&node) : NULL;
}

static int
lock (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_strconcat (path, ".lock", NULL);
  int fd;

  g_mkdir_with_parents (folder, 0700);
  fd = g_open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || flock (fd, LOCK_EX) == 0)
    return fd;
  g_close (fd, NULL);
  return -1;
}

static void
write_changes (TauSessionMarks *self)
{
  int fd = lock (self->path);
  g_autoptr(JsonNode) state = read_state (self->path);
  g_autofree char *text = NULL;

  if (fd >= 0 && state != NULL)
    {
      for (guint i = 0; i < self->changes->len; i++)
        apply (state, g_ptr_array_index (self->changes, i));
      text = tau_json_to_pretty_string (state);
      if (tau_io_write_atomic (self->path, text, strlen (text), 0600, NULL))
        g_ptr_array_set_size (self->changes, 0);
    }
  if (fd >= 0)
    g_close (fd, NULL);
}

/**
 * tau_session_marks_flush:
 * @self: the marks
 *
 * Writes what has changed. Done by itself soon after a change; the program calls it on its way out.
 */
void
tau_session_marks_flush (TauSessionMarks *self)
{
  g_return_if_fail (TAU_IS_SESSION_MARKS (self));

  g_clear_handle_id (&self->save_id, g_source_remove);
  if (self->changes->len > 0 && !self->unreadable)
    write_changes (self);
}

static gboolean
save_cb (gpointer user_data)
{
  TauSessionMarks *self = user_data;

  self->save_id = 0;
  tau_session_marks_flush (self);
  return G_SOURCE_REMOVE;
}

static void
take_change (TauSessionMarks *self,
             const char      *section,
             const char      *key,
             const char      *field,
             JsonNode        *value)
{
  Change *change = g_new (Change, 1);

  *change = (Change) { g_strdup (section), g_strdup (key), g_strdup (field), value };
  apply (self->state, change);
  g_ptr_array_add (self->changes, change);
  if (self->save_id == 0)
    self->save_id = g_idle_add_full (G_PRIORITY_LOW, save_cb, self, NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
tau_session_marks_dispose (GObject *object)
{
  tau_session_marks_flush (TAU_SESSION_MARKS (object));

  G_OBJECT_CLASS (tau_session_marks_parent_class)->dispose (object);
}

static void
tau_session_marks_finalize (GObject *object)
{
  TauSessionMarks *self = TAU_SESSION_MARKS (object);

  g_ptr_array_unref (self->changes);
  json_node_unref (self->state);
  g_free (self->path);

  G_OBJECT_CLASS (tau_session_marks_parent_class)->finalize (object);
}

static void
tau_session_marks_class_init (TauSessionMarksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tau_session_marks_dispose;
  G_OBJECT_CLASS (klass)->finalize = tau_session_marks_finalize;

  /**
   * TauSessionMarks::changed:
   * @self: the marks
   *
   * Something is remembered otherwise than before.
   */
  signals[CHANGED] = g_signal_new ("changed", TAU_TYPE_SESSION_MARKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tau_session_marks_init (TauSessionMarks *self)
{
  self->changes = g_ptr_array_new_with_free_func (change_free);
}

/**
 * tau_session_marks_new:
 * @path: (nullable): the file; %NULL: `session-marks.json` in the user's data
 *
 * Reads the file, which is small.
 *
 * Returns: (transfer full): the marks
 */
TauSessionMarks *
tau_session_marks_new (const char *path)
{
  TauSessionMarks *self = g_object_new (TAU_TYPE_SESSION_MARKS, NULL);
  g_autofree char *data = tau_paths_data_dir ();

  self->path = path != NULL ? g_strdup (path) : g_build_filename (data, "session-marks.json", NULL);
  self->state = read_state (self->path);
  self->unreadable = self->state == NULL;
  if (self->unreadable)
    self->state = tau_json_node_new_object (json_object_new ());
  return self;
}

static JsonNode *
find (TauSessionMarks *self,
      const char      *section,
      const char      *key)
{
  JsonObject *object = tau_json_get_object (self->state, section);

  return object != NULL && key != NULL ? json_object_get_member (object, key) : NULL;
}

/**
 * tau_session_marks_get:
 * @self: the marks
 * @session_id: id of a session
 * @mark: which one
 *
 * Returns: whether the session has it
 */
gboolean
tau_session_marks_get (TauSessionMarks *self,
                       const char      *session_id,
                       TauSessionMark   mark)
{
  g_return_val_if_fail (TAU_IS_SESSION_MARKS (self), FALSE);

  return tau_json_get_bool (find (self, "sessions", session_id), mark_names[mark], FALSE);
}

/**
 * tau_session_marks_set:
 * @self: the marks
 * @session_id: id of a session
 * @mark: which one
 * @on: whether the session shall have it
 *
 * Marks a session. Its file is not touched.
 */
void
tau_session_marks_set (TauSessionMarks *self,
                       const char      *session_id,
                       TauSessionMark   mark,
                       gboolean         on)
{
  g_return_if_fail (TAU_IS_SESSION_MARKS (self));
  g_return_if_fail (session_id != NULL);

  if (tau_session_marks_get (self, session_id, mark) != on)
    take_change (self, "sessions", session_id, mark_names[mark], on ? tau_json_node_new_bool (TRUE) : NULL);
}

/**
 * tau_session_marks_get_folder:
 * @self: the marks
 * @cwd: the folder that a session names
 *
 * Returns: where that folder is now: what tau_session_marks_set_folder() said, else @cwd itself
 */
const char *
tau_session_marks_get_folder (TauSessionMarks *self,
                              const char      *cwd)
{
  g_return_val_if_fail (TAU_IS_SESSION_MARKS (self), cwd);

  return tau_json_get_string (find (self, "folders", cwd), NULL, cwd);
}

/**
 * tau_session_marks_set_folder:
 * @self: the marks
 * @cwd: the folder that sessions name
 * @folder: (nullable): where it is now; %NULL: where they say
 *
 * Remembers that a folder was moved. The sessions' files keep the old name.
 */
void
tau_session_marks_set_folder (TauSessionMarks *self,
                              const char      *cwd,
                              const char      *folder)
{
  g_return_if_fail (TAU_IS_SESSION_MARKS (self));

  if (g_strcmp0 (folder, cwd) == 0)
    folder = NULL;
  take_change (self, "folders", cwd, NULL, folder != NULL ? tau_json_node_new_string (folder) : NULL);
}

/**
 * tau_session_marks_get_project:
 * @self: the marks
 * @cwd: a folder
 *
 * Returns: (nullable): the identity of the project that was seen there
 */
const char *
tau_session_marks_get_project (TauSessionMarks *self,
                               const char      *cwd)
{
  g_return_val_if_fail (TAU_IS_SESSION_MARKS (self), NULL);

  return tau_json_get_string (find (self, "projects", cwd), NULL, NULL);
}

/**
 * tau_session_marks_set_project:
 * @self: the marks
 * @cwd: a folder
 * @identity: of the project that is there, see tau_project_identity_read_async()
 *
 * Remembers it, to know the project again when its folder was moved.
 */
void
tau_session_marks_set_project (TauSessionMarks *self,
                               const char      *cwd,
                               const char      *identity)
{
  g_return_if_fail (TAU_IS_SESSION_MARKS (self));

  if (g_strcmp0 (tau_session_marks_get_project (self, cwd), identity) != 0)
    take_change (self, "projects", cwd, NULL, tau_json_node_new_string (identity));
}

/**
 * tau_session_marks_dup_lost:
 * @self: the marks
 * @identity: of a project
 * @folder: where it is now
 *
 * Looks for folders that held the same project once and are not known to be somewhere else.
 *
 * Returns: (transfer full) (array zero-terminated=1): their paths; the caller looks whether they still exist
 */
char **
tau_session_marks_dup_lost (TauSessionMarks *self,
                            const char      *identity,
                            const char      *folder)
{
  g_autoptr(GStrvBuilder) lost = g_strv_builder_new ();
  JsonObject *projects = tau_json_get_object (self->state, "projects");
  JsonObjectIter iter;
  const char *cwd;
  JsonNode *value;

  if (projects == NULL)
    return g_strv_builder_end (lost);
  json_object_iter_init (&iter, projects);
  while (json_object_iter_next (&iter, &cwd, &value))
    if (g_strcmp0 (tau_json_get_string (value, NULL, NULL), identity) == 0 && !g_str_equal (cwd, folder)
        && find (self, "folders", cwd) == NULL)
      g_strv_builder_add (lost, cwd);
  return g_strv_builder_end (lost);
}
