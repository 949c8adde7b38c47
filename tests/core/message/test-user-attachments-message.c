/* SPDX-License-Identifier: MIT */
#include "core/message/tau-user-attachments-message.h"

static const char attachments_json[] =
    "[{\"id\":\"1\",\"type\":\"document\",\"fileName\":\"a.pdf\",\"mimeType\":\"application/pdf\",\"size\":3,"
    "\"content\":\"cGRm\",\"extractedText\":\"<pdf filename=\\\"a.pdf\\\">\"},"
    "{\"id\":\"2\",\"type\":\"image\",\"fileName\":\"b.png\",\"mimeType\":\"image/png\",\"size\":1,\"content\":\"aW1n\"},"
    "{\"id\":\"3\",\"type\":\"document\",\"fileName\":\"empty.txt\",\"content\":\"\"},"
    "\"odd\"]";

static TauUserAttachmentsMessage *
message_new (const char *attachments_text)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(JsonNode) attachments = attachments_text != NULL ? json_from_string (attachments_text, NULL) : NULL;

  g_ptr_array_add (blocks, tau_block_new_text ("look", NULL));

  return tau_user_attachments_message_new (blocks, TRUE, attachments, 6);
}

static void
test_fields (void)
{
  g_autoptr(TauUserAttachmentsMessage) message = message_new (attachments_json);

  g_assert_cmpstr (tau_message_get_role (TAU_MESSAGE (message)), ==, "user-with-attachments");
  g_assert_cmpint (tau_message_get_kind (TAU_MESSAGE (message)), ==, TAU_MESSAGE_KIND_USER_ATTACHMENTS);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 6);
  g_assert_true (tau_user_attachments_message_is_string (message));
  g_assert_cmpuint (tau_user_attachments_message_get_n_attachments (message), ==, 4);
  g_assert_cmpstr (tau_user_attachments_message_get_file_name (message, 1), ==, "b.png");
  g_assert_cmpstr (tau_user_attachments_message_get_file_name (message, 3), ==, "");
}

static void
test_what_the_model_reads (void)
{
  g_autoptr(TauUserAttachmentsMessage) message = message_new (attachments_json);
  g_autoptr(GPtrArray) blocks = tau_user_attachments_message_dup_llm_blocks (message);

  g_assert_cmpuint (blocks->len, ==, 3);
  g_assert_cmpstr (tau_block_get_text (g_ptr_array_index (blocks, 0)), ==, "look");
  g_assert_cmpstr (tau_block_get_text (g_ptr_array_index (blocks, 1)), ==,
                   "\n\n[Document: a.pdf]\n<pdf filename=\"a.pdf\">");
  g_assert_cmpint (tau_block_get_kind (g_ptr_array_index (blocks, 2)), ==, TAU_BLOCK_IMAGE);
  g_assert_cmpstr (tau_block_get_data (g_ptr_array_index (blocks, 2)), ==, "aW1n");
  g_assert_cmpstr (tau_block_get_mime_type (g_ptr_array_index (blocks, 2)), ==, "image/png");
}

static void
test_no_attachments (void)
{
  g_autoptr(TauUserAttachmentsMessage) none = message_new (NULL);
  g_autoptr(TauUserAttachmentsMessage) odd = message_new ("{}");
  g_autoptr(GPtrArray) blocks = tau_user_attachments_message_dup_llm_blocks (odd);

  g_assert_null (tau_user_attachments_message_get_attachments (none));
  g_assert_cmpuint (tau_user_attachments_message_get_n_attachments (none), ==, 0);
  g_assert_cmpuint (tau_user_attachments_message_get_n_attachments (odd), ==, 0);
  g_assert_cmpuint (blocks->len, ==, 1);
}

/* Attachments of other programs: what cannot be read is left out, and the prompt is still there. */
static void
test_strange_attachments (void)
{
  g_autoptr(TauUserAttachmentsMessage) message =
    message_new ("[null,7,\"x\",[],{},{\"type\":\"video\",\"content\":\"aGk=\"},{\"type\":\"document\"},"
                 "{\"type\":\"document\",\"fileName\":7,\"extractedText\":\"words\"},{\"type\":\"image\"}]");
  g_autoptr(GPtrArray) blocks = tau_user_attachments_message_dup_llm_blocks (message);

  g_assert_cmpuint (tau_user_attachments_message_get_n_attachments (message), ==, 9);
  for (guint i = 0; i < 9; i++)
    g_assert_cmpstr (tau_user_attachments_message_get_file_name (message, i), ==, "");
  g_assert_cmpuint (blocks->len, ==, 3);
  g_assert_cmpstr (tau_block_get_text (g_ptr_array_index (blocks, 0)), ==, "look");
  g_assert_cmpstr (tau_block_get_text (g_ptr_array_index (blocks, 1)), ==, "\n\n[Document: ]\nwords");
  g_assert_cmpstr (tau_block_get_data (g_ptr_array_index (blocks, 2)), ==, "");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/user-attachments-message/fields", test_fields);
  g_test_add_func ("/user-attachments-message/what-the-model-reads", test_what_the_model_reads);
  g_test_add_func ("/user-attachments-message/no-attachments", test_no_attachments);

  g_test_add_func ("/user-attachments-message/strange-attachments", test_strange_attachments);

  return g_test_run ();
}
