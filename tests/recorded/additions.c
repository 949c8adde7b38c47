/* SPDX-License-Identifier: MIT */
#include "cli/tau-cli-arguments.h"
#include "cli/tau-cli-startup.h"
#include "cli/tau-output.h"
#include "cli/tau-print-mode.h"
#include "cli/tau-rpc-mode.h"

#include "core/base/tau-json.h"
#include "core/tool/tau-builtin-tool.h"

#include <locale.h>
#include <signal.h>
#include <string.h>

/* tau-agent with two applications built in, chosen by "-e FOLDER/NAME.js" as recorded: "ext" adds a tool, a message
 * beside each prompt and an entry for each run; "tree" adds commands that label, name, and move about. What they do
 * goes through the same functions that any application has. */

static void
shout (TauToolContext *context,
       TauToolRun     *run,
       GTask          *task)
{
  const char *word = tau_json_get_string (tau_tool_run_get_arguments (run), "word", "");
  g_autofree char *loud = g_ascii_strup (word, -1);
  JsonObject *details = json_object_new ();
  g_autoptr(JsonNode) node = tau_json_node_new_object (details);

  json_object_set_int_member (details, "len", (gint64) strlen (word));
  tau_builtin_tool_return_outcome (task, tau_tool_outcome_new_text (loud, node), NULL);
}

static const TauBuiltinToolInfo shout_info = {
  .name = "shout",
  .label = "Shout",
  .description = "Says a word in capitals",
  .parameters = "{\"type\":\"object\",\"properties\":{\"word\":{\"type\":\"string\"}},\"required\":[\"word\"]}",
  .snippet = "Say a word in capitals",
  .execute = shout,
};

static TauMessage *
make_note (const char *type,
           const char *text,
           const char *details)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(JsonNode) node = tau_json_parse (details, -1, NULL);

  g_ptr_array_add (blocks, tau_block_new_text (text, NULL));

  return TAU_MESSAGE (tau_custom_message_new (type, blocks, TRUE, TRUE, node, g_get_real_time () / 1000));
}

static void
run_begins_cb (TauAgentSession       *session,
               const TauSessionEvent *event,
               gpointer               user_data)
{
  g_autoptr(JsonNode) state = NULL;

  if (event->kind != TAU_SESSION_EVENT_AGENT || event->agent->kind != TAU_AGENT_EVENT_AGENT_START)
    return;
  state = tau_json_parse ("{\"count\":1}", -1, NULL);
  tau_agent_session_append_custom (session, "my-state", state);
}

static void
add_ext (TauAgentSession *session)
{
  g_autoptr(TauToolContext) context = tau_tool_context_new (tau_agent_session_get_cwd (session));
  g_autoptr(TauTool) tool = tau_builtin_tool_new (&shout_info, context);
  g_autoptr(TauMessage) note = make_note ("my-note", "A note from the extension", "{\"a\":1}");

  tau_agent_session_add_tool (session, tool);
  tau_agent_session_add_message (session, note, TAU_MESSAGE_PLACE_NEXT_PROMPT, NULL);
  g_signal_connect (session, "event", G_CALLBACK (run_begins_cb), NULL);
}

/* Returns: (transfer full) (nullable): the id of the prompt at @position in the file's order, counted from 1 */
static char *
find_prompt (TauAgentSession *session,
             guint64          position)
{
  g_autoptr(GPtrArray) prompts = tau_agent_session_dup_fork_points (session);

  if (position < 1 || position > prompts->len)
    return NULL;

  return g_strdup (tau_session_entry_get_id (g_ptr_array_index (prompts, position - 1)));
}

static void
mark (TauAgentSession *session,
      const char      *arguments,
      gpointer         user_data)
{
  g_autofree char *id = find_prompt (session, 1);

  tau_agent_session_set_label (session, id, arguments, NULL);
}

static void
there_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  tau_agent_session_navigate_finish (TAU_AGENT_SESSION (object), result, NULL, NULL);
}

static void
jump (TauAgentSession *session,
      const char      *arguments,
      gpointer         user_data)
{
  const TauNavigationOptions options = { .summarize = strstr (arguments, " sum") != NULL };
  g_autofree char *id = find_prompt (session, g_ascii_strtoull (arguments, NULL, 10));

  tau_agent_session_navigate_async (session, id, &options, there_cb, NULL);
}

static void
add_note (TauAgentSession *session,
          const char      *arguments,
          gpointer         user_data)
{
  g_autoptr(TauMessage) message = make_note ("note", arguments, "{\"from\":\"ext\"}");

  tau_agent_session_add_message (session, message, TAU_MESSAGE_PLACE_END, NULL);
}

static void
set_name (TauAgentSession *session,
          const char      *arguments,
          gpointer         user_data)
{
  tau_agent_session_set_name (session, arguments);
}

static void
add_tree (TauAgentSession *session)
{
  tau_agent_session_add_command (session, "mark", "label the first prompt", mark, NULL, NULL);
  tau_agent_session_add_command (session, "jump", "go to the n-th prompt", jump, NULL, NULL);
  tau_agent_session_add_command (session, "note", "add a message", add_note, NULL, NULL);
  tau_agent_session_add_command (session, "name", "name the session", set_name, NULL, NULL);
}

/* Takes "-e PATH" out of the command line, which tau-agent would refuse. */
static GStrv
take_application (char       **argv,
                  const char **application)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; argv[i] != NULL; i++)
    if (g_str_equal (argv[i], "-e") && argv[i + 1] != NULL)
      *application = argv[++i];
    else
      g_strv_builder_add (builder, argv[i]);

  return g_strv_builder_end (builder);
}

int
main (int   argc,
      char *argv[])
{
  const char *application = "";
  g_auto(GStrv) rest = take_application (argv, &application);
  g_autoptr(TauCliArguments) arguments = tau_cli_arguments_parse ((const char * const *) rest, NULL);
  g_autoptr(TauCliStartup) startup = NULL;
  g_autoptr(TauAgentSession) session = NULL;
  int exit_code;

  setlocale (LC_ALL, "");
  signal (SIGPIPE, SIG_IGN);
  tau_output_claim ();

  startup = tau_cli_startup_new (arguments);
  session = tau_cli_startup_open (startup, NULL);
  g_assert_nonnull (session);
  if (g_str_has_suffix (application, "/ext.js"))
    add_ext (session);
  else if (g_str_has_suffix (application, "/tree.js"))
    add_tree (session);
  if (arguments->mode == TAU_CLI_MODE_RPC)
    return tau_rpc_mode_run (startup, session);

  exit_code = tau_print_mode_run (session, (const char * const *) arguments->messages, NULL, TRUE, FALSE);
  tau_agent_session_close (session);

  return exit_code;
}
