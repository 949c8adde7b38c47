/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

#include "app/markdown/tau-code-view.h"
#include "app/markdown/tau-selection.h"
#include "app/markdown/tau-text-block.h"
#include "app/transcript/tau-disclosure.h"

#include <string.h>

/* The mapped widget of a type that @matches, in order of the tree. */
static GtkWidget *
find (GtkWidget *widget,
      GType      type,
      gboolean (*matches) (GtkWidget *widget, gconstpointer data),
      gconstpointer data)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && gtk_widget_get_mapped (widget) && (!matches || matches (widget, data)))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, type, matches, data);

      if (found)
        return found;
    }
  return NULL;
}

static gboolean
label_is (GtkWidget    *widget,
          gconstpointer data)
{
  return strcmp (gtk_label_get_label (GTK_LABEL (widget)), data) == 0;
}

static gboolean
button_is (GtkWidget    *widget,
           gconstpointer data)
{
  return g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), data) == 0;
}

static gboolean
code_starts (GtkWidget    *widget,
             gconstpointer data)
{
  return g_str_has_prefix (tau_code_view_get_text (TAU_CODE_VIEW (widget)), data);
}

static gboolean
text_starts (GtkWidget    *widget,
             gconstpointer data)
{
  return g_str_has_prefix (tau_md_inline_get_text (tau_text_block_get_inline (TAU_TEXT_BLOCK (widget))), data);
}

static void
store_cb (GtkWidget  *view,
          const char *call_id,
          char      **store)
{
  g_free (*store);
  *store = g_strdup (call_id);
}

static void
count_cb (gpointer view,
          guint   *count)
{
  (*count)++;
}

static void
open_work (Fixture    *fixture,
           const char *tool,
           const char *arguments)
{
  g_autoptr(GPtrArray) blocks = new_blocks ();

  take_message (fixture, make_user ("Do it"));
  add_call (blocks, "c1", tool, arguments);
  take_message (fixture, make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL));
}

static GtkWidget *
root_of (Fixture *fixture)
{
  return GTK_WIDGET (fixture->view);
}

/* A command: its last lines while it works, its state, its output when it is opened, and who hears of the click. */
static void
test_command (void)
{
  Fixture fixture;
  g_autofree char *selected = NULL;
  g_autoptr(JsonNode) arguments = tau_json_parse ("{\"command\":\"make\"}", -1, NULL);
  g_autoptr(TauToolRun) run = tau_tool_run_new ("c1", "bash", arguments);
  g_autoptr(TauToolOutcome) partial = tau_tool_outcome_new_text ("1\n2\n3\n4\n5\n6\n7\n", NULL);
  GtkWidget *peek, *line;

  fixture_open (&fixture, 700, 500);
  g_signal_connect (fixture.view, "tool-selected", G_CALLBACK (store_cb), &selected);
  open_work (&fixture, "bash", "{\"command\":\"make\"}");
  g_list_store_append (fixture.runs, run);
  tau_tool_run_start (run);
  run_frames (&fixture, 4);
  g_assert_null (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, NULL, NULL));
  tau_tool_run_update (run, partial);
  run_frames (&fixture, 4);
  peek = find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "1\n2\n");
  g_assert_nonnull (peek);
  save_screenshot (&fixture, "transcript-running");

  take_message (&fixture, make_result ("c1", "bash", "1\n2\nall", NULL, FALSE));
  run_frames (&fixture, 4);
  g_assert_null (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, NULL, NULL));

  line = gtk_widget_get_first_child (find (root_of (&fixture), TAU_TYPE_DISCLOSURE, NULL, NULL));
  gtk_widget_activate (line);
  g_signal_emit_by_name (line, "clicked");
  run_frames (&fixture, 4);
  g_assert_cmpstr (selected, ==, "c1");
  fixture_close (&fixture);
}

