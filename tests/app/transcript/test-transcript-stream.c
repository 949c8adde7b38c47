/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

#include "app/markdown/tau-text-block.h"

#include <math.h>
#include <string.h>

static void
fill (Fixture *fixture,
      guint    n_messages)
{
  for (guint i = 0; i < n_messages; i++)
    {
      g_autofree char *text = g_strdup_printf ("Message %u with some words that make a line or two of it, as they do.", i);
      g_autoptr(GString) long_text = g_string_new (NULL);

      for (guint n = 0; n < i % 7; n++)
        g_string_append_printf (long_text, "Paragraph %u. %s %s\n\n", n, text, text);
      g_string_append_printf (long_text, "```c\nint v%u = 1;\nreturn v%u;\n```\n", i, i);
      take_message (fixture, i % 2 == 0 ? make_user (text) : make_text_answer (long_text->str));
    }
}

static GString *
make_document (gsize length)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; text->len < length; i++)
    {
      g_string_append_printf (text, "Paragraph %u has **bold** words, `code`, and enough of both to fill some lines when "
                              "it is laid out in a column of the usual width, again and again.\n\n", i);
      if (i % 4 == 1)
        g_string_append (text, "```python\ndef f (x):\n    # what it does\n    return x + 1\n\nprint (f (1))\n```\n\n");
      if (i % 5 == 2)
        g_string_append (text, "- an item\n- another one\n  1. nested\n  2. twice\n\n");
      if (i % 7 == 3)
        g_string_append (text, "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n");
    }
  return text;
}

static void
apply (TauDraft    *draft,
       TauDeltaKind kind,
       const char  *text,
       gssize       length)
{
  TauDelta delta = { .kind = kind, .text = text, .length = length };

  tau_draft_apply (draft, &delta);
}

/* Feeds a text in small deltas, some between every two frames, as a fast server does. */
static void
stream (Fixture    *fixture,
        TauDraft   *draft,
        const char *text,
        gsize       per_frame)
{
  gsize length = strlen (text);

  for (gsize at = 0; at < length;)
    {
      gsize stop = MIN (at + per_frame, length);

      for (; at < stop; at += MIN (4, stop - at))
        apply (draft, TAU_DELTA_TEXT, text + at, (gssize) MIN (4, stop - at));
      run_frames (fixture, 1);
    }
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

static void
finish_draft (Fixture  *fixture,
              TauDraft *draft)
{
  apply (draft, TAU_DELTA_TEXT_END, NULL, 0);
  take_message (fixture, TAU_MESSAGE (tau_draft_finish (draft, TAU_STOP_REASON_STOP, NULL)));
  tau_transcript_view_set_draft (fixture->view, NULL);
}

static void
test_stays_at_end (void)
{
  Fixture fixture;
  g_autoptr(TauDraft) draft = NULL;
  g_autoptr(GString) text = make_document (12000);
  guint renders, frames;

  fixture_open (&fixture, 900, 700);
  fill (&fixture, 40);
  fixture.watch_end = TRUE;
  run_frames (&fixture, 5);
  g_assert_cmpuint (fixture.n_off_end, ==, 0);

  draft = begin_draft (&fixture);
  renders = tau_transcript_view_get_n_renders (fixture.view);
  frames = fixture.n_frames;
  stream (&fixture, draft, text->str, 120);
  /* At most one render a frame, however many deltas. */
  g_assert_cmpuint (tau_transcript_view_get_n_renders (fixture.view) - renders, <=, fixture.n_frames - frames + 1);
  g_assert_cmpuint (fixture.n_off_end, ==, 0);

  finish_draft (&fixture, draft);
  run_frames (&fixture, 10);
  g_assert_cmpuint (fixture.n_off_end, ==, 0);
  g_assert_true (tau_transcript_view_is_at_end (fixture.view));
  save_screenshot (&fixture, "transcript-streamed");
  fixture_close (&fixture);
}

static const char *
text_of (GtkWidget *widget)
{
  return tau_md_inline_get_text (tau_text_block_get_inline (TAU_TEXT_BLOCK (widget)));
}

/* The text block in the upper half of the window, or anywhere in it the one that says @text. */
static GtkWidget *
find_text (GtkWidget  *widget,
           const char *text)
{
  if (TAU_IS_TEXT_BLOCK (widget) && gtk_widget_get_mapped (widget))
    {
      graphene_rect_t bounds;
      GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (widget));

      if (gtk_widget_compute_bounds (widget, root, &bounds) &&
          (text ? g_str_equal (text_of (widget), text) : bounds.origin.y > 150 && bounds.origin.y < 400))
        return widget;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_text (child, text);

      if (found)
        return found;
    }
  return NULL;
}

static double
y_of (GtkWidget *widget)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (gtk_widget_get_root (widget)), &bounds));
  return bounds.origin.y;
}

/* P07: a reader who scrolled up does not move, neither while tokens arrive nor when the answer is finished. */
static void
test_reader_stays (void)
{
  Fixture fixture;
  g_autoptr(TauDraft) draft = NULL;
  g_autoptr(GString) text = make_document (6000);
  GtkWidget *anchor;
  double y;

  fixture_open (&fixture, 900, 700);
  fill (&fixture, 60);
  run_frames (&fixture, 10);
  draft = begin_draft (&fixture);
  stream (&fixture, draft, "A first line.\n\n", 4);
  tau_transcript_view_scroll_by (fixture.view, -3000);
  run_frames (&fixture, 30);
  g_assert_false (tau_transcript_view_is_at_end (fixture.view));

  anchor = find_text (GTK_WIDGET (fixture.view), NULL);
  g_assert_nonnull (anchor);
  y = y_of (anchor);
  stream (&fixture, draft, text->str, 200);
  g_assert_cmpfloat (fabs (y_of (anchor) - y), <, 0.5);
  finish_draft (&fixture, draft);
  for (guint i = 0; i < 10; i++)
    {
      run_frames (&fixture, 1);
      g_assert_cmpfloat (fabs (y_of (anchor) - y), <, 0.5);
    }
  fixture_close (&fixture);
}

