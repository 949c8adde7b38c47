/* SPDX-License-Identifier: MIT */
#include "core/session/tau-session-file.h"

#include "core/base/tau-error.h"
#include "core/base/tau-json.h"
#include "core/message/tau-assistant-message.h"
#include "core/message/tau-user-message.h"
#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#define TIME "\"timestamp\":\"2026-01-02T03:04:05.678Z\""
#define HEADER "{\"type\":\"session\",\"version\":3,\"id\":\"s1\"," TIME ",\"cwd\":\"/tmp/project\"}\n"
#define USER(id, parent) "{\"type\":\"message\",\"id\":\"" id "\",\"parentId\":" parent "," TIME ",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Hello\"}],\"timestamp\":1}}\n"

typedef struct
{
  TauTestDir *dir;
  char       *path;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  self->dir = tau_test_dir_new ();
  self->path = tau_test_dir_build (self->dir, "s.jsonl");
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  g_free (self->path);
  tau_test_dir_free (self->dir);
}

static TauSessionFile *
load (Fixture    *self,
      const char *contents)
{
  g_autoptr(GError) error = NULL;
  TauSessionFile *file;

  g_free (tau_test_dir_write (self->dir, "s.jsonl", contents));
  file = tau_session_file_load (self->path, &error);
  g_assert_no_error (error);
  return file;
}

static const char *
append (TauSessionFile *file,
        gboolean        answer)
{
  TauSessionTree *tree = tau_session_file_get_tree (file);
  TauSessionEntry *leaf = tau_session_tree_get_leaf (tree);
  g_autofree char *id = tau_session_tree_make_id (tree);
  const TauAssistantFields fields = { .api = "a", .provider = "p", .model = "m", .timestamp = 5 };
  g_autoptr(GPtrArray) blocks = g_ptr_array_new ();
  g_autoptr(TauMessage) message = answer ? TAU_MESSAGE (tau_assistant_message_new (blocks, &fields))
                                         : TAU_MESSAGE (tau_user_message_new ("new", NULL, 5));
  g_autoptr(TauSessionEntry) entry =
    tau_session_entry_new_message (id, leaf != NULL ? tau_session_entry_get_id (leaf) : NULL, 7, message);

  tau_session_file_append (file, entry);
  return tau_session_entry_get_id (entry);
}

static guint
count (TauSessionFile *file)
{
  return tau_session_tree_get_entries (tau_session_file_get_tree (file))->len;
}

/* As pi does it. */
static void
append_raw (Fixture    *self,
            const char *text)
{
  FILE *stream = g_fopen (self->path, "a");

  g_assert_cmpuint (fwrite (text, 1, strlen (text), stream), ==, strlen (text));
  g_assert_cmpint (fclose (stream), ==, 0);
}

static void
notified_cb (guint *n)
{
  (*n)++;
}

static void
test_lazy (Fixture       *self,
           gconstpointer  data)
{
  g_autofree char *path = tau_test_dir_build (self->dir, "deep/er/s.jsonl");
  g_autoptr(TauSessionEntry) header = tau_session_entry_new_header ("id", 1, "/x", NULL);
  g_autoptr(TauSessionFile) file = tau_session_file_new (path, header);
  g_autoptr(TauSessionFile) again = NULL;
  GStatBuf info;

  append (file, FALSE);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_false (tau_session_file_flush (file));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  append (file, TRUE);
  g_assert_true (tau_session_file_is_saved (file));
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  again = tau_session_file_load (path, NULL);
  g_assert_cmpuint (count (again), ==, 2);
  g_assert_null (tau_session_file_get_problems (again)[0]);
}

static void
test_keeps_bytes (Fixture       *self,
                  gconstpointer  data)
{
  const char *contents = HEADER "  {\"type\":\"odd\" , \"id\":\"x\",\"parentId\":null," TIME ",\"n\":1.0e2}\n\nnot json\n" USER ("u1", "\"x\"");
  g_autoptr(TauSessionFile) file = load (self, contents);
  g_autofree char *after = NULL;

  g_assert_cmpuint (count (file), ==, 2);
  g_assert_nonnull (tau_session_file_get_problems (file)[0]);
  append (file, TRUE);
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_true (g_str_has_prefix (after, contents));
  g_assert_nonnull (strstr (after + strlen (contents), "\"parentId\":\"u1\""));
}

