/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message.h"

/* An application's own kind of message, as small as one can be. */
#define TEST_TYPE_NOTE (test_note_get_type ())
G_DECLARE_FINAL_TYPE (TestNote, test_note, TEST, NOTE, TauMessage)

struct _TestNote
{
  TauMessage parent_instance;
};

G_DEFINE_FINAL_TYPE (TestNote, test_note, TAU_TYPE_MESSAGE)

static void
test_note_class_init (TestNoteClass *klass)
{
}

static void
test_note_init (TestNote *self)
{
}

static GPtrArray *
some_blocks (void)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);

  g_ptr_array_add (blocks, tau_block_new_text ("one", NULL));
  g_ptr_array_add (blocks, tau_block_new_thinking ("hidden", NULL, FALSE));
  g_ptr_array_add (blocks, tau_block_new_image ("d", "image/png"));
  g_ptr_array_add (blocks, tau_block_new_text ("two", NULL));

  return blocks;
}

static TauMessage *
note_new (GPtrArray *blocks)
{
  return g_object_new (TEST_TYPE_NOTE, "role", "note", "timestamp", G_GINT64_CONSTANT (1796073736101), "blocks", blocks, NULL);
}

static void
test_what_subclasses_set (void)
{
  g_autoptr(GPtrArray) blocks = some_blocks ();
  g_autoptr(TauMessage) message = note_new (blocks);
  g_autofree char *role = NULL;
  gint64 timestamp;

  g_object_get (message, "role", &role, "timestamp", &timestamp, NULL);

  g_assert_cmpstr (role, ==, "note");
  g_assert_cmpstr (tau_message_get_role (message), ==, "note");
  g_assert_cmpint (timestamp, ==, 1796073736101);
  g_assert_cmpint (tau_message_get_timestamp (message), ==, 1796073736101);
  g_assert_cmpint (tau_message_get_kind (message), ==, TAU_MESSAGE_KIND_OTHER);
}

/* The array is the caller's own and may change; the blocks are shared. */
static void
test_blocks_are_kept (void)
{
  g_autoptr(GPtrArray) blocks = some_blocks ();
  g_autoptr(TauMessage) message = note_new (blocks);
  g_autoptr(GPtrArray) copy = tau_message_dup_blocks (message);

  g_assert_true (tau_message_get_block (message, 0) == g_ptr_array_index (blocks, 0));
  g_ptr_array_set_size (blocks, 0);
  g_ptr_array_set_size (copy, 1);

  g_assert_cmpuint (tau_message_get_n_blocks (message), ==, 4);
  g_assert_cmpstr (tau_block_get_text (tau_message_get_block (message, 3)), ==, "two");
}

static void
test_text (void)
{
  g_autoptr(GPtrArray) blocks = some_blocks ();
  g_autoptr(TauMessage) message = note_new (blocks);
  g_autofree char *joined = tau_message_dup_text (message, "");
  g_autofree char *lines = tau_message_dup_text (message, "\n");

  g_assert_cmpstr (joined, ==, "onetwo");
  g_assert_cmpstr (lines, ==, "one\ntwo");
}

static void
test_images (void)
{
  g_autoptr(GPtrArray) blocks = some_blocks ();
  g_autoptr(TauMessage) with = note_new (blocks);
  g_autoptr(TauMessage) without = note_new (NULL);

  g_assert_true (tau_message_has_images (with));
  g_assert_false (tau_message_has_images (without));
}

static void
test_nothing_set (void)
{
  g_autoptr(TauMessage) message = g_object_new (TEST_TYPE_NOTE, NULL);
  g_autofree char *text = tau_message_dup_text (message, "-");

  g_assert_cmpstr (tau_message_get_role (message), ==, "");
  g_assert_cmpint (tau_message_get_timestamp (message), ==, 0);
  g_assert_cmpuint (tau_message_get_n_blocks (message), ==, 0);
  g_assert_cmpstr (text, ==, "");
}

/* Copies of an array live on their own and hold the messages themselves, even if the original only lent them. */
static void
test_copy_of_array (void)
{
  g_autoptr(GPtrArray) lent = g_ptr_array_new ();
  g_autoptr(GPtrArray) copy = NULL;
  TauMessage *message = note_new (NULL);

  g_ptr_array_add (lent, message);
  copy = tau_messages_copy (lent);
  g_object_unref (message);
  g_ptr_array_set_size (lent, 0);

  g_assert_cmpuint (copy->len, ==, 1);
  g_assert_cmpstr (tau_message_get_role (g_ptr_array_index (copy, 0)), ==, "note");
  message = g_ptr_array_steal_index (copy, 0);
  g_assert_finalize_object (message);
}

static void
test_finalized (void)
{
  TauMessage *message = note_new (NULL);

  g_assert_finalize_object (message);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/message/what-subclasses-set", test_what_subclasses_set);
  g_test_add_func ("/message/blocks-are-kept", test_blocks_are_kept);
  g_test_add_func ("/message/text", test_text);
  g_test_add_func ("/message/images", test_images);
  g_test_add_func ("/message/nothing-set", test_nothing_set);
  g_test_add_func ("/message/copy-of-array", test_copy_of_array);
  g_test_add_func ("/message/finalized", test_finalized);

  return g_test_run ();
}
