/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/tau-cli-startup.h"

#include "core/base/tau-error.h"
#include "core/base/tau-paths.h"
#include "core/session/tau-session-copy.h"
#include "core/session/tau-session-file.h"
#include "core/session/tau-session-index.h"
#include "core/session/tau-session-journal.h"

#include <glib/gi18n.h>

/* TauCliStartup: what the command line means: which model, which folder for sessions, which session. It owns the
 * catalogue and the settings that all sessions of this process share, and makes the sessions; it does not run them. */

struct _TauCliStartup
{
  GObject          parent_instance;

  TauCliArguments *arguments; /* borrowed */
  TauModelCatalog *catalog;
  TauSettings     *settings;
  GPtrArray       *scope; /* of TauModel, nullable */
  char            *agent_dir;
  char            *cwd;
  char            *session_dir; /* nullable: the usual place */
  gboolean         has_discovered;
};

G_DEFINE_FINAL_TYPE (TauCliStartup, tau_cli_startup, G_TYPE_OBJECT)

static void
tau_cli_startup_dispose (GObject *object)
{
  TauCliStartup *self = TAU_CLI_STARTUP (object);

  g_clear_object (&self->catalog);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->scope, g_ptr_array_unref);

  G_OBJECT_CLASS (tau_cli_startup_parent_class)->dispose (object);
}

static void
tau_cli_startup_finalize (GObject *object)
{
  TauCliStartup *self = TAU_CLI_STARTUP (object);

  g_free (self->agent_dir);
  g_free (self->cwd);
  g_free (self->session_dir);

  G_OBJECT_CLASS (tau_cli_startup_parent_class)->finalize (object);
}

static void
tau_cli_startup_class_init (TauCliStartupClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = tau_cli_startup_dispose;
  object_class->finalize = tau_cli_startup_finalize;
}

static void
tau_cli_startup_init (TauCliStartup *self)
{
}

/* The flag, then the environment, then the settings; the last two may begin with ~. */
static char *
find_session_dir (TauCliStartup *self)
{
  const char *wish = self->arguments->session_dir;

  if (wish != NULL)
    return g_strdup (wish);

  wish = g_getenv ("PI_CODING_AGENT_SESSION_DIR");
  if (wish == NULL || *wish == '\0')
    wish = tau_settings_get_string (self->settings, "sessionDir", NULL);

  return wish != NULL ? tau_paths_expand_home (wish) : NULL;
}

static void
warn_all (const char * const *sentences)
{
  for (guint i = 0; sentences[i] != NULL; i++)
    g_printerr (_("Warning: %s\n"), sentences[i]);
}

/**
 * tau_cli_startup_new:
 * @arguments: the command line; must outlive the object
 *
 * Reads the settings and the catalogue of models. What cannot be read is told on standard error.
 *
 * Returns: (transfer full): a new object
 */
TauCliStartup *
tau_cli_startup_new (TauCliArguments *arguments)
{
  TauCliStartup *self;

  g_return_val_if_fail (arguments != NULL, NULL);

  self = g_object_new (TAU_TYPE_CLI_STARTUP, NULL);
  self->arguments = arguments;
  self->agent_dir = tau_paths_agent_dir ();
  self->cwd = g_get_current_dir ();
  self->settings = tau_settings_new (self->agent_dir, self->cwd);
  self->catalog = tau_model_catalog_new (self->agent_dir);
  self->session_dir = find_session_dir (self);

  if (!tau_cli_arguments_mode_is_known (arguments))
    g_printerr (_("Warning: Invalid mode \"%s\" is ignored. Valid values: %s\n"), arguments->mode_name, "text, json, rpc");
  warn_all (tau_settings_get_problems (self->settings));
  warn_all (tau_model_catalog_get_problems (self->catalog));

  return self;
}

/**
 * tau_cli_startup_get_arguments:
 * @self: the object
 *
 * Returns: (transfer none): the command line
 */
const TauCliArguments *
tau_cli_startup_get_arguments (TauCliStartup *self)
{
  g_return_val_if_fail (TAU_IS_CLI_STARTUP (self), NULL);

  return self->arguments;
}

/**
 * tau_cli_startup_get_catalog:
 * @self: the object
 *
 * Returns: (transfer none): all models
 */
TauModelCatalog *
tau_cli_startup_get_catalog (TauCliStartup *self)
{
  g_return_val_if_fail (TAU_IS_CLI_STARTUP (self), NULL);

  return self->catalog;
}