static void
test_no_header (Fixture       *self,
                gconstpointer  data)
{
  const char *contents = USER ("u1", "null") HEADER;
  g_autoptr(TauSessionFile) file = load (self, contents);
  g_autofree char *after = NULL;

  g_assert_true (tau_session_file_is_read_only (file));
  g_assert_cmpuint (count (file), ==, 1);
  append (file, TRUE);
  tau_session_file_create (file);
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_cmpstr (after, ==, contents);
}

static void
loaded_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* In a thread: the same comes out, or nothing if it is not wanted any more. */
static void
test_load_async (Fixture       *self,
                 gconstpointer  data)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GAsyncResult) cancelled = NULL;
  g_autoptr(GAsyncResult) missing = NULL;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(TauSessionFile) file = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *nowhere = tau_test_dir_build (self->dir, "nowhere.jsonl");

  g_object_unref (load (self, HEADER USER ("u1", "null")));
  tau_session_file_load_async (self->path, NULL, loaded_cb, &result);
  tau_session_file_load_async (self->path, cancellable, loaded_cb, &cancelled);
  g_cancellable_cancel (cancellable);
  tau_session_file_load_async (nowhere, NULL, loaded_cb, &missing);
  g_assert_null (result);
  tau_test_wait_until (result != NULL && cancelled != NULL && missing != NULL);
  file = tau_session_file_load_finish (result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count (file), ==, 1);
  append (file, TRUE);
  g_assert_true (tau_session_file_is_saved (file));
  g_assert_null (tau_session_file_load_finish (cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (tau_session_file_load_finish (missing, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static void
test_junk_before_header (Fixture       *self,
                         gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, "junk\nnull\n" HEADER USER ("u1", "null"));

  g_assert_false (tau_session_file_is_read_only (file));
  g_assert_cmpuint (count (file), ==, 1);
}

/* Whatever byte a crash stopped at: what was whole is there, the rest is said, and the next entry is whole again. */
static void
test_torn_at_each_byte (Fixture       *self,
                        gconstpointer  data)
{
  const char *head = HEADER USER ("u1", "null");
  const char *last = USER ("u2", "\"u1\"");

  for (gsize n = 0; n <= strlen (last); n++)
    {
      g_autofree char *contents = g_strdup_printf ("%s%.*s", head, (int) n, last);
      g_autoptr(TauSessionFile) file = load (self, contents);
      g_autoptr(TauSessionFile) again = NULL;
      g_autofree char *after = NULL;
      gboolean whole = n + 1 >= strlen (last);
      guint expected = whole ? 2 : 1;

      g_assert_cmpuint (count (file), ==, expected);
      g_assert_cmpint (tau_session_file_get_problems (file)[0] != NULL, ==, n > 0 && !whole);
      append (file, FALSE);
      g_assert_null (tau_session_file_get_error (file));
      again = tau_session_file_load (self->path, NULL);
      g_assert_cmpuint (count (again), ==, expected + 1);
      g_assert_null (tau_session_file_get_problems (again)[0]);
      after = tau_test_dir_read (self->dir, "s.jsonl");
      g_assert_true (g_str_has_prefix (after, head));
    }
}

/* pi appends to the same file and knows no lease: both sides' entries stay, ours go on from where we are. */
static void
test_pi_writes_too (Fixture       *self,
                    gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null"));
  g_autoptr(TauSessionFile) all = NULL;
  g_autofree char *first = g_strdup (append (file, FALSE));
  g_autofree char *second = NULL;
  guint n_notices = 0;
  TauSessionTree *tree;

  g_signal_connect_swapped (file, "notice", G_CALLBACK (notified_cb), &n_notices);
  append_raw (self, USER ("p1", "\"u1\"") USER ("p2", "\"p1\""));
  second = g_strdup (append (file, FALSE));
  g_assert_cmpuint (n_notices, ==, 1);
  g_assert_cmpuint (count (file), ==, 5);

  all = tau_session_file_load (self->path, NULL);
  tree = tau_session_file_get_tree (all);
  g_assert_null (tau_session_file_get_problems (all)[0]);
  g_assert_cmpuint (count (all), ==, 5);
  g_assert_nonnull (tau_session_tree_lookup (tree, "p2"));
  g_assert_cmpstr (tau_session_entry_get_parent_id (tau_session_tree_lookup (tree, second)), ==, first);
}

/* The same without a line end in front: pi glues its record to ours. Both are read, and ours is whole again. */
static void
test_pi_writes_behind_a_lacking_newline (Fixture       *self,
                                         gconstpointer  data)
{
  g_autofree char *cut = g_strndup (HEADER USER ("u1", "null"), strlen (HEADER USER ("u1", "null")) - 1);
  g_autoptr(TauSessionFile) file = load (self, cut);
  g_autoptr(TauSessionFile) all = NULL;

  append_raw (self, USER ("p1", "\"u1\""));
  append (file, FALSE);
  all = tau_session_file_load (self->path, NULL);
  g_assert_cmpuint (count (all), ==, 3);
  g_assert_null (tau_session_file_get_problems (all)[0]);
}

/* Half a line of somebody may be a line in the making: it is left for a while before it is cut off. */
static void
test_other_writer_at_work (Fixture       *self,
                           gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null"));
  g_autoptr(TauSessionFile) all = NULL;
  const char *line = USER ("p1", "\"u1\"");

  append (file, FALSE);
  g_autofree char *half = g_strndup (line, 30);
  append_raw (self, half);
  append (file, FALSE);
  g_assert_nonnull (tau_session_file_get_error (file));
  append_raw (self, line + 30);
  tau_test_wait_until (tau_session_file_get_error (file) == NULL);

  all = tau_session_file_load (self->path, NULL);
  g_assert_cmpuint (count (all), ==, 4);
  g_assert_null (tau_session_file_get_problems (all)[0]);
}

static void
check_went_on_elsewhere (Fixture        *self,
                         TauSessionFile *file,
                         const char     *left_behind)
{
  g_autoptr(TauSessionFile) again = NULL;
  g_autofree char *after = tau_test_dir_read (self->dir, "s.jsonl");

  g_assert_cmpstr (after, ==, left_behind);
  g_assert_cmpstr (tau_session_file_get_path (file), !=, self->path);
  g_assert_null (tau_session_file_get_error (file));
  again = tau_session_file_load (tau_session_file_get_path (file), NULL);
  g_assert_cmpuint (count (again), ==, count (file));
  g_assert_null (tau_session_file_get_problems (again)[0]);
}

static void
test_truncated (Fixture       *self,
                gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null") USER ("u2", "\"u1\""));

  append (file, TRUE);
  g_free (tau_test_dir_write (self->dir, "s.jsonl", HEADER));
  append (file, FALSE);
  g_assert_cmpuint (count (file), ==, 4);
  check_went_on_elsewhere (self, file, HEADER);
}

static void
test_replaced (Fixture       *self,
               gconstpointer  data)
{
  const char *other = "{\"type\":\"session\",\"version\":3,\"id\":\"s2\"," TIME ",\"cwd\":\"/tmp\"}\n";
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null"));

  append (file, TRUE);
  g_assert_cmpint (g_unlink (self->path), ==, 0);
  g_free (tau_test_dir_write (self->dir, "s.jsonl", other));
  append (file, FALSE);
  check_went_on_elsewhere (self, file, other);
}

/* What another program does that opens the file, cuts it, and writes; and not within the same tick of the file system's
 * clock. */
static void
rewrite_in_place (Fixture    *self,
                  const char *contents)
{
  FILE *stream = g_fopen (self->path, "w");
  struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = time (NULL) + 5 } };

  g_assert_cmpuint (fwrite (contents, 1, strlen (contents), stream), ==, strlen (contents));
  g_assert_cmpint (fclose (stream), ==, 0);
  g_assert_cmpint (utimensat (AT_FDCWD, self->path, times, 0), ==, 0);
}

