/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-checkpoints.h"

#include "core/base/tau-id.h"
#include "tool-fixture.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the tools change, and the way back. Each fixture is a project with a store beside it. */

typedef struct
{
  ToolFixture tools;
  TauTestDir *data;
  TauCheckpoints *checkpoints;
} Fixture;

static gint64 now;

static gint64
clock_cb (void)
{
  return ++now;
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  now = 1000;
  tau_clock_set_for_testing (clock_cb);
  tool_fixture_set_up (&fixture->tools, NULL);
  fixture->data = tau_test_dir_new ();
  fixture->checkpoints = tau_checkpoints_new (tau_test_dir_get_path (fixture->data), "session", 1000000);
  tau_tool_context_set_checkpoints (fixture->tools.context, fixture->checkpoints);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  tool_fixture_tear_down (&fixture->tools, NULL);
  /* A worker may still be on its way out. */
  g_object_add_weak_pointer (G_OBJECT (fixture->checkpoints), (gpointer *) &fixture->checkpoints);
  g_object_unref (fixture->checkpoints);
  tau_test_wait_until (fixture->checkpoints == NULL);
  tau_test_dir_free (fixture->data);
  tau_clock_set_for_testing (NULL);
}

static void
have (Fixture    *fixture,
      const char *name,
      const char *contents)
{
  g_autofree char *path = tau_test_dir_write (fixture->tools.dir, name, contents);

  g_assert_nonnull (path);
}

static void
write_by_tool (Fixture    *fixture,
               const char *call_id,
               const char *name,
               const char *contents)
{
  g_autofree char *json = g_strdup_printf ("{\"path\":\"%s\",\"content\":\"%s\"}", name, contents);
  g_autoptr(JsonNode) arguments = tau_json_parse (json, -1, NULL);
  g_autoptr(TauToolRun) run = tau_tool_run_new (call_id, "write", arguments);
  g_auto(ToolResult) result = tool_fixture_run (&fixture->tools, run);

  g_assert_false (result.is_error);
  g_assert_null (strchr (result.text, '\n'));
}

static void
edit_by_tool (Fixture    *fixture,
              const char *call_id,
              const char *name,
              const char *old_text,
              const char *new_text)
{
  g_autofree char *json = g_strdup_printf ("{\"path\":\"%s\",\"edits\":[{\"oldText\":\"%s\",\"newText\":\"%s\"}]}", name, old_text, new_text);
  g_autoptr(JsonNode) arguments = tau_json_parse (json, -1, NULL);
  g_autoptr(TauToolRun) run = tau_tool_run_new (call_id, "edit", arguments);
  g_auto(ToolResult) result = tool_fixture_run (&fixture->tools, run);

  g_assert_false (result.is_error);
}

static void
check_file (Fixture    *fixture,
            const char *name,
            const char *expected)
{
  g_autofree char *contents = NULL;

  if (expected == NULL)
    {
      g_assert_false (tau_test_dir_has (fixture->tools.dir, name));
      return;
    }
  contents = tau_test_dir_read (fixture->tools.dir, name);
  g_assert_cmpstr (contents, ==, expected);
}

/* "w" for written, "r" for removed, "n" for nothing to do, "s" for skipped, each with the name of the file. */
static char *
describe (Fixture   *fixture,
          GPtrArray *items)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < items->len; i++)
    {
      const TauRestoreItem *item = g_ptr_array_index (items, i);
      g_autofree char *name = g_path_get_basename (item->path);

      g_assert_true ((item->action == TAU_RESTORE_SKIP) == (item->reason != NULL));
      g_string_append_printf (text, "%s%c %s", i > 0 ? ", " : "", "wrns"[item->action], name);
    }
  return g_string_free (text, FALSE);
}

static void
check_plan (Fixture               *fixture,
            const TauRestoreScope *scope,
            const char            *expected)
{
  g_autoptr(GPtrArray) items = tau_checkpoints_plan (fixture->checkpoints, scope);
  g_autofree char *text = describe (fixture, items);

  g_assert_cmpstr (text, ==, expected);
}

static void
check_restore (Fixture               *fixture,
               const TauRestoreScope *scope,
               const char            *restore_id,
               const char            *expected)
{
  g_autoptr(GPtrArray) items = tau_checkpoints_restore (fixture->checkpoints, scope, restore_id);
  g_autofree char *text = describe (fixture, items);

  g_assert_cmpstr (text, ==, expected);
}

