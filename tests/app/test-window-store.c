/* SPDX-License-Identifier: MIT */
#include "window-fixture.h"

#include "app/composer/tau-composer.h"
#include "app/tau-lease-bar.h"
#include "app/transcript/tau-transcript-view.h"
#include "core/session/tau-session-file.h"
#include "support/tau-test-keys.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>

/* What a window does about the session file: who owns it, what others do to it, what is not written yet. */

#define LINE(id, parent, role) \
  "{\"type\":\"message\",\"id\":\"" id "\",\"parentId\":" parent ",\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"message\":{\"role\":\"" role "\",\"content\":[{\"type\":\"text\",\"text\":\"text of " id "\"}],\"timestamp\":1}}\n"

static char *
write_session (Rig *rig)
{
  static guint n_sessions;
  g_autofree char *name = g_strdup_printf ("agent/sessions/--store--/s%u.jsonl", n_sessions++);
  g_autofree char *text = g_strdup_printf ("{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"cwd\":\"%s\"}\n"
                                           LINE ("a1", "null", "user"), strrchr (name, '/') + 1, rig->session.cwd);

  return tau_test_dir_write (rig->session.dir, name, text);
}

static void
append_raw (const char *path,
            const char *text)
{
  FILE *stream = g_fopen (path, "a");

  g_assert_cmpuint (fwrite (text, 1, strlen (text), stream), ==, strlen (text));
  g_assert_cmpint (fclose (stream), ==, 0);
}

/* The button that can be seen and reached by the keyboard. */
static GtkWidget *
find_button (GtkWidget  *from,
             const char *label)
{
  if (GTK_IS_BUTTON (from) && shows_text (from, label) && gtk_widget_get_focusable (from))
    return from;
  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
press (Rig        *rig,
       const char *label)
{
  GtkWidget *button = NULL;

  tau_test_wait_until ((button = find_button (GTK_WIDGET (rig->window), label)) != NULL);
  gtk_widget_grab_focus (button);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
}

static TauSessionFile *
own (const char *path)
{
  TauSessionFile *owner = tau_session_file_load (path, NULL);

  g_assert_true (tau_session_file_take_lease (owner));
  return owner;
}

/* P58: another one has the session; the window says so and takes over when that is done, with all that it wrote. */
static void
test_take_over (Rig           *rig,
                gconstpointer  data)
{
  g_autofree char *path = write_session (rig);
  g_autoptr(TauSessionFile) owner = own (path);
  GtkWidget *bar;
  GListModel *messages;

  rig_open_window (rig);
  bar = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_LEASE_BAR);
  g_assert_false (gtk_widget_get_mapped (bar));
  rig_open_session (rig, path);
  tau_test_wait_until (shows_text (bar, "is in use by"));
  g_assert_nonnull (tau_agent_session_get_holder (rig_session (rig)));
  g_assert_false (tau_agent_session_prompt (rig_session (rig), "no", NULL, TAU_DELIVERY_PROMPT, NULL));

  press (rig, "Take over when free");
  tau_test_wait_until (shows_text (bar, "Waits until"));
  append_raw (path, LINE ("a2", "\"a1\"", "user"));
  tau_session_file_close (owner);
  tau_test_wait_until (!gtk_widget_get_mapped (bar));
  messages = tau_agent_session_get_messages (rig_session (rig));
  g_assert_cmpuint (g_list_model_get_n_items (messages), ==, 2);
  fixture_answer (&rig->session, ANSWER ("Mine now."));
  rig_prompt (rig, "Go on");
  rig_wait_idle (rig);
  g_assert_cmpuint (g_list_model_get_n_items (messages), ==, 4);
}

static void
test_fork_to_continue (Rig           *rig,
                       gconstpointer  data)
{
  g_autofree char *path = write_session (rig);
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr(TauSessionFile) owner = own (path);

  rig_open_window (rig);
  rig_open_session (rig, path);
  press (rig, "Fork to continue");
  tau_test_wait_until (tau_agent_session_get_holder (rig_session (rig)) == NULL);
  g_assert_cmpstr (tau_agent_session_get_path (rig_session (rig)), !=, path);
  g_file_get_contents (path, &before, NULL, NULL);
  fixture_answer (&rig->session, ANSWER ("In the copy."));
  rig_prompt (rig, "Go on");
  rig_wait_idle (rig);
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (rig_session (rig))), ==, 3);
  g_file_get_contents (path, &after, NULL, NULL);
  g_assert_cmpstr (after, ==, before);
}