/**
 * tau_cli_startup_get_settings:
 * @self: the object
 *
 * Returns: (transfer none): the settings of the folder we were started in
 */
TauSettings *
tau_cli_startup_get_settings (TauCliStartup *self)
{
  g_return_val_if_fail (TAU_IS_CLI_STARTUP (self), NULL);

  return self->settings;
}

/**
 * tau_cli_startup_get_cwd:
 * @self: the object
 *
 * Returns: the folder we were started in
 */
const char *
tau_cli_startup_get_cwd (TauCliStartup *self)
{
  g_return_val_if_fail (TAU_IS_CLI_STARTUP (self), NULL);

  return self->cwd;
}

/**
 * tau_cli_startup_get_scope:
 * @self: the object
 *
 * Returns: (transfer none) (nullable) (element-type TauModel): the models of `--models`
 */
GPtrArray *
tau_cli_startup_get_scope (TauCliStartup *self)
{
  g_return_val_if_fail (TAU_IS_CLI_STARTUP (self), NULL);

  return self->scope;
}

static void
discovered_cb (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  tau_model_catalog_discover_finish (TAU_MODEL_CATALOG (object), result);
  g_main_loop_quit (user_data);
}

/**
 * tau_cli_startup_discover:
 * @self: the object
 *
 * Asks servers on this machine for their models, once, unless the user wants no network. Takes less than a second.
 */
void
tau_cli_startup_discover (TauCliStartup *self)
{
  g_autoptr(GMainLoop) loop = NULL;

  g_return_if_fail (TAU_IS_CLI_STARTUP (self));

  if (self->has_discovered || self->arguments->offline || g_getenv ("PI_OFFLINE") != NULL)
    return;

  self->has_discovered = TRUE;
  loop = g_main_loop_new (NULL, FALSE);
  tau_model_catalog_discover_async (self->catalog, NULL, discovered_cb, loop);
  g_main_loop_run (loop);
}

typedef struct
{
  TauModel        *model; /* owned, nullable */
  TauThinkingLevel level;
  gboolean         has_level;
} Choice;

static gboolean
choose_pattern (TauCliStartup *self,
                const char    *pattern,
                Choice        *choice,
                GError       **error)
{
  const char *provider = self->arguments->provider;
  g_autofree char *warning = NULL;

  g_clear_object (&choice->model);
  choice->model = tau_model_catalog_choose (self->catalog, provider, pattern, &choice->level, &choice->has_level,
                                            &warning, NULL);
  if (choice->model == NULL)
    {
      g_clear_pointer (&warning, g_free);
      tau_cli_startup_discover (self);
      choice->model = tau_model_catalog_choose (self->catalog, provider, pattern, &choice->level, &choice->has_level,
                                                &warning, error);
    }
  if (warning != NULL)
    g_printerr (_("Warning: %s\n"), warning);

  return choice->model != NULL;
}

/* The first model of the scope is the one to begin with. */
static gboolean
choose_scope (TauCliStartup *self,
              Choice        *choice,
              GError       **error)
{
  char **patterns = self->arguments->models;

  g_clear_pointer (&self->scope, g_ptr_array_unref);
  self->scope = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; patterns[i] != NULL; i++)
    {
      Choice next = { NULL, TAU_THINKING_OFF, FALSE };

      if (!choose_pattern (self, patterns[i], &next, error))
        return FALSE;

      g_ptr_array_add (self->scope, next.model);
      if (i == 0 && choice->model == NULL)
        {
          *choice = next;
          g_object_ref (choice->model);
        }
    }

  return TRUE;
}

static gboolean
choose_model (TauCliStartup *self,
              Choice        *choice,
              GError       **error)
{
  TauCliArguments *arguments = self->arguments;

  if (arguments->model != NULL && !choose_pattern (self, arguments->model, choice, error))
    return FALSE;
  if (arguments->models != NULL && !choose_scope (self, choice, error))
    return FALSE;

  if (arguments->thinking != NULL)
    {
      if (tau_thinking_level_from_string (arguments->thinking, &choice->level))
        choice->has_level = TRUE;
      else
        g_printerr (_("Warning: Invalid thinking level \"%s\". Valid values: %s\n"), arguments->thinking,
                    "off, minimal, low, medium, high, xhigh");
    }

  if (arguments->api_key == NULL)
    return TRUE;
  if (choice->model == NULL)
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           _("--api-key needs a model: give --model, --provider and --model, or --models"));
      return FALSE;
    }
  tau_model_catalog_set_runtime_key (self->catalog, tau_model_get_provider (choice->model), arguments->api_key);

  return TRUE;
}

