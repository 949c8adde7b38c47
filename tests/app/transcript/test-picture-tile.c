/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-picture-tile.h"

#define PIXEL "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

static void
check (const char *data,
       gboolean    shown)
{
  g_autoptr(TauBlock) block = tau_block_new_image (data, "image/png");
  GtkWidget *tile = g_object_ref_sink (tau_picture_tile_new (block, 96, 96, TRUE));
  int width, height;

  /* Its place is there before the picture is. */
  g_assert_true (tau_picture_tile_is_loading (TAU_PICTURE_TILE (tile)));
  gtk_widget_measure (tile, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  while (tau_picture_tile_is_loading (TAU_PICTURE_TILE (tile)))
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_measure (tile, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  g_assert_cmpint (width, ==, 96);
  g_assert_cmpint (height, ==, 96);
  g_assert_cmpint (tau_picture_tile_get_picture (TAU_PICTURE_TILE (tile)) != NULL, ==, shown);
  g_object_unref (tile);
}

static void
test_pictures (void)
{
  check (PIXEL, TRUE);
  check ("", FALSE);
  check ("bm90IGEgcGljdHVyZQ==", FALSE);
  check ("not even base64", FALSE);
}

/* A tile that scrolls away while its picture is decoded is gone, and nothing comes after it. */
static void
test_gone (void)
{
  g_autoptr(TauBlock) block = tau_block_new_image (PIXEL, "image/png");
  GtkWidget *tile = g_object_ref_sink (tau_picture_tile_new (block, 96, 96, FALSE));

  g_object_run_dispose (G_OBJECT (tile));
  g_object_add_weak_pointer (G_OBJECT (tile), (gpointer *) &tile);
  g_object_unref (tile);
  while (tile)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  g_test_add_func ("/picture-tile/pictures", test_pictures);
  g_test_add_func ("/picture-tile/gone", test_gone);
  return g_test_run ();
}
