/* SPDX-License-Identifier: MIT */
#include "window-fixture.h"

#include "app/panels/tau-session-row.h"
#include "app/tau-window-private.h"
#include "support/tau-test-keys.h"

#include <glib/gstdio.h>

/* The sidebar of a real window, by keyboard and by the menu's actions, on real files. */

static char *
write_session_in (Rig        *rig,
                  const char *cwd,
                  const char *id,
                  const char *prompt,
                  int         minute)
{
  g_autofree char *folder = g_build_filename (rig->session.agent_dir, "sessions", "--p--", NULL);
  g_autofree char *name = g_strdup_printf ("%s.jsonl", id);
  g_autofree char *text = g_strdup_printf (
    "{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"%s\"}\n"
    "{\"type\":\"message\",\"id\":\"aaaaaaa1\",\"parentId\":null,\"timestamp\":\"2026-01-01T00:%02d:00.000Z\","
    "\"message\":{\"role\":\"user\",\"content\":\"%s\",\"timestamp\":%" G_GINT64_FORMAT "}}\n",
    id, cwd, minute, prompt, G_GINT64_CONSTANT (1767225600000) + minute * 60000);
  char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static char *
write_session (Rig        *rig,
               const char *id,
               const char *prompt,
               int         minute)
{
  return write_session_in (rig, rig->session.cwd, id, prompt, minute);
}

/* Titles of the rows, from the top, joined by " | ". */
static void
collect_titles (GtkWidget *from,
                GString   *titles)
{
  if (TAU_IS_SESSION_ROW (from) && gtk_widget_get_mapped (from))
    {
      TauSessionItem *item = tau_session_row_get_item (TAU_SESSION_ROW (from));
      TauSessionInfo *info = item != NULL ? tau_session_item_get_info (item) : NULL;
      g_autofree char *title = info != NULL ? tau_session_info_dup_title (info) : NULL;

      if (title != NULL)
        g_string_append_printf (titles, "%s%s", titles->len > 0 ? " | " : "", title);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect_titles (child, titles);
}

static gboolean
lists (Rig        *rig,
       const char *expected)
{
  g_autoptr(GString) titles = g_string_new (NULL);

  collect_titles (GTK_WIDGET (rig->window), titles);
  return g_str_equal (titles->str, expected);
}

static TauSessionRow *
find_row (GtkWidget  *from,
          const char *path)
{
  if (TAU_IS_SESSION_ROW (from))
    {
      TauSessionItem *item = tau_session_row_get_item (TAU_SESSION_ROW (from));
      TauSessionInfo *info = item != NULL ? tau_session_item_get_info (item) : NULL;

      return info != NULL && g_str_equal (tau_session_info_get_path (info), path) ? TAU_SESSION_ROW (from) : NULL;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      TauSessionRow *row = find_row (child, path);

      if (row != NULL)
        return row;
    }
  return NULL;
}

static void
focus_row (Rig        *rig,
           const char *path)
{
  TauSessionRow *row;
  GtkWidget *item;

  tau_test_wait_until ((row = find_row (GTK_WIDGET (rig->window), path)) != NULL);
  item = gtk_widget_get_parent (GTK_WIDGET (row));
  gtk_widget_grab_focus (item);
  tau_test_wait_until (gtk_widget_has_focus (item));
}

static void
refresh (Rig *rig)
{
  tau_session_index_refresh (tau_application_get_index (rig->application));
}

static void
do_with (Rig        *rig,
         const char *action,
         const char *path)
{
  gtk_widget_activate_action_variant (GTK_WIDGET (rig->window), action, g_variant_new_bytestring (path));
}

static GtkWidget *
find_dialog (Rig *rig)
{
  g_autoptr(GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (ADW_IS_MESSAGE_DIALOG (l->data) && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

static gboolean
menu_is_open (Rig        *rig,
              const char *path)
{
  GtkMenuButton *button = tau_session_row_get_menu_button (find_row (GTK_WIDGET (rig->window), path));
  GtkPopover *popover = gtk_menu_button_get_popover (button);

  return popover != NULL && gtk_widget_get_mapped (GTK_WIDGET (popover));
}

static GtkWidget *
find_button (GtkWidget  *from,
             const char *label)
{
  if (GTK_IS_BUTTON (from) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (from)), label) == 0)
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
undo (Rig *rig)
{
  GtkWidget *button;

  tau_test_wait_until ((button = find_button (GTK_WIDGET (rig->window), "_Undo")) != NULL && gtk_widget_get_mapped (button));
  g_signal_emit_by_name (button, "clicked");
}

static void
clear_sessions (Rig *rig)
{
  static const char * const ids[] = { "one", "two", "three" };

  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/sessions/--p--/%s.jsonl", rig->session.agent_dir, ids[i]);

      g_unlink (path);
    }
  refresh (rig);
  tau_test_wait_until (lists (rig, ""));
}

/* P63: looking at sessions changes neither their files nor their order. */
static void
test_viewing_never_reorders (Rig           *rig,
                             gconstpointer  data)
{
  g_autofree char *one = write_session (rig, "one", "Oldest", 1);
  g_autofree char *two = write_session (rig, "two", "Middle", 2);
  g_autofree char *three = write_session (rig, "three", "Newest", 3);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  GStatBuf status_before, status_after;

  rig_open_window (rig);
  refresh (rig);
  tau_test_wait_until (lists (rig, "Newest | Middle | Oldest"));
  g_assert_true (g_file_get_contents (one, &before, NULL, NULL));
  g_assert_cmpint (g_stat (one, &status_before), ==, 0);
  rig_open_session (rig, one);
  rig_open_session (rig, two);
  rig_open_session (rig, one);
  refresh (rig);
  tau_test_loop_settle ();
  tau_test_wait_until (!tau_session_index_is_loading (tau_application_get_index (rig->application)));
  g_assert_true (lists (rig, "Newest | Middle | Oldest"));
  g_assert_true (g_file_get_contents (one, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpint (g_stat (one, &status_after), ==, 0);
  g_assert_cmpint (status_before.st_mtim.tv_nsec, ==, status_after.st_mtim.tv_nsec);
  clear_sessions (rig);
}

/* P64: the menu by the Menu key and Shift+F10, renaming by F2, deleting by Delete; and Undo. */
static void
test_everything_by_keyboard (Rig           *rig,
                             gconstpointer  data)
{
  g_autofree char *one = write_session (rig, "one", "Oldest", 1);
  g_autofree char *two = write_session (rig, "two", "Middle", 2);
  GtkWidget *dialog;

  rig_open_window (rig);
  refresh (rig);
  tau_test_wait_until (lists (rig, "Middle | Oldest"));
  focus_row (rig, one);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_MENU);
  tau_test_wait_until (menu_is_open (rig, one));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_ESCAPE);
  tau_test_wait_until (!menu_is_open (rig, one));
  focus_row (rig, two);
  tau_test_keys_press (TAU_TEST_KEY_SHIFT, TAU_TEST_KEY_F10);
  tau_test_wait_until (menu_is_open (rig, two));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_ESCAPE);
  tau_test_wait_until (!menu_is_open (rig, two));

  focus_row (rig, one);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_F2);
  tau_test_wait_until ((dialog = find_dialog (rig)) != NULL);
  gtk_editable_set_text (GTK_EDITABLE (adw_message_dialog_get_extra_child (ADW_MESSAGE_DIALOG (dialog))), "Renamed");
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), "rename");
  gtk_window_destroy (GTK_WINDOW (dialog));
  tau_test_wait_until (lists (rig, "Middle | Renamed"));

  gtk_window_present (GTK_WINDOW (rig->window));
  focus_row (rig, one);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_DELETE);
  tau_test_wait_until (lists (rig, "Middle"));
  g_assert_false (g_file_test (one, G_FILE_TEST_EXISTS));
  undo (rig);
  tau_test_wait_until (lists (rig, "Middle | Renamed"));
  g_assert_true (g_file_test (one, G_FILE_TEST_EXISTS));
  clear_sessions (rig);
}

