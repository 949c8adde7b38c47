/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-file.h"

#include "core/base/tau-io.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* A disk that does not take what was written. No file system fails on demand without a machine of its own, so here the
 * call that asks it does; tests/cli/test-sync.py has the kernel refuse the call itself. */

#define TIME "\"timestamp\":\"2026-01-02T03:04:05.678Z\""
#define HEADER "{\"type\":\"session\",\"version\":3,\"id\":\"s1\"," TIME ",\"cwd\":\"/tmp/project\"}\n"

static gint failures;   /* how many calls fail from now on; atomic */
static gint n_calls;
static int  failure;

static int
failing_sync (int fd)
{
  g_atomic_int_inc (&n_calls);
  if (g_atomic_int_get (&failures) <= 0)
    return 0;
  g_atomic_int_add (&failures, -1);
  errno = failure;
  return -1;
}

static void
fail_next (int times,
           int code)
{
  failure = code;
  g_atomic_int_set (&failures, times);
  g_atomic_int_set (&n_calls, 0);
  tau_io_set_sync_for_testing (failing_sync);
}

typedef struct
{
  TauTestDir     *dir;
  TauSessionFile *file;
  char           *path;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  self->dir = tau_test_dir_new ();
  self->path = tau_test_dir_write (self->dir, "s.jsonl", HEADER);
  self->file = tau_session_file_load (self->path, NULL);
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  gpointer gone = self->file;

  tau_session_file_close (self->file);
  g_object_add_weak_pointer (gone, &gone);
  g_object_unref (self->file);
  tau_test_wait_until (gone == NULL);
  tau_io_set_sync_for_testing (NULL);
  g_free (self->path);
  tau_test_dir_free (self->dir);
}

static void
append (Fixture    *self,
        const char *text)
{
  TauSessionTree *tree = tau_session_file_get_tree (self->file);
  g_autofree char *id = tau_session_tree_make_id (tree);
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tree);
  g_autoptr(TauMessage) message = TAU_MESSAGE (tau_user_message_new (text, NULL, 5));
  g_autoptr(TauSessionEntry) entry =
    tau_session_entry_new_message (id, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, 7, message);

  tau_session_file_append (self->file, entry);
}

static gboolean
sync_now (Fixture  *self,
          GError  **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  tau_session_file_sync_async (self->file, tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  return tau_session_file_sync_finish (self->file, result, error);
}

static void
test_works (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr(GError) error = NULL;

  append (self, "one");
  g_assert_true (sync_now (self, &error));
  g_assert_no_error (error);
  g_assert_null (tau_session_file_get_error (self->file));
}

static void
count_cb (guint *n_notified)
{
  (*n_notified)++;
}

/* P59: the disk fails: said at once as every other trouble with saving, and over when it works again. */
static void
test_fails_and_recovers (Fixture       *self,
                         gconstpointer  data)
{
  g_autoptr(GError) error = NULL;
  guint n_notified = 0;

  g_signal_connect_swapped (self->file, "notify::error", G_CALLBACK (count_cb), &n_notified);
  append (self, "one");
  fail_next (2, EIO);
  g_assert_false (sync_now (self, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_nonnull (strstr (tau_session_file_get_error (self->file), self->path));
  g_assert_cmpuint (n_notified, ==, 1);
  append (self, "two");
  g_assert_nonnull (tau_session_file_get_error (self->file));
  tau_test_wait_until (tau_session_file_get_error (self->file) == NULL);
  g_assert_cmpuint (n_notified, ==, 2);
  g_assert_true (tau_session_file_is_saved (self->file));
}

static void
overwrite (const char *path,
           gint64      offset,
           const char *bytes,
           gsize       length)
{
  int fd = g_open (path, O_WRONLY, 0);

  g_assert_cmpint (pwrite (fd, bytes, length, offset), ==, (gssize) length);
  close (fd);
}

/* P59: a second fsync() that succeeds says nothing about pages that the first one lost: they are written again. */
static void
test_lost_pages (Fixture       *self,
                 gconstpointer  data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *zeros = NULL;
  gint64 synced;

  append (self, "safe");
  g_assert_true (sync_now (self, NULL));
  before = tau_test_dir_read (self->dir, "s.jsonl");
  synced = (gint64) strlen (before);
  append (self, "one");
  append (self, "two");
  g_free (before);
  before = tau_test_dir_read (self->dir, "s.jsonl");
  fail_next (1, EIO);
  g_assert_false (sync_now (self, NULL));
  zeros = g_malloc0 (strlen (before) - (gsize) synced);
  overwrite (self->path, synced, zeros, strlen (before) - (gsize) synced);
  tau_test_wait_until (tau_session_file_get_error (self->file) == NULL);
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_cmpstr (after, ==, before);
}

/* Somebody else wrote there meanwhile: theirs stays. */
static void
test_others_stay (Fixture       *self,
                  gconstpointer  data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  append (self, "one");
  fail_next (1, EIO);
  g_assert_false (sync_now (self, NULL));
  before = tau_test_dir_read (self->dir, "s.jsonl");
  memset (before + strlen (HEADER) + 5, '#', 10);
  overwrite (self->path, (gint64) strlen (HEADER) + 5, "##########", 10);
  tau_test_wait_until (tau_session_file_get_error (self->file) == NULL);
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_cmpstr (after, ==, before);
}

/* Some file systems know no fsync(). */
static void
test_unknown_call (Fixture       *self,
                   gconstpointer  data)
{
  append (self, "one");
  fail_next (100, EINVAL);
  g_assert_true (sync_now (self, NULL));
  g_assert_null (tau_session_file_get_error (self->file));
}

/* Not the disk's fault. What is said next is written to a new file. */
static void
test_removed (Fixture       *self,
              gconstpointer  data)
{
  append (self, "one");
  g_assert_cmpint (g_unlink (self->path), ==, 0);
  g_assert_true (sync_now (self, NULL));
  g_assert_null (tau_session_file_get_error (self->file));
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
  append (self, "two");
  g_assert_true (g_file_test (self->path, G_FILE_TEST_EXISTS));
}

/* Nobody tries for ever. */
static void
test_closed (Fixture       *self,
             gconstpointer  data)
{
  append (self, "one");
  fail_next (1000, EIO);
  g_assert_false (sync_now (self, NULL));
  tau_session_file_close (self->file);
  g_assert_false (sync_now (self, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add ("/session-file-sync/" path, Fixture, NULL, set_up, func, tear_down)
  ADD ("works", test_works);
  ADD ("p59-fails-and-recovers", test_fails_and_recovers);
  ADD ("p59-lost-pages", test_lost_pages);
  ADD ("others-stay", test_others_stay);
  ADD ("unknown-call", test_unknown_call);
  ADD ("removed", test_removed);
  ADD ("closed", test_closed);
#undef ADD
  return g_test_run ();
}
