/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

#include "app/markdown/tau-code-block.h"
#include "app/markdown/tau-marks.h"
#include "app/markdown/tau-selection.h"
#include "app/transcript/tau-disclosure.h"
#include "app/transcript/tau-lazy-row.h"
#include "app/transcript/tau-row-texts.h"
#include "app/transcript/tau-transcript-model.h"

#include <string.h>

static GtkWidget *
find_widget (GtkWidget *root,
             GType      type)
{
  if (g_type_is_a (G_OBJECT_TYPE (root), type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type);

      if (found)
        return found;
    }
  return NULL;
}

static TauMarks *
marks_of (Fixture *fixture)
{
  return TAU_MARK_SCOPE_GET_IFACE (fixture->view)->get_marks (TAU_MARK_SCOPE (fixture->view));
}

static void
type_words (Fixture    *fixture,
            const char *words)
{
  GtkWidget *entry;

  gtk_widget_activate_action (GTK_WIDGET (fixture->view), "transcript.find", NULL);
  entry = find_widget (GTK_WIDGET (fixture->view), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), words);
  g_signal_emit_by_name (entry, "search-changed");
}

static const char *
count_text (Fixture *fixture)
{
  GtkWidget *entry = find_widget (GTK_WIDGET (fixture->view), GTK_TYPE_SEARCH_ENTRY);

  return gtk_label_get_label (GTK_LABEL (gtk_widget_get_next_sibling (entry)));
}

static void
go_on (Fixture    *fixture,
       const char *signal)
{
  g_signal_emit_by_name (find_widget (GTK_WIDGET (fixture->view), GTK_TYPE_SEARCH_ENTRY), signal);
}

/* Frames until the view stands still and says what is expected. */
static void
wait_for_count (Fixture    *fixture,
                const char *text)
{
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while ((g_strcmp0 (count_text (fixture), text) != 0 || tau_transcript_view_is_moving (fixture->view)) &&
         g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (count_text (fixture), ==, text);
  run_frames (fixture, 2);
}

static char *
current_text (Fixture *fixture)
{
  TauMarks *marks = marks_of (fixture);
  const char *text;
  gsize length;

  g_assert_nonnull (marks->widget);
  if (GTK_IS_LABEL (marks->widget))
    return g_strdup (gtk_label_get_label (GTK_LABEL (marks->widget)));
  text = TAU_SELECTABLE_GET_IFACE (marks->widget)->get_text (TAU_SELECTABLE (marks->widget), &length);
  return g_strndup (text, length);
}

/* The hit that the reader is at lies in the view. */
static void
assert_in_view (Fixture *fixture)
{
  TauMarks *marks = marks_of (fixture);
  graphene_point_t point;
  int height = gtk_widget_get_height (marks->widget), y = 0;

  if (TAU_IS_SELECTABLE (marks->widget))
    y = TAU_SELECTABLE_GET_IFACE (marks->widget)->y_of (TAU_SELECTABLE (marks->widget), marks->start, &height);
  g_assert_true (gtk_widget_get_mapped (marks->widget));
  g_assert_true (gtk_widget_compute_point (marks->widget, GTK_WIDGET (fixture->view), &GRAPHENE_POINT_INIT (0, y), &point));
  g_assert_cmpfloat (point.y, >=, 0);
  g_assert_cmpfloat (point.y + height, <=, gtk_widget_get_height (GTK_WIDGET (fixture->view)));
}

static void
fill_between (Fixture *fixture)
{
  for (guint i = 0; i < 30; i++)
    take_message (fixture, i % 2 ? make_text_answer ("An answer of a line or two, as they are.\n\nAnd another paragraph.")
                                 : make_user ("A prompt."));
}

static void
take_steps (Fixture *fixture)
{
  g_autoptr(GPtrArray) blocks = new_blocks ();
  g_autoptr(GString) long_output = g_string_new (NULL);

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (long_output, "line %u%s\n", i, i == 200 ? " needle in output" : "");
  g_ptr_array_add (blocks, tau_block_new_thinking ("A thought with a needle in it.", NULL, FALSE));
  add_call (blocks, "c1", "bash", "{\"command\":\"echo needle in title\"}");
  add_call (blocks, "c2", "strange", "{\"input\":\"a needle in input\"}");
  take_message (fixture, make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL));
  take_message (fixture, make_result ("c1", "bash", long_output->str, NULL, FALSE));
  take_message (fixture, make_result ("c2", "strange", "nothing", NULL, FALSE));
}

