/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

#include "app/markdown/tau-md-attributes.h"
#include "core/message/tau-draft.h"

#include <stdlib.h>
#include <string.h>

/* Random documents, streamed in random pieces as a model streams them. Criticals are fatal in all tests. */

static char *
random_document (GRand *rand)
{
  static const char * const pieces[] = {
    "word ", "word", "\n", "\n\n", "\n\n", "- ", "* ", "1. ", "```\n", "```c\n", "~~~\n", "# ", "> ", "  ", "    ", "\t",
    "| a | b |\n", "|---|---|\n", "---\n", "===\n", "**", "`", "[a](http://b.c)", "![i](file:///x)", "<div>\n", "<!-- ",
    "- [ ] ", "\xc3\xa9", "\xe2\x80\x8b", "\xe2\x80\xae", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xff", "\xed\xa0\xbd", "&amp;",
    "```mermaid\ngraph TD\n", "$$x^2$$", "\xf0\x9f\x8c\xb2", "e\xcc\x81\xcc\x81\xcc\x81", "a_very_long_word_without_any_space_in_it_",
    ">>>>>>", "- - - - ", "\r\n", "\x01", "\xe2\x80\xa8",
  };
  GString *text = g_string_new (NULL);
  guint n = (guint) g_rand_int_range (rand, 1, 60);

  for (guint i = 0; i < n; i++)
    g_string_append (text, pieces[g_rand_int_range (rand, 0, G_N_ELEMENTS (pieces))]);
  /* Now and then a line that no screen is wide enough for. */
  if (g_rand_int_range (rand, 0, 50) == 0)
    for (guint i = 0; i < 5000; i++)
      g_string_append (text, "x y");
  return g_string_free (text, FALSE);
}

static void
stream_one (Fixture    *fixture,
            GRand      *rand,
            const char *text)
{
  const TauDelta start = { .kind = TAU_DELTA_START }, begin = { .kind = TAU_DELTA_TEXT_START };
  g_autoptr(TauDraft) draft = tau_draft_new ("a", "p", "m", 1);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  gsize length = strlen (text);

  tau_transcript_view_set_draft (fixture->view, draft);
  tau_draft_apply (draft, &start);
  tau_draft_apply (draft, &begin);
  for (gsize at = 0; at < length;)
    {
      gsize random = (gsize) g_rand_int_range (rand, 1, (gint32) MAX (8, length / 12));
      gsize piece = MIN (random, length - at);
      const TauDelta delta = { .kind = TAU_DELTA_TEXT, .text = text + at, .length = (gssize) piece };

      tau_draft_apply (draft, &delta);
      at += piece;
      if (g_rand_int_range (rand, 0, 8) == 0)
        run_frames (fixture, 1);
    }
  run_frames (fixture, 1);
  take_message (fixture, make_text_answer (valid));
  tau_transcript_view_set_draft (fixture->view, NULL);
}

/* P17: whatever a model writes and however it comes, the view lives, and it stays at the end. */
static void
test_random_documents (void)
{
  const char *number = g_getenv ("TAU_TEST_FUZZ_DOCUMENTS");
  guint n = number ? (guint) atoi (number) : 300;
  g_autoptr(GRand) rand = g_rand_new_with_seed (17);
  Fixture fixture;

  fixture_open (&fixture, 500, 400);
  run_frames (&fixture, 2);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = random_document (rand);

      stream_one (&fixture, rand, text);
      if (i % 20 == 19)
        {
          tau_transcript_view_expand_all (fixture.view, i % 40 == 19);
          tau_transcript_view_scroll_by (fixture.view, -g_rand_int_range (rand, 0, 3000));
          run_frames (&fixture, 2);
          tau_transcript_view_scroll_to_end (fixture.view);
        }
      if (i % 100 == 99)
        g_list_store_remove_all (fixture.messages);
    }
  run_frames (&fixture, 5);
  g_assert_true (tau_transcript_view_is_at_end (fixture.view));
  fixture_close (&fixture);
}

/* P12: a diagram is its source while it streams and when it is there: the same widget with the same text. */
static void
test_diagram (void)
{
  const TauDelta start = { .kind = TAU_DELTA_START }, begin = { .kind = TAU_DELTA_TEXT_START };
  static const char source[] = "```mermaid\ngraph TD\n  A --> B\n  B --> C\n```\n";
  g_autoptr(TauDraft) draft = tau_draft_new ("a", "p", "m", 1);
  double last = 0;
  Fixture fixture;

  fixture_open (&fixture, 500, 400);
  tau_transcript_view_set_draft (fixture.view, draft);
  tau_draft_apply (draft, &start);
  tau_draft_apply (draft, &begin);
  for (gsize i = 0; i < strlen (source); i++)
    {
      const TauDelta delta = { .kind = TAU_DELTA_TEXT, .text = source + i, .length = 1 };
      double upper;

      tau_draft_apply (draft, &delta);
      run_frames (&fixture, 1);
      upper = gtk_adjustment_get_upper (tau_transcript_view_get_adjustment (fixture.view));
      /* It only grows: nothing is taken away to be drawn as something else. */
      g_assert_cmpfloat (upper, >=, last);
      last = upper;
    }
  save_screenshot (&fixture, "transcript-diagram");
  tau_transcript_view_set_draft (fixture.view, NULL);
  fixture_close (&fixture);
}

/* What turns a text round or hides in it takes room and can be seen; joiners of pictograms do not. */
static void
test_hidden (void)
{
  static const struct { const char *text; gboolean found; } cases[] = {
    { "plain", FALSE }, { "caf\xc3\xa9", FALSE }, { "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", FALSE },
    { "\xd7\xa9\xd7\x9c", FALSE }, { "a\xe2\x80\xae" "b", TRUE }, { "a\xe2\x80\x8b" "b", TRUE }, { "\xef\xbb\xbf", TRUE },
    { "\xe2\x81\xa6x\xe2\x81\xa9", TRUE },
  };
  Fixture fixture;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(PangoAttrList) list = pango_attr_list_new ();

      g_assert_cmpint (tau_md_attributes_show_hidden (list, cases[i].text, strlen (cases[i].text)), ==, cases[i].found);
    }
  fixture_open (&fixture, 500, 300);
  take_message (&fixture, make_text_answer ("A name: \xe2\x80\xae" "cod.exe\xe2\x80\xac, and pay\xe2\x80\x8bpal.\n\n```c\nif (x \xe2\x80\xae /* admin */ "
                                            "\xe2\x81\xa6) return;\n```\n"));
  run_frames (&fixture, 6);
  save_screenshot (&fixture, "transcript-hidden");
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
  g_test_add_func ("/transcript/P17-random-documents", test_random_documents);
  g_test_add_func ("/transcript/P12-diagram", test_diagram);
  g_test_add_func ("/transcript/hidden-characters", test_hidden);
  return g_test_run ();
}
