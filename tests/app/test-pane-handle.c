/* SPDX-License-Identifier: MIT */
#include "app/tau-pane-handle.h"

#include "support/tau-test-keys.h"
#include "support/tau-test-loop.h"

#include <adwaita.h>

static int
get_request (GtkWidget *pane)
{
  int width;

  gtk_widget_get_size_request (pane, &width, NULL);
  return width;
}

/* A window with a pane of 300 pixels and the focused handle beside it; one press of the key for "right". */
static int
press_right (gboolean         at_start,
             GtkTextDirection direction)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *pane = gtk_label_new ("pane");
  GtkWidget *handle = g_object_new (TAU_TYPE_PANE_HANDLE, NULL);
  int width;

  gtk_widget_set_size_request (pane, 300, -1);
  gtk_widget_set_direction (handle, direction);
  gtk_box_append (GTK_BOX (box), pane);
  gtk_box_append (GTK_BOX (box), handle);
  tau_pane_handle_set_pane (TAU_PANE_HANDLE (handle), pane, at_start);
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 1000);
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  tau_test_wait_until (gtk_window_is_active (GTK_WINDOW (window)) && gtk_widget_get_width (pane) == 300);
  g_assert_true (gtk_widget_grab_focus (handle));
  tau_test_keys_press (TAU_TEST_KEY_NONE, TAU_TEST_KEY_RIGHT);
  tau_test_wait_until (get_request (pane) != 300);
  width = get_request (pane);
  gtk_window_destroy (GTK_WINDOW (window));
  return width;
}

static void
test_keys_resize (void)
{
  g_assert_cmpint (press_right (TRUE, GTK_TEXT_DIR_LTR), ==, 324);
  g_assert_cmpint (press_right (FALSE, GTK_TEXT_DIR_LTR), ==, 276);
  g_assert_cmpint (press_right (TRUE, GTK_TEXT_DIR_RTL), ==, 276);
}

/* The handle does not keep its pane, and lives without it. */
static void
test_pane_may_go_first (void)
{
  GtkWidget *pane = g_object_ref_sink (gtk_label_new ("pane"));
  GtkWidget *handle = g_object_ref_sink (g_object_new (TAU_TYPE_PANE_HANDLE, NULL));

  tau_pane_handle_set_pane (TAU_PANE_HANDLE (handle), pane, TRUE);
  g_assert_finalize_object (pane);
  g_assert_finalize_object (handle);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  adw_init ();

  g_test_add_func ("/app/pane-handle/keys-resize", test_keys_resize);
  g_test_add_func ("/app/pane-handle/pane-may-go-first", test_pane_may_go_first);
  return g_test_run ();
}