/* Prompts, replies, thinking, input and output are found; what is folded is opened for a hit and closed behind it. */
static void
test_everything (void)
{
  static const char * const texts[] = { "A needle in a prompt", "A thought with a needle in it.", "echo needle in title",
                                        "needle in output", "needle in input", "A needle in a reply." };
  Fixture fixture;

  fixture_open (&fixture, 700, 600);
  take_message (&fixture, make_user ("A **needle** in a prompt"));
  fill_between (&fixture);
  take_steps (&fixture);
  fill_between (&fixture);
  take_message (&fixture, make_text_answer ("A `needle` in a reply."));
  run_frames (&fixture, 10);

  type_words (&fixture, "NEEDLE");
  wait_for_count (&fixture, "6 of 6");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *expected = g_strdup_printf ("%u of 6", i + 1);
      g_autofree char *text = NULL;

      go_on (&fixture, "next-match");
      wait_for_count (&fixture, expected);
      text = current_text (&fixture);
      g_assert_nonnull (strstr (text, texts[i]));
      assert_in_view (&fixture);
    }
  /* The row with the hit before is closed again. */
  go_on (&fixture, "previous-match");
  go_on (&fixture, "previous-match");
  wait_for_count (&fixture, "4 of 6");
  {
    GtkWidget *row = gtk_widget_get_ancestor (marks_of (&fixture)->widget, TAU_TYPE_DISCLOSURE);

    g_assert_true (tau_disclosure_is_expanded (TAU_DISCLOSURE (row)));
    g_object_add_weak_pointer (G_OBJECT (row), (gpointer *) &row);
    go_on (&fixture, "next-match");
    wait_for_count (&fixture, "5 of 6");
    g_assert_true (row == NULL || !tau_disclosure_is_expanded (TAU_DISCLOSURE (row)));
    if (row)
      g_object_remove_weak_pointer (G_OBJECT (row), (gpointer *) &row);
  }
  type_words (&fixture, "not there at all");
  wait_for_count (&fixture, "None");
  g_assert_null (marks_of (&fixture)->widget);
  fixture_close (&fixture);
}

static gboolean
collect (GtkWidget  *widget,
         const char *text,
         gsize       length,
         gpointer    user_data)
{
  g_string_append_len (user_data, text, (gssize) length);
  return FALSE;
}

/* A row's texts are found without the row: they are those that it shows, in the same order. */
static void
test_texts_are_shown (void)
{
  Fixture fixture;
  g_autoptr(TauTranscriptModel) model = tau_transcript_model_new ();
  TauBashExecutionFields bash = { .command = "git status", .output = "clean", .has_exit_code = TRUE };
  guint n_seen = 0;

  fixture_open (&fixture, 900, 1000);
  take_message (&fixture, make_user ("<skill name=\"s\" location=\"/s\">\nRead *this*.\n</skill>\n\nGo."));
  take_steps (&fixture);
  {
    g_autoptr(GPtrArray) blocks = new_blocks ();
    g_autoptr(GPtrArray) failed = new_blocks ();

    add_call (blocks, "e1", "edit", "{\"path\":\"a.c\",\"edits\":[{\"oldText\":\"a\",\"newText\":\"b\"}]}");
    add_call (blocks, "w1", "write", "{\"path\":\"a.c\",\"content\":\"int x;\\n\"}");
    add_call (blocks, "b1", "bash", "{\"command\":\"for i in 1 2 3\\ndo echo $i\\ndone\"}");
    take_message (&fixture, make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL));
    take_message (&fixture, make_result ("b1", "bash", "1\n2\n\n\nCommand exited with code 1", NULL, TRUE));
    take_message (&fixture, make_answer (failed, TAU_STOP_REASON_ERROR, "401 {\"error\":\"invalid x-api-key\"}"));
  }
  take_message (&fixture, TAU_MESSAGE (tau_bash_execution_message_new (&bash)));
  take_message (&fixture, TAU_MESSAGE (tau_compaction_summary_message_new ("It was **long**.", 41000, 1)));
  take_message (&fixture, make_text_answer ("# Title\n\n- one\n- two\n\n> quote\n\n```c\nint x;\n```\n\n| a | b |\n|---|---|\n| c | d |\n"));
  tau_transcript_view_expand_all (fixture.view, TRUE);
  run_frames (&fixture, 30);
  tau_transcript_view_scroll_by (fixture.view, -100000);
  run_frames (&fixture, 30);
  tau_transcript_model_set_messages (model, G_LIST_MODEL (fixture.messages));
  {
    GtkWidget *list = find_widget (GTK_WIDGET (fixture.view), GTK_TYPE_LIST_VIEW);

    for (GtkWidget *child = gtk_widget_get_first_child (list); child; child = gtk_widget_get_next_sibling (child))
      {
        TauLazyRow *row = TAU_LAZY_ROW (gtk_widget_get_first_child (child));
        g_autoptr(GPtrArray) texts = NULL;
        g_autoptr(GString) told = g_string_new (NULL), shown = g_string_new (NULL);

        if (!tau_lazy_row_get_item (row) || !tau_lazy_row_is_built (row))
          continue;
        texts = tau_row_texts_list (tau_lazy_row_get_item (row));
        for (guint i = 0; i < texts->len; i++)
          g_string_append (told, g_ptr_array_index (texts, i));
        g_strdelimit (told->str, "\t\n", ' ');
        tau_texts_foreach (GTK_WIDGET (row), collect, shown);
        g_strdelimit (shown->str, "\n", ' ');
        /* Cells of a table are parted by tabs and lines in one, and by widgets in the other. */
        if (!strstr (told->str, "TitleOne"))
          for (char *c; (c = strstr (told->str, "a b c d"));)
            memmove (c, "abcd", 4), memmove (c + 4, c + 7, strlen (c + 7) + 1);
        g_assert_cmpstr (g_strchomp (told->str), ==, g_strchomp (shown->str));
        n_seen++;
      }
  }
  g_assert_cmpuint (n_seen, >, 8);
  fixture_close (&fixture);
}

