/* SPDX-License-Identifier: MIT */
#include "support/tau-test-dir.h"

#include <glib/gstdio.h>

/* A folder that a test may fill as it likes; it goes away, with everything in it, when freed. */
struct _TauTestDir
{
  char *path;
};

/* Takes away what is at @path. Folders are made writable first: tests lock some on purpose. */
static void
remove_tree (const char *path)
{
  g_autoptr(GDir) dir = NULL;
  const char *name;

  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK) || !g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_unlink (path);
      return;
    }

  g_chmod (path, 0700);
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_rmdir (path);
}

/**
 * tau_test_dir_new:
 *
 * Makes an empty folder below the one for temporary files.
 *
 * Returns: (transfer full): the folder; free with tau_test_dir_free()
 */
TauTestDir *
tau_test_dir_new (void)
{
  g_autoptr(GError) error = NULL;
  TauTestDir *self = g_new0 (TauTestDir, 1);

  self->path = g_dir_make_tmp ("tau-test-XXXXXX", &error);
  g_assert_no_error (error);

  return self;
}

/**
 * tau_test_dir_free:
 * @self: (transfer full): a folder
 *
 * Removes the folder and all that is in it. Symbolic links are removed, not followed.
 */
void
tau_test_dir_free (TauTestDir *self)
{
  remove_tree (self->path);
  g_free (self->path);
  g_free (self);
}

/**
 * tau_test_dir_get_path:
 * @self: a folder
 *
 * Returns: (transfer none): its absolute path
 */
const char *
tau_test_dir_get_path (TauTestDir *self)
{
  return self->path;
}

/**
 * tau_test_dir_build:
 * @self: a folder
 * @name: a path inside it
 *
 * Returns: (transfer full): the absolute path of @name, whether or not it exists
 */
char *
tau_test_dir_build (TauTestDir *self,
                    const char *name)
{
  return g_build_filename (self->path, name, NULL);
}

/**
 * tau_test_dir_mkdir:
 * @self: a folder
 * @name: a path inside it
 *
 * Makes the folder @name and those above it.
 *
 * Returns: (transfer full): its absolute path
 */
char *
tau_test_dir_mkdir (TauTestDir *self,
                    const char *name)
{
  char *path = tau_test_dir_build (self, name);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);

  return path;
}

/**
 * tau_test_dir_write:
 * @self: a folder
 * @name: a path inside it
 * @contents: text
 *
 * Writes @contents to the file @name, making the folders above it.
 *
 * Returns: (transfer full): its absolute path
 */
char *
tau_test_dir_write (TauTestDir *self,
                    const char *name,
                    const char *contents)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *parent = g_path_get_dirname (name);
  g_autofree char *made = tau_test_dir_mkdir (self, parent);
  char *path = tau_test_dir_build (self, name);

  g_file_set_contents (path, contents, -1, &error);
  g_assert_no_error (error);

  return path;
}

/**
 * tau_test_dir_read:
 * @self: a folder
 * @name: a path inside it
 *
 * Returns: (transfer full): what the file @name holds; it must exist
 */
char *
tau_test_dir_read (TauTestDir *self,
                   const char *name)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = tau_test_dir_build (self, name);
  char *contents = NULL;

  g_file_get_contents (path, &contents, NULL, &error);
  g_assert_no_error (error);

  return contents;
}

/**
 * tau_test_dir_has:
 * @self: a folder
 * @name: a path inside it
 *
 * Returns: whether something of that name exists
 */
gboolean
tau_test_dir_has (TauTestDir *self,
                  const char *name)
{
  g_autofree char *path = tau_test_dir_build (self, name);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}