/* One file, as it was before one call, whatever came after. */
static void
test_one_file (Fixture      *fixture,
               gconstpointer data)
{
  const TauRestoreScope second = { .call_id = "c2" }, first = { .call_id = "c1" };

  have (fixture, "a", "one");
  have (fixture, "b", "other");
  edit_by_tool (fixture, "c1", "a", "one", "two");
  edit_by_tool (fixture, "c2", "a", "two", "three");
  edit_by_tool (fixture, "c3", "b", "other", "another");
  edit_by_tool (fixture, "c4", "a", "three", "four");

  check_plan (fixture, &second, "w a");
  check_file (fixture, "a", "four");
  check_restore (fixture, &second, "r1", "w a");
  check_file (fixture, "a", "two");
  check_file (fixture, "b", "another");
  check_restore (fixture, &first, "r2", "w a");
  check_file (fixture, "a", "one");
  check_restore (fixture, &first, "r3", "n a");
}

/* Some models call everything "call_0". */
static void
test_same_call_id (Fixture      *fixture,
                   gconstpointer data)
{
  TauRestoreScope scope = { .call_id = "c" };

  have (fixture, "a", "one");
  write_by_tool (fixture, "c", "a", "two");
  scope.since = now + 1;
  write_by_tool (fixture, "c", "a", "three");
  check_restore (fixture, &scope, "r1", "w a");
  check_file (fixture, "a", "two");
}

/* All files since a moment: those that were changed, made, and made in new folders. */
static void
test_since (Fixture      *fixture,
            gconstpointer data)
{
  TauRestoreScope scope = { 0 };

  have (fixture, "a", "one");
  have (fixture, "early", "x");
  write_by_tool (fixture, "c0", "early", "y");
  scope.since = now + 1;
  write_by_tool (fixture, "c1", "a", "two");
  write_by_tool (fixture, "c2", "new", "n");
  write_by_tool (fixture, "c3", "deep/new", "d");
  write_by_tool (fixture, "c4", "new", "nn");

  check_plan (fixture, &scope, "w a, r new, r new");
  check_restore (fixture, &scope, "r1", "w a, r new, r new");
  check_file (fixture, "a", "one");
  check_file (fixture, "new", NULL);
  check_file (fixture, "deep/new", NULL);
  check_file (fixture, "early", "y");
}

/* P51: a restore can be undone, and that again, also in another run of the program. */
static void
test_p51_undo (Fixture      *fixture,
               gconstpointer data)
{
  const TauRestoreScope all = { .since = 1 }, first = { .restore_id = "r1" }, second = { .restore_id = "r2" };
  const TauRestoreScope last = { .restore_id = TAU_RESTORE_LAST };

  have (fixture, "a", "one");
  check_plan (fixture, &last, "");
  write_by_tool (fixture, "c1", "a", "two");
  write_by_tool (fixture, "c2", "new", "n");
  check_restore (fixture, &all, "r1", "w a, r new");

  g_object_unref (fixture->checkpoints);
  tau_tool_context_set_checkpoints (fixture->tools.context, NULL);
  fixture->checkpoints = tau_checkpoints_new (tau_test_dir_get_path (fixture->data), "session", 1000000);
  check_plan (fixture, &last, "w a, w new");
  check_restore (fixture, &first, "r2", "w a, w new");
  check_file (fixture, "a", "two");
  check_file (fixture, "new", "n");
  check_restore (fixture, &second, "r3", "w a, r new");
  check_file (fixture, "a", "one");
  check_file (fixture, "new", NULL);

  /* What came after the restore is not lost by undoing it. */
  have (fixture, "a", "mine");
  check_restore (fixture, &(TauRestoreScope) { .restore_id = "r3" }, "r4", "s a, w new");
  check_file (fixture, "a", "mine");
}

/* P52: what anybody else has changed since stays, and so does all that the agent never touched. */
static void
test_p52_only_own (Fixture      *fixture,
                   gconstpointer data)
{
  const TauRestoreScope all = { .since = 1 };
  g_autofree char *gone = tau_test_dir_build (fixture->tools.dir, "gone");
  g_autofree char *link = tau_test_dir_build (fixture->tools.dir, "link");

  have (fixture, "a", "one");
  have (fixture, "b", "one");
  have (fixture, "link", "one");
  have (fixture, "gone", "one");
  have (fixture, "untracked", "mine");
  write_by_tool (fixture, "c1", "a", "two");
  write_by_tool (fixture, "c2", "b", "two");
  write_by_tool (fixture, "c3", "link", "two");
  write_by_tool (fixture, "c4", "gone", "two");
  write_by_tool (fixture, "c5", "made", "two");
  have (fixture, "b", "mine");
  have (fixture, "made", "mine");
  g_assert_cmpint (g_unlink (gone), ==, 0);
  g_assert_cmpint (g_unlink (link), ==, 0);
  g_assert_cmpint (symlink ("untracked", link), ==, 0);

  check_restore (fixture, &all, "r1", "w a, s b, s link, s gone, s made");
  check_file (fixture, "a", "one");
  check_file (fixture, "b", "mine");
  check_file (fixture, "made", "mine");
  check_file (fixture, "untracked", "mine");
  check_file (fixture, "gone", NULL);
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
}