/* A prompt on the command line may be the name of a file that holds it. */
static char *
text_or_file (const char *text)
{
  char *contents = NULL;

  if (text != NULL && g_file_test (text, G_FILE_TEST_IS_REGULAR) && g_file_get_contents (text, &contents, NULL, NULL))
    return contents;

  return g_strdup (text);
}

static char **
texts_or_files (char **texts)
{
  g_autoptr(GPtrArray) read = NULL;

  if (texts == NULL)
    return NULL;

  read = g_ptr_array_new ();
  for (guint i = 0; texts[i] != NULL; i++)
    g_ptr_array_add (read, text_or_file (texts[i]));
  g_ptr_array_add (read, NULL);

  return (char **) g_ptr_array_free (g_steal_pointer (&read), FALSE);
}

/* A session works in the folder that its file names, which may be gone by now. */
static gboolean
check_folder (TauCliStartup   *self,
              TauAgentSession *session,
              GError         **error)
{
  const char *folder = tau_agent_session_get_cwd (session);

  if (g_file_test (folder, G_FILE_TEST_IS_DIR))
    return TRUE;

  g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND,
               "Stored session working directory does not exist: %s\n"
               "Session file: %s\n"
               "Current working directory: %s",
               folder, tau_agent_session_get_path (session), self->cwd);
  return FALSE;
}

/* Another program owns it: two must not write to one file. */
static gboolean
check_lease (TauAgentSession *session,
             GError         **error)
{
  const char *path = tau_agent_session_get_path (session);

  if (tau_agent_session_get_holder (session) == NULL)
    return TRUE;
  g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_LOCKED, _("%s is in use by %s. To go on in a copy: --fork %s"),
               path, tau_agent_session_get_holder (session), path);
  return FALSE;
}

/* A file that is no session, or may not be written: what is said would be lost. */
static gboolean
check_obstacle (TauAgentSession *session,
                GError         **error)
{
  const char *path = tau_agent_session_get_path (session);
  const char *obstacle = tau_agent_session_get_obstacle (session);

  if (obstacle == NULL)
    return TRUE;
  /* Translators: a file, and a sentence about it. */
  g_set_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_READ_ONLY, _("%s: %s To read it: --export %s. To go on in a copy: --fork %s"),
               path, obstacle, path, path);
  return FALSE;
}

static void
notice_cb (TauAgentSession *session,
           const char      *sentence,
           gpointer         user_data)
{
  g_printerr (_("Warning: %s\n"), sentence);
}

/* The session goes on when it cannot be saved; whoever started it must know at once. */
static void
error_cb (TauAgentSession *session,
          GParamSpec      *pspec,
          gpointer         user_data)
{
  g_autofree char *text = NULL;

  g_object_get (session, "error", &text, NULL);
  if (text != NULL)
    g_printerr (_("Error: %s\n"), text);
}

static void
describe (TauAgentSession *session)
{
  TauModel *model = tau_agent_session_get_model (session);
  const char *path = tau_agent_session_get_path (session);

  if (model != NULL)
    g_printerr (_("Model: %s/%s\n"), tau_model_get_provider (model), tau_model_get_id (model));
  if (path != NULL)
    g_printerr (_("Session: %s\n"), path);
}

static TauAgentSession *
make_session (TauCliStartup *self,
              const char    *path,
              const char    *cwd,
              const char    *parent,
              const Choice  *choice,
              GError       **error)
{
  static const char * const no_tools[] = { NULL };
  TauCliArguments *arguments = self->arguments;
  g_autofree char *system_prompt = text_or_file (arguments->system_prompt);
  g_auto(GStrv) appended = texts_or_files (arguments->append_system_prompt);
  g_autoptr(TauAgentSession) session = NULL;
  TauAgentSessionOptions options = {
    .agent_dir = self->agent_dir,
    .cwd = cwd,
    .catalog = self->catalog,
    .settings = g_strcmp0 (cwd, self->cwd) == 0 ? self->settings : NULL,
    .session_path = path,
    .sessions_dir = self->session_dir,
    .parent_session = parent,
    .in_memory = arguments->no_session,
    .model = choice->model,
    .has_thinking_level = choice->has_level,
    .thinking_level = choice->level,
    .tools = (const char * const *) arguments->tools,
    .system_prompt = system_prompt,
    .append_system_prompt = (const char * const *) appended,
    .no_context_files = arguments->no_context_files,
    .no_skills = arguments->no_skills,
    .no_prompt_templates = arguments->no_prompt_templates,
  };

  if (options.tools == NULL && (arguments->no_tools || arguments->no_builtin_tools))
    options.tools = no_tools;

  session = tau_agent_session_new (&options, error);
  if (session == NULL || !check_obstacle (session, error) || !check_folder (self, session, error))
    return NULL;

  warn_all (tau_agent_session_get_problems (session));
  g_signal_connect (session, "notify::error", G_CALLBACK (error_cb), NULL);
  g_signal_connect (session, "notice", G_CALLBACK (notice_cb), NULL);
  if (arguments->verbose)
    describe (session);

  return g_steal_pointer (&session);
}

