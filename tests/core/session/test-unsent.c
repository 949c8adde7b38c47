/* SPDX-License-Identifier: MIT */
#include "core/session/session-fixture.h"
#include "core/session/tau-unsent.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

/* What is typed and queued is on disk and comes back, for the session that it belongs to and no other. A crash is an
 * object that is dropped: the lease goes with it, nothing is saved on the way. */

static char *
dup_file (Fixture    *self,
          const char *id)
{
  return g_strdup_printf ("%s/tau/unsent/%s.json", self->state_dir, id);
}

static gboolean
has_file (Fixture    *self,
          const char *id)
{
  g_autofree char *path = dup_file (self, id);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static TauUnsent *
make (Fixture    *self,
      const char *id)
{
  g_autofree char *name = g_strconcat (id, ".jsonl", NULL);
  g_autofree char *path = tau_test_dir_build (self->dir, name);

  return tau_unsent_new (id, path, self->cwd);
}

/* Lets go of @unsent, and waits for a save that is still in a thread. */
static void
drop (TauUnsent **unsent)
{
  g_object_add_weak_pointer (G_OBJECT (*unsent), (gpointer *) unsent);
  g_object_unref (*unsent);
  tau_test_wait_until (*unsent == NULL);
}

static void
test_typed_text (Fixture       *self,
                 gconstpointer  data)
{
  g_autoptr(TauUnsent) unsent = make (self, "one");
  g_autofree char *path = dup_file (self, "one");
  const char *text = "half a thought\nwith \"quotes\", \xE2\x80\xA8 and ü";
  GStatBuf info;
  int cursor;

  g_assert_cmpstr (tau_unsent_get_text (unsent, NULL), ==, "");
  tau_unsent_set_text (unsent, "half", 4);
  tau_unsent_set_text (unsent, text, 7);
  g_assert_false (has_file (self, "one"));
  tau_test_wait_until (has_file (self, "one"));
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);

  drop (&unsent);
  unsent = make (self, "one");
  g_assert_cmpstr (tau_unsent_get_text (unsent, &cursor), ==, text);
  g_assert_cmpint (cursor, ==, 7);
  tau_unsent_set_text (unsent, "", 0);
  tau_test_wait_until (!has_file (self, "one"));
}

/* Saves in a thread and at once, in any order: what was said last stands. */
static void
test_order (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr(TauUnsent) unsent = make (self, "one");
  g_autoptr(TauUnsent) again = NULL;

  for (int i = 0; i < 50; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %d", i);

      tau_unsent_set_text (unsent, text, 0);
      if (i % 3 == 0)
        tau_unsent_save (unsent);
      if (i % 10 == 9)
        tau_test_loop_settle ();
    }
  tau_unsent_save (unsent);
  drop (&unsent);
  again = make (self, "one");
  g_assert_cmpstr (tau_unsent_get_text (again, NULL), ==, "text 49");
}

/* Two programs at one session: the second neither sees nor changes what the first has typed. */
static void
test_two_owners (Fixture       *self,
                 gconstpointer  data)
{
  g_autoptr(TauUnsent) first = make (self, "one");
  g_autoptr(TauUnsent) second = NULL;
  g_autoptr(TauUnsent) again = NULL;

  tau_unsent_set_text (first, "mine", 0);
  tau_unsent_save (first);
  second = make (self, "one");
  g_assert_cmpstr (tau_unsent_get_text (second, NULL), ==, "");
  tau_unsent_set_text (second, "somebody else's", 0);
  tau_unsent_save (second);
  drop (&first);
  again = make (self, "one");
  g_assert_cmpstr (tau_unsent_get_text (again, NULL), ==, "mine");
}

static void
test_adopted (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr(TauUnsent) lost = make (self, "lost");
  g_autoptr(TauUnsent) elsewhere = tau_unsent_new ("elsewhere", "/nowhere/e.jsonl", "/somewhere/else");
  g_autoptr(TauUnsent) saved = make (self, "saved");
  g_autoptr(TauUnsent) fresh = make (self, "fresh");
  g_autoptr(TauUnsent) next = make (self, "next");

  g_free (tau_test_dir_write (self->dir, "saved.jsonl", "it has a file"));
  tau_unsent_set_text (lost, "for a session that never was", 3);
  tau_unsent_save (lost);
  tau_unsent_set_text (elsewhere, "in another folder", 0);
  tau_unsent_save (elsewhere);
  tau_unsent_set_text (saved, "of a session with a file", 0);
  tau_unsent_save (saved);
  drop (&elsewhere);
  drop (&saved);
  g_assert_false (tau_unsent_adopt (fresh));   /* its owner lives */
  drop (&lost);
  g_assert_true (tau_unsent_adopt (fresh));
  g_assert_cmpstr (tau_unsent_get_text (fresh, NULL), ==, "for a session that never was");
  g_assert_false (has_file (self, "lost"));
  g_assert_true (has_file (self, "fresh"));
  g_assert_false (tau_unsent_adopt (next));
}

