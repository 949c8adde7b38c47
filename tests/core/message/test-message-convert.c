/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message-convert.h"

#include "core/message/tau-application-messages.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-tool-result-message.h"
#include "core/message/tau-user-message.h"

typedef struct
{
  GPtrArray *in;
  GPtrArray *out;
} Conversation;

static void
conversation_clear (Conversation *self)
{
  g_ptr_array_unref (self->in);
  g_clear_pointer (&self->out, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Conversation, conversation_clear)

static void
conversation_init (Conversation *self)
{
  self->in = g_ptr_array_new_with_free_func (g_object_unref);
  self->out = NULL;
}

static TauMessage *
out_at (Conversation *self,
        guint         position)
{
  g_assert_cmpuint (position, <, self->out->len);

  return g_ptr_array_index (self->out, position);
}

static void
assert_user_text (TauMessage *message,
                  const char *text)
{
  g_assert_cmpint (tau_message_get_kind (message), ==, TAU_MESSAGE_KIND_USER);
  g_assert_cmpuint (tau_message_get_n_blocks (message), ==, 1);
  g_assert_cmpstr (tau_block_get_text (tau_message_get_block (message, 0)), ==, text);
}

static GPtrArray *
blocks_of (TauBlock *first,
           ...) G_GNUC_NULL_TERMINATED;

static GPtrArray *
blocks_of (TauBlock *first,
           ...)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  va_list list;

  va_start (list, first);
  for (TauBlock *block = first; block != NULL; block = va_arg (list, TauBlock *))
    g_ptr_array_add (blocks, block);
  va_end (list);

  return blocks;
}