static char *
run_git (Fixture    *fixture,
         const char *command)
{
  g_autofree char *quoted = g_shell_quote (tau_test_dir_get_path (fixture->tools.dir));
  g_autofree char *line = g_strdup_printf ("sh -c 'cd \"$0\" && export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b "
                                           "GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b && %s' %s", command, quoted);
  g_autoptr(GError) error = NULL;
  char *output = NULL;

  g_spawn_command_line_sync (line, &output, NULL, NULL, &error);
  g_assert_no_error (error);
  return output;
}

/* P52: a repository is a folder like any other: HEAD, branch, index and stash are what they were. */
static void
test_p52_repository (Fixture      *fixture,
                     gconstpointer data)
{
  static const char state[] = "cat .git/HEAD && git rev-parse HEAD && git branch -a && git diff --cached && sha256sum .git/index && find .git -type f | sort";
  const TauRestoreScope all = { .since = 1 };
  g_autofree char *made = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  have (fixture, "a", "one\n");
  have (fixture, "staged", "s\n");
  made = run_git (fixture, "git init -q -b main . && git add a && git commit -qm one && git add staged");
  write_by_tool (fixture, "c1", "a", "two");
  write_by_tool (fixture, "c2", "staged", "two");
  before = run_git (fixture, state);
  check_restore (fixture, &all, "r1", "w a, w staged");
  after = run_git (fixture, state);
  check_file (fixture, "a", "one\n");
  check_file (fixture, "staged", "s\n");
  g_assert_cmpuint (strlen (before), >, 100);
  g_assert_cmpstr (before, ==, after);
}

/* P53: nothing of it lies in the project, and what had to go is said. */
static void
test_p53_outside (Fixture      *fixture,
                  gconstpointer data)
{
  const TauRestoreScope all = { .since = 1 };
  g_auto(ToolResult) listing = { 0 };
  g_autofree char *objects = tau_test_dir_build (fixture->data, "objects");
  g_autofree char *away = tau_test_dir_build (fixture->data, "away");
  g_autoptr(GPtrArray) items = NULL;
  const TauRestoreItem *item;

  have (fixture, "a", "one");
  write_by_tool (fixture, "c1", "a", "two");
  listing = tool_fixture_call (&fixture->tools, "ls", "{}");
  g_assert_cmpstr (listing.text, ==, "a");
  g_assert_cmpint (g_rename (objects, away), ==, 0);
  items = tau_checkpoints_restore (fixture->checkpoints, &all, "r1");
  item = g_ptr_array_index (items, 0);
  g_assert_cmpint (item->action, ==, TAU_RESTORE_SKIP);
  g_assert_cmpstr (item->reason, ==, "Its old content is not kept any more.");
  check_file (fixture, "a", "two");
}

