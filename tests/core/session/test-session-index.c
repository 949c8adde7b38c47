/* SPDX-License-Identifier: MIT */
#include "core/base/tau-error.h"
#include "core/session/tau-session-index.h"

#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <glib/gstdio.h>
#include <utime.h>

static const char first[] =
  "{\"type\":\"session\",\"version\":3,\"id\":\"aaaa1111\",\"timestamp\":\"2026-01-01T10:00:00.000Z\",\"cwd\":\"/home/u/one\"}\n"
  "{\"type\":\"message\",\"id\":\"1\",\"parentId\":null,\"timestamp\":\"2026-01-01T10:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Fix the\\nparser\"}],\"timestamp\":1767261601000}}\n"
  "{\"type\":\"message\",\"id\":\"2\",\"parentId\":\"1\",\"timestamp\":\"2026-01-01T10:00:02.000Z\",\"message\":{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"bash\",\"content\":[],\"isError\":false,\"timestamp\":1767261999000}}\n";

static const char second[] =
  "{\"type\":\"session\",\"version\":3,\"id\":\"bbbb2222\",\"timestamp\":\"2026-02-01T10:00:00.000Z\",\"cwd\":\"/home/u/two\",\"parentSession\":\"/x/parent.jsonl\"}\n"
  "{\"type\":\"session_info\",\"id\":\"1\",\"parentId\":null,\"timestamp\":\"2026-02-01T10:00:01.000Z\",\"name\":\" My name \"}\n";

typedef struct
{
  TauTestDir *dir;
  char       *root;
  char       *one;
  char       *two;
} Fixture;

static char *
add_file (Fixture    *fixture,
          const char *folder,
          const char *name,
          const char *text)
{
  g_autofree char *directory = g_build_filename (fixture->root, folder, NULL);
  char *path = g_build_filename (directory, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->dir = tau_test_dir_new ();
  fixture->root = g_build_filename (tau_test_dir_get_path (fixture->dir), "sessions", NULL);
  fixture->one = add_file (fixture, "--one--", "a.jsonl", first);
  fixture->two = add_file (fixture, "--two--", "b.jsonl", second);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_free (fixture->root);
  g_free (fixture->one);
  g_free (fixture->two);
  tau_test_dir_free (fixture->dir);
}

static TauSessionIndex *
read_index (Fixture *fixture)
{
  TauSessionIndex *index = tau_session_index_new (fixture->root);

  g_assert_true (tau_session_index_is_loading (index));
  tau_test_wait_until (!tau_session_index_is_loading (index));
  return index;
}

static void
test_lists_newest_first (Fixture       *fixture,
                         gconstpointer  data)
{
  g_autoptr(TauSessionIndex) index = read_index (fixture);
  g_autoptr(TauSessionInfo) newest = g_list_model_get_item (G_LIST_MODEL (index), 0);
  TauSessionInfo *older = tau_session_index_find (index, fixture->one);
  g_autofree char *title = tau_session_info_dup_title (older);

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (index)), ==, 2);
  g_assert_cmpstr (tau_session_info_get_id (newest), ==, "bbbb2222");
  g_assert_cmpstr (tau_session_info_get_name (newest), ==, "My name");
  g_assert_cmpstr (tau_session_info_get_first_message (newest), ==, "");
  g_assert_cmpstr (tau_session_info_get_parent_path (newest), ==, "/x/parent.jsonl");
  g_assert_cmpint (tau_session_info_get_modified (newest), ==, tau_session_info_get_created (newest));

  g_assert_cmpstr (tau_session_info_get_cwd (older), ==, "/home/u/one");
  g_assert_null (tau_session_info_get_name (older));
  g_assert_cmpstr (title, ==, "Fix the parser");
  g_assert_cmpuint (tau_session_info_get_n_messages (older), ==, 2);
  /* A tool result is no sign of life; the user's message is. */
  g_assert_cmpint (tau_session_info_get_modified (older), ==, 1767261601000);
}

