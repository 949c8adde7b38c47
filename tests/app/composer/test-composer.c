/* SPDX-License-Identifier: MIT */
#include "app/composer/tau-composer.h"

#include "app/composer/composer-fixture.h"
#include "support/tau-test-keys.h"

#include <gtk/gtkimmodule.h>

/* The composer with real keys and an input method of our own, against a session that talks to a server on loopback. */

/* Behaves as one for Japanese does: "a" begins a preedit, Enter confirms it, other keys are typed as they are. */
#define FAKE_TYPE_IM (fake_im_get_type ())
G_DECLARE_FINAL_TYPE (FakeIm, fake_im, FAKE, IM, GtkIMContext)

struct _FakeIm
{
  GtkIMContext parent_instance;

  gboolean     composes;
};

G_DEFINE_FINAL_TYPE (FakeIm, fake_im, GTK_TYPE_IM_CONTEXT)

static void
fake_im_get_preedit_string (GtkIMContext   *context,
                            char          **text,
                            PangoAttrList **attributes,
                            int            *cursor)
{
  const char *preedit = FAKE_IM (context)->composes ? "あ" : "";

  if (text != NULL)
    *text = g_strdup (preedit);
  if (attributes != NULL)
    *attributes = pango_attr_list_new ();
  if (cursor != NULL)
    *cursor = (int) g_utf8_strlen (preedit, -1);
}

static void
set_composes (FakeIm   *self,
              gboolean  composes)
{
  self->composes = composes;
  g_signal_emit_by_name (self, composes ? "preedit-start" : "preedit-changed");
  g_signal_emit_by_name (self, composes ? "preedit-changed" : "preedit-end");
}

static gboolean
fake_im_filter_keypress (GtkIMContext *context,
                         GdkEvent     *event)
{
  FakeIm *self = FAKE_IM (context);
  guint keyval = gdk_key_event_get_keyval (event);

  if (gdk_event_get_event_type (event) != GDK_KEY_PRESS)
    return FALSE;
  if (keyval == GDK_KEY_a)
    {
      set_composes (self, TRUE);
      return TRUE;
    }
  if (keyval == GDK_KEY_Return && self->composes)
    {
      set_composes (self, FALSE);
      g_signal_emit_by_name (self, "commit", "亜");
      return TRUE;
    }
  if (keyval != GDK_KEY_b)
    return FALSE;
  g_signal_emit_by_name (self, "commit", "b");
  return TRUE;
}

static void
fake_im_class_init (FakeImClass *klass)
{
  GTK_IM_CONTEXT_CLASS (klass)->get_preedit_string = fake_im_get_preedit_string;
  GTK_IM_CONTEXT_CLASS (klass)->filter_keypress = fake_im_filter_keypress;
}

static void
fake_im_init (FakeIm *self)
{
}

static guint
count_messages (Rig *rig)
{
  return g_list_model_get_n_items (tau_agent_session_get_messages (rig->session.session));
}

static char *
dup_message (Rig  *rig,
             guint position)
{
  g_autoptr(TauMessage) message = g_list_model_get_item (tau_agent_session_get_messages (rig->session.session), position);

  return tau_message_dup_text (message, "\n");
}

/* P18: an input method's Enter confirms what it composes and sends nothing; the next one is ours. */
static void
test_enter_belongs_to_the_input_method (Rig           *rig,
                                        gconstpointer  data)
{
  g_autofree char *sent = NULL;

  fixture_answer (&rig->session, ANSWER ("Yes."));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_B);
  tau_test_wait_until (holds (rig, "b"));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_A);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (holds (rig, "b亜"));
  tau_test_loop_settle ();
  g_assert_cmpuint (count_messages (rig), ==, 0);

  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (count_messages (rig) == 2);
  fixture_wait (&rig->session);
  sent = dup_message (rig, 0);
  g_assert_cmpstr (sent, ==, "b亜");
  g_assert_true (holds (rig, ""));
}

static void
test_shift_enter_breaks_the_line (Rig           *rig,
                                  gconstpointer  data)
{
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_B);
  tau_test_keys_press (TAU_TEST_KEY_SHIFT, TAU_TEST_KEY_RETURN);
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_B);
  tau_test_wait_until (holds (rig, "b\nb"));
  g_assert_cmpuint (count_messages (rig), ==, 0);
}

/* A session of its own, whose run waits for the server. */
static void
begin_run (Rig *rig)
{
  tau_test_server_push (rig->session.server, &(TauTestResponse) {
    .body = CHUNK ("{\"content\":\"Half\"}", "null"), .ending = TAU_TEST_ENDING_HANG });
  fixture_prompt (&rig->session, "Go");
  tau_test_wait_until (tau_agent_session_get_draft (rig->session.session) != NULL);
}

static void
end_run (Rig *rig)
{
  tau_agent_session_abort (rig->session.session);
  fixture_wait (&rig->session);
}

