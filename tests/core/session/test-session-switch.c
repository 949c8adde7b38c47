/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-switch.h"

#include "core/base/tau-json.h"
#include "core/session/tau-session-messages.h"

/* Entries as lines of a file: "m" a message, "M:NAME" a model, "T:LEVEL" a thinking level, "n" a name. Each hangs on the
 * one before it. */
static TauSessionTree *
make_tree (const char * const *words)
{
  TauSessionTree *tree = tau_session_tree_new ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *value = strchr (words[i], ':');
      g_autofree char *parent = i > 0 ? g_strdup_printf ("\"%u\"", i - 1) : g_strdup ("null");
      g_autoptr(GString) text = g_string_new (NULL);
      g_autoptr(JsonNode) json = NULL;
      g_autoptr(TauSessionEntry) entry = NULL;

      if (words[i][0] == 'm')
        g_string_append (text, "\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"x\",\"timestamp\":1}");
      else if (words[i][0] == 'M')
        g_string_append_printf (text, "\"type\":\"model_change\",\"provider\":\"p\",\"modelId\":\"%s\"", value + 1);
      else if (words[i][0] == 'T')
        g_string_append_printf (text, "\"type\":\"thinking_level_change\",\"thinkingLevel\":\"%s\"", value + 1);
      else
        g_string_append (text, "\"type\":\"session_info\",\"name\":\"a name\"");
      g_string_prepend_c (text, '{');
      g_string_append_printf (text, ",\"id\":\"%u\",\"parentId\":%s,\"timestamp\":\"2026-01-01T00:00:00.000Z\"}", i, parent);
      json = tau_json_parse (text->str, -1, NULL);
      g_assert_nonnull (json);
      entry = tau_session_entry_new_from_json (json);
      tau_session_tree_append (tree, entry);
    }
  return tree;
}

static void
check (const char * const *words,
       const char         *model,
       const char         *level)
{
  g_autoptr(TauSessionTree) tree = make_tree (words);
  g_autofree char *found_model = NULL;
  g_autofree char *found_level = NULL;

  g_assert_cmpint (tau_session_switch_find (tree, tau_session_tree_get_leaf (tree), &found_model, &found_level), ==,
                   model != NULL || level != NULL);
  g_assert_cmpstr (found_model, ==, model);
  g_assert_cmpstr (found_level, ==, level);
}

#define CHECK(model, level, ...) check ((const char * const []) { __VA_ARGS__, NULL }, model, level)

static void
test_switches (void)
{
  CHECK (NULL, NULL, "M:a", "T:low", "m");                             /* holds from the beginning */
  CHECK (NULL, NULL, "M:a", "T:low", "m", "m");
  CHECK ("b", NULL, "M:a", "T:low", "m", "M:b", "m");
  CHECK (NULL, "high", "M:a", "T:low", "m", "T:high", "m");
  CHECK ("b", "high", "M:a", "T:low", "m", "M:b", "n", "T:high", "m");
  CHECK ("c", NULL, "M:a", "m", "M:b", "M:c", "m");                    /* the last one counts */
  CHECK (NULL, NULL, "M:a", "m", "M:b", "M:a", "m");                   /* there and back */
  CHECK (NULL, NULL, "M:a", "T:low", "m", "m", "m", "M:a", "T:low", "m");   /* recorded again */
  CHECK ("b", NULL, "m", "M:b", "m");                                  /* nobody said what it was before */
  CHECK (NULL, NULL, "m", "T:low", "m");                               /* that is what resuming looks like */
  CHECK (NULL, NULL, "M:a", "m", "n", "m");
}

/* A file may lead in circles. */
static void
test_circle (void)
{
  static const char *lines[] = {
    "{\"type\":\"model_change\",\"id\":\"a\",\"parentId\":\"b\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"provider\":\"p\",\"modelId\":\"x\"}",
    "{\"type\":\"session_info\",\"id\":\"b\",\"parentId\":\"a\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"name\":\"n\"}",
    "{\"type\":\"message\",\"id\":\"c\",\"parentId\":\"b\",\"timestamp\":\"2026-01-01T00:00:00.000Z\","
    "\"message\":{\"role\":\"user\",\"content\":\"x\",\"timestamp\":1}}",
  };
  g_autoptr(TauSessionTree) tree = tau_session_tree_new ();
  g_autofree char *model = NULL;
  g_autofree char *level = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr(JsonNode) json = tau_json_parse (lines[i], -1, NULL);
      g_autoptr(TauSessionEntry) entry = tau_session_entry_new_from_json (json);

      tau_session_tree_absorb (tree, entry);
    }
  g_assert_false (tau_session_switch_find (tree, tau_session_tree_lookup (tree, "c"), &model, &level));
}

/* The list knows without parsing where nothing was switched. */
static void
test_in_list (void)
{
  static const char * const words[] = { "M:a", "m", "m", "M:b", "m", NULL };
  g_autoptr(TauSessionTree) tree = make_tree (words);
  g_autoptr(TauSessionMessages) list = tau_session_messages_new ();
  GPtrArray *entries = tau_session_tree_get_entries (tree);

  for (guint i = 0; i < entries->len; i++)
    if (tau_session_entry_has_message (g_ptr_array_index (entries, i)))
      tau_session_messages_append (list, g_ptr_array_index (entries, i));
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *model = NULL;
      g_autofree char *level = NULL;

      g_assert_false (tau_session_messages_find_switch (list, i, &model, &level));
    }
  tau_session_messages_set_tree (list, tree);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *model = NULL;
      g_autofree char *level = NULL;

      g_assert_cmpint (tau_session_messages_find_switch (list, i, &model, &level), ==, i == 2);
      g_assert_cmpstr (model, ==, i == 2 ? "b" : NULL);
      g_assert_null (level);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/session-switch/switches", test_switches);
  g_test_add_func ("/session-switch/circle", test_circle);
  g_test_add_func ("/session-switch/in-list", test_in_list);

  return g_test_run ();
}
