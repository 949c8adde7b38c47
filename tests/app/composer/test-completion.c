/* SPDX-License-Identifier: MIT */
#include "app/composer/tau-completion.h"

#include "app/composer/composer-fixture.h"
#include "support/tau-test-keys.h"

/* The list above the cursor, with real keys, for a session in a folder with some files and a prompt template. */

/* The one that hangs on the composer itself. */
static GtkWidget *
find_popover (Rig *rig)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (rig->composer)); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child))
      return child;
  return NULL;
}

static void
put (Rig        *rig,
     const char *name,
     const char *text)
{
  g_free (tau_test_dir_write (rig->session.dir, name, text));
}

static void
project_set_up (Rig           *rig,
                gconstpointer  data)
{
  fixture_set_up (&rig->session, data);
  put (rig, "project/src/main.c", "");
  put (rig, "project/src/main.h", "");
  put (rig, "project/a file.txt", "");
  put (rig, "agent/prompts/fix.md", "---\ndescription: Fix what is broken\n---\nFix $1");
  rig_show (rig);
}

static void
type (Rig        *rig,
      const char *text)
{
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (rig->view), text, -1);
}

static gboolean
is_open (Rig *rig)
{
  return gtk_widget_get_mapped (find_popover (rig));
}

static char *
dup_rows (Rig *rig)
{
  GtkListBox *list = GTK_LIST_BOX (find_widget (find_popover (rig), GTK_TYPE_LIST_BOX));
  g_autoptr(GString) rows = g_string_new (NULL);
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)) != NULL; i++)
    {
      GtkWidget *label = gtk_widget_get_first_child (gtk_list_box_row_get_child (row));

      g_string_append_printf (rows, "%s%s%s", i > 0 ? " " : "", gtk_list_box_row_is_selected (row) ? ">" : "",
                              gtk_label_get_text (GTK_LABEL (label)));
    }
  return g_string_free (g_steal_pointer (&rows), FALSE);
}

static gboolean
shows (Rig        *rig,
       const char *expected)
{
  g_autofree char *rows = dup_rows (rig);

  return is_open (rig) && g_str_equal (rows, expected);
}

static void
test_files (Rig           *rig,
            gconstpointer  data)
{
  type (rig, "see @mai");
  tau_test_wait_until (shows (rig, ">src/main.c src/main.h"));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_DOWN);
  tau_test_wait_until (shows (rig, "src/main.c >src/main.h"));
  gtk_test_accessible_assert_property (rig->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "src/main.h");
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_UP);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_TAB);
  tau_test_wait_until (holds (rig, "see @src/main.c "));
  tau_test_wait_until (!is_open (rig));

  type (rig, "and @file");
  tau_test_wait_until (shows (rig, ">a file.txt"));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (holds (rig, "see @src/main.c and @\"a file.txt\" "));
  g_assert_cmpuint (g_list_model_get_n_items (tau_agent_session_get_messages (rig->session.session)), ==, 0);
}

/* A folder is a step on the way to a file. */
static void
test_folder (Rig           *rig,
             gconstpointer  data)
{
  type (rig, "@src");
  tau_test_wait_until (shows (rig, ">src/ src/main.c src/main.h"));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_TAB);
  tau_test_wait_until (holds (rig, "@src/"));
  tau_test_wait_until (is_open (rig));
}

/* Escape closes the list for this word, and Enter sends again; the next word gets a list of its own. */
static void
test_escape (Rig           *rig,
             gconstpointer  data)
{
  type (rig, "@ma");
  tau_test_wait_until (is_open (rig));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_ESCAPE);
  tau_test_wait_until (!is_open (rig));
  type (rig, "i");
  tau_test_loop_settle ();
  g_assert_false (is_open (rig));
  type (rig, " @ma");
  tau_test_wait_until (is_open (rig));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_ESCAPE);
  tau_test_wait_until (!is_open (rig));
  fixture_answer (&rig->session, ANSWER ("Yes."));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (g_list_model_get_n_items (tau_agent_session_get_messages (rig->session.session)) == 2);
  fixture_wait (&rig->session);
  g_assert_true (holds (rig, ""));
}

static void
test_commands (Rig           *rig,
               gconstpointer  data)
{
  type (rig, "/f");
  tau_test_wait_until (shows (rig, ">/fix"));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (holds (rig, "/fix "));
  tau_test_wait_until (!is_open (rig));

  /* One that is typed whole is sent. */
  tau_composer_set_text (rig->composer, "");
  type (rig, "/fix");
  tau_test_wait_until (is_open (rig));
  fixture_answer (&rig->session, ANSWER ("Fixed."));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (g_list_model_get_n_items (tau_agent_session_get_messages (rig->session.session)) == 2);
  fixture_wait (&rig->session);
  g_assert_true (holds (rig, ""));
}

/* No command in the middle of a text, no file in a mail address or a command of the shell, nothing where nothing fits. */
static void
test_nothing (Rig           *rig,
              gconstpointer  data)
{
  static const char * const texts[] = { "a /f", "name@mai", "@nothing-like-it", "/nothing", "plain", "!cat @mai" };

  type (rig, "@");
  tau_test_wait_until (is_open (rig));
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      tau_composer_set_text (rig->composer, texts[i]);
      tau_test_wait_until (!is_open (rig));
    }
}

#define ADD(path, function) g_test_add ("/app/completion/" path, Rig, NULL, project_set_up, function, rig_tear_down)

int
main (int    argc,
      char **argv)
{
  adw_init ();
  g_test_init (&argc, &argv, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);

  ADD ("files", test_files);
  ADD ("folder", test_folder);
  ADD ("escape", test_escape);
  ADD ("commands", test_commands);
  ADD ("nothing", test_nothing);

  return g_test_run ();
}
