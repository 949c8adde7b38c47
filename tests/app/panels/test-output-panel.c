/* SPDX-License-Identifier: MIT */
#include "app/panels/tau-output-panel.h"

#include "core/session/session-fixture.h"

#include <adwaita.h>

/* The output of real commands, as the panel shows it while and after they run. */

typedef struct
{
  Fixture         session;
  GtkWidget      *window;
  TauOutputPanel *panel;
} Rig;

static void
rig_set_up (Rig           *rig,
            gconstpointer  data)
{
  fixture_set_up (&rig->session, data);
  fixture_open (&rig->session, (TauAgentSessionOptions) { 0 });
  rig->window = gtk_window_new ();
  rig->panel = g_object_new (TAU_TYPE_OUTPUT_PANEL, NULL);
  gtk_window_set_default_size (GTK_WINDOW (rig->window), 400, 600);
  gtk_window_set_child (GTK_WINDOW (rig->window), GTK_WIDGET (rig->panel));
  gtk_window_present (GTK_WINDOW (rig->window));
  tau_output_panel_set_session (rig->panel, rig->session.session);
}

static void
rig_tear_down (Rig           *rig,
               gconstpointer  data)
{
  gtk_window_destroy (GTK_WINDOW (rig->window));
  fixture_tear_down (&rig->session, data);
}

/* The text below a widget that can be seen: labels and text views, a line each. */
static void
collect_text (GtkWidget *from,
              GString   *text)
{
  if (!gtk_widget_get_mapped (from))
    return;
  if (GTK_IS_LABEL (from))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (from)));
  if (GTK_IS_TEXT_VIEW (from))
    {
      GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (from));
      g_autofree char *content = NULL;
      GtkTextIter start, end;

      gtk_text_buffer_get_bounds (buffer, &start, &end);
      content = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
      g_string_append_printf (text, "%s\n", content);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect_text (child, text);
}

static gboolean
shows (Rig        *rig,
       const char *part)
{
  g_autoptr(GString) text = g_string_new (NULL);

  collect_text (GTK_WIDGET (rig->panel), text);
  return strstr (text->str, part) != NULL;
}

/* While a command runs its output so far shows, and that it runs; then that it is done. */
static void
test_shows_a_command_while_it_runs (Rig           *rig,
                                    gconstpointer  data)
{
  g_autofree char *go = g_build_filename (rig->session.cwd, "go", NULL);

  tau_test_wait_until (shows (rig, "show their output here"));
  fixture_answer (&rig->session, TOOL_CALL ("t1", "bash", "{\\\"command\\\":\\\"echo first; until [ -e go ]; do sleep 0.05; done; echo second\\\"}"));
  fixture_answer (&rig->session, ANSWER ("Done."));
  fixture_prompt (&rig->session, "Run it");
  tau_test_wait_until (shows (rig, "first\n") && shows (rig, "Running · "));
  g_assert_true (shows (rig, "echo first"));
  g_assert_false (shows (rig, "\nsecond\n"));

  g_assert_true (g_file_set_contents (go, "", 0, NULL));
  fixture_wait (&rig->session);
  tau_test_wait_until (shows (rig, "first\nsecond") && shows (rig, "Done · "));
}

static void
run_two (Rig *rig)
{
  fixture_answer (&rig->session, TOOL_CALL ("t1", "bash", "{\\\"command\\\":\\\"echo from the first\\\"}"));
  fixture_answer (&rig->session, TOOL_CALL ("t2", "bash", "{\\\"command\\\":\\\"echo from the second; exit 3\\\"}"));
  fixture_answer (&rig->session, ANSWER ("Done."));
  fixture_prompt (&rig->session, "Run both");
  fixture_wait (&rig->session);
}

static void
test_follows_the_newest (Rig           *rig,
                         gconstpointer  data)
{
  run_two (rig);
  tau_test_wait_until (shows (rig, "from the second") && shows (rig, "Failed"));
}