static void
check_rewritten (Fixture    *self,
                 const char *contents)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null") USER ("u2", "\"u1\""));
  g_autofree char *mine = g_strdup (append (file, TRUE));
  g_autofree char *later = NULL;
  g_autofree char *after = NULL;
  g_autoptr(TauSessionFile) again = NULL;
  guint n_notices = 0;

  g_signal_connect_swapped (file, "notice", G_CALLBACK (notified_cb), &n_notices);
  rewrite_in_place (self, contents);
  later = g_strdup (append (file, FALSE));
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_cmpstr (after, ==, contents);
  g_assert_cmpuint (n_notices, ==, 2);
  g_assert_cmpstr (tau_session_file_get_path (file), !=, self->path);
  again = tau_session_file_load (tau_session_file_get_path (file), NULL);
  g_assert_null (tau_session_file_get_problems (again)[0]);
  g_assert_nonnull (tau_session_tree_lookup (tau_session_file_get_tree (again), mine));
  g_assert_nonnull (tau_session_tree_lookup (tau_session_file_get_tree (again), later));
}

/* P58: shorter, by a program that does not ask: what we said is in a file of its own, theirs stays as it is, and what is
 * gone is said. */
static void
test_rewritten_shorter (Fixture       *self,
                        gconstpointer  data)
{
  check_rewritten (self, HEADER USER ("x1", "null"));
}

