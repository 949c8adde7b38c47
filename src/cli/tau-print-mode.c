/* SPDX-License-Identifier: MIT */
#include "cli/tau-print-mode.h"

#include "cli/tau-cli-shutdown.h"
#include "cli/tau-json-mode.h"
#include "cli/tau-output.h"
#include "core/base/tau-text.h"
#include "core/message/tau-assistant-message.h"
#include "core/tool/tau-tool-title.h"

/* One run of the mode: prompts are sent one after the other, each when the session has come to rest. */
typedef struct
{
  TauAgentSession    *session;
  TauCliShutdown     *shutdown;
  const char * const *prompts;
  GPtrArray          *images; /* for the first prompt */
  guint               position;
  gboolean            as_json;
} PrintMode;

static TauAssistantMessage *
dup_last_answer (TauAgentSession *session)
{
  GListModel *messages = tau_agent_session_get_messages (session);
  guint length = g_list_model_get_n_items (messages);
  g_autoptr(GObject) last = length > 0 ? g_list_model_get_item (messages, length - 1) : NULL;

  return TAU_IS_ASSISTANT_MESSAGE (last) ? TAU_ASSISTANT_MESSAGE (g_steal_pointer (&last)) : NULL;
}

static int
print_failure (TauAssistantMessage *answer)
{
  const char *text = tau_assistant_message_get_error_message (answer);

  if (text != NULL)
    g_printerr ("%s\n", text);
  else
    g_printerr ("Request %s\n", tau_stop_reason_to_string (tau_assistant_message_get_stop_reason (answer)));

  return 1;
}

/* Only the last answer counts; if it is not an answer, there is nothing to print and nothing wrong. */
static int
print_answer (TauAgentSession *session)
{
  g_autoptr(TauAssistantMessage) answer = dup_last_answer (session);

  if (answer == NULL)
    return 0;
  if (tau_assistant_message_failed (answer))
    return print_failure (answer);

  for (guint i = 0; i < tau_message_get_n_blocks (TAU_MESSAGE (answer)); i++)
    {
      TauBlock *block = tau_message_get_block (TAU_MESSAGE (answer), i);

      if (tau_block_get_kind (block) == TAU_BLOCK_TEXT &&
          !(tau_output_write (tau_block_get_text (block), -1) && tau_output_write ("\n", 1)))
        return TAU_CLI_EXIT_BROKEN_PIPE;
    }

  return 0;
}

static void
print_blocks (GPtrArray *blocks)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      g_autofree char *text = tau_text_make_valid (tau_block_get_text (g_ptr_array_index (blocks, i)), -1);

      g_printerr ("%s%s", text, *text == '\0' || g_str_has_suffix (text, "\n") ? "" : "\n");
    }
}

static void
print_call (TauToolRun *run)
{
  g_autoptr(TauToolTitle) title = tau_tool_title_new (tau_tool_run_get_tool_name (run), tau_tool_run_get_raw_arguments (run));
  g_autofree char *text = tau_tool_title_dup_text (title);

  g_printerr ("\n%s\n", text);
}

/* With --verbose the way to the answer stands on standard error: what is said between the steps, the steps and their output. */
static void
verbose_event_cb (TauAgentSession       *session,
                  const TauSessionEvent *event,
                  gpointer               user_data)
{
  if (event->kind != TAU_SESSION_EVENT_AGENT)
    return;
  if (event->agent->kind == TAU_AGENT_EVENT_TOOL_START)
    print_call (event->agent->run);
  else if (event->agent->kind == TAU_AGENT_EVENT_TOOL_END)
    print_blocks (tau_tool_outcome_get_blocks (event->agent->outcome));
  else if (event->agent->kind == TAU_AGENT_EVENT_MESSAGE_END && TAU_IS_ASSISTANT_MESSAGE (event->agent->message)
           && tau_assistant_message_has_tool_calls (TAU_ASSISTANT_MESSAGE (event->agent->message)))
    {
      g_autofree char *text = tau_message_dup_text (event->agent->message, "\n");

      g_printerr ("\n%s\n", text);
    }
}

static void
rest_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data);

static void
advance (PrintMode *self)
{
  g_autoptr(GError) error = NULL;
  const char *prompt = self->prompts[self->position];
  GPtrArray *images = self->position == 0 ? self->images : NULL;

  if (tau_cli_shutdown_is_begun (self->shutdown))
    return;

  if (prompt == NULL)
    {
      tau_cli_shutdown_finish (self->shutdown, self->as_json ? 0 : print_answer (self->session));
      return;
    }

  self->position++;
  if (!tau_agent_session_prompt (self->session, prompt, images, TAU_DELIVERY_PROMPT, &error))
    {
      g_printerr ("%s\n", error->message);
      tau_cli_shutdown_finish (self->shutdown, 1);
      return;
    }

  tau_agent_session_wait_for_idle_async (self->session, NULL, rest_cb, self);
}

static void
rest_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  tau_agent_session_wait_for_idle_finish (TAU_AGENT_SESSION (object), result, NULL);
  advance (user_data);
}

/**
 * tau_print_mode_run:
 * @session: the session
 * @prompts: (array zero-terminated=1): sent in turn
 * @images: (nullable) (element-type TauBlock): go with the first prompt
 * @as_json: print the header and each event as a line of JSON, instead of the last answer as text
 * @verbose: as text, print the steps on standard error
 *
 * Sends the prompts and prints what came of them. Returns when the session has come to rest and is saved.
 *
 * Returns: exit code of the program: 1 if a prompt was refused or, as text, the last answer failed
 */
int
tau_print_mode_run (TauAgentSession    *session,
                    const char * const *prompts,
                    GPtrArray          *images,
                    gboolean            as_json,
                    gboolean            verbose)
{
  g_autoptr(TauCliShutdown) shutdown = tau_cli_shutdown_new ();
  PrintMode mode = { .session = session, .shutdown = shutdown, .prompts = prompts, .images = images, .as_json = as_json };

  tau_cli_shutdown_set_session (shutdown, session);
  if (as_json)
    {
      tau_json_mode_print_events (session, shutdown);
      tau_json_mode_print_header (session, shutdown);
    }
  else if (verbose)
    g_signal_connect (session, "event", G_CALLBACK (verbose_event_cb), NULL);
  advance (&mode);

  return tau_cli_shutdown_run (shutdown);
}