static void
test_shows_the_selected_one (Rig           *rig,
                             gconstpointer  data)
{
  run_two (rig);
  tau_output_panel_show_call (rig->panel, "t1");
  tau_test_wait_until (shows (rig, "\nfrom the first\n") && shows (rig, "Done"));
  g_assert_false (shows (rig, "from the second"));
}

/* A session from disk has no runs; what they gave is in its messages. */
static void
test_shows_a_result_of_an_old_session (Rig           *rig,
                                       gconstpointer  data)
{
  g_autofree char *path = NULL;

  run_two (rig);
  path = g_strdup (tau_agent_session_get_path (rig->session.session));
  tau_output_panel_set_session (rig->panel, NULL);
  fixture_close (&rig->session);
  fixture_open (&rig->session, (TauAgentSessionOptions) { .session_path = path });
  tau_output_panel_set_session (rig->panel, rig->session.session);
  tau_output_panel_show_call (rig->panel, "t2");
  tau_test_wait_until (shows (rig, "from the second") && shows (rig, "Failed"));
  g_assert_true (shows (rig, "exit 3"));
}

static void
ran_cb (GObject      *session,
        GAsyncResult *result,
        gpointer      user_data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(TauBashExecutionMessage) message = tau_agent_session_run_bash_finish (TAU_AGENT_SESSION (session), result, &error);

  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* The user's own command shows while it runs, even if another one was selected. */
static void
test_shows_the_users_command (Rig           *rig,
                              gconstpointer  data)
{
  g_autofree char *go = g_build_filename (rig->session.cwd, "go", NULL);
  gboolean over = FALSE;

  run_two (rig);
  tau_output_panel_show_call (rig->panel, "t1");
  tau_agent_session_run_bash_async (rig->session.session, "printf '\\033[1mmine\\033[0m'; until [ -e go ]; do sleep 0.05; done; echo end", FALSE, ran_cb, &over);
  tau_test_wait_until (shows (rig, "\nmine\n") && shows (rig, "Running · "));
  g_assert_true (g_file_set_contents (go, "", 0, NULL));
  tau_test_wait_until (over && shows (rig, "mineend") && shows (rig, "Done · "));
}

static GtkWidget *
find_stop_button (GtkWidget  *from,
                  const char *command)
{
  GtkWidget *found = NULL;
  g_autoptr(GString) text = g_string_new (NULL);

  if (GTK_IS_LIST_BOX_ROW (from))
    {
      collect_text (from, text);
      if (strstr (text->str, command) == NULL)
        return NULL;
    }
  if (GTK_IS_BUTTON (from) && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (from)), "media-playback-stop-symbolic") == 0)
    return from;
  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find_stop_button (child, command);
  return found;
}

/* P27: what a command leaves running stands below, and can be ended there. */
static void
test_p27_stops_what_is_left (Rig           *rig,
                             gconstpointer  data)
{
  gboolean over = FALSE;
  GtkWidget *stop;

  tau_agent_session_run_bash_async (rig->session.session, "setsid sleep 601 & echo begun", FALSE, ran_cb, &over);
  tau_test_wait_until (over && shows (rig, "sleep 601\nprocess "));
  g_assert_true (shows (rig, "Still running"));
  stop = find_stop_button (GTK_WIDGET (rig->panel), "sleep 601");
  g_assert_nonnull (stop);
  g_signal_emit_by_name (stop, "clicked");
  g_assert_false (gtk_widget_get_sensitive (stop));
  tau_test_wait_until (!shows (rig, "sleep 601\n"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();

#define ADD(path, function) g_test_add ("/app/output-panel/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("shows-a-command-while-it-runs", test_shows_a_command_while_it_runs);
  ADD ("follows-the-newest", test_follows_the_newest);
  ADD ("shows-the-selected-one", test_shows_the_selected_one);
  ADD ("shows-a-result-of-an-old-session", test_shows_a_result_of_an_old_session);
  ADD ("shows-the-users-command", test_shows_the_users_command);
  ADD ("p27-stops-what-is-left", test_p27_stops_what_is_left);
  return g_test_run ();
}