static void
test_alt_enter_queues_and_alt_up_takes_back (Rig           *rig,
                                             gconstpointer  data)
{
  GListModel *queued = tau_agent_session_get_queued (rig->session.session);

  begin_run (rig);
  tau_composer_set_text (rig->composer, "afterwards");
  tau_test_keys_press (TAU_TEST_KEY_ALT, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (g_list_model_get_n_items (queued) == 1);
  g_assert_true (holds (rig, ""));

  tau_composer_set_text (rig->composer, "typed since");
  tau_test_keys_press (TAU_TEST_KEY_ALT, TAU_TEST_KEY_UP);
  tau_test_wait_until (g_list_model_get_n_items (queued) == 0);
  g_assert_true (holds (rig, "afterwards\n\ntyped since"));
  end_run (rig);
}

static void
test_enter_steers_while_running (Rig           *rig,
                                 gconstpointer  data)
{
  GListModel *queued = tau_agent_session_get_queued (rig->session.session);
  g_autofree char *back = NULL;

  begin_run (rig);
  tau_composer_set_text (rig->composer, "this way");
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (g_list_model_get_n_items (queued) == 1);
  g_assert_true (holds (rig, ""));
  back = tau_agent_session_take_queued (rig->session.session);
  g_assert_cmpstr (back, ==, "this way");
  end_run (rig);
}

static GtkWidget *
find_menu_button (GtkWidget *from)
{
  GtkWidget *found = GTK_IS_MENU_BUTTON (from) && g_strcmp0 (gtk_widget_get_tooltip_text (from), "When to send") == 0 ? from : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find_menu_button (child);
  return found;
}

/* The mouse's way to what Alt+Enter does; there only while there is something to choose. */
static void
test_menu_sends_after_the_run (Rig           *rig,
                               gconstpointer  data)
{
  GListModel *queued = tau_agent_session_get_queued (rig->session.session);
  GtkWidget *button = find_menu_button (GTK_WIDGET (rig->composer));

  tau_composer_set_text (rig->composer, "before");
  g_assert_false (gtk_widget_get_visible (button));
  tau_composer_set_text (rig->composer, "");
  begin_run (rig);
  g_assert_false (gtk_widget_get_visible (button));
  tau_composer_set_text (rig->composer, "!ls");
  g_assert_false (gtk_widget_get_visible (button));
  tau_composer_set_text (rig->composer, "afterwards");
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_true (gtk_widget_activate_action (button, "composer.send-later", NULL));
  g_assert_cmpuint (g_list_model_get_n_items (queued), ==, 1);
  g_assert_true (holds (rig, ""));
  g_assert_false (gtk_widget_get_visible (button));
  end_run (rig);
}

/* What the session does not take stays where it was typed, and it is said why. */
static void
test_refused_text_stays (Rig           *rig,
                         gconstpointer  data)
{
  begin_run (rig);
  tau_composer_set_text (rig->composer, "not now");
  tau_composer_send (rig->composer, TAU_DELIVERY_PROMPT);
  g_assert_true (holds (rig, "not now"));
  g_assert_cmpuint (rig->said->len, >, 0);
  end_run (rig);
  g_assert_true (holds (rig, "not now"));
}

/* P20: what is typed for one session neither goes to another one nor is lost. */
static void
test_each_session_keeps_its_text (Rig           *rig,
                                  gconstpointer  data)
{
  TauAgentSessionOptions options = { .agent_dir = rig->session.agent_dir, .cwd = rig->session.cwd, .catalog = rig->session.catalog };
  g_autoptr(GError) error = NULL;
  g_autoptr(TauAgentSession) other = tau_agent_session_new (&options, &error);

  g_assert_no_error (error);
  tau_composer_set_text (rig->composer, "for the first");
  tau_composer_set_session (rig->composer, other);
  g_assert_true (holds (rig, ""));
  tau_composer_set_text (rig->composer, "for the other");
  tau_composer_set_session (rig->composer, rig->session.session);
  g_assert_true (holds (rig, "for the first"));
  tau_composer_set_session (rig->composer, other);
  g_assert_true (holds (rig, "for the other"));
  tau_composer_set_session (rig->composer, rig->session.session);
  tau_agent_session_close (other);
}

static void
test_blank_text_is_not_sent (Rig           *rig,
                             gconstpointer  data)
{
  tau_composer_set_text (rig->composer, " \n ");
  tau_composer_send (rig->composer, TAU_DELIVERY_PROMPT);
  g_assert_cmpuint (count_messages (rig), ==, 0);
  g_assert_cmpuint (rig->said->len, ==, 0);
  g_assert_true (holds (rig, " \n "));
}

static const TauBashExecutionFields *
get_command (Rig  *rig,
             guint position)
{
  g_autoptr(TauMessage) message = g_list_model_get_item (tau_agent_session_get_messages (rig->session.session), position);

  g_assert_true (TAU_IS_BASH_EXECUTION_MESSAGE (message));
  return tau_bash_execution_message_get_fields (TAU_BASH_EXECUTION_MESSAGE (message));
}

static GtkWidget *
find_label (GtkWidget  *from,
            const char *text)
{
  GtkWidget *found = NULL;

  if (GTK_IS_LABEL (from) && gtk_widget_get_mapped (from) && g_str_equal (gtk_label_get_text (GTK_LABEL (from)), text))
    return from;
  for (GtkWidget *child = gtk_widget_get_first_child (from); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find_label (child, text);
  return found;
}

/* The user's own commands: they are told from prompts, shown for what they are, run, recorded. */
static void
test_shell_commands (Rig           *rig,
                     gconstpointer  data)
{
  GtkWidget *composer = GTK_WIDGET (rig->composer);

  tau_composer_set_text (rig->composer, "!");
  tau_test_wait_until (find_label (composer, "Shell command") != NULL);
  tau_composer_set_text (rig->composer, "!!");
  tau_test_wait_until (find_label (composer, "Shell command, hidden from the model") != NULL);
  tau_composer_set_text (rig->composer, "wow!");
  tau_test_wait_until (find_label (composer, "Shell command, hidden from the model") == NULL);
  g_assert_null (find_label (composer, "Shell command"));

  tau_composer_set_text (rig->composer, " ! printf '\\033[31mred\\033[0m'; exit 3 ");
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RETURN);
  tau_test_wait_until (count_messages (rig) == 1);
  g_assert_true (holds (rig, ""));
  g_assert_cmpstr (get_command (rig, 0)->command, ==, "printf '\\033[31mred\\033[0m'; exit 3");
  g_assert_cmpstr (get_command (rig, 0)->output, ==, "red");
  g_assert_cmpint (get_command (rig, 0)->exit_code, ==, 3);
  g_assert_false (get_command (rig, 0)->exclude_from_context);

  tau_composer_set_text (rig->composer, "!!echo secret");
  tau_composer_send (rig->composer, TAU_DELIVERY_PROMPT);
  tau_test_wait_until (count_messages (rig) == 2);
  g_assert_true (get_command (rig, 1)->exclude_from_context);
  g_assert_cmpuint (rig->said->len, ==, 0);
}

/* A second command stays in the field while the first runs; Stop ends that one. */
static void
test_one_command_at_a_time (Rig           *rig,
                            gconstpointer  data)
{
  tau_composer_set_text (rig->composer, "!sleep 600");
  tau_composer_send (rig->composer, TAU_DELIVERY_PROMPT);
  g_assert_nonnull (tau_agent_session_get_bash_run (rig->session.session));
  g_assert_true (holds (rig, ""));
  tau_composer_set_text (rig->composer, "!echo two");
  tau_composer_send (rig->composer, TAU_DELIVERY_PROMPT);
  g_assert_true (holds (rig, "!echo two"));
  g_assert_cmpuint (rig->said->len, >, 0);

  tau_agent_session_abort_bash (rig->session.session);
  tau_test_wait_until (count_messages (rig) == 1);
  g_assert_true (get_command (rig, 0)->cancelled);
  g_assert_null (tau_agent_session_get_bash_run (rig->session.session));
}

/* A mark alone is no command: whoever means it gets an answer. */
static void
test_mark_alone_is_a_prompt (Rig           *rig,
                             gconstpointer  data)
{
  g_autofree char *sent = NULL;

  fixture_answer (&rig->session, ANSWER ("What?"));
  tau_composer_set_text (rig->composer, "!");
  tau_composer_send (rig->composer, TAU_DELIVERY_PROMPT);
  tau_test_wait_until (count_messages (rig) == 2);
  fixture_wait (&rig->session);
  sent = dup_message (rig, 0);
  g_assert_cmpstr (sent, ==, "!");
}

int
main (int   argc,
      char *argv[])
{
  g_setenv ("GTK_IM_MODULE", "fake", TRUE);
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();
  g_io_extension_point_implement (GTK_IM_MODULE_EXTENSION_POINT_NAME, FAKE_TYPE_IM, "fake", 0);

#define ADD(path, function) g_test_add ("/app/composer/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("P18-enter-belongs-to-the-input-method", test_enter_belongs_to_the_input_method);
  ADD ("shift-enter-breaks-the-line", test_shift_enter_breaks_the_line);
  ADD ("alt-enter-queues-and-alt-up-takes-back", test_alt_enter_queues_and_alt_up_takes_back);
  ADD ("enter-steers-while-running", test_enter_steers_while_running);
  ADD ("menu-sends-after-the-run", test_menu_sends_after_the_run);
  ADD ("refused-text-stays", test_refused_text_stays);
  ADD ("P20-each-session-keeps-its-text", test_each_session_keeps_its_text);
  ADD ("shell-commands", test_shell_commands);
  ADD ("one-command-at-a-time", test_one_command_at_a_time);
  ADD ("mark-alone-is-a-prompt", test_mark_alone_is_a_prompt);
  ADD ("blank-text-is-not-sent", test_blank_text_is_not_sent);
  return g_test_run ();
}