/* As long as before, to the byte, and with another end. */
static void
test_rewritten_same_length (Fixture       *self,
                            gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null") USER ("u2", "\"u1\""));
  const char *others = HEADER USER ("x1", "null") USER ("x2", "\"x1\"");
  g_autofree char *after = NULL;

  g_assert_true (tau_session_file_take_lease (file));
  rewrite_in_place (self, others);
  append (file, FALSE);
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_cmpstr (after, ==, others);
  g_assert_cmpstr (tau_session_file_get_path (file), !=, self->path);
  g_assert_true (tau_session_file_is_saved (file));
}

/* As long as before, with the same end: only the middle is another. */
static void
test_rewritten_middle (Fixture       *self,
                       gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null"));
  g_autofree char *text = NULL;
  g_autofree char *after = NULL;
  char *place;

  append (file, TRUE);
  text = tau_test_dir_read (self->dir, "s.jsonl");
  place = strstr (text, "\"id\":\"u1\"");
  memcpy (place, "\"id\":\"x1\"", strlen ("\"id\":\"x1\""));
  rewrite_in_place (self, text);
  append (file, FALSE);
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_cmpstr (after, ==, text);
  g_assert_cmpstr (tau_session_file_get_path (file), !=, self->path);
  g_assert_true (tau_session_file_is_saved (file));
}

/* The same entries, one of them with other words: it is still our session, and goes on where it is. */
static void
test_edited_in_place (Fixture       *self,
                      gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null"));
  g_autofree char *text = NULL;
  g_autofree char *after = NULL;
  g_autofree char *said = NULL;
  g_autoptr(TauMessage) message = NULL;

  append (file, TRUE);
  text = tau_test_dir_read (self->dir, "s.jsonl");
  memcpy (strstr (text, "Hello"), "Adieu", strlen ("Adieu"));
  rewrite_in_place (self, text);
  append (file, FALSE);
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_true (g_str_has_prefix (after, text));
  g_assert_cmpuint (strlen (after), >, strlen (text));
  g_assert_cmpstr (tau_session_file_get_path (file), ==, self->path);
  message = tau_session_entry_dup_message (tau_session_tree_lookup (tau_session_file_get_tree (file), "u1"));
  said = tau_message_dup_text (message, "");
  g_assert_cmpstr (said, ==, "Adieu");
}

/* Nothing but the time of the last change moves: we look, and go on. Where it moves all the time we stop looking. */
static void
test_touched (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null"));
  g_autoptr(TauSessionFile) again = NULL;

  for (guint i = 0; i < 10; i++)
    {
      const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 1000000 + i } };

      append (file, FALSE);
      g_assert_cmpint (utimensat (AT_FDCWD, self->path, times, 0), ==, 0);
    }
  g_assert_cmpstr (tau_session_file_get_path (file), ==, self->path);
  g_assert_null (tau_session_file_get_problems (file)[0]);
  again = tau_session_file_load (self->path, NULL);
  g_assert_cmpuint (count (again), ==, 11);
}

/* An editor that saves replaces the file by one that has everything: we go on in it. */
static void
test_saved_by_an_editor (Fixture       *self,
                         gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null"));
  g_autoptr(TauSessionFile) again = NULL;

  append (file, FALSE);
  {
    g_autofree char *text = tau_test_dir_read (self->dir, "s.jsonl");
    g_autofree char *edited = g_strconcat (text, USER ("e1", "\"u1\""), NULL);

    g_assert_cmpint (g_unlink (self->path), ==, 0);
    g_free (tau_test_dir_write (self->dir, "s.jsonl", edited));
  }
  append (file, FALSE);
  g_assert_cmpstr (tau_session_file_get_path (file), ==, self->path);
  again = tau_session_file_load (self->path, NULL);
  g_assert_cmpuint (count (again), ==, 4);
}

