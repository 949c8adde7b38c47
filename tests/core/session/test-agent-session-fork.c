/* SPDX-License-Identifier: MIT */
#include "session-fixture.h"

#include "core/base/tau-error.h"

#include <signal.h>
#include <sys/resource.h>

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  fixture_set_up (self, data);
  fixture_open (self, (TauAgentSessionOptions) { 0 });
  fixture_answer (self, ANSWER ("1."));
  fixture_prompt (self, "First");
  fixture_wait (self);
  fixture_answer (self, ANSWER ("2."));
  fixture_prompt (self, "Second");
  fixture_wait (self);
}

/* Id of the n-th user message, counted from 0. */
static const char *
user_id (Fixture *self,
         guint    n)
{
  g_autoptr(GPtrArray) points = tau_agent_session_dup_fork_points (self->session);

  g_assert_cmpuint (n, <, points->len);
  return tau_session_entry_get_id (g_ptr_array_index (points, n));
}

/* A label between two messages does not cut the copy in two. */
static void
test_fork (Fixture       *self,
           gconstpointer  data)
{
  g_autofree char *text = NULL;
  g_autofree char *label = NULL;
  g_autofree char *source = g_strdup (tau_agent_session_get_path (self->session));
  g_autofree char *header = NULL;
  g_autofree char *first = g_strdup (user_id (self, 0));
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_true (tau_agent_session_set_label (self->session, first, "checkpoint", NULL));
  fixture_answer (self, ANSWER ("3."));
  fixture_prompt (self, "Third");
  fixture_wait (self);
  fixture_answer (self, ANSWER ("4."));
  fixture_prompt (self, "Fourth");
  fixture_wait (self);

  path = tau_agent_session_fork (self->session, user_id (self, 3), &text, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "Fourth");
  fixture_close (self);
  fixture_open (self, (TauAgentSessionOptions) { .session_path = path });
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 6);
  label = tau_session_tree_dup_label (tau_agent_session_get_tree (self->session), first);
  g_assert_cmpstr (label, ==, "checkpoint");
  header = tau_agent_session_dup_header_line (self->session);
  g_assert_nonnull (strstr (header, source));
}

static void
test_clone (Fixture       *self,
            gconstpointer  data)
{
  g_autofree char *before = fixture_dup_entries (self);
  g_autofree char *after = NULL;
  g_autofree char *path = tau_agent_session_fork (self->session, NULL, NULL, NULL);

  g_assert_nonnull (path);
  fixture_close (self);
  fixture_open (self, (TauAgentSessionOptions) { .session_path = path });
  after = fixture_dup_entries (self);
  g_assert_cmpstr (after, ==, before);
}

/* A thread writes the copy; what is said meanwhile goes to the session that goes on. */
static void
test_async (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  tau_agent_session_fork_async (self->session, user_id (self, 1), tau_test_loop_result_cb, &result);
  fixture_answer (self, ANSWER ("3."));
  fixture_prompt (self, "Third");
  fixture_wait (self);
  tau_test_loop_wait_result (&result);
  path = tau_agent_session_fork_finish (self->session, result, &text, &error);
  g_assert_no_error (error);
  g_clear_object (&result);
  g_assert_cmpstr (text, ==, "Second");
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 6);
  fixture_close (self);
  fixture_open (self, (TauAgentSessionOptions) { .session_path = path });
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 2);
}

static void
test_async_unknown (Fixture       *self,
                    gconstpointer  data)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  tau_agent_session_fork_async (self->session, "nope", tau_test_loop_result_cb, &result);
  tau_test_loop_wait_result (&result);
  g_assert_null (tau_agent_session_fork_finish (self->session, result, NULL, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_NOT_FOUND);
}

static guint
count_files (const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* A copy that cannot be finished leaves nothing behind. The limit on the size of files stands for a full disk. */
static void
test_disk_full (Fixture       *self,
                gconstpointer  data)
{
  g_autofree char *folder = g_path_get_dirname (tau_agent_session_get_path (self->session));
  guint before = count_files (folder);
  g_autoptr(GError) error = NULL;
  struct rlimit old, limit;
  char *path;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  limit = old;
  limit.rlim_cur = 600;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  path = tau_agent_session_fork (self->session, NULL, NULL, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_assert_null (path);
  g_assert_nonnull (error);
  g_assert_cmpuint (count_files (folder), ==, before);
}

#define ADD(path, func) g_test_add ("/agent-session-fork/" path, Fixture, NULL, set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("before-a-prompt", test_fork);
  ADD ("clone", test_clone);
  ADD ("async", test_async);
  ADD ("async-unknown", test_async_unknown);
  ADD ("p59-disk-full", test_disk_full);
  return g_test_run ();
}
