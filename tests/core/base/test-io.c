/* SPDX-License-Identifier: MIT */
#include "core/base/tau-io.h"

#include "support/tau-test-dir.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
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

static TauIoReport
replace (const char *path,
         const char *text)
{
  /* In three pieces, one of them empty. */
  const gsize half = strlen (text) / 2;
  const TauIoPiece pieces[] = { { text, half }, { "", 0 }, { text + half, strlen (text) - half } };
  TauIoReport report;

  g_assert_true (tau_io_replace (path, pieces, G_N_ELEMENTS (pieces), 0644, &report) == (report.code == 0));
  return report;
}

static void
check_text (TauTestDir *dir,
            const char *name,
            const char *expected)
{
  g_autofree char *text = tau_test_dir_read (dir, name);

  g_assert_cmpstr (text, ==, expected);
}

/* An access list as the kernel stores it: version 2, then tag, rights and id of each entry. */
static const guint8 access_list[] = {
  2, 0, 0, 0,
  0x01, 0, 6, 0, 0xff, 0xff, 0xff, 0xff, /* owner rw */
  0x02, 0, 4, 0, 0x01, 0x00, 0x00, 0x00, /* user 1 r */
  0x04, 0, 4, 0, 0xff, 0xff, 0xff, 0xff, /* group r */
  0x10, 0, 4, 0, 0xff, 0xff, 0xff, 0xff, /* mask r */
  0x20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, /* others */
};

static GBytes *
get_attribute (const char *path,
               const char *name)
{
  char value[256];
  gssize size = getxattr (path, name, value, sizeof value);

  return size < 0 ? NULL : g_bytes_new (value, size);
}

/* Whatever the file system lets a file have is there after the file was replaced. */
static void
test_metadata (void)
{
  static const char *const names[] = { "user.tau", "system.posix_acl_access", "security.tau" };
  static const int modes[] = { 0600, 0644, 0755, 0444 | 0200, 02755, 04711, 01666 };

  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr(TauTestDir) dir = tau_test_dir_new ();
      g_autofree char *path = tau_test_dir_write (dir, "file", "old");
      GBytes *before[G_N_ELEMENTS (names)];
      struct stat old, new;

      /* Another's file only where that one lets us: root need not have all its rights here. */
      if (geteuid () == 0)
        g_assert_cmpint (chown (path, modes[i] == 01666 ? 65534 : (uid_t) -1, 65534), ==, 0);
      g_assert_cmpint (chmod (path, modes[i]), ==, 0);
      g_assert_true (setxattr (path, "user.tau", "kept", 4, 0) == 0 || errno == EOPNOTSUPP);
      g_assert_true (i % 2 == 0 || setxattr (path, "system.posix_acl_access", access_list, sizeof access_list, 0) == 0
                     || errno == EOPNOTSUPP);
      g_assert_true (setxattr (path, "security.tau", "kept", 4, 0) == 0 || errno == EOPNOTSUPP || errno == EPERM);
      for (gsize n = 0; n < G_N_ELEMENTS (names); n++)
        before[n] = get_attribute (path, names[n]);
      g_assert_cmpint (stat (path, &old), ==, 0);

      g_assert_cmpint (replace (path, "a new text").code, ==, 0);
      check_text (dir, "file", "a new text");
      g_assert_cmpint (stat (path, &new), ==, 0);
      g_assert_cmpint (new.st_mode, ==, old.st_mode);
      g_assert_cmpuint (new.st_uid, ==, old.st_uid);
      g_assert_cmpuint (new.st_gid, ==, old.st_gid);
      g_assert_cmpuint (new.st_ino, !=, old.st_ino);
      for (gsize n = 0; n < G_N_ELEMENTS (names); n++)
        {
          g_autoptr(GBytes) after = get_attribute (path, names[n]);

          g_assert_true ((before[n] == NULL) == (after == NULL));
          g_assert_true (after == NULL || g_bytes_equal (before[n], after));
          g_clear_pointer (&before[n], g_bytes_unref);
        }
      check_files (dir, 1);
    }
}

/* A file with two names is one file afterwards too, longer or shorter. */
static void
test_hard_link (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *path = tau_test_dir_write (dir, "one", "old text");
  g_autofree char *twin = tau_test_dir_build (dir, "two");
  struct stat old, new;

  g_assert_cmpint (chmod (path, 04755), ==, 0);
  g_assert_cmpint (link (path, twin), ==, 0);
  g_assert_cmpint (stat (path, &old), ==, 0);
  g_assert_cmpuint (replace (path, "a longer new text").n_names, ==, 2);
  check_text (dir, "two", "a longer new text");
  g_assert_cmpuint (replace (twin, "short").n_names, ==, 2);
  check_text (dir, "one", "short");
  g_assert_cmpint (stat (path, &new), ==, 0);
  g_assert_cmpuint (new.st_ino, ==, old.st_ino);
  g_assert_cmpuint (new.st_mode, ==, old.st_mode);
  check_files (dir, 2);
}

