/* SPDX-License-Identifier: MIT */
#include "core/message/tau-user-message.h"

static void
test_text_then_images (void)
{
  g_autoptr(GPtrArray) images = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(TauUserMessage) message = NULL;
  TauMessage *base;

  g_ptr_array_add (images, tau_block_new_image ("MQ==", "image/png"));
  g_ptr_array_add (images, tau_block_new_image ("Mg==", "image/gif"));
  message = tau_user_message_new ("see", images, 42);
  base = TAU_MESSAGE (message);

  g_assert_cmpstr (tau_message_get_role (base), ==, "user");
  g_assert_cmpint (tau_message_get_kind (base), ==, TAU_MESSAGE_KIND_USER);
  g_assert_cmpint (tau_message_get_timestamp (base), ==, 42);
  g_assert_cmpuint (tau_message_get_n_blocks (base), ==, 3);
  g_assert_cmpstr (tau_block_get_text (tau_message_get_block (base, 0)), ==, "see");
  g_assert_cmpstr (tau_block_get_data (tau_message_get_block (base, 1)), ==, "MQ==");
  g_assert_cmpstr (tau_block_get_mime_type (tau_message_get_block (base, 2)), ==, "image/gif");
  g_assert_false (tau_user_message_is_string (message));
}

static void
test_empty_text_is_a_block (void)
{
  g_autoptr(TauUserMessage) message = tau_user_message_new ("", NULL, 0);

  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, 1);
}

static void
test_just_blocks (void)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(TauUserMessage) message = NULL;

  g_ptr_array_add (blocks, tau_block_new_image ("MQ==", "image/png"));
  message = tau_user_message_new_blocks (blocks, 7);

  g_assert_cmpuint (tau_message_get_n_blocks (TAU_MESSAGE (message)), ==, 1);
  g_assert_cmpint (tau_message_get_timestamp (TAU_MESSAGE (message)), ==, 7);
}

static void
test_bare_string (void)
{
  g_autoptr(TauUserMessage) message = tau_user_message_new_string ("old", 1);
  g_autofree char *text = tau_message_dup_text (TAU_MESSAGE (message), "");

  g_assert_true (tau_user_message_is_string (message));
  g_assert_cmpstr (text, ==, "old");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/user-message/text-then-images", test_text_then_images);
  g_test_add_func ("/user-message/empty-text-is-a-block", test_empty_text_is_a_block);
  g_test_add_func ("/user-message/just-blocks", test_just_blocks);
  g_test_add_func ("/user-message/bare-string", test_bare_string);

  return g_test_run ();
}