static char *
sessions_root (TauCliStartup *self)
{
  return g_build_filename (self->agent_dir, "sessions", NULL);
}

/* Where the sessions of this folder are. */
static char *
sessions_here (TauCliStartup *self)
{
  g_autofree char *encoded = NULL;

  if (self->session_dir != NULL)
    return g_strdup (self->session_dir);

  encoded = tau_session_file_encode_cwd (self->cwd);

  return g_build_filename (self->agent_dir, "sessions", encoded, NULL);
}

static gboolean
check_combination (TauCliArguments *arguments,
                   GError         **error)
{
  if (arguments->resume)
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         _("--resume lets a person choose, which only the window can; use --continue or --session"));
  else if (arguments->fork != NULL &&
           (arguments->session != NULL || arguments->continue_recent || arguments->no_session))
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         _("--fork cannot be combined with --session, --continue, --resume or --no-session"));
  else
    return TRUE;

  return FALSE;
}

/* Returns: whether it is known which file to open; @path is NULL for a new one */
static gboolean
choose_session (TauCliStartup *self,
                char         **path,
                GError       **error)
{
  g_autofree char *root = sessions_root (self);
  g_autofree char *here = sessions_here (self);
  g_autofree char *source = NULL;

  *path = NULL;
  if (self->arguments->no_session)
    return TRUE;

  tau_session_journal_recover ();

  if (self->arguments->session != NULL)
    {
      *path = tau_session_index_resolve (root, here, self->arguments->session, error);
      return *path != NULL;
    }
  if (self->arguments->fork != NULL)
    {
      source = tau_session_index_resolve (root, here, self->arguments->fork, error);
      *path = source != NULL ? tau_session_copy_file (source, here, self->cwd, error) : NULL;
      return *path != NULL;
    }
  if (self->arguments->continue_recent)
    *path = tau_session_index_find_most_recent (here);

  return TRUE;
}

/**
 * tau_cli_startup_open:
 * @self: the object
 * @error: return location for an error that names the flag, the model or the file
 *
 * Makes the session that the command line asks for.
 *
 * Returns: (transfer full) (nullable): the session
 */
TauAgentSession *
tau_cli_startup_open (TauCliStartup *self,
                      GError       **error)
{
  Choice choice = { NULL, TAU_THINKING_OFF, FALSE };
  g_autoptr(TauAgentSession) session = NULL;
  g_autoptr(TauModel) model = NULL;
  g_autofree char *path = NULL;
  gboolean is_named;
  gboolean chosen;

  g_return_val_if_fail (TAU_IS_CLI_STARTUP (self), NULL);

  if (!check_combination (self->arguments, error))
    return NULL;

  chosen = choose_model (self, &choice, error);
  model = choice.model;
  if (!chosen || !choose_session (self, &path, error))
    return NULL;

  /* A session that was named is at home in its own folder; --continue only looks among those of this one. */
  is_named = self->arguments->session != NULL && path != NULL && g_file_test (path, G_FILE_TEST_EXISTS);

  session = make_session (self, path, is_named ? NULL : self->cwd, NULL, &choice, error);
  return session != NULL && check_lease (session, error) ? g_steal_pointer (&session) : NULL;
}

/**
 * tau_cli_startup_open_path:
 * @self: the object
 * @path: (nullable): a session file; %NULL for a new session
 * @parent: (nullable): the file that a new session says it comes from
 * @error: return location for an error that names the file
 *
 * Makes another session, with its own model or the default one.
 *
 * Returns: (transfer full) (nullable): the session
 */
TauAgentSession *
tau_cli_startup_open_path (TauCliStartup *self,
                           const char    *path,
                           const char    *parent,
                           GError       **error)
{
  Choice choice = { NULL, TAU_THINKING_OFF, FALSE };

  g_return_val_if_fail (TAU_IS_CLI_STARTUP (self), NULL);

  return make_session (self, path, path == NULL ? self->cwd : NULL, parent, &choice, error);
}