static void
test_three_roles_pass (void)
{
  g_auto(Conversation) talk = { NULL, NULL };
  TauAssistantFields fields = { .stop_reason = TAU_STOP_REASON_STOP };

  conversation_init (&talk);
  g_ptr_array_add (talk.in, tau_user_message_new ("hi", NULL, 1));
  g_ptr_array_add (talk.in, tau_assistant_message_new (NULL, &fields));
  g_ptr_array_add (talk.in, tau_tool_result_message_new ("c", "ls", NULL, NULL, FALSE, 2));
  talk.out = tau_messages_convert_to_llm (talk.in);

  g_assert_cmpuint (talk.out->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_true (out_at (&talk, i) == g_ptr_array_index (talk.in, i));
}

static void
test_summaries_and_commands (void)
{
  g_auto(Conversation) talk = { NULL, NULL };

  conversation_init (&talk);
  g_ptr_array_add (talk.in, tau_compaction_summary_message_new ("CS", 1, 21));
  g_ptr_array_add (talk.in, tau_branch_summary_message_new ("BS", "root", 22));
  g_ptr_array_add (talk.in, tau_bash_execution_message_new (&(TauBashExecutionFields) { .command = "true", .output = "" }));
  talk.out = tau_messages_convert_to_llm (talk.in);

  g_assert_cmpuint (talk.out->len, ==, 3);
  assert_user_text (out_at (&talk, 0), "The conversation history before this point was compacted into the following "
                                       "summary:\n\n<summary>\nCS\n</summary>");
  g_assert_cmpint (tau_message_get_timestamp (out_at (&talk, 0)), ==, 21);
  assert_user_text (out_at (&talk, 1), "The following is a summary of a branch that this conversation came back from:"
                                       "\n\n<summary>\nBS</summary>");
  assert_user_text (out_at (&talk, 2), "Ran `true`\n(no output)");
}

/* Not displayed is not the same as not sent. */
static void
test_custom (void)
{
  g_auto(Conversation) talk = { NULL, NULL };
  g_autoptr(GPtrArray) text = blocks_of (tau_block_new_text ("Injected", NULL), NULL);
  g_autoptr(GPtrArray) both = blocks_of (tau_block_new_text ("see", NULL), tau_block_new_image ("d", "m"), NULL);

  conversation_init (&talk);
  g_ptr_array_add (talk.in, tau_custom_message_new ("ext", text, TRUE, FALSE, NULL, 31));
  g_ptr_array_add (talk.in, tau_custom_message_new ("ext", both, FALSE, TRUE, NULL, 32));
  talk.out = tau_messages_convert_to_llm (talk.in);

  g_assert_cmpuint (talk.out->len, ==, 2);
  assert_user_text (out_at (&talk, 0), "Injected");
  g_assert_false (tau_user_message_is_string (TAU_USER_MESSAGE (out_at (&talk, 0))));
  g_assert_cmpint (tau_message_get_timestamp (out_at (&talk, 0)), ==, 31);
  g_assert_cmpuint (tau_message_get_n_blocks (out_at (&talk, 1)), ==, 2);
}

static void
test_dropped (void)
{
  g_auto(Conversation) talk = { NULL, NULL };
  g_autoptr(JsonNode) unknown = json_from_string ("{\"role\":\"weather\"}", NULL);
  g_autoptr(JsonNode) artifact = json_from_string ("{\"role\":\"artifact\",\"action\":\"delete\"}", NULL);

  conversation_init (&talk);
  g_ptr_array_add (talk.in, tau_unknown_message_new (unknown));
  g_ptr_array_add (talk.in, tau_artifact_message_new (artifact));
  g_ptr_array_add (talk.in, tau_bash_execution_message_new (&(TauBashExecutionFields) {
                              .command = "env", .output = "x", .exclude_from_context = TRUE }));
  talk.out = tau_messages_convert_to_llm (talk.in);

  g_assert_cmpuint (talk.out->len, ==, 0);
}

static void
test_attachments (void)
{
  g_auto(Conversation) talk = { NULL, NULL };
  g_autoptr(JsonNode) attachments = json_from_string ("[{\"type\":\"image\",\"content\":\"d\",\"mimeType\":\"image/png\"}]", NULL);
  g_autoptr(GPtrArray) text = blocks_of (tau_block_new_text ("look", NULL), NULL);

  conversation_init (&talk);
  g_ptr_array_add (talk.in, tau_user_attachments_message_new (text, FALSE, attachments, 41));
  talk.out = tau_messages_convert_to_llm (talk.in);

  g_assert_cmpint (tau_message_get_kind (out_at (&talk, 0)), ==, TAU_MESSAGE_KIND_USER);
  g_assert_cmpuint (tau_message_get_n_blocks (out_at (&talk, 0)), ==, 2);
  g_assert_true (tau_message_has_images (out_at (&talk, 0)));
}

/* What pi sends for a prompt with two pictures, and then some. */
static void
test_images_blocked (void)
{
  g_auto(Conversation) talk = { NULL, NULL };
  g_autoptr(GPtrArray) blocks = blocks_of (tau_block_new_text ("see", NULL),
                                           tau_block_new_image ("1", "m"), tau_block_new_image ("2", "m"),
                                           tau_block_new_text ("and", NULL),
                                           tau_block_new_image ("3", "m"), NULL);
  const char * const expected[] = { "see", "Image reading is disabled.", "and", "Image reading is disabled." };

  conversation_init (&talk);
  g_ptr_array_add (talk.in, tau_user_message_new_blocks (blocks, 51));
  talk.out = tau_messages_block_images (talk.in);

  g_assert_cmpuint (tau_message_get_n_blocks (out_at (&talk, 0)), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (tau_block_get_text (tau_message_get_block (out_at (&talk, 0), i)), ==, expected[i]);
  g_assert_cmpuint (tau_message_get_n_blocks (g_ptr_array_index (talk.in, 0)), ==, 5);
}

static void
test_images_of_tools_blocked (void)
{
  g_auto(Conversation) talk = { NULL, NULL };
  g_autoptr(GPtrArray) blocks = blocks_of (tau_block_new_image ("1", "m"), NULL);
  g_autoptr(JsonNode) details = json_from_string ("{}", NULL);
  TauToolResultMessage *result;

  conversation_init (&talk);
  g_ptr_array_add (talk.in, tau_tool_result_message_new ("c", "read", blocks, details, TRUE, 61));
  g_ptr_array_add (talk.in, tau_user_message_new ("text", NULL, 62));
  talk.out = tau_messages_block_images (talk.in);
  result = TAU_TOOL_RESULT_MESSAGE (out_at (&talk, 0));

  g_assert_false (tau_message_has_images (out_at (&talk, 0)));
  g_assert_cmpstr (tau_tool_result_message_get_call_id (result), ==, "c");
  g_assert_cmpstr (tau_tool_result_message_get_tool_name (result), ==, "read");
  g_assert_true (tau_tool_result_message_get_details (result) == details);
  g_assert_true (tau_tool_result_message_get_is_error (result));
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (result)), ==, 61);
  g_assert_true (out_at (&talk, 1) == g_ptr_array_index (talk.in, 1));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/message-convert/three-roles-pass", test_three_roles_pass);
  g_test_add_func ("/message-convert/summaries-and-commands", test_summaries_and_commands);
  g_test_add_func ("/message-convert/custom", test_custom);
  g_test_add_func ("/message-convert/dropped", test_dropped);
  g_test_add_func ("/message-convert/attachments", test_attachments);
  g_test_add_func ("/message-convert/images-blocked", test_images_blocked);
  g_test_add_func ("/message-convert/images-of-tools-blocked", test_images_of_tools_blocked);

  return g_test_run ();
}
