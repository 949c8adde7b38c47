/* SPDX-License-Identifier: MIT */
#include "core/llm/scripted/tau-demo.h"

#include "core/base/tau-json.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

#include <string.h>

/* The demo's tour, with results that the test makes up: what it calls, and where it gives up. */

typedef struct
{
  GPtrArray       *messages;
  GPtrArray       *tools;
  TauThinkingLevel thinking;
} Talk;

static void
add_tool (Talk       *talk,
          const char *name)
{
  g_autoptr(JsonNode) parameters = tau_json_parse ("{\"type\":\"object\"}", -1, NULL);

  g_ptr_array_add (talk->tools, tau_tool_spec_new (name, NULL, name, parameters, NULL, NULL));
}

static void
talk_init (Talk       *talk,
           const char *prompt,
           const char *tools)
{
  g_auto(GStrv) names = g_strsplit (tools, " ", -1);

  talk->messages = g_ptr_array_new_with_free_func (g_object_unref);
  talk->tools = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_tool_spec_unref);
  talk->thinking = TAU_THINKING_OFF;
  g_ptr_array_add (talk->messages, tau_user_message_new_string (prompt, 1));
  for (char **name = names; *name != NULL; name++)
    if (**name != '\0')
      add_tool (talk, *name);
}

static void
talk_clear (Talk *talk)
{
  g_ptr_array_unref (talk->messages);
  g_ptr_array_unref (talk->tools);
}

static TauScriptedAnswer *
ask (Talk *talk)
{
  g_autoptr(TauModel) model = tau_demo_model_new ();
  TauRequestFields fields = TAU_REQUEST_FIELDS_INIT;
  g_autoptr(TauRequest) request = NULL;

  fields.model = model;
  fields.messages = talk->messages;
  fields.tools = talk->tools;
  fields.thinking = talk->thinking;
  request = tau_request_new (&fields);

  return tau_demo_answer (request);
}

static TauBlock *
last_block (TauScriptedAnswer *answer)
{
  return g_ptr_array_index (answer->blocks, answer->blocks->len - 1);
}

/* Asks, and answers the call with @result: what is shown of a call is its tool and its first argument. NULL result: nothing. */
static char *
step (Talk       *talk,
      const char *result,
      gboolean    is_error)
{
  g_autoptr(TauScriptedAnswer) answer = ask (talk);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  TauAssistantFields fields = { .api = TAU_DEMO_API, .provider = TAU_DEMO_PROVIDER, .model = TAU_DEMO_MODEL, .stop_reason = answer->reason };
  TauBlock *call = last_block (answer);
  JsonNode *arguments = tau_block_get_arguments (call);

  g_ptr_array_add (talk->messages, tau_assistant_message_new (answer->blocks, &fields));
  if (tau_block_get_kind (call) != TAU_BLOCK_TOOL_CALL)
    return g_strdup ("end");

  g_assert_cmpint (answer->reason, ==, TAU_STOP_REASON_TOOL_USE);
  g_ptr_array_add (blocks, tau_block_new_text (result, NULL));
  g_ptr_array_add (talk->messages, tau_tool_result_message_new (tau_block_get_call_id (call), tau_block_get_call_name (call), blocks, NULL, is_error, 1));

  return g_strdup_printf ("%s %s", tau_block_get_call_name (call),
                          tau_json_get_string (arguments, "command", tau_json_get_string (arguments, "path", "")));
}

static void
check_step (Talk       *talk,
            const char *result,
            gboolean    is_error,
            const char *expected)
{
  g_autofree char *got = step (talk, result, is_error);

  g_assert_cmpstr (got, ==, expected);
}

static void
test_tour (void)
{
  Talk talk;
  g_autofree char *copy = NULL, *diff = NULL;
  g_autoptr(TauScriptedAnswer) last = NULL;
  TauMessage *edit;
  JsonNode *arguments;

  talk_init (&talk, "Hi", "read bash edit write");
  check_step (&talk, ".git/\nMakefile\nREADME.md\nsrc/", FALSE, "bash ls -1Ap | head -n 200");
  check_step (&talk, "# It's\n\n# It's\nunique\nend", FALSE, "read README.md");
  check_step (&talk, " M a", FALSE, "bash git status --short | head -n 20");
  copy = step (&talk, "/tmp/x/README.md", FALSE);
  g_assert_true (g_str_has_prefix (copy, "bash dir=$(mktemp -d) && head -n 40 -- 'README.md' > \"$dir\"/'README.md'"));
  check_step (&talk, "done", FALSE, "edit /tmp/x/README.md");

  /* The edit begins at a line that the file has once. */
  edit = g_ptr_array_index (talk.messages, talk.messages->len - 2);
  arguments = tau_block_get_arguments (tau_message_get_block (edit, tau_message_get_n_blocks (edit) - 1));
  g_assert_cmpstr (tau_json_get_string (arguments, "edits.0.oldText", NULL), ==, "unique");
  g_assert_true (g_str_has_prefix (tau_json_get_string (arguments, "edits.0.newText", ""), "unique\n"));

  diff = step (&talk, "+a", FALSE);
  g_assert_nonnull (strstr (diff, "diff -u --label before --label after - '/tmp/x/README.md'"));
  last = ask (&talk);
  g_assert_cmpint (last->reason, ==, TAU_STOP_REASON_STOP);
  g_assert_nonnull (strstr (tau_block_get_text (last_block (last)), "/tmp/x/README.md"));
  talk_clear (&talk);
}