/* P63: when the session shown is deleted a new one takes its place, with a new id and nothing of the old one. */
static void
test_deleting_the_shown_session (Rig           *rig,
                                 gconstpointer  data)
{
  g_autofree char *one = write_session (rig, "one", "Oldest", 1);

  rig_open_window (rig);
  refresh (rig);
  tau_test_wait_until (lists (rig, "Oldest"));
  rig_open_session (rig, one);
  do_with (rig, "win.session-delete", one);
  tau_test_wait_until (lists (rig, ""));
  g_assert_cmpstr (tau_agent_session_get_id (rig_session (rig)), !=, "one");
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (rig_session (rig))), ==, 0);
  g_assert_null (tau_application_lookup_session (rig->application, one));
  undo (rig);
  tau_test_wait_until (lists (rig, "Oldest"));
  clear_sessions (rig);
}

static gboolean
shows_a_copy (Rig        *rig,
              const char *original)
{
  const char *path = tau_agent_session_get_path (rig_session (rig));

  return g_strcmp0 (path, original) != 0 && g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_pin_archive_fork_clone (Rig           *rig,
                             gconstpointer  data)
{
  g_autofree char *one = write_session (rig, "one", "Oldest", 1);
  g_autofree char *two = write_session (rig, "two", "Middle", 2);
  TauSessionMarks *marks = tau_application_get_marks (rig->application);
  const char *path;

  rig_open_window (rig);
  refresh (rig);
  tau_test_wait_until (lists (rig, "Middle | Oldest"));
  do_with (rig, "win.session-pin", one);
  tau_test_wait_until (lists (rig, "Oldest | Middle"));
  do_with (rig, "win.session-pin", one);
  do_with (rig, "win.session-archive", two);
  tau_test_wait_until (lists (rig, "Oldest"));
  undo (rig);
  tau_test_wait_until (lists (rig, "Middle | Oldest"));
  g_assert_false (tau_session_marks_get (marks, "two", TAU_SESSION_MARK_ARCHIVED));

  do_with (rig, "win.session-fork", one);
  tau_test_wait_until (lists (rig, "Middle | Oldest | Oldest") && shows_a_copy (rig, one));
  path = tau_agent_session_get_path (rig_session (rig));
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (rig_session (rig))), ==, 1);
  do_with (rig, "win.session-delete", path);
  tau_test_wait_until (lists (rig, "Middle | Oldest"));
  do_with (rig, "win.session-clone", two);
  tau_test_wait_until (lists (rig, "Middle | Middle | Oldest") && shows_a_copy (rig, two));
  path = tau_agent_session_get_path (rig_session (rig));
  do_with (rig, "win.session-delete", path);
  tau_test_wait_until (lists (rig, "Middle | Oldest"));
  clear_sessions (rig);
}

