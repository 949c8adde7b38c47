/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

#include "app/markdown/tau-text-block.h"

#include <math.h>
#include <string.h>

/* Where the reader is, and that nothing but himself moves him. */

static void
fill (Fixture *fixture,
      guint    n_messages)
{
  for (guint i = 0; i < n_messages; i++)
    {
      g_autofree char *text = i % 2 ? g_strdup_printf ("Answer %u.\n\nIt has a paragraph.\n\n```c\nint x = %u;\nint y;\n```", i, i)
                                    : g_strdup_printf ("Prompt %u", i);

      take_message (fixture, i % 2 ? make_text_answer (text) : make_user (text));
    }
}

static GtkWidget *
find_text (GtkWidget  *root,
           const char *text)
{
  if (TAU_IS_TEXT_BLOCK (root))
    {
      TauMdInline *content = tau_text_block_get_inline (TAU_TEXT_BLOCK (root));

      return content && g_str_has_prefix (tau_md_inline_get_text (content), text) && gtk_widget_get_mapped (root) ? root : NULL;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_text (child, text);

      if (found)
        return found;
    }
  return NULL;
}

/* Where a text stands in the view; far away if it is not in it. */
static double
y_of_text (Fixture    *fixture,
           const char *text)
{
  GtkWidget *block = find_text (GTK_WIDGET (fixture->view), text);
  graphene_point_t point;

  if (!block || !gtk_widget_compute_point (block, GTK_WIDGET (fixture->view), &GRAPHENE_POINT_INIT (0, 0), &point))
    return -1e6;
  return point.y;
}

static void
settle (Fixture *fixture)
{
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (tau_transcript_view_is_moving (fixture->view) && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (tau_transcript_view_is_moving (fixture->view));
  run_frames (fixture, 4);
}

/* P09: the way to the latest ends at the last entry, though heights on the way are not known. */
static void
test_jump_to_latest (void)
{
  Fixture fixture;

  fixture_open (&fixture, 700, 500);
  fill (&fixture, 600);
  run_frames (&fixture, 10);
  tau_transcript_view_scroll_to_start (fixture.view);
  run_frames (&fixture, 10);
  g_assert_cmpfloat (y_of_text (&fixture, "Prompt 0"), >, -1);
  take_message (&fixture, make_text_answer ("The very last.\n\n```\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n```\n\nEnd of it."));
  run_frames (&fixture, 5);
  tau_transcript_view_scroll_to_end (fixture.view);
  run_frames (&fixture, 1);
  fixture.watch_end = TRUE;
  run_frames (&fixture, 30);
  g_assert_cmpuint (fixture.n_off_end, ==, 0);
  g_assert_cmpfloat (y_of_text (&fixture, "End of it."), >, 0);
  fixture_close (&fixture);
}

/* P10: however long the output is, its card stays near the size of a window and scrolls inside. */
static void
test_long_card (void)
{
  Fixture fixture;
  g_autoptr(GPtrArray) blocks = new_blocks ();
  g_autoptr(GString) content = g_string_new ("{\"path\":\"f.c\",\"content\":\"");

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (content, "line %u\\n", i);
  g_string_append (content, "\"}");
  fixture_open (&fixture, 700, 500);
  add_call (blocks, "w", "write", content->str);
  take_message (&fixture, make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL));
  take_message (&fixture, make_result ("w", "write", "written", NULL, FALSE));
  take_message (&fixture, make_text_answer ("Below it."));
  tau_transcript_view_expand_all (fixture.view, TRUE);
  run_frames (&fixture, 10);
  g_assert_cmpfloat (gtk_adjustment_get_upper (tau_transcript_view_get_adjustment (fixture.view)), <, 1000);
  g_assert_cmpfloat (y_of_text (&fixture, "Below it."), >, 0);
  tau_transcript_view_scroll_to_start (fixture.view);
  run_frames (&fixture, 4);
  tau_transcript_view_scroll_by (fixture.view, 1e6);
  run_frames (&fixture, 4);
  g_assert_cmpfloat (y_of_text (&fixture, "Below it."), >, 0);
  save_screenshot (&fixture, "transcript-long-card");
  fixture_close (&fixture);
}