/* A folder without a file to read, and one whose file has a name that is no word. */
static void
test_other_folders (void)
{
  Talk talk;
  g_autofree char *copy = NULL, *odd = NULL;

  talk_init (&talk, "Hi", "read bash edit");
  check_step (&talk, "a.out\nsrc/", FALSE, "bash ls -1Ap | head -n 200");
  check_step (&talk, "7", FALSE, "bash find . -maxdepth 2 -type f | wc -l");
  copy = step (&talk, "/tmp/x/notes.txt", FALSE);
  g_assert_nonnull (strstr (copy, "echo 'Hello from the Tau demo.'"));
  talk_clear (&talk);

  talk_init (&talk, "Hi", "read bash edit");
  check_step (&talk, "it's $(here).txt", FALSE, "bash ls -1Ap | head -n 200");
  check_step (&talk, "one\ntwo\n", FALSE, "read it's $(here).txt");
  check_step (&talk, "7", FALSE, "bash find . -maxdepth 2 -type f | wc -l");
  odd = step (&talk, "/tmp/x/a", FALSE);
  g_assert_nonnull (strstr (odd, "head -n 40 -- 'it'\\''s $(here).txt' "));
  talk_clear (&talk);
}

static void
test_failures (void)
{
  Talk talk;
  g_autoptr(TauScriptedAnswer) answer = NULL;

  talk_init (&talk, "Hi", "read bash edit");
  check_step (&talk, "no", TRUE, "bash ls -1Ap | head -n 200");
  answer = ask (&talk);
  g_assert_cmpint (answer->reason, ==, TAU_STOP_REASON_STOP);
  g_assert_nonnull (strstr (tau_block_get_text (last_block (answer)), "did not work"));
  talk_clear (&talk);

  /* Without a copy there is nothing to edit. */
  talk_init (&talk, "Hi", "bash edit");
  check_step (&talk, "README", FALSE, "bash ls -1Ap | head -n 200");
  check_step (&talk, "7", FALSE, "bash find . -maxdepth 2 -type f | wc -l");
  g_free (step (&talk, "mktemp: no space", TRUE));
  check_step (&talk, NULL, FALSE, "end");
  talk_clear (&talk);
}

static void
test_no_tools (void)
{
  Talk talk;

  talk_init (&talk, "Hi", "");
  check_step (&talk, NULL, FALSE, "end");
  talk_clear (&talk);
}

/* The tour comes with the first prompt, and again only when asked for. */
static void
test_later_prompts (void)
{
  Talk talk;

  talk_init (&talk, "Hi", "bash");
  g_free (step (&talk, "a", FALSE));
  g_ptr_array_add (talk.messages, tau_user_message_new_string ("Write me a program", 1));
  check_step (&talk, NULL, FALSE, "end");
  g_ptr_array_add (talk.messages, tau_user_message_new_string ("The TOUR, please", 1));
  check_step (&talk, "a", FALSE, "bash ls -1Ap | head -n 200");
  talk_clear (&talk);
}

static void
test_thinking (void)
{
  Talk talk;
  g_autoptr(TauScriptedAnswer) without = NULL, with = NULL;

  talk_init (&talk, "Hi", "bash");
  without = ask (&talk);
  talk.thinking = TAU_THINKING_LOW;
  with = ask (&talk);
  g_assert_cmpint (tau_block_get_kind (without->blocks->pdata[0]), ==, TAU_BLOCK_TEXT);
  g_assert_cmpint (tau_block_get_kind (with->blocks->pdata[0]), ==, TAU_BLOCK_THINKING);
  talk_clear (&talk);
}

/* Ids differ within a conversation, else results could not be told apart when the tour is repeated. */
static void
test_ids (void)
{
  Talk talk;
  g_autoptr(GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  talk_init (&talk, "tour", "bash");
  for (guint i = 0; i < 2; i++)
    {
      g_free (step (&talk, "a", FALSE));
      g_ptr_array_add (talk.messages, tau_user_message_new_string ("tour", 1));
    }
  for (guint i = 0; i < talk.messages->len; i++)
    if (TAU_IS_TOOL_RESULT_MESSAGE (talk.messages->pdata[i]))
      g_assert_true (g_hash_table_add (ids, (char *) tau_tool_result_message_get_call_id (talk.messages->pdata[i])));
  g_assert_cmpuint (g_hash_table_size (ids), ==, 2);
  talk_clear (&talk);
}

static void
test_provider (void)
{
  g_autoptr(TauModel) model = tau_demo_model_new ();

  g_assert_cmpstr (tau_model_get_provider (model), ==, TAU_DEMO_PROVIDER);
  g_assert_true (TAU_IS_SCRIPTED_PROVIDER (tau_provider_lookup (tau_model_get_api (model))));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/demo/tour", test_tour);
  g_test_add_func ("/demo/other-folders", test_other_folders);
  g_test_add_func ("/demo/failures", test_failures);
  g_test_add_func ("/demo/no-tools", test_no_tools);
  g_test_add_func ("/demo/later-prompts", test_later_prompts);
  g_test_add_func ("/demo/thinking", test_thinking);
  g_test_add_func ("/demo/ids", test_ids);
  g_test_add_func ("/demo/provider", test_provider);

  return g_test_run ();
}
