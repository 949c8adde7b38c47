/* SPDX-License-Identifier: MIT */
#include "core/message/tau-draft-block.h"

#include "core/base/tau-json.h"

#define HIGH "\xED\xA0\xBD" /* U+D83D, the first half of U+1F600 */
#define LOW  "\xED\xB8\x80" /* U+DE00, the second */
#define BOTH "\xF0\x9F\x98\x80"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauDraftBlock, tau_draft_block_free)

static void
test_text_grows (void)
{
  g_autoptr(TauDraftBlock) block = tau_draft_block_new (TAU_BLOCK_TEXT);
  g_autoptr(TauBlock) record = NULL;

  tau_draft_block_append_text (block, "Hello, ", -1);
  tau_draft_block_append_text (block, "world and more", 5);
  record = tau_draft_block_to_block (block);

  g_assert_true (block->open);
  g_assert_cmpint (tau_block_get_kind (record), ==, TAU_BLOCK_TEXT);
  g_assert_cmpstr (tau_block_get_text (record), ==, "Hello, world");
  g_assert_null (tau_block_get_signature (record));
}

static void
test_text_is_replaced (void)
{
  g_autoptr(TauDraftBlock) block = tau_draft_block_new (TAU_BLOCK_THINKING);
  g_autoptr(TauBlock) record = NULL;

  tau_draft_block_append_text (block, "draft", -1);
  tau_draft_block_set_text (block, "final", -1);
  block->redacted = TRUE;
  record = tau_draft_block_to_block (block);

  g_assert_cmpstr (tau_block_get_text (record), ==, "final");
  g_assert_true (tau_block_is_redacted (record));
}

static void
test_signature (void)
{
  g_autoptr(TauDraftBlock) block = tau_draft_block_new (TAU_BLOCK_THINKING);

  tau_draft_block_append_signature (block, "", -1);
  g_assert_cmpstr (block->signature->str, ==, "");
  tau_draft_block_append_signature (block, "ab", -1);
  tau_draft_block_append_signature (block, "cd", -1);
  g_assert_cmpstr (block->signature->str, ==, "abcd");
  tau_draft_block_set_signature (block, "x", -1);
  g_assert_cmpstr (block->signature->str, ==, "x");
}

static void
test_surrogates_are_joined (void)
{
  g_autoptr(TauDraftBlock) block = tau_draft_block_new (TAU_BLOCK_TEXT);

  tau_draft_block_append_text (block, "a" HIGH, -1);
  g_assert_cmpstr (block->text->str, ==, "a" HIGH);
  tau_draft_block_append_text (block, LOW "b" HIGH, -1);
  g_assert_cmpstr (block->text->str, ==, "a" BOTH "b" HIGH);
  tau_draft_block_append_text (block, LOW, 3);

  g_assert_cmpstr (block->text->str, ==, "a" BOTH "b" BOTH);
  g_assert_true (g_utf8_validate (block->text->str, -1, NULL));
}

/* Only a high half before a low half is a pair. */
static void
test_lone_surrogates_stay (void)
{
  const struct
  {
    const char *first;
    const char *second;
  } cases[] = {
    { HIGH, "x" }, { LOW, HIGH }, { HIGH, HIGH }, { LOW, LOW }, { "", LOW }, { HIGH, "" }, { HIGH, "\xED" },
    { "\xED\x9F\xBF", LOW }, { HIGH, "\xEE\x80\x80" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(TauDraftBlock) block = tau_draft_block_new (TAU_BLOCK_TEXT);
      g_autofree char *expected = g_strconcat (cases[i].first, cases[i].second, NULL);

      tau_draft_block_append_text (block, cases[i].first, -1);
      tau_draft_block_append_text (block, cases[i].second, -1);

      g_assert_cmpstr (block->text->str, ==, expected);
    }
}

static void
test_call (void)
{
  g_autoptr(TauDraftBlock) block = tau_draft_block_new (TAU_BLOCK_TOOL_CALL);
  g_autoptr(TauBlock) record = NULL;

  tau_draft_block_set_call (block, "", "");
  tau_draft_block_set_call (block, NULL, "read");
  tau_draft_block_set_call (block, "call_1", NULL);
  tau_draft_block_append_text (block, "{\"path\":\"a\"}", -1);
  tau_draft_block_set_signature (block, "thought", -1);
  record = tau_draft_block_to_block (block);

  g_assert_cmpstr (tau_block_get_call_id (record), ==, "call_1");
  g_assert_cmpstr (tau_block_get_call_name (record), ==, "read");
  g_assert_cmpstr (tau_block_get_signature (record), ==, "thought");
  g_assert_cmpstr (tau_json_get_string (tau_block_get_arguments (record), "path", NULL), ==, "a");
}

/* At each point of a stream there are arguments, and they are an object. */
static void
test_arguments_at_each_byte (void)
{
  const char *json = "{\"path\":\"a.txt\",\"lines\":[1,2],\"deep\":{\"x\":null}}";
  g_autoptr(TauDraftBlock) block = tau_draft_block_new (TAU_BLOCK_TOOL_CALL);

  for (const char *p = json; *p != '\0'; p++)
    {
      g_autoptr(JsonNode) arguments = NULL;

      tau_draft_block_append_text (block, p, 1);
      arguments = tau_draft_block_dup_arguments (block);

      g_assert_true (JSON_NODE_HOLDS_OBJECT (arguments));
      if (p - json > 15)
        g_assert_cmpstr (tau_json_get_string (arguments, "path", NULL), ==, "a.txt");
    }
}

static void
test_no_arguments (void)
{
  g_autoptr(TauDraftBlock) block = tau_draft_block_new (TAU_BLOCK_TOOL_CALL);
  g_autoptr(JsonNode) arguments = tau_draft_block_dup_arguments (block);

  g_assert_true (JSON_NODE_HOLDS_OBJECT (arguments));
  g_assert_cmpuint (json_object_get_size (json_node_get_object (arguments)), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/draft-block/text-grows", test_text_grows);
  g_test_add_func ("/draft-block/text-is-replaced", test_text_is_replaced);
  g_test_add_func ("/draft-block/signature", test_signature);
  g_test_add_func ("/draft-block/surrogates-are-joined", test_surrogates_are_joined);
  g_test_add_func ("/draft-block/lone-surrogates-stay", test_lone_surrogates_stay);
  g_test_add_func ("/draft-block/call", test_call);
  g_test_add_func ("/draft-block/arguments-at-each-byte", test_arguments_at_each_byte);
  g_test_add_func ("/draft-block/no-arguments", test_no_arguments);

  return g_test_run ();
}
