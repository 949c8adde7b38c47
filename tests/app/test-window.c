/* SPDX-License-Identifier: MIT */
#include "app/window-fixture.h"

#include "app/composer/tau-composer.h"
#include "app/pages/tau-model-setup.h"
#include "app/panels/tau-output-panel.h"
#include "app/panels/tau-session-panel.h"
#include "app/panels/tau-session-row.h"
#include "support/tau-test-keys.h"

#include <glib/gstdio.h>

/* The whole window in this process: what keys, menus and the end of a run do to it. */

static void
test_escape_stops_the_run (Rig           *rig,
                           gconstpointer  data)
{
  GListModel *messages;
  g_autoptr(TauMessage) last = NULL;

  rig_open_window (rig);
  tau_test_server_push (rig->session.server, &(TauTestResponse) {
    .body = CHUNK ("{\"content\":\"Half\"}", "null"), .ending = TAU_TEST_ENDING_HANG });
  rig_prompt (rig, "Go");
  tau_test_wait_until (tau_agent_session_get_draft (rig_session (rig)) != NULL);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_ESCAPE);
  rig_wait_idle (rig);

  messages = tau_agent_session_get_messages (rig_session (rig));
  last = g_list_model_get_item (messages, g_list_model_get_n_items (messages) - 1);
  g_assert_cmpint (tau_assistant_message_get_stop_reason (TAU_ASSISTANT_MESSAGE (last)), ==, TAU_STOP_REASON_ABORTED);
}

/* What is in a pane does not widen it: the conversation gets the room. */
static void
test_panes_keep_their_widths (Rig           *rig,
                              gconstpointer  data)
{
  GtkWidget *sidebar, *panel;

  rig_open_window (rig);
  sidebar = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_SESSION_PANEL);
  panel = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_OUTPUT_PANEL);
  tau_test_wait_until (gtk_widget_get_width (panel) > 0);
  g_assert_cmpint (gtk_widget_get_width (sidebar), ==, 240);
  g_assert_cmpint (gtk_widget_get_width (panel), ==, 360);
}

/* The row of the list that shows a session of that title. */
static GtkWidget *
find_row (GtkWidget  *from,
          const char *title)
{
  if (TAU_IS_SESSION_ROW (from) && shows_text (from, title))
    return from;
  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_row (child, title);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
test_session_appears_in_the_sidebar (Rig           *rig,
                                     gconstpointer  data)
{
  GtkWidget *panel;

  rig_open_window (rig);
  panel = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_SESSION_PANEL);
  g_assert_false (shows_text (panel, "Where is it listed"));
  fixture_answer (&rig->session, ANSWER ("At the left."));
  rig_prompt (rig, "Where is it listed");
  rig_wait_idle (rig);
  tau_test_wait_until (shows_text (panel, "Where is it listed"));
}

/* The list says which sessions work and which failed, in words too. */
static void
test_sidebar_marks_sessions (Rig           *rig,
                             gconstpointer  data)
{
  GtkWidget *panel, *mark;
  TauAgentSession *session;

  rig_open_window (rig);
  panel = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_SESSION_PANEL);
  session = rig_session (rig);
  fixture_answer (&rig->session, ANSWER ("First."));
  rig_prompt (rig, "Marked session");
  rig_wait_idle (rig);
  tau_test_wait_until (find_row (panel, "Marked session") != NULL);
  mark = gtk_widget_get_first_child (find_row (panel, "Marked session"));
  g_assert_false (gtk_widget_get_visible (mark));

  tau_test_server_push (rig->session.server, &(TauTestResponse) {
    .body = CHUNK ("{\"content\":\"Half\"}", "null"), .ending = TAU_TEST_ENDING_HANG });
  rig_prompt (rig, "Go on");
  mark = gtk_widget_get_first_child (find_row (panel, "Marked session"));
  g_assert_true (gtk_widget_get_visible (mark));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (mark), ==, "running");
  tau_test_wait_until (tau_agent_session_get_draft (session) != NULL);
  tau_agent_session_abort (session);
  rig_wait_idle (rig);

  tau_test_server_push (rig->session.server, &(TauTestResponse) { .status = 401, .body = "no" });
  rig_prompt (rig, "Once more");
  rig_wait_idle (rig);
  mark = gtk_widget_get_first_child (find_row (panel, "Marked session"));
  g_assert_true (gtk_widget_get_visible (mark));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (mark), ==, "the last answer failed");
}

static void
count_cb (GdkFrameClock *clock,
          guint         *n_frames)
{
  (*n_frames)++;
}