/* P58: the second one can read, and says who has it; when the first is done it has all that was written meanwhile. */
static void
test_lease (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr(TauSessionFile) one = load (self, HEADER USER ("u1", "null"));
  g_autoptr(TauSessionFile) two = tau_session_file_load (self->path, NULL);
  const char *last;

  g_assert_true (tau_session_file_take_lease (one));
  g_assert_false (tau_session_file_take_lease (two));
  g_assert_true (tau_session_file_is_read_only (two));
  g_assert_cmpstr (tau_session_file_get_holder (two), ==, "this program");
  last = append (one, TRUE);
  g_assert_false (tau_session_file_take_lease (two));
  tau_session_file_close (one);
  g_assert_true (tau_session_file_take_lease (two));
  g_assert_null (tau_session_file_get_holder (two));
  g_assert_false (tau_session_file_is_read_only (two));
  g_assert_cmpstr (tau_session_entry_get_id (tau_session_tree_get_leaf (tau_session_file_get_tree (two))), ==, last);
  append (two, FALSE);
  g_assert_null (tau_session_file_get_error (two));
  g_assert_cmpuint (count (two), ==, 3);
}

/* A lease that came too late: both made the same new file. The second's entries go to one of their own. */
static void
test_made_twice (Fixture       *self,
                 gconstpointer  data)
{
  g_autoptr(TauSessionEntry) header = tau_session_entry_new_header ("id", 1, "/x", NULL);
  g_autoptr(TauSessionFile) one = tau_session_file_new (self->path, header);
  g_autoptr(TauSessionFile) two = tau_session_file_new (self->path, header);
  g_autofree char *before = NULL;

  append (one, TRUE);
  before = tau_test_dir_read (self->dir, "s.jsonl");
  append (two, TRUE);
  check_went_on_elsewhere (self, two, before);
}

static void
test_removed (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("u1", "null"));
  g_autoptr(TauSessionFile) again = NULL;

  g_assert_cmpint (g_unlink (self->path), ==, 0);
  append (file, FALSE);
  again = tau_session_file_load (self->path, NULL);
  g_assert_cmpuint (count (again), ==, 2);
}

/* A limit on the size of files stands for a full disk: the write comes short in the middle of a line. */
static void
test_disk_full (Fixture       *self,
                gconstpointer  data)
{
  const char *contents = HEADER USER ("u1", "null");
  g_autoptr(TauSessionFile) file = load (self, contents);
  g_autoptr(TauSessionFile) again = NULL;
  g_autofree char *after = NULL;
  struct rlimit before, limit;
  guint n_notified = 0;

  g_signal_connect_swapped (file, "notify::error", G_CALLBACK (notified_cb), &n_notified);
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  limit = before;
  limit.rlim_cur = strlen (contents) + 20;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  append (file, FALSE);
  append (file, FALSE);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);

  g_assert_nonnull (tau_session_file_get_error (file));
  g_assert_cmpuint (n_notified, >=, 1);
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_cmpstr (after, ==, contents);
  g_assert_cmpuint (count (file), ==, 3);

  if (data != NULL)
    append (file, FALSE);
  tau_test_wait_until (tau_session_file_get_error (file) == NULL);
  again = tau_session_file_load (self->path, NULL);
  g_assert_cmpuint (count (again), ==, data != NULL ? 4 : 3);
  g_assert_null (tau_session_file_get_problems (again)[0]);
}

#define OLD_LINES \
  "{\"type\":\"message\"," TIME ",\"message\":{\"role\":\"user\",\"content\":\"one\",\"timestamp\":1}}\n" \
  "{\"type\":\"message\"," TIME ",\"message\":{\"role\":\"hookMessage\",\"customType\":\"x\",\"content\":\"two\",\"display\":true,\"timestamp\":2}}\n" \
  "{\"type\":\"compaction\"," TIME ",\"summary\":\"s\",\"firstKeptEntryIndex\":2,\"tokensBefore\":5}\n"

