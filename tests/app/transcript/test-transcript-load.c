/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

#include "app/composer/tau-composer.h"
#include "core/message/tau-draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a heavy load does to the rest: memory, the composer, the wheel. */

#define STREAMED  (200 * 1024)
#define MEMORY_MB 96   /* for a draft of that size, its rows, and what malloc keeps */
#define MESSAGES  10000

static double
get_memory_mb (void)
{
  g_autofree char *text = NULL;
  guint64 size = 0, resident = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &size, &resident), ==, 2);
  return (double) resident * (double) sysconf (_SC_PAGESIZE) / (1024 * 1024);
}

static void
apply (TauDraft    *draft,
       TauDeltaKind kind,
       const char  *text,
       gsize        length)
{
  const TauDelta delta = { .kind = kind, .text = text, .length = (gssize) length };

  tau_draft_apply (draft, &delta);
}

static TauDraft *
begin_draft (Fixture *fixture)
{
  TauDraft *draft = tau_draft_new ("a", "p", "m", 1);

  tau_transcript_view_set_draft (fixture->view, draft);
  apply (draft, TAU_DELTA_START, NULL, 0);
  apply (draft, TAU_DELTA_TEXT_START, NULL, 0);
  return draft;
}

static GString *
make_tables_and_code (gsize length)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; text->len < length; i++)
    {
      g_string_append_printf (text, "| name %u | value | words |\n|:--|--:|---|\n", i);
      for (guint row = 0; row < 20; row++)
        g_string_append_printf (text, "| row %u | %u | some words with `code` in them |\n", row, row * i);
      g_string_append (text, "\n```c\n");
      for (guint line = 0; line < 40; line++)
        g_string_append_printf (text, "  static const int value_%u = %u; /* words */\n", line, i);
      g_string_append (text, "```\n\n");
    }
  return text;
}

/* P03: an answer full of tables and code takes memory as it grows, not as it is drawn. */
static void
test_memory (void)
{
  g_autoptr(GString) text = make_tables_and_code (STREAMED);
  g_autoptr(TauDraft) draft = NULL;
  Fixture fixture;
  double before, most = 0;

  fixture_open (&fixture, 900, 700);
  take_message (&fixture, make_text_answer ("```c\nint a;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"));
  run_frames (&fixture, 10);
  before = get_memory_mb ();
  draft = begin_draft (&fixture);
  for (gsize at = 0; at < text->len; at += 1024)
    {
      apply (draft, TAU_DELTA_TEXT, text->str + at, MIN (1024, text->len - at));
      run_frames (&fixture, 1);
      most = MAX (most, get_memory_mb ());
    }
  g_test_message ("P03: %.0f MB before, at most %.0f MB while %u KB were streamed", before, most, STREAMED / 1024);
  g_assert_cmpfloat (most - before, <, MEMORY_MB);
  apply (draft, TAU_DELTA_TEXT_END, NULL, 0);
  take_message (&fixture, TAU_MESSAGE (tau_draft_finish (draft, TAU_STOP_REASON_STOP, NULL)));
  tau_transcript_view_set_draft (fixture.view, NULL);
  run_frames (&fixture, 10);
  g_assert_cmpfloat (get_memory_mb () - before, <, MEMORY_MB);
  fixture_close (&fixture);
}

static GtkWidget *
find_widget (GtkWidget *root,
             GType      type)
{
  GtkWidget *found = g_type_is_a (G_OBJECT_TYPE (root), type) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child && !found; child = gtk_widget_get_next_sibling (child))
    found = find_widget (child, type);
  return found;
}

/* P05: with 10,000 messages above, a key shows in the next frame, and no row is built or looked at for it. */
static void
test_key (void)
{
  GtkWidget *composer = g_object_new (TAU_TYPE_COMPOSER, "valign", GTK_ALIGN_END, NULL);
  GtkTextBuffer *typed = gtk_text_view_get_buffer (GTK_TEXT_VIEW (find_widget (composer, GTK_TYPE_TEXT_VIEW)));
  Fixture fixture;
  guint n_built, n_frames;

  fixture_open (&fixture, 900, 700);
  gtk_box_append (GTK_BOX (gtk_window_get_child (GTK_WINDOW (fixture.window))), composer);
  for (guint i = 0; i < MESSAGES; i++)
    take_message (&fixture, i % 2 ? make_text_answer ("An answer.\n\n```c\nint v;\n```\n") : make_user ("A question"));
  gtk_text_buffer_insert_at_cursor (typed, "a", 1);   /* the placeholder gives way once */
  run_frames (&fixture, 60);
  n_built = tau_transcript_view_get_n_built (fixture.view);
  for (guint i = 0; i < 20; i++)
    {
      gint64 start = g_get_monotonic_time ();

      n_frames = fixture.n_frames;
      gtk_text_buffer_insert_at_cursor (typed, "x", 1);
      while (fixture.n_frames == n_frames)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (fixture.n_frames, ==, n_frames + 1);
      g_assert_cmpfloat ((double) (g_get_monotonic_time () - start) / 1000, <, 200);
    }
  g_assert_cmpuint (tau_transcript_view_get_n_built (fixture.view), ==, n_built);
  g_assert_true (tau_transcript_view_is_at_end (fixture.view));
  fixture_close (&fixture);
}

/* P16: one notch of the wheel goes as far as in any other window of GTK, however tall the rows are. */
static void
test_wheel (void)
{
  Fixture fixture;
  GtkAdjustment *adjustment;
  GtkWidget *scroller;
  g_autoptr(GListModel) controllers = NULL;
  guint n_found = 0;

  fixture_open (&fixture, 900, 700);
  for (guint i = 0; i < 60; i++)
    take_message (&fixture, make_text_answer ("An answer of some words.\n\n- one\n- two\n- three\n"));
  run_frames (&fixture, 30);
  adjustment = tau_transcript_view_get_adjustment (fixture.view);
  scroller = find_widget (GTK_WIDGET (fixture.view), GTK_TYPE_SCROLLED_WINDOW);
  controllers = gtk_widget_observe_controllers (scroller);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr(GtkEventController) controller = g_list_model_get_item (controllers, i);
      double notch = pow (gtk_adjustment_get_page_size (adjustment), 2.0 / 3);
      double before = gtk_adjustment_get_value (adjustment);
      gboolean handled = FALSE;

      if (!GTK_IS_EVENT_CONTROLLER_SCROLL (controller)
          || gtk_event_controller_get_propagation_phase (controller) != GTK_PHASE_CAPTURE
          || !(gtk_event_controller_scroll_get_flags (GTK_EVENT_CONTROLLER_SCROLL (controller)) & GTK_EVENT_CONTROLLER_SCROLL_KINETIC))
        continue;
      g_signal_emit_by_name (controller, "scroll", 0.0, -1.0, &handled);
      if (!handled)
        continue;
      n_found++;
      g_assert_cmpfloat (fabs (before - gtk_adjustment_get_value (adjustment) - notch), <, 1);
    }
  g_assert_cmpuint (n_found, ==, 1);
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
  g_test_add_func ("/transcript/P03-memory", test_memory);
  g_test_add_func ("/transcript/P05-key", test_key);
  g_test_add_func ("/transcript/P16-wheel", test_wheel);
  return g_test_run ();
}
