/* SPDX-License-Identifier: MIT */
#include "app/window-fixture.h"

#include "core/tool/tau-checkpoints.h"

#include <glib/gstdio.h>

/* Restoring files from the window: the dialog, what it does, and the way back. */

static GtkWindow *
find_dialog (Rig *rig)
{
  g_autoptr(GListModel) windows = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr(GtkWindow) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window) && gtk_window_get_transient_for (window) == GTK_WINDOW (rig->window))
        return window;
    }
  return NULL;
}

/* What a press on one of its buttons does. */
static void
respond (Rig        *rig,
         const char *response)
{
  GtkWindow *dialog = find_dialog (rig);

  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), response);
  gtk_window_destroy (dialog);
}

static gboolean
project_has (Rig        *rig,
             const char *name,
             const char *wanted)
{
  g_autofree char *path = g_build_filename (rig->session.cwd, name, NULL);
  g_autofree char *contents = NULL;

  return g_file_get_contents (path, &contents, NULL, NULL) ? g_strcmp0 (contents, wanted) == 0 : wanted == NULL;
}

/* A picture for people to look at. */
static void
take_picture (GtkWindow  *window,
              const char *name)
{
  const char *folder = g_getenv ("TAU_SCREENSHOT_DIR");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, name, NULL) : NULL;
  const char *const argv[] = { "import", "-window", "root", path, NULL };
  g_autoptr(GError) error = NULL;

  if (path == NULL || g_mkdir_with_parents (folder, 0755) != 0)
    return;
  tau_test_wait_until (gtk_widget_get_mapped (GTK_WIDGET (window)));
  for (gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC / 2; g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, &error);
  g_clear_error (&error);
}

static void
change_two_files (Rig *rig)
{
  g_autofree char *path = g_build_filename (rig->session.cwd, "a.txt", NULL);
  g_autofree char *made = g_build_filename (rig->session.cwd, "b.txt", NULL);

  g_remove (made);
  g_assert_true (g_file_set_contents (path, "one\n", -1, NULL));
  fixture_answer (&rig->session, TOOL_CALL ("c1", "write", "{\\\"path\\\":\\\"a.txt\\\",\\\"content\\\":\\\"two\\\"}"));
  fixture_answer (&rig->session, TOOL_CALL ("c2", "write", "{\\\"path\\\":\\\"b.txt\\\",\\\"content\\\":\\\"new\\\"}"));
  fixture_answer (&rig->session, ANSWER ("Changed."));
  rig_prompt (rig, "Change two files");
  rig_wait_idle (rig);
}

static void
restore_since_prompt (Rig *rig)
{
  g_autoptr(TauMessage) prompt = g_list_model_get_item (tau_agent_session_get_messages (rig_session (rig)), 0);

  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.restore-since", "x", tau_message_get_timestamp (prompt));
}

/* P51, P52: all that was changed since a message; one file was the user's by then. */
static void
test_p51_since_a_message (Rig           *rig,
                          gconstpointer  data)
{
  g_autofree char *mine = g_build_filename (rig->session.cwd, "b.txt", NULL);

  rig_open_window (rig);
  change_two_files (rig);
  g_assert_true (g_file_set_contents (mine, "mine", -1, NULL));
  restore_since_prompt (rig);
  tau_test_wait_until (find_dialog (rig) != NULL);
  take_picture (find_dialog (rig), "restore-dialog.png");
  g_assert_true (shows_text (GTK_WIDGET (find_dialog (rig)), "a.txt"));
  g_assert_true (shows_text (GTK_WIDGET (find_dialog (rig)), "stays as it is. It has been changed since."));
  g_assert_true (project_has (rig, "a.txt", "two"));

  respond (rig, "restore");
  tau_test_wait_until (project_has (rig, "a.txt", "one\n"));
  tau_test_wait_until (shows_text (GTK_WIDGET (rig->window), "1 file restored, 1 file left as it is"));
  take_picture (GTK_WINDOW (rig->window), "restore-toast.png");
  g_assert_true (project_has (rig, "b.txt", "mine"));

  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.undo-restore", NULL);
  tau_test_wait_until (project_has (rig, "a.txt", "two"));
  g_assert_true (project_has (rig, "b.txt", "mine"));
}

static void
test_one_call (Rig           *rig,
               gconstpointer  data)
{
  rig_open_window (rig);
  change_two_files (rig);
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.restore-call", "(sx)", "c2", (gint64) 1);
  tau_test_wait_until (find_dialog (rig) != NULL);
  g_assert_false (shows_text (GTK_WIDGET (find_dialog (rig)), "a.txt"));
  respond (rig, "restore");
  tau_test_wait_until (project_has (rig, "b.txt", NULL));
  g_assert_true (project_has (rig, "a.txt", "two"));

  /* There is nothing left to do, and the dialog says so. */
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.restore-call", "(sx)", "c2", (gint64) 1);
  tau_test_wait_until (find_dialog (rig) != NULL && shows_text (GTK_WIDGET (find_dialog (rig)), "No file can be restored"));
  respond (rig, "cancel");
}

static void
test_nothing_changed (Rig           *rig,
                      gconstpointer  data)
{
  rig_open_window (rig);
  fixture_answer (&rig->session, ANSWER ("Hello."));
  rig_prompt (rig, "Hello");
  rig_wait_idle (rig);
  restore_since_prompt (rig);
  tau_test_wait_until (shows_text (GTK_WIDGET (rig->window), "The agent has changed no files since"));
  g_assert_null (find_dialog (rig));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();

#define ADD(path, function) g_test_add ("/app/restore-files/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("p51-since-a-message", test_p51_since_a_message);
  ADD ("one-call", test_one_call);
  ADD ("nothing-changed", test_nothing_changed);
  return run_window_tests ();
}
