/* SPDX-License-Identifier: MIT */
#include "core/session/session-fixture.h"
#include "core/session/tau-session-journal.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>

/* What was said and is not in the session file yet is on the disk. A crash is a session that is dropped without being
 * closed: in these tests a copy of the folder of journals, made while the session lives and put back when it is gone. */

static char *
journal_folder (Fixture *self)
{
  return g_build_filename (self->state_dir, "tau", "journal", NULL);
}

static guint
count_journals (Fixture *self)
{
  g_autofree char *folder = journal_folder (self);
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static char *
dup_journal (Fixture *self,
             char   **path)
{
  g_autofree char *folder = journal_folder (self);
  g_autofree char *name = g_strconcat (tau_agent_session_get_id (self->session), ".jsonl", NULL);
  char *text = NULL;

  *path = g_build_filename (folder, name, NULL);
  g_file_get_contents (*path, &text, NULL, NULL);
  return text;
}

/* The folder is made, too. */
static char *
dup_session_path (Fixture *self)
{
  char *path = g_strdup (tau_agent_session_get_path (self->session));
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  return path;
}

/* The server never answers, so pi's file is not begun. */
static void
begin_unanswered (Fixture *self)
{
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  g_assert_cmpuint (count_journals (self), ==, 0);
  tau_test_server_push (self->server, &(TauTestResponse) { .ending = TAU_TEST_ENDING_SILENT });
  fixture_prompt (self, "a precious thought");
}

static void
test_first_prompt (Fixture       *self,
                   gconstpointer  data)
{
  g_autofree char *path = NULL, *journal = NULL;
  g_autofree char *session_path = NULL, *contents = NULL;

  begin_unanswered (self);
  /* At the moment of sending. */
  journal = dup_journal (self, &path);
  g_assert_nonnull (journal);
  g_assert_nonnull (strstr (journal, "a precious thought"));
  session_path = g_strdup (tau_agent_session_get_path (self->session));
  g_assert_false (g_file_test (session_path, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (tau_session_journal_recover (), ==, 0);   /* it has an owner */

  fixture_close (self);
  g_unlink (session_path);
  g_assert_true (g_file_set_contents (path, journal, -1, NULL));
  g_assert_cmpuint (tau_session_journal_recover (), ==, 1);
  g_assert_cmpuint (count_journals (self), ==, 0);
  g_assert_true (g_file_get_contents (session_path, &contents, NULL, NULL));
  g_assert_true (g_str_has_prefix (contents, "{\"type\":\"session\""));
  g_assert_nonnull (strstr (contents, "a precious thought"));

  fixture_open (self, (TauAgentSessionOptions) { .session_path = session_path });
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 1);
  g_assert_null (tau_agent_session_get_problems (self->session)[0]);
}

static void
test_gone_with_the_answer (Fixture       *self,
                           gconstpointer  data)
{
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  fixture_answer (self, ANSWER ("Yes."));
  fixture_prompt (self, "Well?");
  g_assert_cmpuint (count_journals (self), ==, 1);
  fixture_wait (self);
  g_assert_cmpuint (count_journals (self), ==, 0);
}

/* A program that was killed while it made the file: what it began is completed. */
static void
test_file_was_begun (Fixture       *self,
                     gconstpointer  data)
{
  g_autofree char *path = NULL, *journal = NULL;
  g_autofree char *session_path = NULL;
  const char *whole;

  begin_unanswered (self);
  journal = dup_journal (self, &path);
  session_path = dup_session_path (self);
  whole = strchr (journal, '\n') + 1;
  fixture_close (self);
  for (gsize n = 0; n < strlen (whole); n += 7)
    {
      g_autofree char *contents = NULL;

      g_assert_true (g_file_set_contents (session_path, whole, (gssize) n, NULL));
      g_assert_true (g_file_set_contents (path, journal, -1, NULL));
      g_assert_cmpuint (tau_session_journal_recover (), ==, 1);
      g_assert_true (g_file_get_contents (session_path, &contents, NULL, NULL));
      g_assert_cmpstr (contents, ==, whole);
    }
}

/* Somebody else's file is not touched, nor one that the user deleted brought back from a part of it. */
static void
test_not_ours (Fixture       *self,
               gconstpointer  data)
{
  g_autofree char *path = NULL, *journal = NULL;
  g_autofree char *session_path = NULL, *contents = NULL, *part = NULL;

  begin_unanswered (self);
  journal = dup_journal (self, &path);
  session_path = dup_session_path (self);
  fixture_close (self);
  g_assert_true (g_file_set_contents (session_path, "something else\n", -1, NULL));
  g_assert_true (g_file_set_contents (path, journal, -1, NULL));
  g_assert_cmpuint (tau_session_journal_recover (), ==, 0);
  g_assert_true (g_file_get_contents (session_path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "something else\n");

  g_unlink (session_path);
  part = g_strdup_printf ("{\"type\":\"journal\",\"path\":\"%s\"}\n{\"type\":\"message\",\"id\":\"x\"}\n", session_path);
  g_assert_true (g_file_set_contents (path, part, -1, NULL));
  g_assert_cmpuint (tau_session_journal_recover (), ==, 0);
  g_assert_false (g_file_test (session_path, G_FILE_TEST_EXISTS));
}

/* A session with ten answers on a disk that has no room any more. */
static char *
fill_disk (Fixture       *self,
           struct rlimit *before,
           gsize         *size)
{
  char *session_path;
  struct rlimit limit;
  GStatBuf info;

  signal (SIGXFSZ, SIG_IGN);
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  for (guint i = 0; i < 10; i++)
    {
      fixture_answer (self, ANSWER ("First answer, which makes the session file larger than what is written later."));
      fixture_prompt (self, "First.");
      fixture_wait (self);
    }
  session_path = g_strdup (tau_agent_session_get_path (self->session));
  g_assert_cmpint (g_stat (session_path, &info), ==, 0);
  getrlimit (RLIMIT_FSIZE, before);
  limit = *before;
  limit.rlim_cur = (rlim_t) info.st_size;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  *size = (gsize) info.st_size;
  return session_path;
}

/* P59: a disk that is full for the session's file; then the program is killed. */
static void
test_disk_full (Fixture       *self,
                gconstpointer  data)
{
  g_autofree char *session_path = NULL, *path = NULL, *journal = NULL, *entries = NULL, *error = NULL, *kept = NULL;
  struct rlimit before;
  gsize size;

  session_path = fill_disk (self, &before, &size);
  fixture_answer (self, ANSWER ("Second answer."));
  fixture_prompt (self, "Second.");
  fixture_wait (self);
  journal = dup_journal (self, &path);
  g_object_get (self->session, "error", &error, NULL);
  g_assert_nonnull (error);
  g_assert_nonnull (journal);
  g_assert_nonnull (strstr (journal, "Second answer."));
  g_assert_true (g_file_get_contents (session_path, &kept, NULL, NULL));
  fixture_close (self);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);

  g_assert_true (g_file_set_contents (session_path, kept, -1, NULL));
  g_assert_true (g_file_set_contents (path, journal, -1, NULL));
  fixture_open (self, (TauAgentSessionOptions) { .session_path = session_path });
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 22);
  g_assert_nonnull (tau_agent_session_get_problems (self->session)[0]);
  g_assert_cmpuint (count_journals (self), ==, 0);
  entries = fixture_dup_entries (self);
  g_assert_true (g_str_has_suffix (entries, "user assistant user assistant"));
}

/* P59: the journal's disk is full too. What does not fit is in memory only, and nothing that was on the disk may hang on it. */
static void
test_journal_full (Fixture       *self,
                   gconstpointer  data)
{
  g_autofree char *session_path = NULL, *path = NULL, *journal = NULL, *kept = NULL, *long_text = NULL, *torn = NULL;
  struct rlimit before;
  gsize size;

  session_path = fill_disk (self, &before, &size);
  fixture_answer (self, ANSWER ("Fits."));
  fixture_prompt (self, "This fits, too.");
  fixture_wait (self);
  long_text = g_strnfill (size, 'x');
  fixture_answer (self, ANSWER ("After it."));
  fixture_prompt (self, long_text);
  fixture_wait (self);
  journal = dup_journal (self, &path);
  g_assert_nonnull (strstr (journal, "Fits."));
  g_assert_null (strstr (journal, "After it."));
  g_assert_true (g_file_get_contents (session_path, &kept, NULL, NULL));
  fixture_close (self);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);

  g_assert_true (g_file_set_contents (session_path, kept, -1, NULL));
  torn = g_strconcat (journal, "{\"type\":\"message\",\"id\":", NULL);
  g_assert_true (g_file_set_contents (path, torn, -1, NULL));
  fixture_open (self, (TauAgentSessionOptions) { .session_path = session_path });
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 22);
  g_assert_cmpuint (count_journals (self), ==, 0);
}

#define ADD(path, func) g_test_add ("/session-journal/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("p20-first-prompt", test_first_prompt);
  ADD ("gone-with-the-answer", test_gone_with_the_answer);
  ADD ("file-was-begun", test_file_was_begun);
  ADD ("not-ours", test_not_ours);
  ADD ("p59-disk-full", test_disk_full);
  ADD ("p59-journal-full", test_journal_full);
  return g_test_run ();
}
