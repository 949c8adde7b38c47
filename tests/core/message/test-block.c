/* SPDX-License-Identifier: MIT */
#include "core/message/tau-block.h"

static void
test_text (void)
{
  char text[] = "hello";
  g_autoptr(TauBlock) block = tau_block_new_text (text, "sig");
  g_autoptr(TauBlock) unsigned_block = tau_block_new_text ("", NULL);

  text[0] = 'j';

  g_assert_cmpint (tau_block_get_kind (block), ==, TAU_BLOCK_TEXT);
  g_assert_cmpstr (tau_block_get_text (block), ==, "hello");
  g_assert_cmpstr (tau_block_get_signature (block), ==, "sig");
  g_assert_cmpstr (tau_block_get_text (unsigned_block), ==, "");
  g_assert_null (tau_block_get_signature (unsigned_block));
}

static void
test_thinking (void)
{
  g_autoptr(TauBlock) block = tau_block_new_thinking ("hm", "", FALSE);
  g_autoptr(TauBlock) hidden = tau_block_new_thinking ("[Reasoning redacted]", "opaque", TRUE);

  g_assert_cmpint (tau_block_get_kind (block), ==, TAU_BLOCK_THINKING);
  g_assert_cmpstr (tau_block_get_text (block), ==, "hm");
  g_assert_cmpstr (tau_block_get_signature (block), ==, "");
  g_assert_false (tau_block_is_redacted (block));
  g_assert_true (tau_block_is_redacted (hidden));
  g_assert_cmpstr (tau_block_get_signature (hidden), ==, "opaque");
}

static void
test_image (void)
{
  g_autoptr(TauBlock) block = tau_block_new_image ("aGk=", "image/png");

  g_assert_cmpint (tau_block_get_kind (block), ==, TAU_BLOCK_IMAGE);
  g_assert_cmpstr (tau_block_get_data (block), ==, "aGk=");
  g_assert_cmpstr (tau_block_get_mime_type (block), ==, "image/png");
}

static void
test_tool_call (void)
{
  g_autoptr(JsonNode) arguments = json_from_string ("{\"path\":\"a.txt\"}", NULL);
  g_autoptr(TauBlock) block = tau_block_new_tool_call ("call_1", "read", arguments, "thought");

  g_assert_cmpint (tau_block_get_kind (block), ==, TAU_BLOCK_TOOL_CALL);
  g_assert_cmpstr (tau_block_get_call_id (block), ==, "call_1");
  g_assert_cmpstr (tau_block_get_call_name (block), ==, "read");
  g_assert_cmpstr (tau_block_get_signature (block), ==, "thought");
  g_assert_true (tau_block_get_arguments (block) == arguments);
}

static void
test_arguments_without_object (void)
{
  g_autoptr(JsonNode) odd = json_from_string ("[1]", NULL);
  g_autoptr(TauBlock) none = tau_block_new_tool_call ("", "", NULL, NULL);
  g_autoptr(TauBlock) array = tau_block_new_tool_call ("x", "y", odd, NULL);

  g_assert_true (JSON_NODE_HOLDS_OBJECT (tau_block_get_arguments (none)));
  g_assert_cmpint (json_object_get_size (json_node_get_object (tau_block_get_arguments (none))), ==, 0);
  g_assert_true (JSON_NODE_HOLDS_ARRAY (tau_block_get_arguments (array)));
}

/* A getter that does not apply answers its empty value. */
static void
test_other_kinds (void)
{
  g_autoptr(TauBlock) text = tau_block_new_text ("t", NULL);
  g_autoptr(TauBlock) image = tau_block_new_image ("d", "m");

  g_assert_cmpstr (tau_block_get_text (image), ==, "");
  g_assert_null (tau_block_get_signature (image));
  g_assert_false (tau_block_is_redacted (image));
  g_assert_null (tau_block_get_data (text));
  g_assert_null (tau_block_get_mime_type (text));
  g_assert_null (tau_block_get_call_id (text));
  g_assert_null (tau_block_get_call_name (text));
  g_assert_null (tau_block_get_arguments (text));
}

static gpointer
ref_and_unref (gpointer data)
{
  for (int i = 0; i < 10000; i++)
    tau_block_unref (tau_block_ref (data));

  return NULL;
}

static void
test_shared_by_threads (void)
{
  g_autoptr(TauBlock) block = tau_block_new_text ("shared", NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", ref_and_unref, block);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  g_assert_cmpstr (tau_block_get_text (block), ==, "shared");
}

static void
test_boxed (void)
{
  g_auto(GValue) value = G_VALUE_INIT;
  g_autoptr(TauBlock) block = tau_block_new_text ("boxed", NULL);

  g_value_init (&value, TAU_TYPE_BLOCK);
  g_value_set_boxed (&value, block);

  g_assert_true (g_value_get_boxed (&value) == block);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/block/text", test_text);
  g_test_add_func ("/block/thinking", test_thinking);
  g_test_add_func ("/block/image", test_image);
  g_test_add_func ("/block/tool-call", test_tool_call);
  g_test_add_func ("/block/arguments-without-object", test_arguments_without_object);
  g_test_add_func ("/block/other-kinds", test_other_kinds);
  g_test_add_func ("/block/shared-by-threads", test_shared_by_threads);
  g_test_add_func ("/block/boxed", test_boxed);

  return g_test_run ();
}
