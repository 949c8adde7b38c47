/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-image-fit.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <math.h>
#include <string.h>

/* Pictures for models: known by their content, made small enough for a request. Blocking; meant for a thread. */

#define MAX_SIDE 2000
/* Anthropic takes 5 MB of base64; the margin is pi's. */
#define MAX_BASE64 ((gsize) 4718592)
/* What a picture may need in memory, 4 bytes each: a small file can claim to be huge. */
#define MAX_PIXELS ((gint64) 100 * 1000 * 1000)

static gboolean
has_bytes (const guint8 *bytes,
           gsize         length,
           gsize         offset,
           const char   *wanted)
{
  gsize n = strlen (wanted);

  return length >= offset + n && memcmp (bytes + offset, wanted, n) == 0;
}

/* An animated PNG says so in a chunk before its data; it is another type. */
static gboolean
is_animated_png (const guint8 *bytes,
                 gsize         length)
{
  gsize position = 8;

  while (position + 8 <= length)
    {
      const guint8 *p = bytes + position;
      gsize size = (gsize) p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];

      if (has_bytes (bytes, length, position + 4, "acTL"))
        return TRUE;
      if (has_bytes (bytes, length, position + 4, "IDAT"))
        return FALSE;
      position += size + 12;
    }
  return FALSE;
}

/**
 * tau_image_sniff_type:
 * @bytes: the beginning of a file; 4100 bytes are enough
 * @length: bytes of @bytes
 *
 * Recognises the four formats that models take.
 *
 * Returns: (transfer none) (nullable): the MIME type
 */
const char *
tau_image_sniff_type (const guint8 *bytes,
                      gsize         length)
{
  if (has_bytes (bytes, length, 0, "\xff\xd8\xff") && length > 3 && bytes[3] != 0xf7)
    return "image/jpeg";
  if (has_bytes (bytes, length, 0, "\x89PNG\r\n\x1a\n"))
    return is_animated_png (bytes, length) ? NULL : "image/png";
  if (has_bytes (bytes, length, 0, "GIF"))
    return "image/gif";
  if (has_bytes (bytes, length, 0, "RIFF") && has_bytes (bytes, length, 8, "WEBP"))
    return "image/webp";
  return NULL;
}

/* Whether the last @n bytes hold @wanted. */
static gboolean
ends_with (const guint8 *bytes,
           gsize         length,
           gsize         n,
           const char   *wanted)
{
  gsize start = length > n ? length - n : 0;

  return memmem (bytes + start, length - start, wanted, strlen (wanted)) != NULL;
}

/**
 * tau_image_is_whole:
 * @bytes: a picture
 * @length: bytes of @bytes
 *
 * A file that was cut may still be read by a tolerant program, but not by every provider. Programs write a little behind
 * the end mark now and then.
 *
 * Returns: whether it has the end that its type wants
 */
gboolean
tau_image_is_whole (const guint8 *bytes,
                    gsize         length)
{
  const char *type = tau_image_sniff_type (bytes, length);

  if (g_strcmp0 (type, "image/png") == 0)
    return ends_with (bytes, length, 4096, "IEND");
  if (g_strcmp0 (type, "image/jpeg") == 0)
    return ends_with (bytes, length, length, "\xff\xd9");
  if (g_strcmp0 (type, "image/gif") == 0)
    return ends_with (bytes, length, 64, ";");
  if (g_strcmp0 (type, "image/webp") == 0)
    return length >= 12 && (gsize) (bytes[4] | bytes[5] << 8 | bytes[6] << 16 | (gsize) bytes[7] << 24) + 8 <= length;

  return FALSE;
}

static void
size_prepared_cb (GdkPixbufLoader *loader,
                  int              width,
                  int              height,
                  gpointer         user_data)
{
  gboolean *too_large = user_data;

  if ((gint64) width * height <= MAX_PIXELS)
    return;
  *too_large = TRUE;
  gdk_pixbuf_loader_set_size (loader, 1, 1);
}

/* The first frame, turned as its EXIF data says. */
static GdkPixbuf *
decode (const guint8 *bytes,
        gsize         length)
{
  g_autoptr(GdkPixbufLoader) loader = gdk_pixbuf_loader_new ();
  gboolean too_large = FALSE;
  gboolean written;
  GdkPixbuf *pixbuf;

  g_signal_connect (loader, "size-prepared", G_CALLBACK (size_prepared_cb), &too_large);
  /* In pieces, so that a picture that is too large is given up at its header. */
  written = gdk_pixbuf_loader_write (loader, bytes, MIN (length, 65536), NULL);
  if (written && !too_large && length > 65536)
    written = gdk_pixbuf_loader_write (loader, bytes + 65536, length - 65536, NULL);
  written &= gdk_pixbuf_loader_close (loader, NULL);
  pixbuf = written && !too_large ? gdk_pixbuf_loader_get_pixbuf (loader) : NULL;
  return pixbuf != NULL ? gdk_pixbuf_apply_embedded_orientation (pixbuf) : NULL;
}