static void
test_version_1 (Fixture       *self,
                gconstpointer  data)
{
  const char *contents = "{\"type\":\"session\",\"id\":\"s1\"," TIME ",\"cwd\":\"/tmp\",\"provider\":\"p\"}\n" OLD_LINES;
  g_autoptr(TauSessionFile) file = load (self, contents);
  g_autoptr(TauSessionFile) again = NULL;
  g_autoptr(JsonNode) header = NULL, compaction = NULL, custom = NULL;
  g_autofree char *before = tau_test_dir_read (self->dir, "s.jsonl");
  GPtrArray *entries;

  /* Opening is reading. */
  g_assert_cmpstr (before, ==, contents);
  g_assert_cmpuint (count (file), ==, 3);
  append (file, FALSE);
  g_assert_null (tau_session_file_get_error (file));
  g_assert_false (tau_test_dir_has (self->dir, "s.jsonl.bak"));
  g_assert_false (tau_test_dir_has (self->dir, "s.jsonl.new"));

  again = tau_session_file_load (self->path, NULL);
  entries = tau_session_tree_get_entries (tau_session_file_get_tree (again));
  g_assert_cmpuint (entries->len, ==, 4);
  header = tau_session_entry_dup_json (tau_session_file_get_header (again));
  g_assert_cmpint (tau_json_get_int (header, "version", 0), ==, 3);
  g_assert_cmpstr (tau_json_get_string (header, "provider", NULL), ==, "p");
  g_assert_null (tau_session_entry_get_parent_id (g_ptr_array_index (entries, 0)));
  for (guint i = 1; i < 4; i++)
    g_assert_cmpstr (tau_session_entry_get_parent_id (g_ptr_array_index (entries, i)), ==,
                     tau_session_entry_get_id (g_ptr_array_index (entries, i - 1)));
  compaction = tau_session_entry_dup_json (g_ptr_array_index (entries, 2));
  g_assert_cmpstr (tau_json_get_string (compaction, "firstKeptEntryId", NULL), ==, tau_session_entry_get_id (g_ptr_array_index (entries, 1)));
  g_assert_null (tau_json_get (compaction, "firstKeptEntryIndex"));
  custom = tau_session_entry_dup_json (g_ptr_array_index (entries, 1));
  g_assert_cmpstr (tau_json_get_string (custom, "message.role", NULL), ==, "custom");
}

/* The migrated copy must not undo what another program wrote in between. */
static void
test_version_1_changed (Fixture       *self,
                        gconstpointer  data)
{
  const char *contents = "{\"type\":\"session\",\"id\":\"s1\"," TIME ",\"cwd\":\"/tmp\"}\n" OLD_LINES;
  g_autofree char *longer = g_strconcat (contents, "{\"type\":\"other\"}\n", NULL);
  g_autoptr(TauSessionFile) file = load (self, contents);

  g_free (tau_test_dir_write (self->dir, "s.jsonl", longer));
  append (file, FALSE);
  check_went_on_elsewhere (self, file, longer);
}

/* P62: the name may be a link; then the file that it leads to is replaced. */
static void
test_migration_behind_a_link (Fixture       *self,
                              gconstpointer  data)
{
  const char *contents = "{\"type\":\"session\",\"id\":\"s1\"," TIME ",\"cwd\":\"/tmp\"}\n" OLD_LINES;
  g_autofree char *real = tau_test_dir_write (self->dir, "elsewhere/real.jsonl", contents);
  g_autoptr(TauSessionFile) file = NULL;
  g_autoptr(TauSessionFile) again = NULL;

  g_assert_cmpint (symlink (real, self->path), ==, 0);
  file = tau_session_file_load (self->path, NULL);
  append (file, FALSE);
  append (file, FALSE);
  g_assert_null (tau_session_file_get_error (file));
  g_assert_true (g_file_test (self->path, G_FILE_TEST_IS_SYMLINK));
  again = tau_session_file_load (real, NULL);
  g_assert_cmpuint (count (again), ==, 5);
}

/* P62: a file of an older version is replaced only by a whole copy: until that is there it stays as it is. */
static void
test_migration_fails (Fixture       *self,
                      gconstpointer  data)
{
  const char *contents = "{\"type\":\"session\",\"id\":\"s1\"," TIME ",\"cwd\":\"/tmp\"}\n" OLD_LINES;
  g_autoptr(TauSessionFile) file = load (self, contents);
  g_autoptr(TauSessionFile) again = NULL;
  g_autofree char *in_the_way = tau_test_dir_mkdir (self->dir, "s.jsonl.new");
  g_autofree char *after = NULL;

  append (file, FALSE);
  g_assert_nonnull (tau_session_file_get_error (file));
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_cmpstr (after, ==, contents);
  g_assert_false (tau_test_dir_has (self->dir, "s.jsonl.bak"));
  g_assert_cmpint (g_rmdir (in_the_way), ==, 0);
  tau_test_wait_until (tau_session_file_get_error (file) == NULL);
  again = tau_session_file_load (self->path, NULL);
  g_assert_cmpuint (count (again), ==, 4);
}

