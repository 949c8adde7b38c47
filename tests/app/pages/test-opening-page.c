/* SPDX-License-Identifier: MIT */
#include "app/window-fixture.h"

#include "app/composer/tau-composer.h"
#include "app/pages/tau-opening-page.h"
#include "app/transcript/tau-transcript-view.h"
#include "support/tau-test-keys.h"

#define HEADER "{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"cwd\":\"%s\"}\n"
#define ENTRY "{\"type\":\"message\",\"id\":\"a1\",\"parentId\":null,\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"message\":{\"role\":\"user\",\"content\":\"text of %s\",\"timestamp\":1}}\n"

static char *
write_session (Rig        *rig,
               const char *id,
               gsize       n_blank_lines)
{
  g_autofree char *name = g_strdup_printf ("agent/sessions/--opening--/%s.jsonl", id);
  g_autofree char *blank = g_strnfill (n_blank_lines, '\n');
  g_autofree char *text = g_strdup_printf (HEADER "%s" ENTRY, id, rig->session.cwd, blank, id);

  return tau_test_dir_write (rig->session.dir, name, text);
}

/* Many lines that say nothing take long to read. */
static char *
write_long_session (Rig *rig)
{
  return write_session (rig, "long", 100 * 1000 * 1000);
}

static TauOpeningPage *
find_page (Rig *rig)
{
  return TAU_OPENING_PAGE (find_widget (GTK_WIDGET (rig->window), TAU_TYPE_OPENING_PAGE));
}

static gboolean
composer_is_sensitive (Rig *rig)
{
  return gtk_widget_is_sensitive (find_widget (GTK_WIDGET (rig->window), TAU_TYPE_COMPOSER));
}

/* P04: the window goes on while a long session is read, and shows that it is. Another session ends the wait. */
static void
test_slow (Rig           *rig,
           gconstpointer  data)
{
  g_autofree char *path = write_long_session (rig);
  g_autofree char *other = write_session (rig, "short", 0);
  TauAgentSession *before;

  rig_open_window (rig);
  before = rig_session (rig);
  tau_window_open_session (rig->window, path);
  g_assert_true (tau_opening_page_is_busy (find_page (rig)));
  g_assert_false (tau_opening_page_is_slow (find_page (rig)));
  g_assert_false (composer_is_sensitive (rig));
  tau_test_wait_until (shows_text (GTK_WIDGET (rig->window), "Opening the session…"));
  g_assert_true (rig_session (rig) == before);
  g_assert_true (shows_text (GTK_WIDGET (find_page (rig)), "long.jsonl"));

  rig_open_session (rig, other);
  g_assert_false (tau_opening_page_is_busy (find_page (rig)));
  g_assert_true (composer_is_sensitive (rig));
  tau_test_wait_until (!shows_text (GTK_WIDGET (rig->window), "Opening the session…"));
  tau_test_wait_until (gtk_widget_get_mapped (find_widget (GTK_WIDGET (rig->window), TAU_TYPE_TRANSCRIPT_VIEW)));
  g_assert_null (tau_application_lookup_session (rig->application, path));
}

static GtkWidget *
find_button (GtkWidget *from)
{
  return find_widget (from, GTK_TYPE_BUTTON);
}

static void
test_cancel (Rig           *rig,
             gconstpointer  data)
{
  g_autofree char *path = write_long_session (rig);
  g_autofree char *other = write_session (rig, "other", 0);

  rig_open_window (rig);
  rig_open_session (rig, other);
  tau_window_open_session (rig->window, path);
  tau_test_wait_until (tau_opening_page_is_slow (find_page (rig)));
  g_signal_emit_by_name (find_button (GTK_WIDGET (find_page (rig))), "clicked");
  g_assert_false (tau_opening_page_is_busy (find_page (rig)));
  g_assert_true (composer_is_sensitive (rig));
  tau_test_wait_until (gtk_widget_get_mapped (find_widget (GTK_WIDGET (rig->window), TAU_TYPE_TRANSCRIPT_VIEW)));
  g_assert_cmpstr (tau_agent_session_get_path (rig_session (rig)), ==, other);
}