/* Mode, links and odd bytes come back too. */
static void
test_metadata (Fixture      *fixture,
               gconstpointer data)
{
  const TauRestoreScope all = { .since = 1 };
  g_autofree char *script = tau_test_dir_write (fixture->tools.dir, "script", "one\xff\r\n");
  g_autofree char *link = tau_test_dir_build (fixture->tools.dir, "link");
  g_autofree char *odd = tau_test_dir_write (fixture->tools.dir, "odd\xff\nname", "one");
  struct stat status;

  g_assert_cmpint (chmod (script, 0750), ==, 0);
  g_assert_cmpint (symlink ("script", link), ==, 0);
  write_by_tool (fixture, "c1", "link", "two");
  {
    const TauFileChange change = { "c2", odd, "0123", NULL, 0, 0644, "4567" };
    g_autoptr(GError) error = NULL;

    g_assert_false (tau_checkpoints_note (fixture->checkpoints, &change, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  }
  check_restore (fixture, &all, "r1", "w script, s odd\xff\nname");
  check_file (fixture, "script", "one\xff\r\n");
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (stat (script, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0750);

  /* A file that was removed by a restore comes back with the rights it had. */
  write_by_tool (fixture, "c3", "made", "m");
  {
    g_autofree char *made = tau_test_dir_build (fixture->tools.dir, "made");
    const TauRestoreScope call = { .call_id = "c3" }, undo = { .restore_id = "r2" };

    g_assert_cmpint (chmod (made, 0777), ==, 0);
    check_restore (fixture, &call, "r2", "r made");
    check_restore (fixture, &undo, "r3", "w made");
    g_assert_cmpint (stat (made, &status), ==, 0);
    g_assert_cmpint (status.st_mode & 0777, ==, 0777);
  }
}

/* A torn line costs one change, not the next one; what was noted but not done is no change. */
static void
test_journal (Fixture      *fixture,
              gconstpointer data)
{
  const TauRestoreScope all = { .since = 1 };
  g_autofree char *journal = tau_test_dir_build (fixture->data, "journals/session.jsonl");
  g_autofree char *path = tau_test_dir_write (fixture->tools.dir, "b", "still");
  g_autofree char *digest = g_compute_checksum_for_string (TAU_CONTENT_CHECKSUM, "still", -1);
  const TauFileChange never = { "c2", path, digest, "still", 5, 0644, "0123" };
  FILE *file;

  have (fixture, "a", "one");
  write_by_tool (fixture, "c1", "a", "two");
  file = fopen (journal, "a");
  g_assert_nonnull (file);
  fputs ("{\"time\":5,\"pa", file);
  fclose (file);
  g_assert_true (tau_checkpoints_note (fixture->checkpoints, &never, NULL));
  check_restore (fixture, &all, "r1", "w a, n b");
  check_file (fixture, "b", "still");
}

/* Where nothing can be kept, the tools still work, and say it. */
static void
test_no_store (Fixture      *fixture,
               gconstpointer data)
{
  g_autofree char *blocked = tau_test_dir_write (fixture->data, "blocked", "a file, not a folder");
  g_autoptr(TauCheckpoints) checkpoints = tau_checkpoints_new (blocked, "session", 1000000);
  g_auto(ToolResult) result = { 0 };

  have (fixture, "a", "one");
  tau_tool_context_set_checkpoints (fixture->tools.context, checkpoints);
  result = tool_fixture_call (&fixture->tools, "write", "{'path':'a','content':'two'}");
  g_assert_false (result.is_error);
  g_assert_nonnull (strstr (result.text, "\n[The content before this change could not be kept for undo: "));
  check_file (fixture, "a", "two");
  tau_tool_context_set_checkpoints (fixture->tools.context, NULL);
}

/* On a thread it is the same. */
static void
test_async (Fixture      *fixture,
            gconstpointer data)
{
  const TauRestoreScope all = { .since = 1 };
  g_autoptr(GAsyncResult) planned = NULL;
  g_autoptr(GAsyncResult) restored = NULL;
  g_autoptr(GPtrArray) plan = NULL;
  g_autoptr(GPtrArray) items = NULL;
  g_autofree char *plan_text = NULL;
  g_autofree char *text = NULL;

  have (fixture, "a", "one");
  write_by_tool (fixture, "c1", "a", "two");
  tau_checkpoints_run_async (fixture->checkpoints, &all, NULL, tau_test_loop_result_cb, &planned);
  tau_test_loop_wait_result (&planned);
  plan = tau_checkpoints_run_finish (fixture->checkpoints, planned);
  plan_text = describe (fixture, plan);
  g_assert_cmpstr (plan_text, ==, "w a");
  check_file (fixture, "a", "two");
  tau_checkpoints_run_async (fixture->checkpoints, &all, "r1", tau_test_loop_result_cb, &restored);
  tau_test_loop_wait_result (&restored);
  items = tau_checkpoints_run_finish (fixture->checkpoints, restored);
  text = describe (fixture, items);
  g_assert_cmpstr (text, ==, "w a");
  check_file (fixture, "a", "one");
}

#define add(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("/checkpoints/one-file", test_one_file);
  add ("/checkpoints/same-call-id", test_same_call_id);
  add ("/checkpoints/since", test_since);
  add ("/checkpoints/p51-undo", test_p51_undo);
  add ("/checkpoints/p52-only-own", test_p52_only_own);
  add ("/checkpoints/p52-repository", test_p52_repository);
  add ("/checkpoints/p53-outside", test_p53_outside);
  add ("/checkpoints/metadata", test_metadata);
  add ("/checkpoints/journal", test_journal);
  add ("/checkpoints/no-store", test_no_store);
  add ("/checkpoints/async", test_async);

  return g_test_run ();
}
