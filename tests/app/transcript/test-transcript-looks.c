/* SPDX-License-Identifier: MIT */
#include "app/transcript/transcript-fixture.h"

/* Every kind of row, light and dark, narrow and wide, saved as pictures to look at. */

static const char answer[] =
  "The parser reads **one byte before** the buffer when `n` is 0. I will guard the index and keep the "
  "fast path, see [the manual](https://example.org/manual).\n\n"
  "## What changes\n\n"
  "1. The index is checked first.\n2. A test covers the *empty* buffer:\n   - with a trailing newline\n   - without one\n"
  "3. Nothing else.\n\n"
  "- [x] reproduce\n- [ ] fix\n\n"
  "> A buffer that ends with a lone carriage return was never tested,\n> and this is where it fails.\n\n"
  "```c\nstatic int\nskip_line (const char *buf, size_t n)\n{\n  /* The index ran one past the start. */\n"
  "  if (n > 0 && buf[n - 1] == '\\n')\n    return 1;\n  return 0;\n}\n```\n\n"
  "| Test | Before | After |\n|:--|--:|--:|\n| parser | 46 of 50 | 50 of 50 |\n| lexer, with a rather long name that wraps when it must | 50 | 50 |\n\n"
  "---\n\nThat is all.";

static void
fill (Fixture *fixture)
{
  g_autoptr(GPtrArray) blocks = new_blocks ();
  TauBashExecutionFields bash = { .command = "git status --short", .output = " M src/parser.c", .has_exit_code = TRUE,
                                  .timestamp = 5 };

  take_message (fixture, TAU_MESSAGE (tau_compaction_summary_message_new ("The user asked **twice**.", 41000, 1)));
  take_message (fixture, make_user ("The parser test fails one run in ten.\nFind out why and fix it."));
  g_ptr_array_add (blocks, tau_block_new_thinking ("I should run it in a loop first.", NULL, FALSE));
  g_ptr_array_add (blocks, tau_block_new_text ("I’ll run the test in a loop first.", NULL));
  add_call (blocks, "c1", "bash", "{\"command\":\"for i in $(seq 50); do meson test -C build parser || echo failed $i; done\"}");
  add_call (blocks, "c2", "read", "{\"path\":\"src/parser.c\",\"offset\":100,\"limit\":40}");
  add_call (blocks, "c3", "edit", "{\"path\":\"src/parser.c\",\"edits\":[]}");
  add_call (blocks, "c4", "bash", "{\"command\":\"meson test -C build\"}");
  take_message (fixture, make_answer (blocks, TAU_STOP_REASON_TOOL_USE, NULL));
  take_message (fixture, make_result ("c1", "bash", "failed 7\nfailed 23\n", NULL, FALSE));
  take_message (fixture, make_result ("c2", "read", "line\nline\nline\n", NULL, FALSE));
  take_message (fixture, make_result ("c3", "edit", "Successfully replaced 1 block(s) in src/parser.c.",
                                      "{\"diff\":\"     ...\\n 117 {\\n 118   while (n > 0)\\n-119     if (buf[n] == '\\\\n')\\n+119     if (n > 0 && buf[n - 1] == '\\\\n')\\n 120       break;\\n     ...\"}", FALSE));
  take_message (fixture, make_result ("c4", "bash", "1/14 parser  OK  0.4s\n2/14 stream  FAIL  2.0s\n\n\nCommand exited with code 1", NULL, TRUE));
  take_message (fixture, make_text_answer (answer));
  take_message (fixture, TAU_MESSAGE (tau_bash_execution_message_new (&bash)));
  {
    g_autoptr(GPtrArray) none = new_blocks ();

    take_message (fixture, make_answer (none, TAU_STOP_REASON_ERROR, "The key was refused by Anthropic (401).\n{\"type\":\"error\"}"));
  }
}

/* From right to left: lines begin at the right, triangles point to the left, code stays as it is. */
static void
test_right_to_left (gconstpointer data)
{
  Fixture fixture;

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_LIGHT);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  fixture_open (&fixture, 700, 1000);
  fill (&fixture);
  take_message (&fixture, make_user ("שלום, תקן את הבדיקה הזאת"));
  take_message (&fixture, make_text_answer ("## מה משתנה\n\nהמנתח קורא **בית אחד** לפני `buf` בכל פעם.\n\n1. ראשון\n2. שני\n   - פנימי\n\n"
                                            "> ציטוט קצר\n\n| עמודה | ערך |\n|:--|--:|\n| אחת | 1 |\n\n```c\nint x = 1;\n```\n"));
  run_frames (&fixture, 30);
  save_screenshot (&fixture, "transcript-rtl");
  fixture_close (&fixture);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static void
test_looks (gconstpointer data)
{
  static const struct { const char *name; int width; int height; gboolean dark; } cases[] = {
    { "wide-light", 1200, 1000, FALSE }, { "wide-dark", 1200, 1000, TRUE },
    { "narrow-light", 360, 1000, FALSE }, { "narrow-dark", 360, 1000, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture fixture;
      g_autofree char *top = g_strdup_printf ("transcript-%s-top", cases[i].name);
      g_autofree char *middle = g_strdup_printf ("transcript-%s-middle", cases[i].name);
      g_autofree char *end = g_strdup_printf ("transcript-%s-end", cases[i].name);

      adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                          cases[i].dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT);
      fixture_open (&fixture, cases[i].width, cases[i].height);
      fill (&fixture);
      run_frames (&fixture, 30);
      save_screenshot (&fixture, end);
      tau_transcript_view_scroll_by (fixture.view, -600);
      run_frames (&fixture, 30);
      save_screenshot (&fixture, middle);
      tau_transcript_view_scroll_by (fixture.view, -100000);
      run_frames (&fixture, 10);
      save_screenshot (&fixture, top);
      fixture_close (&fixture);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_data_func ("/transcript/looks", NULL, test_looks);
  g_test_add_data_func ("/transcript/right-to-left", NULL, test_right_to_left);
  return g_test_run ();
}
