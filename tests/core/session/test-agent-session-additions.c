/* SPDX-License-Identifier: MIT */
#include "session-fixture.h"

#include "core/base/tau-error.h"
#include "core/tool/tau-builtin-tool.h"

static TauMessage *
make_note (const char *text)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_ptr_array_add (blocks, tau_block_new_text (text, NULL));

  return TAU_MESSAGE (tau_custom_message_new ("note", blocks, TRUE, TRUE, NULL, 1));
}

static void
add_note (Fixture         *self,
          const char      *text,
          TauMessagePlace  place)
{
  g_autoptr(TauMessage) note = make_note (text);
  g_autoptr(GError) error = NULL;

  tau_agent_session_add_message (self->session, note, place, &error);
  g_assert_no_error (error);
}

static void
remember_cb (TauAgentSession *session,
             const char      *arguments,
             gpointer         user_data)
{
  g_string_append_printf (user_data, "[%s]", arguments);
}

/* A command runs at once in every state, and only its whole name calls it. */
static void
test_command (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr(GString) said = g_string_new (NULL);

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  tau_agent_session_add_command (self->session, "mark", "Marks", remember_cb, said, NULL);
  g_assert_cmpuint (tau_agent_session_get_commands (self->session)->len, ==, 1);
  fixture_prompt (self, "/mark");
  fixture_prompt (self, "/mark  two words ");
  g_assert_cmpint (tau_agent_session_get_state (self->session), ==, TAU_SESSION_IDLE);
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 0);

  fixture_answer (self, ANSWER ("One."));
  fixture_prompt (self, "/marker");
  g_assert_true (tau_agent_session_prompt (self->session, "/mark busy", NULL, TAU_DELIVERY_PROMPT, NULL));
  fixture_wait (self);
  g_assert_cmpstr (said->str, ==, "[][ two words ][busy]");
  g_assert_cmpuint (tau_test_server_get_n_requests (self->server), ==, 1);
  g_assert_nonnull (strstr (tau_test_server_get_body (self->server, 0), "/marker"));
}

static void
forget_cb (TauAgentSession *session,
           const char      *arguments,
           gpointer         user_data)
{
  g_assert_not_reached ();
}

static void
test_command_replaced (Fixture       *self,
                       gconstpointer  data)
{
  g_autoptr(GString) said = g_string_new (NULL);
  GPtrArray *former = g_ptr_array_new ();

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  tau_agent_session_add_command (self->session, "mark", NULL, forget_cb, former, (GDestroyNotify) g_ptr_array_unref);
  tau_agent_session_add_command (self->session, "mark", NULL, remember_cb, said, NULL);
  fixture_prompt (self, "/mark 2");
  g_assert_cmpstr (said->str, ==, "[2]");
  g_assert_cmpuint (tau_agent_session_get_commands (self->session)->len, ==, 1);
}

static void
test_message_at_the_end (Fixture       *self,
                         gconstpointer  data)
{
  g_autofree char *entries = NULL;
  g_autofree char *types = NULL;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  add_note (self, "remember this", TAU_MESSAGE_PLACE_END);
  types = fixture_dup_event_types (self);
  g_assert_cmpstr (types, ==, "message_start message_end");
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 1);

  fixture_answer (self, ANSWER ("One."));
  fixture_prompt (self, "1");
  fixture_wait (self);
  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change custom_message user assistant");
  g_assert_nonnull (strstr (tau_test_server_get_body (self->server, 0), "remember this"));
}

/* It waits for a prompt that is accepted, and goes with that one only. */
static void
test_message_with_the_next_prompt (Fixture       *self,
                                   gconstpointer  data)
{
  g_autofree char *entries = NULL;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  add_note (self, "beside it", TAU_MESSAGE_PLACE_NEXT_PROMPT);
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 0);
  for (int i = 0; i < 2; i++)
    {
      fixture_answer (self, ANSWER ("Yes."));
      fixture_prompt (self, "Say");
      fixture_wait (self);
    }
  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change user custom_message assistant user assistant");
}