/* Garbage in the file is nothing typed. */
static void
test_garbage (Fixture       *self,
              gconstpointer  data)
{
  g_autofree char *path = dup_file (self, "one");
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr(TauUnsent) unsent = NULL;
  g_autoptr(GPtrArray) queue = NULL;

  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (path, "{\"text\":7,\"cursor\":-3,\"steering\":[null,{\"role\":\"x\"}],\"followUp\":{}}", -1, NULL));
  unsent = make (self, "one");
  g_assert_cmpstr (tau_unsent_get_text (unsent, NULL), ==, "");
  queue = tau_unsent_take_queue (unsent, FALSE);
  g_assert_cmpuint (queue->len, ==, 0);
}

/* P26: queued when the program is killed, queued again when the session is opened, and kept all the while. */
static void
test_queue (Fixture       *self,
            gconstpointer  data)
{
  g_autofree char *session_path = NULL, *id = NULL, *unsent_path = NULL, *left = NULL, *typed = NULL;
  GListModel *queued;

  fixture_open (self, (TauAgentSessionOptions) { 0 });
  fixture_answer (self, ANSWER ("Yes."));
  fixture_prompt (self, "First.");
  fixture_wait (self);
  session_path = g_strdup (tau_agent_session_get_path (self->session));
  id = g_strdup (tau_agent_session_get_id (self->session));
  unsent_path = dup_file (self, id);
  tau_test_server_push (self->server, &(TauTestResponse) { .ending = TAU_TEST_ENDING_SILENT });
  fixture_prompt (self, "Second.");
  tau_test_wait_until (tau_test_server_get_n_requests (self->server) == 2);
  tau_agent_session_steer (self->session, "to the left", NULL);
  tau_agent_session_follow_up (self->session, "and then rest", NULL);
  tau_agent_session_set_typed (self->session, "typed", 2);
  /* At the moment of sending, typed text a little later. */
  g_assert_true (g_file_get_contents (unsent_path, &left, NULL, NULL));
  g_assert_nonnull (strstr (left, "to the left"));
  g_assert_nonnull (strstr (left, "and then rest"));
  fixture_close (self);
  g_assert_true (g_file_get_contents (unsent_path, &typed, NULL, NULL));
  g_assert_nonnull (strstr (typed, "\"typed\""));

  for (guint i = 0; i < 2; i++)
    {
      int cursor;

      /* One that does not show it leaves it where it is. */
      fixture_open (self, (TauAgentSessionOptions) { .session_path = session_path });
      g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_queued (self->session)), ==, 0);
      fixture_close (self);

      fixture_open (self, (TauAgentSessionOptions) { .session_path = session_path });
      tau_agent_session_restore_unsent (self->session);
      queued = tau_agent_session_get_queued (self->session);
      g_assert_cmpuint (g_list_model_get_n_items (queued), ==, 2);
      g_assert_cmpstr (tau_agent_session_get_typed (self->session, &cursor), ==, "typed");
      g_assert_cmpint (cursor, ==, 2);
      if (i == 0)
        fixture_close (self);
    }
  fixture_answer (self, ANSWER ("Third."));
  fixture_answer (self, ANSWER ("Fourth."));
  fixture_answer (self, ANSWER ("Fifth."));
  fixture_prompt (self, "Go.");
  fixture_wait (self);
  g_assert_cmpuint (g_list_model_get_n_items (queued), ==, 0);
  tau_agent_session_set_typed (self->session, "", 0);
  fixture_close (self);
  g_assert_false (has_file (self, id));
}

#define ADD(path, func) g_test_add ("/unsent/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("p20-typed-text", test_typed_text);
  ADD ("p20-adopted", test_adopted);
  ADD ("order", test_order);
  ADD ("two-owners", test_two_owners);
  ADD ("garbage", test_garbage);
  ADD ("p26-queue", test_queue);
  return g_test_run ();
}