static void
test_failure_is_open (void)
{
  Fixture fixture;

  fixture_open (&fixture, 700, 500);
  open_work (&fixture, "bash", "{\"command\":\"make\"}");
  take_message (&fixture, make_result ("c1", "bash", "oh no\n\nCommand exited with code 2", NULL, TRUE));
  run_frames (&fixture, 4);
  g_assert_nonnull (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "oh no"));
  g_assert_nonnull (find (root_of (&fixture), GTK_TYPE_LABEL, label_is, "exit 2"));
  fixture_close (&fixture);
}

static void
test_edit_is_open (void)
{
  Fixture fixture;

  fixture_open (&fixture, 700, 500);
  open_work (&fixture, "edit", "{\"path\":\"a.c\"}");
  take_message (&fixture, make_result ("c1", "edit", "ok", "{\"diff\":\" 1 a\\n-2 b\\n+2 c\\n+3 d\"}", FALSE));
  run_frames (&fixture, 4);
  g_assert_nonnull (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "1   a\n2 − b\n2 + c\n3 + d"));
  g_assert_nonnull (find (root_of (&fixture), GTK_TYPE_LABEL, label_is, "+2"));
  g_assert_nonnull (find (root_of (&fixture), GTK_TYPE_LABEL, label_is, "−1"));
  fixture_close (&fixture);
}

/* What the reader opened stays open when the row comes back, and "all" reaches everything. */
static void
test_expansion (void)
{
  Fixture fixture;

  fixture_open (&fixture, 700, 500);
  open_work (&fixture, "read", "{\"path\":\"a.c\"}");
  take_message (&fixture, make_result ("c1", "read", "contents", NULL, FALSE));
  run_frames (&fixture, 4);
  tau_disclosure_toggle (TAU_DISCLOSURE (find (root_of (&fixture), TAU_TYPE_DISCLOSURE, NULL, NULL)));
  run_frames (&fixture, 4);
  g_assert_nonnull (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "contents"));
  for (guint i = 0; i < 300; i++)
    take_message (&fixture, make_user ("more"));
  run_frames (&fixture, 4);
  g_assert_null (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "contents"));
  tau_transcript_view_scroll_by (fixture.view, -1e6);
  run_frames (&fixture, 4);
  g_assert_nonnull (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "contents"));

  tau_transcript_view_expand_all (fixture.view, FALSE);
  run_frames (&fixture, 4);
  g_assert_null (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "contents"));
  tau_transcript_view_expand_all (fixture.view, TRUE);
  run_frames (&fixture, 4);
  g_assert_nonnull (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "contents"));
  fixture_close (&fixture);
}

static void
test_retry (void)
{
  Fixture fixture;
  g_autoptr(GPtrArray) none = new_blocks ();
  guint n_retries = 0;

  fixture_open (&fixture, 700, 500);
  g_signal_connect (fixture.view, "retry", G_CALLBACK (count_cb), &n_retries);
  take_message (&fixture, make_answer (none, TAU_STOP_REASON_ERROR, "529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}"));
  run_frames (&fixture, 4);
  g_assert_nonnull (find (root_of (&fixture), TAU_TYPE_TEXT_BLOCK, text_starts, "The service of p (529) is overloaded"));
  g_assert_null (find (root_of (&fixture), TAU_TYPE_TEXT_BLOCK, text_starts, "529"));
  g_assert_null (find (root_of (&fixture), GTK_TYPE_BUTTON, button_is, "Settings"));
  g_signal_emit_by_name (find (root_of (&fixture), GTK_TYPE_BUTTON, button_is, "Retry"), "clicked");
  g_assert_cmpuint (n_retries, ==, 1);
  fixture_close (&fixture);
}

