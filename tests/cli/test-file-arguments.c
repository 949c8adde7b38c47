/* SPDX-License-Identifier: MIT */
#include "cli/tau-file-arguments.h"

#include "core/message/tau-block.h"
#include "support/tau-test-dir.h"

#include <string.h>
#include <unistd.h>

typedef struct
{
  TauTestDir *dir;
  GString    *text;
  GPtrArray  *images;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->dir = tau_test_dir_new ();
  fixture->text = g_string_new ("before ");
  fixture->images = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  tau_test_dir_free (fixture->dir);
  g_string_free (fixture->text, TRUE);
  g_ptr_array_unref (fixture->images);
}

static gboolean
read_files (Fixture            *fixture,
            const char * const *files,
            gboolean            resize,
            GError            **error)
{
  return tau_file_arguments_read (files, tau_test_dir_get_path (fixture->dir), resize, fixture->text, fixture->images, error);
}

static void
test_texts (Fixture      *fixture,
            gconstpointer data)
{
  const char * const files[] = { "a.txt", "empty", "sub/b.txt", NULL };
  g_autofree char *a = tau_test_dir_write (fixture->dir, "a.txt", "one\n");
  g_autofree char *empty = tau_test_dir_write (fixture->dir, "empty", "");
  g_autofree char *b = tau_test_dir_write (fixture->dir, "sub/b.txt", "bad \xff byte");
  g_autofree char *expected = g_strdup_printf ("before <file name=\"%s\">\none\n\n</file>\n"
                                               "<file name=\"%s\">\nbad \xEF\xBF\xBD byte\n</file>\n", a, b);
  g_autoptr(GError) error = NULL;

  g_assert_true (read_files (fixture, files, TRUE, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (fixture->text->str, ==, expected);
  g_assert_cmpuint (fixture->images->len, ==, 0);
}

static void
test_absolute_path (Fixture      *fixture,
                    gconstpointer data)
{
  g_autofree char *path = tau_test_dir_write (fixture->dir, "a b.txt", "x");
  const char * const files[] = { path, NULL };

  g_assert_true (read_files (fixture, files, TRUE, NULL));
  g_assert_nonnull (strstr (fixture->text->str, path));
}

/* A picture is told by its bytes, whatever its name says. */
static void
test_pictures (Fixture      *fixture,
               gconstpointer data)
{
  static const char png[] = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/wc53yE8AAAAASUVORK5CYII=";
  const char * const files[] = { "picture.txt", NULL };
  g_autofree char *path = tau_test_dir_build (fixture->dir, "picture.txt");
  g_autofree char *expected = g_strdup_printf ("before <file name=\"%s\"></file>\n", path);
  gsize length;
  g_autofree guchar *bytes = g_base64_decode (png, &length);

  g_assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) length, NULL));
  for (int resize = 0; resize < 2; resize++)
    {
      TauBlock *block;

      g_string_assign (fixture->text, "before ");
      g_assert_true (read_files (fixture, files, resize, NULL));
      g_assert_cmpstr (fixture->text->str, ==, expected);
      block = g_ptr_array_index (fixture->images, (guint) resize);
      g_assert_cmpstr (tau_block_get_mime_type (block), ==, "image/png");
      g_assert_cmpstr (tau_block_get_data (block), ==, png);
    }
}

static void
test_missing (Fixture      *fixture,
              gconstpointer data)
{
  const char * const files[] = { "nobody.txt", NULL };
  g_autofree char *path = tau_test_dir_build (fixture->dir, "nobody.txt");
  g_autofree char *expected = g_strdup_printf ("Error: File not found: %s", path);
  g_autoptr(GError) error = NULL;

  g_assert_false (read_files (fixture, files, TRUE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, expected);
}

static void
test_folder (Fixture      *fixture,
             gconstpointer data)
{
  const char * const files[] = { ".", NULL };
  g_autoptr(GError) error = NULL;

  g_assert_false (read_files (fixture, files, TRUE, &error));
  g_assert_true (g_str_has_prefix (error->message, "Error: "));
}

/* What the shell makes of `@<(command)`. */
static void
test_pipe (Fixture      *fixture,
           gconstpointer data)
{
  g_autofree char *name = NULL;
  int ends[2];

  g_assert_cmpint (pipe (ends), ==, 0);
  g_assert_cmpint (write (ends[1], "piped", 5), ==, 5);
  close (ends[1]);
  name = g_strdup_printf ("/dev/fd/%d", ends[0]);

  g_assert_true (read_files (fixture, (const char * const []) { name, NULL }, TRUE, NULL));
  g_assert_nonnull (strstr (fixture->text->str, "\npiped\n"));
  close (ends[0]);
}

static void
test_endless (Fixture      *fixture,
              gconstpointer data)
{
  const char * const files[] = { "/dev/zero", NULL };
  g_autoptr(GError) error = NULL;

  g_assert_false (read_files (fixture, files, TRUE, &error));
  g_assert_cmpstr (error->message, ==, "Error: Could not read a file: “/dev/zero” is longer than 64 MB");
}

static void
test_none (Fixture      *fixture,
           gconstpointer data)
{
  g_assert_true (read_files (fixture, NULL, TRUE, NULL));
  g_assert_cmpstr (fixture->text->str, ==, "before ");
}

#define fixture_test(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  fixture_test ("/file-arguments/texts", test_texts);
  fixture_test ("/file-arguments/absolute-path", test_absolute_path);
  fixture_test ("/file-arguments/pictures", test_pictures);
  fixture_test ("/file-arguments/missing", test_missing);
  fixture_test ("/file-arguments/folder", test_folder);
  fixture_test ("/file-arguments/pipe", test_pipe);
  fixture_test ("/file-arguments/endless", test_endless);
  fixture_test ("/file-arguments/none", test_none);

  return g_test_run ();
}