/* P62: a program was killed while it migrated. What it left behind is in nobody's way, and what somebody else keeps
 * under the name of the backup stays. */
static void
test_migration_was_killed (Fixture       *self,
                           gconstpointer  data)
{
  const char *contents = "{\"type\":\"session\",\"id\":\"s1\"," TIME ",\"cwd\":\"/tmp\"}\n" OLD_LINES;
  g_autoptr(TauSessionFile) file = load (self, contents);
  g_autoptr(TauSessionFile) again = NULL;
  g_autofree char *kept = NULL;

  g_free (tau_test_dir_write (self->dir, "s.jsonl.new", "{\"type\":\"session\",\"vers"));
  g_free (tau_test_dir_write (self->dir, "s.jsonl.bak", "precious"));
  append (file, FALSE);
  g_assert_null (tau_session_file_get_error (file));
  again = tau_session_file_load (self->path, NULL);
  g_assert_cmpuint (count (again), ==, 4);
  g_assert_null (tau_session_file_get_problems (again)[0]);
  g_assert_false (tau_test_dir_has (self->dir, "s.jsonl.new"));
  kept = tau_test_dir_read (self->dir, "s.jsonl.bak");
  g_assert_cmpstr (kept, ==, "precious");
  g_assert_false (tau_test_dir_has (self->dir, "s.jsonl.bak1"));
}

static void
test_cycle (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr(TauSessionFile) file = load (self, HEADER USER ("a", "\"c\"") USER ("b", "\"a\"") USER ("c", "\"b\"") USER ("d", "\"d\""));
  TauSessionTree *tree = tau_session_file_get_tree (file);
  g_autoptr(GPtrArray) path = tau_session_tree_dup_path (tree, tau_session_tree_lookup (tree, "c"));
  g_autoptr(GPtrArray) self_parent = tau_session_tree_dup_path (tree, tau_session_tree_get_leaf (tree));

  g_assert_cmpuint (path->len, ==, 3);
  g_assert_cmpuint (self_parent->len, ==, 1);
}