static gboolean
passed_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Lets time pass and counts what is drawn meanwhile. */
static guint
count_frames (Rig   *rig,
              guint  milliseconds)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (rig->window));
  guint n_frames = 0;
  gboolean passed = FALSE;
  gulong handler = g_signal_connect (clock, "paint", G_CALLBACK (count_cb), &n_frames);

  g_timeout_add (milliseconds, passed_cb, &passed);
  tau_test_wait_until (passed);
  g_signal_handler_disconnect (clock, handler);
  return n_frames;
}

/* P02: once a run has ended, and scroll bars have faded, nothing is drawn any more. */
static void
test_nothing_is_drawn_at_rest (Rig           *rig,
                               gconstpointer  data)
{
  GtkSettings *settings = gtk_settings_get_default ();

  g_object_set (settings, "gtk-cursor-blink", FALSE, NULL);
  rig_open_window (rig);
  fixture_answer (&rig->session, TOOL_CALL ("rest1", "bash", "{\\\"command\\\":\\\"echo hello\\\"}"));
  fixture_answer (&rig->session, ANSWER ("Done."));
  rig_prompt (rig, "Run something");
  rig_wait_idle (rig);
  tau_test_wait_until (count_frames (rig, 500) == 0);
  g_assert_cmpuint (count_frames (rig, 2000), ==, 0);
  gtk_settings_reset_property (settings, "gtk-cursor-blink");
}

static GtkWindow *
find_dialog (Rig *rig)
{
  g_autoptr(GListModel) toplevels = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr(GtkWindow) window = g_list_model_get_item (toplevels, i);

      if (ADW_IS_PREFERENCES_WINDOW (window))
        return window;
    }
  return NULL;
}

/* Adding a key: it is in auth.json, for nobody else to read, and the session that had only the demo uses its model. */
static void
test_key_is_kept_and_used (Rig           *rig,
                           gconstpointer  data)
{
  g_autofree char *path = g_build_filename (rig->session.agent_dir, "auth.json", NULL);
  g_autofree char *models = g_build_filename (rig->session.agent_dir, "models.json", NULL);
  g_autofree char *stored = NULL;
  GtkWidget *setup, *key;
  GStatBuf info;

  g_remove (models);
  fixture_write_settings (&rig->session, "{}");
  rig_open_window (rig);
  g_assert_cmpstr (tau_model_get_provider (tau_agent_session_get_model (rig_session (rig))), ==, "demo");
  setup = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_MODEL_SETUP);
  tau_test_wait_until (gtk_widget_get_mapped (setup));

  key = find_widget (setup, ADW_TYPE_PASSWORD_ENTRY_ROW);
  gtk_editable_set_text (GTK_EDITABLE (key), "  sk-secret ");
  g_signal_emit_by_name (key, "apply");
  g_assert_true (g_file_get_contents (path, &stored, NULL, NULL));
  g_assert_nonnull (strstr (stored, "\"sk-secret\""));
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (key)), ==, "");
  g_assert_cmpstr (tau_model_get_provider (tau_agent_session_get_model (rig_session (rig))), ==, "anthropic");
  g_assert_false (gtk_widget_get_mapped (setup));
  g_assert_true (shows_text (GTK_WIDGET (rig->window), "Explain this project"));

  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.models", NULL);
  g_assert_nonnull (find_dialog (rig));
  g_assert_nonnull (find_widget (GTK_WIDGET (find_dialog (rig)), TAU_TYPE_MODEL_SETUP));
  gtk_window_destroy (find_dialog (rig));

  g_remove (path);
  fixture_write_models (&rig->session, "");
  fixture_write_settings (&rig->session, "{\"defaultProvider\":\"mock\",\"defaultModel\":\"m1\"}");
}

static gboolean
composer_holds (GtkWidget  *composer,
                const char *text)
{
  g_autofree char *typed = tau_composer_dup_text (TAU_COMPOSER (composer));

  return g_str_equal (typed, text);
}

/* What is typed first goes into the message. */
static void
test_composer_has_the_focus (Rig           *rig,
                             gconstpointer  data)
{
  GtkWidget *composer;

  rig_open_window (rig);
  composer = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_COMPOSER);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_B);
  tau_test_wait_until (composer_holds (composer, "b"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();

#define ADD(path, function) g_test_add ("/app/window/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("composer-has-the-focus", test_composer_has_the_focus);
  ADD ("panes-keep-their-widths", test_panes_keep_their_widths);
  ADD ("escape-stops-the-run", test_escape_stops_the_run);
  ADD ("session-appears-in-the-sidebar", test_session_appears_in_the_sidebar);
  ADD ("sidebar-marks-sessions", test_sidebar_marks_sessions);
  ADD ("P02-nothing-is-drawn-at-rest", test_nothing_is_drawn_at_rest);
  ADD ("key-is-kept-and-used", test_key_is_kept_and_used);
  return run_window_tests ();
}
