/* SPDX-License-Identifier: MIT */
#include "core/base/tau-io.h"

#include "support/tau-test-dir.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
write_file (const char *path,
            const char *text,
            int         mode)
{
  g_autoptr(GError) error = NULL;

  tau_io_write_atomic (path, text, strlen (text), mode, &error);
  g_assert_no_error (error);
}

static int
mode_of (const char *path)
{
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  return (int) (info.st_mode & 07777);
}

/* Nothing but the named files may be left. */
static void
check_files (TauTestDir *dir,
             guint       expected)
{
  g_autoptr(GDir) listing = g_dir_open (tau_test_dir_get_path (dir), 0, NULL);
  guint count = 0;

  while (g_dir_read_name (listing) != NULL)
    count++;
  g_assert_cmpuint (count, ==, expected);
}

static void
test_new (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_build (dir, "new");
  g_autofree char *text = NULL;

  write_file (path, "hello", 0600);
  text = tau_test_dir_read (dir, "new");

  g_assert_cmpstr (text, ==, "hello");
  g_assert_cmpint (mode_of (path), ==, 0600);
  check_files (dir, 1);
}

static void
test_replace (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_write (dir, "old", "a longer text");
  g_autofree char *text = NULL;

  g_assert_cmpint (g_chmod (path, 0751), ==, 0);
  write_file (path, "new", 0600);
  text = tau_test_dir_read (dir, "old");

  g_assert_cmpstr (text, ==, "new");
  g_assert_cmpint (mode_of (path), ==, 0751);
  check_files (dir, 1);
}

static void
test_link (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *sub = tau_test_dir_mkdir (dir, "sub");
  g_autofree char *first = tau_test_dir_build (dir, "first");
  g_autofree char *second = tau_test_dir_build (dir, "sub/second");
  g_autofree char *text = NULL;

  g_assert_cmpint (symlink ("sub/second", first), ==, 0);
  g_assert_cmpint (symlink ("../target", second), ==, 0);

  write_file (first, "through a dangling link", 0644);
  write_file (first, "through a link", 0644);
  text = tau_test_dir_read (dir, "target");

  g_assert_cmpstr (text, ==, "through a link");
  g_assert_true (g_file_test (first, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_test (second, G_FILE_TEST_IS_SYMLINK));
}

static void
test_failures (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *no_dir = tau_test_dir_build (dir, "none/file");
  g_autofree char *sub = tau_test_dir_mkdir (dir, "sub");
  g_autofree char *loop = tau_test_dir_build (dir, "loop");
  g_autoptr(GError) error = NULL;

  g_assert_false (tau_io_write_atomic (no_dir, "x", 1, 0644, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, no_dir));
  g_clear_error (&error);

  /* A directory stays one, and nothing is left beside it. */
  g_assert_false (tau_io_write_atomic (sub, "x", 1, 0644, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);
  g_assert_true (g_file_test (sub, G_FILE_TEST_IS_DIR));
  check_files (dir, 1);

  /* A link to itself leads nowhere, and stays what it is. */
  g_assert_cmpint (symlink ("loop", loop), ==, 0);
  g_assert_false (tau_io_write_atomic (loop, "x", 1, 0644, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS);
  g_assert_true (g_file_test (loop, G_FILE_TEST_IS_SYMLINK));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/new", test_new);
  g_test_add_func ("/io/replace", test_replace);
  g_test_add_func ("/io/link", test_link);
  g_test_add_func ("/io/failures", test_failures);

  return g_test_run ();
}
