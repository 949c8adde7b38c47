/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-context.h"
#include "core/session/tau-session-tree.h"

#include "core/base/tau-json.h"
#include "core/message/tau-application-messages.h"
#include "core/message/tau-user-message.h"

#include <string.h>

static char *
text_of (TauSessionEntry *entry)
{
  g_autoptr(GBytes) text = tau_session_entry_dup_text (entry);

  g_assert_cmpuint (g_bytes_get_size (text), ==, tau_session_entry_get_length (entry));
  return g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text));
}

/* Key by key as pi writes them. */
static void
test_lines (void)
{
  g_autoptr(TauSessionEntry) header = tau_session_entry_new_header ("s", 1767323045678, "/p", "/parent.jsonl");
  g_autoptr(TauMessage) user = TAU_MESSAGE (tau_user_message_new ("hi", NULL, 5));
  g_autoptr(TauSessionEntry) message = tau_session_entry_new_message ("a", NULL, 1767323045678, user);
  g_autoptr(JsonObject) fields = json_object_new ();
  g_autoptr(TauSessionEntry) custom = NULL;
  g_autofree char *header_text = text_of (header);
  g_autofree char *message_text = text_of (message);
  g_autofree char *custom_text = NULL;
  g_autoptr(TauMessage) same = tau_session_entry_dup_message (message);

  g_assert_cmpstr (header_text, ==, "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"cwd\":\"/p\",\"parentSession\":\"/parent.jsonl\"}");
  g_assert_cmpstr (message_text, ==, "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"2026-01-02T03:04:05.678Z\","
                                     "\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],\"timestamp\":5}}");
  g_assert_true (same == user);
  json_object_set_string_member (fields, "customType", "ext");
  custom = tau_session_entry_new (TAU_ENTRY_CUSTOM, "b", "a", 1767323045678, fields);
  custom_text = text_of (custom);
  g_assert_cmpstr (custom_text, ==, "{\"type\":\"custom\",\"customType\":\"ext\",\"id\":\"b\",\"parentId\":\"a\",\"timestamp\":\"2026-01-02T03:04:05.678Z\"}");
}

static void
test_custom_message (void)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  g_autoptr(TauMessage) message = NULL;
  g_autoptr(TauSessionEntry) entry = NULL;
  g_autofree char *text = NULL;
  g_autoptr(JsonNode) json = NULL;
  g_autoptr(TauSessionEntry) again = NULL;
  g_autoptr(TauMessage) read = NULL;

  g_ptr_array_add (blocks, tau_block_new_text ("Injected", NULL));
  message = TAU_MESSAGE (tau_custom_message_new ("ext", blocks, TRUE, FALSE, NULL, 99));
  entry = tau_session_entry_new_message ("a", "p", 1767323045678, message);
  text = text_of (entry);
  g_assert_cmpstr (text, ==, "{\"type\":\"custom_message\",\"customType\":\"ext\",\"content\":\"Injected\",\"display\":false,"
                             "\"id\":\"a\",\"parentId\":\"p\",\"timestamp\":\"2026-01-02T03:04:05.678Z\"}");
  json = tau_session_entry_dup_json (entry);
  again = tau_session_entry_new_from_json (json);
  read = tau_session_entry_dup_message (again);
  g_assert_cmpstr (tau_message_get_role (read), ==, "custom");
  /* Its time is that of the entry. */
  g_assert_cmpint (tau_message_get_timestamp (read), ==, 1767323045678);
}

static void
test_unreadable_message (void)
{
  g_autoptr(JsonNode) json = tau_json_parse ("{\"type\":\"message\",\"id\":\"a\",\"message\":5}", -1, NULL);
  g_autoptr(TauSessionEntry) entry = tau_session_entry_new_from_json (json);

  g_assert_null (tau_session_entry_dup_message (entry));
  g_assert_false (tau_session_entry_has_message (entry));
  g_assert_cmpint (tau_session_entry_get_time (entry), ==, 0);
}

static TauSessionEntry *
add (TauSessionTree *tree,
     const char     *json)
{
  g_autoptr(JsonNode) node = tau_json_parse (json, -1, NULL);
  g_autoptr(TauSessionEntry) entry = tau_session_entry_new_from_json (node);

  tau_session_tree_append (tree, entry);
  return entry;
}

