/* SPDX-License-Identifier: MIT */
#include "cli/tau-rpc-handlers.h"

#include "cli/tau-rpc-data.h"
#include "core/base/tau-json.h"
#include "core/base/tau-paths.h"
#include "core/base/tau-text.h"
#include "core/config/tau-prompt-templates.h"
#include "core/config/tau-skills.h"
#include "core/session/tau-session-export.h"

/* Commands about the session as a whole: another one, a copy, its name, what is in it. */

/* The session that is open may be opened anew: it lets go of its file when the new one takes its place. */
static gboolean
check_lease (TauRpcCall      *self,
             TauAgentSession *session)
{
  const char *holder = tau_agent_session_get_holder (session);
  const char *path = tau_agent_session_get_path (session);
  g_autofree char *message = NULL;

  if (holder == NULL || g_strcmp0 (path, tau_agent_session_get_path (tau_rpc_call_get_session (self))) == 0)
    return TRUE;
  message = g_strdup_printf ("%s is in use by %s", path, holder);
  tau_rpc_call_fail (self, message);
  return FALSE;
}

static void
replace_session (TauRpcCall *self,
                 const char *path,
                 const char *parent)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauAgentSession) session = NULL;
  JsonObject *data;

  session = tau_cli_startup_open_path (tau_rpc_mode_get_startup (self->mode), path, parent, &error);
  if (session == NULL)
    {
      tau_rpc_call_fail (self, error->message);
      return;
    }
  if (!check_lease (self, session))
    return;

  tau_rpc_mode_replace_session (self->mode, session);
  tau_agent_session_take_over (session);
  data = json_object_new ();
  json_object_set_boolean_member (data, "cancelled", FALSE);
  tau_rpc_call_succeed (self, tau_json_node_new_object (data));
}

/**
 * tau_rpc_new_session:
 * @self: (transfer full): the call
 *
 * Begins a new session. Its header names `parentSession`, if that is given.
 */
void
tau_rpc_new_session (TauRpcCall *self)
{
  replace_session (self, NULL, tau_json_get_string (self->json, "parentSession", NULL));
}

/**
 * tau_rpc_switch_session:
 * @self: (transfer full): the call
 *
 * Opens the session file `sessionPath`.
 */
void
tau_rpc_switch_session (TauRpcCall *self)
{
  const char *path = tau_rpc_call_get_string (self, "sessionPath");

  if (*path == '\0')
    tau_rpc_call_fail (self, "sessionPath is missing");
  else
    replace_session (self, path, NULL);
}

static void
fork_at (TauRpcCall *self,
         const char *entry_id)
{
  g_autofree char *text = NULL;
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(TauAgentSession) session = NULL;
  JsonObject *data;

  if (tau_agent_session_get_path (tau_rpc_call_get_session (self)) == NULL)
    {
      tau_rpc_call_fail (self, "A session that is not saved cannot be forked");
      return;
    }

  path = tau_agent_session_fork (tau_rpc_call_get_session (self), entry_id, &text, &error);
  if (path != NULL)
    session = tau_cli_startup_open_path (tau_rpc_mode_get_startup (self->mode), path, NULL, &error);
  if (session == NULL)
    {
      tau_rpc_call_fail (self, error->message);
      return;
    }

  tau_rpc_mode_replace_session (self->mode, session);
  data = json_object_new ();
  if (text != NULL)
    json_object_set_string_member (data, "text", text);
  json_object_set_boolean_member (data, "cancelled", FALSE);
  tau_rpc_call_succeed (self, tau_json_node_new_object (data));
}

/**
 * tau_rpc_fork:
 * @self: (transfer full): the call
 *
 * Copies the branch before the message `entryId` into a new session and opens it.
 */
void
tau_rpc_fork (TauRpcCall *self)
{
  fork_at (self, tau_rpc_call_get_string (self, "entryId"));
}

/**
 * tau_rpc_clone:
 * @self: (transfer full): the call
 *
 * Copies the current branch into a new session and opens it.
 */
void
tau_rpc_clone (TauRpcCall *self)
{
  fork_at (self, NULL);
}

/**
 * tau_rpc_get_fork_messages:
 * @self: (transfer full): the call
 *
 * Lists the messages that a fork can begin at.
 */
void
tau_rpc_get_fork_messages (TauRpcCall *self)
{
  tau_rpc_call_succeed (self, tau_rpc_data_fork_points (tau_rpc_call_get_session (self)));
}

static void
compact_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GError) error = NULL;
  JsonNode *data = tau_agent_session_compact_finish (TAU_AGENT_SESSION (object), result, &error);

  if (data == NULL)
    tau_rpc_call_fail (user_data, error->message);
  else
    tau_rpc_call_succeed (user_data, data);
}

