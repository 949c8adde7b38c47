/* SPDX-License-Identifier: MIT */
#include "core/base/tau-error.h"
#include "core/session/tau-session-database.h"
#include "core/session/tau-session-index.h"

#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <glib/gstdio.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
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

static void
append (const char *path,
        const char *text)
{
  FILE *file = g_fopen (path, "a");

  g_assert_cmpint (fputs (text, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
append_message (const char *path,
                const char *role,
                const char *content)
{
  g_autofree char *line = g_strdup_printf ("{\"type\":\"message\",\"id\":\"%08x\",\"parentId\":\"2\",\"timestamp\":\"2026-01-01T11:00:00.000Z\","
                                           "\"message\":{\"role\":\"%s\",\"content\":%s,\"timestamp\":1767265200000}}\n",
                                           g_random_int (), role, content);

  append (path, line);
}

static void
refresh (TauSessionIndex *index)
{
  tau_session_index_refresh (index);
  tau_test_wait_until (!tau_session_index_is_loading (index));
}

/* Ids of what is found, the best first, joined by blanks. */
static char *
search (TauSessionIndex *index,
        const char      *text)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GPtrArray) found = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) ids = g_string_new (NULL);

  tau_session_index_search_async (index, text, NULL, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  found = tau_session_index_search_finish (index, result, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < found->len; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? " " : "", tau_session_info_get_id (g_ptr_array_index (found, i)));
  return g_string_free (g_steal_pointer (&ids), FALSE);
}

static void
assert_found (TauSessionIndex *index,
              const char      *text,
              const char      *expected)
{
  g_autofree char *ids = search (index, text);

  g_assert_cmpstr (ids, ==, expected);
}

static void
test_searches_titles_and_texts (Fixture       *fixture,
                                gconstpointer  data)
{
  g_autoptr(TauSessionIndex) index = NULL;

  append_message (fixture->two, "assistant", "[{\"type\":\"text\",\"text\":\"Der Zähler im parser_state überläuft\"},"
                                             "{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"bash\",\"arguments\":{\"command\":\"ninja -C build\"}}]");
  append_message (fixture->one, "toolResult", "[{\"type\":\"text\",\"text\":\"outputword\"}]");
  index = read_index (fixture);

  assert_found (index, "", "bbbb2222 aaaa1111");
  assert_found (index, "parser", "aaaa1111 bbbb2222");        /* a title before a text, though it is older */
  assert_found (index, "PARSER fix", "aaaa1111");
  assert_found (index, "fxprs", "aaaa1111");                  /* letters in order */
  assert_found (index, "zahler", "bbbb2222");                 /* accents do not matter */
  assert_found (index, "überl", "bbbb2222");
  assert_found (index, "ninja", "bbbb2222");                  /* what was run */
  assert_found (index, "outputword", "");                     /* what it wrote is not looked at */
  assert_found (index, "\"im parser_state\"", "bbbb2222");
  assert_found (index, "/home/u/two", "bbbb2222");
  assert_found (index, "aaaa1", "aaaa1111");
  assert_found (index, "nothing has this", "");
}

static void
test_takes_any_text_as_text (Fixture       *fixture,
                             gconstpointer  data)
{
  static const char * const hostile[] = {
    "\"", "\"\"", "*", "parser*", "par\" OR \"x", "NEAR(a b)", "text:parser", "^parser", "a AND NOT b", "-parser", "(", "'; DROP TABLE session;--",
    "%s%n", "\xff\xfe", "\\", "--", "\"parser", "{}", "+", "äö\u0301", "\u4e2d\u6587 \u0e44\u0e17\u0e22", "a\tb\nc",
  };
  g_autoptr(TauSessionIndex) index = read_index (fixture);
  g_autofree char *long_text = g_strnfill (100000, 'q');

  for (gsize i = 0; i < G_N_ELEMENTS (hostile); i++)
    g_free (search (index, hostile[i]));
  assert_found (index, long_text, "");
  assert_found (index, "parser*", "aaaa1111");
  assert_found (index, "\"parser", "aaaa1111");
  assert_found (index, "fix", "aaaa1111");   /* and nothing was harmed */
}

static void
test_reads_only_what_is_new (Fixture       *fixture,
                             gconstpointer  data)
{
  g_autoptr(TauSessionIndex) index = read_index (fixture);
  TauSessionInfo *info;

  append_message (fixture->one, "assistant", "[{\"type\":\"text\",\"text\":\"halfway\"}]");
  append (fixture->one, "{\"type\":\"message\",\"id\":\"9\",\"parent");
  refresh (index);
  assert_found (index, "halfway", "aaaa1111");
  append (fixture->one, "Id\":\"2\",\"timestamp\":\"2026-01-01T11:00:00.000Z\",\"message\":{\"role\":\"user\",\"content\":\"thirdword\"}}\n");
  refresh (index);
  assert_found (index, "thirdword", "aaaa1111");
  assert_found (index, "halfway", "aaaa1111");
  info = tau_session_index_find (index, fixture->one);
  g_assert_cmpuint (tau_session_info_get_n_messages (info), ==, 4);
}

static void
test_forgets_what_was_overwritten (Fixture       *fixture,
                                   gconstpointer  data)
{
  g_autoptr(TauSessionIndex) index = NULL;

  append_message (fixture->one, "user", "\"oldword\"");
  index = read_index (fixture);
  assert_found (index, "oldword", "aaaa1111");
  g_assert_true (g_file_set_contents (fixture->one, first, -1, NULL));
  append_message (fixture->one, "user", "\"newword and much more, so that the file is longer than it was\"");
  refresh (index);
  assert_found (index, "oldword", "");
  assert_found (index, "newword", "aaaa1111");
  g_assert_cmpint (g_unlink (fixture->one), ==, 0);
  refresh (index);
  assert_found (index, "newword", "");
}

/* P66: the name stands at the beginning of the file, which has grown by megabytes since. */
static void
test_renamed_session_keeps_title (Fixture       *fixture,
                                  gconstpointer  data)
{
  g_autoptr(TauSessionIndex) index = NULL;
  g_autofree char *padding = g_strnfill (100000, 'x');
  g_autofree char *content = g_strdup_printf ("\"%s\"", padding);

  for (int i = 0; i < 40; i++)
    append_message (fixture->two, "toolResult", content);
  index = read_index (fixture);
  g_assert_cmpstr (tau_session_info_get_name (tau_session_index_find (index, fixture->two)), ==, "My name");
  for (int i = 0; i < 40; i++)
    append_message (fixture->two, "toolResult", content);
  refresh (index);
  g_assert_cmpstr (tau_session_info_get_name (tau_session_index_find (index, fixture->two)), ==, "My name");
  assert_found (index, "my name", "bbbb2222");
}

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* News for the main loop may still hold it, or a thread that is about to end and will not wake the loop. */
static void
close_index (TauSessionIndex *index)
{
  gpointer alive = index;
  guint ticks = g_timeout_add (5, tick_cb, NULL);

  g_object_add_weak_pointer (alive, &alive);
  g_object_unref (index);
  tau_test_wait_until (alive == NULL);
  g_source_remove (ticks);
}

static void
test_remembers_over_a_restart (Fixture       *fixture,
                               gconstpointer  data)
{
  TauSessionIndex *index = read_index (fixture);
  g_autofree char *text = NULL;
  g_autofree char *path = tau_session_database_build_path (fixture->root);
  GStatBuf status;

  close_index (index);
  g_assert_cmpint (g_stat (fixture->one, &status), ==, 0);
  /* The same size and time: what was remembered is taken, so that this is not seen. */
  text = g_strdup (first);
  memcpy (strstr (text, "parser"), "PLANET", strlen ("PLANET"));
  g_assert_true (g_file_set_contents (fixture->one, text, -1, NULL));
  {
    struct timespec times[2] = { status.st_atim, status.st_mtim };

    g_assert_cmpint (utimensat (AT_FDCWD, fixture->one, times, 0), ==, 0);
  }
  index = read_index (fixture);
  assert_found (index, "parser", "aaaa1111");
  close_index (index);

  /* Thrown away, it is made again from the files. */
  g_assert_cmpint (g_unlink (path), ==, 0);
  index = read_index (fixture);
  assert_found (index, "planet", "aaaa1111");
  close_index (index);
}

static void
break_database (const char *path,
                guint       way)
{
  g_autofree char *bytes = NULL;
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  gsize length;

  g_unlink (wal);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  if (way == 0)
    g_assert_true (g_file_set_contents (path, "this is no database", -1, NULL));
  else if (way == 1)
    g_assert_true (g_file_set_contents (path, bytes, (gssize) (length / 2), NULL));
  else
    {
      memset (bytes + (way == 2 ? 100 : 4096), 0xa5, length - (way == 2 ? 100 : 4096));
      g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
    }
}

static void
test_broken_database_is_made_anew (Fixture       *fixture,
                                   gconstpointer  data)
{
  g_autofree char *path = tau_session_database_build_path (fixture->root);

  for (guint way = 0; way < 4; way++)
    {
      TauSessionIndex *index = read_index (fixture);

      close_index (index);
      break_database (path, way);
      index = read_index (fixture);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (index)), ==, 2);
      append_message (fixture->one, "user", "\"anotherword\"");
      refresh (index);
      refresh (index);
      assert_found (index, "anotherw", "aaaa1111");
      assert_found (index, "my name", "bbbb2222");
      close_index (index);
    }
}