static void
test_escape (Rig           *rig,
             gconstpointer  data)
{
  g_autofree char *path = write_long_session (rig);
  TauAgentSession *before;

  rig_open_window (rig);
  before = rig_session (rig);
  tau_window_open_session (rig->window, path);
  tau_test_wait_until (shows_text (GTK_WIDGET (rig->window), "Opening the session…"));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_ESCAPE);
  tau_test_wait_until (!tau_opening_page_is_busy (find_page (rig)));
  g_assert_true (rig_session (rig) == before);
  tau_test_wait_until (gtk_widget_has_focus (gtk_window_get_focus (GTK_WINDOW (rig->window))));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (rig->window)),
                                         find_widget (GTK_WIDGET (rig->window), TAU_TYPE_COMPOSER)));
}

static void
test_cancel_in_an_empty_window (Rig           *rig,
                                gconstpointer  data)
{
  g_autofree char *path = write_long_session (rig);
  TauWindow *window;

  rig_open_window (rig);
  window = tau_window_new (rig->application);
  tau_window_open_session (window, path);
  gtk_window_present (GTK_WINDOW (window));
  tau_test_wait_until (shows_text (GTK_WIDGET (window), "Opening the session…"));
  g_signal_emit_by_name (find_button (find_widget (GTK_WIDGET (window), TAU_TYPE_OPENING_PAGE)), "clicked");
  g_assert_cmpstr (tau_window_get_folder (window), ==, rig->session.cwd);
  tau_test_wait_until (!shows_text (GTK_WIDGET (window), "Opening the session…"));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The window goes while its session is still read. */
static void
test_closed_meanwhile (Rig           *rig,
                       gconstpointer  data)
{
  g_autofree char *path = write_long_session (rig);
  gpointer window;

  rig_open_window (rig);
  window = tau_window_new (rig->application);
  tau_window_open_session (window, path);
  gtk_window_present (window);
  tau_test_wait_until (shows_text (window, "Opening the session…"));
  g_object_add_weak_pointer (window, &window);
  gtk_window_destroy (window);
  tau_test_wait_until (window == NULL);
  g_assert_null (tau_application_lookup_session (rig->application, path));
}

/* A window of its own that finds nothing has something to go on with, and says what is wrong. */
static void
test_missing (Rig           *rig,
              gconstpointer  data)
{
  g_autofree char *path = tau_test_dir_build (rig->session.dir, "missing.jsonl");
  TauWindow *window;

  rig_open_window (rig);
  window = tau_window_new (rig->application);
  tau_window_open_session (window, path);
  gtk_window_present (GTK_WINDOW (window));
  tau_test_wait_until (shows_text (GTK_WIDGET (window), "missing.jsonl"));
  g_assert_cmpstr (tau_window_get_folder (window), ==, rig->session.cwd);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Two windows open one file at the same moment: it is one session. */
static void
test_twice (Rig           *rig,
            gconstpointer  data)
{
  g_autofree char *path = write_session (rig, "twice", 1000);
  TauWindow *window;

  rig_open_window (rig);
  window = tau_window_new (rig->application);
  tau_window_open_session (window, path);
  rig_open_session (rig, path);
  tau_test_wait_until (tau_window_get_session (window) == rig_session (rig));
  g_assert_null (tau_agent_session_get_holder (rig_session (rig)));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();

#define ADD(path, function) g_test_add ("/app/opening-page/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("p04-slow", test_slow);
  ADD ("cancel", test_cancel);
  ADD ("escape", test_escape);
  ADD ("cancel-in-an-empty-window", test_cancel_in_an_empty_window);
  ADD ("closed-meanwhile", test_closed_meanwhile);
  ADD ("missing", test_missing);
  ADD ("twice", test_twice);
  return run_window_tests ();
}
