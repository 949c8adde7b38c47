/* SPDX-License-Identifier: MIT */
#include "app/composer/tau-paste.h"

#include "app/composer/composer-fixture.h"
#include "support/tau-test-loop.h"

/* What the clipboard holds goes into the field of a real window, or it is said why not. */

static void
paste (Rig        *rig,
       const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (rig->view)), text);
  g_signal_emit_by_name (rig->view, "paste-clipboard");
}

/* P24: pasted text is literal but for CRLF, and takes the place of what is selected. */
static void
test_text_is_literal (Rig           *rig,
                      gconstpointer  data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (rig->view);
  GtkTextIter start, end;

  tau_composer_set_text (rig->composer, "old");
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_select_range (buffer, &start, &end);
  paste (rig, "a\r\n\r\nb\\n\\x1b[31m\tc\n");
  tau_test_wait_until (holds (rig, "a\n\nb\\n\\x1b[31m\tc\n"));
  g_assert_cmpuint (rig->said->len, ==, 0);

  gtk_text_buffer_undo (buffer);
  g_assert_true (holds (rig, "old"));
}

/* P23: a picture is not pasted, and that is said; what was typed stays. */
static void
test_says_so_when_nothing_fits (Rig           *rig,
                                gconstpointer  data)
{
  g_autoptr(GBytes) pixel = g_bytes_new_static ("\377\0\0\377", 4);
  g_autoptr(GdkTexture) texture = gdk_memory_texture_new (1, 1, GDK_MEMORY_R8G8B8A8, pixel, 4);

  tau_composer_set_text (rig->composer, "typed");
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (rig->view)), texture);
  g_signal_emit_by_name (rig->view, "paste-clipboard");
  tau_test_wait_until (rig->said->len > 0);
  g_assert_nonnull (strstr (rig->said->str, "picture"));
  g_assert_true (holds (rig, "typed"));
}

/* P06: what would freeze the window stays out of the field, and that is said. */
static void
test_too_much (Rig           *rig,
               gconstpointer  data)
{
  g_autofree char *line = g_strnfill (5 * 1024 * 1024, 'x');

  paste (rig, line);
  tau_test_wait_until (rig->said->len > 0);
  g_assert_nonnull (strstr (rig->said->str, "too much text"));
  g_assert_true (holds (rig, ""));

  g_string_truncate (rig->said, 0);
  line[64 * 1024 + 1] = '\0';
  paste (rig, line);
  tau_test_wait_until (rig->said->len > 0);
  g_assert_true (holds (rig, ""));
}

/* P20: what was on its way when another session was shown reaches neither. */
static void
test_never_into_another_session (Rig           *rig,
                                 gconstpointer  data)
{
  paste (rig, "late");
  tau_composer_set_session (rig->composer, NULL);
  tau_test_loop_settle ();
  g_assert_true (holds (rig, ""));
  g_assert_cmpuint (rig->said->len, ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();

#define ADD(path, function) g_test_add ("/app/paste/" path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("P24-text-is-literal", test_text_is_literal);
  ADD ("P23-says-so-when-nothing-fits", test_says_so_when_nothing_fits);
  ADD ("P06-too-much", test_too_much);
  ADD ("P20-never-into-another-session", test_never_into_another_session);
  return g_test_run ();
}