static void
test_export_and_import (Rig           *rig,
                        gconstpointer  data)
{
  g_autofree char *one = write_session (rig, "one", "Oldest", 1);
  g_autofree char *output = g_build_filename (rig->session.agent_dir, "page.html", NULL);
  g_autofree char *copy = NULL;
  g_autofree char *headerless = NULL;
  g_autofree char *html = NULL;

  rig_open_window (rig);
  refresh (rig);
  tau_test_wait_until (lists (rig, "Oldest"));
  tau_window_export_to (rig->window, one, TAU_EXPORT_HTML, output);
  tau_test_wait_until (shows_text (GTK_WIDGET (rig->window), "Exported to “page.html”"));
  g_assert_true (g_file_get_contents (output, &html, NULL, NULL));
  g_assert_nonnull (strstr (html, "<title>Oldest</title>"));

  tau_window_import (rig->window, one);
  tau_test_wait_until (lists (rig, "Oldest | Oldest") && shows_a_copy (rig, one));
  copy = g_strdup (tau_agent_session_get_path (rig_session (rig)));
  g_assert_cmpstr (copy, !=, one);
  do_with (rig, "win.session-delete", copy);
  tau_test_wait_until (lists (rig, "Oldest"));
  tau_window_import (rig->window, output);
  tau_test_wait_until (shows_text (GTK_WIDGET (rig->window), "nothing in it can be read"));
  g_assert_true (lists (rig, "Oldest"));
  headerless = tau_test_dir_write (rig->session.dir, "headerless.jsonl",
                                   "{\"type\":\"message\",\"id\":\"a1\",\"parentId\":null,\"timestamp\":\"2026-01-02T03:04:05.678Z\","
                                   "\"message\":{\"role\":\"user\",\"content\":\"x\",\"timestamp\":1}}\n");
  tau_window_import (rig->window, headerless);
  tau_test_wait_until (g_strcmp0 (tau_agent_session_get_path (rig_session (rig)), headerless) == 0);
  g_assert_nonnull (tau_agent_session_get_obstacle (rig_session (rig)));
  clear_sessions (rig);
}

