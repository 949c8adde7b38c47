/* SPDX-License-Identifier: MIT */
#include "app/composer/tau-model-picker.h"

#include "app/composer/tau-model-row.h"
#include "app/window-fixture.h"
#include "core/llm/tau-favourite-models.h"
#include "support/tau-test-keys.h"

/* Choosing a model and its thinking level in a real window, by keys only. */

static GtkWidget *
get_picker (Rig *rig)
{
  GtkWidget *picker = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_MODEL_PICKER);

  g_assert_nonnull (picker);
  return picker;
}

static GtkWidget *
open_picker (Rig *rig)
{
  GtkWidget *picker = get_picker (rig);

  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.choose-model", NULL);
  tau_test_wait_until (gtk_widget_get_mapped (picker));
  tau_test_wait_until (find_widget (picker, TAU_TYPE_MODEL_ROW) != NULL);
  return picker;
}

static void
search (GtkWidget  *picker,
        const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (find_widget (picker, GTK_TYPE_SEARCH_ENTRY)), text);
}

static gboolean
answers (Rig        *rig,
         const char *id)
{
  return g_str_equal (tau_model_get_id (tau_agent_session_get_model (rig_session (rig))), id);
}

static TauModel *
find_model (Rig        *rig,
            const char *id)
{
  return tau_model_catalog_find (tau_agent_session_get_catalog (rig_session (rig)), "mock", id);
}

static gboolean
is_favourite (Rig        *rig,
              const char *id)
{
  return tau_favourite_models_contain (tau_agent_session_get_settings (rig_session (rig)), find_model (rig, id));
}

/* A few letters and Enter choose the model; the level appears with a model that has levels, and goes with it. */
static void
test_search_and_choose (Rig           *rig,
                        gconstpointer  data)
{
  GtkWidget *picker, *levels;

  rig_open_window (rig);
  levels = find_widget (GTK_WIDGET (rig->window), GTK_TYPE_DROP_DOWN);
  g_assert_true (answers (rig, "m1"));
  g_assert_false (gtk_widget_get_visible (levels));

  picker = open_picker (rig);
  search (picker, "mock thnkr");
  tau_test_wait_until (shows_text (picker, "thinker"));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (answers (rig, "thinker"));
  tau_test_wait_until (!gtk_widget_get_mapped (picker));
  g_assert_true (gtk_widget_get_visible (levels));

  open_picker (rig);
  search (picker, "no such model at all");
  tau_test_wait_until (shows_text (picker, "No model matches"));
  tau_test_keys_press (TAU_TEST_KEY_CONTROL, TAU_TEST_KEY_D);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_ESCAPE);
  tau_test_wait_until (!gtk_widget_get_mapped (picker));
  g_assert_true (answers (rig, "thinker"));
}

/* The list opens at the model in use, wherever that stands, so that Enter alone changes nothing. */
static void
test_opens_at_the_model (Rig           *rig,
                         gconstpointer  data)
{
  static const char * const ids[] = { "m1", "thinker" };

  rig_open_window (rig);
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      GtkWidget *picker;

      g_assert_true (tau_agent_session_set_model (rig_session (rig), find_model (rig, ids[i]), NULL));
      picker = open_picker (rig);
      tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
      tau_test_wait_until (!gtk_widget_get_mapped (picker));
      g_assert_true (answers (rig, ids[i]));
    }
}

/* Ctrl+D makes the chosen row a favourite: kept in the settings file, on top, and what Ctrl+P steps through. */
static void
test_favourites (Rig           *rig,
                 gconstpointer  data)
{
  GtkWidget *picker;

  rig_open_window (rig);
  picker = open_picker (rig);
  g_assert_false (shows_text (picker, "Favourites"));
  search (picker, "mock/m1");
  tau_test_keys_press (TAU_TEST_KEY_CONTROL, TAU_TEST_KEY_D);
  tau_test_wait_until (is_favourite (rig, "m1"));
  search (picker, "mock/thinker");
  tau_test_keys_press (TAU_TEST_KEY_CONTROL, TAU_TEST_KEY_D);
  tau_test_wait_until (is_favourite (rig, "thinker"));
  search (picker, "");
  tau_test_wait_until (shows_text (picker, "Favourites"));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_DOWN);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (answers (rig, "thinker"));
  tau_test_wait_until (!gtk_widget_get_mapped (picker));

  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.next-model", NULL);
  g_assert_true (answers (rig, "m1"));
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.previous-model", NULL);
  g_assert_true (answers (rig, "thinker"));
}

/* Ctrl+P and Ctrl+T reach the window while the text field has the focus, and leave it and its text alone. */
static void
test_step_by_keys (Rig           *rig,
                   gconstpointer  data)
{
  GtkWidget *focus;
  TauThinkingLevel before;

  rig_open_window (rig);
  focus = gtk_window_get_focus (GTK_WINDOW (rig->window));
  g_assert_true (GTK_IS_TEXT_VIEW (focus));
  if (answers (rig, "m1"))
    {
      tau_test_keys_press (TAU_TEST_KEY_CONTROL, TAU_TEST_KEY_P);
      tau_test_wait_until (answers (rig, "thinker"));
    }
  before = tau_agent_session_get_thinking_level (rig_session (rig));
  tau_test_keys_press (TAU_TEST_KEY_CONTROL, TAU_TEST_KEY_T);
  tau_test_wait_until (tau_agent_session_get_thinking_level (rig_session (rig)) != before);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (rig->window)) == focus);
  g_assert_cmpint (gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (GTK_TEXT_VIEW (focus))), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();

#define ADD(path, function) g_test_add ("/app/model-picker/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("search-and-choose", test_search_and_choose);
  ADD ("opens-at-the-model", test_opens_at_the_model);
  ADD ("favourites", test_favourites);
  ADD ("step-by-keys", test_step_by_keys);
  return run_window_tests ();
}
