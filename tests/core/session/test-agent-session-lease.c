/* SPDX-License-Identifier: MIT */
#include "session-fixture.h"

#include "core/base/tau-error.h"

#include <glib/gstdio.h>

/* Sessions that can only be read: files that are none, files of others. */

#define LINE(id, parent) \
  "{\"type\":\"message\",\"id\":\"" id "\",\"parentId\":" parent ",\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"message\":{\"role\":\"user\",\"content\":\"text of " id "\",\"timestamp\":1}}\n"
#define HEADER "{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"cwd\":\"/home/u/project\"}\n"

static void
notice_cb (TauAgentSession *session,
           const char      *sentence,
           guint           *n_notices)
{
  (*n_notices)++;
}

static void
stored_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Everything that would have to be written says why it is not. */
static void
check_refusals (TauAgentSession *session)
{
  g_autoptr(GAsyncResult) bash = NULL;
  g_autoptr(GAsyncResult) compaction = NULL;
  g_autoptr(GError) error = NULL;
  guint n_notices = 0;

  g_assert_false (tau_agent_session_prompt (session, "no", NULL, TAU_DELIVERY_PROMPT, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_READ_ONLY);
  g_assert_nonnull (strstr (error->message, "does not begin with the header"));
  g_clear_error (&error);
  g_assert_false (tau_agent_session_set_label (session, "u1", "label", &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_READ_ONLY);
  g_clear_error (&error);
  tau_agent_session_run_bash_async (session, "true", FALSE, stored_cb, &bash);
  tau_test_wait_until (bash != NULL);
  g_assert_null (tau_agent_session_run_bash_finish (session, bash, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_READ_ONLY);
  g_clear_error (&error);
  tau_agent_session_compact_async (session, NULL, stored_cb, &compaction);
  tau_test_wait_until (compaction != NULL);
  g_assert_null (tau_agent_session_compact_finish (session, compaction, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_READ_ONLY);
  g_signal_connect (session, "notice", G_CALLBACK (notice_cb), &n_notices);
  tau_agent_session_set_name (session, "name");
  g_assert_cmpuint (n_notices, ==, 1);
  g_assert_null (tau_agent_session_get_name (session));
  g_signal_handlers_disconnect_by_func (session, notice_cb, &n_notices);
}

/* P65: a file that does not begin with a header is shown, never written to, and can be gone on with in a copy. */
static void
test_headerless (Fixture       *self,
                 gconstpointer  data)
{
  static const char contents[] = LINE ("u1", "null") HEADER LINE ("u2", "\"u1\"");
  g_autofree char *path = tau_test_dir_write (self->dir, "sessions/s.jsonl", contents);
  g_autofree char *id = NULL, *fork = NULL, *after = NULL, *line = NULL;
  g_autoptr(GError) error = NULL;

  fixture_open (self, (TauAgentSessionOptions) { .session_path = path });
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 2);
  g_assert_nonnull (tau_agent_session_get_obstacle (self->session));
  g_assert_null (tau_agent_session_get_holder (self->session));
  g_assert_cmpstr (tau_agent_session_get_cwd (self->session), ==, "/home/u/project");
  line = tau_agent_session_dup_header_line (self->session);
  g_assert_cmpstr (line, ==, "");
  check_refusals (self->session);
  tau_agent_session_set_typed (self->session, "kept", 4);
  id = g_strdup (tau_agent_session_get_id (self->session));
  fork = tau_agent_session_fork (self->session, NULL, NULL, &error);
  g_assert_no_error (error);
  fixture_close (self);

  fixture_open (self, (TauAgentSessionOptions) { .session_path = path });
  g_assert_cmpstr (tau_agent_session_get_id (self->session), ==, id);
  g_assert_cmpstr (tau_agent_session_get_typed (self->session, NULL), ==, "kept");
  fixture_close (self);
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, contents);

  fixture_open (self, (TauAgentSessionOptions) { .session_path = fork, .cwd = self->cwd });
  g_assert_null (tau_agent_session_get_obstacle (self->session));
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 2);
  fixture_answer (self, ANSWER ("Yes."));
  fixture_prompt (self, "Go on");
  fixture_wait (self);
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (self->session)), ==, 4);
}

static void
test_fallback_folder (Fixture       *self,
                      gconstpointer  data)
{
  g_autofree char *path = tau_test_dir_write (self->dir, "s.jsonl", LINE ("u1", "null"));

  g_autofree char *empty = tau_test_dir_write (self->dir, "empty.jsonl", "");

  fixture_open (self, (TauAgentSessionOptions) { .session_path = path, .fallback_cwd = self->cwd });
  g_assert_cmpstr (tau_agent_session_get_cwd (self->session), ==, self->cwd);
  fixture_close (self);
  fixture_open (self, (TauAgentSessionOptions) { .session_path = empty, .fallback_cwd = self->cwd });
  g_assert_cmpstr (tau_agent_session_get_cwd (self->session), ==, self->cwd);
  g_assert_null (tau_agent_session_get_obstacle (self->session));
}

/* P65: nothing in it can be read: there is nothing to show, and nothing is written. */
static void
test_garbage (Fixture       *self,
              gconstpointer  data)
{
  g_autofree char *path = tau_test_dir_write (self->dir, "s.jsonl", "garbage\n{\"type\":\n");
  g_autofree char *after = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_null (fixture_try_open (self, (TauAgentSessionOptions) { .session_path = path }, &error));
  g_assert_error (error, TAU_SESSION_ERROR, TAU_SESSION_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, "garbage\n{\"type\":\n");
}

/* What was scanned elsewhere is taken as it is, and the lease with it. */
static void
test_loaded_before (Fixture       *self,
                    gconstpointer  data)
{
  g_autofree char *path = tau_test_dir_write (self->dir, "s.jsonl", HEADER LINE ("u1", "null"));
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(TauSessionFile) file = NULL;
  g_autoptr(TauSessionFile) other = NULL;

  tau_session_file_load_async (path, NULL, stored_cb, &result);
  tau_test_wait_until (result != NULL);
  file = tau_session_file_load_finish (result, NULL);
  fixture_open (self, (TauAgentSessionOptions) { .session_path = path, .file = file, .cwd = self->cwd });
  g_assert_true (tau_agent_session_get_tree (self->session) == tau_session_file_get_tree (file));
  other = tau_session_file_load (path, NULL);
  g_assert_false (tau_session_file_take_lease (other));
  fixture_answer (self, ANSWER ("Yes."));
  fixture_prompt (self, "Go on");
  fixture_wait (self);
  g_assert_null (tau_session_file_get_error (file));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add ("/agent-session-lease/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)
  ADD ("p65-headerless", test_headerless);
  ADD ("p65-garbage", test_garbage);
  ADD ("fallback-folder", test_fallback_folder);
  ADD ("loaded-before", test_loaded_before);
#undef ADD
  return g_test_run ();
}
