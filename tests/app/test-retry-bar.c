/* SPDX-License-Identifier: MIT */
#include "app/window-fixture.h"

#include "app/tau-retry-bar.h"
#include "support/tau-test-keys.h"

/* P70: the wait before another try is seen, counts down, and can be ended both ways. */

static const char * const asks_50[] = { "retry-after", "50", NULL };

static GtkWidget *
wait_for_bar (Rig *rig)
{
  GtkWidget *bar;

  rig_open_window (rig);
  tau_test_server_push (rig->session.server, &(TauTestResponse) { .status = 429, .headers = asks_50,
                                                                  .body = "{\"error\":{\"message\":\"slow down\"}}" });
  rig_prompt (rig, "Go");
  tau_test_wait_until (tau_agent_session_get_state (rig_session (rig)) == TAU_SESSION_RETRYING);
  bar = find_widget (GTK_WIDGET (rig->window), TAU_TYPE_RETRY_BAR);
  tau_test_wait_until (shows_text (bar, "Too many requests in a short time. Attempt 2 follows."));

  return bar;
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

static gboolean
is_revealed (GtkWidget *bar)
{
  return gtk_revealer_get_reveal_child (GTK_REVEALER (find_widget (bar, GTK_TYPE_REVEALER)));
}

static void
assert_last_message (Rig        *rig,
                     const char *text,
                     const char *error)
{
  GListModel *messages = tau_agent_session_get_messages (rig_session (rig));
  g_autoptr(TauMessage) last = g_list_model_get_item (messages, g_list_model_get_n_items (messages) - 1);
  g_autofree char *got = tau_message_dup_text (last, "");

  g_assert_cmpstr (got, ==, text);
  g_assert_cmpstr (tau_assistant_message_get_error_message (TAU_ASSISTANT_MESSAGE (last)), ==, error);
}

static void
test_counts_down (Rig           *rig,
                  gconstpointer  data)
{
  GtkWidget *bar = wait_for_bar (rig);
  const char *sentence = "Too many requests in a short time. Attempt 2 follows.";

  gtk_test_accessible_assert_property (bar, GTK_ACCESSIBLE_PROPERTY_LABEL, sentence);
  tau_test_wait_until (shows_text (bar, "48 s") || shows_text (bar, "47 s") || shows_text (bar, "46 s"));
  /* Who listens is not told each second. */
  gtk_test_accessible_assert_property (bar, GTK_ACCESSIBLE_PROPERTY_LABEL, sentence);
  g_assert_true (is_revealed (bar));
}

static void
test_retry_now (Rig           *rig,
                gconstpointer  data)
{
  GtkWidget *bar = wait_for_bar (rig);

  fixture_answer (&rig->session, ANSWER ("Here it is."));
  g_signal_emit_by_name (find_button (bar, "Retry now"), "clicked");
  rig_wait_idle (rig);
  g_assert_false (is_revealed (bar));
  assert_last_message (rig, "Here it is.", NULL);
}

static void
test_cancel (Rig           *rig,
             gconstpointer  data)
{
  GtkWidget *bar = wait_for_bar (rig);

  g_signal_emit_by_name (find_button (bar, "Cancel"), "clicked");
  rig_wait_idle (rig);
  g_assert_false (is_revealed (bar));
  assert_last_message (rig, "", "429 slow down (the server asks to wait 50 s)");
}

static void
test_escape (Rig           *rig,
             gconstpointer  data)
{
  GtkWidget *bar = wait_for_bar (rig);

  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_ESCAPE);
  rig_wait_idle (rig);
  g_assert_false (is_revealed (bar));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();

#define ADD(path, function) g_test_add ("/app/retry-bar/p70-" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("counts-down", test_counts_down);
  ADD ("retry-now", test_retry_now);
  ADD ("cancel", test_cancel);
  ADD ("escape", test_escape);
  return run_window_tests ();
}
