/* SPDX-License-Identifier: MIT */
#include "core/session/tau-context-files.h"

#include "support/tau-test-dir.h"

static const TauContextFile *
file_at (GPtrArray *files,
         guint      from_end)
{
  return g_ptr_array_index (files, files->len - 1 - from_end);
}

/* Folders above the test's own may hold such files too, so the first is looked at by its place and the last ones from the end. */
static void
test_order (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *agent_dir = tau_test_dir_mkdir (dir, "agent");
  g_autofree char *cwd = tau_test_dir_mkdir (dir, "a/b");
  g_autofree char *global = tau_test_dir_write (dir, "agent/AGENTS.md", "global");
  g_autofree char *parent = tau_test_dir_write (dir, "a/CLAUDE.md", "parent");
  g_autofree char *own = tau_test_dir_write (dir, "a/b/AGENTS.md", "own");
  g_autoptr(GPtrArray) files = NULL;

  g_free (tau_test_dir_write (dir, "a/b/CLAUDE.md", "second name"));
  files = tau_context_files_load (agent_dir, cwd);
  g_assert_cmpstr (((TauContextFile *) g_ptr_array_index (files, 0))->path, ==, global);
  g_assert_cmpstr (file_at (files, 1)->path, ==, parent);
  g_assert_cmpstr (file_at (files, 0)->path, ==, own);
  g_assert_cmpstr (file_at (files, 0)->text, ==, "own");
}

/* The agent folder may lie above the project. */
static void
test_once (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *agent_dir = tau_test_dir_mkdir (dir, "agent");
  g_autofree char *cwd = tau_test_dir_mkdir (dir, "agent/project");
  g_autofree char *global = tau_test_dir_write (dir, "agent/AGENTS.md", "bad \xff byte");
  g_autoptr(GPtrArray) files = tau_context_files_load (agent_dir, cwd);

  g_assert_cmpstr (((TauContextFile *) g_ptr_array_index (files, 0))->path, ==, global);
  g_assert_true (g_utf8_validate (((TauContextFile *) g_ptr_array_index (files, 0))->text, -1, NULL));
  for (guint i = 1; i < files->len; i++)
    g_assert_cmpstr (((TauContextFile *) g_ptr_array_index (files, i))->path, !=, global);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/context-files/order", test_order);
  g_test_add_func ("/context-files/once", test_once);
  return g_test_run ();
}