/* Links are followed as far as the kernel would. */
static void
test_link_chain (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *first = tau_test_dir_build (dir, "l0");
  g_autofree char *ring = tau_test_dir_build (dir, "ring-a");
  g_autofree char *back = tau_test_dir_build (dir, "ring-b");

  for (int i = 0; i < 39; i++)
    {
      g_autofree char *name = g_strdup_printf ("l%d", i);
      g_autofree char *path = tau_test_dir_build (dir, name);
      g_autofree char *next = g_strdup_printf ("l%d", i + 1);

      g_assert_cmpint (symlink (next, path), ==, 0);
    }
  g_assert_cmpint (replace (first, "end").code, ==, 0);
  check_text (dir, "l39", "end");
  g_assert_cmpint (replace (first, "again").code, ==, 0);
  check_text (dir, "l39", "again");
  check_files (dir, 40);

  g_assert_cmpint (symlink ("ring-b", ring), ==, 0);
  g_assert_cmpint (symlink ("ring-a", back), ==, 0);
  g_assert_cmpint (replace (ring, "x").code, ==, ELOOP);
  check_files (dir, 42);
}

/* What has no content to replace is refused at once, by whatever name. */
static void
test_not_regular (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *fifo = tau_test_dir_build (dir, "fifo");
  g_autofree char *link = tau_test_dir_build (dir, "link");
  g_autoptr(GError) error = NULL;

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (symlink ("fifo", link), ==, 0);
  g_assert_cmpint (replace (fifo, "x").code, ==, TAU_IO_NOT_REGULAR);
  g_assert_cmpint (replace (link, "x").code, ==, TAU_IO_NOT_REGULAR);
  g_assert_cmpint (replace ("/dev/full", "x").code, ==, TAU_IO_NOT_REGULAR);
  g_assert_cmpint (replace (tau_test_dir_get_path (dir), "x").code, ==, EISDIR);
  g_assert_false (tau_io_write_atomic (fifo, "x", 1, 0644, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
}

/* A write in place that fails on the way leaves the old content, although it had begun. */
static void
test_put_back (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *old = g_strnfill (100000, 'o');
  g_autofree char *new = g_strnfill (80000, 'n');
  g_autofree char *path = tau_test_dir_write (dir, "one", old);
  g_autofree char *twin = tau_test_dir_build (dir, "two");
  void (*old_handler) (int) = signal (SIGXFSZ, SIG_IGN);
  struct rlimit old_limit, limit;

  g_assert_cmpint (link (path, twin), ==, 0);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old_limit), ==, 0);
  limit = old_limit;
  limit.rlim_cur = 50000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_cmpint (replace (path, new).code, ==, EFBIG);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old_limit), ==, 0);
  signal (SIGXFSZ, old_handler);
  check_text (dir, "two", old);
}

/* On a disk of its own of 256 KiB, which the parent has mounted there. */
static void
run_on_full_disk (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  g_autofree char *twin = g_build_filename (folder, "twin", NULL);
  g_autofree char *filler = g_build_filename (folder, "filler", NULL);
  g_autofree char *text = g_strnfill (100000, 'x');
  g_autofree char *large = g_strnfill (200000, 'y');
  g_autofree char *contents = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (g_file_set_contents (filler, text, -1, NULL));
  g_assert_cmpint (replace (path, large).code, ==, ENOSPC);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, text);
  g_clear_pointer (&contents, g_free);

  g_assert_cmpint (link (path, twin), ==, 0);
  g_assert_cmpint (replace (path, large).code, ==, ENOSPC);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, text);
  g_clear_pointer (&contents, g_free);

  g_assert_cmpint (g_unlink (filler), ==, 0);
  g_assert_cmpint (replace (path, large).code, ==, 0);
  g_assert_true (g_file_get_contents (twin, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, large);
}

static const char *program;

/* A full disk leaves what was there. Needs a name space of its own for the disk; where the kernel gives none, a limit
 * on the size of files has to do: see test_put_back() and the tests of the tools. */
static void
test_full_disk (void)
{
  g_autoptr(TauTestDir) dir = tau_test_dir_new ();
  g_autofree char *quoted_folder = g_shell_quote (tau_test_dir_get_path (dir));
  g_autofree char *quoted_program = g_shell_quote (program);
  g_autofree char *command = g_strdup_printf ("mount -t tmpfs -o size=256k none %s || exit 77\n%s --on-full-disk %s",
                                              quoted_folder, quoted_program, quoted_folder);
  const char *const argv[] = { "unshare", "--map-root-user", "--mount", "sh", "-c", command, NULL };
  g_autoptr(GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, NULL);
  g_autofree char *output = NULL;

  g_assert_nonnull (process);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, NULL));
  if (strstr (output, "full disk done") != NULL)
    return;
  if (g_str_has_prefix (output, "unshare:") || g_str_has_prefix (output, "mount:"))
    g_test_message ("no disk of its own here: %s", output);
  else
    g_error ("%s", output);
}

int
main (int    argc,
      char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], "--on-full-disk"))
    {
      run_on_full_disk (argv[2]);
      g_print ("full disk done\n");
      return 0;
    }
  program = argv[0];
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/new", test_new);
  g_test_add_func ("/io/replace", test_replace);
  g_test_add_func ("/io/link", test_link);
  g_test_add_func ("/io/failures", test_failures);
  g_test_add_func ("/io/metadata", test_metadata);
  g_test_add_func ("/io/hard-link", test_hard_link);
  g_test_add_func ("/io/link-chain", test_link_chain);
  g_test_add_func ("/io/not-regular", test_not_regular);
  g_test_add_func ("/io/put-back", test_put_back);
  g_test_add_func ("/io/full-disk", test_full_disk);

  return g_test_run ();
}