/**
 * tau_rpc_compact:
 * @self: (transfer full): the call
 *
 * Replaces older messages by a summary; answered when it is there.
 */
void
tau_rpc_compact (TauRpcCall *self)
{
  tau_agent_session_compact_async (tau_rpc_call_get_session (self), tau_json_get_string (self->json, "customInstructions", NULL),
                                   compact_cb, self);
}

/**
 * tau_rpc_set_session_name:
 * @self: (transfer full): the call
 *
 * Names the session.
 */
void
tau_rpc_set_session_name (TauRpcCall *self)
{
  g_autofree char *name = tau_text_trim (tau_rpc_call_get_string (self, "name"));

  if (*name == '\0')
    {
      tau_rpc_call_fail (self, "Session name cannot be empty");
      return;
    }

  tau_agent_session_set_name (tau_rpc_call_get_session (self), name);
  tau_rpc_call_succeed (self, NULL);
}

typedef struct
{
  TauRpcCall *call;
  char       *output;
} Export;

static void
exported_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  Export *self = user_data;
  g_autoptr(GError) error = NULL;

  if (tau_session_export_finish (result, &error))
    tau_rpc_call_succeed_with_string (self->call, "path", self->output);
  else
    tau_rpc_call_fail (self->call, error->message);
  g_free (self->output);
  g_free (self);
}

/**
 * tau_rpc_export_html:
 * @self: (transfer full): the call
 *
 * Writes the shown branch as a page to `outputPath`, or beside where the program was started; answered when it is there.
 */
void
tau_rpc_export_html (TauRpcCall *self)
{
  TauAgentSession *session = tau_rpc_call_get_session (self);
  const char *path = tau_agent_session_get_path (session);
  const char *output = tau_json_get_string (self->json, "outputPath", NULL);
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tau_agent_session_get_tree (session));
  Export *export;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      tau_rpc_call_fail (self, path == NULL ? "Cannot export in-memory session to HTML"
                                            : "Nothing to export yet - start a conversation first");
      return;
    }
  export = g_new (Export, 1);
  export->call = self;
  export->output = output != NULL && *output != '\0' ? g_strdup (output) : tau_session_export_default_name (path, TAU_EXPORT_HTML);
  tau_session_export_async (path, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, TAU_EXPORT_HTML, export->output,
                            exported_cb, export);
}

/**
 * tau_rpc_get_state:
 * @self: (transfer full): the call
 *
 * Tells what the session does, and with what.
 */
void
tau_rpc_get_state (TauRpcCall *self)
{
  tau_rpc_call_succeed (self, tau_rpc_data_state (tau_rpc_call_get_session (self)));
}

/**
 * tau_rpc_get_messages:
 * @self: (transfer full): the call
 *
 * Tells the messages that are in memory.
 */
void
tau_rpc_get_messages (TauRpcCall *self)
{
  tau_rpc_call_succeed (self, tau_rpc_data_messages (tau_rpc_call_get_session (self)));
}

/**
 * tau_rpc_get_session_stats:
 * @self: (transfer full): the call
 *
 * Tells counts, tokens and cost.
 */
void
tau_rpc_get_session_stats (TauRpcCall *self)
{
  tau_rpc_call_succeed (self, tau_rpc_data_stats (tau_rpc_call_get_session (self)));
}

/**
 * tau_rpc_get_last_assistant_text:
 * @self: (transfer full): the call
 *
 * Tells the newest answer.
 */
void
tau_rpc_get_last_assistant_text (TauRpcCall *self)
{
  g_autofree char *text = tau_agent_session_dup_last_answer (tau_rpc_call_get_session (self));

  tau_rpc_call_succeed_with_string (self, "text", text);
}

/**
 * tau_rpc_get_commands:
 * @self: (transfer full): the call
 *
 * Lists templates and skills. They are read anew each time: the files may have changed since.
 */
void
tau_rpc_get_commands (TauRpcCall *self)
{
  TauCliStartup *startup = tau_rpc_mode_get_startup (self->mode);
  const TauCliArguments *arguments = tau_cli_startup_get_arguments (startup);
  TauSettings *settings = tau_agent_session_get_settings (tau_rpc_call_get_session (self));
  const char *cwd = tau_agent_session_get_cwd (tau_rpc_call_get_session (self));
  g_autofree char *agent_dir = tau_paths_agent_dir ();
  g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GPtrArray) templates = arguments->no_prompt_templates ? g_ptr_array_new ()
                                                                  : tau_prompt_templates_load (agent_dir, cwd, settings, problems);
  g_autoptr(GPtrArray) skills = arguments->no_skills ? g_ptr_array_new ()
                                                     : tau_skills_load (agent_dir, cwd, settings, problems);

  tau_rpc_call_succeed (self, tau_rpc_data_commands (templates, skills, tau_agent_session_get_commands (tau_rpc_call_get_session (self))));
}