static void
text_cb (GObject      *clipboard,
         GAsyncResult *result,
         gpointer      user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

/* P15: what is copied is the text, without the line ends that wrapping made. */
static void
test_copy (void)
{
  Fixture fixture;
  g_autofree char *copied = NULL;
  GtkWidget *block;

  fixture_open (&fixture, 360, 500);
  take_message (&fixture, make_text_answer ("This is a **long** line of words that has to wrap more than once when it is "
                                            "shown in a narrow window."));
  run_frames (&fixture, 4);
  g_assert_false (tau_selection_copy_current ());
  block = find (root_of (&fixture), TAU_TYPE_TEXT_BLOCK, text_starts, "This is");
  g_assert_cmpint (gtk_widget_get_height (block), >, 30);
  tau_text_block_select (TAU_TEXT_BLOCK (block), 8, 64);
  run_frames (&fixture, 2);
  save_screenshot (&fixture, "transcript-selection");
  g_assert_true (tau_selection_copy_current ());
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (block), NULL, text_cb, &copied);
  while (!copied)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (copied, ==, "a long line of words that has to wrap more than once whe");
  fixture_close (&fixture);
}

static char *
read_clipboard (GtkWidget *widget)
{
  char *copied = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, text_cb, &copied);
  while (!copied)
    g_main_context_iteration (NULL, TRUE);
  return copied;
}

/* P15: a drag over several texts takes all between, in the order in which they stand; and whole messages, commands
 * and output are copied as they are. */
static void
test_copy_across (void)
{
  Fixture fixture;
  g_autoptr(GPtrArray) blocks = new_blocks ();
  g_autofree char *down = NULL, *up = NULL, *message = NULL, *command = NULL, *output = NULL;
  GtkWidget *first, *code, *last;

  fixture_open (&fixture, 700, 700);
  take_message (&fixture, make_text_answer ("First **line**.\n\n```c\nint x;\n```\n\nLast line."));
  add_call (blocks, "c", "bash", "{\"command\":\"echo one\\necho two\"}");
  take_message (&fixture, make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL));
  take_message (&fixture, make_result ("c", "bash", "one\ntwo", NULL, FALSE));
  tau_transcript_view_expand_all (fixture.view, TRUE);
  run_frames (&fixture, 6);
  first = find (root_of (&fixture), TAU_TYPE_TEXT_BLOCK, text_starts, "First");
  code = find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "int x");
  last = find (root_of (&fixture), TAU_TYPE_TEXT_BLOCK, text_starts, "Last");
  g_assert_nonnull (code);
  {
    TauSelection *selection = TAU_SELECTABLE_GET_IFACE (first)->get_selection (TAU_SELECTABLE (first));
    TauSelection *other = TAU_SELECTABLE_GET_IFACE (last)->get_selection (TAU_SELECTABLE (last));
    graphene_point_t point;

    tau_selection_select (selection, 6, 6);
    g_assert_true (gtk_widget_compute_point (last, first, &GRAPHENE_POINT_INIT (600, 5), &point));
    tau_selection_extend (selection, point.x, point.y);
    run_frames (&fixture, 2);
    save_screenshot (&fixture, "transcript-selection-across");
    g_assert_true (tau_selection_copy_current ());
    down = read_clipboard (first);
    g_assert_cmpstr (down, ==, "line.\n\nint x;\n\nLast line.");

    tau_selection_select (other, 4, 4);
    g_assert_true (gtk_widget_compute_point (first, last, &GRAPHENE_POINT_INIT (0, 5), &point));
    tau_selection_extend (other, point.x, point.y);
    g_assert_true (tau_selection_copy_current ());
    up = read_clipboard (first);
    g_assert_cmpstr (up, ==, "First line.\n\nint x;\n\nLast");
  }
  gtk_widget_activate_action (last, "message.copy", NULL);
  message = read_clipboard (first);
  g_assert_cmpstr (message, ==, "First **line**.\n\n```c\nint x;\n```\n\nLast line.");
  code = find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "one");
  gtk_widget_activate_action (code, "step.copy-command", NULL);
  command = read_clipboard (first);
  g_assert_cmpstr (command, ==, "echo one\necho two");
  gtk_widget_activate_action (code, "step.copy-output", NULL);
  output = read_clipboard (first);
  g_assert_cmpstr (output, ==, "one\ntwo");
  fixture_close (&fixture);
  g_assert_false (tau_selection_copy_current ());
}