static void
test_tree (void)
{
  g_autoptr(TauSessionTree) tree = tau_session_tree_new ();
  TauSessionEntry *a = add (tree, "{\"type\":\"x\",\"id\":\"a\",\"parentId\":null}");
  TauSessionEntry *b = add (tree, "{\"type\":\"x\",\"id\":\"b\",\"parentId\":\"a\"}");
  TauSessionEntry *orphan = add (tree, "{\"type\":\"x\",\"id\":\"o\",\"parentId\":\"gone\"}");
  TauSessionEntry *again = add (tree, "{\"type\":\"y\",\"id\":\"b\",\"parentId\":\"a\"}");
  g_autoptr(GPtrArray) path = NULL;
  g_autoptr(GPtrArray) of_orphan = NULL;

  add (tree, "{\"type\":\"x\"}");
  g_assert_true (tau_session_tree_get_leaf (tree) == again);
  g_assert_true (tau_session_tree_lookup (tree, "b") == again);
  g_assert_cmpuint (tau_session_tree_get_entries (tree)->len, ==, 5);
  path = tau_session_tree_dup_path (tree, b);
  g_assert_cmpuint (path->len, ==, 2);
  g_assert_true (g_ptr_array_index (path, 0) == a);
  of_orphan = tau_session_tree_dup_path (tree, orphan);
  g_assert_cmpuint (of_orphan->len, ==, 1);
}

static void
test_names_and_labels (void)
{
  g_autoptr(TauSessionTree) tree = tau_session_tree_new ();
  g_autofree char *none = tau_session_tree_dup_name (tree);
  g_autofree char *name = NULL, *label = NULL, *cleared = NULL;

  g_assert_null (none);
  add (tree, "{\"type\":\"session_info\",\"id\":\"a\",\"parentId\":null,\"name\":\"first\"}");
  add (tree, "{\"type\":\"session_info\",\"id\":\"b\",\"parentId\":null,\"name\":\" second \"}");
  add (tree, "{\"type\":\"label\",\"id\":\"c\",\"parentId\":null,\"targetId\":\"a\",\"label\":\"mark\"}");
  name = tau_session_tree_dup_name (tree);
  label = tau_session_tree_dup_label (tree, "a");
  g_assert_cmpstr (name, ==, "second");
  g_assert_cmpstr (label, ==, "mark");
  add (tree, "{\"type\":\"label\",\"id\":\"d\",\"parentId\":null,\"targetId\":\"a\"}");
  add (tree, "{\"type\":\"session_info\",\"id\":\"e\",\"parentId\":null,\"name\":\"  \"}");
  cleared = tau_session_tree_dup_label (tree, "a");
  g_assert_null (cleared);
  g_free (name);
  name = tau_session_tree_dup_name (tree);
  g_assert_null (name);
}

#define SAID(id, parent, text) "{\"type\":\"message\",\"id\":\"" id "\",\"parentId\":\"" parent "\",\"message\":{\"role\":\"user\",\"content\":\"" text "\",\"timestamp\":1}}"

static char *
context_of (TauSessionTree *tree)
{
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (tree, tau_session_tree_get_leaf (tree));
  g_autoptr(TauSessionContext) context = tau_session_context_new (path);
  g_autoptr(GPtrArray) messages = tau_session_context_dup_messages (context);
  g_autoptr(GString) out = g_string_new (NULL);

  for (guint i = 0; i < messages->len; i++)
    {
      TauMessage *message = g_ptr_array_index (messages, i);
      g_autofree char *text = TAU_IS_COMPACTION_SUMMARY_MESSAGE (message)
                                ? g_strdup (tau_compaction_summary_message_get_summary (TAU_COMPACTION_SUMMARY_MESSAGE (message)))
                                : tau_message_dup_text (message, "");

      g_string_append_printf (out, "%s%s", i > 0 ? " " : "", text);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
test_context (void)
{
  g_autoptr(TauSessionTree) tree = tau_session_tree_new ();
  g_autofree char *whole = NULL, *compacted = NULL, *twice = NULL;

  add (tree, SAID ("a", "", "1"));
  add (tree, "{\"type\":\"label\",\"id\":\"b\",\"parentId\":\"a\",\"targetId\":\"a\",\"label\":\"x\"}");
  add (tree, SAID ("c", "b", "2"));
  add (tree, SAID ("d", "c", "3"));
  whole = context_of (tree);
  g_assert_cmpstr (whole, ==, "1 2 3");
  add (tree, "{\"type\":\"compaction\",\"id\":\"e\",\"parentId\":\"d\",\"summary\":\"S\",\"firstKeptEntryId\":\"d\",\"tokensBefore\":1}");
  add (tree, SAID ("f", "e", "4"));
  compacted = context_of (tree);
  g_assert_cmpstr (compacted, ==, "S 3 4");
  add (tree, "{\"type\":\"compaction\",\"id\":\"g\",\"parentId\":\"f\",\"summary\":\"T\",\"firstKeptEntryId\":\"nope\",\"tokensBefore\":1}");
  add (tree, SAID ("h", "g", "5"));
  twice = context_of (tree);
  g_assert_cmpstr (twice, ==, "T 5");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-entry/lines", test_lines);
  g_test_add_func ("/session-entry/custom-message", test_custom_message);
  g_test_add_func ("/session-entry/unreadable-message", test_unreadable_message);
  g_test_add_func ("/session-tree/tree", test_tree);
  g_test_add_func ("/session-tree/names-and-labels", test_names_and_labels);
  g_test_add_func ("/session-context/context", test_context);
  return g_test_run ();
}
