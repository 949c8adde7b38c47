/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-image-fit.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

/* A picture of @width × @height; @noise makes it hard to compress. */
static guint8 *
make_picture (int         width,
              int         height,
              gboolean    noise,
              const char *type,
              gsize      *length)
{
  g_autoptr(GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  g_autoptr(GError) error = NULL;
  char *bytes;

  gdk_pixbuf_fill (pixbuf, 0x204060ff);
  if (noise)
    {
      guchar *pixels = gdk_pixbuf_get_pixels (pixbuf);
      gsize size = gdk_pixbuf_get_byte_length (pixbuf);
      guint32 state = 1;

      for (gsize i = 0; i < size; i++)
        {
          state = state * 1664525 + 1013904223;
          pixels[i] = state >> 24;
        }
    }
  gdk_pixbuf_save_to_buffer (pixbuf, &bytes, length, type, &error, NULL);
  g_assert_no_error (error);
  return (guint8 *) bytes;
}

static void
check_size (const TauFittedImage *image,
            int                   width,
            int                   height)
{
  gsize length;
  g_autofree guchar *bytes = g_base64_decode (image->data, &length);
  g_autoptr(GdkPixbufLoader) loader = gdk_pixbuf_loader_new ();

  g_assert_true (gdk_pixbuf_loader_write (loader, bytes, length, NULL));
  g_assert_true (gdk_pixbuf_loader_close (loader, NULL));
  g_assert_cmpint (gdk_pixbuf_get_width (gdk_pixbuf_loader_get_pixbuf (loader)), ==, width);
  g_assert_cmpint (gdk_pixbuf_get_height (gdk_pixbuf_loader_get_pixbuf (loader)), ==, height);
}

static void
test_sniff (void)
{
  static const struct { const char *bytes; gsize length; const char *type; } cases[] = {
    { "\xff\xd8\xff\xe0", 4, "image/jpeg" },
    { "\xff\xd8\xff\xf7", 4, NULL },
    { "GIF89a", 6, "image/gif" },
    { "RIFF\0\0\0\0WEBPVP8 ", 16, "image/webp" },
    { "RIFF\0\0\0\0WAVE", 12, NULL },
    { "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, "image/png" },
    { "\x89PNG\r\n\x1a\n\0\0\0\0IHDR\0\0\0\0\0\0\0\bacTL", 28, NULL },
    { "BM", 2, NULL },
    { "", 0, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (tau_image_sniff_type ((const guint8 *) cases[i].bytes, cases[i].length), ==, cases[i].type);
}

/* One that fits stays byte for byte. */
static void
test_small (void)
{
  gsize length;
  g_autofree guint8 *bytes = make_picture (2000, 10, FALSE, "jpeg", &length);
  g_autofree char *base64 = g_base64_encode (bytes, length);
  g_autoptr(TauFittedImage) image = tau_image_fit (bytes, length, "image/jpeg");

  g_assert_cmpstr (image->data, ==, base64);
  g_assert_cmpstr (image->mime_type, ==, "image/jpeg");
  g_assert_null (image->note);
}

static void
test_large (void)
{
  gsize length;
  g_autofree guint8 *wide = make_picture (3000, 1500, FALSE, "png", &length);
  g_autoptr(TauFittedImage) image = tau_image_fit (wide, length, "image/png");
  g_autofree guint8 *tall = make_picture (1000, 4000, FALSE, "jpeg", &length);
  g_autoptr(TauFittedImage) other = tau_image_fit (tall, length, "image/jpeg");

  g_assert_cmpstr (image->mime_type, ==, "image/png");
  g_assert_cmpstr (image->note, ==, "[Image: original 3000x1500, displayed at 2000x1000. Multiply coordinates by 1.50 to map to original image.]");
  check_size (image, 2000, 1000);
  g_assert_cmpstr (other->mime_type, ==, "image/png");
  g_assert_cmpstr (other->note, ==, "[Image: original 1000x4000, displayed at 500x2000. Multiply coordinates by 2.00 to map to original image.]");
  check_size (other, 500, 2000);
}

/* One that compresses badly becomes a JPEG of the same size. */
static void
test_heavy (void)
{
  gsize length;
  g_autofree guint8 *bytes = make_picture (1400, 1400, TRUE, "png", &length);
  g_autoptr(TauFittedImage) image = tau_image_fit (bytes, length, "image/png");

  g_assert_cmpuint (length, >, 4718592 / 4 * 3);
  g_assert_cmpstr (image->mime_type, ==, "image/jpeg");
  g_assert_cmpstr (image->note, ==, "[Image: original 1400x1400, displayed at 1400x1400. Multiply coordinates by 1.00 to map to original image.]");
  g_assert_cmpuint (strlen (image->data), <, 4718592);
  check_size (image, 1400, 1400);
}

static void
test_broken (void)
{
  g_autoptr(TauFittedImage) image = tau_image_fit ((const guint8 *) "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, "image/png");

  g_assert_null (image->data);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/image-fit/sniff", test_sniff);
  g_test_add_func ("/image-fit/small", test_small);
  g_test_add_func ("/image-fit/large", test_large);
  g_test_add_func ("/image-fit/heavy", test_heavy);
  g_test_add_func ("/image-fit/broken", test_broken);

  return g_test_run ();
}