static gboolean
encode (GdkPixbuf      *pixbuf,
        const char     *quality,
        TauFittedImage *image)
{
  g_autofree char *buffer = NULL;
  gsize length;
  gboolean saved;

  if (quality == NULL)
    saved = gdk_pixbuf_save_to_buffer (pixbuf, &buffer, &length, "png", NULL, NULL);
  else
    saved = gdk_pixbuf_save_to_buffer (pixbuf, &buffer, &length, "jpeg", NULL, "quality", quality, NULL);
  if (!saved || (length + 2) / 3 * 4 >= MAX_BASE64)
    return FALSE;

  image->data = g_base64_encode ((const guchar *) buffer, length);
  image->mime_type = quality == NULL ? "image/png" : "image/jpeg";
  return TRUE;
}

/* The first encoding below the limit, not the smallest: it is the best one to look at. */
static gboolean
encode_somehow (GdkPixbuf      *pixbuf,
                TauFittedImage *image)
{
  static const char *const qualities[] = { NULL, "80", "85", "70", "55", "40" };

  for (gsize i = 0; i < G_N_ELEMENTS (qualities); i++)
    if (encode (pixbuf, qualities[i], image))
      return TRUE;
  return FALSE;
}

static void
fit_side (int *side,
          int *other)
{
  if (*side <= MAX_SIDE)
    return;
  *other = MAX (1, (int) round ((double) *other * MAX_SIDE / *side));
  *side = MAX_SIDE;
}

static void
reencode (GdkPixbuf      *original,
          TauFittedImage *image)
{
  int full_width = gdk_pixbuf_get_width (original), full_height = gdk_pixbuf_get_height (original);
  int width = full_width, height = full_height;

  fit_side (&width, &height);
  fit_side (&height, &width);
  for (;;)
    {
      g_autoptr(GdkPixbuf) scaled = gdk_pixbuf_scale_simple (original, width, height, GDK_INTERP_BILINEAR);
      char factor[G_ASCII_DTOSTR_BUF_SIZE];

      if (scaled == NULL)
        return;
      if (encode_somehow (scaled, image))
        {
          image->note = g_strdup_printf ("[Image: original %dx%d, displayed at %dx%d. Multiply coordinates by %s to map to original image.]",
                                         full_width, full_height, width, height,
                                         g_ascii_formatd (factor, sizeof factor, "%.2f", (double) full_width / width));
          return;
        }
      if (width == 1 && height == 1)
        return;
      width = MAX (1, width * 3 / 4);
      height = MAX (1, height * 3 / 4);
    }
}

/**
 * tau_image_fit_within:
 * @bytes: a picture
 * @length: bytes of @bytes
 * @mime_type: (nullable): what tau_image_sniff_type() said of it; %NULL makes it one of the four types if it can be read at all
 * @max_side: pixels that each side may have for the picture to stay as it is
 * @max_base64: bytes of base64 below which it may
 *
 * Leaves a picture that fits as it is, byte for byte, and makes any other one fit for a request as tau_image_fit() does.
 *
 * Returns: (transfer full): the picture, or one without data if it could not be read or made small enough
 */
TauFittedImage *
tau_image_fit_within (const guint8 *bytes,
                      gsize         length,
                      const char   *mime_type,
                      int           max_side,
                      gsize         max_base64)
{
  TauFittedImage *image = g_new0 (TauFittedImage, 1);
  g_autoptr(GdkPixbuf) pixbuf = decode (bytes, length);

  image->mime_type = mime_type;
  if (pixbuf == NULL)
    return image;

  if (mime_type != NULL && gdk_pixbuf_get_width (pixbuf) <= max_side && gdk_pixbuf_get_height (pixbuf) <= max_side
      && (length + 2) / 3 * 4 < max_base64)
    image->data = g_base64_encode (bytes, length);
  else
    reencode (pixbuf, image);
  return image;
}

/**
 * tau_image_fit:
 * @bytes: a picture
 * @length: bytes of @bytes
 * @mime_type: what tau_image_sniff_type() said of it
 *
 * Makes a picture fit for a request: at most 2000×2000 and below 4.5 MiB of base64. One that fits stays as it is,
 * byte for byte. Numbers and order of the attempts are pi's.
 *
 * Returns: (transfer full): the picture, or one without data if it could not be read or made small enough
 */
TauFittedImage *
tau_image_fit (const guint8 *bytes,
               gsize         length,
               const char   *mime_type)
{
  return tau_image_fit_within (bytes, length, mime_type, MAX_SIDE, MAX_BASE64);
}

/**
 * tau_fitted_image_free:
 * @self: (transfer full): a picture
 *
 * Frees it.
 */
void
tau_fitted_image_free (TauFittedImage *self)
{
  g_free (self->data);
  g_free (self->note);
  g_free (self);
}
