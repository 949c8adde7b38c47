/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-project-files.h"

#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

typedef struct
{
  TauTestDir      *dir;
  TauProjectFiles *files;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->dir = tau_test_dir_new ();
  fixture->files = tau_project_files_new (tau_test_dir_get_path (fixture->dir));
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  gpointer gone = fixture->files;

  /* A thread may still have it. */
  g_object_add_weak_pointer (gone, &gone);
  g_object_unref (fixture->files);
  tau_test_wait_until (gone == NULL);
  tau_test_dir_free (fixture->dir);
}

static void
put (Fixture    *fixture,
     const char *name,
     const char *text)
{
  g_free (tau_test_dir_write (fixture->dir, name, text));
}

static void
refresh (Fixture *fixture)
{
  tau_project_files_refresh (fixture->files);
  tau_test_wait_until (!tau_project_files_is_loading (fixture->files));
}

static void
assert_found (Fixture    *fixture,
              const char *needle,
              guint       max,
              const char *expected)
{
  g_autoptr(GPtrArray) paths = tau_project_files_match (fixture->files, needle, max);
  g_autofree char *joined = NULL;

  g_ptr_array_add (paths, NULL);
  joined = g_strjoinv (" ", (char **) paths->pdata);
  g_assert_cmpstr (joined, ==, expected);
}

static void
test_match (Fixture      *fixture,
            gconstpointer data)
{
  put (fixture, "src/main.c", "");
  put (fixture, "src/app/window.c", "");
  put (fixture, "README.md", "");
  put (fixture, ".hidden", "");
  put (fixture, ".git/config", "");
  put (fixture, "build/main.o", "");
  put (fixture, ".gitignore", "build/\n");
  put (fixture, "bad\xff" "name", "");
  assert_found (fixture, "", 10, "");
  refresh (fixture);
  assert_found (fixture, "", 10, "src/ src/app/ .hidden README.md .gitignore src/main.c src/app/window.c");
  assert_found (fixture, "main", 10, "src/main.c");
  assert_found (fixture, "window", 10, "src/app/window.c");
  assert_found (fixture, "src", 2, "src/ src/app/");
  assert_found (fixture, "SRC/m", 10, "src/main.c");
  assert_found (fixture, "config", 10, "");
  assert_found (fixture, "nothing", 10, "");
}

static void
count_cb (guint *n)
{
  (*n)++;
}

/* A list that is seconds old will do. */
static void
test_fresh (Fixture      *fixture,
            gconstpointer data)
{
  guint n = 0;

  g_signal_connect_swapped (fixture->files, "changed", G_CALLBACK (count_cb), &n);
  put (fixture, "a", "");
  refresh (fixture);
  g_assert_cmpuint (n, ==, 1);
  put (fixture, "b", "");
  tau_project_files_refresh (fixture->files);
  g_assert_false (tau_project_files_is_loading (fixture->files));
  assert_found (fixture, "", 10, "a");
}

static void
test_folder_gone (Fixture      *fixture,
                  gconstpointer data)
{
  g_autoptr(GPtrArray) found = NULL;

  g_object_unref (fixture->files);
  fixture->files = tau_project_files_new ("/nonexistent/folder");
  refresh (fixture);
  found = tau_project_files_match (fixture->files, "", 5);
  g_assert_cmpuint (found->len, ==, 0);
}

#define ADD(path, function) g_test_add ("/project-files/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("match", test_match);
  ADD ("fresh", test_fresh);
  ADD ("folder-gone", test_folder_gone);

  return g_test_run ();
}