static void
test_not_a_file (Fixture       *self,
                 gconstpointer  data)
{
  g_autofree char *folder = tau_test_dir_mkdir (self->dir, "folder");
  g_autoptr(GError) error = NULL;

  g_assert_null (tau_session_file_load (folder, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_clear_error (&error);
  g_assert_null (tau_session_file_load (self->path, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

#define NOBODY 65534

/* Root may write everything, so the one who may not is somebody else. Runs in a process of its own. */
static void
as_nobody (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "s.jsonl", NULL);
  g_autofree char *new_path = g_build_filename (folder, "new.jsonl", NULL);
  g_autofree char *secret = g_build_filename (folder, "secret.jsonl", NULL);
  g_autoptr(TauSessionEntry) header = tau_session_entry_new_header ("id", 1, "/x", NULL);
  g_autoptr(TauSessionFile) new_file = NULL;
  g_autoptr(TauSessionFile) file = NULL;
  g_autoptr(GError) error = NULL;

  if (geteuid () == 0)
    g_assert_true (setresgid (NOBODY, NOBODY, NOBODY) == 0 && setresuid (NOBODY, NOBODY, NOBODY) == 0);

  file = tau_session_file_load (path, NULL);
  g_assert_true (tau_session_file_is_read_only (file));
  g_assert_nonnull (tau_session_file_get_obstacle (file));
  append (file, TRUE);
  g_assert_cmpuint (count (file), ==, 2);

  new_file = tau_session_file_new (new_path, header);
  append (new_file, TRUE);
  g_assert_nonnull (tau_session_file_get_error (new_file));
  g_assert_nonnull (strstr (tau_session_file_get_error (new_file), new_path));
  g_assert_cmpuint (count (new_file), ==, 1);

  g_assert_null (tau_session_file_load (secret, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
}

static void
test_unprivileged (Fixture       *self,
                   gconstpointer  data)
{
  const char *contents = HEADER USER ("u1", "null");
  g_autofree char *after = NULL;
  g_autofree char *secret = NULL;

  if (g_test_subprocess ())
    {
      as_nobody (g_getenv ("TAU_TEST_FOLDER"));
      return;
    }
  g_free (tau_test_dir_write (self->dir, "s.jsonl", contents));
  secret = tau_test_dir_write (self->dir, "secret.jsonl", contents);
  g_assert_cmpint (g_chmod (self->path, 0444), ==, 0);
  g_assert_cmpint (g_chmod (secret, 0), ==, 0);
  g_assert_cmpint (g_chmod (tau_test_dir_get_path (self->dir), 0555), ==, 0);
  g_setenv ("TAU_TEST_FOLDER", tau_test_dir_get_path (self->dir), TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_assert_cmpint (g_chmod (tau_test_dir_get_path (self->dir), 0755), ==, 0);
  g_test_trap_assert_passed ();
  after = tau_test_dir_read (self->dir, "s.jsonl");
  g_assert_cmpstr (after, ==, contents);
  g_assert_false (tau_test_dir_has (self->dir, "new.jsonl"));
}

static void
test_names (Fixture       *self,
            gconstpointer  data)
{
  static const char * const pairs[][2] = {
    { "/", "----" }, { "/home/u/x.y", "--home-u-x.y--" }, { "/a/b/", "--a-b---" }, { "//double", "---double--" },
    { "C:\\Users\\me\\proj", "--C--Users-me-proj--" }, { "relative/x", "--relative-x--" },
  };
  g_autofree char *path = tau_session_file_build_path ("/sessions", NULL, "/a b", 1767323045678, "id");
  g_autofree char *other = tau_session_file_build_path ("/sessions", "/folder", "/a b", 1767323045678, "id");

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *encoded = tau_session_file_encode_cwd (pairs[i][0]);

      g_assert_cmpstr (encoded, ==, pairs[i][1]);
    }
  g_assert_cmpstr (path, ==, "/sessions/--a b--/2026-01-02T03-04-05-678Z_id.jsonl");
  g_assert_cmpstr (other, ==, "/folder/2026-01-02T03-04-05-678Z_id.jsonl");
}

#define ADD_WITH(path, data, func) g_test_add ("/session-file/" path, Fixture, data, set_up, func, tear_down)
#define ADD(path, func) ADD_WITH (path, NULL, func)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("lazy", test_lazy);
  ADD ("keeps-bytes", test_keeps_bytes);
  ADD ("p65-no-header", test_no_header);
  ADD ("load-async", test_load_async);
  ADD ("junk-before-header", test_junk_before_header);
  ADD ("p60-torn-at-each-byte", test_torn_at_each_byte);
  ADD ("p58-lease", test_lease);
  ADD ("p58-made-twice", test_made_twice);
  ADD ("p58-pi-writes-too", test_pi_writes_too);
  ADD ("pi-writes-behind-a-lacking-newline", test_pi_writes_behind_a_lacking_newline);
  ADD ("other-writer-at-work", test_other_writer_at_work);
  ADD ("truncated", test_truncated);
  ADD ("replaced", test_replaced);
  ADD ("p58-rewritten-shorter", test_rewritten_shorter);
  ADD ("p58-rewritten-same-length", test_rewritten_same_length);
  ADD ("p58-rewritten-middle", test_rewritten_middle);
  ADD ("touched", test_touched);
  ADD ("edited-in-place", test_edited_in_place);
  ADD ("saved-by-an-editor", test_saved_by_an_editor);
  ADD ("removed", test_removed);
  ADD ("p59-disk-full", test_disk_full);
  ADD_WITH ("p59-disk-full-then-append", "append", test_disk_full);
  ADD ("p62-version-1", test_version_1);
  ADD ("p62-version-1-changed", test_version_1_changed);
  ADD ("p62-migration-behind-a-link", test_migration_behind_a_link);
  ADD ("p62-migration-fails", test_migration_fails);
  ADD ("p62-migration-was-killed", test_migration_was_killed);
  ADD ("cycle", test_cycle);
  ADD ("not-a-file", test_not_a_file);
  ADD ("unprivileged", test_unprivileged);
  ADD ("names", test_names);
  return g_test_run ();
}