/* Long code shows 20 lines and a button for the rest; opening never moves what is above. */
static void
test_long_code (void)
{
  Fixture fixture;
  g_autoptr(GString) text = g_string_new ("```c\n");
  GtkWidget *view, *button;
  int height;

  for (guint i = 0; i < 312; i++)
    g_string_append_printf (text, "int v%u;\n", i);
  g_string_append (text, "```\n");
  fixture_open (&fixture, 700, 600);
  take_message (&fixture, make_text_answer (text->str));
  run_frames (&fixture, 6);
  view = find (root_of (&fixture), TAU_TYPE_CODE_VIEW, NULL, NULL);
  height = gtk_widget_get_height (view);
  button = find (root_of (&fixture), GTK_TYPE_BUTTON, button_is, "Show all 312 lines");
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  run_frames (&fixture, 6);
  g_assert_cmpint (gtk_widget_get_height (view), >, height * 15);
  fixture_close (&fixture);
}

/* Nothing that a model or a tool can say breaks the view. */
static void
test_hostile (void)
{
  Fixture fixture;
  g_autoptr(GString) line = g_string_new (NULL);
  g_autoptr(GString) nested = g_string_new (NULL);

  for (guint i = 0; i < 100000; i++)
    g_string_append (line, "0123456789");
  for (guint i = 0; i < 2000; i++)
    g_string_append (nested, i % 2 ? "> " : "- ");
  g_string_append (nested, "deep");
  fixture_open (&fixture, 700, 600);
  take_message (&fixture, make_text_answer (line->str));
  take_message (&fixture, make_text_answer (nested->str));
  g_string_prepend (line, "```\n");
  take_message (&fixture, make_text_answer (line->str));
  take_message (&fixture, make_user ("\xff\xfe invalid \xed\xa0\x80 \xc0\x80 bytes"));
  take_message (&fixture, make_text_answer ("|a|\n|-|\n|\xe2\x80\xae reversed \xe2\x80\x8b|"));
  open_work (&fixture, "bash", "{\"command\":\"a\\nb\\u0000\\ud800\"}");
  take_message (&fixture, make_result ("c1", "bash", "\x1b[31mred\x1b[0m \xff\n", "{\"diff\":\"+\"}", TRUE));
  run_frames (&fixture, 10);
  for (guint i = 0; i < 40; i++)
    {
      tau_transcript_view_scroll_by (fixture.view, -2000);
      run_frames (&fixture, 2);
    }
  fixture_close (&fixture);
}

/* A file that the model is writing shows its last lines, until it is written. */
static void
test_writing (void)
{
  Fixture fixture;

  fixture_open (&fixture, 700, 500);
  open_work (&fixture, "write", "{\"path\":\"a.c\",\"content\":\"int a;\\nint b;\\nint c;\\nint d;\\nint e;\\nint f;\"}");
  run_frames (&fixture, 4);
  g_assert_nonnull (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, code_starts, "int a;\n"));
  save_screenshot (&fixture, "transcript-writing");
  take_message (&fixture, make_result ("c1", "write", "Wrote 6 lines", NULL, FALSE));
  run_frames (&fixture, 4);
  g_assert_null (find (root_of (&fixture), TAU_TYPE_CODE_VIEW, NULL, NULL));
  fixture_close (&fixture);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/transcript-rows/command", test_command);
  g_test_add_func ("/transcript-rows/failure-is-open", test_failure_is_open);
  g_test_add_func ("/transcript-rows/edit-is-open", test_edit_is_open);
  g_test_add_func ("/transcript-rows/expansion", test_expansion);
  g_test_add_func ("/transcript-rows/retry", test_retry);
  g_test_add_func ("/transcript-rows/P15-copy", test_copy);
  g_test_add_func ("/transcript-rows/P15-copy-across", test_copy_across);
  g_test_add_func ("/transcript-rows/long-code", test_long_code);
  g_test_add_func ("/transcript-rows/hostile", test_hostile);
  g_test_add_func ("/transcript/writing", test_writing);
  return g_test_run ();
}