/* P08: the smallest way up lets go of the end; arriving there holds it again. */
static void
test_small_scroll (void)
{
  Fixture fixture;
  g_autoptr(TauDraft) draft = NULL;
  GtkWidget *anchor;
  double y;

  fixture_open (&fixture, 900, 700);
  fill (&fixture, 30);
  run_frames (&fixture, 10);
  draft = begin_draft (&fixture);
  stream (&fixture, draft, "Some words.\n\n", 4);
  tau_transcript_view_scroll_by (fixture.view, -3);
  run_frames (&fixture, 1);
  g_assert_false (tau_transcript_view_is_at_end (fixture.view));
  anchor = find_text (GTK_WIDGET (fixture.view), NULL);
  y = y_of (anchor);
  stream (&fixture, draft, "More words.\n\nAnd more of them.\n\n", 4);
  g_assert_cmpfloat (fabs (y_of (anchor) - y), <, 0.5);

  tau_transcript_view_scroll_by (fixture.view, 10000);
  fixture.watch_end = TRUE;
  run_frames (&fixture, 1);
  g_assert_true (tau_transcript_view_is_at_end (fixture.view));
  stream (&fixture, draft, "More words.\n\nAnd more of them.\n\n", 4);
  g_assert_cmpuint (fixture.n_off_end, ==, 0);
  fixture_close (&fixture);
}

/* A reader in the middle of the draft does not move when it becomes rows. */
static void
test_finish_in_draft (void)
{
  Fixture fixture;
  g_autoptr(TauDraft) draft = NULL;
  g_autoptr(GString) text = make_document (4000);
  g_autofree char *anchor = NULL;
  double y;

  fixture_open (&fixture, 900, 700);
  fill (&fixture, 20);
  run_frames (&fixture, 10);
  draft = begin_draft (&fixture);
  stream (&fixture, draft, text->str, 400);
  tau_transcript_view_scroll_by (fixture.view, -200);
  run_frames (&fixture, 3);
  anchor = g_strdup (text_of (find_text (GTK_WIDGET (fixture.view), NULL)));
  y = y_of (find_text (GTK_WIDGET (fixture.view), anchor));
  finish_draft (&fixture, draft);
  for (guint i = 0; i < 10; i++)
    {
      GtkWidget *now;

      run_frames (&fixture, 1);
      now = find_text (GTK_WIDGET (fixture.view), anchor);
      g_assert_nonnull (now);
      g_assert_cmpfloat (fabs (y_of (now) - y), <, 0.5);
    }
  fixture_close (&fixture);
}

/* P01, P04: a long session costs what is seen of it. */
static void
test_long_session (void)
{
  Fixture fixture;
  gint64 start;

  fixture_open (&fixture, 900, 700);
  run_frames (&fixture, 2);
  fill (&fixture, 10000);
  start = g_get_monotonic_time ();
  fixture.watch_end = TRUE;
  run_frames (&fixture, 1);
  g_test_message ("first frame: %.1f ms, %u rows built", (g_get_monotonic_time () - start) / 1000.0,
                  tau_transcript_view_get_n_built (fixture.view));
  g_assert_cmpuint (tau_transcript_view_get_n_built (fixture.view), <, 60);
  run_frames (&fixture, 20);
  g_assert_cmpuint (fixture.n_off_end, ==, 0);
  fixture.watch_end = FALSE;
  for (guint i = 0; i < 20; i++)
    {
      tau_transcript_view_scroll_by (fixture.view, -600);
      run_frames (&fixture, 6);
    }
  g_assert_cmpuint (tau_transcript_view_get_n_built (fixture.view), <, 1000);
  fixture_close (&fixture);
}

static guint
count_frames (Fixture *fixture,
              double   seconds)
{
  gint64 until = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);
  guint frames = fixture->n_frames;

  while (g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, FALSE);
  return fixture->n_frames - frames;
}

/* P02: nothing is redrawn while nothing changes. */
static void
test_rests (void)
{
  Fixture fixture;
  guint n_tries = 0;

  fixture_open (&fixture, 900, 700);
  fill (&fixture, 20);
  run_frames (&fixture, 30);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.view));
  /* The scroll bar hides within two seconds after it was last needed. */
  while (count_frames (&fixture, 2.5) > 0)
    g_assert_cmpuint (++n_tries, <, 5);
  g_assert_cmpuint (count_frames (&fixture, 1), ==, 0);
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
  g_test_add_func ("/transcript/stays-at-end", test_stays_at_end);
  g_test_add_func ("/transcript/P07-reader-stays", test_reader_stays);
  g_test_add_func ("/transcript/P08-small-scroll", test_small_scroll);
  g_test_add_func ("/transcript/finish-in-draft", test_finish_in_draft);
  g_test_add_func ("/transcript/P01-P04-long-session", test_long_session);
  g_test_add_func ("/transcript/P02-rests", test_rests);
  return g_test_run ();
}