static void
test_leaves_out_what_is_no_session (Fixture       *fixture,
                                    gconstpointer  data)
{
  g_autofree char *empty = add_file (fixture, "--one--", "empty.jsonl", "");
  g_autofree char *garbage = add_file (fixture, "--one--", "garbage.jsonl", "no json\n{\n");
  g_autofree char *other = add_file (fixture, "--one--", "notes.txt", first);
  g_autoptr(TauSessionIndex) index = read_index (fixture);

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (index)), ==, 2);
  g_assert_null (tau_session_index_find (index, garbage));
}

static void
test_follows_changes (Fixture       *fixture,
                      gconstpointer  data)
{
  g_autoptr(TauSessionIndex) index = read_index (fixture);
  TauSessionInfo *unchanged = tau_session_index_find (index, fixture->one);
  g_autofree char *three = add_file (fixture, "--two--", "c.jsonl", first);

  tau_test_wait_until (tau_session_index_find (index, three) != NULL);
  g_assert_true (tau_session_index_find (index, fixture->one) == unchanged);
  g_assert_cmpint (g_unlink (three), ==, 0);
  tau_test_wait_until (tau_session_index_find (index, three) == NULL);
}

static void
test_missing_root_is_empty (Fixture       *fixture,
                            gconstpointer  data)
{
  g_autofree char *missing = g_build_filename (fixture->root, "missing", NULL);
  g_autoptr(TauSessionIndex) index = tau_session_index_new (missing);

  tau_test_wait_until (!tau_session_index_is_loading (index));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (index)), ==, 0);
}

static void
test_most_recent_is_by_file_time (Fixture       *fixture,
                                  gconstpointer  data)
{
  g_autofree char *folder = g_path_get_dirname (fixture->one);
  g_autofree char *newer = add_file (fixture, "--one--", "z.jsonl", second);
  g_autofree char *found = NULL;
  g_autofree char *none = tau_session_index_find_most_recent ("/nonexistent");
  struct utimbuf past = { 1000, 1000 };

  g_assert_cmpint (g_utime (newer, &past), ==, 0);
  found = tau_session_index_find_most_recent (folder);
  g_assert_cmpstr (found, ==, fixture->one);
  g_assert_null (none);
}

static void
test_resolves_paths_and_prefixes (Fixture       *fixture,
                                  gconstpointer  data)
{
  g_autofree char *folder = g_path_get_dirname (fixture->one);
  g_autofree char *path = tau_session_index_resolve (fixture->root, folder, "./x", NULL);
  g_autofree char *name = tau_session_index_resolve (fixture->root, folder, "x.jsonl", NULL);
  g_autofree char *here = tau_session_index_resolve (fixture->root, folder, "aaaa", NULL);
  g_autofree char *elsewhere = tau_session_index_resolve (fixture->root, folder, "bbbb", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_cmpstr (path, ==, "./x");
  g_assert_cmpstr (name, ==, "x.jsonl");
  g_assert_cmpstr (here, ==, fixture->one);
  g_assert_cmpstr (elsewhere, ==, fixture->two);
  g_assert_null (tau_session_index_resolve (fixture->root, folder, "cccc", &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "No session found matching 'cccc'");
}

static void
test_ends_while_reading (Fixture       *fixture,
                         gconstpointer  data)
{
  TauSessionIndex *index = tau_session_index_new (fixture->root);
  GWeakRef alive;

  g_weak_ref_init (&alive, index);
  g_object_run_dispose (G_OBJECT (index));
  g_object_unref (index);
  while (TRUE)
    {
      g_autoptr(GObject) object = g_weak_ref_get (&alive);

      if (object == NULL)
        break;
      g_clear_object (&object);
      g_main_context_iteration (NULL, TRUE);
    }
  g_weak_ref_clear (&alive);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/session-index/newest-first", test_lists_newest_first);
  ADD ("/session-index/leaves-out", test_leaves_out_what_is_no_session);
  ADD ("/session-index/follows-changes", test_follows_changes);
  ADD ("/session-index/missing-root", test_missing_root_is_empty);
  ADD ("/session-index/most-recent", test_most_recent_is_by_file_time);
  ADD ("/session-index/resolve", test_resolves_paths_and_prefixes);
  ADD ("/session-index/ends-while-reading", test_ends_while_reading);
#undef ADD
  return g_test_run ();
}
