/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/session/tau-agent-session-private.h"

#include "core/base/tau-error.h"
#include "core/base/tau-id.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/**
 * TauAgentSession:
 *
 * One conversation with an agent in one folder: what a window or a command line holds. It owns the agent, the tree of
 * entries and the file, records what the agent says, and decides what comes after a run: try again, compact, go on with
 * what is queued, or rest.
 *
 * Live, main thread only. This file makes it and tells what it is; the topics are in tau-agent-session-*.c.
 */

G_DEFINE_FINAL_TYPE (TauAgentSession, tau_agent_session, G_TYPE_OBJECT)

G_DEFINE_ENUM_TYPE (TauSessionState, tau_session_state,
                    G_DEFINE_ENUM_VALUE (TAU_SESSION_IDLE, "idle"),
                    G_DEFINE_ENUM_VALUE (TAU_SESSION_RUNNING, "running"),
                    G_DEFINE_ENUM_VALUE (TAU_SESSION_RETRYING, "retrying"),
                    G_DEFINE_ENUM_VALUE (TAU_SESSION_COMPACTING, "compacting"))

static GParamSpec *properties[TAU_AGENT_SESSION_N_PROPS];

enum { EVENT, NOTICE, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
tau_agent_session_get_property (GObject    *object,
                                guint       id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  TauAgentSession *self = TAU_AGENT_SESSION (object);

  switch (id)
    {
    case TAU_AGENT_SESSION_PROP_STATE:
      g_value_set_enum (value, (int) self->state);
      break;
    case TAU_AGENT_SESSION_PROP_MODEL:
      g_value_set_object (value, self->model);
      break;
    case TAU_AGENT_SESSION_PROP_THINKING_LEVEL:
      g_value_set_int (value, (int) self->level);
      break;
    case TAU_AGENT_SESSION_PROP_TITLE:
      g_value_take_string (value, tau_agent_session_dup_title (self));
      break;
    case TAU_AGENT_SESSION_PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case TAU_AGENT_SESSION_PROP_DRAFT:
      g_value_set_object (value, tau_agent_session_get_draft (self));
      break;
    case TAU_AGENT_SESSION_PROP_ERROR:
      g_value_set_string (value, tau_session_file_get_error (self->file));
      break;
    case TAU_AGENT_SESSION_PROP_RETRY_AT:
      g_value_set_int64 (value, self->retry_at);
      break;
    case TAU_AGENT_SESSION_PROP_READ_ONLY:
      g_value_set_boolean (value, tau_session_file_is_read_only (self->file));
      break;
    case TAU_AGENT_SESSION_PROP_HOLDER:
      g_value_set_string (value, tau_session_file_get_holder (self->file));
      break;
    case TAU_AGENT_SESSION_PROP_TAKING_OVER:
      g_value_set_boolean (value, self->taking_over);
      break;
    case TAU_AGENT_SESSION_PROP_BASH_RUN:
      g_value_set_object (value, self->bash_run);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tau_agent_session_dispose (GObject *object)
{
  TauAgentSession *self = TAU_AGENT_SESSION (object);

  if (self->file != NULL)
    tau_agent_session_close (self);
  g_clear_handle_id (&self->retry_source, g_source_remove);

  G_OBJECT_CLASS (tau_agent_session_parent_class)->dispose (object);
}

static void
tau_agent_session_finalize (GObject *object)
{
  TauAgentSession *self = TAU_AGENT_SESSION (object);

  g_clear_object (&self->agent);
  g_clear_object (&self->file);
  g_clear_object (&self->catalog);
  g_clear_object (&self->settings);
  g_clear_object (&self->tool_context);
  g_clear_object (&self->model);
  g_clear_object (&self->last_answer);
  g_clear_object (&self->retry_answer);
  g_clear_object (&self->unsent);
  g_clear_object (&self->messages);
  g_clear_object (&self->tool_runs);
  g_clear_object (&self->queued);
  g_clear_pointer (&self->skills, g_ptr_array_unref);
  g_clear_pointer (&self->templates, g_ptr_array_unref);
  g_clear_pointer (&self->commands, g_ptr_array_unref);
  g_clear_pointer (&self->context_files, g_ptr_array_unref);
  g_free (self->custom_prompt);
  g_free (self->append_prompt);
  g_clear_pointer (&self->held_messages, g_ptr_array_unref);
  g_clear_pointer (&self->made_messages, g_ptr_array_unref);
  g_ptr_array_unref (self->steering);
  g_ptr_array_unref (self->follow_ups);
  g_ptr_array_unref (self->held_bash);
  g_clear_object (&self->bash_run);
  g_ptr_array_unref (self->companions);
  g_ptr_array_unref (self->idle_tasks);
  g_ptr_array_unref (self->problems);
  g_free (self->agent_dir);
  g_free (self->sessions_dir);
  g_free (self->cwd);
  g_free (self->id);
  g_free (self->system_prompt);
  g_free (self->lost_provider);
  g_free (self->lost_id);
  g_free (self->name);
  g_free (self->first_prompt);

  G_OBJECT_CLASS (tau_agent_session_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * TauAgentSession:state:
   *
   * What it is doing.
   */
  properties[TAU_AGENT_SESSION_PROP_STATE] =
    g_param_spec_enum ("state", NULL, NULL, TAU_TYPE_SESSION_STATE, TAU_SESSION_IDLE, flags);
  /**
   * TauAgentSession:model:
   *
   * The model that answers next; %NULL if there is none.
   */
  properties[TAU_AGENT_SESSION_PROP_MODEL] = g_param_spec_object ("model", NULL, NULL, TAU_TYPE_MODEL, flags);
  /**
   * TauAgentSession:thinking-level:
   *
   * A #TauThinkingLevel that the model knows.
   */
  properties[TAU_AGENT_SESSION_PROP_THINKING_LEVEL] =
    g_param_spec_int ("thinking-level", NULL, NULL, TAU_THINKING_OFF, TAU_THINKING_XHIGH, TAU_THINKING_OFF, flags);
  /**
   * TauAgentSession:title:
   *
   * The name, or the first prompt on one line, or a word for a new session.
   */
  properties[TAU_AGENT_SESSION_PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  /**
   * TauAgentSession:name:
   *
   * The name that the user gave, or %NULL.
   */
  properties[TAU_AGENT_SESSION_PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  /**
   * TauAgentSession:draft:
   *
   * The answer being streamed, or %NULL.
   */
  properties[TAU_AGENT_SESSION_PROP_DRAFT] = g_param_spec_object ("draft", NULL, NULL, TAU_TYPE_DRAFT, flags);
  /**
   * TauAgentSession:error:
   *
   * Why saving fails, or %NULL.
   */
  properties[TAU_AGENT_SESSION_PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL, flags);
  /**
   * TauAgentSession:retry-at:
   *
   * Monotonic time in µs of the next try, 0 if none is waited for.
   */
  properties[TAU_AGENT_SESSION_PROP_RETRY_AT] = g_param_spec_int64 ("retry-at", NULL, NULL, 0, G_MAXINT64, 0, flags);
  /**
   * TauAgentSession:read-only:
   *
   * Whether the file cannot be written, so that nothing can be said.
   */
  properties[TAU_AGENT_SESSION_PROP_READ_ONLY] = g_param_spec_boolean ("read-only", NULL, NULL, FALSE, flags);
  /**
   * TauAgentSession:holder:
   *
   * The program that owns the session, so that it can only be read here; %NULL if it is ours.
   */
  properties[TAU_AGENT_SESSION_PROP_HOLDER] = g_param_spec_string ("holder", NULL, NULL, NULL, flags);
  /**
   * TauAgentSession:taking-over:
   *
   * Whether it waits for another program to let go of it.
   */
  properties[TAU_AGENT_SESSION_PROP_TAKING_OVER] = g_param_spec_boolean ("taking-over", NULL, NULL, FALSE, flags);
  /**
   * TauAgentSession:bash-run:
   *
   * The user's own command that runs now; see tau_agent_session_get_bash_run().
   */
  properties[TAU_AGENT_SESSION_PROP_BASH_RUN] = g_param_spec_object ("bash-run", NULL, NULL, TAU_TYPE_TOOL_RUN, flags);
  g_object_class_install_properties (object_class, TAU_AGENT_SESSION_N_PROPS, properties);
}

static void
tau_agent_session_class_init (TauAgentSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tau_agent_session_get_property;
  object_class->dispose = tau_agent_session_dispose;
  object_class->finalize = tau_agent_session_finalize;
  install_properties (object_class);

  /**
   * TauAgentSession::event:
   * @self: the session
   * @event: (type gpointer): a #TauSessionEvent, valid during the emission
   */
  signals[EVENT] = g_signal_new ("event", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_POINTER);

  /**
   * TauAgentSession::notice:
   * @self: the session
   * @sentence: for a person
   *
   * Another program did something to the file. Nothing is lost.
   */
  signals[NOTICE] = g_signal_new ("notice", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
tau_agent_session_init (TauAgentSession *self)
{
  self->messages = tau_session_messages_new ();
  self->tool_runs = g_list_store_new (TAU_TYPE_TOOL_RUN);
  self->queued = g_list_store_new (TAU_TYPE_MESSAGE);
  self->steering = g_ptr_array_new_with_free_func (g_object_unref);
  self->follow_ups = g_ptr_array_new_with_free_func (g_object_unref);
  self->companions = g_ptr_array_new_with_free_func (g_object_unref);
  self->held_bash = g_ptr_array_new_with_free_func (g_object_unref);
  self->idle_tasks = g_ptr_array_new_with_free_func (g_object_unref);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->problems, NULL);
}

/* Sends an event to whoever listens. */
void
tau_agent_session_emit (TauAgentSession       *self,
                        const TauSessionEvent *event)
{
  g_signal_emit (self, signals[EVENT], 0, event);
}

/* Tells people something; for the other files of this class. */
void
tau_agent_session_emit_notice (TauAgentSession *self,
                               const char      *sentence)
{
  g_signal_emit (self, signals[NOTICE], 0, sentence);
}

/* Says that a property changed; for the other files of this class. */
void
tau_agent_session_notify (TauAgentSession *self,
                          guint            property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

/* The only place where the state changes. */
void
tau_agent_session_set_state (TauAgentSession *self,
                             TauSessionState  state)
{
  if (self->state == state)
    return;
  self->state = state;
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_STATE);
}

/* Takes a sentence for a person. */
void
tau_agent_session_add_problem (TauAgentSession *self,
                               char            *sentence)
{
  g_ptr_array_insert (self->problems, (int) self->problems->len - 1, sentence);
}

static void
error_changed_cb (TauAgentSession *self)
{
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_ERROR);
}

static char *
choose_cwd (const TauAgentSessionOptions *options,
            TauSessionFile               *file)
{
  const char *cwd = options->cwd;

  if (cwd == NULL && file != NULL)
    cwd = tau_session_file_get_cwd (file);
  if (cwd == NULL)
    cwd = options->fallback_cwd;
  return cwd != NULL ? g_strdup (cwd) : g_get_current_dir ();
}

static TauSessionFile *
new_file (const char                   *path,
          const char                   *agent_dir,
          const TauAgentSessionOptions *options)
{
  gint64 now = tau_clock_now_ms ();
  g_autofree char *id = tau_id_new_uuid_v7 ();
  g_autofree char *cwd = choose_cwd (options, NULL);
  g_autofree char *root = g_build_filename (agent_dir, "sessions", NULL);
  g_autofree char *new_path = NULL;
  g_autoptr(TauSessionEntry) header = tau_session_entry_new_header (id, now, cwd, options->parent_session);

  if (path != NULL)
    new_path = g_strdup (path);
  else if (!options->in_memory)
    new_path = tau_session_file_build_path (root, options->sessions_dir, cwd, now, id);
  return tau_session_file_new (new_path, header);
}

static TauSessionFile *
open_file (const char                   *agent_dir,
           const TauAgentSessionOptions *options,
           GError                      **error)
{
  g_autoptr(TauSessionFile) file = NULL;
  const char *path = options->session_path;

  if (options->file != NULL)
    file = g_object_ref (options->file);
  else if (path == NULL || options->in_memory || !g_file_test (path, G_FILE_TEST_EXISTS))
    return new_file (options->in_memory ? NULL : path, agent_dir, options);
  else
    file = tau_session_file_load (path, error);
  if (file == NULL)
    return NULL;
  if (tau_session_file_get_header (file) != NULL)
    {
      tau_session_file_use_journal (file);
      tau_session_file_take_lease (file);
      return g_steal_pointer (&file);
    }
  if (tau_session_file_is_empty (file))
    return new_file (path, agent_dir, options);
  if (tau_session_tree_get_entries (tau_session_file_get_tree (file))->len > 0)
    return g_steal_pointer (&file);
  g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID, _("%s is not a session: nothing in it can be read. It is not changed."), path);
  return NULL;
}

/* A file without a header has no id; what is kept of its session elsewhere needs one, the same each time. */
static char *
make_id (const char *path)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, path, -1);

  return g_strdup_printf ("headerless-%.32s", sum);
}

static void
take_file (TauAgentSession              *self,
           const TauAgentSessionOptions *options)
{
  TauSessionEntry *header = tau_session_file_get_header (self->file);
  GPtrArray *entries;

  self->tree = tau_session_file_get_tree (self->file);
  tau_session_messages_set_tree (self->messages, self->tree);
  self->id = header != NULL ? g_strdup (tau_session_entry_get_id (header)) : make_id (tau_session_file_get_path (self->file));
  self->cwd = choose_cwd (options, self->file);
  self->name = tau_session_tree_dup_name (self->tree);
  entries = tau_session_tree_get_entries (self->tree);
  for (guint i = 0; i < entries->len && self->first_prompt == NULL; i++)
    {
      g_autoptr(TauMessage) message = tau_session_entry_get_kind (g_ptr_array_index (entries, i)) == TAU_ENTRY_MESSAGE
                                        ? tau_session_entry_dup_message (g_ptr_array_index (entries, i)) : NULL;

      tau_agent_session_note_prompt (self, message);
    }
  g_signal_connect_object (self->file, "notify::error", G_CALLBACK (error_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
take_problems (TauAgentSession    *self,
               const char * const *sentences)
{
  for (; *sentences != NULL; sentences++)
    tau_agent_session_add_problem (self, g_strdup (*sentences));
}

/**
 * tau_agent_session_new:
 * @options: what to open or make
 * @error: return location: %TAU_SESSION_ERROR_INVALID, or %G_IO_ERROR with the file's name
 *
 * Opens a session file or begins a new one, which is written with the first answer. A file that is no session, but
 * holds entries, can be read. Blocking: reads the file, unless that was done before, the settings and the project's
 * instructions.
 *
 * Returns: (transfer full) (nullable): the session; %NULL only if a given file cannot be read or holds nothing
 */
TauAgentSession *
tau_agent_session_new (const TauAgentSessionOptions *options,
                       GError                      **error)
{
  g_autofree char *agent_dir = NULL;
  g_autoptr(TauSessionFile) file = NULL;
  TauAgentSession *self;

  g_return_val_if_fail (options != NULL && TAU_IS_MODEL_CATALOG (options->catalog), NULL);

  agent_dir = options->agent_dir != NULL ? g_strdup (options->agent_dir) : tau_paths_agent_dir ();
  file = open_file (agent_dir, options, error);
  if (file == NULL)
    return NULL;

  self = g_object_new (TAU_TYPE_AGENT_SESSION, NULL);
  self->agent_dir = g_steal_pointer (&agent_dir);
  self->sessions_dir = g_strdup (options->sessions_dir);
  self->file = g_steal_pointer (&file);
  tau_session_file_use_journal (self->file);
  self->catalog = g_object_ref (options->catalog);
  take_file (self, options);
  self->settings = options->settings != NULL ? g_object_ref (options->settings) : tau_settings_new (self->agent_dir, self->cwd);
  take_problems (self, tau_session_file_get_problems (self->file));
  tau_agent_session_watch_file (self);
  if (options->settings == NULL)
    take_problems (self, tau_settings_get_problems (self->settings));
  tau_agent_session_set_up (self, options);
  tau_agent_session_begin (self, options);
  return self;
}

/**
 * tau_agent_session_get_id:
 * @self: a session
 *
 * Returns: its UUID
 */
const char *
tau_agent_session_get_id (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->id;
}

/**
 * tau_agent_session_get_path:
 * @self: a session
 *
 * Returns: (nullable): its file, also before that exists; %NULL if it is in memory only
 */
const char *
tau_agent_session_get_path (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return tau_session_file_get_path (self->file);
}

/**
 * tau_agent_session_get_cwd:
 * @self: a session
 *
 * Returns: the folder that it works in
 */
const char *
tau_agent_session_get_cwd (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->cwd;
}

/**
 * tau_agent_session_get_name:
 * @self: a session
 *
 * Returns: (nullable): the name that the user gave
 */
const char *
tau_agent_session_get_name (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->name;
}

/**
 * tau_agent_session_dup_title:
 * @self: a session
 *
 * Returns: (transfer full): name, first prompt on one line, or a word for a new session
 */
char *
tau_agent_session_dup_title (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  if (self->name != NULL)
    return g_strdup (self->name);
  return g_strdup (self->first_prompt != NULL ? self->first_prompt : _("New session"));
}

/**
 * tau_agent_session_set_name:
 * @self: a session
 * @name: its name; blanks around it are dropped
 *
 * Names the session; "" takes the name away. One that can only be read keeps its name, and says so by a notice.
 */
void
tau_agent_session_set_name (TauAgentSession *self,
                            const char      *name)
{
  g_autofree char *trimmed = NULL;
  JsonObject *fields;

  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  if (tau_session_file_is_read_only (self->file))
    {
      tau_agent_session_say_read_only (self);
      return;
    }
  trimmed = g_strstrip (g_strdup (name != NULL ? name : ""));
  fields = json_object_new ();
  json_object_set_string_member (fields, "name", trimmed);
  tau_agent_session_record (self, TAU_ENTRY_SESSION_INFO, fields);
  g_free (self->name);
  self->name = *trimmed != '\0' ? g_steal_pointer (&trimmed) : NULL;
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_NAME);
  tau_agent_session_notify (self, TAU_AGENT_SESSION_PROP_TITLE);
  tau_agent_session_emit (self, &(TauSessionEvent) { .kind = TAU_SESSION_EVENT_INFO_CHANGED, .name = self->name });
}

/**
 * tau_agent_session_get_tree:
 * @self: a session
 *
 * Returns: (transfer none): all of its entries; only looked at
 */
TauSessionTree *
tau_agent_session_get_tree (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->tree;
}

/**
 * tau_agent_session_get_state:
 * @self: a session
 *
 * Returns: what it is doing
 */
TauSessionState
tau_agent_session_get_state (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), TAU_SESSION_IDLE);

  return self->state;
}

/**
 * tau_agent_session_get_agent:
 * @self: a session
 *
 * Returns: (transfer none): its agent
 */
TauAgent *
tau_agent_session_get_agent (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->agent;
}

/**
 * tau_agent_session_get_checkpoints:
 * @self: a session
 *
 * What its tools changed, and the way back. Restore only while the session is idle.
 *
 * Returns: (transfer none) (nullable): %NULL if nothing is kept, since the session is in memory only
 */
TauCheckpoints *
tau_agent_session_get_checkpoints (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return tau_tool_context_get_checkpoints (self->tool_context);
}

/**
 * tau_agent_session_get_settings:
 * @self: a session
 *
 * Returns: (transfer none): settings of its folder
 */
TauSettings *
tau_agent_session_get_settings (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->settings;
}

/**
 * tau_agent_session_get_catalog:
 * @self: a session
 *
 * Returns: (transfer none): models and keys
 */
TauModelCatalog *
tau_agent_session_get_catalog (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->catalog;
}

/**
 * tau_agent_session_dup_header_line:
 * @self: a session
 *
 * Returns: (transfer full): the first line of its file, without line end; "" of a file that is no session
 */
char *
tau_agent_session_dup_header_line (TauAgentSession *self)
{
  g_autoptr(GBytes) text = NULL;

  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  if (tau_session_file_get_header (self->file) != NULL)
    text = tau_session_entry_dup_text (tau_session_file_get_header (self->file));
  return text != NULL ? g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text)) : g_strdup ("");
}

/**
 * tau_agent_session_get_problems:
 * @self: a session
 *
 * Returns: (transfer none) (array zero-terminated=1): sentences about what could not be read or restored
 */
const char * const *
tau_agent_session_get_problems (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return (const char * const *) self->problems->pdata;
}

/**
 * tau_agent_session_get_system_prompt:
 * @self: a session
 *
 * Returns: what the model is told first
 */
const char *
tau_agent_session_get_system_prompt (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->system_prompt;
}

/**
 * tau_agent_session_get_skills:
 * @self: a session
 *
 * Returns: (transfer none) (element-type TauSkill): what "/skill:NAME" calls
 */
GPtrArray *
tau_agent_session_get_skills (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->skills;
}

/**
 * tau_agent_session_get_prompt_templates:
 * @self: a session
 *
 * Returns: (transfer none) (element-type TauPromptTemplate): what "/NAME" calls
 */
GPtrArray *
tau_agent_session_get_prompt_templates (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->templates;
}

/**
 * tau_agent_session_get_messages:
 * @self: a session
 *
 * Returns: (transfer none): #TauMessage of the branch that is shown
 */
GListModel *
tau_agent_session_get_messages (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return G_LIST_MODEL (self->messages);
}

/**
 * tau_agent_session_get_tool_runs:
 * @self: a session
 *
 * A run leaves the list when its result stands among the messages.
 *
 * Returns: (transfer none): #TauToolRun in progress
 */
GListModel *
tau_agent_session_get_tool_runs (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return G_LIST_MODEL (self->tool_runs);
}

/**
 * tau_agent_session_get_queued:
 * @self: a session
 *
 * Returns: (transfer none): #TauMessage that wait: steering ones, then follow-ups
 */
GListModel *
tau_agent_session_get_queued (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return G_LIST_MODEL (self->queued);
}

/**
 * tau_agent_session_get_draft:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the answer being streamed
 */
TauDraft *
tau_agent_session_get_draft (TauAgentSession *self)
{
  g_return_val_if_fail (TAU_IS_AGENT_SESSION (self), NULL);

  return self->agent != NULL ? tau_agent_get_draft (self->agent) : NULL;
}

/* The program may end before the agent says that it stopped: what came so far is recorded now. */
static void
record_draft (TauAgentSession *self)
{
  TauDraft *draft = tau_agent_get_draft (self->agent);
  g_autoptr(TauAssistantMessage) message = NULL;

  if (draft == NULL || !tau_draft_is_started (draft))
    return;
  message = tau_draft_finish (draft, TAU_STOP_REASON_ABORTED, "Request was aborted");
  tau_agent_session_record_message (self, TAU_MESSAGE (message));
}

/**
 * tau_agent_session_close:
 * @self: a session
 *
 * Stops whatever runs, records the answer as far as it came and tries once more to write what could not be written.
 * Nothing is recorded afterwards.
 */
void
tau_agent_session_close (TauAgentSession *self)
{
  g_return_if_fail (TAU_IS_AGENT_SESSION (self));

  if (self->closed)
    return;
  record_draft (self);
  tau_agent_session_record_held_bash (self);
  tau_agent_session_abort_bash (self);
  self->closed = TRUE;
  tau_agent_session_abort (self);
  tau_agent_session_stop_taking_over (self);
  tau_agent_session_close_unsent (self);
  tau_session_file_close (self->file);
}