static void
test_message_as_prompt (Fixture       *self,
                        gconstpointer  data)
{
  g_autofree char *entries = NULL;
  g_autoptr(TauMessage) late = make_note ("late");
  g_autoptr(GError) error = NULL;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  fixture_answer (self, ANSWER ("One."));
  add_note (self, "do it", TAU_MESSAGE_PLACE_PROMPT);
  g_assert_cmpint (tau_agent_session_get_state (self->session), ==, TAU_SESSION_RUNNING);
  g_assert_false (tau_agent_session_add_message (self->session, late, TAU_MESSAGE_PLACE_PROMPT, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_BUSY);
  fixture_wait (self);
  entries = fixture_dup_entries (self);
  g_assert_cmpstr (entries, ==, "session model_change thinking_level_change custom_message assistant");
}

/* While a run is on a message waits in the queue of its place. */
static void
test_message_while_running (Fixture       *self,
                            gconstpointer  data)
{
  g_autofree char *entries = NULL;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  fixture_answer (self, ANSWER ("One."));
  fixture_answer (self, ANSWER ("Two."));
  fixture_answer (self, ANSWER ("Three."));
  fixture_prompt (self, "1");
  add_note (self, "afterwards", TAU_MESSAGE_PLACE_FOLLOW_UP);
  add_note (self, "between", TAU_MESSAGE_PLACE_END);
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_queued (self->session)), ==, 2);
  fixture_wait (self);
  entries = fixture_dup_entries (self);
  g_assert_true (g_str_has_suffix (entries, "user assistant custom_message assistant custom_message assistant"));
  g_assert_null (strstr (tau_test_server_get_body (self->server, 1), "afterwards"));
}

static void
test_custom_entry (Fixture       *self,
                   gconstpointer  data)
{
  g_autoptr(JsonNode) state = tau_json_parse ("{\"count\":1}", -1, NULL);
  g_autofree char *text = NULL;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  tau_agent_session_append_custom (self->session, "my-state", state);
  fixture_answer (self, ANSWER ("One."));
  fixture_prompt (self, "1");
  fixture_wait (self);
  g_file_get_contents (tau_agent_session_get_path (self->session), &text, NULL, NULL);
  g_assert_nonnull (strstr (text, "{\"type\":\"custom\",\"customType\":\"my-state\",\"data\":{\"count\":1},\"id\":\""));
  g_assert_null (strstr (tau_test_server_get_body (self->server, 0), "my-state"));
}

static void
shout (TauToolContext *context,
       TauToolRun     *run,
       GTask          *task)
{
  tau_builtin_tool_return_outcome (task, tau_tool_outcome_new_text ("LOUD", NULL), NULL);
}

static void
test_tool (Fixture       *self,
           gconstpointer  data)
{
  static const TauBuiltinToolInfo info = {
    .name = "shout", .label = "Shout", .description = "Shouts", .snippet = "Shout a word",
    .parameters = "{\"type\":\"object\",\"properties\":{}}", .execute = shout,
  };
  g_autoptr(TauToolContext) context = tau_tool_context_new (self->cwd);
  g_autoptr(TauTool) tool = tau_builtin_tool_new (&info, context);

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  tau_agent_session_add_tool (self->session, tool);
  g_assert_nonnull (strstr (tau_agent_session_get_system_prompt (self->session), "Shout a word"));
  fixture_answer (self, TOOL_CALL ("c1", "shout", "{}"));
  fixture_answer (self, ANSWER ("Done."));
  fixture_prompt (self, "Shout");
  fixture_wait (self);
  g_assert_nonnull (strstr (tau_test_server_get_body (self->server, 1), "LOUD"));
}

#define ADD(path, func) g_test_add ("/agent-session-additions/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("command", test_command);
  ADD ("command-replaced", test_command_replaced);
  ADD ("message-at-the-end", test_message_at_the_end);
  ADD ("message-with-the-next-prompt", test_message_with_the_next_prompt);
  ADD ("message-as-prompt", test_message_as_prompt);
  ADD ("message-while-running", test_message_while_running);
  ADD ("custom-entry", test_custom_entry);
  ADD ("tool", test_tool);

  return g_test_run ();
}