/* 100,000 entries are looked through while the window stays alive. */
static void
test_many (void)
{
  Fixture fixture;
  guint n = g_getenv ("TAU_TEST_FIND_MESSAGES") ? (guint) atoi (g_getenv ("TAU_TEST_FIND_MESSAGES")) : 20000;
  g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 worst = 0, start;
  g_autofree char *expected = NULL;

  fixture_open (&fixture, 700, 600);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("Message %u with words%s.", i, i % 1000 == 7 ? " and a needle" : "");

      g_ptr_array_add (messages, i % 2 ? make_text_answer (text) : make_user (text));
    }
  g_list_store_splice (fixture.messages, 0, 0, messages->pdata, messages->len);
  run_frames (&fixture, 10);

  type_words (&fixture, "needle");
  expected = g_strdup_printf ("1 of %u", n / 1000);
  start = g_get_monotonic_time ();
  while (g_strcmp0 (count_text (&fixture), expected) != 0 && g_get_monotonic_time () - start < 120 * G_USEC_PER_SEC)
    {
      gint64 before = g_get_monotonic_time ();

      g_main_context_iteration (NULL, TRUE);
      worst = MAX (worst, g_get_monotonic_time () - before);
    }
  g_test_message ("%u messages in %d ms, the longest turn of the loop %d ms", n,
                  (int) ((g_get_monotonic_time () - start) / 1000), (int) (worst / 1000));
  g_assert_cmpstr (count_text (&fixture), ==, expected);
  g_assert_cmpint (worst, <, 500 * 1000);
  /* Far away, in one go. */
  go_on (&fixture, "previous-match");
  {
    g_autofree char *last = g_strdup_printf ("%u of %u", n / 1000, n / 1000);

    wait_for_count (&fixture, last);
  }
  assert_in_view (&fixture);
  fixture_close (&fixture);
}

/* A hit in the draft is marked, and counted when the draft has become a message. */
static void
test_grows (void)
{
  Fixture fixture;

  fixture_open (&fixture, 700, 600);
  take_message (&fixture, make_user ("A needle"));
  run_frames (&fixture, 5);
  type_words (&fixture, "needle");
  wait_for_count (&fixture, "1 of 1");
  take_message (&fixture, make_text_answer ("Another needle"));
  wait_for_count (&fixture, "1 of 2");
  g_list_store_remove (fixture.messages, 0);
  wait_for_count (&fixture, "1");
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
  g_test_add_func ("/transcript/P13-find-everything", test_everything);
  g_test_add_func ("/transcript/find/texts-are-shown", test_texts_are_shown);
  g_test_add_func ("/transcript/find/many", test_many);
  g_test_add_func ("/transcript/find/grows", test_grows);
  return g_test_run ();
}