/* P61: the folder is gone: the session is shown, "Locate folder…" is offered, and its file stays as it is. */
static void
test_moved_folder (Rig           *rig,
                   gconstpointer  data)
{
  g_autofree char *cwd = g_strdup (rig->session.cwd);
  g_autofree char *gone = g_build_filename (rig->session.agent_dir, "gone", NULL);
  g_autofree char *one = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  GtkWidget *button;

  one = write_session_in (rig, gone, "one", "Oldest", 1);
  g_assert_true (g_file_get_contents (one, &before, NULL, NULL));
  rig_open_window (rig);
  refresh (rig);
  tau_test_wait_until (lists (rig, "Oldest"));
  rig_open_session (rig, one);
  tau_test_wait_until ((button = find_button (GTK_WIDGET (rig->window), "Locate folder…")) != NULL && gtk_widget_get_mapped (button));
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (rig_session (rig))), ==, 1);
  g_assert_false (g_file_test (gone, G_FILE_TEST_EXISTS));

  tau_window_set_moved_folder (rig->window, gone, cwd);
  tau_test_wait_until (g_strcmp0 (tau_window_get_folder (rig->window), cwd) == 0);
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (rig_session (rig))), ==, 1);
  tau_test_wait_until (!gtk_widget_get_mapped (button));
  tau_window_open_folder (rig->window, cwd);
  tau_application_close_session (rig->application, tau_application_lookup_session (rig->application, one));
  rig_open_session (rig, one);   /* it is remembered */
  g_assert_cmpstr (tau_window_get_folder (rig->window), ==, cwd);
  g_assert_true (g_file_get_contents (one, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  clear_sessions (rig);
}

/* P61: a project that turns up under another path is known, and its sessions may come along. */
static void
test_moved_project_is_known (Rig           *rig,
                             gconstpointer  data)
{
  g_autofree char *moved = g_build_filename (rig->session.agent_dir, "moved", NULL);
  g_autofree char *git = g_build_filename (moved, ".git", NULL);
  g_autofree char *config = g_build_filename (git, "config", NULL);
  g_autofree char *three = write_session_in (rig, "/gone/place", "three", "Oldest", 1);
  TauSessionMarks *marks = tau_application_get_marks (rig->application);
  GtkWidget *button;

  g_assert_cmpint (g_mkdir_with_parents (git, 0700), ==, 0);
  g_assert_true (g_file_set_contents (config, "[remote \"origin\"]\n\turl = https://example.org/a/b.git\n", -1, NULL));
  tau_session_marks_set_project (marks, "/gone/place", "remote example.org/a/b");
  rig_open_window (rig);
  refresh (rig);
  tau_test_wait_until (lists (rig, "Oldest"));
  tau_window_open_folder (rig->window, moved);
  tau_test_wait_until ((button = find_button (GTK_WIDGET (rig->window), "_Take its sessions")) != NULL && gtk_widget_get_mapped (button));
  g_assert_cmpstr (tau_session_marks_get_folder (marks, "/gone/place"), ==, "/gone/place");
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpstr (tau_session_marks_get_folder (marks, "/gone/place"), ==, moved);
  rig_open_session (rig, three);
  g_assert_cmpstr (tau_window_get_folder (rig->window), ==, moved);
  clear_sessions (rig);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();

#define ADD(path, function) g_test_add ("/app/sidebar/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("p63-viewing-never-reorders", test_viewing_never_reorders);
  ADD ("p63-deleting-the-shown-session", test_deleting_the_shown_session);
  ADD ("p64-everything-by-keyboard", test_everything_by_keyboard);
  ADD ("pin-archive-fork-clone", test_pin_archive_fork_clone);
  ADD ("export-and-import", test_export_and_import);
  ADD ("p61-moved-folder", test_moved_folder);
  ADD ("p61-moved-project-is-known", test_moved_project_is_known);
  return run_window_tests ();
}