static void
test_works_without_cache (Fixture       *fixture,
                          gconstpointer  data)
{
  g_autoptr(TauSessionIndex) index = NULL;
  g_autofree char *path = tau_session_database_build_path (fixture->root);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);   /* a folder where the file should be */
  index = read_index (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (index)), ==, 2);
  assert_found (index, "parser", "aaaa1111");
}

/* A line longer than any message, a line that is no JSON, null, and two objects on one line. */
static void
test_survives_bad_lines (Fixture       *fixture,
                         gconstpointer  data)
{
  g_autoptr(TauSessionIndex) index = NULL;
  g_autofree char *huge = g_strnfill (40 * 1024 * 1024, '[');

  append (fixture->one, huge);
  append (fixture->one, "\nnull\n\xff\xfe{\n{}\n[1]\n");
  append (fixture->one, "{\"type\":\"label\",\"id\":\"x\"}{\"type\":\"session_info\",\"id\":\"y\",\"name\":\"Survivor\"}\n");
  index = read_index (fixture);
  g_assert_cmpstr (tau_session_info_get_name (tau_session_index_find (index, fixture->one)), ==, "Survivor");
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr(TauTestDir) cache = tau_test_dir_new ();

  g_setenv ("XDG_CACHE_HOME", tau_test_dir_get_path (cache), TRUE);
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/session-index/newest-first", test_lists_newest_first);
  ADD ("/session-index/leaves-out", test_leaves_out_what_is_no_session);
  ADD ("/session-index/follows-changes", test_follows_changes);
  ADD ("/session-index/missing-root", test_missing_root_is_empty);
  ADD ("/session-index/most-recent", test_most_recent_is_by_file_time);
  ADD ("/session-index/resolve", test_resolves_paths_and_prefixes);
  ADD ("/session-index/ends-while-reading", test_ends_while_reading);
  ADD ("/session-index/search", test_searches_titles_and_texts);
  ADD ("/session-index/hostile-queries", test_takes_any_text_as_text);
  ADD ("/session-index/reads-only-what-is-new", test_reads_only_what_is_new);
  ADD ("/session-index/forgets-what-was-overwritten", test_forgets_what_was_overwritten);
  ADD ("/session-index/p66-renamed-session-keeps-title", test_renamed_session_keeps_title);
  ADD ("/session-index/remembers-over-a-restart", test_remembers_over_a_restart);
  ADD ("/session-index/broken-database", test_broken_database_is_made_anew);
  ADD ("/session-index/without-cache", test_works_without_cache);
  ADD ("/session-index/bad-lines", test_survives_bad_lines);
#undef ADD
  return g_test_run ();
}
