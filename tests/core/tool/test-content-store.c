/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-content-store.h"

#include "support/tau-test-dir.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static char *
put (TauContentStore *store,
     const void      *data,
     gsize            length)
{
  g_autofree char *digest = g_compute_checksum_for_data (TAU_CONTENT_CHECKSUM, data, length);
  g_autoptr(GError) error = NULL;

  tau_content_store_put (store, digest, data, length, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&digest);
}

static void
check (TauContentStore *store,
       const char      *digest,
       const void      *data,
       gsize            length)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = tau_content_store_get (store, digest, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), data, length);
}

/* Bytes on disk, and how many files. */
static goffset
measure (const char *folder,
         guint      *n_files)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  goffset total = 0;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat status;

      g_assert_cmpint (stat (path, &status), ==, 0);
      if (S_ISDIR (status.st_mode))
        total += measure (path, n_files);
      else if (!g_str_equal (name, "lock"))
        {
          total += status.st_size;
          (*n_files)++;
        }
    }
  return total;
}

static void
test_put_and_get (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *folder = tau_test_dir_build (dir, "deep/objects");
  g_autoptr(TauContentStore) store = tau_content_store_new (folder, 1000000);
  g_autofree char *empty = put (store, "", 0);
  g_autofree char *bytes = put (store, "a\0\xff" "b", 4);
  g_autofree char *absent = g_compute_checksum_for_string (TAU_CONTENT_CHECKSUM, "absent", -1);
  g_autoptr(GError) error = NULL;
  struct stat status;

  check (store, empty, "", 0);
  check (store, bytes, "a\0\xff" "b", 4);
  g_assert_true (tau_content_store_has (store, bytes));
  g_assert_false (tau_content_store_has (store, absent));
  g_assert_null (tau_content_store_get (store, absent, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpint (stat (folder, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
}

/* P53: the same content is there once, and compressed. */
static void
test_p53_once (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autoptr(TauContentStore) store = tau_content_store_new (tau_test_dir_get_path (dir), 1000000);
  g_autoptr(TauContentStore) other = tau_content_store_new (tau_test_dir_get_path (dir), 1000000);
  g_autofree char *text = g_strnfill (100000, 'x');
  g_autofree char *first = put (store, text, 100000);
  g_autofree char *second = put (other, text, 100000);
  guint n_files = 0;

  g_assert_cmpint (measure (tau_test_dir_get_path (dir), &n_files), <, 2000);
  g_assert_cmpuint (n_files, ==, 1);
  g_assert_cmpstr (first, ==, second);
}

static char *
random_text (gsize length)
{
  GString *text = g_string_sized_new (length);

  while (text->len < length)
    g_string_append_printf (text, "%08x", g_random_int ());
  return g_string_free (text, FALSE);
}

/* P53: it never grows beyond its size; the oldest goes first, and what was used again is not the oldest. */
static void
test_p53_pruned (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autoptr(TauContentStore) store = tau_content_store_new (tau_test_dir_get_path (dir), 100000);
  g_autofree char *oldest = random_text (10000);
  g_autofree char *used = random_text (10000);
  g_autofree char *oldest_digest = put (store, oldest, 10000);
  g_autofree char *used_digest = put (store, used, 10000);
  guint n_files = 0;

  for (int i = 0; i < 60; i++)
    {
      g_autofree char *text = random_text (10000);
      g_autofree char *digest = put (store, text, 10000);
      g_autofree char *again = put (store, used, 10000);

      g_assert_cmpint (measure (tau_test_dir_get_path (dir), &n_files), <=, 100000);
      check (store, digest, text, 10000);
    }
  g_assert_false (tau_content_store_has (store, oldest_digest));
  check (store, used_digest, used, 10000);
}

static void
test_too_large (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autoptr(TauContentStore) store = tau_content_store_new (tau_test_dir_get_path (dir), 10);
  g_autofree char *digest = g_compute_checksum_for_string (TAU_CONTENT_CHECKSUM, "more than that", -1);
  g_autoptr(GError) error = NULL;

  g_assert_false (tau_content_store_put (store, digest, "more than that", 14, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
}

/* A content that is not what it was is not given out. */
static void
test_damaged (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autoptr(TauContentStore) store = tau_content_store_new (tau_test_dir_get_path (dir), 100000);
  g_autofree char *one = put (store, "one", 3);
  g_autofree char *two = put (store, "two", 3);
  g_autofree char *name_one = g_strdup_printf ("%.2s/%s.gz", one, one + 2);
  g_autofree char *name_two = g_strdup_printf ("%.2s/%s.gz", two, two + 2);
  g_autofree char *path_one = tau_test_dir_build (dir, name_one);
  g_autofree char *path_two = tau_test_dir_build (dir, name_two);
  g_autoptr(GError) error = NULL;

  g_assert_cmpint (g_rename (path_two, path_one), ==, 0);
  g_assert_null (tau_content_store_get (store, one, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path_one, "no gzip", -1, NULL));
  g_assert_null (tau_content_store_get (store, one, &error));
  g_assert_nonnull (error);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/content-store/put-and-get", test_put_and_get);
  g_test_add_func ("/content-store/p53-once", test_p53_once);
  g_test_add_func ("/content-store/p53-pruned", test_p53_pruned);
  g_test_add_func ("/content-store/too-large", test_too_large);
  g_test_add_func ("/content-store/damaged", test_damaged);

  return g_test_run ();
}