/* P14: keys go from prompt to prompt, up to the first and down to the end; nothing else happens. */
static void
test_prompts (void)
{
  Fixture fixture;

  fixture_open (&fixture, 700, 500);
  fill (&fixture, 200);
  run_frames (&fixture, 10);
  for (int i = 0; i < 5; i++)
    {
      tau_transcript_view_move_prompt (fixture.view, FALSE);
      settle (&fixture);
    }
  /* The last ones stand in one view with the end: the way up begins above them. */
  g_assert_false (tau_transcript_view_is_at_end (fixture.view));
  tau_transcript_view_go_to_message (fixture.view, 150);
  settle (&fixture);
  tau_transcript_view_move_prompt (fixture.view, FALSE);
  settle (&fixture);
  g_assert_cmpfloat (y_of_text (&fixture, "Prompt 148"), >, 0);
  g_assert_cmpfloat (y_of_text (&fixture, "Prompt 148"), <, 60);
  tau_transcript_view_go_to_message (fixture.view, 0);
  settle (&fixture);
  g_assert_cmpfloat (y_of_text (&fixture, "Prompt 0"), >=, 0);
  tau_transcript_view_move_prompt (fixture.view, TRUE);
  settle (&fixture);
  g_assert_cmpfloat (y_of_text (&fixture, "Prompt 2"), >, 0);
  g_assert_cmpfloat (y_of_text (&fixture, "Prompt 2"), <, 60);
  tau_transcript_view_go_to_message (fixture.view, 100);
  settle (&fixture);
  g_assert_cmpfloat (y_of_text (&fixture, "Prompt 100"), >, 0);
  g_assert_cmpfloat (y_of_text (&fixture, "Prompt 100"), <, 60);
  tau_transcript_view_scroll_to_end (fixture.view);
  run_frames (&fixture, 5);
  tau_transcript_view_move_prompt (fixture.view, TRUE);
  run_frames (&fixture, 5);
  g_assert_true (tau_transcript_view_is_at_end (fixture.view));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.messages)), ==, 200);
  fixture_close (&fixture);
}

/* A session is shown again where it was left. */
static void
test_position (void)
{
  Fixture fixture;
  g_autofree char *position = NULL, *end = NULL;
  g_autoptr(GListStore) other = g_list_store_new (TAU_TYPE_MESSAGE);
  double y;

  fixture_open (&fixture, 700, 500);
  fill (&fixture, 200);
  run_frames (&fixture, 10);
  g_assert_null (tau_transcript_view_dup_position (fixture.view));
  tau_transcript_view_go_to_message (fixture.view, 77);
  settle (&fixture);
  tau_transcript_view_scroll_by (fixture.view, 33);
  run_frames (&fixture, 10);
  y = y_of_text (&fixture, "Prompt 78");
  g_assert_cmpfloat (y, >, 0);
  position = tau_transcript_view_dup_position (fixture.view);
  g_assert_nonnull (position);

  tau_transcript_view_set_messages (fixture.view, G_LIST_MODEL (other));
  run_frames (&fixture, 5);
  tau_transcript_view_set_messages (fixture.view, G_LIST_MODEL (fixture.messages));
  tau_transcript_view_restore_position (fixture.view, position);
  settle (&fixture);
  g_assert_cmpfloat (fabs (y_of_text (&fixture, "Prompt 78") - y), <=, 1);

  /* Places that are no more, and what no program wrote. */
  tau_transcript_view_scroll_to_end (fixture.view);
  tau_transcript_view_restore_position (fixture.view, "100000:0:0");
  tau_transcript_view_restore_position (fixture.view, "1:99:0");
  tau_transcript_view_restore_position (fixture.view, "x");
  g_assert_false (tau_transcript_view_is_moving (fixture.view));
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
  g_test_add_func ("/transcript/P09-jump-to-latest", test_jump_to_latest);
  g_test_add_func ("/transcript/P10-long-card", test_long_card);
  g_test_add_func ("/transcript/P14-prompts", test_prompts);
  g_test_add_func ("/transcript/position", test_position);
  return g_test_run ();
}