/* P65: a file that does not begin with a header: what is in it is shown, with why nothing can be added, and a copy goes on. */
static void
test_headerless (Rig           *rig,
                 gconstpointer  data)
{
  static const char contents[] = LINE ("a1", "null", "user") LINE ("a2", "\"a1\"", "user");
  g_autofree char *path = tau_test_dir_write (rig->session.dir, "agent/sessions/--store--/headerless.jsonl", contents);
  g_autofree char *after = NULL;
  GtkWidget *bar;

  rig_open_window (rig);
  rig_open_session (rig, path);
  bar = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_LEASE_BAR);
  tau_test_wait_until (shows_text (bar, "does not begin with the header of a session"));
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (rig_session (rig))), ==, 2);
  tau_test_wait_until (gtk_widget_get_mapped (find_widget (GTK_WIDGET (rig->window), TAU_TYPE_TRANSCRIPT_VIEW)));
  g_assert_false (shows_text (bar, "Take over when free"));
  g_assert_cmpstr (tau_window_get_folder (rig->window), ==, rig->session.cwd);
  press (rig, "Fork to continue");
  tau_test_wait_until (tau_agent_session_get_obstacle (rig_session (rig)) == NULL);
  tau_test_wait_until (!gtk_widget_get_mapped (bar));
  fixture_answer (&rig->session, ANSWER ("In the copy."));
  rig_prompt (rig, "Go on");
  rig_wait_idle (rig);
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (rig_session (rig))), ==, 4);
  g_file_get_contents (path, &after, NULL, NULL);
  g_assert_cmpstr (after, ==, contents);
}

/* pi goes on in a file that a window shows: said, and both are there. */
static void
test_other_program_writes (Rig           *rig,
                           gconstpointer  data)
{
  g_autofree char *path = write_session (rig);
  g_autoptr(TauSessionFile) all = NULL;

  rig_open_window (rig);
  rig_open_session (rig, path);
  append_raw (path, LINE ("p1", "\"a1\"", "user"));
  fixture_answer (&rig->session, ANSWER ("Yes."));
  rig_prompt (rig, "Go on");
  tau_test_wait_until (shows_text (GTK_WIDGET (rig->window), "Another program wrote 1 entry"));
  rig_wait_idle (rig);
  all = tau_session_file_load (path, NULL);
  g_assert_nonnull (tau_session_tree_lookup (tau_session_file_get_tree (all), "p1"));
}

/* P59: a file that cannot grow: a banner says so, and goes when it can. */
static void
test_disk_full (Rig           *rig,
                gconstpointer  data)
{
  g_autofree char *path = write_session (rig);
  g_autofree char *padding = g_strnfill (200000, ' ');
  g_autofree char *error = NULL, *after = NULL;
  struct rlimit before, limit;

  rig_open_window (rig);
  append_raw (path, padding);
  append_raw (path, "\n");
  rig_open_session (rig, path);
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  limit = before;
  limit.rlim_cur = 200000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  fixture_answer (&rig->session, ANSWER ("Kept."));
  rig_prompt (rig, "Go on");
  tau_test_wait_until (shows_text (GTK_WIDGET (rig->window), "cannot be saved now"));
  rig_wait_idle (rig);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_object_get (rig_session (rig), "error", &error, NULL);
  g_assert_nonnull (error);
  tau_test_wait_until (!shows_text (GTK_WIDGET (rig->window), "cannot be saved now"));
  g_file_get_contents (path, &after, NULL, NULL);
  g_assert_nonnull (strstr (after, "Kept."));
}

/* P20: typed, the window is closed and the session with it, opened again: the text is there, in its session only. */
static void
test_typed_text_comes_back (Rig           *rig,
                            gconstpointer  data)
{
  g_autofree char *path = write_session (rig);
  g_autofree char *other_path = write_session (rig);
  g_autofree char *typed = NULL, *other = NULL;
  g_autoptr(TauAgentSession) again = NULL;
  TauComposer *composer;
  TauAgentSessionOptions options = { .agent_dir = rig->session.agent_dir, .session_path = path };
  int cursor;

  rig_open_window (rig);
  composer = TAU_COMPOSER (find_widget (GTK_WIDGET (rig->window), TAU_TYPE_COMPOSER));
  rig_open_session (rig, path);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_B);
  tau_test_wait_until (gtk_widget_get_mapped (GTK_WIDGET (composer))
                       && g_str_equal (tau_agent_session_get_typed (rig_session (rig), NULL), "b"));
  rig_open_session (rig, other_path);
  other = tau_composer_dup_text (composer);
  g_assert_cmpstr (other, ==, "");
  rig_open_session (rig, path);
  typed = tau_composer_dup_text (composer);
  g_assert_cmpstr (typed, ==, "b");

  tau_agent_session_close (rig_session (rig));
  options.catalog = tau_application_get_catalog (rig->application);
  again = tau_agent_session_new (&options, NULL);
  g_assert_cmpstr (tau_agent_session_get_typed (again, &cursor), ==, "b");
  g_assert_cmpint (cursor, ==, 1);
  tau_agent_session_close (again);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();

#define ADD(path, function) g_test_add ("/app/window-store/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("p58-take-over", test_take_over);
  ADD ("p58-fork-to-continue", test_fork_to_continue);
  ADD ("p65-headerless", test_headerless);
  ADD ("other-program-writes", test_other_program_writes);
  ADD ("p59-disk-full", test_disk_full);
  ADD ("p20-typed-text-comes-back", test_typed_text_comes_back);
  return run_window_tests ();
}
